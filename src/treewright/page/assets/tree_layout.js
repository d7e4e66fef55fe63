"use strict";
// Tree layout: the position and size of every box drawn, along two axes: `breadth` (siblings beside each other) and
// `depth` (levels).

const BOX = { height: 54, label: 22, level: 36, sibling: 12, cousin: 26, narrow: 84, wide: 190, lying: 176 };

/** Number of levels for which the tidy layout is used; it is recursive. */
const TIDY_LEVELS = 500;

/**
 * nodes    the nodes drawn, level by level
 * breadth  the middle of a node among its siblings; depth: where its box begins; width: of its box
 * low, high, deep  the extent of its subtree along the breadth and the depth
 * shown    1 for the nodes drawn
 */
const layout = {
  nodes: [],
  shown: null,
  breadth: null,
  depth: null,
  width: null,
  low: null,
  high: null,
  deep: null,
  extent: [0, 0, 1, 1],
};

const FACES =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", ' +
  '"Noto Sans CJK SC", sans-serif';
const FONT = { title: "600 13px " + FACES, small: "11px " + FACES, name: "600 11px " + FACES };

const measuring = document.createElement("canvas").getContext("2d");
const letterWidths = new Map();

/** The width of a text in a font: the sum of its characters, each measured once. */
function textWidth(text, font) {
  let widths = letterWidths.get(font);
  if (widths === undefined) letterWidths.set(font, (widths = new Map()));
  let sum = 0;
  for (const letter of text) {
    let width = widths.get(letter);
    if (width === undefined) {
      measuring.font = font;
      width = measuring.measureText(letter).width;
      widths.set(letter, width);
    }
    sum += width;
  }
  return sum;
}

/** The text cut to a width, with an ellipsis. */
function fitText(text, font, width) {
  if (textWidth(text, font) <= width) return text;
  const letters = Array.from(text.slice(0, 80));
  let kept = Math.min(
    letters.length,
    Math.max(1, Math.floor((letters.length * width) / textWidth(letters.join(""), font))),
  );
  while (kept > 1 && textWidth(letters.slice(0, kept).join("") + "…", font) > width) kept -= 1;
  return letters.slice(0, kept).join("") + "…";
}

function boxTitle(view, node) {
  return isLeaf(view, node) ? predictionText(view, node) : splitColumn(view, node);
}

/** The small line of a box: the prediction or its probability, and the weight. */
function boxSmall(view, node) {
  const leaf = isLeaf(view, node);
  const weight = weightOf(view, node);
  if (view.model.isNumber) {
    const sign = view.model.doc.by_deviance ? t("half_deviance") + " " : "± ";
    const spread = weight > 0 ? sign + formatNumber(spreadOf(view, node)) : "";
    return [leaf ? spread : `${predictionText(view, node)} ${spread}`, formatWeight(weight)];
  }
  const share = percent(predictedProbability(view, node));
  return [leaf ? share : `${share} ${predictionText(view, node)}`, formatWeight(weight)];
}

/** The spread of the target at a node: standard or mean absolute deviation, or half the mean deviance. */
function spreadOf(view, node) {
  const [weight, , loss] = statsOf(view, node);
  const each = Math.max(0, loss / weight);
  return view.model.doc.by_median || view.model.doc.by_deviance ? each : Math.sqrt(each);
}

/** Wide enough for the text, within limits. */
function boxWidth(view, node) {
  if (page.direction === "right") return BOX.lying;
  const title =
    textWidth(boxTitle(view, node), FONT.title) + (isLeaf(view, node) && !view.model.isNumber ? 40 : 24);
  const label = textWidth(edgeLabel(view, node), FONT.small) + 10;
  const [text, weight] = boxSmall(view, node);
  const small = textWidth(text, FONT.small) + textWidth(weight, FONT.small) + 34;
  const narrow = page.charts ? CHART.narrow : BOX.narrow;
  return Math.round(Math.min(BOX.wide, Math.max(narrow, title, label, small)));
}

