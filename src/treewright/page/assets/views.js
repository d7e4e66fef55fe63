"use strict";
// Views: the grown tree as a pruning leaves it. In: the model and which nodes are leaves, or ask what another asks.
// Out: for each node whose question it has (`split`), its parent, depth, children and number, and what it holds.

const NO_CHILDREN = [];

/** Whose question is asked at each node: its own, that of a raised branch, or none (-1). */
function splitsOf(model, changes) {
  const split = new Int32Array(model.n);
  for (let i = 0; i < model.n; i++) split[i] = model.many[i] > 0 ? i : -1;
  for (const [node, question] of changes) split[node] = question;
  return split;
}

/** The same at an alpha of the cost-complexity path. */
function splitsAt(model, alpha) {
  const split = new Int32Array(model.n);
  const nodeAlpha = model.doc.path.node_alpha;
  const least = alpha * (1 + 1e-12);
  for (let i = 0; i < model.n; i++) split[i] = model.many[i] > 0 && !(nodeAlpha[i] <= least) ? i : -1;
  return split;
}

/**
 * contents  by node, what differs from the grown tree: rows and shares after a branch was raised
 * gone      leaves that no row can come to, taken out
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
  // A tree that nothing was taken from keeps its numbers, in whatever order it has them.
  if (view.order.length === n) for (let i = 0; i < n; i++) view.number[i] = i;
  return view;
}

function childrenAt(view, node) {
  const { model, split, gone } = view;
  const question = split[node];
  if (question < 0) return NO_CHILDREN;
  const children = [];
  for (let b = 0; b < model.many[question]; b++) {
    if (!gone.has(model.first[question] + b)) children.push(model.first[question] + b);
  }
  return children;
}

function isLeaf(view, node) {
  return view.split[node] < 0;
}

function childrenOf(view, node) {
  return view.kids[node] || NO_CHILDREN;
}

/** Which branch of its parent's question leads to a node. */
function branchTo(view, node) {
  return node - view.model.first[view.split[view.parent[node]]];
}

/** What a node holds in this view, where that is not what it holds in the grown tree. */
function contentsOf(view, node) {
  return view.contents === null ? undefined : view.contents[node];
}

function held(view, node, name) {
  const other = contentsOf(view, node);
  return other !== undefined && other[name] !== undefined ? other[name] : view.model.doc.nodes[name][node];
}

function weightOf(view, node) {
  return held(view, node, "weight");
}

function statsOf(view, node) {
  return held(view, node, "stats");
}

/** The probabilities of the classes, or the number: where nothing else is said, the classes' shares of the weight. */
function valueOf(view, node) {
  const other = contentsOf(view, node);
  if (other === undefined || (other.value === undefined && other.stats === undefined))
    return view.model.values[node];
  if (other.value === undefined) other.value = other.stats.map((weight) => weight / other.weight);
  return other.value;
}

/** The share of its parent's rows that a node takes. */
function shareOf(view, node) {
  return held(view, node, "share");
}

/** A branch by its name: the heaviest, that of missing values, that of categories not met at the node. */
function namedBranch(view, node, name) {
  const other = contentsOf(view, node);
  return other !== undefined && other[name] !== undefined
    ? other[name]
    : view.model.doc.nodes[name][view.split[node]];
}

/** The branch that a known value takes at a node. */
function branchOf(view, node, value) {
  const { model } = view;
  const question = view.split[node];
  const table = model.tables[question];
  if (table === null) return value <= model.threshold[question] ? 0 : 1;
  const branch = tableBranch(table, value, -1);
  return branch < 0 || view.gone.has(model.first[question] + branch) ? namedBranch(view, node, "other") : branch;
}

/** The class a node answers with, by its code; for a regression 0. */
function answerOf(view, node) {
  return view.model.isNumber ? 0 : decided(view.model, valueOf(view, node), false);
}

/** From the root to the node, both included. */
function wayTo(view, node) {
  const way = [];
  for (let i = node; i >= 0; i = view.parent[i]) way.push(i);
  return way.reverse();
}

/** All nodes of the view below a node, and itself, each before its children, in the order of the branches. */
function* preorder(view, start = 0) {
  const waiting = [start];
  while (waiting.length) {
    const node = waiting.pop();
    yield node;
    const children = childrenOf(view, node);
    for (let b = children.length - 1; b >= 0; b--) waiting.push(children[b]);
  }
}
