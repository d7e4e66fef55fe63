"use strict";
// Keys: the whole page without a pointer. In: key presses. Out: moves among nodes, of the camera, and between parts.

/** The child last visited from each node, so that going up and down again leads back. */
const lastChild = new Map();

function watchKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const typing = target.closest("input, select, textarea");
    if (typing) {
      if (event.key === "Escape") stage.svg.focus();
      return;
    }
    const onControl = target.closest("button, summary, a");
    const action = (onControl ? null : MOVES[event.key]) || ACTIONS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  listen("select", () => {
    const { view, selected } = page;
    if (selected !== 0 && view.depth[selected] >= 0) lastChild.set(view.parent[selected], selected);
  });
}

/** What an arrow means depends on where the root is. */
function arrow(key) {
  const down = page.direction === "down";
  const along = { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "before", ArrowRight: "after" };
  const across = { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "before", ArrowDown: "after" };
  step((down ? along : across)[key]);
}

function step(where) {
  const { view, selected } = page;
  const parent = view.parent[selected];
  if (where === "parent") go(parent);
  else if (where === "child") stepDown();
  else {
    const siblings = parent < 0 ? [selected] : childrenOf(view, parent);
    const next = siblings[siblings.indexOf(selected) + (where === "before" ? -1 : 1)];
    go(next === undefined ? cousin(where) : next);
  }
}

/** The next node of the same depth beyond the siblings, -1 where there is none. */
function cousin(where) {
  const { view, selected } = page;
  const level = layout.nodes.filter((node) => view.depth[node] === view.depth[selected]);
  const next = level[level.indexOf(selected) + (where === "before" ? -1 : 1)];
  return next === undefined ? -1 : next;
}

function stepDown() {
  const { view, selected } = page;
  const children = childrenOf(view, selected);
  if (!children.length) return;
  if (!page.open[selected]) toggleNode(selected);
  const last = lastChild.get(selected);
  go(children.includes(last) ? last : children[0]);
}

function go(node) {
  if (node === undefined || node < 0) return;
  reveal(node);
  selectNode(node);
  showNode(node);
  openPanel("node");
  frame.live.textContent = nodeSentence(page.view, node);
}

const MOVES = {
  ArrowUp: () => arrow("ArrowUp"),
  ArrowDown: () => arrow("ArrowDown"),
  ArrowLeft: () => arrow("ArrowLeft"),
  ArrowRight: () => arrow("ArrowRight"),
  Enter: () => toggleNode(page.selected),
  " ": () => toggleNode(page.selected),
  Home: () => go(0),
};

const ACTIONS = {
  "+": () => zoomMiddle(1.4),
  "=": () => zoomMiddle(1.4),
  "-": () => zoomMiddle(1 / 1.4),
  "−": () => zoomMiddle(1 / 1.4),
  f: () => fitAll(),
  e: () => openAll(),
  "/": () => searching.field.focus(),
  n: () => goToHit(1),
  N: () => goToHit(-1),
  c: () => openPanel("case", true),
  p: () => openPanel("pruning", true),
  d: () => switchTheme(),
  "?": () => showHelp(),
  "？": () => showHelp(),
  Escape: () => stage.svg.focus(),
};
