"use strict";
// State: what the page shows now, events when it changes, and translated texts. `page` holds the state, `listen`
// and `emit` handle events. Events: view, tree (nodes expanded or collapsed), camera, select, hover, lit, hits,
// charts, language, theme.

/**
 * model     the document
 * view      the pruned tree that is shown
 * alpha     index on the cost-complexity path, -1 if the view of a method is shown
 * open      for each node whether its children are drawn
 * selected  the node shown in the panel
 * hovered   the node under the pointer, -1 for none
 * lit       null, or the weight of the case at each node it reaches
 * hits      nodes found by the search, in the order of the tree; hit: index of the current one
 * charts    whether boxes have small charts
 * messages  the texts of the page by language and key
 */
const page = {
  model: null,
  view: null,
  alpha: -1,
  open: null,
  selected: 0,
  hovered: -1,
  lit: null,
  charts: false,
  messages: {},
  hits: [],
  hitSet: new Set(),
  hit: -1,
  language: "en",
  theme: "light",
  direction: "down",
};

const listeners = new Map();

function listen(topics, listener) {
  for (const topic of topics.split(" ")) {
    if (!listeners.has(topic)) listeners.set(topic, []);
    listeners.get(topic).push(listener);
  }
}

function emit(topic, detail) {
  for (const listener of listeners.get(topic) || []) listener(detail);
}

/** A text of the page in the current language; `{name}` is replaced by values[name]. */
function t(key, values) {
  const text = message(key) ?? key;
  return values ? text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? "")) : text;
}

/** The same for a count: the key ends in `_one` if there is a form for one. */
function tCount(key, count, values) {
  const form = count === 1 && message(key + "_one") !== undefined ? key + "_one" : key;
  return t(form, { n: formatCount(count), ...values });
}

/** The same as a list of children in which the values may be elements. */
function tParts(key, values) {
  return (message(key) ?? key).split(/\{(\w+)\}/).map((part, i) => (i % 2 ? values[part] : part));
}

function message(key) {
  return (page.messages[page.language] || {})[key] ?? page.messages.en[key];
}

/** A text that the document has in every language. */
function inLanguage(texts) {
  return texts[page.language] ?? texts.en;
}

/** The path of the case while its tab is open, otherwise null: other tabs show the whole tree. */
function shownCase() {
  return frame.shown === "case" ? page.lit : null;
}

/** Show another pruned tree. */
function showView(view, alpha = -1) {
  page.view = view;
  page.alpha = alpha;
  // If the selected node was pruned away, select its nearest ancestor that is left.
  while (view.depth[page.selected] < 0) page.selected = Math.max(0, parentGrown(page.selected));
  emit("view");
  emit("tree");
  emit("select");
}

/** The parent in the unpruned tree. */
function parentGrown(node) {
  return grownView().parent[node];
}

const viewCache = new Map();

/** The view at an index of the document's list. */
function viewAt(i) {
  const { model } = page;
  const given = model.doc.views[i];
  if (!viewCache.has(i))
    viewCache.set(
      i,
      makeView(model, given.key, splitsOf(model, given.changes), given.stats || null, given.gone || []),
    );
  return viewCache.get(i);
}

function ownView() {
  return viewAt(page.model.doc.own);
}

/** The unpruned tree, even if the document lists no such view. */
function grownView() {
  const { model } = page;
  if (!viewCache.has("grown")) viewCache.set("grown", makeView(model, "grown", splitsOf(model, [])));
  return viewCache.get("grown");
}

function alphaView(i) {
  const { model } = page;
  return makeView(model, "alpha", splitsAt(model, model.doc.path.alphas[i]));
}
