"use strict";
// Toolbar: search, depth, zoom, direction, theme, language, saving, export, print and help.

const depthControl = { slider: null, value: null };

function makeToolbar() {
  const bar = make("div", { class: "toolbar", role: "toolbar" });
  const searchBox = makeSearch();
  const depth = makeDepth();
  const fill = () => {
    bar.setAttribute("aria-label", t("toolbar"));
    setChildren(
      bar,
      searchBox,
      depth,
      make(
        "div",
        { class: "tools" },
        wideOnly(iconButton("minus", t("zoom_out"), () => zoomMiddle(1 / 1.4))),
        iconButton("fit", t("fit"), fitAll),
        wideOnly(iconButton("plus", t("zoom_in"), () => zoomMiddle(1.4))),
      ),
      make(
        "div",
        { class: "tools" },
        iconButton("open", t("open_all"), openAll),
        iconButton("close", t("close_all"), () => {
          openToDepth(1);
          flyTo(firstCamera());
        }),
        iconButton("turn", t("direction"), turnTree),
        chartsButton(),
      ),
      make(
        "div",
        { class: "tools" },
        iconButton(
          page.theme === "dark" ? "sun" : "moon",
          t(page.theme === "dark" ? "to_light" : "to_dark"),
          switchTheme,
        ),
        languageButton(),
        iconButton("save", t("save"), chooseSave),
        iconButton("export", t("export"), showExport),
        wideOnly(iconButton("print", t("print"), choosePrint)),
        iconButton("help", t("help"), showHelp),
      ),
    );
  };
  listen("language theme charts", fill);
  fill();
  return bar;
}

function chartsButton() {
  return setAttributes(iconButton("bars", t("charts"), toggleCharts), { "aria-pressed": String(page.charts) });
}

/** A button that a phone has no room for: two fingers zoom, and the browser prints. */
function wideOnly(button) {
  button.classList.add("wide-only");
  return button;
}

/** A button that switches to the next language and shows the name of that language. */
function languageButton() {
  const languages = Object.keys(page.messages);
  const next = languages[(languages.indexOf(page.language) + 1) % languages.length];
  return make(
    "button",
    { class: "plain language", type: "button", lang: languageTag(next), on: { click: () => setLanguage(next) } },
    page.messages[next].language_name,
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
  depthControl.value = make("output", { class: "depth-value" });
  const label = make("label", { class: "depth" });
  const fill = () => {
    setChildren(label, make("span", null, t("depth")), depthControl.slider, depthControl.value);
    markDepth();
  };
  listen("language", fill);
  listen("tree", markDepth);
  fill();
  return label;
}

/** Set the slider to the depth down to which everything is expanded. */
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
  depthControl.value.textContent = `${full} / ${view.height}`;
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
  emit("tree");
  moveCamera(firstCamera());
}

function setTheme(theme) {
  page.theme = theme;
  document.documentElement.setAttribute("data-theme", theme);
  emit("theme");
}

function switchTheme() {
  setTheme(page.theme === "dark" ? "light" : "dark");
}

/** The language code for HTML. */
function languageTag(language) {
  return language === "zh" ? "zh-CN" : language;
}

function setLanguage(language) {
  page.language = language;
  document.documentElement.lang = languageTag(language);
  emit("language");
  emit("tree");
}
