"use strict";
// Phrases: questions, branches, ways and answers in the user's names. In: a view and a node. Out: text on one line.

/** How many categories of one branch are listed before the rest is only counted. */
const CATEGORIES_SHOWN = 12;

/** The words of a question's branches without the column's name: "≤ 75", "= sunny", "∈ {a, b}", "is missing". */
const tailCache = new Map();

listen("words", () => tailCache.clear());

function branchTails(question) {
  if (!tailCache.has(question)) tailCache.set(question, makeTails(page.model, question));
  return tailCache.get(question);
}

function makeTails(model, question) {
  const many = model.many[question];
  const lonely = onlyMissing(model, question);
  if (lonely >= 0 && many === 2) {
    return [0, 1].map((branch) => say(branch === lonely ? "is_missing" : "is_known"));
  }
  if (model.tables[question] === null) {
    const cut = thresholdWords(model.doc.nodes.threshold_words[question], model.threshold[question]);
    return ["≤ " + cut, "> " + cut, say("is_missing")].slice(0, many);
  }
  const names = model.columns[model.column[question]].categories;
  return branchCodes(model, question).map((codes, branch) => {
    if (branch === lonely) return say("is_missing");
    return codes.length === 1 ? "= " + names[codes[0]] : "∈ " + setWords(codes.map((code) => names[code]));
  });
}

function thresholdWords(words, threshold) {
  return words === null || words === undefined ? numberWords(threshold) : shownCategory(words);
}

function setWords(words) {
  const shown = words.slice(0, CATEGORIES_SHOWN);
  if (words.length > CATEGORIES_SHOWN) shown.push("… " + say("more", { n: words.length - CATEGORIES_SHOWN }));
  return "{" + shown.join(", ") + "}";
}

/** What leads to a node from its parent, without the column: "= sunny"; the root has none. */
function branchLabel(view, node) {
  const parent = view.parent[node];
  return parent < 0 ? "" : branchTails(view.split[parent])[branchTo(view, node)];
}

/** The same for the drawing, where a number of many digits is cut short; the panel has all of them. */
function edgeLabel(view, node) {
  const label = branchLabel(view, node);
  if (label.length < 12) return label;
  const question = view.split[view.parent[node]];
  const { model } = view;
  if (model.tables[question] !== null || model.columns[model.column[question]].kind !== "number") return label;
  const cut = model.threshold[question];
  return Number.isFinite(cut) && branchTo(view, node) < 2 ? label.slice(0, 2) + figure(cut, 5) : label;
}

/** The same with the column: "outlook = sunny". */
function branchWords(view, node) {
  const parent = view.parent[node];
  return parent < 0 ? say("root") : questionName(view, parent) + " " + branchLabel(view, node);
}

/** The name of the column that a node asks for; "" at a leaf. */
function questionName(view, node) {
  const question = view.split[node];
  return question < 0 ? "" : page.model.columns[page.model.column[question]].shown;
}

/** The way to a node, steps about the same column drawn together where the last one says it all. */
function wayWords(view, node) {
  const steps = wayTo(view, node)
    .slice(1)
    .map((one) => branchWords(view, one));
  return steps.length ? steps.join(say("and")) : say("root");
}

/** What a node answers: its class, or its number. */
function answerWords(view, node) {
  const { model } = view;
  return model.isNumber ? figure(valueOf(view, node)[0], 4) : model.classes[answerOf(view, node)];
}

/** The share of the class a node answers with; null for a regression. */
function answerShare(view, node) {
  return view.model.isNumber ? null : valueOf(view, node)[answerOf(view, node)];
}

/** How a node is called: by its number in the tree that answers, or in the grown tree where it is not in that one. */
function nodeName(node) {
  const number = ownView().depth[node] >= 0 ? ownView().number[node] : -1;
  return number >= 0 ? say("node_number", { n: number }) : say("node_grown", { n: node });
}

/** What to type in Python to ask this node something. */
function pythonCall(method, node) {
  const number = ownView().depth[node] >= 0 ? ownView().number[node] : -1;
  return number >= 0 ? `est.${method}(${number})` : `est.${method}(${node}, grown=True)`;
}

/** A node in one sentence, for screen readers and titles. */
function nodeSentence(view, node) {
  const parts = [nodeName(node), branchWords(view, node)];
  if (!isLeaf(view, node)) parts.push(say("asks", { column: questionName(view, node) }));
  const share = answerShare(view, node);
  parts.push(answerWords(view, node) + (share === null ? "" : " " + percent(share)));
  parts.push(sayCount("rows", weightOf(view, node)));
  return parts.join(", ");
}

/** A method of pruning by its name in the language chosen. */
function viewName(key, method) {
  if (key === "alpha") return say("view_alpha");
  const known = say("view_" + key);
  if (known !== "view_" + key) return key === "own" && method ? known + " (" + methodName(method) + ")" : known;
  return methodName(method || key);
}

function methodName(method) {
  if (method.includes("+")) return method.split("+").map(methodName).join(" + ");
  const known = say("method_" + method);
  return known === "method_" + method ? shownText(method).replace(/_/g, " ") : known;
}
