"use strict";
// Route: where a case goes. In: a view and what the case has of each column. Out: the nodes it comes to with its
// weight there, where it ends, what is still to be asked, and the answer. This is the rule of the library's predict.
//
// A value is a number (a category's code), NaN where it is missing, minus infinity for a category that training never
// showed, and undefined where nobody has asked yet.

const UNSEEN = -Infinity;

/** How a step was decided. */
const BY = { value: "value", share: "share", surrogate: "surrogate", missing: "missing", majority: "majority" };

/**
 * The case's way. Each step: node, weight, end (null, "leaf", "stop", "open", "refused"), by, branch, surrogate (its
 * place), column (what an open or refused end lacks), from (the step before). Steps stand in the order of the tree.
 */
function send(view, look) {
  const { model } = view;
  const steps = [];
  const waiting = [{ node: 0, weight: 1, from: -1 }];
  while (waiting.length) {
    const { node, weight, from } = waiting.pop();
    const step = { node, weight, from, end: null, by: null, branch: -1, surrogate: -1, column: -1 };
    const place = steps.push(step) - 1;
    const question = view.split[node];
    if (question < 0) {
      step.end = "leaf";
      continue;
    }
    step.column = model.column[question];
    decide(view, look, step);
    if (step.end !== null) continue;
    if (step.by !== BY.share) {
      waiting.push({ node: model.first[question] + step.branch, weight, from: place });
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

/** Write into the step which branch is taken, and why; or that it ends here. */
function decide(view, look, step) {
  const { missing, unseen } = view.model.doc;
  let value = look(step.column);
  if (value === undefined) {
    step.end = "open";
  } else if (value > UNSEEN) {
    take(step, BY.value, branchOf(view, step.node, value));
  } else {
    if (value === UNSEEN && unseen === "missing") value = NaN;
    if (value === UNSEEN && unseen === "majority")
      take(step, BY.majority, namedBranch(view, step.node, "heaviest"));
    else if (value === UNSEEN) step.end = unseen === "stop" ? "stop" : "refused";
    else decideMissing(view, missing, look, step);
  }
}

function decideMissing(view, rule, look, step) {
  if (rule.goes === "shares") take(step, BY.share, -1);
  else if (rule.goes === "heaviest branch") take(step, BY.majority, namedBranch(view, step.node, "heaviest"));
  else if (rule.goes === "stays") step.end = "stop";
  else if (rule.goes === "refused") step.end = "refused";
  else {
    if (rule.surrogates && askSurrogates(view.model, view.split[step.node], look, step)) return;
    take(step, BY.missing, namedBranch(view, step.node, "missing_branch"));
  }
}

function take(step, by, branch) {
  step.by = by;
  step.branch = branch;
}

/** The first surrogate that knows its value names the branch; one that nobody has asked for yet is asked for. */
function askSurrogates(model, question, look, step) {
  const all = model.doc.nodes.surrogates;
  const own = (all && all[question]) || [];
  for (let s = 0; s < own.length; s++) {
    const value = look(own[s].column);
    if (value === undefined) {
      step.end = "open";
      step.column = own[s].column;
      return true;
    }
    if (!(value > UNSEEN)) continue;
    const branch = surrogateBranch(own[s], value);
    if (branch < 0) continue;
    step.surrogate = s;
    take(step, BY.surrogate, branch);
    return true;
  }
  return false;
}

function surrogateBranch(surrogate, value) {
  if (!surrogate.table) return value <= surrogate.threshold ? surrogate.low_branch : 1 - surrogate.low_branch;
  return tableBranch(surrogate.table, value, -1);
}

/** The steps at which the way ends, answered or not. */
function endsOf(steps) {
  return steps.filter((step) => step.end !== null);
}

/** The mean of what stands at the ends, by the weight there (Kahan's sum), as the library makes it. */
function meanOf(view, ends) {
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

/** The answer to a case that has ended: {value, answer}; answer is the class's code, or the number. */
function answerTo(view, steps) {
  const ends = endsOf(steps);
  const value = meanOf(view, ends);
  if (view.model.isNumber) return { value, answer: value[0] };
  return { value, answer: decided(view.model, value, ends.length > 1) };
}

/** A case as codes: from a list in the order of the columns, or an object by their names. */
function encodeCase(model, values) {
  return model.columns.map((column, i) => {
    const value = Array.isArray(values) ? values[i] : values[column.name];
    return encodeValue(column, value);
  });
}

function encodeValue(column, value) {
  if (value === null || value === undefined || Number.isNaN(value)) return NaN;
  if (column.kind === "number") return typeof value === "number" ? value : typedNumber(String(value));
  const code = column.codes.get(String(value));
  return code === undefined ? UNSEEN : code;
}
