"use strict";
// Save: the drawing as an SVG or PNG file. The picture has all expanded nodes and the legend, and needs no style sheet:
// the colours and fonts that the page computes are written into its elements.

/** What is written into each element, with the value that needs no writing. */
const PICTURE_STYLES = {
  fill: "rgb(0, 0, 0)",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "paint-order": "normal",
  "fill-opacity": "1",
  opacity: "1",
};
const PICTURE_TEXT_STYLES = { "font-family": "", "font-size": "", "font-weight": "400", "text-anchor": "start" };

/** Pixels of a PNG for each of the screen, and the longest side that every browser draws. */
const PIXELS = 2;
const LONGEST_SIDE = 8000;

const LEGEND_ROW = 22;

function chooseSave() {
  const save = (kind) => {
    dialog.close();
    const svg = makePicture();
    if (kind === "svg") saveFile(new Blob([pictureText(svg)], { type: "image/svg+xml" }), "svg");
    else savePng(svg);
  };
  const button = (kind) =>
    make(
      "button",
      { class: "plain choice", type: "button", "data-save": kind, on: { click: () => save(kind) } },
      make("strong", null, t("save_" + kind)),
      make("span", null, t("save_" + kind + "_words")),
    );
  const words = isTooLarge() ? t("save_window", { n: formatCount(MAX_PRINTED_BOXES) }) : t("save_all");
  const dialog = showDialog(t("save"), smallPrint(words), ["svg", "png"].map(button));
}

function isTooLarge() {
  return layout.nodes.length > MAX_PRINTED_BOXES;
}

/** The drawing with its legend, as an SVG element that needs nothing else of the page. */
function makePicture() {
  const svg = printedPicture(isTooLarge() ? "window" : "open");
  for (const one of svg.querySelectorAll("title, .knob-reach, .box:not(.selected):not(.hit) .halo")) one.remove();
  for (const knob of svg.querySelectorAll(".knob")) if (!knob.querySelector("text")) knob.remove();
  for (const path of svg.querySelectorAll('path[d=""]')) path.remove();
  const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const { rows, parts, least } = pictureLegend(Math.max(width, 240));
  const size = [Math.max(width, least), height + rows * LEGEND_ROW + 12];
  const left = x - (size[0] - width) / 2;
  setAttributes(svg, { viewBox: [left, y, ...size].join(" "), width: size[0], height: size[1] });
  svg.prepend(
    document.querySelector(".patterns defs").cloneNode(true),
    draw("rect", { class: "picture-ground", x: left, y, width: size[0], height: size[1] }),
  );
  svg.append(draw("g", { transform: `translate(${left + 8} ${y + height + 6})` }, parts));
  const holder = make("div", { class: "unseen" }, svg);
  frame.root.append(holder);
  for (const element of svg.querySelectorAll("*")) inlineStyles(element);
  for (const element of [svg, ...svg.querySelectorAll("*")]) dropNames(element);
  holder.remove();
  return svg;
}

/** The legend as rows of signs and names, how many rows there are, and the width that they need. */
function pictureLegend(width) {
  const { model } = page;
  if (model.isNumber) {
    const [low, high] = model.numberRange.map((value) => formatNumber(value));
    const name = `${fitText(model.target, FONT.small, 220)}  ${low}`;
    const start = textWidth(name, FONT.small) + 12;
    const end = start + SHADES * 9 + 8;
    const shades = Array.from({ length: SHADES }, (_, i) =>
      draw("rect", { x: start + i * 9, y: 2, width: 9.5, height: 10, fill: shadeColour(model, i) }),
    );
    const words = (x, text) => draw("text", { x, y: 11 }, text);
    const least = end + textWidth(high, FONT.small) + 16;
    return { rows: 1, parts: [words(0, name), shades, words(end, high)], least };
  }
  const name = fitText(model.target, FONT.small, 180);
  let [at, row] = [textWidth(name, FONT.small) + 20, 0];
  const parts = [draw("text", { x: 0, y: 11 }, name)];
  model.classes.slice(0, CLASSES_IN_LEGEND).forEach((name, code) => {
    const words = fitText(name, FONT.small, 180);
    const long = textWidth(words, FONT.small) + 36;
    if (at + long > width - 16 && at > 0) [at, row] = [0, row + 1];
    const place = `translate(${at.toFixed(1)} ${row * LEGEND_ROW + 1})`;
    parts.push(
      draw(
        "g",
        { transform: place },
        draw("path", { d: CLASS_SIGNS[classShape(code)], fill: classColour(code) }),
        draw("text", { x: 17, y: 10 }, words),
      ),
    );
    at += long;
  });
  return { rows: row + 1, parts, least: 240 };
}

function inlineStyles(element) {
  const computed = getComputedStyle(element);
  const text = element.tagName === "text" || element.tagName === "tspan";
  const wanted = text ? { ...PICTURE_STYLES, ...PICTURE_TEXT_STYLES } : PICTURE_STYLES;
  if (element.tagName === "g" || element.tagName === "defs" || element.tagName === "pattern") {
    if (computed.opacity !== "1") element.setAttribute("opacity", computed.opacity);
    return;
  }
  for (const [name, usual] of Object.entries(wanted)) {
    // A pattern keeps its address; the browser would add that of the page.
    if ((element.getAttribute(name) || "").startsWith("url(")) continue;
    const value = computed.getPropertyValue(name);
    if (value && value !== usual) element.setAttribute(name, value);
  }
}

/** What only the page uses. */
function dropNames(element) {
  for (const name of element.getAttributeNames())
    if (/^(class|role|tabindex|aria-|data-)/.test(name)) element.removeAttribute(name);
}

function pictureText(svg) {
  // Two characters that XML does not allow.
  return new XMLSerializer().serializeToString(svg).replace(/[\ufffe\uffff]/g, "\ufffd");
}

function savePng(svg) {
  const [width, height] = ["width", "height"].map((name) => Number(svg.getAttribute(name)));
  const scale = Math.min(PIXELS, LONGEST_SIDE / Math.max(width, height));
  const picture = new Image();
  picture.addEventListener("load", () => {
    const canvas = make("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => saveFile(blob, "png"), "image/png");
  });
  picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(pictureText(svg));
}

/** Offer a file as a download, named after the title of the page. */
function saveFile(blob, ending) {
  const name = page.model.title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: `${Array.from(name).slice(0, 60).join("") || "tree"}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
