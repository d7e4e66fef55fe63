"use strict";
// Search: finds nodes by column, category, class, threshold or number, and goes from one to the next.

function foldCase(text) {
  return text.normalize("NFKC").toLowerCase();
}

/** Nodes that match the text; a number, or #number, also matches a node number. */
function findNodes(view, typed) {
  const text = foldCase(typed.trim());
  if (!text) return [];
  const { model } = view;
  const has = (word) => foldCase(word).includes(text);
  const columns = model.columns.map((column) => has(column.shown));
  const categories = model.columns.map((column) => new Set(codesOf(column.categories, has)));
  const classes = model.classes.map(has);
  const number = /^#?\d+$/.test(text) ? Number(text.replace("#", "")) : -1;
  const meant = new Map();
  const branches = (splitNode) => {
    if (!meant.has(splitNode))
      meant.set(splitNode, matchingBranches(model, splitNode, categories[model.column[splitNode]], text));
    return meant.get(splitNode);
  };
  const found = [];
  for (const node of preorder(view)) {
    if (shownNumber(node) === number) found.push(node);
    else if (isLeaf(view, node) ? leafFits(view, node, classes, text) : columns[model.column[view.split[node]]])
      found.push(node);
    else if (node !== 0 && branches(view.split[view.parent[node]]).has(branchTo(view, node))) found.push(node);
  }
  return found;
}

function codesOf(categories, has) {
  const codes = [];
  categories.forEach((category, code) => {
    if (has(category)) codes.push(code);
  });
  return codes;
}

function shownNumber(node) {
  return ownView().depth[node] >= 0 ? ownView().number[node] : node;
}

function leafFits(view, node, classes, text) {
  return view.model.isNumber ? foldCase(predictionText(view, node)) === text : classes[predictedClass(view, node)];
}

/** The branches of a split that one of the matching categories or a matching threshold leads to. */
function matchingBranches(model, splitNode, meant, text) {
  if (model.tables[splitNode] === null) {
    const cut = foldCase(thresholdText(model.doc.nodes.threshold_words[splitNode], model.threshold[splitNode]));
    const ordered = model.columns[model.column[splitNode]].kind === "ordered";
    return new Set(cut === text || (ordered && cut.includes(text)) ? [0, 1] : []);
  }
  const [codes, branches] = model.tables[splitNode];
  return new Set(branches.filter((_, i) => meant.has(codes[i])));
}

const searching = { field: null, count: null, timer: 0 };

function makeSearch() {
  searching.field = make("input", {
    class: "search-field",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    on: {
      input: () => {
        clearTimeout(searching.timer);
        searching.timer = setTimeout(() => search(searching.field.value), 150);
      },
      keydown: onSearchKey,
    },
  });
  searching.count = make("output", { class: "search-count", "aria-live": "polite" });
  const box = make("div", { class: "search", role: "search" });
  const fill = () => {
    searching.field.placeholder = t("search");
    searching.field.setAttribute("aria-label", t("search_long"));
    searching.field.title = t("search_long");
    setChildren(
      box,
      icon("search"),
      searching.field,
      searching.count,
      iconButton("before", t("hit_before"), () => goToHit(-1)),
      iconButton("after", t("hit_after"), () => goToHit(1)),
    );
  };
  listen("language", fill);
  listen("view", () => search(searching.field.value, false));
  fill();
  return box;
}

function onSearchKey(event) {
  if (event.key === "Enter") {
    event.preventDefault();
    if (searching.typed !== searching.field.value) search(searching.field.value);
    else goToHit(event.shiftKey ? -1 : 1);
  } else if (event.key === "Escape") {
    searching.field.value = "";
    search("");
    stage.svg.focus();
  }
  event.stopPropagation();
}

function search(text, go = true) {
  clearTimeout(searching.timer);
  searching.typed = text;
  page.hits = findNodes(page.view, text);
  page.hitSet = new Set(page.hits);
  page.hit = -1;
  if (page.hits.length && go) goToHit(1);
  else emit("hits");
  showCount();
}

function showCount() {
  const { hits, hit } = page;
  const none = searching.typed && searching.typed.trim() ? t("no_hits") : "";
  searching.count.textContent = hits.length ? `${hit + 1} / ${formatCount(hits.length)}` : none;
}

function goToHit(step) {
  const many = page.hits.length;
  if (!many) return;
  page.hit = page.hit < 0 && step < 0 ? many - 1 : (page.hit + step + many) % many;
  const node = page.hits[page.hit];
  reveal(node);
  selectNode(node);
  showNode(node);
  openPanel("node");
  showCount();
  emit("hits");
}
