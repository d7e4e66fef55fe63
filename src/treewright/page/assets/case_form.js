"use strict";
// Case form: the user enters the values of a case; only columns that still matter are asked for, and a date is entered
// once, whatever the tree tests of it. The path is highlighted in the tree.

const MAX_OPEN_FIELDS = 5;

/** values: {code, text} by column; steps: the path; columns: those that matter, in the order of the path. */
const caseState = { values: new Map(), steps: [], columns: [], problems: new Map(), form: null, result: null };

function makeCasePanel() {
  caseState.form = make("div", { class: "questions" });
  caseState.result = make("div", { class: "case-words", "aria-live": "polite" });
  const clear = make("button", { class: "plain", type: "button", on: { click: clearCase } });
  const intro = make("p", { class: "note" });
  const fill = () => {
    clear.textContent = t("case_clear");
    intro.textContent = t("case_intro");
    showCase();
  };
  listen("language", fill);
  listen("view", () => {
    // The same values may take another path in another tree.
    routeCase();
    page.lit = litNodes();
    fill();
  });
  fill();
  return make(
    "div",
    { class: "case-panel" },
    intro,
    caseState.form,
    make("p", { class: "case-buttons" }, clear),
    caseState.result,
  );
}

function clearCase() {
  caseState.values.clear();
  caseState.problems.clear();
  showCase();
  page.lit = null;
  emit("lit");
  focusField();
}

/** Route the case through the tree and record which columns were looked up. */
function routeCase() {
  const columns = new Set();
  caseState.steps = route(page.view, (column) => {
    columns.add(column);
    const entered = caseState.values.get(column);
    return entered === undefined ? undefined : entered.code;
  });
  caseState.columns = [...columns];
}

/** The value of a column as text: what was typed or chosen, or that it is unknown. */
function valueText(column) {
  const entered = caseState.values.get(column);
  if (entered === undefined) return "…";
  return entered.text === null ? t(entered.code === UNSEEN ? "other_value" : "unknown") : entered.text;
}

/** The columns that have their values from the same field: all that are derived from one date. */
function sameField(column) {
  const { columns } = page.model;
  const { source } = columns[column];
  return source === undefined ? [column] : codesOf(columns, (other) => other.source === source);
}

/** The column whose field is shown: for the month of a date it is the date. */
function fieldColumn(column) {
  return sameField(column).find((other) => page.model.columns[other].part === "days") ?? column;
}

/** text: null if the value is unknown or did not occur in training. */
function setValue(column, code, text) {
  caseState.problems.delete(column);
  for (const other of sameField(column)) {
    const part = other === column ? code : datePart(code, page.model.columns[other].part);
    caseState.values.set(other, { code: part, text: text === null || other === column ? text : String(part) });
  }
  routeCase();
  lightCase();
  showCase();
  focusField();
}

function removeValue(column) {
  for (const other of sameField(column)) caseState.values.delete(other);
  routeCase();
  lightCase();
  showCase();
  focusField(fieldColumn(column));
}

/** The nodes that the case reaches, with its weight there; null if nothing has been entered. */
function litNodes() {
  return caseState.values.size ? new Map(caseState.steps.map((step) => [step.node, step.weight])) : null;
}

/** Highlight the path in the tree; nodes on it are expanded, and its end is brought into view. */
function lightCase() {
  page.lit = litNodes();
  if (caseState.steps.length <= 300) {
    const closed = caseState.steps
      .filter(({ from }) => from >= 0)
      .map(({ from }) => caseState.steps[from].node)
      .filter((node) => !page.open[node]);
    for (const node of closed) page.open[node] = 1;
    if (closed.length) changeTree(0);
  }
  emit("lit");
  const heaviest = endSteps(caseState.steps).reduce((best, step) => (step.weight > best.weight ? step : best));
  if (page.lit !== null && layout.shown[heaviest.node]) showNode(heaviest.node);
}

/** The columns that are needed next, the one with the largest fraction of the case first. */
function openColumns() {
  const waiting = new Map();
  for (const { end, column, weight } of caseState.steps) {
    if (end !== "open") continue;
    const field = fieldColumn(column);
    waiting.set(field, (waiting.get(field) || 0) + weight);
  }
  return [...waiting].sort((a, b) => b[1] - a[1]).map(([column]) => column);
}

function showCase() {
  routeCase();
  const open = openColumns();
  const given = caseState.columns.filter((column) => caseState.values.has(column));
  const more = open.length - MAX_OPEN_FIELDS;
  setChildren(
    caseState.form,
    given.map(enteredRow),
    open.slice(0, MAX_OPEN_FIELDS).map((column, i) => fieldBox(column, i === 0)),
    more > 0 ? smallPrint(tCount("case_more", more)) : null,
  );
  setChildren(caseState.result, caseResult());
}

/** Move the keyboard focus to the next field. */
function focusField(column = -1) {
  const place = column < 0 ? ".question" : `.question[data-column="${column}"]`;
  const field = caseState.form.querySelector(`${place} input, ${place} button`);
  if (field) field.focus();
}

/** A column that has its value, which can be changed. */
function enteredRow(column) {
  const { shown } = page.model.columns[column];
  const change = () => removeValue(column);
  return make(
    "div",
    { class: "entered", "data-column": column },
    userText(shown, "own question-name"),
    " ",
    userText(valueText(column), "own given"),
    make(
      "button",
      { class: "link", type: "button", "aria-label": `${t("change")}: ${shown}`, on: { click: change } },
      t("change"),
    ),
  );
}
