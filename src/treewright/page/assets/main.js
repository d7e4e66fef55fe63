"use strict";
// Main: reads the JSON block, builds the page, and provides `window.treewright` for use at the browser's console.

/** At most about how many nodes are expanded at the start. */
const FIRST_NODES = 45;

function start() {
  const root = document.getElementById("treewright");
  const given = JSON.parse(document.getElementById("treewright-data").textContent);
  page.model = readModel(given);
  page.messages = given.messages;
  const preferred = given.language || (navigator.language || "en").toLowerCase().split("-")[0];
  page.language = preferred in page.messages ? preferred : "en";
  document.documentElement.lang = languageTag(page.language);
  page.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.setAttribute("data-theme", page.theme);
  page.view = ownView();
  page.open = new Uint8Array(page.model.n);
  makeFrame(root);
  openAtStart();
  watchGestures();
  watchKeys();
  watchPrint(root);
  emit("tree");
  emit("view");
  emit("select");
  moveCamera(firstCamera());
}

/** Expand as many levels as fit side by side in the window at a readable scale, at least one. */
function openAtStart() {
  const { view } = page;
  applyCharts();
  const levels = new Array(view.height + 1).fill(0);
  for (const node of view.order) levels[view.depth[node]] += 1;
  let depth = 0;
  let shown = 1;
  while (depth < view.height && shown + levels[depth + 1] <= FIRST_NODES) shown += levels[++depth];
  for (depth = Math.max(depth, 1); ; depth--) {
    for (const node of view.order) page.open[node] = view.depth[node] < depth ? 1 : 0;
    if (depth === 1) return;
    arrange();
    if (breadthScale() >= READABLE) return;
  }
}

/** The view with this key: "own", "grown" or the name of a method. */
function viewByKey(key) {
  const { views, own: first } = page.model.doc;
  if (key === "own") return viewAt(first);
  const place = views.findIndex((one) => one.key === key);
  if (place >= 0) return viewAt(place);
  if (key === "grown") return grownView();
  throw new RangeError(`Unknown view ${key}; expected one of ${views.map((one) => one.key).join(", ")}.`);
}

/**
 * The path and the prediction of a case: `values` in the order of the columns or by name, null if missing. `nodes`
 * and `ends` have the node numbers of the unpruned tree, `numbers` those of the tree shown.
 */
function pathOf(values) {
  const { view, model } = page;
  const codes = encodeCase(model, values);
  const steps = route(view, (column) => codes[column]);
  const refused = steps.find(({ end }) => end === "refused");
  if (refused) throw new RangeError(t("case_refused", { column: model.columns[refused.column].shown }));
  const { value, prediction } = predict(view, steps);
  const predicted = model.isNumber ? prediction : model.doc.target.classes[prediction];
  return {
    nodes: steps.map(({ node, weight }) => [node, weight]),
    numbers: steps.map(({ node, weight }) => [view.number[node], weight]),
    ends: endSteps(steps).map(({ node, weight }) => [node, weight]),
    value,
    prediction: predicted,
    answer: predicted, // the old name
  };
}

start();

window.treewright = Object.freeze({
  document: page.model.doc,
  view: () => (page.alpha < 0 ? page.view.key : page.alpha),
  setView: (key) => chooseView(viewByKey(key)),
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
