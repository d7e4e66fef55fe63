"use strict";
// Node panel: everything the document says about one node. In: the node selected, or for a moment the one under the
// pointer. Out: its way, its classes, its figures, and the parts that other files make.

/** Steps of a long way that are listed; the ones before are only counted. */
const STEPS_SHOWN = 12;
const BRANCHES_SHOWN = 12;

const nodePanel = { selected: null, preview: null };

function makeNodePanel() {
  nodePanel.selected = make("div", { class: "node-view" });
  nodePanel.preview = make("div", { class: "node-view preview", hidden: true });
  const show = () => refill(nodePanel.selected, nodeParts(page.selected));
  listen("select words", show);
  listen("hover", () => {
    const node = page.hovered;
    const other = node >= 0 && node !== page.selected && page.view.depth[node] >= 0;
    nodePanel.preview.hidden = !other;
    nodePanel.selected.hidden = other;
    if (other) refill(nodePanel.preview, nodeParts(node));
  });
  return make("div", { class: "node-panel" }, nodePanel.selected, nodePanel.preview);
}

function nodeParts(node) {
  const { view } = page;
  return [
    nodeHead(view, node),
    section("classes", say(view.model.isNumber ? "numbers_here" : "classes_here"), contents(view, node)),
    section("facts", say("figures"), nodeFacts(view, node), questionPart(view, node)),
    section("distribution", say("distribution"), distributionPart(view, node)),
    section("ledger", say("why_this_question"), ledgerPart(view, node)),
    section("surrogates", say("surrogates"), surrogatePart(view, node)),
    section("pruning", say("pruning_here"), pruningPart(view, node)),
    section("rows", say("rows_here"), rowsPart(view, node)),
  ];
}

/** A button that reads like a link and goes to a node. */
function nodeLink(node, text) {
  const go = () => {
    reveal(node);
    selectNode(node);
    showNode(node);
  };
  return make("button", { class: "link", type: "button", on: { click: go } }, own(text));
}

function nodeHead(view, node) {
  const leaf = isLeaf(view, node);
  const share = answerShare(view, node);
  const answer = view.model.isNumber
    ? make("strong", null, answerWords(view, node))
    : make("strong", null, className(answerOf(view, node)));
  return make(
    "header",
    { class: "node-head" },
    make(
      "p",
      { class: "node-name" },
      nodeName(node),
      " · ",
      leaf ? say("leaf") : [say("asks_for"), " ", own(questionName(view, node))],
    ),
    wayList(view, node),
    make("p", { class: "node-answer" }, say("answers") + " ", answer, share === null ? "" : " " + percent(share)),
  );
}

/** The way as a list, each step a link to the node it comes from. */
function wayList(view, node) {
  const way = wayTo(view, node);
  if (way.length === 1) return make("p", { class: "way" }, say("way_root"));
  const steps = way.slice(1);
  const hidden = Math.max(0, steps.length - STEPS_SHOWN);
  const items = steps.slice(hidden).map((one) => make("li", null, nodeLink(one, branchWords(view, one))));
  if (hidden) items.unshift(make("li", { class: "quiet" }, sayCount("steps_before", hidden)));
  return make("ol", { class: "way", "aria-label": say("way") }, items);
}

/** Validation rows at a node; null where there are none. */
function checkedAt(view, node) {
  const given = view.model.doc.nodes.validation;
  const other = contentsOf(view, node);
  if (other && other.validation) return other.validation;
  return given ? { stats: given.stats[node], weight: given.weight[node], error: given.error[node] } : null;
}

