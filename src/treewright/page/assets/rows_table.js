"use strict";
// Rows: the training rows that came to a node. In: the rows in the document, each with its leaf in the grown tree. Out:
// the first of those at the leaves below the node, and how many there are.

const ROWS_SHOWN = 20;

const rowIndex = { places: null, rows: null };

/** Rows in the order of their leaves, so that those below a node stand together. */
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

/** The rows at the leaves of the grown tree below a node, in the order of the table. */
function rowsBelow(model, node) {
  if (rowIndex.rows === null) indexRows(model);
  const { leaf } = model.doc.rows;
  const first = rowIndex.places[node];
  const last = first + grownView().below[node];
  const start = lowerBound(rowIndex.rows, (row) => rowIndex.places[leaf[row]] >= first);
  const end = lowerBound(rowIndex.rows, (row) => rowIndex.places[leaf[row]] > last);
  return rowIndex.rows.slice(start, end).sort((a, b) => a - b);
}

/** The first place of a sorted list at which something holds. */
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
  if (!given) return [note(say("rows_absent"), " ", make("code", { text: 'est.to_html("tree.html", X, y)' }))];
  const all = rowsBelow(model, node);
  const shown = all.slice(0, ROWS_SHOWN);
  const asked = columnsOnWay(view, node);
  const order = model.columns.map((_, i) => i).sort((a, b) => Number(asked.has(b)) - Number(asked.has(a)) || a - b);
  const head = make(
    "tr",
    null,
    make("th", { scope: "col" }, say("row_number")),
    make("th", { scope: "col" }, own(model.target)),
    order.map((i) =>
      make("th", { scope: "col", class: asked.has(i) ? "asked" : null }, own(model.columns[i].shown)),
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
      ? say("rows_first", { n: shown.length, all: countWords(all.length) })
      : sayCount("rows_all", all.length);
  const partial =
    given.cells.length < given.n_rows
      ? note(say("rows_some", { n: countWords(given.cells.length), all: countWords(given.n_rows) }))
      : null;
  const raised = contentsOf(view, node) && contentsOf(view, node).stats ? note(say("rows_raised")) : null;
  const table = make(
    "div",
    { class: "wide", tabindex: 0 },
    make("table", { class: "rows" }, make("thead", null, head), make("tbody", null, body)),
  );
  return [make("p", null, words), shown.length ? table : null, partial, raised];
}

function cellOf(text) {
  if (text === null || text === undefined) return make("td", { class: "missing" }, say("missing"));
  return make("td", null, own(shownCategory(text)));
}

/** The columns asked on the way to a node, and by it. */
function columnsOnWay(view, node) {
  const found = new Set();
  for (const one of wayTo(view, node)) if (!isLeaf(view, one)) found.add(view.model.column[view.split[one]]);
  return found;
}
