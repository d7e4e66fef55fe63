"use strict";
// Case fields: one question of the form. In: a column. Out: a field for a number, buttons or a filtered list for
// categories, a way to say that it is unknown; and a sentence where an input cannot be used.

/** How many categories are buttons; more than these are a list with a filter. */
const BUTTONS_SHOWN = 8;
const OPTIONS_SHOWN = 300;

function questionBox(column, first) {
  const one = page.model.columns[column];
  const id = "question-" + column;
  const field = one.kind === "number" ? numberField(column, id) : categoryField(column, id);
  const problem = consult.refused.get(column);
  return make(
    "div",
    { class: first ? "question first" : "question", "data-column": column, role: "group", "aria-labelledby": id },
    make("p", { class: "question-name", id }, own(one.shown), " ?"),
    field,
    make("p", { class: "problem", role: "alert" }, problem || ""),
    make(
      "button",
      { class: "plain unknown", type: "button", on: { click: () => sayUnknown(column) } },
      say("unknown"),
    ),
  );
}

function sayUnknown(column) {
  if (page.model.doc.missing.goes === "refused") {
    refuse(column, say("case_no_missing"));
    return;
  }
  giveAnswer(column, NaN, null);
}

/** Say what is wrong with an input, below it. */
function refuse(column, words) {
  consult.refused.set(column, words);
  const box = consult.form.querySelector(`.question[data-column="${column}"] .problem`);
  if (box) box.textContent = words;
}

function numberField(column, id) {
  const accept = () => {
    const number = typedNumber(input.value);
    if (!input.value.trim()) refuse(column, say("case_empty"));
    else if (Number.isNaN(number)) refuse(column, say("case_not_number", { text: shownText(input.value) }));
    else giveAnswer(column, number, numberWords(number));
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
  const button = make("button", { class: "plain accept", type: "button", on: { click: accept } }, say("accept"));
  return make("div", { class: "field" }, input, button, make("span", { class: "quiet" }, cutsHint(column)));
}

/** The thresholds that the open nodes ask this number for. */
function cutsHint(column) {
  const { view, model } = page;
  const cuts = consult.steps
    .filter(
      ({ end, node }) =>
        end === "open" && model.column[view.split[node]] === column && model.tables[view.split[node]] === null,
    )
    .map(({ node }) => branchTails(view.split[node])[0]);
  return [...new Set(cuts)].slice(0, 3).join(", ");
}

function categoryField(column, id) {
  const { categories } = page.model.columns[column];
  const choose = (code) => giveAnswer(column, code, categories[code]);
  const other = make(
    "button",
    { class: "plain other", type: "button", on: { click: () => sayOther(column) } },
    say("other_value"),
  );
  if (categories.length <= BUTTONS_SHOWN) {
    const buttons = categories.map((name, code) =>
      make("button", { class: "plain category", type: "button", on: { click: () => choose(code) } }, own(name)),
    );
    return make("div", { class: "field buttons" }, buttons, other);
  }
  const list = make("div", { class: "options", role: "listbox", "aria-labelledby": id });
  const filter = make("input", { type: "text", autocomplete: "off", "aria-label": say("filter"), class: "filter" });
  const fill = () => {
    const text = folded(filter.value.trim());
    const fits = codesOf(categories, (name) => folded(name).includes(text));
    const options = fits
      .slice(0, OPTIONS_SHOWN)
      .map((code) =>
        make(
          "button",
          { class: "option", type: "button", role: "option", on: { click: () => choose(code) } },
          own(categories[code]),
        ),
      );
    refill(
      list,
      options,
      fits.length > OPTIONS_SHOWN ? note(sayCount("more_options", fits.length - OPTIONS_SHOWN)) : null,
    );
    return fits;
  };
  filter.placeholder = say("filter");
  filter.addEventListener("input", fill);
  filter.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key !== "Enter") return;
    const fits = fill();
    const exact = categories.findIndex((name) => folded(name) === folded(filter.value.trim()));
    if (exact >= 0) choose(exact);
    else if (fits.length === 1) choose(fits[0]);
    else refuse(column, say(fits.length ? "case_several" : "case_no_category", { text: shownText(filter.value) }));
  });
  fill();
  return make("div", { class: "field" }, filter, list, other);
}

/** A category that training never showed goes where the document says. */
function sayOther(column) {
  const { unseen, missing } = page.model.doc;
  if (unseen === "error" || (unseen === "missing" && missing.goes === "refused")) refuse(column, say("case_no_unseen"));
  else giveAnswer(column, UNSEEN, null);
}
