"""The decisions of a pruning report as sentences, text, HTML and a data frame, in English or Chinese.

Numbers that are compared are printed with as few digits as tell them apart. Names and categories are the user's. The
language is that of the report; data frames and the fields of a `Decision` but `where` and `words` stay English.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.language import N_, Messages, messages
from treewright.model.formatting import format_weight, printable
from treewright.model.tree_text import path_texts
from treewright.text_table import Grid, element, new_frame

if TYPE_CHECKING:
    from treewright.model.tree import Tree
    from treewright.prune.report import PruningReport

VERDICTS = ("kept", "pruned", "raised")
"""What can become of a node; a report has the positions."""

STEP = N_("step")
"""The detail that says which of several steps a visit belongs to, counted from 1."""

LINE_WIDTH = {"en": 110, "zh": 55}
"""Characters on a line of a sentence; a Chinese character is twice as wide."""

DIGITS, MAX_DIGITS = 3, 12
"""Digits of a number, and at most so many to tell it from another one."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a pruning report.

    Attributes
    ----------
    node : int
        The node, by its number in the grown tree.
    where : str
        The path to the node in words.
    column : str
        The column that the node splits on.
    weight : float
        The weight of its training rows when it was visited.
    leaf, subtree : float
        The two numbers that were compared: of the node as a leaf, and of its subtree.
    allowance : float
        How far the leaf may be above the subtree.
    branch : float or None
        The number with the largest branch in place of the node; None if that was not tried.
    verdict : {"kept", "pruned", "raised"}
    details : Mapping[str, Any]
        Further numbers of the method.
    words : str
        The decision in one sentence.
    """

    node: int
    where: str
    column: str
    weight: float
    leaf: float
    subtree: float
    allowance: float
    branch: float | None
    verdict: str
    details: Mapping[str, Any]
    words: str


class Section(NamedTuple):
    """A part of a printed report: the report of one step, its summary, and its nodes in the grown tree."""

    report: "PruningReport"
    summary: str
    nodes: NDArray[np.int64]
    grown: "Tree"


def make_decision(report: "PruningReport", i: int) -> Decision:
    """The decision of the i-th visit; nodes have the numbers of the grown tree, whichever step it was."""
    step, at = report.step(i)
    node = int(report.node[i])
    where = path_texts(report.tree, [node], report.language)[0]
    numbered = {STEP: _to_python(report.details[STEP][i])} if report.steps else {}
    return Decision(
        node=node,
        where=where,
        column=step.tree.schema.names[step.tree.column[step.node[at]]],
        weight=_weight(report, i),
        leaf=float(report.leaf[i]),
        subtree=float(report.subtree[i]),
        allowance=float(report.allowance[i]),
        branch=_branch(report, i),
        verdict=VERDICTS[report.verdict[i]],
        details=numbered | {name: _to_python(column[at]) for name, column in step.details.items()},
        words=printable(_sentence(report, i, where)),
    )


def _sentence(report: "PruningReport", i: int, where: str) -> str:
    """The i-th decision in words."""
    _, step = messages(report.language), report.step(i)[0]
    leaf, subtree, limit, branch = _figures_of_visit(report, i)
    values = {
        "leaf": leaf,
        "unit": _unit_of(step, leaf, _),
        "as_leaf": step.translated(step.as_leaf, _),
        "subtree": subtree,
        "as_subtree": step.translated(step.as_subtree, _),
        "limit": limit,
        "with_allowance": step.translated(step.with_allowance, _),
        "branch": branch,
    }
    if report.allowance[i] != 0 and branch:
        compared = _(
            "{leaf} {unit} {as_leaf}, {subtree} {as_subtree}, {limit} {with_allowance}, "
            "{branch} with its largest branch in its place",
            **values,
        )
    elif report.allowance[i] != 0:
        compared = _("{leaf} {unit} {as_leaf}, {subtree} {as_subtree}, {limit} {with_allowance}", **values)
    elif branch:
        compared = _(
            "{leaf} {unit} {as_leaf}, {subtree} {as_subtree}, {branch} with its largest branch in its place", **values
        )
    else:
        compared = _("{leaf} {unit} {as_leaf}, {subtree} {as_subtree}", **values)
    verdict = _verdicts(_)[report.verdict[i]]
    node = int(report.node[i])
    if report.steps:
        return _("Node {node} ({where}), {method}: {compared}: {verdict}.", node=node, where=where,
                 method=step.method, compared=compared, verdict=verdict)  # fmt: skip
    return _("Node {node} ({where}): {compared}: {verdict}.", node=node, where=where, compared=compared,
             verdict=verdict)  # fmt: skip


def report_frame(report: "PruningReport") -> Any:
    """All decisions as a data frame."""
    tree = report.tree
    names = np.array([*tree.schema.names, ""], dtype=object)
    columns = {
        "node": report.node,
        "words": path_texts(tree, report.node.tolist()),
        "column": names[np.concatenate([one.tree.column[one.node] for one in report.steps or (report,)])].tolist(),
        "weight": report.weight,
        "leaf": report.leaf,
        "subtree": report.subtree,
        "allowance": report.allowance,
        **({} if report.branch is None else {"branch": report.branch}),
        "verdict": [VERDICTS[v] for v in report.verdict.tolist()],
    }
    return new_frame(columns | dict(report.details))


def report_text(report: "PruningReport", n_rows: int) -> str:
    """The report for a terminal, with the first `n_rows` decisions, of each step where there are several."""
    _ = messages(report.language)
    parts = [] if not report.steps else [_summary(report, _)]
    for section in _sections(report, _):
        rule = printable(section.report.rule_text)
        lines = [section.summary, *wrap(rule, LINE_WIDTH.get(report.language, LINE_WIDTH["en"]))]
        if n_rows and len(section.report):
            lines += ["", *_table(section, n_rows, _).lines()]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def report_html(report: "PruningReport", n_rows: int) -> str:
    """The report for a notebook, with the first `n_rows` decisions, of each step where there are several."""
    _ = messages(report.language)
    parts = [] if not report.steps else [element("p", _summary(report, _))]
    for section in _sections(report, _):
        parts += [element("p", section.summary), element("p", printable(section.report.rule_text))]
        if n_rows and len(section.report):
            parts.append(_table(section, n_rows, _).html())
    return "<div>" + "".join(parts) + "</div>"


def _sections(report: "PruningReport", _: Messages) -> list[Section]:
    """The report itself, or those of its steps."""
    if not report.steps:
        return [Section(report, _summary(report, _), report.node, report.tree)]
    stage = report.stage
    return [
        Section(
            one, _("Step {n}. {summary}", n=i + 1, summary=_summary(one, _)), report.node[stage == i], report.tree
        )
        for i, one in enumerate(report.steps)
    ]


def _summary(report: "PruningReport", _: Messages) -> str:
    """How many nodes were visited and pruned, and how many leaves there are before and after."""
    # Every inner node that is left has branches, and these say which node of the grown tree they belonged to.
    n_inner = len(np.unique(report.tree.parent[report.origin[1:]]))
    leaves = {"before": report.tree.n_leaves, "after": len(report.origin) - n_inner}
    if report.steps:
        visited = _.plural("{n} step", "{n} steps", len(report.steps))
        return _("{method}: {visited}; {before} leaves before, {after} after.",
                 method=report.method, visited=visited, **leaves)  # fmt: skip
    if not len(report):
        return _("{method}: the tree has no node to prune.", method=report.method)
    n_nodes = len(np.unique(report.node))
    if n_nodes == len(report):
        visited = _.plural("{n} node visited", "{n} nodes visited", n_nodes)
    else:
        visited = _.plural("{n} node in {visits} visits", "{n} nodes in {visits} visits", n_nodes, visits=len(report))
    kept, pruned, raised = np.bincount(report.verdict, minlength=len(VERDICTS)).tolist()
    if raised:
        decided = _("{kept} kept, {pruned} pruned, {raised} raised", kept=kept, pruned=pruned, raised=raised)
    else:
        decided = _("{kept} kept, {pruned} pruned", kept=kept, pruned=pruned)
    return _("{method}: {visited}, {decided}; {before} leaves before, {after} after.",
             method=report.method, visited=visited, decided=decided, **leaves)  # fmt: skip


def _table(section: Section, n_rows: int, _: Messages) -> Grid:
    """The table of a report, with what its columns mean below it."""
    report = section.report
    shown = range(min(n_rows, len(report)))
    nodes = section.nodes[: len(shown)].tolist()
    tree, paths = report.tree, path_texts(section.grown, nodes, report.language)
    headings, verdicts = _headings(_), _verdicts(_)
    has = {"leaf": True, "subtree": True, "limit": bool(np.any(report.allowance)), "branch": report.branch is not None}
    rows = []
    for i in shown:
        numbers = [cell for cell, is_there in zip(_figures_of_visit(report, i), has.values(), strict=True) if is_there]
        details = [_cell(column, i) for column in report.details.values()]
        column = printable(tree.schema.names[tree.column[report.node[i]]])
        first = [str(nodes[i]), format_weight(_weight(report, i)), *numbers, verdicts[report.verdict[i]]]
        rows.append([*first, *details, column, printable(paths[i])])
    names = [name for name, is_there in has.items() if is_there]
    details = [printable(report.translated(name, _)) for name in report.details]
    head = ["node", "rows", *names, "verdict"]
    head = [*(headings[name] for name in head), *details, headings["splits on"], headings["where"]]
    right = [*[True] * (2 + len(names)), False, *map(_is_number, report.details.values()), False, False]
    return Grid(head, rows, right, _lines_below(report, len(report) - len(rows), has, _))


def _lines_below(report: "PruningReport", n_more: int, has: Mapping[str, bool], _: Messages) -> list[str]:
    """How many visits are not shown, and what the numbers of the table are."""
    lines = []
    if n_more and len(np.unique(report.node)) < len(report):
        lines.append(_.plural("… {n} more visit", "… {n} more visits", n_more))
    elif n_more:
        lines.append(_.plural("… {n} more node", "… {n} more nodes", n_more))
    translated = report.translated
    meanings = [
        _("leaf: {unit} {as_leaf}", unit=translated(report.unit, _), as_leaf=translated(report.as_leaf, _)),
        _("subtree: {as_subtree}", as_subtree=translated(report.as_subtree, _)),
    ]
    if has["limit"]:
        meanings.append(_("limit: {with_allowance}", with_allowance=translated(report.with_allowance, _)))
    if has["branch"]:
        meanings.append(_("branch: with its largest branch in its place"))
    return [*lines, printable(_.context("list", "; ").join(meanings))]


def _headings(_: Messages) -> dict[str, str]:
    """The headings of the table."""
    return {
        "node": _.context("pruning table", "node"),
        "rows": _.context("pruning table", "rows"),
        "leaf": _.context("pruning table", "leaf"),
        "subtree": _.context("pruning table", "subtree"),
        "limit": _.context("pruning table", "limit"),
        "branch": _.context("pruning table", "branch"),
        "verdict": _.context("pruning table", "verdict"),
        "splits on": _.context("pruning table", "splits on"),
        "where": _.context("pruning table", "where"),
    }


def _verdicts(_: Messages) -> tuple[str, str, str]:
    """The verdicts, in the order of their codes."""
    return _.context("verdict", "kept"), _.context("verdict", "pruned"), _.context("verdict", "raised")


def format_figures(numbers: Sequence[float]) -> list[str]:
    """Numbers that are compared: three digits, and more where two different ones would look the same.

    >>> format_figures([7.5, 6.5, 8.4647]), format_figures([1234.56, 20.0]), format_figures([0.12345, 0.12349])
    (['7.5', '6.5', '8.46'], ['1235', '20'], ['0.12345', '0.12349'])
    """
    n_different = len({format(x, f".{MAX_DIGITS}g") for x in numbers})
    for digits in range(DIGITS, MAX_DIGITS):
        words = [_format_figure(x, digits) for x in numbers]
        if len(set(words)) == n_different:
            return words
    return [_format_figure(x, MAX_DIGITS) for x in numbers]


def _format_figure(x: float, digits: int) -> str:
    """A number with so many digits, but always with all those before the point, and the half that pruning adds."""
    if float(2 * x).is_integer() and abs(x) < 1e6:
        return format(x + 0.0, ".10g")
    words = format(x + 0.0, f".{digits}g")
    return format(x, ".0f") if "e+" in words and abs(x) < 1e15 else words


def _figures_of_visit(report: "PruningReport", i: int) -> list[str]:
    """The numbers of the leaf, of its subtree, of the subtree with its allowance, and with a branch in its place."""
    subtree, branch = float(report.subtree[i]), _branch(report, i)
    numbers = [float(report.leaf[i]), subtree, subtree + float(report.allowance[i])]
    if branch is None:
        return [*format_figures(numbers), ""]
    return format_figures([*numbers, branch])


def _branch(report: "PruningReport", i: int) -> float | None:
    """The number with the largest branch in place of the node; None if that was not tried."""
    return None if report.branch is None or np.isnan(report.branch[i]) else float(report.branch[i])


def _weight(report: "PruningReport", i: int) -> float:
    return float(np.asarray(report.weight)[i])


def _unit_of(report: "PruningReport", number: str, _: Messages) -> str:
    """The unit after a number: 1 error, 2 errors."""
    unit = report.unit
    is_plural = unit.endswith("s") and not unit.endswith("ss")
    if _.language == "en" and is_plural and number == "1":
        return unit[:-1]
    return report.translated(unit, _)


def _to_python(cell: Any) -> Any:
    return cell.item() if isinstance(cell, np.generic) else cell


def _is_number(column: NDArray[Any]) -> bool:
    return np.asarray(column).dtype.kind in "biuf"


def _cell(column: NDArray[Any], i: int) -> str:
    if np.asarray(column).dtype.kind == "f":
        return format_figures([float(column[i])])[0]
    return printable(str(column[i]))
