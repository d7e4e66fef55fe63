"use strict";
// Node tables: the candidates of a node with the numbers that growth compared, best first (a click on one shows all
// its numbers), and the training rows that reach a node.

const VERDICT_ORDER = { chosen: 0, tied: 1, ranked: 2, below: 3, rejected: 4 };
const MAX_CANDIDATES = 8;

function ledgerPart(view, node) {
  const { ledgers } = view.model.doc;
  const splitNode = view.split[node] < 0 ? node : view.split[node];
  const found = ledgers[splitNode];
  if (!found) {
    const splits = view.model.many[splitNode] > 0;
    return splits ? [pythonHint("ledger_absent", pythonCall("why", splitNode))] : [smallPrint(t("ledger_leaf"))];
  }
  const ratio = view.model.doc.ranked_by === "ratio";
  const list = found.candidates.slice().sort(byVerdict);
  const tables = make("table", { class: "ledger" }, ledgerHead(ratio));
  const show = (many) => {
    while (tables.tBodies.length) tables.tBodies[0].remove();
    for (const one of list.slice(0, many)) tables.append(candidateBody(one, ratio));
  };
  show(list.length > MAX_CANDIDATES + 2 ? MAX_CANDIDATES : list.length);
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
          tCount("more_columns", hidden),
        )
      : null;
  const unlisted = (found.n_candidates || list.length) - list.length;
  return [
    ledgerText(view, splitNode, found, ratio),
    make("div", { class: "wide" }, tables),
    more,
    unlisted > 0 ? smallPrint(tCount("columns_unlisted", unlisted)) : null,
    pythonHint("ledger_more", pythonCall("why", splitNode)),
  ];
}

function byVerdict(a, b) {
  const rank = VERDICT_ORDER[a.verdict] - VERDICT_ORDER[b.verdict];
  const merit = (one) => one.merit ?? one.gain ?? -Infinity;
  return rank || merit(b) - merit(a) || a.column - b.column;
}

/** How the split was chosen, in sentences. */
function ledgerText(view, splitNode, found, ratio) {
  const column = view.model.columns[view.model.column[splitNode]];
  const words = [];
  if (column) words.push(t(ratio ? "won_by_ratio" : "won_by_gain", { column: column.shown }));
  words.push(...floorText(found));
  if (found.margin !== undefined && found.margin !== null)
    words.push(t(found.margin === 0 ? "margin_none" : "margin", { x: formatNumber(found.margin) }));
  if (found.leaf) words.push(shownText(inLanguage(found.leaf)));
  return make("p", null, words.join(" "));
}

/** The minimum gain: the average gain, the cost of naming a column, or a part of each. */
function floorText(found) {
  const average = found.average ?? null;
  const { naming } = found;
  if (!naming) return average === null ? [] : [t("average_gain", { x: formatNumber(average) })];
  if (naming.columns < 2) return [];
  const [part, rest] = [percent(naming.average_part), percent(1 - naming.average_part)];
  return [t("floor_gain", { x: formatNumber(naming.floor), part, rest, n: naming.columns, rows: naming.rows })];
}

