"use strict";
// Node panel: everything the document contains about the selected node, or about the node under the pointer.

/** Steps of a long path that are listed; earlier ones are only counted. */
const MAX_PATH_STEPS = 12;
const MAX_BRANCHES = 12;

const nodePanel = { selected: null, preview: null };

function makeNodePanel() {
  nodePanel.selected = make("div", { class: "node-view" });
  nodePanel.preview = make("div", { class: "node-view preview", hidden: true });
  const show = () => setChildren(nodePanel.selected, nodeParts(page.selected));
  listen("select language", show);
  listen("hover", () => {
    const node = page.hovered;
    const other = node >= 0 && node !== page.selected && page.view.depth[node] >= 0;
    nodePanel.preview.hidden = !other;
    nodePanel.selected.hidden = other;
    if (other) setChildren(nodePanel.preview, nodeParts(node));
  });
  return make("div", { class: "node-panel" }, nodePanel.selected, nodePanel.preview);
}

function nodeParts(node) {
  const { view } = page;
  return [
    nodeHead(view, node),
    section("classes", t(view.model.isNumber ? "numbers_here" : "classes_here"), contents(view, node)),
    section("facts", t("figures"), nodeFacts(view, node), branchPart(view, node)),
    section("distribution", t("distribution"), distributionPart(view, node)),
    section("ledger", t("why_this_split"), ledgerPart(view, node)),
    section("surrogates", t("surrogates"), surrogatePart(view, node)),
    section("pruning", t("pruning_here"), pruningPart(view, node)),
    section("rows", t("rows_here"), rowsPart(view, node)),
  ];
}

/** A button that looks like a link and goes to a node. */
function nodeLink(node, text) {
  const go = () => {
    reveal(node);
    selectNode(node);
    showNode(node);
  };
  return make("button", { class: "link", type: "button", on: { click: go } }, userText(text));
}

function nodeHead(view, node) {
  const leaf = isLeaf(view, node);
  const proportion = predictedProbability(view, node);
  const predicted = view.model.isNumber
    ? make("strong", null, predictionText(view, node))
    : make("strong", null, className(predictedClass(view, node)));
  return make(
    "header",
    { class: "node-head" },
    make(
      "p",
      { class: "node-name" },
      nodeName(node),
      " · ",
      leaf ? t("leaf") : tParts("splits_on", { column: userText(splitColumn(view, node)) }),
    ),
    pathList(view, node),
    make(
      "p",
      { class: "node-prediction" },
      tParts("predicts", { prediction: [predicted, proportion === null ? "" : " " + percent(proportion)] }),
    ),
  );
}

/** The path as a list, each step a link to its node. */
function pathList(view, node) {
  const path = pathTo(view, node);
  if (path.length === 1) return make("p", { class: "path-to-node" }, t("path_root"));
  const steps = path.slice(1);
  const hidden = Math.max(0, steps.length - MAX_PATH_STEPS);
  const items = steps.slice(hidden).map((one) => make("li", null, nodeLink(one, branchText(view, one))));
  if (hidden) items.unshift(make("li", { class: "quiet" }, tCount("steps_before", hidden)));
  return make("ol", { class: "path-to-node", "aria-label": t("path_to_node") }, items);
}

/** Validation rows at a node; null if there are none. */
function checkedAt(view, node) {
  const given = view.model.doc.nodes.validation;
  const other = changedContents(view, node);
  if (other && other.validation) return other.validation;
  return given ? { stats: given.stats[node], weight: given.weight[node], error: given.error[node] } : null;
}

