"use strict";
// Far: the whole of a large tree. In: the nodes in sight. Out: one path for the edges, one path of boxes for each
// colour, names where there is room. What is narrower than a pixel is one line down to its deepest leaf.

/** Subtrees narrower than this on the screen are drawn as one line, in pixels. */
const HAIR = 1.4;

/** Names are written where a subtree has this much room, in pixels. */
const NAME_ROOM = 46;
const MOST_NAMES = 160;

function drawFar(window) {
  scene.drawn.clear();
  scene.boxes.replaceChildren();
  scene.edges.forEach((element) => element.setAttribute("d", ""));
  const parts = farParts(window);
  const colours = parts.boxes.map((path, shade) =>
    path.length ? draw("path", { class: "far-box", d: path.join(""), fill: shadeColour(page.model, shade) }) : null,
  );
  refill(
    scene.far,
    draw("path", { class: "far-edge", d: parts.edges.join("") }),
    colours,
    farNames(parts.names),
    farMarks(),
  );
  refill(scene.litEdges);
}

/** A place on the screen, without the shift of the camera. */
function farPoint(breadth, depth) {
  const across = breadth * camera.k;
  const along = depth * depthScale(camera.k);
  return page.direction === "down" ? [across, along] : [along, across];
}

/** Half pixels are fine enough, and short to write. */
function half(x) {
  return Math.round(x * 2) / 2;
}

/** Where a box begins in depth, and its size along the breadth and in depth. */
function farSize(node) {
  return page.direction === "down"
    ? [layout.depth[node] + BOX.label, layout.width[node], BOX.height]
    : [layout.depth[node], BOX.height, layout.width[node]];
}

/** Paths are written for the direction the tree has: points and boxes, given along the breadth and in depth. */
function farPens(k, kd) {
  const wide = (width) => Math.max(1, half(width * k));
  const long = (length) => Math.max(1, half(length * kd));
  if (page.direction === "down") {
    const point = (b, d) => half(b * k) + " " + half(d * kd);
    return { point, block: (b, d, w, l) => `M${point(b, d)}h${wide(w)}v${long(l)}h${-wide(w)}z` };
  }
  const point = (b, d) => half(d * kd) + " " + half(b * k);
  return { point, block: (b, d, w, l) => `M${point(b, d)}h${long(l)}v${wide(w)}h${-long(l)}z` };
}

/** The colour of every node of the view, found once. */
function shadesOf(view) {
  if (!view.shades) {
    view.shades = new Uint16Array(view.model.n);
    for (const node of view.order) view.shades[node] = shadeOf(view, node);
  }
  return view.shades;
}

/** Boxes by colour, edges, and the nodes that may be named, of what is in the window. */
function farParts([low, start, high, end]) {
  const { view } = page;
  const { k } = camera;
  const { point, block } = farPens(k, depthScale(k));
  const shades = shadesOf(view);
  const boxes = Array.from({ length: shadeCount(page.model) }, () => []);
  const edges = [];
  const names = [];
  const waiting = [0];
  while (waiting.length) {
    const node = waiting.pop();
    if (layout.high[node] < low || layout.low[node] > high || layout.deep[node] < start || layout.depth[node] > end)
      continue;
    const [begin, width, length] = farSize(node);
    const middle = layout.breadth[node];
    const children = shownChildren(view, node);
    if (children.length && (layout.high[node] - layout.low[node]) * k < HAIR) {
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
      // Neighbours that fall on one pixel and have nothing below are one.
      if (across === lastAcross && !shownChildren(view, child).length) continue;
      lastAcross = across;
      edges.push(from + point(layout.breadth[child], farSize(child)[0]));
      waiting.push(child);
    }
  }
  return { boxes, edges, names };
}

/** The questions of nodes that have room for them; of two that would overlap, the one of more weight. */
function farNames(nodes) {
  const { view } = page;
  const roomy = nodes.filter((node) => (layout.high[node] - layout.low[node]) * camera.k > NAME_ROOM);
  roomy.sort((a, b) => weightOf(view, b) - weightOf(view, a) || a - b);
  const taken = [];
  const names = [];
  for (const node of roomy) {
    if (names.length >= MOST_NAMES) break;
    const [begin, , length] = farSize(node);
    const [x, y] = farPoint(layout.breadth[node], begin + length / 2);
    const text = fitted(questionName(view, node), FONT.name, 120);
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

/** The way of the case, what the search found, and the node of the panel. */
function farMarks() {
  const { view } = page;
  const marks = [];
  const middle = (node) => farPoint(...boxMiddle(node));
  if (page.lit !== null) {
    const paths = [];
    for (const [node] of page.lit) {
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
