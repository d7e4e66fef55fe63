"use strict";
// Pruning panel: the trees of all pruning methods, a slider along the cost-complexity path with the errors, and the
// pruning decision at each node.

const pruningPanel = { views: null, slider: null, facts: null, plot: null };

function makePruningPanel() {
  pruningPanel.views = make("div", { class: "views" });
  pruningPanel.path = make("div", { class: "path" });
  listen("language", fillPruning);
  listen("view", markPruning);
  fillPruning();
  return make("div", { class: "pruning-panel" }, pruningPanel.views, pruningPanel.path);
}

/** What the errors of the page are: "rate", "cost" (a rate weighted by cost) or "squared" (a mean). */
function errorUnit() {
  const rule = page.model.doc.prediction_rule;
  return page.model.isNumber ? "squared" : rule && rule.costs ? "cost" : "rate";
}

/** The name of an error with its unit; rows: "training", "validation" or "cv". */
function errorLabel(rows) {
  return t("error_" + errorUnit() + "_" + rows);
}

/** R² of a mean squared error as text: 1 - error / variance of the target; null if the variance is not known. */
function rSquared(error, rows) {
  const { doc, isNumber } = page.model;
  const checked = doc.nodes.validation;
  if (!isNumber || error === null || error === undefined) return null;
  if (rows === "training" ? doc.by_median : !checked) return null;
  const [weight, , loss] = rows === "training" ? doc.nodes.stats[0] : checked.stats[0];
  return loss > 0 ? "R² " + formatNumber(1 - (error * weight) / loss) : null;
}

/** An error in a cell, with R² below it. */
function errorCell(error, rows, mark = "") {
  const r2 = rSquared(error, rows);
  return make(
    "td",
    { class: rows === "validation" ? "number checked" : "number" },
    formatError(error) + mark,
    r2 === null ? null : make("span", { class: "below" }, r2),
  );
}

/** An error rate or a mean squared error as text. */
function formatError(error) {
  if (error === null || error === undefined) return "–";
  return page.model.isNumber ? formatNumber(error, 4) : percent(error);
}

function fillPruning() {
  setChildren(pruningPanel.views, make("h2", null, t("views")), viewTable());
  const { path } = page.model.doc;
  setChildren(
    pruningPanel.path,
    path && path.alphas.length
      ? [
          make("h2", null, t("path")),
          make("p", { class: "note" }, t("path_intro")),
          pathSlider(path),
          errorPlot(path),
        ]
      : null,
  );
  markPruning();
}

function viewTable() {
  const { views } = page.model.doc;
  const checked = views.some((view) => view.validation_error !== null && view.validation_error !== undefined);
  const folded = views.some((view) => view.cv_error !== null && view.cv_error !== undefined);
  const head = [
    t("tree"),
    t("leaves"),
    t("training"),
    checked ? t("validation") : null,
    folded ? t("cross_validation") : null,
  ];
  const rows = views.map((one, i) => {
    const id = "view-" + i;
    const radio = make("input", {
      type: "radio",
      name: "view",
      id,
      value: String(i),
      on: { change: () => chooseView(viewAt(i)) },
    });
    const flattered = one.used_validation ? " *" : "";
    return make(
      "tr",
      { "data-view": i },
      make(
        "th",
        { scope: "row" },
        make(
          "div",
          { class: "view-choice" },
          radio,
          make(
            "label",
            { for: id },
            viewTitle(one, i),
            " ",
            i === page.model.doc.own ? make("span", { class: "badge" }, t("used_badge")) : null,
          ),
        ),
      ),
      make("td", { class: "number" }, formatCount(one.n_leaves)),
      errorCell(one.training_error, "training"),
      checked ? errorCell(one.validation_error, "validation", flattered) : null,
      folded ? cvCell(one) : null,
    );
  });
  const titles = head
    .filter((title) => title !== null)
    .map((title, i) => make("th", { scope: "col", class: i ? "number" : null }, title));
  const caption = make("caption", null, t(page.model.isNumber ? "errors_squared_table" : "errors_" + errorUnit()));
  const table = make(
    "table",
    { class: "view-table" },
    caption,
    make("thead", null, make("tr", null, titles)),
    make("tbody", null, rows),
  );
  return [
    make("div", { class: "wide" }, table),
    checked && views.some((one) => one.used_validation) ? smallPrint("* " + t("used_validation")) : null,
  ];
}

/** The cross-validated error of a view, with its standard error below it. */
function cvCell(one) {
  const known = one.cv_error !== null && one.cv_error !== undefined;
  const below = known
    ? make("span", { class: "below" }, "± " + (page.model.isNumber ? formatNumber(one.cv_se) : percent(one.cv_se)))
    : null;
  return make("td", { class: "number" }, formatError(one.cv_error), below);
}

