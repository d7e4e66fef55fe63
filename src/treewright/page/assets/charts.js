"use strict";
// Charts: small pictures and tables that several parts of the panel use. In: numbers. Out: elements.

/** How many classes are listed before the rest is put together. */
const CLASSES_SHOWN = 12;

/** A share as a bar in the paint of its class; `title` says it. */
function shareBar(share, paint, title) {
  return draw(
    "svg",
    { class: "share-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": title },
    draw("rect", { class: "track", width: 100, height: 10 }),
    draw("rect", { width: Math.max(share > 0 ? 0.8 : 0, share * 100).toFixed(2), height: 10, fill: paint }),
  );
}

/** Several shares side by side in one bar. */
function stackedBar(parts, title) {
  const total = parts.reduce((sum, [weight]) => sum + weight, 0) || 1;
  let at = 0;
  const pieces = parts.map(([weight, paint]) => {
    const width = (weight / total) * 100;
    const piece = draw("rect", { x: at.toFixed(3), width: width.toFixed(3), height: 10, fill: paint });
    at += width;
    return piece;
  });
  return draw(
    "svg",
    {
      class: "share-bar",
      viewBox: "0 0 100 10",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": title || "",
    },
    draw("rect", { class: "track", width: 100, height: 10 }),
    pieces,
  );
}

/** The classes of a list of weights, heaviest first, as [code, weight]; those beyond the list are put together. */
function heaviestClasses(stats, most = CLASSES_SHOWN) {
  const all = stats.map((weight, code) => [code, weight]).filter(([, weight]) => weight > 0);
  all.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const rest = all.slice(most).reduce((sum, [, weight]) => sum + weight, 0);
  return { shown: all.slice(0, most), rest, more: Math.max(0, all.length - most) };
}

/** A class with its sign. */
function className(code) {
  return make("span", { class: "class-name" }, classSign(code), own(page.model.classes[code]));
}

/** Classes by weight and share, with validation rows beside them where there are some. */
function classTable(stats, checked) {
  const total = stats.reduce((sum, weight) => sum + weight, 0);
  const checkedTotal = checked ? checked.reduce((sum, weight) => sum + weight, 0) : 0;
  const together = checked ? stats.map((weight, code) => weight + checked[code] * 1e-9) : stats;
  const { shown, rest, more } = heaviestClasses(together);
  const rows = shown.map(([code]) => {
    const share = total > 0 ? stats[code] / total : 0;
    const cells = [
      make("th", { scope: "row" }, className(code)),
      make("td", { class: "bar-cell" }, shareBar(share, classPaint(code), percent(share))),
      make("td", { class: "number" }, percent(share)),
      make("td", { class: "number" }, weightWords(stats[code])),
    ];
    if (checked) {
      const other = checkedTotal > 0 ? checked[code] / checkedTotal : 0;
      cells.push(make("td", { class: "number checked" }, checkedTotal > 0 ? percent(other) : "–"));
      cells.push(make("td", { class: "number checked" }, weightWords(checked[code])));
    }
    return make("tr", null, cells);
  });
  if (more) {
    const cells = [
      make("th", { scope: "row", colspan: 3 }, sayCount("more_classes", more)),
      make("td", { class: "number" }, weightWords(rest)),
    ];
    rows.push(make("tr", { class: "quiet" }, cells));
  }
  const head = make(
    "tr",
    null,
    make("th", { scope: "col" }, page.model.target),
    make("th"),
    make("th", { scope: "colgroup", colspan: 2, class: "number" }, say("training")),
    checked ? make("th", { scope: "colgroup", colspan: 2, class: "number checked" }, say("validation")) : null,
  );
  return make("table", { class: "class-table" }, make("thead", null, head), make("tbody", null, rows));
}

/** A list of facts: [name, value] pairs; those without a value are left out. */
function factList(pairs) {
  const items = pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => make("div", null, make("dt", null, name), make("dd", null, value)));
  return make("dl", { class: "facts" }, items);
}

/** A part of the panel that can be folded; whether it is open is remembered for the next node. */
const folded_parts = {
  ledger: true,
  distribution: true,
  rows: false,
  pruning: true,
  facts: true,
  classes: true,
  surrogates: false,
};

function section(key, title, ...children) {
  const content = children.flat().filter((child) => child !== null && child !== undefined);
  if (!content.length) return null;
  const element = make("details", { class: "section", "data-part": key }, make("summary", null, title), content);
  element.open = folded_parts[key] !== false;
  element.addEventListener("toggle", () => (folded_parts[key] = element.open));
  return element;
}

/** A sentence in small print. */
function note(...children) {
  return make("p", { class: "note" }, children);
}

/** What is not in the page, and what to type to get it. */
function absent(key, call) {
  return make("p", { class: "note" }, say(key) + " ", make("code", { text: call }));
}
