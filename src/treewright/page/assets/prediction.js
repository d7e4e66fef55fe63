"use strict";
// Prediction: routes a case through a view, as the library's `predict` does: the nodes it reaches with its weight
// there, where it ends, which columns are still needed, the predicted class or number, and how its probability is
// computed.
//
// A value is a number (a category's code), NaN if it is missing, minus infinity for a category that did not occur
// in training, and undefined if it has not been entered yet.

const UNSEEN = -Infinity;

/** How the branch of a step was determined. */
const BY = { value: "value", share: "share", surrogate: "surrogate", missing: "missing", majority: "majority" };

/**
 * The path of a case. Each step: node, weight, end (null, "leaf", "stop", "open", "refused"), by, branch, surrogate
 * (its index), column (whose value an open or refused end needs), from (index of the step before). Steps follow the
 * tree.
 */
function route(view, look) {
  const { model } = view;
  const steps = [];
  const waiting = [{ node: 0, weight: 1, from: -1 }];
  while (waiting.length) {
    const { node, weight, from } = waiting.pop();
    const step = { node, weight, from, end: null, by: null, branch: -1, surrogate: -1, column: -1 };
    const place = steps.push(step) - 1;
    const splitNode = view.split[node];
    if (splitNode < 0) {
      step.end = "leaf";
      continue;
    }
    step.column = model.column[splitNode];
    chooseBranch(view, look, step);
    if (step.end !== null) continue;
    if (step.by !== BY.share) {
      waiting.push({ node: model.first[splitNode] + step.branch, weight, from: place });
      continue;
    }
    const children = childrenOf(view, node);
    for (let b = children.length - 1; b >= 0; b--) {
      const part = weight * shareOf(view, children[b]);
      if (part > 0) waiting.push({ node: children[b], weight: part, from: place });
    }
  }
  return steps;
}

/** Set the branch of a step and how it was determined, or that the path ends here. */
function chooseBranch(view, look, step) {
  const { missing, unseen } = view.model.doc;
  let value = look(step.column);
  if (value === undefined) {
    step.end = "open";
  } else if (value > UNSEEN) {
    takeBranch(step, BY.value, branchOf(view, step.node, value));
  } else {
    if (value === UNSEEN && unseen === "missing") value = NaN;
    if (value === UNSEEN && unseen === "majority")
      takeBranch(step, BY.majority, namedBranch(view, step.node, "heaviest"));
    else if (value === UNSEEN) step.end = unseen === "stop" ? "stop" : "refused";
    else chooseBranchIfMissing(view, missing, look, step);
  }
}

function chooseBranchIfMissing(view, rule, look, step) {
  if (rule.goes === "shares") takeBranch(step, BY.share, -1);
  else if (rule.goes === "heaviest branch") takeBranch(step, BY.majority, namedBranch(view, step.node, "heaviest"));
  else if (rule.goes === "stays") step.end = "stop";
  else if (rule.goes === "refused") step.end = "refused";
  else {
    if (rule.surrogates && trySurrogates(view.model, view.split[step.node], look, step)) return;
    takeBranch(step, BY.missing, namedBranch(view, step.node, "missing_branch"));
  }
}

function takeBranch(step, by, branch) {
  step.by = by;
  step.branch = branch;
}

/** The first surrogate whose value is known determines the branch; one that has not been entered is needed. */
function trySurrogates(model, splitNode, look, step) {
  const all = model.doc.nodes.surrogates;
  const userText = (all && all[splitNode]) || [];
  for (let s = 0; s < userText.length; s++) {
    const value = look(userText[s].column);
    if (value === undefined) {
      step.end = "open";
      step.column = userText[s].column;
      return true;
    }
    if (!(value > UNSEEN)) continue;
    const branch = surrogateBranch(userText[s], value);
    if (branch < 0) continue;
    step.surrogate = s;
    takeBranch(step, BY.surrogate, branch);
    return true;
  }
  return false;
}

function surrogateBranch(surrogate, value) {
  if (!surrogate.table) return value <= surrogate.threshold ? surrogate.low_branch : 1 - surrogate.low_branch;
  return tableBranch(surrogate.table, value, -1);
}

/** The steps at which the path ends. */
function endSteps(steps) {
  return steps.filter((step) => step.end !== null);
}

/** The mean of the values at the ends, by weight (Kahan summation), as in the library. */
function meanValue(view, ends) {
  if (ends.length === 1) return Array.from(valueOf(view, ends[0].node));
  const width = valueOf(view, 0).length;
  const sum = new Array(width).fill(0);
  const lost = new Array(width).fill(0);
  for (const { node, weight } of ends) {
    const value = valueOf(view, node);
    for (let k = 0; k < width; k++) {
      const term = weight * value[k] - lost[k];
      const total = sum[k] + term;
      lost[k] = total - sum[k] - term;
      sum[k] = total;
    }
  }
  return sum;
}

