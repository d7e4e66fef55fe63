"use strict";
// Case details: more about the prediction of a case: the nearest value of each column that would change it,
// the confidence interval of the leaf (Clopper-Pearson for a proportion, Student for a mean, as in `explain`), and
// the predictions of the unpruned tree and of the tree used for prediction.

/** Intervals between thresholds that are tried on either side of the value. */
const MAX_TRIED = 1500;
const MAX_CHANGES = 5;

function changesPart() {
  const found = caseState.columns
    .filter((column) => caseState.values.has(column))
    .map((column) => nearestChange(column))
    .filter((change) => change !== null);
  if (!found.length) return null;
  const items = found
    .slice(0, MAX_CHANGES)
    .map(({ words, column, then }) =>
      make(
        "li",
        null,
        userText(words),
        make("span", { class: "quiet" }, " (", tParts("now", { value: userText(valueText(column)) }), ") → "),
        userText(formatPrediction(then)),
      ),
    );
  return [make("h2", null, t("changes")), make("ul", { class: "branches" }, items)];
}

/** A prediction as text, with its probability. */
function formatPrediction({ value, prediction }) {
  const { model } = page;
  return model.isNumber
    ? formatNumber(prediction, 5)
    : `${model.classes[prediction]} ${percent(value[prediction])}`;
}

/** The prediction with another value in one column; null if more values are needed or the tree refuses it. */
function predictWith(column, code) {
  const steps = route(page.view, (c) => {
    if (c === column) return code;
    return caseState.values.has(c) ? caseState.values.get(c).code : undefined;
  });
  return endSteps(steps).some(({ end }) => end === "open" || end === "refused") ? null : predict(page.view, steps);
}

function samePrediction(one, other) {
  if (one === null || other === null) return one === other;
  if (!page.model.isNumber) return one.prediction === other.prediction;
  return (
    Math.abs(one.prediction - other.prediction) <=
    1e-9 * Math.max(Math.abs(one.prediction), Math.abs(other.prediction))
  );
}

function nearestChange(column) {
  const { kind } = page.model.columns[column];
  return kind === "number" ? nearestNumber(column) : nearestCategories(column);
}

/** The categories that lead to the first other prediction that is found. */
function nearestCategories(column) {
  const { shown, categories } = page.model.columns[column];
  const now = predict(page.view, caseState.steps);
  const { code: has } = caseState.values.get(column);
  let first = null;
  const codes = [];
  for (let code = 0; code < Math.min(categories.length, MAX_TRIED); code++) {
    const then = code === has ? null : predictWith(column, code);
    if (then === null || samePrediction(then, now)) continue;
    if (first === null) first = then;
    if (samePrediction(then, first)) codes.push(code);
  }
  if (first === null) return null;
  const names = codes.map((code) => categories[code]);
  const words = names.length === 1 ? `${shown} = ${names[0]}` : `${shown} ∈ ${setText(names)}`;
  return { column, words, then: first };
}

