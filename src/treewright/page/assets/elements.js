"use strict";
// Elements: functions that create HTML and SVG elements. Whatever comes from the user becomes a text node, never
// markup.

const SVG_NAMES = "http://www.w3.org/2000/svg";

/** Control and bidirectional characters, and lone surrogates. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** Characters of a name that are shown. */
const MAX_NAME_LENGTH = 300;

/** The text with control characters escaped. */
function escapeUnsafe(text) {
  return String(text).replace(UNSAFE, (c) => {
    const code = c.charCodeAt(0);
    return code < 0x100 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u" + code.toString(16).padStart(4, "0");
  });
}

/** The text on one line, with control characters escaped and cut if it is too long. */
function shownText(text) {
  const safe = escapeUnsafe(text);
  if (safe.length <= MAX_NAME_LENGTH) return safe;
  return safe.slice(0, MAX_NAME_LENGTH).replace(/[\ud800-\udbff]$/, "") + "…";
}

/** A category as the user wrote it; blank ones are quoted. */
function shownCategory(text) {
  const shown = shownText(text);
  return shown.trim() ? shown : "'" + shown + "'";
}

/**
 * Attributes: `on` holds listeners, `text` the content; `value`, `checked`, `disabled` and `selected` are set as
 * properties; everything else is an attribute, left out if it is null or false.
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "text") {
      element.textContent = value;
    } else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") {
      element[name] = value;
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  return element;
}

/** An HTML element; children are elements or text, null is skipped. */
function make(tag, attributes, ...children) {
  const element = setAttributes(document.createElement(tag), attributes);
  appendAll(element, children);
  return element;
}

/** An SVG element. */
function draw(tag, attributes, ...children) {
  const element = setAttributes(document.createElementNS(SVG_NAMES, tag), attributes);
  appendAll(element, children);
  return element;
}

function appendAll(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Replace the content of an element. */
function setChildren(element, ...children) {
  element.replaceChildren();
  appendAll(element, children);
  return element;
}

/** A part of a name longer than this may break anywhere; shorter ones break only at their ends. */
const MAX_UNBROKEN = 18;

/**
 * The user's text within a sentence, isolated from its text direction. It breaks at blanks and after
 * underscores.
 */
function userText(text, className = "own") {
  const parts = String(text).match(/[^_]*_+|[^_]+/g) || [];
  const long = parts.some((part) => part.split(/[\s_]/).some((word) => word.length > MAX_UNBROKEN));
  return make(
    "bdi",
    { class: long ? className + " long" : className },
    parts.map((part, i) => (i ? [make("wbr"), part] : part)),
  );
}

/** Icons of the buttons as paths in a square of 20. */
const ICONS = {
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
  open: "M10 3v14M6 7l4-4 4 4M6 13l4 4 4-4",
  close: "M10 2v6M7 5l3 3 3-3M10 18v-6M7 15l3-3 3 3",
  turn: "M4 5h7a5 5 0 0 1 5 5v6M13 13l3 3 3-3M7 2L4 5l3 3",
  moon: "M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9z",
  sun:
    "M10 6.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7M10 1v2.5M10 16.5V19M1 10h2.5M16.5 10H19" +
    "M3.6 3.6l1.8 1.8M14.6 14.6l1.8 1.8M3.6 16.4l1.8-1.8M14.6 5.4l1.8-1.8",
  bars: "M4 17V9M10 17V3M16 17v-6M2 17h16",
  save: "M10 3v10M6 9.5l4 4 4-4M4 17h12",
  export: "M6.5 5.5L2 10l4.5 4.5M13.5 5.5L18 10l-4.5 4.5M11.5 3.5l-3 13",
  print: "M6 7V3h8v4M6 14H3V7h14v7h-3M6 12h8v5H6z",
  help: "M7 7.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4M10 15.5v.6",
  before: "M12.5 4l-6 6 6 6",
  after: "M7.5 4l6 6-6 6",
  cross: "M5 5l10 10M15 5L5 15",
  search: "M8.5 3a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M12.5 12.5L17 17",
};

function icon(name) {
  const path = draw("path", { d: ICONS[name] });
  return draw("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" }, path);
}

/** A button with an icon; `label` is its accessible name and tooltip. */
function iconButton(name, label, action) {
  return make(
    "button",
    { class: "icon-button", type: "button", title: label, "aria-label": label, on: { click: action } },
    icon(name),
  );
}
