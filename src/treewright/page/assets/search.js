"use strict";
// Search: nodes by what they say. In: a text. Out: the nodes whose column, branch, answer or number it fits, in the
// order of the tree, each to be visited in turn.

function folded(text) {
  return text.normalize("NFKC").toLowerCase();
}

/** Nodes that the text fits. A number, or #number, is the number of a node too. */
function findNodes(view, typed) {
  const text = folded(typed.trim());
  if (!text) return [];
  const { model } = view;
  const has = (word) => folded(word).includes(text);
  const columns = model.columns.map((column) => has(column.shown));
  const categories = model.columns.map((column) => new Set(codesOf(column.categories, has)));
  const classes = model.classes.map(has);
  const number = /^#?\d+$/.test(text) ? Number(text.replace("#", "")) : -1;
  const meant = new Map();
  const branches = (question) => {
    if (!meant.has(question))
      meant.set(question, meantBranches(model, question, categories[model.column[question]], text));
    return meant.get(question);
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
  return view.model.isNumber ? folded(answerWords(view, node)) === text : classes[answerOf(view, node)];
}

/** The branches of a question that one of the meant categories, or the threshold meant, leads to. */
function meantBranches(model, question, meant, text) {
  if (model.tables[question] === null) {
    const cut = folded(thresholdWords(model.doc.nodes.threshold_words[question], model.threshold[question]));
    const ordered = model.columns[model.column[question]].kind === "ordered";
    return new Set(cut === text || (ordered && cut.includes(text)) ? [0, 1] : []);
  }
  const [codes, branches] = model.tables[question];
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
    searching.field.placeholder = say("search");
    searching.field.setAttribute("aria-label", say("search_long"));
    searching.field.title = say("search_long");
    refill(
      box,
      icon("search"),
      searching.field,
      searching.count,
      iconButton("before", say("hit_before"), () => goToHit(-1)),
      iconButton("after", say("hit_after"), () => goToHit(1)),
    );
  };
  listen("words", fill);
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
  else tell("hits");
  showCount();
}

function showCount() {
  const { hits, hit } = page;
  const none = searching.typed && searching.typed.trim() ? say("no_hits") : "";
  searching.count.textContent = hits.length ? `${hit + 1} / ${countWords(hits.length)}` : none;
}

function goToHit(step) {
  const many = page.hits.length;
  if (!many) return;
  page.hit = page.hit < 0 && step < 0 ? many - 1 : (page.hit + step + many) % many;
  const node = page.hits[page.hit];
  reveal(node);
  selectNode(node);
  showNode(node);
  showCount();
  tell("hits");
}
