"use strict";
// State: what is shown at the moment, in one place, and who wants to know of changes. In: nothing. Out: `page`,
// `listen` and `tell`. Topics: view, tree (opened or closed nodes), camera, select, hover, lit, hits, words, theme.

/**
 * model     the document
 * view      the pruned tree on show
 * alpha     the place on the cost-complexity path, -1 when a method's view is shown
 * open      for each node whether its children are drawn
 * selected  the node of the panel
 * hovered   the node under the pointer, -1
 * lit       null, or the weight of the case at each node it comes to
 * hits      nodes that the search found, in the order of the tree; hit: the place of the one visited last
 */
const page = {
  model: null,
  view: null,
  alpha: -1,
  open: null,
  selected: 0,
  hovered: -1,
  lit: null,
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

function tell(topic, detail) {
  for (const listener of listeners.get(topic) || []) listener(detail);
}

const WORDS = { en: WORDS_EN, zh: WORDS_ZH };

/** A sentence of the page in the language chosen; `{name}` is filled in. */
function say(key, values) {
  const text = WORDS[page.language][key] ?? WORDS.en[key] ?? key;
  return values ? text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? "")) : text;
}

/** Words of the document, which has them in every language. */
function inLanguage(words) {
  return words[page.language] ?? words.en;
}

/** The same with a count, which has a form of its own for one. */
function sayCount(key, count, values) {
  const form = count === 1 && WORDS.en[key + "_one"] ? key + "_one" : key;
  return say(form, { n: countWords(count), ...values });
}

/** Show another pruning of the tree. */
function showView(view, alpha = -1) {
  page.view = view;
  page.alpha = alpha;
  // A node that is gone gives the panel to the nearest one above it that is left.
  while (view.depth[page.selected] < 0) page.selected = Math.max(0, parentGrown(page.selected));
  tell("view");
  tell("tree");
  tell("select");
}

/** The parent in the grown tree. */
function parentGrown(node) {
  return grownView().parent[node];
}

const viewCache = new Map();

/** The view of one of the document's prunings, by its place in the list. */
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

/** The tree before pruning, also where the document lists no such view. */
function grownView() {
  const { model } = page;
  if (!viewCache.has("grown")) viewCache.set("grown", makeView(model, "grown", splitsOf(model, [])));
  return viewCache.get("grown");
}

function alphaView(i) {
  const { model } = page;
  return makeView(model, "alpha", splitsAt(model, model.doc.path.alphas[i]));
}
