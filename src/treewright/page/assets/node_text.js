"use strict";
// Node text: splits, branches, paths and predictions in the user's names, on one line each.

/** How many categories of a branch are listed; the rest is counted. */
const MAX_CATEGORIES = 12;

/** The conditions of a split's branches without the column: "≤ 75", "= sunny", "∈ {a, b}", "is missing". */
const conditionCache = new Map();

listen("language", () => conditionCache.clear());

function branchConditions(splitNode) {
  if (!conditionCache.has(splitNode)) conditionCache.set(splitNode, makeConditions(page.model, splitNode));
  return conditionCache.get(splitNode);
}

function makeConditions(model, splitNode) {
  const many = model.many[splitNode];
  const missingOnly = onlyMissing(model, splitNode);
  if (missingOnly >= 0 && many === 2) {
    return [0, 1].map((branch) => t(branch === missingOnly ? "is_missing" : "is_known"));
  }
  if (model.tables[splitNode] === null) {
    const cut = thresholdText(model.doc.nodes.threshold_words[splitNode], model.threshold[splitNode]);
    return ["≤ " + cut, "> " + cut, t("is_missing")].slice(0, many);
  }
  const names = model.columns[model.column[splitNode]].categories;
  return branchCodes(model, splitNode).map((codes, branch) => {
    if (branch === missingOnly) return t("is_missing");
    return codes.length === 1 ? "= " + names[codes[0]] : "∈ " + setText(codes.map((code) => names[code]));
  });
}

function thresholdText(words, threshold) {
  return words === null || words === undefined ? exactNumber(threshold) : shownCategory(words);
}

function setText(words) {
  const shown = words.slice(0, MAX_CATEGORIES);
  if (words.length > MAX_CATEGORIES) shown.push("… " + t("more", { n: words.length - MAX_CATEGORIES }));
  return "{" + shown.join(", ") + "}";
}

/** The condition that leads to a node, without the column: "= sunny"; empty for the root. */
function branchLabel(view, node) {
  const parent = view.parent[node];
  return parent < 0 ? "" : branchConditions(view.split[parent])[branchTo(view, node)];
}

/** The same for the drawing, where long numbers are rounded; the panel shows all digits. */
function edgeLabel(view, node) {
  const label = branchLabel(view, node);
  if (label.length < 12) return label;
  const splitNode = view.split[view.parent[node]];
  const { model } = view;
  const column = model.columns[model.column[splitNode]];
  if (model.tables[splitNode] !== null || column.kind !== "number" || isMoment(column)) return label;
  const cut = model.threshold[splitNode];
  return Number.isFinite(cut) && branchTo(view, node) < 2 ? label.slice(0, 2) + formatNumber(cut, 5) : label;
}

/** The same with the column: "outlook = sunny". */
function branchText(view, node) {
  const parent = view.parent[node];
  return parent < 0 ? t("root") : splitColumn(view, parent) + " " + branchLabel(view, node);
}

/** The column that a node splits on; "" for a leaf. */
function splitColumn(view, node) {
  const splitNode = view.split[node];
  return splitNode < 0 ? "" : page.model.columns[page.model.column[splitNode]].shown;
}

/** The predicted class or number of a node. */
function predictionText(view, node) {
  const { model } = view;
  return model.isNumber ? formatNumber(valueOf(view, node)[0], 4) : model.classes[predictedClass(view, node)];
}

/** The probability of the predicted class; null for a regression tree. */
function predictedProbability(view, node) {
  return view.model.isNumber ? null : valueOf(view, node)[predictedClass(view, node)];
}

/** A node by its number in the tree used for prediction, or in the unpruned tree if it was pruned away. */
function nodeName(node) {
  const number = ownView().depth[node] >= 0 ? ownView().number[node] : -1;
  return number >= 0 ? t("node_number", { n: number }) : t("node_grown", { n: node });
}

/** The Python call that shows more about a node. */
function pythonCall(method, node) {
  const number = ownView().depth[node] >= 0 ? ownView().number[node] : -1;
  return number >= 0 ? `est.${method}(${number})` : `est.${method}(${node}, grown=True)`;
}

/** A node in one sentence, for screen readers and tooltips. */
function nodeSentence(view, node) {
  const parts = [nodeName(node), branchText(view, node)];
  if (!isLeaf(view, node)) parts.push(t("splits_on", { column: splitColumn(view, node) }));
  const proportion = predictedProbability(view, node);
  parts.push(predictionText(view, node) + (proportion === null ? "" : " " + percent(proportion)));
  parts.push(tCount("weight_of", weightOf(view, node)));
  return parts.join(", ");
}

/** The name of a pruning method in the current language. */
function methodName(method) {
  if (method.includes("+")) return method.split("+").map(methodName).join(" + ");
  const known = t("method_" + method);
  return known === "method_" + method ? shownText(method).replace(/_/g, " ") : known;
}