function contents(view, node) {
  const checked = checkedAt(view, node);
  if (!view.model.isNumber) {
    const table = classTable(Array.from(statsOf(view, node)), checked ? Array.from(checked.stats) : null);
    const empty = weightOf(view, node) > 0 ? null : note(say("empty_node"));
    return [table, empty, answeringPart(view, valueOf(view, node), node, answerOf(view, node))];
  }
  const [weight, , loss] = statsOf(view, node);
  const facts = [
    [say("value"), numberWords(Number(valueOf(view, node)[0].toPrecision(8)))],
    [say("loss"), figure(loss, 4)],
    [say("loss_each"), weight > 0 ? figure(loss / weight, 4) : null],
  ];
  if (checked) {
    facts.push([say("validation_value"), checked.weight > 0 ? figure(checked.stats[1], 4) : "–"]);
    facts.push([say("validation_squared"), checked.weight > 0 ? figure(checked.error / checked.weight, 4) : "–"]);
  }
  return [factList(facts)];
}

function nodeFacts(view, node) {
  const { criterion_words, ranked_by } = view.model.doc;
  const question = view.split[node];
  const checked = checkedAt(view, node);
  const wrong = view.model.isNumber ? null : sum(statsOf(view, node)) - statsOf(view, node)[answerOf(view, node)];
  return factList([
    [say("weight"), weightWords(weightOf(view, node))],
    [say("row_count"), countWords(held(view, node, "count"))],
    [say("validation_weight"), checked ? weightWords(checked.weight) : null],
    [say("errors_as_leaf"), wrong === null ? null : weightWords(Math.max(0, wrong))],
    [say("validation_errors"), checked && wrong !== null ? weightWords(checked.error) : null],
    [say("impurity", { criterion: inLanguage(criterion_words) }), figure(held(view, node, "impurity"), 4)],
    [say("gain"), question === node ? figure(held(view, node, "gain"), 4) : null],
    [say("ratio"), question === node && ranked_by === "ratio" ? figure(held(view, node, "merit"), 4) : null],
    [say("nodes_below"), view.below[node] ? countWords(view.below[node]) : null],
  ]);
}

function sum(values) {
  return values.reduce((total, one) => total + one, 0);
}

/** The branches of the question, each a link to its child. */
function questionPart(view, node) {
  if (isLeaf(view, node)) return null;
  const children = childrenOf(view, node);
  const rows = children.slice(0, BRANCHES_SHOWN).map((child) => {
    const part = make(
      "span",
      { class: "quiet" },
      ` ${percent(shareOf(view, child))} · ${answerWords(view, child)}`,
    );
    return make("li", null, nodeLink(child, branchWords(view, child)), part);
  });
  const more = children.length - BRANCHES_SHOWN;
  if (more > 0) rows.push(make("li", { class: "quiet" }, sayCount("more_branches", more)));
  const raised = view.split[node] === node ? null : note(say("raised_here", { n: countWords(view.split[node]) }));
  return [raised, make("ul", { class: "branches", "aria-label": say("branches") }, rows)];
}

function surrogatePart(view, node) {
  const question = view.split[node];
  const all = view.model.doc.nodes.surrogates;
  const found = question >= 0 && all ? all[question] : null;
  if (!found || !found.length) return null;
  const tails = branchTails(question);
  const items = found.map((one) =>
    make(
      "li",
      null,
      own(surrogateWords(one)),
      " → ",
      own(tails[0]),
      make(
        "span",
        { class: "quiet" },
        " " + say("agrees", { share: percent(one.agree), adjusted: figure(one.adjusted) }),
      ),
    ),
  );
  return [note(say("surrogates_why")), make("ol", { class: "branches" }, items)];
}

/** What takes a case down branch 0 by a surrogate. */
function surrogateWords(one) {
  const column = page.model.columns[one.column];
  if (!one.table) {
    const sign = one.low_branch === 0 ? "≤" : ">";
    return `${column.shown} ${sign} ${thresholdWords(one.threshold_words, one.threshold)}`;
  }
  const codes = one.table[0].filter((_, i) => one.table[1][i] === 0);
  return `${column.shown} ∈ ${setWords(codes.map((code) => column.categories[code]))}`;
}
