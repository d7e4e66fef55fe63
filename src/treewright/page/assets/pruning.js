"use strict";
// Pruning: the same tree, smaller. In: the views of the methods and the path of cost-complexity pruning. Out: a list to
// choose from, a slider along the path, the errors beside them, and at each node what was decided.

const pruningPanel = { views: null, slider: null, said: null, plot: null };

function makePruningPanel() {
  pruningPanel.views = make("div", { class: "views" });
  pruningPanel.path = make("div", { class: "path" });
  listen("words", fillPruning);
  listen("view", markPruning);
  fillPruning();
  return make("div", { class: "pruning-panel" }, pruningPanel.views, pruningPanel.path);
}

/** An error as people read it: a share of wrong answers, or a mean squared error. */
function errorWords(error) {
  if (error === null || error === undefined) return "–";
  return page.model.isNumber ? figure(error, 4) : percent(error);
}

function fillPruning() {
  refill(pruningPanel.views, make("h3", null, say("views")), viewTable());
  const { path } = page.model.doc;
  refill(
    pruningPanel.path,
    path && path.alphas.length
      ? [
          make("h3", null, say("path")),
          make("p", { class: "note" }, say("path_intro")),
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
  const head = [say("tree"), say("leaves"), say("training"), checked ? say("validation") : null];
  const rows = views.map((one, i) => {
    const id = "view-" + i;
    const radio = make("input", {
      type: "radio",
      name: "view",
      id,
      value: String(i),
      on: { change: () => showView(viewAt(i)) },
    });
    const flattered = one.used_validation ? " *" : "";
    return make(
      "tr",
      { "data-view": i },
      make(
        "th",
        { scope: "row" },
        radio,
        make(
          "label",
          { for: id },
          viewTitle(one, i),
          i === page.model.doc.own ? make("span", { class: "badge" }, say("answers_badge")) : null,
        ),
      ),
      make("td", { class: "number" }, countWords(one.n_leaves)),
      make("td", { class: "number" }, errorWords(one.training_error)),
      checked ? make("td", { class: "number checked" }, errorWords(one.validation_error) + flattered) : null,
    );
  });
  const titles = head
    .filter((title) => title !== null)
    .map((title, i) => make("th", { scope: "col", class: i ? "number" : null }, title));
  const caption = make("caption", null, say(page.model.isNumber ? "errors_squared" : "errors_wrong"));
  const table = make(
    "table",
    { class: "view-table" },
    caption,
    make("thead", null, make("tr", null, titles)),
    make("tbody", null, rows),
  );
  return [table, checked && views.some((one) => one.used_validation) ? note("* " + say("used_validation")) : null];
}

/** The method of a view; parameters that are not the usual ones are told as Python writes them. */
function viewTitle(one, i) {
  if (one.key === "grown") return say("view_grown");
  const method = one.method || one.key;
  const known = methodName(method);
  const plain = !one.title || one.title === method;
  return own(plain ? known : `${known}: ${shownText(one.title)}`, i === page.model.doc.own ? "own strong" : "own");
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
    "aria-label": say("path"),
    on: { input: () => setAlpha(Number(pruningPanel.slider.value)), keydown: (event) => event.stopPropagation() },
  });
  pruningPanel.said = make("div", { class: "path-said", "aria-live": "polite" });
  const ends = make(
    "div",
    { class: "slider-ends" },
    make("span", null, say("path_whole")),
    make("span", null, say("path_root")),
  );
  return make("div", { class: "path-control" }, pruningPanel.slider, ends, pruningPanel.said);
}

/** Show the tree at a place of the path. */
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
  const i = page.alpha >= 0 ? page.alpha : sameOnPath(doc.path);
  pruningPanel.slider.value = String(i >= 0 ? i : nearestOnPath(doc.path));
  refill(pruningPanel.said, pathFacts(doc.path, i));
  markPlot(doc.path, i);
}

/** The place on the path that has as many leaves as the view shown, -1 where none has. */
function sameOnPath(path) {
  return path.leaves.indexOf(page.view.leaves);
}

/** Where the slider stands for a tree that is not on the path: at the tree with the most similar number of leaves. */
function nearestOnPath(path) {
  const apart = (i) => Math.abs(path.leaves[i] - page.view.leaves);
  return path.leaves.reduce((best, _, i) => (apart(i) < apart(best) ? i : best), 0);
}

function pathFacts(path, i) {
  if (i < 0) return note(say("path_off"));
  const at = (list) => (list ? list[i] : null);
  const cv = at(path.cv_error);
  const facts = factList([
    ["α", figure(path.alphas[i], 4)],
    [say("leaves"), countWords(path.leaves[i])],
    [say("training_error"), path.training_error ? errorWords(at(path.training_error)) : null],
    [say("validation_error"), path.validation_error ? errorWords(at(path.validation_error)) : null],
    [say("cv_error"), cv === null ? null : `${errorWords(cv)} ± ${errorWords(at(path.cv_se))}`],
  ]);
  return [
    facts,
    i === path.chosen ? note(say("path_chosen")) : null,
    page.alpha < 0 ? note(say("path_same_leaves")) : null,
  ];
}

/** What pruning decided at a node, with the numbers it compared. */
function pruningPart(view, node) {
  const { decisions, decision_method } = view.model.doc;
  const found = decisions[node];
  if (!found) return decision_method && view.model.many[node] > 0 ? [note(say("decision_absent"))] : null;
  const unit = shownText(found.unit || "");
  const facts = factList([
    [say("as_leaf"), figure(found.leaf, 4)],
    [say("as_subtree"), figure(found.subtree, 4)],
    [say("allowance"), found.allowance ? figure(found.allowance, 4) : null],
    [say("as_branch"), found.branch === undefined || found.branch === null ? null : figure(found.branch, 4)],
    [say("unit"), unit],
  ]);
  const verdict = make(
    "p",
    null,
    methodName(found.method || decision_method),
    ": ",
    make("strong", { class: "decided-" + found.verdict }, say("decided_" + found.verdict)),
  );
  const words = found.words && page.language === "en" ? note(shownText(found.words)) : null;
  return [verdict, facts, words, absent("decision_more", pythonCall("why_pruned", node))];
}
