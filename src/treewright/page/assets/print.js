"use strict";
// Print: the tree on paper. In: what is to be printed. Out: a sheet that is shown on paper only: the picture as it is
// on the screen, all that is open, or the whole tree as indented text over as many pages as it needs.

/** Boxes of one picture on paper; more than that cannot be read. */
const BOXES_PRINTED = 1500;

const printing = { sheet: null, wish: "open" };

function watchPrint(root) {
  printing.sheet = make("div", { class: "print-sheet", "aria-hidden": "true" });
  root.append(printing.sheet);
  addEventListener("beforeprint", fillSheet);
  addEventListener("afterprint", () => {
    printing.sheet.replaceChildren();
    printing.wish = "open";
  });
}

function askPrint() {
  const choose = (wish) => {
    dialog.close();
    printing.wish = wish;
    window.print();
  };
  const button = (wish) =>
    make(
      "button",
      { class: "plain choice", type: "button", on: { click: () => choose(wish) } },
      make("strong", null, say("print_" + wish)),
      make("span", null, say("print_" + wish + "_words")),
    );
  const dialog = showDialog(say("print"), ["window", "open", "text"].map(button));
}

function fillSheet() {
  const { model, view } = page;
  const tooMany = layout.nodes.length > BOXES_PRINTED;
  const wish = printing.wish === "open" && tooMany ? "text" : printing.wish;
  const head = make(
    "header",
    null,
    make("h1", null, model.title),
    make(
      "p",
      null,
      [
        `${say("target")}: ${model.target}`,
        sayCount("node_count", view.order.length),
        sayCount("leaf_count", view.leaves),
      ].join(" · "),
    ),
  );
  const content = wish === "text" ? printedText(view) : printedPicture(wish);
  printing.sheet.className = wish === "text" ? "print-sheet" : "print-sheet wide";
  refill(
    printing.sheet,
    head,
    model.isNumber
      ? null
      : make(
          "p",
          { class: "print-legend" },
          model.classes.slice(0, CLASSES_IN_LEGEND).map((_, code) => className(code)),
        ),
    content,
  );
}

function printedPicture(wish) {
  if (wish === "window") {
    drawNow();
    const copy = stage.svg.cloneNode(true);
    copy.removeAttribute("tabindex");
    for (const element of copy.querySelectorAll("[id^=node-]")) element.removeAttribute("id");
    copy.setAttribute("viewBox", `0 0 ${stage.width} ${stage.height}`);
    return copy;
  }
  const [low, start, high, end] = layout.extent;
  const box =
    page.direction === "down" ? [low, start, high - low, end - start] : [start, low, end - start, high - low];
  const { view } = page;
  const edges = EDGE_WIDTHS.map(() => []);
  for (const node of layout.nodes) if (node !== 0) edges[edgeWidth(view, node)].push(edgePath(node));
  const boxes = layout.nodes.map((node) => {
    const one = makeBox(view, node);
    markBox(view, node, one);
    one.classList.remove("selected", "hovered");
    one.removeAttribute("id");
    return one;
  });
  return draw(
    "svg",
    {
      class: "tree",
      viewBox: [box[0] - 8, box[1] - 8, box[2] + 16, box[3] + 16].map((x) => x.toFixed(1)).join(" "),
    },
    edges.map((path, i) => draw("path", { class: "edge", "stroke-width": EDGE_WIDTHS[i], d: path.join("") })),
    boxes,
  );
}

/** The tree as C4.5 prints it: a line for each branch, with the answer where it ends. */
function printedText(view) {
  const lines = [];
  for (const node of preorder(view)) {
    if (node === 0) {
      if (isLeaf(view, 0)) lines.push(leafLine(view, 0));
      continue;
    }
    const indent = "|   ".repeat(Math.min(40, view.depth[node] - 1));
    lines.push(indent + branchWords(view, node) + (isLeaf(view, node) ? ": " + leafLine(view, node) : ":"));
  }
  return make("pre", { class: "print-text" }, lines.join("\n"));
}

function leafLine(view, node) {
  const weight = weightOf(view, node);
  if (view.model.isNumber) return `${answerWords(view, node)} (${weightWords(weight)})`;
  const wrong = weight - statsOf(view, node)[answerOf(view, node)];
  return `${answerWords(view, node)} (${weightWords(weight)}${wrong > 1e-9 ? "/" + weightWords(wrong) : ""})`;
}
