"use strict";
// Box charts: the small chart in a box. A node with a split has the histogram of its column with the threshold, or
// a bar for each branch; a leaf has a bar for each class, or the distribution of the target. The numbers are those of
// the panel.

const CHART = { height: 36, gap: 10, narrow: 116 };

/** The height of a box without a chart. */
const PLAIN_HEIGHT = BOX.height;

/** Trees with more leaves have no charts unless the user asks for them. */
const MAX_CHART_LEAVES = 20;

/** Lower windows, such as those of phones, have none either. */
const MIN_CHART_WINDOW = 420;

/** Bars of a leaf or a split. */
const MAX_CHART_BARS = 12;

/** Whether the user chose to show the charts or not; null before that. */
const charts = { chosen: null };

/** Show or hide the charts as the user chose, otherwise as fits the size of the tree. */
function applyCharts() {
  const { view, model } = page;
  const small = view.leaves > 1 && view.leaves <= MAX_CHART_LEAVES && stage.height >= MIN_CHART_WINDOW;
  page.charts = charts.chosen ?? (model.doc.from_rows && small);
  BOX.height = PLAIN_HEIGHT + (page.charts ? CHART.height + CHART.gap : 0);
  emit("charts");
}

function toggleCharts() {
  charts.chosen = !page.charts;
  applyCharts();
  emit("tree");
  flyTo(firstCamera());
}

function boxChart(view, node, width) {
  if (!page.charts) return null;
  const place = `translate(11 ${PLAIN_HEIGHT + 2})`;
  return draw("g", { class: "box-chart", transform: place }, chartParts(view, node, width - 22));
}

function chartParts(view, node, width) {
  const { model } = view;
  const base = draw("path", { class: "chart-base", d: `M0 ${CHART.height}H${width}` });
  if (isLeaf(view, node))
    return [model.isNumber ? targetChart(view, node, width) : classChart(view, node, width), base];
  const found = view.split[node] === node ? model.doc.distributions[node] : undefined;
  return [found ? columnChart(model, node, found, width) : branchChart(view, node, width), base];
}

/** The histogram of the column that a node splits on, with the threshold. */
function columnChart(model, node, found, width) {
  const { edges, counts } = found;
  const [low, high] = [edges[0], edges[edges.length - 1]];
  const most = highestOf(counts.map((bin) => (model.isNumber ? bin[0] : sum(bin)))) || 1;
  const x = (value) => ((value - low) / (high - low)) * width;
  const y = (weight) => CHART.height * (1 - weight / most);
  const cut = x(model.threshold[node]).toFixed(1);
  const column = model.columns[model.column[node]];
  return [
    histogramBars(model, column, found, x, y),
    draw("path", { class: "chart-cut", d: `M${cut} -3V${CHART.height}` }),
  ];
}

/** Bars side by side, each of parts [weight, colour] from the bottom up; the highest has the height of the chart. */
function chartBars(bars, width) {
  const most = highestOf(bars.map((parts) => sum(parts.map(([weight]) => weight)))) || 1;
  const step = width / bars.length;
  const thick = Math.min(step * 0.8, 26);
  return bars.map((parts, i) => {
    let top = CHART.height;
    return parts.map(([weight, fill]) => {
      const height = (weight / most) * CHART.height;
      top -= height;
      const x = ((i + 0.5) * step - thick / 2).toFixed(1);
      return draw("rect", { x, y: top.toFixed(1), width: thick.toFixed(1), height: height.toFixed(1), fill });
    });
  });
}

/** A bar for each branch: its height is the weight, its parts are the classes. */
function branchChart(view, node, width) {
  const bars = childrenOf(view, node)
    .slice(0, MAX_CHART_BARS)
    .map((child) =>
      view.model.isNumber
        ? [[weightOf(view, child), nodeColour(view, child)]]
        : Array.from(statsOf(view, child), (weight, code) => [weight, classPaint(code)]),
    );
  return chartBars(bars, width);
}

/** A bar for each class; of many classes the heaviest ones. */
function classChart(view, node, width) {
  const { shown } = heaviestClasses(Array.from(statsOf(view, 0)), MAX_CHART_BARS);
  const stats = statsOf(view, node);
  const codes = shown.map(([code]) => code).sort((a, b) => a - b);
  return chartBars(
    codes.map((code) => [[stats[code], classPaint(code)]]),
    width,
  );
}

/** The distribution of the target in a leaf, or only its mean and spread if the rows are not those of the tree. */
function targetChart(view, node, width) {
  const found = view.model.doc.target_distribution;
  const { numberRange } = view.model;
  if (found && changedContents(view, node) === undefined) {
    const middle = (i) => (found.edges[i] + found.edges[i + 1]) / 2;
    const bars = found.counts[node].map((weight, i) => [[weight, numberColour(middle(i), numberRange)]]);
    return chartBars(bars, width);
  }
  const [low, high] = numberRange;
  const x = (value) => (Math.min(1, Math.max(0, (value - low) / (high - low || 1))) * width).toFixed(1);
  const [value] = valueOf(view, node);
  const spread = weightOf(view, node) > 0 ? spreadOf(view, node) : 0;
  const middle = CHART.height / 2;
  return [
    draw("path", { class: "chart-cut", d: `M${x(value - spread)} ${middle}H${x(value + spread)}` }),
    draw("circle", { class: "dot", cx: x(value), cy: middle, r: 5, fill: nodeColour(view, node) }),
  ];
}
