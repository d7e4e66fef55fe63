"use strict";
// Charts: tables and small charts that several panels use, and the distribution of a node's rows over the column it
// splits on: a histogram with the threshold, or a bar for each branch.

/** How many classes are listed; the rest is summed up. */
const MAX_CLASSES = 12;

/** A proportion as a bar in the colour of its class. */
function proportionBar(proportion, paint, title) {
  return draw(
    "svg",
    { class: "share-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": title },
    draw("rect", { class: "track", width: 100, height: 10 }),
    draw("rect", {
      width: Math.max(proportion > 0 ? 0.8 : 0, proportion * 100).toFixed(2),
      height: 10,
      fill: paint,
    }),
  );
}

/** Several proportions in one bar. */
function stackedBar(parts, title) {
  const total = parts.reduce((sum, [weight]) => sum + weight, 0) || 1;
  let at = 0;
  const pieces = parts.map(([weight, paint]) => {
    const width = (weight / total) * 100;
    const piece = draw("rect", { x: at.toFixed(3), width: width.toFixed(3), height: 10, fill: paint });
    at += width;
    return piece;
  });
  return draw(
    "svg",
    {
      class: "share-bar",
      viewBox: "0 0 100 10",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": title || "",
    },
    draw("rect", { class: "track", width: 100, height: 10 }),
    pieces,
  );
}

/** The classes with the largest weights as [code, weight], and the weight and number of the rest. */
function heaviestClasses(stats, most = MAX_CLASSES) {
  const all = stats.map((weight, code) => [code, weight]).filter(([, weight]) => weight > 0);
  all.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const rest = all.slice(most).reduce((sum, [, weight]) => sum + weight, 0);
  return { shown: all.slice(0, most), rest, more: Math.max(0, all.length - most) };
}

/** A class with its symbol. */
function className(code) {
  return make("span", { class: "class-name" }, classSign(code), userText(page.model.classes[code]));
}

/** Classes by weight and proportion, for training rows and for validation rows if there are any. */
function classTable(stats, checked) {
  const total = stats.reduce((sum, weight) => sum + weight, 0);
  const checkedTotal = checked ? checked.reduce((sum, weight) => sum + weight, 0) : 0;
  const together = checked ? stats.map((weight, code) => weight + checked[code] * 1e-9) : stats;
  const { shown, rest, more } = heaviestClasses(together);
  const rows = shown.map(([code]) => {
    const proportion = total > 0 ? stats[code] / total : 0;
    const cells = [
      make("th", { scope: "row" }, className(code)),
      make("td", { class: "bar-cell" }, proportionBar(proportion, classPaint(code), percent(proportion))),
      make("td", { class: "number" }, percent(proportion)),
      make("td", { class: "number" }, formatWeight(stats[code])),
    ];
    if (checked) {
      const other = checkedTotal > 0 ? checked[code] / checkedTotal : 0;
      cells.push(make("td", { class: "number checked" }, checkedTotal > 0 ? percent(other) : "–"));
      cells.push(make("td", { class: "number checked" }, formatWeight(checked[code])));
    }
    return make("tr", null, cells);
  });
  if (more) {
    const cells = [
      make("th", { scope: "row", colspan: 3 }, tCount("more_classes", more)),
      make("td", { class: "number" }, formatWeight(rest)),
    ];
    rows.push(make("tr", { class: "quiet" }, cells));
  }
  const head = make(
    "tr",
    null,
    make("th", { scope: "col" }, userText(page.model.target)),
    make("td"),
    make("th", { scope: "colgroup", colspan: 2, class: "number" }, t("training")),
    checked ? make("th", { scope: "colgroup", colspan: 2, class: "number checked" }, t("validation")) : null,
  );
  return make("table", { class: "class-table" }, make("thead", null, head), make("tbody", null, rows));
}

/** A list of [name, value] pairs; those without a value are left out. */
function factList(pairs) {
  const items = pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => make("div", null, make("dt", null, name), make("dd", null, value)));
  return make("dl", { class: "facts" }, items);
}

/** Sections of the panel that can be collapsed; whether they are open is kept for the next node. */
const openSections = {
  ledger: true,
  distribution: true,
  rows: false,
  pruning: true,
  facts: true,
  classes: true,
  surrogates: false,
};

function section(key, title, ...children) {
  const content = children.flat().filter((child) => child !== null && child !== undefined);
  if (!content.length) return null;
  const element = make("details", { class: "section", "data-part": key }, make("summary", null, title), content);
  element.open = openSections[key] !== false;
  element.addEventListener("toggle", () => (openSections[key] = element.open));
  return element;
}

/** A sentence in small print. */
function smallPrint(...children) {
  return make("p", { class: "note" }, children);
}

/** What is not in the page, and the Python call that shows it. */
function pythonHint(key, call) {
  return make("p", { class: "note" }, t(key) + " ", make("code", { text: call }));
}

const PLOT = { width: 340, height: 150, left: 44, right: 8, top: 18, bottom: 22 };
const MAX_BARS = 14;

function distributionPart(view, node) {
  if (isLeaf(view, node)) return null;
  const { model } = view;
  const splitNode = view.split[node];
  if (
    model.tables[splitNode] !== null ||
    model.columns[model.column[splitNode]].kind !== "number" ||
    model.threshold[splitNode] === Infinity
  ) {
    return [branchBars(view, node)];
  }
  const found = model.doc.distributions[splitNode];
  if (!found) return [branchBars(view, node), pythonHint("histogram_absent", pythonCall("why", splitNode))];
  const raised = splitNode === node ? null : smallPrint(t("histogram_raised"));
  return [histogram(model, splitNode, found), raised];
}

