"use strict";
// Toolbar: what can be done with the drawing. In: clicks. Out: the camera, the open nodes, direction, theme, language.

const depthControl = { slider: null, said: null };

function makeToolbar() {
  const bar = make("div", { class: "toolbar", role: "toolbar" });
  const searchBox = makeSearch();
  const depth = makeDepth();
  const fill = () => {
    bar.setAttribute("aria-label", say("toolbar"));
    refill(
      bar,
      searchBox,
      depth,
      make(
        "div",
        { class: "tools" },
        iconButton("minus", say("zoom_out"), () => zoomMiddle(1 / 1.4)),
        iconButton("fit", say("fit"), fitAll),
        iconButton("plus", say("zoom_in"), () => zoomMiddle(1.4)),
      ),
      make(
        "div",
        { class: "tools" },
        iconButton("open", say("open_all"), openAll),
        iconButton("close", say("close_all"), () => {
          openToDepth(1);
          flyTo(firstCamera());
        }),
        iconButton("turn", say("turn"), turnTree),
      ),
      make(
        "div",
        { class: "tools" },
        iconButton(
          page.theme === "dark" ? "sun" : "moon",
          say(page.theme === "dark" ? "to_light" : "to_dark"),
          switchTheme,
        ),
        languageButton(),
        iconButton("print", say("print"), askPrint),
        iconButton("help", say("help"), showHelp),
      ),
    );
  };
  listen("words theme", fill);
  fill();
  return bar;
}

function languageButton() {
  const other = page.language === "en" ? "中文" : "English";
  return make(
    "button",
    {
      class: "plain language",
      type: "button",
      lang: page.language === "en" ? "zh" : "en",
      on: { click: () => setLanguage(page.language === "en" ? "zh" : "en") },
    },
    other,
  );
}

function makeDepth() {
  depthControl.slider = make("input", {
    type: "range",
    min: 0,
    step: 1,
    class: "depth-slider",
    on: {
      input: () => {
        openToDepth(Number(depthControl.slider.value));
        flyTo(camera.k < NEAR ? fitCamera() : firstCamera());
      },
      keydown: (event) => event.stopPropagation(),
    },
  });
  depthControl.said = make("output", { class: "depth-said" });
  const label = make("label", { class: "depth" });
  const fill = () => {
    refill(label, make("span", null, say("depth")), depthControl.slider, depthControl.said);
    markDepth();
  };
  listen("words", fill);
  listen("tree", markDepth);
  fill();
  return label;
}

/** The slider stands at the depth down to which everything is open. */
function markDepth() {
  const { view } = page;
  if (!view) return;
  let full = view.height;
  for (const node of view.order) {
    if (!isLeaf(view, node) && !page.open[node]) {
      full = view.depth[node];
      break;
    }
  }
  depthControl.slider.max = String(view.height);
  depthControl.slider.value = String(full);
  depthControl.slider.disabled = view.height === 0;
  depthControl.said.textContent = `${full} / ${view.height}`;
}

function zoomMiddle(factor) {
  zoomAt(stage.width / 2, stage.height / 2, factor);
}

function fitAll() {
  flyTo(fitCamera());
}

function openAll() {
  openToDepth(page.view.height + 1);
  flyTo(fitCamera());
}

function turnTree() {
  page.direction = page.direction === "down" ? "right" : "down";
  tell("tree");
  moveCamera(firstCamera());
}

function setTheme(theme) {
  page.theme = theme;
  document.documentElement.setAttribute("data-theme", theme);
  tell("theme");
}

function switchTheme() {
  setTheme(page.theme === "dark" ? "light" : "dark");
}

function setLanguage(language) {
  page.language = language;
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  tell("words");
  tell("tree");
}
