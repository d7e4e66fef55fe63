"use strict";
// Frame: what surrounds the tree: the header, the legend, the tabs of the panel, dialogs, and the keyboard
// shortcuts.

const TABS = ["node", "case", "pruning", "about"];
const CLASSES_IN_LEGEND = 24;

const frame = { root: null, panel: null, tabs: null, shown: "node", live: null, folded: false };

function makeFrame(root) {
  frame.root = root;
  frame.live = make("div", { class: "unseen", "aria-live": "polite" });
  frame.panel = make("aside", { class: "panel" });
  const container = make("div", { class: "stage" });
  const header = make("div", { class: "head" });
  listen("language view", () => setChildren(header, headParts()));
  setChildren(header, headParts());
  const bodies = {
    node: makeNodePanel(),
    case: makeCasePanel(),
    pruning: makePruningPanel(),
    about: make("div", { class: "about" }),
  };
  const tabList = make("div", { class: "tab-list", role: "tablist", on: { keydown: stepTabs } });
  frame.tabs = make("div", { class: "tabs" });
  const fillTabs = () => {
    setChildren(
      tabList,
      TABS.map((name) => tabButton(name)),
    );
    setChildren(frame.tabs, tabList, foldButton());
    tabList.setAttribute("aria-label", t("panel"));
    frame.panel.setAttribute("aria-label", t("panel"));
    setChildren(bodies.about, aboutParts());
  };
  for (const name of TABS)
    setAttributes(bodies[name], {
      role: "tabpanel",
      id: "panel-" + name,
      "aria-labelledby": "tab-" + name,
      tabindex: 0,
    });
  listen("language", fillTabs);
  fillTabs();
  appendAll(frame.panel, [frame.tabs, TABS.map((name) => bodies[name])]);
  const legend = makeLegend();
  appendAll(root, [
    classPatterns(page.model),
    make("header", null, header, makeToolbar()),
    make("main", { class: "main" }, container, frame.panel, frame.live),
  ]);
  openPanel("node");
  makeScene(container);
  container.append(legend);
  measureStage();
}

function tabButton(name) {
  const on = name === frame.shown;
  return make(
    "button",
    {
      class: on ? "tab on" : "tab",
      type: "button",
      role: "tab",
      id: "tab-" + name,
      "aria-selected": String(on),
      "aria-controls": "panel-" + name,
      on: { click: () => openPanel(name, true) },
    },
    t("tab_" + name),
  );
}

/** The arrow keys go from tab to tab. */
function stepTabs(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const next = TABS[(TABS.indexOf(frame.shown) + step + TABS.length) % TABS.length];
  openPanel(next);
  frame.tabs.querySelector("#tab-" + next).focus();
}

function foldButton() {
  const label = t(frame.folded ? "panel_unfold" : "panel_fold");
  const button = iconButton(frame.folded ? "before" : "after", label, () => {
    frame.folded = !frame.folded;
    frame.root.classList.toggle("folded", frame.folded);
    button.replaceWith(foldButton());
  });
  button.classList.add("fold");
  return button;
}

/** Show one of the panels; `focus` if the user chose it. */
function openPanel(name, focus = false) {
  const before = frame.shown;
  frame.shown = name;
  if (before !== name && page.lit !== null) emit("lit");
  if (focus && frame.folded) {
    frame.folded = false;
    frame.root.classList.remove("folded");
    frame.tabs.querySelector(".fold").replaceWith(foldButton());
  }
  for (const one of TABS) {
    const body = frame.panel.querySelector("#panel-" + one);
    body.hidden = one !== name;
    const tab = frame.tabs.querySelector("#tab-" + one);
    tab.classList.toggle("on", one === name);
    tab.setAttribute("aria-selected", String(one === name));
  }
  if (focus && name === "case") focusField();
}

function headParts() {
  const { doc, title, target } = page.model;
  const { view } = page;
  const given =
    page.alpha < 0
      ? doc.views[
          Math.max(
            0,
            doc.views.findIndex((_, i) => viewAt(i) === view),
          )
        ]
      : null;
  const at = (list) => (list ? list[page.alpha] : null);
  const training = given ? given.training_error : at(doc.path.training_error);
  const validation = given ? given.validation_error : at(doc.path.validation_error);
  const facts = [
    [t("target"), userText(target)],
    [t("nodes"), formatCount(view.order.length)],
    [t("leaves"), formatCount(view.leaves)],
    errorFact(training, "training"),
    errorFact(validation, "validation"),
    [t("shown_tree"), page.alpha < 0 ? shownName(given) : `α = ${formatNumber(doc.path.alphas[page.alpha], 3)}`],
  ];
  return [make("h1", null, userText(title)), factList(facts)];
}

