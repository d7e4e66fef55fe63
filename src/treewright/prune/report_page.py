"""Report page: the decisions of a pruning as sentences, text, HTML and a data frame.

In: a `PruningReport`. Out: its numbers with the words around them, each number as short as it can be told from the
one it was compared with.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.grid import Grid, counted, element, new_frame
from treewright.model.way import ways
from treewright.model.words import printable, weight_words

if TYPE_CHECKING:
    from treewright.model.tree import Tree
    from treewright.prune.report import PruningReport

    Part = tuple[PruningReport, str, NDArray[np.int64], Tree]

VERDICTS = ("kept", "pruned", "raised")
"""What can become of a node, as words; a report holds their places."""

IN_PLACE = "with its largest branch in its place"

STEP = "step"
"""The detail of a visit that says which step of several it belongs to, counted from 1."""

WIDTH = 110
"""Characters on a line of a sentence."""

DIGITS, MOST_DIGITS = 3, 12
"""A number has so many digits, and more only to be told from another one."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a report.

    node       the node, by its number in the grown tree
    where      the way to it in words
    column     the column it asks for
    weight     of its training rows when it was visited
    leaf       its number as a leaf
    subtree    the number of its subtree
    allowance  how far above the subtree's number the leaf may be
    branch     the number with its largest branch in its place; None where that was not tried
    verdict    kept, pruned or raised
    details    what else the method says of the node
    words      all of it in a sentence
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


def decision(report: "PruningReport", i: int) -> Decision:
    """The decision of the i-th visit; nodes have the numbers and ways of the report's tree, whichever step it was."""
    told, at = report.step(i)
    node, verdict = int(report.node[i]), VERDICTS[report.verdict[i]]
    where = ways(report.tree, [node])[0]
    by = f", {told.method}" if report.steps else ""
    leaf, subtree, allowance = (float(column[i]) for column in (report.leaf, report.subtree, report.allowance))
    branch = None if report.branch is None or np.isnan(report.branch[i]) else float(report.branch[i])
    numbers = _row_figures(report, i)
    said = f"{numbers[0]} {_unit(told.unit, numbers[0])} {told.as_leaf}, {numbers[1]} {told.as_subtree}"
    if allowance != 0:
        said += f", {numbers[2]} {told.with_allowance}"
    if branch is not None:
        said += f", {numbers[3]} {IN_PLACE}"
    step = {STEP: _plain(report.details[STEP][i])} if report.steps else {}
    return Decision(
        node=node,
        where=where,
        column=told.tree.schema.names[told.tree.column[told.node[at]]],
        weight=_weight(report, i),
        leaf=leaf,
        subtree=subtree,
        allowance=allowance,
        branch=branch,
        verdict=verdict,
        details=step | {name: _plain(column[at]) for name, column in told.details.items()},
        words=printable(f"Node {node} ({where}){by}: {said}: {verdict}."),
    )


def as_frame(report: "PruningReport") -> Any:
    """All decisions as a data frame."""
    tree = report.tree
    names = np.array([*tree.schema.names, ""], dtype=object)
    columns = {
        "node": report.node,
        "words": ways(tree, report.node.tolist()),
        "column": names[np.concatenate([one.tree.column[one.node] for one in report.steps or (report,)])].tolist(),
        "weight": report.weight,
        "leaf": report.leaf,
        "subtree": report.subtree,
        "allowance": report.allowance,
        **({} if report.branch is None else {"branch": report.branch}),
        "verdict": [VERDICTS[v] for v in report.verdict.tolist()],
    }
    return new_frame(columns | dict(report.details))


def as_text(report: "PruningReport", n_rows: int) -> str:
    """The report for a terminal, with the first `n_rows` decisions, of each step where there are several."""
    if report.steps:
        return "\n\n".join([_opening(report), *("\n".join(_lines(*part, n_rows)) for part in _parts(report))])
    return "\n".join(_lines(report, _opening(report), report.node, report.tree, n_rows))


def as_html(report: "PruningReport", n_rows: int) -> str:
    """The report for a notebook, with the first `n_rows` decisions, of each step where there are several."""
    parts = [element("p", _opening(report))] if report.steps else []
    for told, opening, nodes, tree in _parts(report) or [(report, _opening(report), report.node, report.tree)]:
        parts += [element("p", opening), element("p", printable(told.rule))]
        if n_rows and len(told):
            parts.append(_grid(told, n_rows, nodes, tree).html())
    return "<div>" + "".join(parts) + "</div>"


def _parts(report: "PruningReport") -> "list[Part]":
    """The steps of a report: the report of each, how it opens, and its nodes by their numbers in the grown tree."""
    stage = report.stage
    return [
        (one, f"Step {i + 1}. {_opening(one)}", report.node[stage == i], report.tree)
        for i, one in enumerate(report.steps)
    ]


def _lines(
    told: "PruningReport", opening: str, nodes: NDArray[np.int64], tree: "Tree", n_rows: int
) -> list[str]:
    lines = [opening, *wrap(printable(told.rule), WIDTH)]
    return [*lines, "", *_grid(told, n_rows, nodes, tree).lines()] if n_rows and len(told) else lines


