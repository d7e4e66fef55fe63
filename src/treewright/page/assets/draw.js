"use strict";
// Draw: the tree on the stage, only what can be seen. In: layout, camera, state. Out: one SVG, drawn at most once a
// frame.
//
// Near, each box is a group of shapes and words that is made when it comes into sight and kept until it leaves. Far,
// there are only a few paths: edges, and boxes by colour. A move of the camera moves what is drawn; it is drawn anew
// when the scale changes or when it comes to the rim of what was drawn.

const scene = {
  world: null,
  edges: null,
  litEdges: null,
  boxes: null,
  far: null,
  drawn: new Map(),
  // What the last drawing covered, in the layout's plane; null: nothing is drawn.
  covered: null,
  scheduled: 0,
};

/** For how long a drawing from afar is stretched before it is drawn anew, in milliseconds. */
const STRETCHED = 45;

/** How far beyond the window is drawn, in parts of it, so that small moves need no new drawing. */
const MARGIN = 0.35;

/** Widths of edges, by the share of the root's weight that goes through them. */
const EDGE_WIDTHS = [1, 1.5, 2.5, 4, 6, 9];

function makeScene(container) {
  scene.edges = EDGE_WIDTHS.map((width) => draw("path", { class: "edge", "stroke-width": width }));
  scene.litEdges = draw("g", { class: "lit-edges" });
  scene.boxes = draw("g", { class: "boxes" });
  scene.far = draw("g", { class: "far" });
  scene.world = draw("g", { class: "world" }, scene.edges, scene.litEdges, scene.boxes, scene.far);
  stage.svg = draw("svg", { class: "tree", role: "tree", tabindex: 0, "aria-label": say("tree") }, scene.world);
  stage.element = container;
  container.append(stage.svg);
  new ResizeObserver(measureStage).observe(container);
  listen("view words theme", forgetBoxes);
  listen("tree", () => {
    arrange();
    forgetBoxes();
  });
  listen("select hover lit hits", redraw);
  listen("camera", cameraMoved);
  measureStage();
}

function measureStage() {
  const { clientWidth, clientHeight } = stage.element;
  if (!clientWidth || !clientHeight || (clientWidth === stage.width && clientHeight === stage.height)) return;
  const old = { ...stage };
  stage.width = clientWidth;
  stage.height = clientHeight;
  stage.svg.setAttribute("viewBox", `0 0 ${clientWidth} ${clientHeight}`);
  if (layout.nodes.length && stage.measured) {
    // The middle of the window stays where it is.
    panBy((stage.width - old.width) / 2, 0);
  }
  stage.measured = true;
  redraw();
}

function forgetBoxes() {
  scene.drawn.clear();
  scene.boxes.replaceChildren();
  redraw();
}

/** Draw anew, once, before the next frame. */
function redraw() {
  scene.covered = null;
  schedule();
}

function schedule() {
  if (!scene.scheduled) scene.scheduled = requestAnimationFrame(drawNow);
}

function cameraMoved() {
  schedule();
}

function drawNow() {
  cancelAnimationFrame(scene.scheduled);
  scene.scheduled = 0;
  if (!layout.nodes.length) return;
  const far = camera.k < NEAR;
  stage.svg.classList.toggle("lying", page.direction === "right");
  if (!isCovered(far)) {
    const window = visiblePlane(MARGIN);
    if (far) drawFar(window);
    else drawNear(window);
    scene.covered = { far, k: camera.k, direction: page.direction, window, time: performance.now() };
  }
  place(far);
}

/** Whether what is to be seen now is drawn already. */
function isCovered(far) {
  const { covered } = scene;
  if (covered === null || covered.far !== far || covered.direction !== page.direction) return false;
  if (far && covered.k !== camera.k) {
    // While the scale goes on changing, the last drawing is stretched for a few frames; soon it is drawn anew.
    if (performance.now() - covered.time > STRETCHED) return false;
    schedule();
  }
  // Near, a drawing for another scale can be kept as long as it covers the window and is not much too large.
  if (!far && (camera.k > covered.k * 2 || camera.k < covered.k / 1.6)) return false;
  // Where there is no tree, nothing has to be drawn.
  const [low, start, high, end] = visiblePlane(0);
  const drawn = covered.window;
  const all = layout.extent;
  return (
    Math.max(low, all[0]) >= drawn[0] &&
    Math.max(start, all[1]) >= drawn[1] &&
    Math.min(high, all[2]) <= drawn[2] &&
    Math.min(end, all[3]) <= drawn[3]
  );
}

/** The part of the layout's plane in the window: [low, start, high, end], with a margin in parts of the window. */
function visiblePlane(margin) {
  const [breadth, depth] = stageRoom();
  const kd = depthScale(camera.k);
  return [
    (-margin * breadth - camera.across) / camera.k,
    (-margin * depth - camera.along) / kd,
    ((1 + margin) * breadth - camera.across) / camera.k,
    ((1 + margin) * depth - camera.along) / kd,
  ];
}

/** Near, the plane is scaled; far, paths are in units of the screen, shifted and, between two drawings, stretched. */
function place(far) {
  const down = page.direction === "down";
  const [x, y] = down ? [camera.across, camera.along] : [camera.along, camera.across];
  const across = camera.k / scene.covered.k;
  const along = depthScale(camera.k) / depthScale(scene.covered.k);
  const stretch = down ? `${across} ${along}` : `${along} ${across}`;
  const scale = far ? (across === 1 ? "" : ` scale(${stretch})`) : ` scale(${camera.k})`;
  scene.world.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})${scale}`);
}

/** Every open node whose place touches the window, parents of those included; each before its children. */
function nodesWithin([low, start, high, end]) {
  const { view } = page;
  const found = [];
  const waiting = [0];
  while (waiting.length) {
    const node = waiting.pop();
    if (layout.high[node] < low || layout.low[node] > high || layout.deep[node] < start || layout.depth[node] > end)
      continue;
    found.push(node);
    const children = shownChildren(view, node);
    for (let b = children.length - 1; b >= 0; b--) waiting.push(children[b]);
  }
  return found;
}

/** Which of the widths an edge to this node has. */
function edgeWidth(view, node) {
  const share = weightOf(view, node) / (weightOf(view, 0) || 1);
  return share > 0.5 ? 5 : share > 0.2 ? 4 : share > 0.08 ? 3 : share > 0.02 ? 2 : share > 0.004 ? 1 : 0;
}
