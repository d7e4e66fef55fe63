"use strict";
// Tree model: the document as arrays over the nodes of the unpruned tree, and views: pruned trees over the same
// nodes. A view has for each node the node whose split it uses (`split`, -1 at a leaf), its parent, depth, children
// and number.

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

/** A column with its names as shown, and the code of each category. */
function readColumn(column) {
  const categories = column.categories || [];
  return {
    name: column.name,
    shown: shownCategory(column.name),
    kind: column.kind,
    source: column.source,
    part: column.part,
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

/** The branch of a category, by binary search in the sorted codes of the table. */
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

/** The branch that only missing values take; -1 if there is none. */
function onlyMissing(model, splitNode) {
  const many = model.many[splitNode];
  const table = model.tables[splitNode];
  if (table === null) return many === 3 || model.threshold[splitNode] === Infinity ? many - 1 : -1;
  const branch = model.missingBranch[splitNode];
  return branch < 0 || branch === model.other[splitNode] || table[1].includes(branch) ? -1 : branch;
}

/** The category codes of each branch; an empty default branch gets the categories that are in no other. */
function branchCodes(model, splitNode) {
  const [codes, branches] = model.tables[splitNode];
  const found = Array.from({ length: model.many[splitNode] }, () => []);
  codes.forEach((code, i) => found[branches[i]].push(code));
  const other = model.other[splitNode];
  if (other >= 0 && !found[other].length && other !== onlyMissing(model, splitNode)) {
    const met = new Set(codes);
    const all = model.columns[model.column[splitNode]].categories;
    for (let code = 0; code < all.length; code++) if (!met.has(code)) found[other].push(code);
  }
  return found;
}

/** The largest entry of a list of any length. */
function highestOf(list) {
  return list.reduce((most, one) => (one > most ? one : most), -Infinity);
}

/** The index of the largest entry, the first one on a tie; `tie` is the relative tolerance. */
function largest(values, tie = 0) {
  let most = -Infinity;
  for (const value of values) if (value > most) most = value;
  return values.findIndex((value) => value >= most * (1 - tie));
}

const NO_CHILDREN = [];

/** The node whose split each node uses: itself, that of a raised subtree, or none (-1). */
function splitsOf(model, changes) {
  const split = new Int32Array(model.n);
  for (let i = 0; i < model.n; i++) split[i] = model.many[i] > 0 ? i : -1;
  for (const [node, splitNode] of changes) split[node] = splitNode;
  return split;
}

/** The same for an alpha of the cost-complexity path. */
function splitsAt(model, alpha) {
  const split = new Int32Array(model.n);
  const nodeAlpha = model.doc.path.node_alpha;
  const least = alpha * (1 + 1e-12);
  for (let i = 0; i < model.n; i++) split[i] = model.many[i] > 0 && !(nodeAlpha[i] <= least) ? i : -1;
  return split;
}

/**
 * contents  by node, what differs from the unpruned tree after a subtree was raised
 * gone      leaves that were removed because no row can reach them
 */
function makeView(model, key, split, contents = null, gone = []) {
  const { n } = model;
  const view = {
    key,
    model,
    split,
    contents,
    gone: new Set(gone),
    kids: new Array(n),
    parent: new Int32Array(n).fill(-1),
    depth: new Int32Array(n).fill(-1),
    number: new Int32Array(n).fill(-1),
    below: new Int32Array(n),
    order: [0],
    leaves: 0,
    height: 0,
  };
  view.depth[0] = 0;
  for (let at = 0; at < view.order.length; at++) {
    const node = view.order[at];
    view.number[node] = at;
    view.kids[node] = childrenAt(view, node);
    if (!view.kids[node].length) view.leaves += 1;
    for (const child of view.kids[node]) {
      view.parent[child] = node;
      view.depth[child] = view.depth[node] + 1;
      view.order.push(child);
    }
  }
  const last = view.order.length - 1;
  view.height = view.depth[view.order[last]];
  for (let at = last; at > 0; at--) {
    const node = view.order[at];
    view.below[view.parent[node]] += view.below[node] + 1;
  }
  // A tree from which nothing was removed keeps its node numbers, whatever their order.
  if (view.order.length === n) for (let i = 0; i < n; i++) view.number[i] = i;
  return view;
}

function childrenAt(view, node) {
  const { model, split, gone } = view;
  const splitNode = split[node];
  if (splitNode < 0) return NO_CHILDREN;
  const children = [];
  for (let b = 0; b < model.many[splitNode]; b++) {
    if (!gone.has(model.first[splitNode] + b)) children.push(model.first[splitNode] + b);
  }
  return children;
}

function isLeaf(view, node) {
  return view.split[node] < 0;
}

function childrenOf(view, node) {
  return view.kids[node] || NO_CHILDREN;
}

/** The branch of its parent's split that leads to a node. */
function branchTo(view, node) {
  return node - view.model.first[view.split[view.parent[node]]];
}

/** What differs at a node of this view from the unpruned tree. */
function changedContents(view, node) {
  return view.contents === null ? undefined : view.contents[node];
}

function nodeField(view, node, name) {
  const other = changedContents(view, node);
  return other !== undefined && other[name] !== undefined ? other[name] : view.model.doc.nodes[name][node];
}

function weightOf(view, node) {
  return nodeField(view, node, "weight");
}

function statsOf(view, node) {
  return nodeField(view, node, "stats");
}

/** The class probabilities or the number of a node; by default the class proportions of its weight. */
function valueOf(view, node) {
  const other = changedContents(view, node);
  if (other === undefined || (other.value === undefined && other.stats === undefined))
    return view.model.values[node];
  if (other.value === undefined) other.value = other.stats.map((weight) => weight / other.weight);
  return other.value;
}

/** The fraction of its parent's rows that a node has. */
function shareOf(view, node) {
  return nodeField(view, node, "share");
}

/** A branch by its role: the heaviest, that of missing values, that of categories not seen at the node. */
function namedBranch(view, node, name) {
  const other = changedContents(view, node);
  return other !== undefined && other[name] !== undefined
    ? other[name]
    : view.model.doc.nodes[name][view.split[node]];
}

/** The branch of a known value at a node. */
function branchOf(view, node, value) {
  const { model } = view;
  const splitNode = view.split[node];
  const table = model.tables[splitNode];
  if (table === null) return value <= model.threshold[splitNode] ? 0 : 1;
  const branch = tableBranch(table, value, -1);
  return branch < 0 || view.gone.has(model.first[splitNode] + branch) ? namedBranch(view, node, "other") : branch;
}

/** The code of the predicted class; 0 for a regression tree. */
function predictedClass(view, node) {
  return view.model.isNumber ? 0 : chooseClass(view.model, valueOf(view, node), false);
}

/** The nodes from the root to this one. */
function pathTo(view, node) {
  const path = [];
  for (let i = node; i >= 0; i = view.parent[i]) path.push(i);
  return path.reverse();
}

/** A node and all nodes below it, parents first, in the order of the branches. */
function* preorder(view, start = 0) {
  const waiting = [start];
  while (waiting.length) {
    const node = waiting.pop();
    yield node;
    const children = childrenOf(view, node);
    for (let b = children.length - 1; b >= 0; b--) waiting.push(children[b]);
  }
}