def figures(numbers: Sequence[float]) -> list[str]:
    """Numbers that are read together: three digits, and more where two of them would look the same and are not.

    >>> figures([7.5, 6.5, 8.4647]), figures([1234.56, 20.0]), figures([0.12345, 0.12349])
    (['7.5', '6.5', '8.46'], ['1235', '20'], ['0.12345', '0.12349'])
    """
    told_apart = len({format(x, f".{MOST_DIGITS}g") for x in numbers})
    for digits in range(DIGITS, MOST_DIGITS):
        words = [_figure(x, digits) for x in numbers]
        if len(set(words)) == told_apart:
            return words
    return [_figure(x, MOST_DIGITS) for x in numbers]


def _figure(x: float, digits: int) -> str:
    """A number with so many digits, but always with all those before the point, and the half that pruning adds."""
    if float(2 * x).is_integer() and abs(x) < 1e6:
        return format(x + 0.0, ".10g")
    words = format(x + 0.0, f".{digits}g")
    return format(x, ".0f") if "e+" in words and abs(x) < 1e15 else words


def _row_figures(report: "PruningReport", i: int) -> list[str]:
    """The numbers of a leaf, of its subtree, of the subtree with its allowance, and with a branch in its place."""
    subtree = float(report.subtree[i])
    numbers = [float(report.leaf[i]), subtree, subtree + float(report.allowance[i])]
    if report.branch is None or np.isnan(report.branch[i]):
        return [*figures(numbers), ""]
    return figures([*numbers, float(report.branch[i])])


def _weight(report: "PruningReport", i: int) -> float:
    return float(np.asarray(report.weight)[i])


def _unit(unit: str, number: str) -> str:
    """The unit behind a number: 1 error, 2 errors."""
    several = unit.endswith("s") and not unit.endswith("ss")
    return unit[:-1] if several and number == "1" else unit


def _plain(cell: Any) -> Any:
    return cell.item() if isinstance(cell, np.generic) else cell


def _opening(report: "PruningReport") -> str:
    if report.steps:
        return f"{report.method}: {counted(len(report.steps), 'step')}; {_leaves(report)}"
    if not len(report):
        return f"{report.method}: no node to decide on."
    n_of = np.bincount(report.verdict, minlength=len(VERDICTS)).tolist()
    told = [f"{n} {word}" for n, word in zip(n_of, VERDICTS, strict=True) if n or word != "raised"]
    n_nodes = len(np.unique(report.node))
    visits = "visited" if n_nodes == len(report) else f"in {len(report)} visits"
    visited = f"{report.method}: {counted(n_nodes, 'node')} {visits}, {', '.join(told)}"
    return f"{visited}; {_leaves(report)}"


def _leaves(report: "PruningReport") -> str:
    # Every inner node that is left has branches, and these say which node of the grown tree they belonged to.
    n_inner = len(np.unique(report.tree.parent[report.origin[1:]]))
    return f"{report.tree.n_leaves} leaves before, {len(report.origin) - n_inner} after."


def _grid(report: "PruningReport", n_rows: int, numbers: NDArray[np.int64], grown: "Tree") -> Grid:
    """The table of a report; `numbers` are those of its nodes in the tree `grown`, whose ways are told."""
    shown = range(min(n_rows, len(report)))
    nodes = numbers[: len(shown)].tolist()
    tree, words = report.tree, ways(grown, nodes)
    has = {"leaf": True, "subtree": True, "limit": bool(np.any(report.allowance)), "branch": report.branch is not None}
    names = [name for name, is_there in has.items() if is_there]
    rows = []
    for i in shown:
        cells = [cell for cell, is_there in zip(_row_figures(report, i), has.values(), strict=True) if is_there]
        details = [_cell(column, i) for column in report.details.values()]
        asks = printable(tree.schema.names[tree.column[report.node[i]]])
        first = [str(nodes[i]), weight_words(_weight(report, i)), *cells, VERDICTS[report.verdict[i]]]
        rows.append([*first, *details, asks, printable(words[i])])
    head = ["node", "rows", *names, "verdict", *map(printable, report.details), "asks for", "where"]
    right = [*[True] * (2 + len(names)), False, *map(_is_number, report.details.values()), False, False]
    n_more = len(report) - len(rows)
    below = [f"… {counted(n_more, 'more visit' if len(np.unique(report.node)) < len(report) else 'more node')}"]
    said = [f"leaf: {report.unit} {report.as_leaf}", f"subtree: {report.as_subtree}"]
    said += [f"limit: {report.with_allowance}"] * has["limit"] + [f"branch: {IN_PLACE}"] * has["branch"]
    return Grid(head, rows, right, [*below[: n_more > 0], printable("; ".join(said))])


def _is_number(column: NDArray[Any]) -> bool:
    return np.asarray(column).dtype.kind in "biuf"


def _cell(column: NDArray[Any], i: int) -> str:
    if np.asarray(column).dtype.kind == "f":
        return figures([float(column[i])])[0]
    return printable(str(column[i]))
