"use strict";
// Answering: which class is answered, and how its probability came about. In: a view, a node or the mean of several.
// Out: the code of a class, what each answer costs on average, words. This is the rule of the library's predict.

/** Numbers that are added up may be apart by this part of them where they are the same. */
const SAME = 1e-12;

/** The code of the class that is answered where the classes have these probabilities; the first one on a tie. */
function decided(model, value, isMean) {
  const how = model.doc.answering;
  if (!how) return largest(value, isMean ? SAME : 0);
  if (!how.costs) return largest(value, SAME);
  const costs = expectedCosts(how, value);
  const least = costs.reduce((one, other) => Math.min(one, other));
  return costs.findIndex((cost) => cost <= least * (1 + SAME));
}

/** What each answer costs on average. */
function expectedCosts({ costs }, value) {
  const found = new Array(value.length).fill(0);
  costs.forEach((row, truth) => row.forEach((cost, answer) => (found[answer] += value[truth] * cost)));
  return found;
}

/** The class weights of a node as they were before growth multiplied them for the costs. */
function unalteredStats(view, node) {
  const how = view.model.doc.answering;
  const stats = Array.from(statsOf(view, node));
  return how && how.factors ? stats.map((weight, code) => weight / how.factors[code]) : stats;
}

/** The weight of a node, without what costs made of it in growth. */
function unalteredWeight(view, node) {
  const how = view.model.doc.answering;
  return how && how.factors ? unalteredStats(view, node).reduce((all, one) => all + one, 0) : weightOf(view, node);
}

/** What is said below an answer: how its probability came about, and what answers cost; null of plain shares. */
function answeringPart(view, value, node, answer) {
  const how = view.model.doc.answering;
  if (!how) return null;
  const words = node === null ? null : reckonedWords(how, view, node, answer);
  const parts = words === null ? [] : [note(words)];
  if (how.costs) {
    const all = expectedCosts(how, value).map((cost, code) => [code, cost]);
    all.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    const said = all.slice(0, 8).map(([code, cost]) => `${view.model.classes[code]} ${figure(cost, 4)}`);
    parts.push(note(say("answer_costs", { costs: said.join(", ") + (all.length > 8 ? ", …" : "") })));
  }
  return parts;
}

/** The probability of a class at a node as a person would work it out; null where it is the share of its rows. */
function reckonedWords(how, view, node, code) {
  const rows = unalteredStats(view, node).map((weight) => weight / how.row_weight);
  const whole = rows.reduce((sum, one) => sum + one, 0);
  if (!(whole > 0) || (how.probability === "frequency" && !how.factors)) return null;
  const answer = view.model.classes[code];
  const found = percent(valueOf(view, node)[code]);
  if (how.probability === "shrinkage")
    return say("answer_shrunk", {
      answer,
      share: percent(rows[code] / whole),
      amount: figure(how.amount, 4),
      found,
    });
  const added = how.added.reduce((sum, one) => sum + one, 0);
  const parts = [rows[code], how.added[code], whole, added].map((one) => figure(one, 4));
  const words =
    how.probability === "frequency"
      ? `${parts[0]} / ${parts[2]}`
      : `(${parts[0]} + ${parts[1]}) / (${parts[2]} + ${parts[3]})`;
  return say("answer_reckoned", { answer, words, found });
}
