"use strict";
// Print: a sheet that is visible only on paper: the picture as on the screen, all expanded nodes, or the whole tree
// as indented text.

/** Boxes of a printed picture; more could not be read. */
const MAX_PRINTED_BOXES = 1500;

const printing = { sheet: null, wish: "open" };

function watchPrint(root) {
  printing.sheet = make("div", { class: "print-sheet", "aria-hidden": "true" });
  root.append(printing.sheet);
  addEventListener("beforeprint", fillPrintSheet);
  addEventListener("afterprint", () => {
    printing.sheet.replaceChildren();
    printing.wish = "open";
  });
}

function choosePrint() {
  const choose = (wish) => {
    dialog.close();
    printing.wish = wish;
    window.print();
  };
  const button = (wish) =>
    make(
      "button",
      { class: "plain choice", type: "button", on: { click: () => choose(wish) } },
      make("strong", null, t("print_" + wish)),
      make("span", null, t("print_" + wish + "_words")),
    );
  const dialog = showDialog(t("print"), ["window", "open", "text"].map(button));
}

function fillPrintSheet() {
  const { model, view } = page;
  const tooMany = layout.nodes.length > MAX_PRINTED_BOXES;
  const wish = printing.wish === "open" && tooMany ? "text" : printing.wish;
  const head = make(
    "header",
    null,
    make("h1", null, model.title),
    make(
      "p",
      null,
      [
        `${t("target")}: ${model.target}`,
        tCount("node_count", view.order.length),
        tCount("leaf_count", view.leaves),
      ].join(" · "),
    ),
  );
  const content = wish === "text" ? printedText(view) : printedPicture(wish);
  printing.sheet.className = wish === "text" ? "print-sheet" : "print-sheet wide";
  setChildren(
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

/** The tree in the format of C4.5: a line for each branch, with the prediction at a leaf. */
function printedText(view) {
  const lines = [];
  for (const node of preorder(view)) {
    if (node === 0) {
      if (isLeaf(view, 0)) lines.push(leafLine(view, 0));
      continue;
    }
    const indent = "|   ".repeat(Math.min(40, view.depth[node] - 1));
    lines.push(indent + branchText(view, node) + (isLeaf(view, node) ? ": " + leafLine(view, node) : ":"));
  }
  return make("pre", { class: "print-text" }, lines.join("\n"));
}

function leafLine(view, node) {
  const weight = weightOf(view, node);
  if (view.model.isNumber) return `${predictionText(view, node)} (${formatWeight(weight)})`;
  const wrong = weight - statsOf(view, node)[predictedClass(view, node)];
  return `${predictionText(view, node)} (${formatWeight(weight)}${wrong > 1e-9 ? "/" + formatWeight(wrong) : ""})`;
}