/** The nodes to be drawn: the root and the children of expanded nodes. */
function shownNodes(view) {
  const nodes = [0];
  for (let at = 0; at < nodes.length; at++) {
    if (!page.open[nodes[at]]) continue;
    for (const child of childrenOf(view, nodes[at])) nodes.push(child);
  }
  return nodes;
}

/** The children of a node that are drawn. */
function shownChildren(view, node) {
  return page.open[node] ? childrenOf(view, node) : NO_CHILDREN;
}

function arrange() {
  const { view, model } = page;
  for (const name of ["breadth", "depth", "width", "low", "high", "deep"]) {
    if (layout[name] === null) layout[name] = new Float64Array(model.n);
  }
  layout.nodes = shownNodes(view);
  layout.shown = new Uint8Array(model.n);
  let levels = 0;
  for (const node of layout.nodes) {
    layout.shown[node] = 1;
    layout.width[node] = boxWidth(view, node);
    levels = Math.max(levels, view.depth[node]);
  }
  if (levels <= TIDY_LEVELS) placeTidy(view);
  else placeSimply(view);
  reach(view);
}

/** The space of a node along the breadth and the depth. */
function placeSize(node) {
  const tall = BOX.label + BOX.height;
  return page.direction === "right"
    ? [tall, layout.width[node] + BOX.level + 24]
    : [layout.width[node], tall + BOX.level];
}

function placeTidy(view) {
  const items = new Map();
  for (const node of layout.nodes) {
    const item = { node, size: placeSize(node), children: [] };
    items.set(node, item);
    if (node !== 0) items.get(view.parent[node]).children.push(item);
  }
  const tidy = treewrightLayout.flextree({
    nodeSize: (one) => one.data.size,
    spacing: (one, next) => (one.parent === next.parent ? BOX.sibling : BOX.cousin),
  });
  const root = tidy(tidy.hierarchy(items.get(0)));
  root.each((one) => {
    layout.breadth[one.data.node] = one.x;
    layout.depth[one.data.node] = one.y;
  });
}

/** Leaves side by side, other nodes above the middle of their children: for trees with very many levels. */
function placeSimply(view) {
  const step = page.direction === "right" ? BOX.label + BOX.height + BOX.sibling : BOX.wide;
  let next = 0;
  const waiting = [0];
  while (waiting.length) {
    const node = waiting.pop();
    const parent = view.parent[node];
    layout.depth[node] = parent < 0 ? 0 : layout.depth[parent] + placeSize(parent)[1];
    const children = shownChildren(view, node);
    if (!children.length) layout.breadth[node] = step * next++;
    for (let b = children.length - 1; b >= 0; b--) waiting.push(children[b]);
  }
  for (let at = layout.nodes.length - 1; at >= 0; at--) {
    const node = layout.nodes[at];
    const children = shownChildren(view, node);
    const last = children.length - 1;
    if (last >= 0) layout.breadth[node] = (layout.breadth[children[0]] + layout.breadth[children[last]]) / 2;
  }
}

/** The extent of each subtree, from the bottom up. */
function reach(view) {
  const { low, high, deep, breadth, depth } = layout;
  for (const node of layout.nodes) {
    const half = placeSize(node)[0] / 2;
    low[node] = breadth[node] - half;
    high[node] = breadth[node] + half;
    deep[node] = depth[node] + placeSize(node)[1];
  }
  for (let at = layout.nodes.length - 1; at > 0; at--) {
    const node = layout.nodes[at];
    const parent = view.parent[node];
    if (low[node] < low[parent]) low[parent] = low[node];
    if (high[node] > high[parent]) high[parent] = high[node];
    if (deep[node] > deep[parent]) deep[parent] = deep[node];
  }
  layout.extent = [low[0], 0, high[0], deep[0]];
}
