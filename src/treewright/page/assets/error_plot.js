"use strict";
// Error plot: the errors of the trees of the cost-complexity path by number of leaves: a line for training,
// validation and cross-validation, a band for the standard error, the chosen tree and the tree shown. A click goes
// to the nearest tree.

const ERROR_PLOT = { width: 340, height: 204, left: 44, right: 10, top: 24, bottom: 32 };

/** The kinds of errors that the path has, as [name, errors]. */
function errorLines(path) {
  const lines = [
    ["training", path.training_error],
    ["validation", path.validation_error],
    ["cv", path.cv_error],
  ];
  return lines.filter(([, list]) => list);
}

/** The scales of the chart; leaves are on a logarithmic scale if there are many. */
function errorScales(path, lines) {
  const { width, height, left, right, top, bottom } = ERROR_PLOT;
  const most = highestOf(path.leaves);
  const log = most > 40;
  const part = (leaves) => (log ? Math.log(leaves) / Math.log(most) : (leaves - 1) / Math.max(1, most - 1));
  const above = (name, i) => (name === "cv" && path.cv_se ? path.cv_se[i] || 0 : 0);
  const tops = lines.map(([name, list]) => highestOf(list.map((error, i) => error + above(name, i))));
  const highest = highestOf([1e-12, ...tops]);
  const powers = [1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000, 300000];
  return {
    log,
    x: (leaves) => left + part(leaves) * (width - left - right),
    y: (error) => height - bottom - (error / highest) * (height - top - bottom),
    across: log ? powers.filter((n) => n <= most) : ticks(1, most, 5).filter(Number.isInteger),
    along: ticks(0, highest, 4),
  };
}

/** The chart. */
function errorPlot(path) {
  const lines = errorLines(path);
  if (!lines.length || path.alphas.length < 2) return null;
  const { width, height, right, top, bottom } = ERROR_PLOT;
  const { x, y, log, across, along } = errorScales(path, lines);
  const line = (list) =>
    "M" + list.map((error, i) => `${x(path.leaves[i]).toFixed(1)} ${y(error).toFixed(1)}`).join("L");
  const chosen = path.chosen === null || path.chosen === undefined ? null : x(path.leaves[path.chosen]).toFixed(1);
  pruningPanel.plot = { x, y, lines, mark: draw("g", { class: "plot-mark" }) };
  const go = (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * width;
    const places = path.leaves.map((leaves, i) => [Math.abs(x(leaves) - at), i]);
    setAlpha(places.reduce((best, one) => (one[0] < best[0] ? one : best))[1]);
  };
  const shape = { class: "plot error-plot", viewBox: `0 0 ${width} ${height}`, role: "img" };
  const title = { class: "tick", x: width - right, y: height - 4, "text-anchor": "end" };
  const svg = draw(
    "svg",
    { ...shape, "aria-label": t("error_plot", { errors: t("errors_" + errorUnit()) }), on: { click: go } },
    plotAxes(x, y, across, along, { ...ERROR_PLOT, words: formatError }),
    draw("text", title, t(log ? "leaves_log" : "leaves")),
    draw("text", { class: "tick", x: 2, y: 11 }, t("errors_" + errorUnit())),
    path.cv_error && path.cv_se ? draw("path", { class: "band", d: bandPath(path, x, y) }) : null,
    chosen === null ? null : draw("path", { class: "chosen-line", d: `M${chosen} ${top}V${height - bottom}` }),
    lines.map(([name, list]) => draw("path", { class: "error-line " + name, d: line(list) })),
    pruningPanel.plot.mark,
  );
  return [
    svg,
    make(
      "p",
      { class: "keys-line" },
      lines.map(([name]) => lineKey(name)),
    ),
  ];
}

function lineKey(name) {
  const sample = draw("path", { class: "error-line " + name, d: "M1 4H23" });
  const picture = draw("svg", { viewBox: "0 0 24 8", "aria-hidden": "true" }, sample);
  return make("span", { class: "key" }, picture, errorLabel(name));
}

/** One standard error up and down. */
function bandPath(path, x, y) {
  const at = (i, side) =>
    `${x(path.leaves[i]).toFixed(1)} ${y(Math.max(0, path.cv_error[i] + side * (path.cv_se[i] || 0))).toFixed(1)}`;
  const places = path.leaves.map((_, i) => i);
  return (
    "M" +
    places.map((i) => at(i, 1)).join("L") +
    "L" +
    places
      .reverse()
      .map((i) => at(i, -1))
      .join("L") +
    "Z"
  );
}

function markPlot(path, i) {
  const { plot } = pruningPanel;
  if (!plot) return;
  setChildren(
    plot.mark,
    i < 0
      ? null
      : plot.lines.map(([name, list]) =>
          draw("circle", {
            class: "error-dot " + name,
            cx: plot.x(path.leaves[i]).toFixed(1),
            cy: plot.y(list[i]).toFixed(1),
            r: 4,
          }),
        ),
  );
}