/** The thresholds of a column in the tree shown, those of surrogates included, ascending. */
function thresholdsOf(column) {
  const { view, model } = page;
  const found = new Set();
  const { surrogates } = model.doc.nodes;
  for (const node of view.order) {
    const splitNode = view.split[node];
    if (splitNode < 0) continue;
    if (model.column[splitNode] === column && Number.isFinite(model.threshold[splitNode])) {
      found.add(model.threshold[splitNode]);
    }
    for (const one of (surrogates && surrogates[splitNode]) || []) {
      if (one.column === column && !one.table) found.add(one.threshold);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** The prediction is constant between two thresholds; interval i ends at threshold i, the last one has no end. */
function nearestNumber(column) {
  const cuts = thresholdsOf(column);
  const now = predict(page.view, caseState.steps);
  const { code: has } = caseState.values.get(column);
  const known = !Number.isNaN(has);
  const stretch = known ? lowerBound(cuts, (cut) => cut >= has) : -1;
  const at = (i) => predictWith(column, i < cuts.length ? cuts[i] : Number.MAX_VALUE);
  const found = [];
  for (const step of [-1, 1]) {
    for (let i = stretch + step, n = 0; i >= 0 && i <= cuts.length && n < MAX_TRIED; i += step, n++) {
      const then = at(i);
      if (then === null || samePrediction(then, now)) continue;
      found.push({ i, then, distance: known ? (step < 0 ? has - cuts[i] : cuts[i - 1] - has) : 0 });
      break;
    }
  }
  if (!found.length) return null;
  const best = found.length > 1 && found[1].distance < found[0].distance ? found[1] : found[0];
  return { column, words: intervalText(column, cuts, best, at), then: best.then };
}

/** The interval, extended by its neighbours with the same prediction: "45.5 < age ≤ 62.5". */
function intervalText(column, cuts, { i, then }, at) {
  let [low, high] = [i, i];
  while (low > 0 && i - low < 100 && samePrediction(at(low - 1), then)) low -= 1;
  while (high < cuts.length && high - i < 100 && samePrediction(at(high + 1), then)) high += 1;
  const one = page.model.columns[column];
  const [above, atMost] = [cuts[low - 1], cuts[high]].map((cut) => exactCell(one, cut));
  if (high === cuts.length) return `${one.shown} > ${above}`;
  return low === 0 ? `${one.shown} ≤ ${atMost}` : `${above} < ${one.shown} ≤ ${atMost}`;
}

/** Lanczos coefficients, g = 7, nine terms. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** The logarithm of the gamma function, for x > 0. */
function logGamma(x) {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  let series = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) series += LANCZOS[i] / (z + i);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(series);
}

/** The regularised incomplete beta function, by its continued fraction (Lentz's algorithm). */
function incompleteBeta(a, b, x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The continued fraction converges fast only on this side of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const tiny = 1e-300;
  const kept = (value) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let product = d;
  for (let m = 1; m <= 10000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    product *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    product *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * product;
}

/** The x at which it equals p, by bisection. */
function inverseBeta(a, b, p) {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 200 && high - low > 1e-16 * high; i++) {
    const middle = (low + high) / 2;
    if (incompleteBeta(a, b, middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The confidence interval of a proportion: `hits` of `rows`, which need not be integers. */
function proportionInterval(hits, rows, confidence = 0.95) {
  if (!(rows > 0)) return null;
  const known = Math.min(Math.max(hits, 0), rows);
  const outside = (1 - confidence) / 2;
  const low = known > 0 ? inverseBeta(known, rows - known + 1, outside) : 0;
  const high = known < rows ? inverseBeta(known + 1, rows - known, 1 - outside) : 1;
  return [low, high];
}

/** The confidence interval of a mean, from the sum of squared errors. */
function meanInterval(mean, loss, rows, confidence = 0.95) {
  if (!(rows > 1)) return null;
  const freedom = rows - 1;
  const x = inverseBeta(freedom / 2, 0.5, 1 - confidence);
  const t = Math.sqrt((freedom * (1 - x)) / x);
  const reach = t * Math.sqrt(Math.max(loss, 0) / rows / freedom);
  return [mean - reach, mean + reach];
}

/** The training rows of the leaf and the confidence interval of the prediction. */
function confidencePart(ends) {
  const { view, model } = page;
  if (ends.length > 1) return smallPrint(t("interval_shared"));
  const [{ node }] = ends;
  const rows = effectiveRows(view, node);
  const stats = model.isNumber ? statsOf(view, node) : statsWithoutCosts(view, node);
  const scale = rows > 0 ? rows / weightWithoutCosts(view, node) : 0;
  const found = model.isNumber
    ? model.doc.by_median || model.doc.by_deviance
      ? null
      : meanInterval(stats[1], stats[2] * scale, rows)
    : proportionInterval(stats[predictedClass(view, node)] * scale, rows);
  const support = t(model.isNumber ? "support_number" : "support_class", {
    rows: formatWeight(rows),
    node: nodeName(node),
    predicted: predictionText(view, node),
    hits: model.isNumber ? "" : formatWeight(stats[predictedClass(view, node)] * scale),
  });
  if (found === null) return smallPrint(support);
  const limits = model.isNumber ? found.map((x) => formatNumber(x, 4)) : found.map(percent);
  return make(
    "div",
    null,
    make("p", null, support),
    make("p", null, t("interval", { low: limits[0], high: limits[1] })),
    smallPrint(t("interval_caveat")),
  );
}

/** The number of rows that the weight of a node represents; importance weights never add rows. */
function effectiveRows(view, node) {
  const unit = view.model.doc.row_weight;
  const rows = weightWithoutCosts(view, node) / unit;
  const areCopies = unit === 1 && weightOf(view, 0) > nodeField(view, 0, "count") + 0.5;
  return areCopies ? rows : Math.min(rows, nodeField(view, node, "count"));
}

/** What another view predicts for the case, compared with the view shown. */
function compareWith(other, key) {
  const steps = route(other, (column) =>
    caseState.values.has(column) ? caseState.values.get(column).code : undefined,
  );
  const open = steps.find(({ end }) => end === "open");
  if (open) return smallPrint(t(key + "_open", { column: page.model.columns[open.column].shown }));
  const then = predict(other, steps);
  const same = samePrediction(then, predict(page.view, caseState.steps));
  return smallPrint(t(key + (same ? "_same" : "_other"), { predicted: formatPrediction(then) }));
}

/**
 * The predictions of the unpruned tree and of the tree used for prediction, and the pruning decisions on the path.
 */
function comparisonPart() {
  const { view } = page;
  const isOwn = sameTree(view, ownView());
  const decisions = caseState.steps
    .map(({ node }) => page.model.doc.decisions[node])
    .filter((one) => one && one.verdict !== "kept" && one.words);
  return [
    sameTree(view, grownView()) ? smallPrint(t("not_pruned")) : compareWith(grownView(), "unpruned"),
    isOwn ? null : compareWith(ownView(), "used"),
    isOwn ? decisions.slice(0, 5).map(({ words }) => smallPrint(shownText(inLanguage(words)))) : null,
  ];
}

/** Whether two views are the same tree. */
function sameTree(one, other) {
  return (
    one === other ||
    (one.order.length === other.order.length &&
      one.split.every((split, i) => split === other.split[i] || one.depth[i] < 0))
  );
}
