"use strict";
// Help: windows over the page, and what the keys do. In: a heading and content. Out: a window that can be closed.

const KEYS = [
  ["↑ ↓ ← →", "key_arrows"],
  ["Enter", "key_enter"],
  ["Home", "key_home"],
  ["+ −", "key_zoom"],
  ["f", "key_fit"],
  ["e", "key_open_all"],
  ["/", "key_search"],
  ["n, N", "key_hits"],
  ["c", "key_case"],
  ["p", "key_pruning"],
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
        make("tr", null, make("th", { scope: "row" }, make("kbd", null, key)), make("td", null, say(words))),
      ),
    ),
  );
}

/** A window over the page with a heading and a way out. */
function showDialog(title, ...content) {
  const close = () => dialog.close();
  const dialog = make(
    "dialog",
    { class: "dialog", "aria-label": title, on: { close: () => dialog.remove() } },
    make("header", null, make("h2", null, title), iconButton("cross", say("close"), close)),
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
  showDialog(say("help_title"), make("p", null, say("help_words")), keyTable());
}
