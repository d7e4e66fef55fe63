"use strict";
// Draw: the part of the tree that is visible, as one SVG, redrawn at most once per frame.
//
// Near, each box is a group of shapes and text that is created when it comes into view and removed when it leaves.
// Far, there are only a few paths: edges, and boxes by colour (draw_overview.js). Moving the camera moves the
// drawing; it is redrawn when the scale changes or the edge of the drawn part is reached. The edges of a case have
// their own colour and are as wide as its weight.

const scene = {
  world: null,
  edges: null,
  litEdges: null,
  boxes: null,
  far: null,
  drawn: new Map(),
  // The part of the layout that was drawn last; null if nothing is drawn.
  covered: null,
  scheduled: 0,
};

/** How long an overview is stretched before it is redrawn, in milliseconds. */
const STRETCHED = 45;

/** Margin drawn beyond the window, as a fraction of it, so that small moves need no redrawing. */
const MARGIN = 0.35;

/** Widths of edges, by the proportion of the root's weight that passes through them. */
const EDGE_WIDTHS = [1, 1.5, 2.5, 4, 6, 9];

/** The proportion above which an edge has the next width. */
const EDGE_LIMITS = [0.004, 0.02, 0.08, 0.2, 0.5];

function makeScene(container) {
  scene.edges = EDGE_WIDTHS.map((width) => draw("path", { class: "edge", "stroke-width": width }));
  scene.litEdges = draw("g", { class: "lit-edges" });
  scene.boxes = draw("g", { class: "boxes" });
  scene.far = draw("g", { class: "far" });
  scene.world = draw("g", { class: "world" }, scene.edges, scene.litEdges, scene.boxes, scene.far);
  stage.svg = draw("svg", { class: "tree", role: "tree", tabindex: 0, "aria-label": t("tree") }, scene.world);
  stage.element = container;
  container.append(stage.svg);
  new ResizeObserver(measureStage).observe(container);
  listen("view language theme", forgetBoxes);
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
  const legend = stage.element.querySelector(".legend");
  stage.legend = legend ? legend.offsetHeight + 8 : 0;
  stage.margin = clientWidth < 500 ? 10 : 28;
  if (!clientWidth || !clientHeight || (clientWidth === stage.width && clientHeight === stage.height)) return;
  const old = { ...stage };
  stage.width = clientWidth;
  stage.height = clientHeight;
  stage.svg.setAttribute("viewBox", `0 0 ${clientWidth} ${clientHeight}`);
  if (layout.nodes.length && stage.measured) {
    // Keep the middle of the window in place.
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

/** Redraw once, before the next frame. */
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
    if (far) drawOverview(window);
    else drawNear(window);
    scene.covered = { far, k: camera.k, direction: page.direction, window, time: performance.now() };
  }
  place(far);
}

/** Whether the visible part is already drawn. */
function isCovered(far) {
  const { covered } = scene;
  if (covered === null || covered.far !== far || covered.direction !== page.direction) return false;
  if (far && covered.k !== camera.k) {
    // While the scale keeps changing, the last drawing is stretched for a few frames.
    if (performance.now() - covered.time > STRETCHED) return false;
    schedule();
  }
  // Near, a drawing for another scale is kept while it covers the window and is not much too large.
  if (!far && (camera.k > covered.k * 2 || camera.k < covered.k / 1.6)) return false;
  // Outside the tree there is nothing to draw.
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

/** The visible part of the layout as [low, start, high, end], with a margin as a fraction of the window. */
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

/** Near, the layout is scaled; far, paths are in screen units, shifted and stretched between two drawings. */
function place(far) {
  const down = page.direction === "down";
  const [x, y] = down ? [camera.across, camera.along] : [camera.along, camera.across];
  const across = camera.k / scene.covered.k;
  const along = depthScale(camera.k) / depthScale(scene.covered.k);
  const stretch = down ? `${across} ${along}` : `${along} ${across}`;
  const scale = far ? (across === 1 ? "" : ` scale(${stretch})`) : ` scale(${camera.k})`;
  scene.world.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})${scale}`);
}

/** Every expanded node that touches the window and its ancestors, parents first. */
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

/** The index of the width of the edge to this node. */
function edgeWidth(view, node) {
  const proportion = weightOf(view, node) / (weightOf(view, 0) || 1);
  return EDGE_LIMITS.filter((limit) => proportion > limit).length;
}

/** Where the edge from a node begins; `edgeEnd`: where the edge to it ends. */
function edgeStart(node) {
  const [x, y] = boxCorner(node);
  return page.direction === "down"
    ? [x + layout.width[node] / 2, y + BOX.height]
    : [x + layout.width[node], y + BOX.height / 2];
}

function edgeEnd(node) {
  const [x, y] = boxCorner(node);
  return page.direction === "down" ? [x + layout.width[node] / 2, y - 20] : [x, y + BOX.height / 2];
}

function edgePath(node) {
  const [x0, y0] = edgeStart(page.view.parent[node]);
  const [x1, y1] = edgeEnd(node);
  const [mx, my] = [((x0 + x1) / 2).toFixed(1), ((y0 + y1) / 2).toFixed(1)];
  const bend =
    page.direction === "down"
      ? `C${x0.toFixed(1)} ${my} ${x1.toFixed(1)} ${my}`
      : `C${mx} ${y0.toFixed(1)} ${mx} ${y1.toFixed(1)}`;
  return `M${x0.toFixed(1)} ${y0.toFixed(1)}${bend} ${x1.toFixed(1)} ${y1.toFixed(1)}`;
}

function drawEdges(nodes) {
  const paths = EDGE_WIDTHS.map(() => []);
  const lit = [];
  const onCase = shownCase();
  for (const node of nodes) {
    if (node === 0) continue;
    const path = edgePath(node);
    paths[edgeWidth(page.view, node)].push(path);
    const weight = onCase === null ? 0 : onCase.get(node) || 0;
    if (weight > 0) lit.push(draw("path", { d: path, "stroke-width": (2.5 + 5 * weight).toFixed(1) }));
  }
  scene.edges.forEach((element, i) => element.setAttribute("d", paths[i].join("")));
  setChildren(scene.litEdges, lit);
}
