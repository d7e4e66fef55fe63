"use strict";
// Gestures: pointer, wheel and fingers on the tree. In: events. Out: moves of the camera; a node chosen, opened or
// closed.

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

/** Where an event is on the stage. */
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
  cancelAnimationFrame(flight);
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

/** The mean of the pointers that are down, and how far two of them are apart. */
function middleOf() {
  const all = [...gesture.pointers.values()];
  return [0, 1].map((i) => all.reduce((sum, one) => sum + one[i], 0) / all.length);
}

function fingersApart() {
  if (gesture.pointers.size < 2) return 0;
  const [a, b] = [...gesture.pointers.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** The node under an event, -1 where there is none; far, the nearest one within a few pixels. */
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
    const [begin, width, length] = farSize(node);
    const db = Math.max(0, Math.abs(breadth - layout.breadth[node]) - width / 2) / reachB;
    const dd = Math.max(0, begin - depth, depth - begin - length) / reachD;
    const distance = Math.hypot(db, dd);
    if (distance < nearest || (distance === 0 && nearest === 0)) [best, nearest] = [node, distance];
  }
  return best;
}

let hoverTimer = 0;

/** What is under the pointer for a moment is shown in the panel until the pointer leaves it. */
function hover(node) {
  if (node === page.hovered) return;
  clearTimeout(hoverTimer);
  hoverTimer = setTimeout(
    () => {
      if (page.hovered === node) return;
      page.hovered = node;
      tell("hover");
    },
    node < 0 ? 60 : 140,
  );
}

function selectNode(node) {
  page.selected = node;
  clearTimeout(hoverTimer);
  page.hovered = -1;
  tell("hover");
  tell("select");
}

/** Open or close a node; it stays where it is on the screen. */
function toggleNode(node) {
  if (isLeaf(page.view, node)) return;
  page.open[node] = page.open[node] ? 0 : 1;
  changeTree(node);
}

/** Lay the tree out anew; the anchor stays where it is on the screen. */
function changeTree(anchor) {
  const before = layout.shown && layout.shown[anchor] ? toScreen(...boxMiddle(anchor)) : null;
  tell("tree");
  if (before === null || !layout.shown[anchor]) return;
  const [x, y] = toScreen(...boxMiddle(anchor));
  panBy(before[0] - x, before[1] - y);
}

/** Open all nodes above, so that this one is drawn. */
function reveal(node) {
  if (layout.shown[node]) return;
  for (let i = page.view.parent[node]; i >= 0; i = page.view.parent[i]) page.open[i] = 1;
  changeTree(0);
}

/** Open every node above a depth and close the others. */
function openToDepth(depth) {
  const { view } = page;
  for (const node of view.order) page.open[node] = view.depth[node] < depth ? 1 : 0;
  tell("tree");
}
