"use strict";
// Interaction: pointer, wheel, touch and keyboard. They move the camera, and select, expand and collapse nodes.

/** A pointer that moved less than this, in pixels, has clicked. */
const STILL = 5;

const gesture = { pointers: new Map(), moved: false, start: null, spread: 0 };

function watchGestures() {
  const { svg } = stage;
  svg.addEventListener("wheel", onWheel, { passive: false });
  svg.addEventListener("pointerdown", onDown);
  svg.addEventListener("pointermove", onMove);
  svg.addEventListener("pointerup", onUp);
  svg.addEventListener("pointercancel", onUp);
  svg.addEventListener("pointerleave", () => hover(-1));
  svg.addEventListener("dblclick", onDouble);
}

/** The position of an event on the stage. */
function placeOf(event) {
  const box = stage.svg.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function onWheel(event) {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 0.05 : event.deltaMode === 2 ? 0.5 : 0.0018;
  const factor = Math.exp(-event.deltaY * unit * (event.ctrlKey ? 4 : 1));
  if (event.shiftKey && !event.ctrlKey) panBy(-(event.deltaX || event.deltaY), 0);
  else zoomAt(...placeOf(event), Math.min(2, Math.max(0.5, factor)));
}

function onDown(event) {
  if (event.button !== 0) return;
  cancelAnimationFrame(animation);
  gesture.pointers.set(event.pointerId, placeOf(event));
  gesture.moved = gesture.pointers.size > 1;
  gesture.start = placeOf(event);
  gesture.spread = fingersApart();
}

function onMove(event) {
  const before = gesture.pointers.get(event.pointerId);
  if (!before) {
    if (event.pointerType === "mouse") hover(nodeAtEvent(event));
    return;
  }
  const now = placeOf(event);
  if (!gesture.moved) {
    if (Math.hypot(now[0] - gesture.start[0], now[1] - gesture.start[1]) < STILL) return;
    gesture.moved = true;
    stage.svg.setPointerCapture(event.pointerId);
    stage.svg.classList.add("dragging");
    hover(-1);
  }
  const middleBefore = middleOf();
  gesture.pointers.set(event.pointerId, now);
  const middle = middleOf();
  panBy(middle[0] - middleBefore[0], middle[1] - middleBefore[1]);
  const spread = fingersApart();
  if (spread > 0 && gesture.spread > 0) zoomAt(...middle, spread / gesture.spread);
  gesture.spread = spread;
}

function onUp(event) {
  const began = gesture.pointers.delete(event.pointerId);
  gesture.spread = fingersApart();
  stage.svg.classList.remove("dragging");
  if (!began || gesture.moved || event.type === "pointercancel") return;
  const knobHit = event.target instanceof Element ? event.target.closest("[data-knob]") : null;
  if (knobHit) {
    toggleNode(Number(knobHit.getAttribute("data-knob")));
    return;
  }
  const node = nodeAtEvent(event);
  if (node >= 0) {
    selectNode(node);
    openPanel("node");
  }
}

function onDouble(event) {
  if (event.target instanceof Element && event.target.closest("[data-knob]")) return;
  const node = nodeAtEvent(event);
  if (node >= 0 && camera.k >= NEAR) toggleNode(node);
  else zoomAt(...placeOf(event), 1.8);
}

/** The mean position of the pointers that are down. */
function middleOf() {
  const all = [...gesture.pointers.values()];
  return [0, 1].map((i) => all.reduce((sum, one) => sum + one[i], 0) / all.length);
}

function fingersApart() {
  if (gesture.pointers.size < 2) return 0;
  const [a, b] = [...gesture.pointers.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** The node under an event, -1 if there is none; in the overview the nearest one within a few pixels. */
function nodeAtEvent(event) {
  const box = event.target instanceof Element ? event.target.closest("[data-node]") : null;
  if (box) return Number(box.getAttribute("data-node"));
  if (camera.k >= NEAR) return -1;
  const [x, y] = placeOf(event);
  const [across, along] = page.direction === "down" ? [x, y] : [y, x];
  const kd = depthScale(camera.k);
  const breadth = (across - camera.across) / camera.k;
  const depth = (along - camera.along) / kd;
  const reachB = 6 / camera.k;
  const reachD = 6 / kd;
  let best = -1;
  let nearest = 1;
  for (const node of nodesWithin([breadth - reachB, depth - reachD, breadth + reachB, depth + reachD])) {
    const [begin, width, length] = overviewSize(node);
    const db = Math.max(0, Math.abs(breadth - layout.breadth[node]) - width / 2) / reachB;
    const dd = Math.max(0, begin - depth, depth - begin - length) / reachD;
    const distance = Math.hypot(db, dd);
    if (distance < nearest || (distance === 0 && nearest === 0)) [best, nearest] = [node, distance];
  }
  return best;
}

let hoverTimer = 0;

/** A node under the pointer is shown in the panel until the pointer leaves it. */
function hover(node) {
  if (node === page.hovered) return;
  clearTimeout(hoverTimer);
  hoverTimer = setTimeout(
    () => {
      if (page.hovered === node) return;
      page.hovered = node;
      emit("hover");
    },
    node < 0 ? 60 : 140,
  );
}

function selectNode(node) {
  page.selected = node;
  clearTimeout(hoverTimer);
  page.hovered = -1;
  emit("hover");
  emit("select");
}

/** Expand or collapse a node; it keeps its position on the screen. */
function toggleNode(node) {
  if (isLeaf(page.view, node)) return;
  page.open[node] = page.open[node] ? 0 : 1;
  changeTree(node);
}

/** Compute the layout again; the anchor keeps its position on the screen. */
function changeTree(anchor) {
  const before = layout.shown && layout.shown[anchor] ? toScreen(...boxMiddle(anchor)) : null;
  emit("tree");
  if (before === null || !layout.shown[anchor]) return;
  const [x, y] = toScreen(...boxMiddle(anchor));
  panBy(before[0] - x, before[1] - y);
}

/** Expand all ancestors, so that this node is drawn. */
function reveal(node) {
  if (layout.shown[node]) return;
  for (let i = page.view.parent[node]; i >= 0; i = page.view.parent[i]) page.open[i] = 1;
  changeTree(0);
}

/** Expand every node above a depth and collapse the others. */
function openToDepth(depth) {
  const { view } = page;
  for (const node of view.order) page.open[node] = view.depth[node] < depth ? 1 : 0;
  emit("tree");
}

/** The child visited last from each node, so that going up and down again returns to it. */
const lastChild = new Map();

function watchKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const typing = target.closest("input, select, textarea");
    if (typing) {
      if (event.key === "Escape") stage.svg.focus();
      return;
    }
    const onControl = target.closest("button, summary, a");
    const action = (onControl ? null : MOVES[event.key]) || ACTIONS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  listen("select", () => {
    const { view, selected } = page;
    if (selected !== 0 && view.depth[selected] >= 0) lastChild.set(view.parent[selected], selected);
  });
}

/** The meaning of an arrow key depends on the direction of the tree. */
function arrow(key) {
  const down = page.direction === "down";
  const along = { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "before", ArrowRight: "after" };
  const across = { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "before", ArrowDown: "after" };
  step((down ? along : across)[key]);
}

function step(where) {
  const { view, selected } = page;
  const parent = view.parent[selected];
  if (where === "parent") go(parent);
  else if (where === "child") stepDown();
  else {
    const siblings = parent < 0 ? [selected] : childrenOf(view, parent);
    const next = siblings[siblings.indexOf(selected) + (where === "before" ? -1 : 1)];
    go(next === undefined ? cousin(where) : next);
  }
}

/** The next node of the same depth with another parent, -1 if there is none. */
function cousin(where) {
  const { view, selected } = page;
  const level = layout.nodes.filter((node) => view.depth[node] === view.depth[selected]);
  const next = level[level.indexOf(selected) + (where === "before" ? -1 : 1)];
  return next === undefined ? -1 : next;
}

function stepDown() {
  const { view, selected } = page;
  const children = childrenOf(view, selected);
  if (!children.length) return;
  if (!page.open[selected]) toggleNode(selected);
  const last = lastChild.get(selected);
  go(children.includes(last) ? last : children[0]);
}

function go(node) {
  if (node === undefined || node < 0) return;
  reveal(node);
  selectNode(node);
  showNode(node);
  openPanel("node");
  frame.live.textContent = nodeSentence(page.view, node);
}

const MOVES = {
  ArrowUp: () => arrow("ArrowUp"),
  ArrowDown: () => arrow("ArrowDown"),
  ArrowLeft: () => arrow("ArrowLeft"),
  ArrowRight: () => arrow("ArrowRight"),
  Enter: () => toggleNode(page.selected),
  " ": () => toggleNode(page.selected),
  Home: () => go(0),
};

const ACTIONS = {
  "+": () => zoomMiddle(1.4),
  "=": () => zoomMiddle(1.4),
  "-": () => zoomMiddle(1 / 1.4),
  "−": () => zoomMiddle(1 / 1.4),
  f: () => fitAll(),
  e: () => openAll(),
  h: () => toggleCharts(),
  "/": () => searching.field.focus(),
  n: () => goToHit(1),
  N: () => goToHit(-1),
  c: () => openPanel("case", true),
  p: () => openPanel("pruning", true),
  x: () => showExport(),
  d: () => switchTheme(),
  "?": () => showHelp(),
  "？": () => showHelp(),
  Escape: () => stage.svg.focus(),
};
