"use strict";
// Export panel: the tree used for prediction as SQL, code or rules, which can be copied and saved.

const EXPORT_GROUPS = ["sql", "code", "text"];

/** The format that was chosen last. */
let chosenExport = null;

function showExport() {
  const { exports } = page.model.doc;
  const first = exports.find((one) => one.key === chosenExport) || exports[0];
  const content = make("div", { class: "export-content" });
  const choose = (key) => {
    chosenExport = key;
    const one = exports.find((other) => other.key === key);
    exportParts(one).then((parts) => {
      if (chosenExport === key) setChildren(content, exportedTree(one), parts);
    });
  };
  const choice = make(
    "select",
    { class: "export-choice", on: { change: () => choose(choice.value) } },
    EXPORT_GROUPS.map((group) => exportGroup(exports, group)),
  );
  choice.value = first.key;
  const label = make("label", { class: "export-label" }, make("span", null, t("export_format")), choice);
  const dialog = showDialog(t("export_title"), label, content);
  dialog.classList.add("export-dialog");
  choice.focus();
  choose(first.key);
}

function exportGroup(exports, group) {
  const options = exports
    .filter((one) => one.group === group)
    .map((one) => make("option", { value: one.key }, exportName(one)));
  return make("optgroup", { label: t("export_group_" + group) }, options);
}

function exportName(one) {
  return one.name || t("export_" + one.key);
}

/** Which tree the text is for; if the page shows another one, how to export that in Python. */
function exportedTree(one) {
  const own = ownView();
  const used = tCount("leaf_count", own.leaves);
  if (isSameTree(own, page.view)) return make("p", { class: "note export-tree" }, t("export_shown", { used }));
  const shown = tCount("leaf_count", page.view.leaves);
  const pruned = prunedCall();
  return [
    make("p", { class: "problem export-tree" }, t("export_not_shown", { used, shown })),
    pruned === null ? null : pythonHint("export_other", `est.${pruned}.${one.call}`),
  ];
}

function isSameTree(one, other) {
  return (
    one.order.length === other.order.length &&
    one.order.every((node, i) => node === other.order[i] && one.split[node] === other.split[node])
  );
}

/** The call that makes the tree shown; null if it takes more than one line. */
function prunedCall() {
  const { views, path } = page.model.doc;
  if (page.alpha >= 0) {
    const usual = !views.some((one) => one.title.includes("CostComplexity("));
    return usual ? `pruned("cost_complexity", alpha=${path.alphas[page.alpha]})` : null;
  }
  const given = views.find((_, i) => viewAt(i) === page.view);
  if (!given || given.key === "grown") return "pruned(None)";
  if (given.title !== given.method || given.method === "pre_pruning") return null;
  return `pruned("${given.method}"${given.used_validation ? ", X_val=X_val, y_val=y_val" : ""})`;
}

/** The text with its buttons; or why there is none. */
async function exportParts(one) {
  const call = `est.${one.call}`;
  if (one.refused !== null)
    return [
      make("p", null, t("export_refused", { format: exportName(one) })),
      make("p", { class: "problem export-refusal", lang: "en" }, escapeUnsafe(one.refused)),
    ];
  if (one.text === null) return pythonHint("export_absent", call);
  const text = await decompress(inLanguage(one.text));
  if (text === null) return pythonHint("export_unreadable", call);
  const shown = text.replace(/[^\n\t]+/g, escapeUnsafe);
  const pre = make("pre", { class: "export-text", tabindex: 0, dir: "ltr", role: "region" }, shown);
  pre.setAttribute("aria-label", exportName(one));
  const status = make("span", { class: "note export-status", role: "status" });
  const copy = () =>
    copyText(text, pre).then((done) => {
      status.textContent = t(done ? "export_copied" : "export_not_copied");
    });
  const save = () => saveFile(new Blob([text], { type: "text/plain;charset=utf-8" }), one.ending);
  const button = (name, action) =>
    make(
      "button",
      { class: "plain", type: "button", "data-export": name, on: { click: action } },
      t("export_" + name),
    );
  return [
    pre,
    shown === text ? null : smallPrint(t("export_escaped")),
    make("p", { class: "export-buttons" }, button("copy", copy), button("save", save), status),
    one.group === "text" ? pythonHint("decision_more", call) : pythonHint("export_check", call),
  ];
}

/** The text of zlib data in base64; null if the browser cannot decompress it. */
async function decompress(data) {
  if (typeof DecompressionStream === "undefined") return null;
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

/** Copy a text; if the browser does not allow it, select the text that is shown and return false. */
async function copyText(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(shown);
    return shown.textContent === text && document.execCommand("copy");
  }
}