/** One bar for each branch: its length is the weight, its parts are the classes. */
function branchBars(view, node) {
  const children = childrenOf(view, node);
  const most = highestOf(children.map((child) => weightOf(view, child))) || 1;
  const rows = children.slice(0, MAX_BARS).map((child) => {
    const weight = weightOf(view, child);
    const bar = make("div", { class: "branch-bar" }, branchStack(view, child));
    bar.style.width = `${Math.max(2, (weight / most) * 100)}%`;
    return make(
      "tr",
      null,
      make("th", { scope: "row" }, nodeLink(child, branchLabel(view, child))),
      make("td", { class: "bar-cell" }, bar),
      make("td", { class: "number" }, formatWeight(weight)),
    );
  });
  const more = children.length - MAX_BARS;
  if (more > 0)
    rows.push(make("tr", { class: "quiet" }, make("td", { colspan: 3 }, tCount("more_branches", more))));
  const caption = make("caption", null, userText(splitColumn(view, node)));
  return make("table", { class: "branch-bars" }, caption, make("tbody", null, rows));
}

function branchStack(view, child) {
  if (view.model.isNumber) return stackedBar([[1, nodeColour(view, child)]], predictionText(view, child));
  const stats = statsOf(view, child);
  const parts = Array.from(stats, (weight, code) => [weight, classPaint(code)]).filter(([weight]) => weight > 0);
  return stackedBar(parts, `${predictionText(view, child)} ${percent(predictedProbability(view, child))}`);
}

/** The parts of a bin from the bottom up: [weight, colour, text] of each class, or of the mean. */
function binParts(model, bin) {
  if (model.isNumber) return [[bin[0], numberColour(bin[1], model.numberRange), formatNumber(bin[1], 4)]];
  return bin.map((weight, code) => [weight, classPaint(code), model.classes[code]]);
}

/** The bars of a histogram of a column, each part with a tooltip. */
function histogramBars(model, column, { edges, counts }, x, y) {
  return counts.map((bin, i) => {
    const [from, to] = [x(edges[i]), x(edges[i + 1])];
    const place = { x: (from + 0.5).toFixed(1), width: Math.max(0.5, to - from - 1).toFixed(1) };
    const span = `${formatCell(column, edges[i])} – ${formatCell(column, edges[i + 1])}`;
    let base = 0;
    return binParts(model, bin).map(([weight, fill, words]) => {
      if (!(weight > 0)) return null;
      const bottom = y(base);
      base += weight;
      const size = { y: y(base).toFixed(1), height: (bottom - y(base)).toFixed(1), fill };
      return draw(
        "rect",
        { ...place, ...size },
        draw("title", null, `${span}: ${words} (${formatWeight(weight)})`),
      );
    });
  });
}

function histogram(model, splitNode, found) {
  const { width, height, left, right, top, bottom } = PLOT;
  const { edges, counts } = found;
  const [low, high] = [edges[0], edges[edges.length - 1]];
  const most = highestOf(counts.map((bin) => (model.isNumber ? bin[0] : sum(bin)))) || 1;
  const x = (value) => left + ((value - low) / (high - low)) * (width - left - right);
  const y = (weight) => height - bottom - (weight / most) * (height - top - bottom);
  const cut = x(model.threshold[splitNode]);
  const column = model.columns[model.column[splitNode]];
  const name = column.shown;
  const words = thresholdText(model.doc.nodes.threshold_words[splitNode], model.threshold[splitNode]);
  const label = { column: name, cut: words };
  return draw(
    "svg",
    { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("histogram_of", label) },
    plotAxes(x, y, ticks(low, high, column.part === "days" ? 3 : 5), ticks(0, most, 3), {
      ...PLOT,
      acrossWords: (value) => formatCell(column, value),
    }),
    histogramBars(model, column, found, x, y),
    draw("path", { class: "cut-line", d: `M${cut.toFixed(1)} ${top - 4}V${height - bottom}` }),
    draw(
      "text",
      { class: "cut-words", x: cut.toFixed(1), y: top - 7, "text-anchor": anchorAt(cut, width, 0.25) },
      `${fitText(name, FONT.small, 150)} ≤ ${words}`,
    ),
  );
}

/** Text near an end of a plot is anchored so that it stays inside. */
function anchorAt(x, width, rim) {
  return x > width * (1 - rim) ? "end" : x < width * rim ? "start" : "middle";
}

/** The axes of a plot with a few numbers each; `acrossWords` and `words` format those of the two axes. */
function plotAxes(x, y, across, along, place = PLOT) {
  const { width, height, left, right, bottom, words = formatNumber, acrossWords = formatNumber } = place;
  const base = height - bottom;
  return [
    draw("path", { class: "axis", d: `M${left} ${base}H${width - right}` }),
    across.map((value) =>
      draw(
        "text",
        { class: "tick", x: x(value).toFixed(1), y: base + 14, "text-anchor": anchorAt(x(value), width, 0.06) },
        acrossWords(value),
      ),
    ),
    along
      .filter((value) => value > 0)
      .map((value) => [
        draw("path", { class: "grid", d: `M${left} ${y(value).toFixed(1)}H${width - right}` }),
        draw(
          "text",
          { class: "tick", x: left - 4, y: (y(value) + 3.5).toFixed(1), "text-anchor": "end" },
          words(value),
        ),
      ]),
  ];
}