/** An error in the header: the error rate, or the root mean squared error and R². */
function errorFact(error, rows) {
  if (!page.model.isNumber) return [errorLabel(rows), withR2(error, rows)];
  const r2 = rSquared(error, rows);
  const rmse = error === null || error === undefined ? null : formatNumber(Math.sqrt(error));
  return [t("rmse_" + rows), rmse === null || r2 === null ? rmse : `${rmse} (${r2})`];
}

function shownName(given) {
  return given.key === "grown" ? t("view_grown") : methodName(given.method || given.key);
}

/** The classes with their symbols and colours, or the colour scale of numbers. */
function makeLegend() {
  const { model } = page;
  const legend = make("div", { class: "legend" });
  const fill = () => {
    if (model.isNumber) {
      const [low, high] = model.numberRange;
      const stops = Array.from({ length: SHADES }, (_, i) =>
        draw("rect", { x: i * 10, width: 10.5, height: 10, fill: shadeColour(model, i) }),
      );
      setChildren(
        legend,
        make("span", { class: "legend-title" }, userText(model.target)),
        make(
          "span",
          { class: "scale-ends" },
          formatNumber(low),
          draw(
            "svg",
            { class: "scale", viewBox: "0 0 120 10", "aria-hidden": "true", preserveAspectRatio: "none" },
            stops,
          ),
          formatNumber(high),
        ),
      );
      return;
    }
    const more = model.classes.length - CLASSES_IN_LEGEND;
    setChildren(
      legend,
      make("span", { class: "legend-title" }, userText(model.target)),
      model.classes.slice(0, CLASSES_IN_LEGEND).map((_, code) => className(code)),
      more > 0 ? make("span", { class: "quiet" }, tCount("more_classes", more)) : null,
    );
  };
  listen("language", fill);
  fill();
  return legend;
}

function aboutParts() {
  const { doc } = page.model;
  const notes = doc.notes.map((note) => make("li", null, shownText(inLanguage(note))));
  return [
    make("h2", null, t("about")),
    make("pre", { class: "parameters" }, shownText(doc.parameters)),
    factList([
      [t("estimator"), shownText(doc.estimator)],
      [t("criterion"), inLanguage(doc.criterion_words)],
      [t("columns"), formatCount(page.model.columns.length)],
      [t("missing_rule"), inLanguage(doc.missing.words)],
      [t("unseen_rule"), t("unseen_" + doc.unseen)],
      ["Treewright", shownText(doc.treewright)],
    ]),
    notes.length ? [make("h2", null, t("notes")), make("ul", { class: "notes" }, notes)] : null,
    make("h2", null, t("keys")),
    keyTable(),
  ];
}

const KEYS = [
  ["↑ ↓ ← →", "key_arrows"],
  ["Enter", "key_enter"],
  ["Home", "key_home"],
  ["+ −", "key_zoom"],
  ["f", "key_fit"],
  ["e", "key_open_all"],
  ["h", "key_charts"],
  ["/", "key_search"],
  ["n, N", "key_hits"],
  ["c", "key_case"],
  ["p", "key_pruning"],
  ["x", "key_export"],
  ["d", "key_theme"],
  ["?", "key_help"],
  ["Esc", "key_escape"],
];

function keyTable() {
  return make(
    "table",
    { class: "key-table" },
    make(
      "tbody",
      null,
      KEYS.map(([key, words]) =>
        make("tr", null, make("th", { scope: "row" }, make("kbd", null, key)), make("td", null, t(words))),
      ),
    ),
  );
}

/** A dialog with a heading and a close button. */
function showDialog(title, ...content) {
  const close = () => dialog.close();
  const dialog = make(
    "dialog",
    { class: "dialog", "aria-label": title, on: { close: () => dialog.remove() } },
    make("header", null, make("h2", null, title), iconButton("cross", t("close"), close)),
    content,
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  frame.root.append(dialog);
  dialog.showModal();
  return dialog;
}

function showHelp() {
  showDialog(t("help_title"), make("p", null, t("help_words")), keyTable());
}
