"use strict";
// Frame: what stands around the tree. In: the document's title, errors and notes. Out: the header, the legend, the tabs
// of the panel, the help; and the panels in their places.

const TABS = ["node", "case", "pruning", "about"];
const CLASSES_IN_LEGEND = 24;

const frame = { root: null, panel: null, tabs: null, shown: "node", live: null, folded: false };

function makeFrame(root) {
  frame.root = root;
  frame.live = make("div", { class: "unseen", "aria-live": "polite" });
  frame.panel = make("aside", { class: "panel" });
  const container = make("div", { class: "stage" });
  const header = make("header", { class: "head" });
  listen("words view", () => refill(header, headParts()));
  refill(header, headParts());
  const bodies = {
    node: makeNodePanel(),
    case: makeCasePanel(),
    pruning: makePruningPanel(),
    about: make("div", { class: "about" }),
  };
  frame.tabs = make("div", { class: "tabs", role: "tablist" });
  const fillTabs = () => {
    refill(
      frame.tabs,
      TABS.map((name) => tabButton(name)),
      foldButton(),
    );
    frame.panel.setAttribute("aria-label", say("panel"));
    refill(bodies.about, aboutParts());
  };
  for (const name of TABS)
    dress(bodies[name], { role: "tabpanel", id: "panel-" + name, "aria-labelledby": "tab-" + name, tabindex: 0 });
  listen("words", fillTabs);
  fillTabs();
  put(frame.panel, [frame.tabs, TABS.map((name) => bodies[name])]);
  const legend = makeLegend();
  put(root, [
    classPatterns(page.model),
    header,
    makeToolbar(),
    make("main", { class: "main" }, container, frame.panel),
    frame.live,
  ]);
  openPanel("node");
  makeScene(container);
  container.append(legend);
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
    say("tab_" + name),
  );
}

function foldButton() {
  const label = say(frame.folded ? "panel_unfold" : "panel_fold");
  const button = iconButton(frame.folded ? "before" : "after", label, () => {
    frame.folded = !frame.folded;
    frame.root.classList.toggle("folded", frame.folded);
    button.replaceWith(foldButton());
  });
  button.classList.add("fold");
  return button;
}

/** Show one of the panels; `focus` is for people who chose it. */
function openPanel(name, focus = false) {
  frame.shown = name;
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
  if (focus && name === "case") focusQuestion();
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
    [say("target"), own(target)],
    [say("nodes"), countWords(view.order.length)],
    [say("leaves"), countWords(view.leaves)],
    [say("training_error"), training === null || training === undefined ? null : errorWords(training)],
    [say("validation_error"), validation === null || validation === undefined ? null : errorWords(validation)],
    [say("shown_tree"), page.alpha < 0 ? shownName(given) : `α = ${figure(doc.path.alphas[page.alpha], 3)}`],
  ];
  return [make("h1", null, own(title)), factList(facts)];
}

function shownName(given) {
  return given.key === "grown" ? say("view_grown") : methodName(given.method || given.key);
}

/** The classes with their signs and colours, or the scale of numbers. */
function makeLegend() {
  const { model } = page;
  const legend = make("div", { class: "legend" });
  const fill = () => {
    if (model.isNumber) {
      const [low, high] = model.numberRange;
      const stops = Array.from({ length: SHADES }, (_, i) =>
        draw("rect", { x: i * 10, width: 10.5, height: 10, fill: shadeColour(model, i) }),
      );
      refill(
        legend,
        make("span", { class: "legend-title" }, own(model.target)),
        figure(low),
        draw(
          "svg",
          { class: "scale", viewBox: "0 0 120 10", "aria-hidden": "true", preserveAspectRatio: "none" },
          stops,
        ),
        figure(high),
      );
      return;
    }
    const more = model.classes.length - CLASSES_IN_LEGEND;
    refill(
      legend,
      make("span", { class: "legend-title" }, own(model.target)),
      model.classes.slice(0, CLASSES_IN_LEGEND).map((_, code) => className(code)),
      more > 0 ? make("span", { class: "quiet" }, sayCount("more_classes", more)) : null,
    );
  };
  listen("words", fill);
  fill();
  return legend;
}

function aboutParts() {
  const { doc } = page.model;
  const notes = doc.notes.map((sentence) => make("li", null, shownText(sentence)));
  return [
    make("h3", null, say("about")),
    make("pre", { class: "parameters" }, shownText(doc.parameters)),
    factList([
      [say("estimator"), shownText(doc.estimator)],
      [say("criterion"), inLanguage(doc.criterion_words)],
      [say("columns"), countWords(page.model.columns.length)],
      [say("missing_rule"), inLanguage(doc.missing.words)],
      [say("unseen_rule"), say("unseen_" + doc.unseen)],
      ["Treewright", shownText(doc.treewright)],
    ]),
    notes.length ? [make("h3", null, say("notes")), make("ul", { class: "notes", lang: "en" }, notes)] : null,
    make("h3", null, say("keys")),
    keyTable(),
  ];
}
