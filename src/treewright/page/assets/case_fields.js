"use strict";
// Case fields: what the user types or chooses for one column. A number or a date has a text field, a category buttons
// or a filtered list; each can be unknown.

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
  const one = page.model.columns[column];
  const notOne = isMoment(one) ? "case_not_date" : "case_not_number";
  const accept = () => {
    const number = parseCell(one, input.value);
    if (!input.value.trim()) showProblem(column, t("case_empty"));
    else if (Number.isNaN(number)) showProblem(column, t(notOne, { text: shownText(input.value) }));
    else setValue(column, number, exactCell(one, number));
  };
  const input = make("input", {
    type: "text",
    inputmode: isMoment(one) ? "text" : "decimal",
    placeholder: isMoment(one) ? formatCell(one, one.part === "days" ? 19782 : 13.5) : "",
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
        end === "open" &&
        fieldColumn(model.column[view.split[node]]) === column &&
        model.tables[view.split[node]] === null,
    )
    .map(({ node }) => {
      const tested = model.column[view.split[node]];
      const condition = branchConditions(view.split[node])[0];
      return tested === column ? condition : model.columns[tested].shown + " " + condition;
    });
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
