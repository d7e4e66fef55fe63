"use strict";
// Edges: from each node to its children, near by. In: the nodes in sight. Out: one path for each width; the edges
// that a case takes in its own colour, as wide as the part of it that takes them.

/** Where the edge from a node begins, and where the edge to it ends. */
function edgeStart(node) {
  const [x, y] = boxCorner(node);
  return page.direction === "down"
    ? [x + layout.width[node] / 2, y + BOX.height + 6]
    : [x + layout.width[node] + 6, y + BOX.height / 2];
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
  for (const node of nodes) {
    if (node === 0) continue;
    const path = edgePath(node);
    paths[edgeWidth(page.view, node)].push(path);
    const weight = page.lit === null ? 0 : page.lit.get(node) || 0;
    if (weight > 0) lit.push(draw("path", { d: path, "stroke-width": (2.5 + 5 * weight).toFixed(1) }));
  }
  scene.edges.forEach((element, i) => element.setAttribute("d", paths[i].join("")));
  refill(scene.litEdges, lit);
}
