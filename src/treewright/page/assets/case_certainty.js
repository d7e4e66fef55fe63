"use strict";
// Case certainty: how far an answer can be trusted. In: where the case ends. Out: the rows behind the answer with their
// interval, what the tree said before pruning, and what the tree that answers says where another one is shown.

/** How sure the rows behind the answer make it, and why that is not the whole truth. */
function intervalPart(ends) {
  const { view, model } = page;
  if (ends.length > 1) return note(say("interval_shared"));
  const [{ node }] = ends;
  const rows = rowsWorth(view, node);
  const stats = model.isNumber ? statsOf(view, node) : unalteredStats(view, node);
  const scale = rows > 0 ? rows / unalteredWeight(view, node) : 0;
  const found = model.isNumber
    ? model.doc.by_median
      ? null
      : meanInterval(valueOf(view, node)[0], stats[2] * scale, rows)
    : shareInterval(stats[answerOf(view, node)] * scale, rows);
  const behind = say(model.isNumber ? "behind_number" : "behind_class", {
    rows: weightWords(rows),
    node: nodeName(node),
    answer: answerWords(view, node),
    hits: model.isNumber ? "" : weightWords(stats[answerOf(view, node)] * scale),
  });
  if (found === null) return note(behind);
  const limits = model.isNumber ? found.map((x) => figure(x, 4)) : found.map(percent);
  return make(
    "div",
    null,
    make("p", null, behind),
    make("p", null, say("interval", { low: limits[0], high: limits[1] })),
    note(say("interval_caveat")),
  );
}

/** How many rows the weight of a node stands for; weights that are importances make no more rows than there are. */
function rowsWorth(view, node) {
  const unit = view.model.doc.row_weight;
  const rows = unalteredWeight(view, node) / unit;
  const areCopies = unit === 1 && weightOf(view, 0) > held(view, 0, "count") + 0.5;
  return areCopies ? rows : Math.min(rows, held(view, node, "count"));
}

/** What another view answers to the case, beside what the one shown does. */
function otherAnswer(other, key) {
  const steps = send(other, (column) =>
    consult.answers.has(column) ? consult.answers.get(column).code : undefined,
  );
  const open = steps.find(({ end }) => end === "open");
  if (open) return note(say(key + "_open", { column: page.model.columns[open.column].shown }));
  const then = answerTo(other, steps);
  const same = sameAnswer(then, answerTo(page.view, consult.steps));
  return note(say(key + (same ? "_same" : "_other"), { answer: saidAnswer(then) }));
}

/** What the grown tree said, what the tree that answers says where another is shown, and where the way was cut. */
function beforePart() {
  const { view } = page;
  const isOwn = sameTree(view, ownView());
  const decisions = consult.steps
    .map(({ node }) => page.model.doc.decisions[node])
    .filter((one) => one && one.verdict !== "kept" && one.words);
  return [
    sameTree(view, grownView()) ? note(say("before_none")) : otherAnswer(grownView(), "before"),
    isOwn ? null : otherAnswer(ownView(), "itself"),
    isOwn ? decisions.slice(0, 5).map(({ words }) => note(shownText(words))) : null,
  ];
}

/** Whether two views are one tree. */
function sameTree(one, other) {
  return (
    one === other ||
    (one.order.length === other.order.length &&
      one.split.every((split, i) => split === other.split[i] || one.depth[i] < 0))
  );
}
