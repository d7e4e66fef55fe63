"use strict";
// Case form: the user enters the values of a case; only columns that still matter are asked for. A number has a
// text field, a category buttons or a filtered list; each can be unknown. The path is highlighted in the tree.

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

/** text: null if the value is unknown or did not occur in training. */
function setValue(column, code, text) {
  caseState.problems.delete(column);
  caseState.values.set(column, { code, text });
  routeCase();
  lightCase();
  showCase();
  focusField();
}

function removeValue(column) {
  caseState.values.delete(column);
  routeCase();
  lightCase();
  showCase();
  focusField(column);
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
    if (end === "open") waiting.set(column, (waiting.get(column) || 0) + weight);
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

/** Up to this many categories are shown as buttons, more as a list with a filter. */
const MAX_BUTTONS = 8;
const MAX_OPTIONS = 300;

function fieldBox(column, first) {
  const one = page.model.columns[column];
  const id = "question-" + column;
  const field = one.kind === "number" ? numberField(column, id) : categoryField(column, id);
  const problem = caseState.problems.get(column);
  return make(
    "div",
    { class: first ? "question first" : "question", "data-column": column, role: "group", "aria-labelledby": id },
    make("p", { class: "question-name", id }, userText(one.shown), " ?"),
    field,
    make("p", { class: "problem", role: "alert" }, problem || ""),
    make(
      "button",
      { class: "plain unknown", type: "button", on: { click: () => setUnknown(column) } },
      t("unknown"),
    ),
  );
}

function setUnknown(column) {
  if (page.model.doc.missing.goes === "refused") {
    showProblem(column, t("case_no_missing"));
    return;
  }
  setValue(column, NaN, null);
}

/** Show below the field what is wrong with the input. */
function showProblem(column, words) {
  caseState.problems.set(column, words);
  const box = caseState.form.querySelector(`.question[data-column="${column}"] .problem`);
  if (box) box.textContent = words;
}

function numberField(column, id) {
  const accept = () => {
    const number = parseNumber(input.value);
    if (!input.value.trim()) showProblem(column, t("case_empty"));
    else if (Number.isNaN(number)) showProblem(column, t("case_not_number", { text: shownText(input.value) }));
    else setValue(column, number, exactNumber(number));
  };
  const input = make("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    "aria-labelledby": id,
    class: "number-field",
    on: {
      keydown: (event) => {
        event.stopPropagation();
        if (event.key === "Enter") {
          event.preventDefault();
          accept();
        }
      },
    },
  });
  const button = make("button", { class: "plain accept", type: "button", on: { click: accept } }, t("accept"));
  return make("div", { class: "field" }, input, button, make("span", { class: "quiet" }, cutsHint(column)));
}

/** The thresholds of this column at the nodes that wait for it. */
function cutsHint(column) {
  const { view, model } = page;
  const cuts = caseState.steps
    .filter(
      ({ end, node }) =>
        end === "open" && model.column[view.split[node]] === column && model.tables[view.split[node]] === null,
    )
    .map(({ node }) => branchConditions(view.split[node])[0]);
  return [...new Set(cuts)].slice(0, 3).join(", ");
}

function categoryField(column, id) {
  const { categories } = page.model.columns[column];
  const choose = (code) => setValue(column, code, categories[code]);
  const other = make(
    "button",
    { class: "plain other", type: "button", on: { click: () => setUnseen(column) } },
    t("other_value"),
  );
  if (categories.length <= MAX_BUTTONS) {
    const buttons = categories.map((name, code) =>
      make(
        "button",
        { class: "plain category", type: "button", on: { click: () => choose(code) } },
        userText(name),
      ),
    );
    return make("div", { class: "field buttons" }, buttons, other);
  }
  const list = make("div", { class: "options", role: "listbox", "aria-labelledby": id });
  const filter = make("input", { type: "text", autocomplete: "off", "aria-label": t("filter"), class: "filter" });
  const fill = () => {
    const text = foldCase(filter.value.trim());
    const fits = codesOf(categories, (name) => foldCase(name).includes(text));
    const options = fits
      .slice(0, MAX_OPTIONS)
      .map((code) =>
        make(
          "button",
          { class: "option", type: "button", role: "option", on: { click: () => choose(code) } },
          userText(categories[code]),
        ),
      );
    setChildren(
      list,
      options,
      fits.length > MAX_OPTIONS ? smallPrint(tCount("more_options", fits.length - MAX_OPTIONS)) : null,
    );
    return fits;
  };
  filter.placeholder = t("filter");
  filter.addEventListener("input", fill);
  filter.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key !== "Enter") return;
    const fits = fill();
    const exact = categories.findIndex((name) => foldCase(name) === foldCase(filter.value.trim()));
    if (exact >= 0) choose(exact);
    else if (fits.length === 1) choose(fits[0]);
    else
      showProblem(column, t(fits.length ? "case_several" : "case_no_category", { text: shownText(filter.value) }));
  });
  fill();
  return make("div", { class: "field" }, filter, list, other);
}

/** A category that did not occur in training; the document says where it goes. */
function setUnseen(column) {
  const { unseen, missing } = page.model.doc;
  if (unseen === "error" || (unseen === "missing" && missing.goes === "refused"))
    showProblem(column, t("case_no_unseen"));
  else setValue(column, UNSEEN, null);
}