function ledgerHead(ratio) {
  const titles = [t("column"), t("gain"), ratio ? t("ratio") : t("impurity_after"), t("cut"), t("verdict")];
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
    userText(column.shown),
  );
  const cut =
    one.threshold_words === undefined || one.threshold_words === null
      ? ""
      : "≤ " + shownCategory(one.threshold_words);
  const row = make(
    "tr",
    { class: "verdict-" + one.verdict },
    make("th", { scope: "row" }, button),
    make("td", { class: "number" }, formatNumber(one.gain)),
    make("td", { class: "number" }, formatNumber(ratio ? one.ratio : one.after)),
    make("td", { class: "cut" }, userText(cut)),
    make("td", { class: "verdict" }, verdictSign(one.verdict), " ", t("verdict_" + one.verdict)),
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

/** All numbers of a candidate, its reason, and its best thresholds. */
function candidateDetail(one) {
  const facts = factList([
    [t("known_share"), one.rho === undefined ? null : percent(one.rho)],
    [t("impurity_before"), optional(one.before)],
    [t("impurity_after"), optional(one.after)],
    [t("penalty"), one.penalty ? formatNumber(one.penalty) : null],
    [t("gain"), optional(one.gain)],
    [t("split_info"), optional(one.split_info)],
    [t("ratio"), optional(one.ratio)],
    [t("gini_index"), optional(one.gini_index)],
  ]);
  const cuts = (one.cuts || []).map(([words, gain, tied]) =>
    make(
      "li",
      null,
      userText("≤ " + shownCategory(words)),
      " ",
      formatNumber(gain, 4),
      tied ? " " + t("tied_cut") : "",
    ),
  );
  const reason = one.reason ? make("p", { class: "reason" }, shownText(inLanguage(one.reason))) : null;
  const list =
    cuts.length > 1 ? [make("p", { class: "quiet" }, t("next_cuts")), make("ol", { class: "cuts" }, cuts)] : null;
  return [reason, facts, list];
}

function optional(number) {
  return number === undefined || number === null ? null : formatNumber(number, 4);
}

const MAX_ROWS = 20;

const rowIndex = { places: null, rows: null };

/** Rows sorted by leaf, so that those below a node are contiguous. */
function indexRows(model) {
  const view = grownView();
  rowIndex.places = new Int32Array(model.n);
  let at = 0;
  for (const node of preorder(view)) rowIndex.places[node] = at++;
  const { leaf } = model.doc.rows;
  rowIndex.rows = leaf
    .map((_, row) => row)
    .sort((a, b) => rowIndex.places[leaf[a]] - rowIndex.places[leaf[b]] || a - b);
}

/** The rows at the leaves of the unpruned tree below a node, in the order of the table. */
function rowsBelow(model, node) {
  if (rowIndex.rows === null) indexRows(model);
  const { leaf } = model.doc.rows;
  const first = rowIndex.places[node];
  const last = first + grownView().below[node];
  const start = lowerBound(rowIndex.rows, (row) => rowIndex.places[leaf[row]] >= first);
  const end = lowerBound(rowIndex.rows, (row) => rowIndex.places[leaf[row]] > last);
  return rowIndex.rows.slice(start, end).sort((a, b) => a - b);
}

/** The first index of a sorted list at which a condition holds. */
function lowerBound(list, holds) {
  let start = 0;
  let end = list.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if (holds(list[middle])) end = middle;
    else start = middle + 1;
  }
  return start;
}

function rowsPart(view, node) {
  const { model } = view;
  const given = model.doc.rows;
  if (!given) return [smallPrint(t("rows_absent"), " ", make("code", { text: 'est.to_html("tree.html", X, y)' }))];
  const all = rowsBelow(model, node);
  const shown = all.slice(0, MAX_ROWS);
  const onPath = columnsOnPath(view, node);
  const order = model.columns
    .map((_, i) => i)
    .sort((a, b) => Number(onPath.has(b)) - Number(onPath.has(a)) || a - b);
  const head = make(
    "tr",
    null,
    make("th", { scope: "col" }, t("row_number")),
    make("th", { scope: "col" }, userText(model.target)),
    order.map((i) =>
      make("th", { scope: "col", class: onPath.has(i) ? "on-path" : null }, userText(model.columns[i].shown)),
    ),
  );
  const body = shown.map((row) => {
    const cells = given.cells[row];
    return make(
      "tr",
      null,
      make("th", { scope: "row" }, String(given.number[row])),
      cellOf(cells[model.columns.length]),
      order.map((i) => cellOf(cells[i])),
    );
  });
  const words =
    all.length > shown.length
      ? t("rows_first", { n: shown.length, all: formatCount(all.length) })
      : tCount("rows_all", all.length);
  const partial =
    given.cells.length < given.n_rows
      ? smallPrint(t("rows_some", { n: formatCount(given.cells.length), all: formatCount(given.n_rows) }))
      : null;
  const raised =
    changedContents(view, node) && changedContents(view, node).stats ? smallPrint(t("rows_raised")) : null;
  const table = make(
    "div",
    { class: "wide", tabindex: 0 },
    make("table", { class: "rows" }, make("thead", null, head), make("tbody", null, body)),
  );
  return [make("p", null, words), shown.length ? table : null, partial, raised];
}

function cellOf(text) {
  if (text === null || text === undefined) return make("td", { class: "missing" }, t("missing"));
  return make("td", null, userText(shownCategory(text)));
}

/** The columns that are tested on the path to a node, its own included. */
function columnsOnPath(view, node) {
  const found = new Set();
  for (const one of pathTo(view, node)) if (!isLeaf(view, one)) found.add(view.model.column[view.split[one]]);
  return found;
}
