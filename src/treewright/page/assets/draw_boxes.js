"use strict";
// Boxes: the visible nodes near by. Each box shows the column it splits on or the prediction, the class proportions
// and the weight; above it the condition of its branch, below it a button that expands or collapses it.

function drawNear(window) {
  scene.far.replaceChildren();
  const nodes = nodesWithin(window);
  const inSight = new Set(nodes);
  for (const [node, box] of scene.drawn) {
    if (inSight.has(node)) continue;
    box.remove();
    scene.drawn.delete(node);
  }
  for (const node of nodes) {
    if (scene.drawn.has(node)) continue;
    const box = makeBox(page.view, node);
    scene.drawn.set(node, box);
    scene.boxes.append(box);
  }
  for (const [node, box] of scene.drawn) markBox(page.view, node, box);
  drawEdges(nodes);
  const active = scene.drawn.has(page.selected) ? "node-" + page.selected : "";
  stage.svg.setAttribute("aria-activedescendant", active);
}

/** The corner of a node's box in layout coordinates. */
function boxCorner(node) {
  if (page.direction === "down")
    return [layout.breadth[node] - layout.width[node] / 2, layout.depth[node] + BOX.label];
  return [layout.depth[node], layout.breadth[node] - (BOX.label + BOX.height) / 2 + BOX.label];
}

function makeBox(view, node) {
  const leaf = isLeaf(view, node);
  const width = layout.width[node];
  const [x, y] = boxCorner(node);
  const label = edgeLabel(view, node);
  return draw(
    "g",
    {
      id: "node-" + node,
      class: leaf ? "box leaf" : "box",
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
      "data-node": node,
      role: "treeitem",
      "aria-level": view.depth[node] + 1,
      "aria-label": nodeSentence(view, node),
    },
    draw("rect", { class: "halo", x: -3.5, y: -3.5, width: width + 7, height: BOX.height + 7, rx: leaf ? 15 : 9 }),
    label
      ? draw(
          "text",
          { class: "branch", x: page.direction === "down" ? width / 2 : 2, y: -8 },
          fitText(label, FONT.small, width + 4),
        )
      : null,
    draw("rect", { class: "card", width, height: BOX.height, rx: leaf ? 12 : 6 }),
    draw("rect", {
      class: "tint",
      width,
      height: BOX.height,
      rx: leaf ? 12 : 6,
      fill: nodeColour(view, node),
      "fill-opacity": tint(view, node),
    }),
    boxTexts(view, node, width),
    boxBar(view, node, width),
    boxChart(view, node, width),
    leaf ? null : knob(view, node, width),
  );
}

/** The purer a node, the stronger its colour. */
function tint(view, node) {
  if (view.model.isNumber) return isLeaf(view, node) ? 0.35 : 0.15;
  const proportion = predictedProbability(view, node);
  const even = 1 / view.model.classes.length;
  const purity = Math.max(0, (proportion - even) / (1 - even || 1));
  return ((isLeaf(view, node) ? 0.1 : 0.03) + 0.18 * purity).toFixed(3);
}

function boxTexts(view, node, width) {
  const leaf = isLeaf(view, node);
  const sign = leaf && !view.model.isNumber;
  const inset = sign ? 27 : 11;
  const [small, weight] = boxSmall(view, node);
  const room = width - 22 - textWidth(weight, FONT.small) - 6;
  return [
    sign
      ? draw("path", {
          class: "box-sign",
          d: CLASS_SIGNS[classShape(predictedClass(view, node))],
          fill: nodeColour(view, node),
          transform: "translate(10 9.5) scale(1)",
        })
      : null,
    draw(
      "text",
      { class: "title", x: inset, y: 20 },
      fitText(boxTitle(view, node), FONT.title, width - inset - 10),
    ),
    draw("text", { class: "small", x: 11, y: 46 }, fitText(small, FONT.small, room)),
    draw("text", { class: "small weight", x: width - 11, y: 46 }, weight),
  ];
}

/** The seven largest classes as parts of a bar, or the number as a dot on a line. */
function boxBar(view, node, width) {
  const [x, y, length, height] = [11, 27, width - 22, 6];
  if (view.model.isNumber) {
    const [low, high] = view.model.numberRange;
    const part = high > low ? (valueOf(view, node)[0] - low) / (high - low) : 0.5;
    return [
      draw("rect", { class: "track", x, y: y + 2, width: length, height: 2, rx: 1 }),
      draw("circle", { class: "dot", cx: x + part * length, cy: y + 3, r: 4, fill: nodeColour(view, node) }),
    ];
  }
  const proportions = valueOf(view, node)
    .map((proportion, code) => [proportion, code])
    .filter(([proportion]) => proportion > 0);
  const shown = new Set(
    proportions
      .slice()
      .sort((a, b) => b[0] - a[0])
      .slice(0, 7)
      .map(([, code]) => code),
  );
  const parts = [draw("rect", { class: "track", x, y, width: length, height, rx: 1 })];
  let at = x;
  for (const [proportion, code] of proportions) {
    if (!shown.has(code)) continue;
    parts.push(
      draw("rect", {
        x: at.toFixed(2),
        y,
        width: Math.max(0, proportion * length).toFixed(2),
        height,
        fill: classPaint(code),
      }),
    );
    at += proportion * length;
  }
  return parts;
}

function knob(view, node, width) {
  const [x, y] = page.direction === "down" ? [width / 2, BOX.height + 6] : [width + 6, BOX.height / 2];
  const open = page.open[node];
  const count = open ? "" : "+" + formatCount(view.below[node]);
  const half = open ? 7 : Math.max(11, textWidth(count, FONT.small) / 2 + 6);
  return draw(
    "g",
    { class: "knob", transform: `translate(${x} ${y})`, "data-knob": node },
    draw("rect", { class: "knob-reach", x: -half - 6, y: -13, width: 2 * half + 12, height: 26 }),
    draw("rect", { class: "knob-face", x: -half, y: -8, width: 2 * half, height: 16, rx: 8 }),
    open ? draw("path", { d: "M-3 0h6" }) : draw("text", { y: 4 }, count),
  );
}

function markBox(view, node, box) {
  const { classList } = box;
  const onCase = shownCase();
  const weight = onCase === null ? -1 : onCase.get(node) || 0;
  classList.toggle("selected", node === page.selected);
  classList.toggle("hovered", node === page.hovered);
  classList.toggle("hit", page.hitSet.has(node));
  classList.toggle("lit", weight > 0);
  classList.toggle("dim", weight === 0);
  box.setAttribute("aria-selected", String(node === page.selected));
  if (!isLeaf(view, node)) box.setAttribute("aria-expanded", String(Boolean(page.open[node])));
  markFraction(view, node, box, weight);
}

/** The fraction of a case that reaches this node, after the condition of its branch. */
function markFraction(view, node, box, weight) {
  const label = box.querySelector(".branch");
  if (!label) return;
  const words = fitText(edgeLabel(view, node), FONT.small, layout.width[node] + 4);
  const partial = weight > 0 && weight < 1;
  setChildren(label, words, partial ? draw("tspan", { class: "share", dx: 6 }, percent(weight)) : null);
}