function contents(view, node) {
  const checked = checkedAt(view, node);
  if (!view.model.isNumber) {
    const table = classTable(Array.from(statsOf(view, node)), checked ? Array.from(checked.stats) : null);
    const empty = weightOf(view, node) > 0 ? null : smallPrint(t("empty_node"));
    return [table, empty, predictionNotes(view, valueOf(view, node), node, predictedClass(view, node))];
  }
  const [weight, , loss] = statsOf(view, node);
  const facts = [
    [t("value"), exactNumber(Number(valueOf(view, node)[0].toPrecision(8)))],
    [t(view.model.doc.by_median ? "loss_absolute" : "loss_squared"), formatNumber(loss, 4)],
    [
      t(view.model.doc.by_median ? "loss_absolute_each" : "loss_squared_each"),
      weight > 0 ? formatNumber(loss / weight, 4) : null,
    ],
  ];
  if (checked) {
    facts.push([t("validation_value"), checked.weight > 0 ? formatNumber(checked.stats[1], 4) : "–"]);
    facts.push([
      t("validation_squared"),
      checked.weight > 0 ? formatNumber(checked.error / checked.weight, 4) : "–",
    ]);
  }
  return [factList(facts), predictionNotes(view, valueOf(view, node), node, null)];
}

function nodeFacts(view, node) {
  const { criterion_words, ranked_by } = view.model.doc;
  const splitNode = view.split[node];
  const checked = checkedAt(view, node);
  const wrong = view.model.isNumber
    ? null
    : sum(statsOf(view, node)) - statsOf(view, node)[predictedClass(view, node)];
  return factList([
    [t("weight"), formatWeight(weightOf(view, node))],
    [t("row_count"), formatCount(nodeField(view, node, "count"))],
    [t("validation_weight"), checked ? formatWeight(checked.weight) : null],
    [t("errors_as_leaf"), wrong === null ? null : formatWeight(Math.max(0, wrong))],
    [t("validation_errors"), checked && wrong !== null ? formatWeight(checked.error) : null],
    [t("impurity", { criterion: inLanguage(criterion_words) }), formatNumber(nodeField(view, node, "impurity"), 4)],
    [t("gain"), splitNode === node ? formatNumber(nodeField(view, node, "gain"), 4) : null],
    [
      t("ratio"),
      splitNode === node && ranked_by === "ratio" ? formatNumber(nodeField(view, node, "merit"), 4) : null,
    ],
    [t("nodes_below"), view.below[node] ? formatCount(view.below[node]) : null],
  ]);
}

function sum(values) {
  return values.reduce((total, one) => total + one, 0);
}

/** The branches of the split, each a link to its child. */
function branchPart(view, node) {
  if (isLeaf(view, node)) return null;
  const children = childrenOf(view, node);
  const rows = children.slice(0, MAX_BRANCHES).map((child) => {
    const part = make(
      "span",
      { class: "quiet" },
      ` ${percent(shareOf(view, child))} · ${predictionText(view, child)}`,
    );
    return make("li", null, nodeLink(child, branchText(view, child)), part);
  });
  const more = children.length - MAX_BRANCHES;
  if (more > 0) rows.push(make("li", { class: "quiet" }, tCount("more_branches", more)));
  const raised =
    view.split[node] === node ? null : smallPrint(t("raised_here", { n: formatCount(view.split[node]) }));
  return [raised, make("ul", { class: "branches", "aria-label": t("branches") }, rows)];
}

function surrogatePart(view, node) {
  const splitNode = view.split[node];
  const all = view.model.doc.nodes.surrogates;
  const found = splitNode >= 0 && all ? all[splitNode] : null;
  if (!found || !found.length) return null;
  const tails = branchConditions(splitNode);
  const items = found.map((one) =>
    make(
      "li",
      null,
      userText(surrogateText(one)),
      " → ",
      userText(tails[0]),
      make(
        "span",
        { class: "quiet" },
        " " + t("agrees", { share: percent(one.agree), adjusted: formatNumber(one.adjusted) }),
      ),
    ),
  );
  return [smallPrint(t("surrogates_why")), make("ol", { class: "branches" }, items)];
}

/** The condition of a surrogate for branch 0. */
function surrogateText(one) {
  const column = page.model.columns[one.column];
  if (!one.table) {
    const sign = one.low_branch === 0 ? "≤" : ">";
    return `${column.shown} ${sign} ${thresholdText(one.threshold_words, one.threshold)}`;
  }
  const codes = one.table[0].filter((_, i) => one.table[1][i] === 0);
  return `${column.shown} ∈ ${setText(codes.map((code) => column.categories[code]))}`;
}