/** The method of a view, with its parameters as Python code if they are not the defaults. */
function viewTitle(one, i) {
  if (one.key === "grown") return t("view_grown");
  const method = one.method || one.key;
  const known = methodName(method);
  const plain = !one.title || one.title === method;
  return userText(
    plain ? known : `${known}: ${shownText(one.title)}`,
    i === page.model.doc.own ? "own strong" : "own",
  );
}

function pathSlider(path) {
  const last = path.alphas.length - 1;
  pruningPanel.slider = make("input", {
    type: "range",
    class: "path-slider",
    min: 0,
    max: last,
    step: 1,
    value: String(path.chosen ?? 0),
    "aria-label": t("path"),
    on: {
      input: () => setAlpha(Number(pruningPanel.slider.value)),
      change: () => flyTo(firstCamera()),
      keydown: (event) => event.stopPropagation(),
    },
  });
  pruningPanel.facts = make("div", { class: "path-facts", "aria-live": "polite" });
  const ends = make(
    "div",
    { class: "slider-ends" },
    make("span", null, t("path_whole")),
    make("span", null, t("path_root_only")),
  );
  return make("div", { class: "path-control" }, pruningPanel.slider, ends, pruningPanel.facts);
}

/** Show the tree of a method as at the start: as many levels as fit, the whole of them in the window. */
function chooseView(view) {
  page.view = view;
  openAtStart();
  showView(view);
  flyTo(firstCamera());
}

/** Show the tree at an index of the path. */
function setAlpha(i) {
  showView(alphaView(i), i);
}

function markPruning() {
  const { doc } = page.model;
  const shown = doc.views.findIndex((_, i) => page.alpha < 0 && viewAt(i) === page.view);
  for (const row of pruningPanel.views.querySelectorAll("tr[data-view]")) {
    const on = Number(row.getAttribute("data-view")) === shown;
    row.classList.toggle("shown", on);
    row.querySelector("input").checked = on;
  }
  if (!doc.path || !pruningPanel.slider) return;
  const i = page.alpha >= 0 ? page.alpha : sameSizeOnPath(doc.path);
  const place = i >= 0 ? i : nearestOnPath(doc.path);
  pruningPanel.slider.value = String(place);
  pruningPanel.slider.setAttribute("aria-valuetext", tCount("leaf_count", doc.path.leaves[place]));
  setChildren(pruningPanel.facts, pathFacts(doc.path, i));
  markPlot(doc.path, i);
}

/** The index on the path of a tree with as many leaves as the view shown, -1 if there is none. */
function sameSizeOnPath(path) {
  return path.leaves.indexOf(page.view.leaves);
}

/** The index of the path's tree whose number of leaves is closest to that of the view shown. */
function nearestOnPath(path) {
  const apart = (i) => Math.abs(path.leaves[i] - page.view.leaves);
  return path.leaves.reduce((best, _, i) => (apart(i) < apart(best) ? i : best), 0);
}

function pathFacts(path, i) {
  if (i < 0) return smallPrint(t("path_off"));
  const at = (list) => (list ? list[i] : null);
  const cv = at(path.cv_error);
  const facts = factList([
    ["α", formatNumber(path.alphas[i], 4)],
    [t("leaves"), formatCount(path.leaves[i])],
    [errorLabel("training"), withR2(at(path.training_error), "training")],
    [errorLabel("validation"), withR2(at(path.validation_error), "validation")],
    [errorLabel("cv"), cv === null ? null : `${formatError(cv)} ± ${formatError(at(path.cv_se))}`],
  ]);
  return [
    facts,
    i === path.chosen ? smallPrint(t("path_chosen")) : null,
    page.alpha < 0 ? smallPrint(t("path_same_leaves")) : null,
  ];
}

/** An error with R² in brackets; null if it is not known. */
function withR2(error, rows) {
  if (error === null || error === undefined) return null;
  const r2 = rSquared(error, rows);
  return formatError(error) + (r2 === null ? "" : ` (${r2})`);
}

/** The pruning decision at a node, with the numbers that were compared. */
function pruningPart(view, node) {
  const { decisions, decision_method } = view.model.doc;
  const found = decisions[node];
  if (!found) return decision_method && view.model.many[node] > 0 ? [smallPrint(t("decision_absent"))] : null;
  const unit = found.unit ? shownText(inLanguage(found.unit)) : "";
  const facts = factList([
    [t("as_leaf"), formatNumber(found.leaf, 4)],
    [t("as_subtree"), formatNumber(found.subtree, 4)],
    [t("allowance"), found.allowance ? formatNumber(found.allowance, 4) : null],
    [t("as_branch"), found.branch === undefined || found.branch === null ? null : formatNumber(found.branch, 4)],
    [t("unit"), unit],
  ]);
  const verdict = make(
    "p",
    null,
    methodName(found.method || decision_method),
    ": ",
    make("strong", { class: "decided-" + found.verdict }, t("decided_" + found.verdict)),
  );
  const words = found.words ? smallPrint(shownText(inLanguage(found.words))) : null;
  return [verdict, facts, words, pythonHint("decision_more", pythonCall("why_pruned", node))];
}
