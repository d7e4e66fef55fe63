"use strict";
// Case form: a case is asked for what still matters, one question after the other. In: what people type or choose. Out:
// the answers, and from them the case's way through the view, which lights up in the tree.

const OPEN_SHOWN = 5;

/** answers: by column {code, words}; steps: the way; asked: columns in the order in which they mattered. */
const consult = { answers: new Map(), steps: [], asked: [], refused: new Map(), form: null, words: null };

function makeCasePanel() {
  consult.form = make("div", { class: "questions" });
  consult.words = make("div", { class: "case-words", "aria-live": "polite" });
  const clear = make("button", { class: "plain", type: "button", on: { click: clearCase } });
  const intro = make("p", { class: "note" });
  const fill = () => {
    clear.textContent = say("case_clear");
    intro.textContent = say("case_intro");
    showCase();
  };
  listen("words", fill);
  listen("view", () => {
    // The same answers may go another way in another tree.
    routeCase();
    page.lit = litNodes();
    fill();
  });
  fill();
  return make(
    "div",
    { class: "case-panel" },
    intro,
    consult.form,
    make("p", { class: "case-buttons" }, clear),
    consult.words,
  );
}

function clearCase() {
  consult.answers.clear();
  consult.refused.clear();
  showCase();
  page.lit = null;
  tell("lit");
  focusQuestion();
}

/** Send the case on its way with what is known, and write down which columns were looked at. */
function routeCase() {
  const asked = new Set();
  consult.steps = send(page.view, (column) => {
    asked.add(column);
    const answer = consult.answers.get(column);
    return answer === undefined ? undefined : answer.code;
  });
  consult.asked = [...asked];
}

/** An answer as it is read: what was typed or chosen, or that it is not known. */
function answerSaid(column) {
  const answer = consult.answers.get(column);
  if (answer === undefined) return "…";
  return answer.words === null ? say(answer.code === UNSEEN ? "other_value" : "unknown") : answer.words;
}

/** words: null where the value is unknown, or one that training never showed. */
function giveAnswer(column, code, words) {
  consult.refused.delete(column);
  consult.answers.set(column, { code, words });
  routeCase();
  lightCase();
  showCase();
  focusQuestion();
}

function takeBack(column) {
  consult.answers.delete(column);
  routeCase();
  lightCase();
  showCase();
  focusQuestion(column);
}

/** The nodes that the case comes to with its weight there; null before anything is known of it. */
function litNodes() {
  return consult.answers.size ? new Map(consult.steps.map((step) => [step.node, step.weight])) : null;
}

/** The way in the tree: opened as far as one can follow it, and in sight. */
function lightCase() {
  page.lit = litNodes();
  if (consult.steps.length <= 300) {
    const closed = consult.steps
      .filter(({ from }) => from >= 0)
      .map(({ from }) => consult.steps[from].node)
      .filter((node) => !page.open[node]);
    for (const node of closed) page.open[node] = 1;
    if (closed.length) changeTree(0);
  }
  tell("lit");
  const heaviest = endsOf(consult.steps).reduce((best, step) => (step.weight > best.weight ? step : best));
  if (page.lit !== null && layout.shown[heaviest.node]) showNode(heaviest.node);
}

/** The open questions, those first that most of the case waits for. */
function openColumns() {
  const waiting = new Map();
  for (const { end, column, weight } of consult.steps) {
    if (end === "open") waiting.set(column, (waiting.get(column) || 0) + weight);
  }
  return [...waiting].sort((a, b) => b[1] - a[1]).map(([column]) => column);
}

function showCase() {
  routeCase();
  const open = openColumns();
  const given = consult.asked.filter((column) => consult.answers.has(column));
  const more = open.length - OPEN_SHOWN;
  refill(
    consult.form,
    given.map(answeredRow),
    open.slice(0, OPEN_SHOWN).map((column, i) => questionBox(column, i === 0)),
    more > 0 ? note(sayCount("case_more", more)) : null,
  );
  refill(consult.words, caseWords());
}

/** The next question gets the keyboard. */
function focusQuestion(column = -1) {
  const place = column < 0 ? ".question" : `.question[data-column="${column}"]`;
  const field = consult.form.querySelector(`${place} input, ${place} button`);
  if (field) field.focus();
}

/** A question that has its answer, which can be changed. */
function answeredRow(column) {
  const { shown } = page.model.columns[column];
  const change = () => takeBack(column);
  return make(
    "div",
    { class: "answered", "data-column": column },
    own(shown, "own question-name"),
    " ",
    own(answerSaid(column), "own given"),
    make(
      "button",
      { class: "link", type: "button", "aria-label": `${say("change")}: ${shown}`, on: { click: change } },
      say("change"),
    ),
  );
}
