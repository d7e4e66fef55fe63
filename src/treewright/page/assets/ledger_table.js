"use strict";
// Ledger: what every column offered at a node, and why one of them won. In: the document's ledger of the question.
// Out: a table of candidates, best first, with the figures growth compared; a click on one shows all of them.

const VERDICT_ORDER = { chosen: 0, tied: 1, ranked: 2, below: 3, rejected: 4 };
const CANDIDATES_SHOWN = 8;

function ledgerPart(view, node) {
  const { ledgers } = view.model.doc;
  const question = view.split[node] < 0 ? node : view.split[node];
  const found = ledgers[question];
  if (!found) {
    const asks = view.model.many[question] > 0;
    return asks ? [absent("ledger_absent", pythonCall("why", question))] : [note(say("ledger_leaf"))];
  }
  const ratio = view.model.doc.ranked_by === "ratio";
  const list = found.candidates.slice().sort(byVerdict);
  const tables = make("table", { class: "ledger" }, ledgerHead(ratio));
  const show = (many) => {
    while (tables.tBodies.length) tables.tBodies[0].remove();
    for (const one of list.slice(0, many)) tables.append(candidateBody(one, ratio));
  };
  show(list.length > CANDIDATES_SHOWN + 2 ? CANDIDATES_SHOWN : list.length);
  const hidden = list.length - tables.tBodies.length;
  const more =
    hidden > 0
      ? make(
          "button",
          {
            class: "link",
            type: "button",
            on: {
              click: (event) => {
                show(list.length);
                event.target.remove();
              },
            },
          },
          sayCount("more_columns", hidden),
        )
      : null;
  const unlisted = (found.n_candidates || list.length) - list.length;
  return [
    ledgerWords(view, question, found, ratio),
    tables,
    more,
    unlisted > 0 ? note(sayCount("columns_unlisted", unlisted)) : null,
    absent("ledger_more", pythonCall("why", question)),
  ];
}

function byVerdict(a, b) {
  const rank = VERDICT_ORDER[a.verdict] - VERDICT_ORDER[b.verdict];
  const merit = (one) => one.merit ?? one.gain ?? -Infinity;
  return rank || merit(b) - merit(a) || a.column - b.column;
}

/** How the choice was made, in sentences. */
function ledgerWords(view, question, found, ratio) {
  const column = view.model.columns[view.model.column[question]];
  const words = [];
  if (column) words.push(say(ratio ? "won_by_ratio" : "won_by_gain", { column: column.shown }));
  words.push(...floorWords(found));
  if (found.margin !== undefined && found.margin !== null)
    words.push(say(found.margin === 0 ? "margin_none" : "margin", { x: figure(found.margin) }));
  if (found.leaf) words.push(shownText(found.leaf));
  return make("p", null, words.join(" "));
}

/** What a column had to gain: the average, the price of naming one of the columns, or a part of each. */
function floorWords(found) {
  const average = found.average ?? null;
  const { naming } = found;
  if (!naming) return average === null ? [] : [say("average_gain", { x: figure(average) })];
  if (naming.columns < 2) return [];
  const [part, rest] = [percent(naming.average_part), percent(1 - naming.average_part)];
  return [say("floor_gain", { x: figure(naming.floor), part, rest, n: naming.columns, rows: naming.rows })];
}

function ledgerHead(ratio) {
  const titles = [
    say("column"),
    say("gain"),
    ratio ? say("ratio") : say("impurity_after"),
    say("cut"),
    say("verdict"),
  ];
  return make(
    "thead",
    null,
    make(
      "tr",
      null,
      titles.map((title, i) => make("th", { scope: "col", class: i === 1 || i === 2 ? "number" : null }, title)),
    ),
  );
}

function candidateBody(one, ratio) {
  const column = page.model.columns[one.column];
  const toggle = () => {
    detail.hidden = !detail.hidden;
    button.setAttribute("aria-expanded", String(!detail.hidden));
  };
  const button = make(
    "button",
    { class: "link", type: "button", "aria-expanded": "false", on: { click: toggle } },
    own(column.shown),
  );
  const cut =
    one.threshold_words === undefined || one.threshold_words === null
      ? ""
      : "≤ " + shownCategory(one.threshold_words);
  const row = make(
    "tr",
    { class: "verdict-" + one.verdict },
    make("th", { scope: "row" }, button),
    make("td", { class: "number" }, figure(one.gain)),
    make("td", { class: "number" }, figure(ratio ? one.ratio : one.after)),
    make("td", { class: "cut" }, own(cut)),
    make("td", { class: "verdict" }, verdictSign(one.verdict), " ", say("verdict_" + one.verdict)),
  );
  const detail = make("tr", { class: "detail", hidden: true }, make("td", { colspan: 5 }, candidateDetail(one)));
  return make("tbody", null, row, detail);
}

function verdictSign(verdict) {
  return make(
    "span",
    { class: "verdict-sign", "aria-hidden": "true" },
    { chosen: "★", tied: "=", ranked: "·", below: "↓", rejected: "×" }[verdict] || "",
  );
}

/** All figures of a candidate, its sentence, and the cuts that came next. */
function candidateDetail(one) {
  const facts = factList([
    [say("known_share"), one.rho === undefined ? null : percent(one.rho)],
    [say("impurity_before"), optional(one.before)],
    [say("impurity_after"), optional(one.after)],
    [say("charge"), one.charge ? figure(one.charge) : null],
    [say("gain"), optional(one.gain)],
    [say("split_info"), optional(one.split_info)],
    [say("ratio"), optional(one.ratio)],
    [say("gini_index"), optional(one.gini_index)],
  ]);
  const cuts = (one.cuts || []).map(([words, gain, tied]) =>
    make("li", null, own("≤ " + shownCategory(words)), " ", figure(gain, 4), tied ? " " + say("tied_cut") : ""),
  );
  const reason = one.reason ? make("p", { class: "reason", lang: "en" }, shownText(one.reason)) : null;
  const list =
    cuts.length > 1 ? [make("p", { class: "quiet" }, say("next_cuts")), make("ol", { class: "cuts" }, cuts)] : null;
  return [reason, facts, list];
}

function optional(number) {
  return number === undefined || number === null ? null : figure(number, 4);
}
