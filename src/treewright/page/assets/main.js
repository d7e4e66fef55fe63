"use strict";
// Main: the page begins. In: the JSON block. Out: the page, and `window.treewright` for people at the console.

/** Nodes that are open at the start, about. */
const FIRST_NODES = 45;

function start() {
  const root = document.getElementById("treewright");
  const given = JSON.parse(document.getElementById("treewright-data").textContent);
  page.model = readModel(given);
  const preferred = given.language || (navigator.language || "en").toLowerCase().split("-")[0];
  page.language = preferred === "zh" ? "zh" : "en";
  document.documentElement.lang = page.language === "zh" ? "zh-CN" : "en";
  page.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.setAttribute("data-theme", page.theme);
  page.view = ownView();
  page.open = new Uint8Array(page.model.n);
  openAtStart(page.view);
  makeFrame(root);
  watchGestures();
  watchKeys();
  watchPrint(root);
  tell("tree");
  tell("view");
  tell("select");
  moveCamera(firstCamera());
}

/** As many levels as can be taken in at once. */
function openAtStart(view) {
  const levels = new Array(view.height + 1).fill(0);
  for (const node of view.order) levels[view.depth[node]] += 1;
  let depth = 0;
  let shown = 1;
  while (depth < view.height && shown + levels[depth + 1] <= FIRST_NODES) shown += levels[++depth];
  depth = Math.max(depth, 1);
  for (const node of view.order) page.open[node] = view.depth[node] < depth ? 1 : 0;
}

/** The view of this key: "own", "grown" or a method's name. */
function viewByKey(key) {
  const { views, own: first } = page.model.doc;
  if (key === "own") return viewAt(first);
  const place = views.findIndex((one) => one.key === key);
  if (place >= 0) return viewAt(place);
  if (key === "grown") return grownView();
  throw new RangeError(`There is no view ${key}; there are ${views.map((one) => one.key).join(", ")}.`);
}

/**
 * Where a case goes: `values` in the order of the columns, or by their names; null is missing. The nodes have the
 * numbers of the grown tree, `numbers` those of the tree shown.
 */
function pathOf(values) {
  const { view, model } = page;
  const codes = encodeCase(model, values);
  const steps = send(view, (column) => codes[column]);
  const refused = steps.find(({ end }) => end === "refused");
  if (refused) throw new RangeError(say("case_refused", { column: model.columns[refused.column].shown }));
  const { value, answer } = answerTo(view, steps);
  return {
    nodes: steps.map(({ node, weight }) => [node, weight]),
    numbers: steps.map(({ node, weight }) => [view.number[node], weight]),
    ends: endsOf(steps).map(({ node, weight }) => [node, weight]),
    value,
    answer: model.isNumber ? answer : model.doc.target.classes[answer],
  };
}

start();

window.treewright = Object.freeze({
  document: page.model.doc,
  view: () => (page.alpha < 0 ? page.view.key : page.alpha),
  setView: (key) => showView(viewByKey(key)),
  setAlpha: (i) => setAlpha(i),
  select: (node) => go(node),
  search: (text) => {
    searching.field.value = text;
    search(text);
    return page.hits.slice();
  },
  open: (depth) => openToDepth(depth),
  fit: () => moveCamera(fitCamera()),
  zoom: (factor) => zoomMiddle(factor),
  pan: (dx, dy) => panBy(dx, dy),
  path: pathOf,
  shown: () => ({
    nodes: layout.nodes.length,
    drawn: scene.drawn.size,
    scale: camera.k,
    selected: page.selected,
    leaves: page.view.leaves,
  }),
});
