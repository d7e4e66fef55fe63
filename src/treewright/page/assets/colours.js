"use strict";
// Colours: the colour, pattern and symbol of a class, and the colour of a number. The colours are those of Okabe
// and Ito (2008), which colour-blind people can tell apart; each class also has a pattern in bars and a symbol
// beside its name.

const CLASS_COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999"];

/** Symbols in a square of 12: circle, square, triangle, diamond, cross, triangle down, bar, ring. */
const CLASS_SIGNS = [
  "M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10z",
  "M1.5 1.5h9v9h-9z",
  "M6 1l5.5 10H.5z",
  "M6 .5L11.5 6 6 11.5.5 6z",
  "M4.5 1h3v3.5H11v3H7.5V11h-3V7.5H1v-3h3.5z",
  "M6 11L.5 1h11z",
  "M1 4h10v4H1z",
  "M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10zM6 3.8a2.2 2.2 0 1 1 0 4.4a2.2 2.2 0 1 1 0-4.4z",
];

/** Strokes in a square of 8 for the pattern of a class. */
const CLASS_HATCHES = [
  "",
  "M-2 6L6-2M2 10L10 2",
  "M2 2h.01M6 6h.01",
  "M-2 2L6 10M2-2L10 6",
  "M0 4h8",
  "M4 0v8",
  "M0 4h8M4 0v8",
  "M2 6h4",
];

function classColour(code) {
  return CLASS_COLOURS[code % CLASS_COLOURS.length];
}

/** Where the colours repeat, the symbol and the pattern differ. */
function classShape(code) {
  return (code + 3 * Math.floor(code / CLASS_COLOURS.length)) % CLASS_SIGNS.length;
}

/** From dark blue through green to yellow, with evenly increasing lightness, as in the plots of the library. */
const NUMBER_COLOURS = [
  [72, 36, 117],
  [65, 68, 135],
  [53, 95, 141],
  [42, 120, 142],
  [33, 145, 140],
  [34, 168, 132],
  [68, 191, 112],
  [122, 209, 81],
  [189, 223, 38],
];

/** The colour of a number within the range of predicted values. */
function numberColour(value, [low, high]) {
  const place = high > low ? ((value - low) / (high - low)) * (NUMBER_COLOURS.length - 1) : 0;
  const at = Math.min(NUMBER_COLOURS.length - 2, Math.max(0, Math.floor(place)));
  const part = Math.min(1, Math.max(0, place - at));
  const mixed = NUMBER_COLOURS[at].map((c, i) => Math.round(c + (NUMBER_COLOURS[at + 1][i] - c) * part));
  return `rgb(${mixed.join(" ")})`;
}

/** Number of colours for predicted values in the overview, where thousands of boxes are drawn at once. */
const SHADES = 12;

/** How many colours the overview has, which of them a node has, and what it is. */
function shadeCount(model) {
  return model.isNumber ? SHADES : model.classes.length;
}

function shadeOf(view, node) {
  if (!view.model.isNumber) return predictedClass(view, node);
  const [low, high] = view.model.numberRange;
  const place = high > low ? (valueOf(view, node)[0] - low) / (high - low) : 0;
  return Math.min(SHADES - 1, Math.max(0, Math.floor(place * SHADES)));
}

function shadeColour(model, shade) {
  if (!model.isNumber) return classColour(shade);
  const [low, high] = model.numberRange;
  return numberColour(low + ((shade + 0.5) / SHADES) * (high - low), model.numberRange);
}

function nodeColour(view, node) {
  return view.model.isNumber
    ? numberColour(valueOf(view, node)[0], view.model.numberRange)
    : classColour(predictedClass(view, node));
}

/** The patterns of the classes, referred to by `classPaint`, in an SVG without size. */
function classPatterns(model) {
  const patterns = model.classes
    .slice(0, 256)
    .map((_, code) =>
      draw(
        "pattern",
        { id: "class-" + code, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
        draw("rect", { width: 8, height: 8, fill: classColour(code) }),
        draw("path", { d: CLASS_HATCHES[classShape(code)], class: "hatch" }),
      ),
    );
  return draw("svg", { class: "patterns", "aria-hidden": "true" }, draw("defs", null, patterns));
}

function classPaint(code) {
  return code < 256 && CLASS_HATCHES[classShape(code)] ? `url(#class-${code})` : classColour(code);
}

/** The symbol of a class, in the size of the text around it. */
function classSign(code) {
  const path = draw("path", { d: CLASS_SIGNS[classShape(code)], fill: classColour(code) });
  return draw("svg", { class: "sign", viewBox: "0 0 12 12", "aria-hidden": "true" }, path);
}
