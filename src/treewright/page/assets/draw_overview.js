"use strict";
// Overview: a large tree from far away, as one path for the edges and one path of boxes for each colour, with
// column names where there is space. A subtree narrower than a pixel is one line down to its deepest leaf.

/** Subtrees narrower than this are drawn as one line, in pixels. */
const THINNEST = 1.4;

/** Names are written where a subtree is at least this wide, in pixels. */
const NAME_ROOM = 46;
const MAX_NAMES = 160;

function drawOverview(window) {
  scene.drawn.clear();
  scene.boxes.replaceChildren();
  scene.edges.forEach((element) => element.setAttribute("d", ""));
  const parts = overviewParts(window);
  const colours = parts.boxes.map((path, shade) =>
    path.length ? draw("path", { class: "far-box", d: path.join(""), fill: shadeColour(page.model, shade) }) : null,
  );
  setChildren(
    scene.far,
    draw("path", { class: "far-edge", d: parts.edges.join("") }),
    colours,
    overviewNames(parts.names),
    overviewMarks(),
  );
  setChildren(scene.litEdges);
}

/** A screen position without the shift of the camera. */
function overviewPoint(breadth, depth) {
  const across = breadth * camera.k;
  const along = depth * depthScale(camera.k);
  return page.direction === "down" ? [across, along] : [along, across];
}

/** Half pixels are precise enough and keep paths short. */
function half(x) {
  return Math.round(x * 2) / 2;
}

/** Where a box begins in depth, and its size along the breadth and the depth. */
function overviewSize(node) {
  return page.direction === "down"
    ? [layout.depth[node] + BOX.label, layout.width[node], BOX.height]
    : [layout.depth[node], BOX.height, layout.width[node]];
}

/** Functions that write points and boxes, given by breadth and depth, for the direction of the tree. */
function pathWriters(k, kd) {
  const wide = (width) => Math.max(1, half(width * k));
  const long = (length) => Math.max(1, half(length * kd));
  if (page.direction === "down") {
    const point = (b, d) => half(b * k) + " " + half(d * kd);
    return { point, block: (b, d, w, l) => `M${point(b, d)}h${wide(w)}v${long(l)}h${-wide(w)}z` };
  }
  const point = (b, d) => half(d * kd) + " " + half(b * k);
  return { point, block: (b, d, w, l) => `M${point(b, d)}h${long(l)}v${wide(w)}h${-long(l)}z` };
}

/** The colour index of every node of the view, computed once. */
function shadesOf(view) {
  if (!view.shades) {
    view.shades = new Uint16Array(view.model.n);
    for (const node of view.order) view.shades[node] = shadeOf(view, node);
  }
  return view.shades;
}

/** Boxes by colour, edges, and nodes that may be named, in the visible part. */
function overviewParts([low, start, high, end]) {
  const { view } = page;
  const { k } = camera;
  const { point, block } = pathWriters(k, depthScale(k));
  const shades = shadesOf(view);
  const boxes = Array.from({ length: shadeCount(page.model) }, () => []);
  const edges = [];
  const names = [];
  const waiting = [0];
  while (waiting.length) {
    const node = waiting.pop();
    if (layout.high[node] < low || layout.low[node] > high || layout.deep[node] < start || layout.depth[node] > end)
      continue;
    const [begin, width, length] = overviewSize(node);
    const middle = layout.breadth[node];
    const children = shownChildren(view, node);
    if (children.length && (layout.high[node] - layout.low[node]) * k < THINNEST) {
      boxes[shades[node]].push(block(middle, begin, 0, layout.deep[node] - BOX.level - begin));
      continue;
    }
    boxes[shades[node]].push(block(middle - width / 2, begin, width, length));
    if (!children.length) continue;
    names.push(node);
    const from = "M" + point(middle, begin + length) + "L";
    let lastAcross = -Infinity;
    for (const child of children) {
      const across = Math.round(layout.breadth[child] * k);
      // Neighbouring leaves on the same pixel are drawn once.
      if (across === lastAcross && !shownChildren(view, child).length) continue;
      lastAcross = across;
      edges.push(from + point(layout.breadth[child], overviewSize(child)[0]));
      waiting.push(child);
    }
  }
  return { boxes, edges, names };
}

/** The column names of nodes with enough space; of two that would overlap, the node with more weight is named. */
function overviewNames(nodes) {
  const { view } = page;
  const roomy = nodes.filter((node) => (layout.high[node] - layout.low[node]) * camera.k > NAME_ROOM);
  roomy.sort((a, b) => weightOf(view, b) - weightOf(view, a) || a - b);
  const taken = [];
  const names = [];
  for (const node of roomy) {
    if (names.length >= MAX_NAMES) break;
    const [begin, , length] = overviewSize(node);
    const [x, y] = overviewPoint(layout.breadth[node], begin + length / 2);
    const text = fitText(splitColumn(view, node), FONT.name, 120);
    const reach = textWidth(text, FONT.name) / 2 + 5;
    const box = [x - reach, y - 8, x + reach, y + 8];
    if (taken.some((one) => one[0] < box[2] && box[0] < one[2] && one[1] < box[3] && box[1] < one[3])) continue;
    taken.push(box);
    names.push(
      draw("rect", { class: "far-plate", x: x - reach, y: y - 8, width: 2 * reach, height: 16, rx: 4 }),
      draw("text", { class: "far-name", x, y: y + 4 }, text),
    );
  }
  return names;
}

/** The path of the case, the matches of the search, and the selected node. */
function overviewMarks() {
  const { view } = page;
  const marks = [];
  const middle = (node) => overviewPoint(...boxMiddle(node));
  const onCase = shownCase();
  if (onCase !== null) {
    const paths = [];
    for (const [node] of onCase) {
      if (node !== 0 && layout.shown[node])
        paths.push("M" + middle(view.parent[node]).map(half).join(" ") + "L" + middle(node).map(half).join(" "));
    }
    marks.push(draw("path", { class: "far-lit", d: paths.join("") }));
  }
  for (const node of page.hits.slice(0, 2000)) {
    if (!layout.shown[node]) continue;
    const [cx, cy] = middle(node);
    marks.push(draw("circle", { class: "far-hit", cx, cy, r: 3.5 }));
  }
  if (layout.shown[page.selected]) {
    const [cx, cy] = middle(page.selected);
    marks.push(draw("circle", { class: "far-selected", cx, cy, r: 7 }));
  }
  return marks;
}
