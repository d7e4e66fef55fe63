"use strict";
// Case changes: what would alter the answer. In: a case that has its answer. Out: for each column it was asked for, the
// nearest other value that gives another answer, everything else staying as it is.

/** Stretches of a number that are tried on either side of what the case has. */
const STRETCHES_TRIED = 1500;
const CHANGES_TOLD = 5;

function changesPart() {
  const found = consult.asked
    .filter((column) => consult.answers.has(column))
    .map((column) => nearestChange(column))
    .filter((change) => change !== null);
  if (!found.length) return null;
  const items = found
    .slice(0, CHANGES_TOLD)
    .map(({ words, column, then }) =>
      make(
        "li",
        null,
        own(words),
        make("span", { class: "quiet" }, " (" + say("now") + " ", own(answerSaid(column)), ") → "),
        own(saidAnswer(then)),
      ),
    );
  return [make("h3", null, say("changes")), make("ul", { class: "branches" }, items)];
}

/** An answer in words, with its share. */
function saidAnswer({ value, answer }) {
  const { model } = page;
  return model.isNumber ? figure(answer, 5) : `${model.classes[answer]} ${percent(value[answer])}`;
}

/** The answer with another value in one column; null where more would have to be asked, or the rule refuses. */
function answerWith(column, code) {
  const steps = send(page.view, (c) => {
    if (c === column) return code;
    return consult.answers.has(c) ? consult.answers.get(c).code : undefined;
  });
  return endsOf(steps).some(({ end }) => end === "open" || end === "refused") ? null : answerTo(page.view, steps);
}

function sameAnswer(one, other) {
  if (one === null || other === null) return one === other;
  if (!page.model.isNumber) return one.answer === other.answer;
  return Math.abs(one.answer - other.answer) <= 1e-9 * Math.max(Math.abs(one.answer), Math.abs(other.answer));
}

function nearestChange(column) {
  const { kind } = page.model.columns[column];
  return kind === "number" ? nearestNumber(column) : nearestCategories(column);
}

/** The categories that give the answer which most of them would give, other than the one the case gets. */
function nearestCategories(column) {
  const { shown, categories } = page.model.columns[column];
  const now = answerTo(page.view, consult.steps);
  const { code: has } = consult.answers.get(column);
  let first = null;
  const codes = [];
  for (let code = 0; code < Math.min(categories.length, STRETCHES_TRIED); code++) {
    const then = code === has ? null : answerWith(column, code);
    if (then === null || sameAnswer(then, now)) continue;
    if (first === null) first = then;
    if (sameAnswer(then, first)) codes.push(code);
  }
  if (first === null) return null;
  const names = codes.map((code) => categories[code]);
  const words = names.length === 1 ? `${shown} = ${names[0]}` : `${shown} ∈ ${setWords(names)}`;
  return { column, words, then: first };
}

/** The thresholds of a column in the tree shown, its own and those of surrogates, rising. */
function thresholdsOf(column) {
  const { view, model } = page;
  const found = new Set();
  const { surrogates } = model.doc.nodes;
  for (const node of view.order) {
    const question = view.split[node];
    if (question < 0) continue;
    if (model.column[question] === column && Number.isFinite(model.threshold[question])) {
      found.add(model.threshold[question]);
    }
    for (const one of (surrogates && surrogates[question]) || []) {
      if (one.column === column && !one.table) found.add(one.threshold);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** Between two thresholds the answer is one; stretch i ends with threshold i, the last one nowhere. */
function nearestNumber(column) {
  const cuts = thresholdsOf(column);
  const now = answerTo(page.view, consult.steps);
  const { code: has } = consult.answers.get(column);
  const known = !Number.isNaN(has);
  const stretch = known ? lowerBound(cuts, (cut) => cut >= has) : -1;
  const at = (i) => answerWith(column, i < cuts.length ? cuts[i] : Number.MAX_VALUE);
  const found = [];
  for (const step of [-1, 1]) {
    for (let i = stretch + step, n = 0; i >= 0 && i <= cuts.length && n < STRETCHES_TRIED; i += step, n++) {
      const then = at(i);
      if (then === null || sameAnswer(then, now)) continue;
      found.push({ i, then, distance: known ? (step < 0 ? has - cuts[i] : cuts[i - 1] - has) : 0 });
      break;
    }
  }
  if (!found.length) return null;
  const best = found.length > 1 && found[1].distance < found[0].distance ? found[1] : found[0];
  return { column, words: stretchWords(column, cuts, best, at), then: best.then };
}

/** The stretch with those beside it that give the same answer: "45.5 < age ≤ 62.5". */
function stretchWords(column, cuts, { i, then }, at) {
  let [low, high] = [i, i];
  while (low > 0 && i - low < 100 && sameAnswer(at(low - 1), then)) low -= 1;
  while (high < cuts.length && high - i < 100 && sameAnswer(at(high + 1), then)) high += 1;
  const { shown } = page.model.columns[column];
  if (high === cuts.length) return `${shown} > ${numberWords(cuts[low - 1])}`;
  if (low === 0) return `${shown} ≤ ${numberWords(cuts[high])}`;
  return `${numberWords(cuts[low - 1])} < ${shown} ≤ ${numberWords(cuts[high])}`;
}
