"use strict";
// Case words: why a case gets its answer. In: the case's way. Out: what was asked, what the case has, which branch it
// takes and why; how the classes lie along the way; the answer with its shares, how sure the rows make it, and what the
// tree said before pruning.

const STEPS_TOLD = 40;
const ENDS_TOLD = 8;

function caseWords() {
  const { steps } = consult;
  if (!consult.answers.size) return null;
  const ends = endsOf(steps);
  const refused = ends.find(({ end }) => end === "refused");
  if (refused)
    return make(
      "p",
      { class: "problem" },
      say("case_refused", { column: page.model.columns[refused.column].shown }),
    );
  const open = ends.some(({ end }) => end === "open");
  const told = steps.filter(({ end }) => end !== "leaf");
  const shown = told.length > STEPS_TOLD ? heaviestSteps(told) : told;
  return [
    open ? soFar(ends) : answerPart(ends),
    make("h3", null, say("case_way")),
    make("ol", { class: "case-steps" }, shown.map(stepItem)),
    told.length > shown.length ? note(sayCount("case_steps_more", told.length - shown.length)) : null,
    open ? null : [intervalPart(ends), changesPart(), make("h3", null, say("before")), beforePart()],
  ];
}

function heaviestSteps(steps) {
  const chosen = new Set(
    steps
      .slice()
      .sort((a, b) => b.weight - a.weight)
      .slice(0, STEPS_TOLD),
  );
  return steps.filter((step) => chosen.has(step));
}

/** What the rows say that are like the case as far as it is known. */
function soFar(ends) {
  const value = meanOf(page.view, ends);
  return make("div", { class: "so-far" }, make("h3", null, say("case_so_far")), valueTable(value));
}

function answerPart(ends) {
  const { view, model } = page;
  const { value, answer } = answerTo(view, consult.steps);
  const said = model.isNumber ? numberWords(Number(answer.toPrecision(8))) : className(answer);
  return make(
    "div",
    { class: "answer" },
    make("h3", null, say("case_answer", { target: model.target })),
    make("p", { class: "answer-said" }, said, model.isNumber ? "" : " " + percent(value[answer])),
    valueTable(value),
    model.isNumber ? null : answeringPart(view, value, ends.length > 1 ? null : ends[0].node, answer),
    ends.length > 1 ? endsList(ends) : null,
  );
}

/** Shares of the classes as bars; of a number, its place among the tree's answers. */
function valueTable(value) {
  const { model } = page;
  if (model.isNumber) return make("p", null, figure(value[0], 5));
  const { shown, more, rest } = heaviestClasses(value, 8);
  const rows = shown.map(([code, share]) =>
    make(
      "tr",
      null,
      make("th", { scope: "row" }, className(code)),
      make("td", { class: "bar-cell" }, shareBar(share, classPaint(code), percent(share))),
      make("td", { class: "number" }, percent(share)),
    ),
  );
  if (more)
    rows.push(
      make(
        "tr",
        { class: "quiet" },
        make("th", { scope: "row", colspan: 2 }, sayCount("more_classes", more)),
        make("td", { class: "number" }, percent(rest)),
      ),
    );
  return make("table", { class: "class-table" }, make("tbody", null, rows));
}

/** Where the parts of a case end that was shared out. */
function endsList(ends) {
  const { view } = page;
  const sorted = ends.slice().sort((a, b) => b.weight - a.weight);
  const items = sorted
    .slice(0, ENDS_TOLD)
    .map(({ node, weight }) =>
      make(
        "li",
        null,
        percent(weight) + " ",
        nodeLink(node, nodeName(node)),
        " ",
        make("span", { class: "quiet" }, own(branchWords(view, node)), " · ", own(answerWords(view, node))),
      ),
    );
  if (sorted.length > ENDS_TOLD)
    items.push(make("li", { class: "quiet" }, sayCount("case_ends_more", sorted.length - ENDS_TOLD)));
  return [make("p", null, sayCount("case_shared", ends.length)), make("ul", { class: "branches" }, items)];
}

/** One node of the way in a sentence, with the classes there as a bar. */
function stepItem(step) {
  const { view, model } = page;
  const { node, weight } = step;
  const asked = model.column[view.split[node]];
  const has = answerSaid(asked);
  const goes = stepWords(step);
  const bar = model.isNumber ? null : make("span", { class: "step-bar" }, branchStack(view, node));
  const part = weight < 1 ? make("span", { class: "quiet" }, percent(weight) + " ") : null;
  // A branch that says no more than the value is not said again.
  const further = goes === "= " + has ? null : " → " + goes;
  return make(
    "li",
    null,
    bar,
    part,
    nodeLink(node, model.columns[asked].shown),
    " ",
    say("is"),
    " ",
    own(has, "own given"),
    further,
  );
}

/** Where the case goes from a node, and why if its value does not say so. */
function stepWords(step) {
  const { view, model } = page;
  const question = view.split[step.node];
  const tails = branchTails(question);
  if (step.end === "open")
    return step.column === model.column[question]
      ? say("step_open")
      : say("step_open_surrogate", { column: model.columns[step.column].shown });
  if (step.end === "stop") return say("step_stop");
  if (step.by === BY.share) return say("step_share", { parts: sharesWords(view, step.node) });
  const words = tails[step.branch];
  if (step.by === BY.value) return isAbsent(step) ? say("step_absent", { words }) : words;
  if (step.by === BY.majority) return say("step_majority", { words });
  if (step.by === BY.surrogate) {
    const one = model.doc.nodes.surrogates[question][step.surrogate];
    return say("step_surrogate", {
      words,
      column: model.columns[one.column].shown,
      value: answerSaid(one.column),
      share: percent(one.agree),
    });
  }
  const { adds_branch, why } = model.doc.missing;
  return adds_branch && onlyMissing(model, question) === step.branch ? words : words + inLanguage(why);
}

/** Whether the case has a category that did not come to the node in training. */
function isAbsent(step) {
  const { model, view } = page;
  const table = model.tables[view.split[step.node]];
  const { code } = consult.answers.get(step.column);
  return (
    table !== null &&
    tableBranch(table, code, -1) < 0 &&
    !branchCodes(model, view.split[step.node])[step.branch].includes(code)
  );
}

function sharesWords(view, node) {
  const children = childrenOf(view, node).filter((child) => shareOf(view, child) > 0);
  const parts = children.slice(0, 6).map((child) => `${percent(shareOf(view, child))} ${branchLabel(view, child)}`);
  if (children.length > 6) parts.push("… " + say("more", { n: children.length - 6 }));
  return parts.join(say("comma"));
}
