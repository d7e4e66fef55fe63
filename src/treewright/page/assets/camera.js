"use strict";
// Camera: from the plane of the layout to the screen. In: wheel, buttons, fits. Out: scale and shift.
//
// Breadth is scaled by `k`. Depth is scaled alike while boxes can be read; farther out it shrinks no more than
// needed to see all levels, so that a tree of ten thousand leaves is a shape and not a line.

const camera = { k: 1, across: 0, along: 0 };

/** The part of the window the tree is drawn in. */
const stage = { width: 800, height: 600, element: null, svg: null, measured: false };

/** From this scale on, boxes are drawn with their words. */
const NEAR = 0.45;
const LARGEST = 2.5;
const EDGE = 28;

/** The scale of the depth that goes with a scale of the breadth. */
function depthScale(k) {
  if (k >= NEAR) return k;
  const room = page.direction === "down" ? stage.height : stage.width;
  return Math.max(k, Math.min(NEAR, (room - 2 * EDGE) / (layout.extent[3] - layout.extent[1])));
}

/** Where a place of the layout is on the screen. */
function toScreen(breadth, depth) {
  const across = breadth * camera.k + camera.across;
  const along = depth * depthScale(camera.k) + camera.along;
  return page.direction === "down" ? [across, along] : [along, across];
}

/** The middle of a node's box in the layout's plane, as [breadth, depth]. */
function boxMiddle(node) {
  const half = page.direction === "down" ? BOX.label + BOX.height / 2 : layout.width[node] / 2;
  return [layout.breadth[node], layout.depth[node] + half];
}

/** Scale by a factor so that the place under the pointer stays there. */
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

/** The room for the tree, along the breadth and in depth. */
function stageRoom() {
  const { width, height } = stage;
  const room = page.direction === "down" ? [width, height] : [height, width];
  return room.map((one) => Math.max(60, one));
}

/** The scale at which all that is open can be seen; never larger than life. */
function fitScale() {
  const [low, start, high, end] = layout.extent;
  const [breadth, depth] = stageRoom();
  return Math.min(1, (breadth - 2 * EDGE) / (high - low), (depth - 2 * EDGE) / (end - BOX.level - start));
}

function smallestScale() {
  return Math.min(NEAR, fitScale() / 2);
}

/** The camera that shows all that is open. */
function fitCamera() {
  const [low, start, high, end] = layout.extent;
  const [breadth, depth] = stageRoom();
  const k = fitScale();
  const used = depthScale(k) * (end - BOX.level - start);
  return {
    k,
    across: breadth / 2 - ((low + high) / 2) * k,
    along: Math.max(EDGE - BOX.label * depthScale(k), Math.min((depth - used) / 2, depth / 5)),
  };
}

/** The camera at the start: all of a small tree, else the root at the top, large enough to be read. */
function firstCamera() {
  const fit = fitCamera();
  if (fit.k >= 0.6) return fit;
  return cameraAt(0, 0.8, 0.08);
}

/** The camera that has a node in the middle of the breadth, and at a part of the depth. */
function cameraAt(node, k, part = 0.4) {
  const [breadth, depth] = stageRoom();
  const [across, along] = boxMiddle(node);
  const half = page.direction === "down" ? (BOX.height / 2) * k : (layout.width[node] / 2) * k;
  return { k, across: breadth / 2 - across * k, along: Math.max(half + 16, depth * part) - along * depthScale(k) };
}

let flight = 0;

/** Go to a camera, gliding unless people prefer no motion. */
function flyTo(goal) {
  cancelAnimationFrame(flight);
  const start = { ...camera };
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    moveCamera(goal);
    return;
  }
  const began = performance.now();
  const frame = (now) => {
    const part = Math.min(1, Math.max(0, (now - began) / 220));
    const eased = part * (2 - part);
    // Scales are mixed by their logarithms, so that the flight looks even.
    const k = start.k * Math.pow(goal.k / start.k, eased);
    const along = start.k === goal.k ? eased : (k - start.k) / (goal.k - start.k);
    const mixed = Number.isFinite(along) ? along : eased;
    moveCamera({
      k,
      across: start.across + (goal.across - start.across) * mixed,
      along: start.along + (goal.along - start.along) * mixed,
    });
    if (part < 1) flight = requestAnimationFrame(frame);
  };
  flight = requestAnimationFrame(frame);
}

function moveCamera(next) {
  Object.assign(camera, next);
  tell("camera");
}

/** Bring a node into sight where it is not, at a scale at which it can be read. */
function showNode(node, always = false) {
  const [x, y] = toScreen(...boxMiddle(node));
  const side = 90;
  const inSight = x > side && x < stage.width - side && y > 50 && y < stage.height - 50;
  if (!inSight || camera.k < NEAR || always) flyTo(cameraAt(node, Math.max(camera.k, 0.85)));
}