/** The prediction for a case that has ended: {value, prediction}; the class code, or the number. */
function predict(view, steps) {
  const ends = endSteps(steps);
  const value = meanValue(view, ends);
  if (view.model.isNumber) return { value, prediction: value[0] };
  return { value, prediction: chooseClass(view.model, value, ends.length > 1) };
}

/** A case as codes, from a list in the order of the columns or an object by name. */
function encodeCase(model, values) {
  return model.columns.map((column, i) => {
    const value = Array.isArray(values) ? values[i] : values[column.name];
    return encodeValue(column, value);
  });
}

function encodeValue(column, value) {
  if (value === null || value === undefined || Number.isNaN(value)) return NaN;
  if (column.kind === "number") return typeof value === "number" ? value : parseNumber(String(value));
  const code = column.codes.get(String(value));
  return code === undefined ? UNSEEN : code;
}

/** Relative rounding error of sums that should be equal. */
const TOLERANCE = 1e-12;

/** The code of the predicted class for these probabilities; the first one on a tie. */
function chooseClass(model, value, isMean) {
  const rule = model.doc.prediction_rule;
  if (!rule) return largest(value, isMean ? TOLERANCE : 0);
  if (!rule.costs) return largest(value, TOLERANCE);
  const costs = expectedCosts(rule, value);
  const least = costs.reduce((one, other) => Math.min(one, other));
  return costs.findIndex((cost) => cost <= least * (1 + TOLERANCE));
}

/** The expected cost of predicting each class. */
function expectedCosts({ costs }, value) {
  const found = new Array(value.length).fill(0);
  costs.forEach((row, truth) => row.forEach((cost, code) => (found[code] += value[truth] * cost)));
  return found;
}

/** The class weights of a node without the factors by which costs changed them in growth. */
function statsWithoutCosts(view, node) {
  const rule = view.model.doc.prediction_rule;
  const stats = Array.from(statsOf(view, node));
  return rule && rule.factors ? stats.map((weight, code) => weight / rule.factors[code]) : stats;
}

/** The weight of a node without these factors. */
function weightWithoutCosts(view, node) {
  const rule = view.model.doc.prediction_rule;
  return rule && rule.factors
    ? statsWithoutCosts(view, node).reduce((all, one) => all + one, 0)
    : weightOf(view, node);
}

/** How the probability or the number was computed and what each class would cost; null for plain proportions. */
function predictionNotes(view, value, node, code) {
  const rule = view.model.doc.prediction_rule;
  if (!rule) return null;
  const write = view.model.isNumber ? numberText : probabilityText;
  const words = node === null ? null : write(rule, view, node, code);
  const parts = words === null ? [] : [smallPrint(words)];
  if (rule.costs) {
    const all = expectedCosts(rule, value).map((cost, code) => [code, cost]);
    all.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    const texts = all.slice(0, 8).map(([code, cost]) => `${view.model.classes[code]} ${formatNumber(cost, 4)}`);
    parts.push(smallPrint(t("prediction_costs", { costs: texts.join(", ") + (all.length > 8 ? ", …" : "") })));
  }
  return parts;
}

/** How the number of a node follows from the mean of its rows; null without rows. */
function numberText(rule, view, node) {
  const [weight, mean] = statsOf(view, node);
  if (!(weight > 0)) return null;
  const [own, found] = [mean, valueOf(view, node)[0]].map((one) => formatNumber(one, 5));
  return t("number_shrunk", { own, amount: formatNumber(rule.amount, 4), found });
}

/** The arithmetic of a class probability at a node; null if it is the proportion of its rows. */
function probabilityText(rule, view, node, code) {
  const rows = statsWithoutCosts(view, node).map((weight) => weight / rule.row_weight);
  const whole = rows.reduce((sum, one) => sum + one, 0);
  if (!(whole > 0) || (rule.probability === "frequency" && !rule.factors)) return null;
  const predicted = view.model.classes[code];
  const found = percent(valueOf(view, node)[code]);
  if (rule.probability === "shrinkage")
    return t("probability_shrunk", {
      predicted,
      share: percent(rows[code] / whole),
      amount: formatNumber(rule.amount, 4),
      found,
    });
  const added = rule.added.reduce((sum, one) => sum + one, 0);
  const parts = [rows[code], rule.added[code], whole, added].map((one) => formatNumber(one, 4));
  const calculation =
    rule.probability === "frequency"
      ? `${parts[0]} / ${parts[2]}`
      : `(${parts[0]} + ${parts[1]}) / (${parts[2]} + ${parts[3]})`;
  return t("probability_calculated", { predicted, calculation, found });
}
