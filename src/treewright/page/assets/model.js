"use strict";
// Model: the document, ready to be asked. In: the JSON object. Out: arrays over the nodes of the grown tree, columns
// with their words and codes. Nothing here depends on what is shown.

function readModel(doc) {
  const nodes = doc.nodes;
  const n = nodes.first_child.length;
  const threshold = new Float64Array(n).fill(NaN);
  nodes.threshold.forEach((cut, i) => {
    if (cut !== null) threshold[i] = cut === "inf" ? Infinity : cut;
  });
  const classes = doc.target.classes;
  const model = {
    doc,
    n,
    first: Int32Array.from(nodes.first_child),
    many: Int32Array.from(nodes.n_children),
    column: Int32Array.from(nodes.column),
    threshold,
    tables: nodes.table,
    other: Int32Array.from(nodes.other),
    missingBranch: Int32Array.from(nodes.missing_branch),
    columns: doc.columns.map(readColumn),
    isNumber: classes === null,
    classes: classes === null ? [] : classes.map(shownCategory),
    target: shownText(doc.target.name),
    title: shownText(doc.title),
    values: nodes.value.map((value, i) => value || nodes.stats[i].map((weight) => weight / nodes.weight[i])),
    numberRange: [0, 1],
  };
  if (model.isNumber) model.numberRange = rangeOf(model.values);
  return model;
}

/** A column with its words as they are shown, and the code of each category. */
function readColumn(column) {
  const categories = column.categories || [];
  return {
    name: column.name,
    shown: shownCategory(column.name),
    kind: column.kind,
    categories: categories.map(shownCategory),
    codes: new Map(categories.map((category, code) => [category, code])),
  };
}

function rangeOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const [value] of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** The branch of a category at a node that looks it up: the codes of its table rise. */
function tableBranch([codes, branches], code, other) {
  let start = 0;
  let end = codes.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if (codes[middle] < code) start = middle + 1;
    else end = middle;
  }
  return start < codes.length && codes[start] === code ? branches[start] : other;
}

/** The branch that no known value takes, only missing ones; -1 when there is none. */
function onlyMissing(model, question) {
  const many = model.many[question];
  const table = model.tables[question];
  if (table === null) return many === 3 || model.threshold[question] === Infinity ? many - 1 : -1;
  const branch = model.missingBranch[question];
  return branch < 0 || branch === model.other[question] || table[1].includes(branch) ? -1 : branch;
}

/** The codes of each branch of a node that looks categories up; an empty branch has those that were not met. */
function branchCodes(model, question) {
  const [codes, branches] = model.tables[question];
  const found = Array.from({ length: model.many[question] }, () => []);
  codes.forEach((code, i) => found[branches[i]].push(code));
  const other = model.other[question];
  if (other >= 0 && !found[other].length && other !== onlyMissing(model, question)) {
    const met = new Set(codes);
    const all = model.columns[model.column[question]].categories;
    for (let code = 0; code < all.length; code++) if (!met.has(code)) found[other].push(code);
  }
  return found;
}

/** The largest entry of a list of any length. */
function highestOf(list) {
  return list.reduce((most, one) => (one > most ? one : most), -Infinity);
}

/** The place of the largest entry, the first one on a tie; entries as close as `tie` are the same. */
function largest(values, tie = 0) {
  let most = -Infinity;
  for (const value of values) if (value > most) most = value;
  return values.findIndex((value) => value >= most * (1 - tie));
}
