"use strict";
// Distribution: how the rows of a node lie in the column it asks for. In: the document's histogram, or the children.
// Out: bars of the classes in each bin with the cut between them; for categories a bar for each branch.

const PLOT = { width: 340, height: 150, left: 44, right: 8, top: 18, bottom: 22 };
const BARS_SHOWN = 14;

function distributionPart(view, node) {
  if (isLeaf(view, node)) return null;
  const { model } = view;
  const question = view.split[node];
  if (
    model.tables[question] !== null ||
    model.columns[model.column[question]].kind !== "number" ||
    model.threshold[question] === Infinity
  ) {
    return [branchBars(view, node)];
  }
  const found = model.doc.distributions[question];
  if (!found) return [branchBars(view, node), absent("histogram_absent", pythonCall("why", question))];
  const note_raised = question === node ? null : note(say("histogram_raised"));
  return [histogram(model, question, found), note_raised];
}

/** One bar for each branch, as long as its share of the rows, parted by class. */
function branchBars(view, node) {
  const children = childrenOf(view, node);
  const most = highestOf(children.map((child) => weightOf(view, child))) || 1;
  const rows = children.slice(0, BARS_SHOWN).map((child) => {
    const weight = weightOf(view, child);
    const bar = make("div", { class: "branch-bar" }, branchStack(view, child));
    bar.style.width = `${Math.max(2, (weight / most) * 100)}%`;
    return make(
      "tr",
      null,
      make("th", { scope: "row" }, nodeLink(child, branchLabel(view, child))),
      make("td", { class: "bar-cell" }, bar),
      make("td", { class: "number" }, weightWords(weight)),
    );
  });
  const more = children.length - BARS_SHOWN;
  if (more > 0)
    rows.push(make("tr", { class: "quiet" }, make("td", { colspan: 3 }, sayCount("more_branches", more))));
  const caption = make("caption", null, own(questionName(view, node)));
  return make("table", { class: "branch-bars" }, caption, make("tbody", null, rows));
}

function branchStack(view, child) {
  if (view.model.isNumber) return stackedBar([[1, nodeColour(view, child)]], answerWords(view, child));
  const stats = statsOf(view, child);
  const parts = Array.from(stats, (weight, code) => [weight, classPaint(code)]).filter(([weight]) => weight > 0);
  return stackedBar(parts, `${answerWords(view, child)} ${percent(answerShare(view, child))}`);
}

/** What stands in a bin, from the bottom up: [weight, paint, words] of each class, or of the mean of a number. */
function binParts(model, bin) {
  if (model.isNumber) return [[bin[0], numberColour(bin[1], model.numberRange), figure(bin[1], 4)]];
  return bin.map((weight, code) => [weight, classPaint(code), model.classes[code]]);
}

/** The bars of the bins, each piece with a title that says it. */
function histogramBars(model, { edges, counts }, x, y) {
  return counts.map((bin, i) => {
    const [from, to] = [x(edges[i]), x(edges[i + 1])];
    const place = { x: (from + 0.5).toFixed(1), width: Math.max(0.5, to - from - 1).toFixed(1) };
    const span = `${figure(edges[i])} – ${figure(edges[i + 1])}`;
    let base = 0;
    return binParts(model, bin).map(([weight, fill, words]) => {
      if (!(weight > 0)) return null;
      const bottom = y(base);
      base += weight;
      const size = { y: y(base).toFixed(1), height: (bottom - y(base)).toFixed(1), fill };
      return draw("rect", { ...place, ...size }, draw("title", null, `${span}: ${words} (${weightWords(weight)})`));
    });
  });
}

function histogram(model, question, found) {
  const { width, height, left, right, top, bottom } = PLOT;
  const { edges, counts } = found;
  const [low, high] = [edges[0], edges[edges.length - 1]];
  const most = highestOf(counts.map((bin) => (model.isNumber ? bin[0] : sum(bin)))) || 1;
  const x = (value) => left + ((value - low) / (high - low)) * (width - left - right);
  const y = (weight) => height - bottom - (weight / most) * (height - top - bottom);
  const cut = x(model.threshold[question]);
  const name = model.columns[model.column[question]].shown;
  const words = thresholdWords(model.doc.nodes.threshold_words[question], model.threshold[question]);
  const label = { column: name, cut: words };
  return draw(
    "svg",
    { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": say("histogram_of", label) },
    plotAxes(x, y, ticks(low, high, 5), ticks(0, most, 3)),
    histogramBars(model, found, x, y),
    draw("path", { class: "cut-line", d: `M${cut.toFixed(1)} ${top - 4}V${height - bottom}` }),
    draw(
      "text",
      { class: "cut-words", x: cut.toFixed(1), y: top - 7, "text-anchor": anchorAt(cut, width, 0.25) },
      `${fitted(name, FONT.small, 150)} ≤ ${words}`,
    ),
  );
}

/** Text near an end of a plot stays within it. */
function anchorAt(x, width, rim) {
  return x > width * (1 - rim) ? "end" : x < width * rim ? "start" : "middle";
}

/** The axes of a plot, with a few numbers at each; `words` writes those along it. */
function plotAxes(x, y, across, along, place = PLOT) {
  const { width, height, left, right, bottom, words = figure } = place;
  const base = height - bottom;
  return [
    draw("path", { class: "axis", d: `M${left} ${base}H${width - right}` }),
    across.map((value) =>
      draw(
        "text",
        { class: "tick", x: x(value).toFixed(1), y: base + 14, "text-anchor": anchorAt(x(value), width, 0.06) },
        figure(value),
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
