"use strict";
// Case result: the prediction for a case and why. Each node on the path with the value of the case, the branch it
// takes and the classes there; the predicted class or number with its probability, and the nodes where the case
// ends.

const MAX_STEPS = 40;
const MAX_ENDS = 8;

function caseResult() {
  const { steps } = caseState;
  if (!caseState.values.size) return null;
  const ends = endSteps(steps);
  const refused = ends.find(({ end }) => end === "refused");
  if (refused)
    return make("p", { class: "problem" }, t("case_refused", { column: page.model.columns[refused.column].shown }));
  const open = ends.some(({ end }) => end === "open");
  const listed = steps.filter(({ end }) => end !== "leaf");
  const shown = listed.length > MAX_STEPS ? heaviestSteps(listed) : listed;
  return [
    open ? soFar(ends) : predictionPart(ends),
    make("h2", null, t("case_why")),
    make("ol", { class: "case-steps" }, shown.map(stepItem)),
    listed.length > shown.length ? smallPrint(tCount("case_steps_more", listed.length - shown.length)) : null,
    open ? null : [confidencePart(ends), changesPart(), make("h2", null, t("pruning_here")), comparisonPart()],
  ];
}

function heaviestSteps(steps) {
  const chosen = new Set(
    steps
      .slice()
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MAX_STEPS),
  );
  return steps.filter((step) => chosen.has(step));
}

/** The class probabilities of the rows that match the values entered so far. */
function soFar(ends) {
  const value = meanValue(page.view, ends);
  return make("div", { class: "so-far" }, make("h2", null, t("case_so_far")), valueTable(value));
}

function predictionPart(ends) {
  const { view, model } = page;
  const { value, prediction } = predict(view, caseState.steps);
  const predicted = model.isNumber ? exactNumber(Number(prediction.toPrecision(8))) : className(prediction);
  return make(
    "div",
    { class: "prediction" },
    make("h2", null, model.target),
    make("p", { class: "prediction-value" }, predicted, model.isNumber ? "" : " " + percent(value[prediction])),
    valueTable(value),
    predictionNotes(view, value, ends.length > 1 ? null : ends[0].node, prediction),
    ends.length > 1 ? endsList(ends) : null,
  );
}

/** Class probabilities as bars, or the number. */
function valueTable(value) {
  const { model } = page;
  if (model.isNumber) return make("p", null, formatNumber(value[0], 5));
  const { shown, more, rest } = heaviestClasses(value, 8);
  const rows = shown.map(([code, proportion]) =>
    make(
      "tr",
      null,
      make("th", { scope: "row" }, className(code)),
      make("td", { class: "bar-cell" }, proportionBar(proportion, classPaint(code), percent(proportion))),
      make("td", { class: "number" }, percent(proportion)),
    ),
  );
  if (more)
    rows.push(
      make(
        "tr",
        { class: "quiet" },
        make("th", { scope: "row", colspan: 2 }, tCount("more_classes", more)),
        make("td", { class: "number" }, percent(rest)),
      ),
    );
  return make("table", { class: "class-table" }, make("tbody", null, rows));
}

/** The nodes where a case with fractional weights ends. */
function endsList(ends) {
  const { view } = page;
  const sorted = ends.slice().sort((a, b) => b.weight - a.weight);
  const items = sorted
    .slice(0, MAX_ENDS)
    .map(({ node, weight }) =>
      make(
        "li",
        null,
        percent(weight) + " ",
        nodeLink(node, nodeName(node)),
        " ",
        make(
          "span",
          { class: "quiet" },
          userText(branchText(view, node)),
          " · ",
          userText(predictionText(view, node)),
        ),
      ),
    );
  if (sorted.length > MAX_ENDS)
    items.push(make("li", { class: "quiet" }, tCount("case_ends_more", sorted.length - MAX_ENDS)));
  return [make("p", null, tCount("case_shared", ends.length)), make("ul", { class: "branches" }, items)];
}

/** One node of the path as a sentence, with its classes as a bar. */
function stepItem(step) {
  const { view, model } = page;
  const { node, weight } = step;
  const column = model.column[view.split[node]];
  const value = valueText(column);
  const goes = stepText(step);
  const bar = model.isNumber ? null : make("span", { class: "step-bar" }, branchStack(view, node));
  const part = weight < 1 ? make("span", { class: "quiet" }, percent(weight) + " ") : null;
  // A branch that only repeats the value is left out.
  const further = goes === "= " + value ? null : " → " + goes;
  return make(
    "li",
    null,
    bar,
    part,
    tParts("is", { column: nodeLink(node, model.columns[column].shown), value: userText(value, "own given") }),
    further,
  );
}

/** The branch that the case takes at a node, and why if the value alone does not determine it. */
function stepText(step) {
  const { view, model } = page;
  const splitNode = view.split[step.node];
  const conditions = branchConditions(splitNode);
  if (step.end === "open")
    return step.column === model.column[splitNode]
      ? t("step_open")
      : t("step_open_surrogate", { column: model.columns[step.column].shown });
  if (step.end === "stop") return t("step_stop");
  if (step.by === BY.share) return t("step_share", { parts: shareText(view, step.node) });
  const words = conditions[step.branch];
  if (step.by === BY.value) return isAbsent(step) ? t("step_absent", { words }) : words;
  if (step.by === BY.majority) return t("step_majority", { words });
  if (step.by === BY.surrogate) {
    const one = model.doc.nodes.surrogates[splitNode][step.surrogate];
    return t("step_surrogate", {
      words,
      column: model.columns[one.column].shown,
      value: valueText(one.column),
      share: percent(one.agree),
    });
  }
  const { adds_branch, why } = model.doc.missing;
  return adds_branch && onlyMissing(model, splitNode) === step.branch ? words : words + inLanguage(why);
}

/** Whether the case has a category that did not reach this node in training. */
function isAbsent(step) {
  const { model, view } = page;
  const table = model.tables[view.split[step.node]];
  const { code } = caseState.values.get(step.column);
  return (
    table !== null &&
    tableBranch(table, code, -1) < 0 &&
    !branchCodes(model, view.split[step.node])[step.branch].includes(code)
  );
}

function shareText(view, node) {
  const children = childrenOf(view, node).filter((child) => shareOf(view, child) > 0);
  const parts = children.slice(0, 6).map((child) => `${percent(shareOf(view, child))} ${branchLabel(view, child)}`);
  if (children.length > 6) parts.push("… " + t("more", { n: children.length - 6 }));
  return parts.join(", ");
}
