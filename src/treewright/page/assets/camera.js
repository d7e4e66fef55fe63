"use strict";
// Camera: maps the coordinates of the layout to the screen, and handles zooming, moving and fitting.
//
// Breadth is scaled by `k`. Depth has the same scale as long as boxes can be read; farther out it shrinks no more
// than needed to show all levels, so that a tree of ten thousand leaves is not drawn as a flat line.

const camera = { k: 1, across: 0, along: 0 };

/** The part of the window in which the tree is drawn; `legend` is the height that the legend covers at its bottom. */
const stage = { width: 800, height: 600, legend: 0, margin: 28, element: null, svg: null, measured: false };

/** From this scale on, boxes are drawn with text. */
const NEAR = 0.45;
const LARGEST = 2.5;

/** The smallest scale at the start, at which text can be read. */
const READABLE = 0.6;

/** The scale of the depth for a scale of the breadth. */
function depthScale(k) {
  if (k >= NEAR) return k;
  const [, room] = stageRoom();
  return Math.max(k, Math.min(NEAR, (room - 2 * stage.margin) / (layout.extent[3] - layout.extent[1])));
}

/** The screen position of a point of the layout. */
function toScreen(breadth, depth) {
  const across = breadth * camera.k + camera.across;
  const along = depth * depthScale(camera.k) + camera.along;
  return page.direction === "down" ? [across, along] : [along, across];
}

/** The middle of a node's box in layout coordinates, as [breadth, depth]. */
function boxMiddle(node) {
  const half = page.direction === "down" ? BOX.label + BOX.height / 2 : layout.width[node] / 2;
  return [layout.breadth[node], layout.depth[node] + half];
}

/** Zoom by a factor; the point under the pointer does not move. */
function zoomAt(x, y, factor) {
  const [px, py] = page.direction === "down" ? [x, y] : [y, x];
  const k = Math.min(LARGEST, Math.max(smallestScale(), camera.k * factor));
  const before = depthScale(camera.k);
  const after = depthScale(k);
  moveCamera({
    k,
    across: px - ((px - camera.across) / camera.k) * k,
    along: py - ((py - camera.along) / before) * after,
  });
}

function panBy(dx, dy) {
  const [across, along] = page.direction === "down" ? [dx, dy] : [dy, dx];
  moveCamera({ k: camera.k, across: camera.across + across, along: camera.along + along });
}

/** The size of the window along the breadth and the depth. */
function stageRoom() {
  const { width, height, legend } = stage;
  const room = page.direction === "down" ? [width, height - legend] : [height - legend, width];
  return room.map((one) => Math.max(60, one));
}

/** The scale that shows the whole breadth of the expanded nodes. */
function breadthScale() {
  const [low, , high] = layout.extent;
  return (stageRoom()[0] - 2 * stage.margin) / (high - low);
}

/** The scale that shows all expanded nodes, at most 1. */
function fitScale() {
  const [, start, , end] = layout.extent;
  return Math.min(1, breadthScale(), (stageRoom()[1] - 2 * stage.margin) / (end - BOX.level - start));
}

function smallestScale() {
  return Math.min(NEAR, fitScale() / 2);
}

/** The camera that shows all expanded nodes. */
function fitCamera() {
  const [low, start, high, end] = layout.extent;
  const [breadth, depth] = stageRoom();
  const k = fitScale();
  const used = depthScale(k) * (end - BOX.level - start);
  return {
    k,
    across: breadth / 2 - ((low + high) / 2) * k,
    along: Math.max(stage.margin - BOX.label * depthScale(k), Math.min((depth - used) / 2, depth / 5)),
  };
}

/** The camera at the start: the whole tree if it can be read, otherwise the root at the top at a readable scale. */
function firstCamera() {
  const fit = fitCamera();
  if (fit.k >= READABLE) return fit;
  if (breadthScale() < READABLE) return cameraAt(0, 0.8, 0.08);
  const k = Math.min(0.8, breadthScale());
  const [low, , high] = layout.extent;
  return { ...cameraAt(0, k, 0.08), across: stageRoom()[0] / 2 - ((low + high) / 2) * k };
}

/** The camera with a node in the middle of the breadth and at a fraction of the depth. */
function cameraAt(node, k, part = 0.4) {
  const [breadth, depth] = stageRoom();
  const [across, along] = boxMiddle(node);
  const half = page.direction === "down" ? (BOX.height / 2) * k : (layout.width[node] / 2) * k;
  return { k, across: breadth / 2 - across * k, along: Math.max(half + 16, depth * part) - along * depthScale(k) };
}

let animation = 0;

/** Move the camera, animated unless the user prefers reduced motion. */
function flyTo(goal) {
  cancelAnimationFrame(animation);
  const start = { ...camera };
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    moveCamera(goal);
    return;
  }
  const began = performance.now();
  const frame = (now) => {
    const part = Math.min(1, Math.max(0, (now - began) / 220));
    const eased = part * (2 - part);
    // Interpolating the logarithm of the scale makes the zoom look even.
    const k = start.k * Math.pow(goal.k / start.k, eased);
    const along = start.k === goal.k ? eased : (k - start.k) / (goal.k - start.k);
    const mixed = Number.isFinite(along) ? along : eased;
    moveCamera({
      k,
      across: start.across + (goal.across - start.across) * mixed,
      along: start.along + (goal.along - start.along) * mixed,
    });
    if (part < 1) animation = requestAnimationFrame(frame);
  };
  animation = requestAnimationFrame(frame);
}

function moveCamera(next) {
  Object.assign(camera, next);
  emit("camera");
}

/** Bring a node into view if it is not, at a readable scale. */
function showNode(node, always = false) {
  const [x, y] = toScreen(...boxMiddle(node));
  const side = Math.min(90, stage.width / 4);
  const inSight = x > side && x < stage.width - side && y > 50 && y < stage.height - stage.legend - 40;
  if (!inSight || camera.k < NEAR || always) flyTo(cameraAt(node, Math.max(camera.k, 0.85)));
}
