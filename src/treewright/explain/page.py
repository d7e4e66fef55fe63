"""Page: a report as text, as HTML and as a data frame.

In: a `MissingReport`. Out: two small tables, of columns and of nodes. Names and categories come from the user's
table, so they are shown as text, whatever they hold.
"""

from typing import TYPE_CHECKING, Any

from treewright.model.grid import Grid, counted, element, new_frame
from treewright.model.words import printable

if TYPE_CHECKING:
    from treewright.explain.missing import MissingReport

TABLES = ("columns", "nodes")
N_COLUMNS, N_NODES = 20, 10
"""Columns and nodes listed on a page, those with most rows."""

UNSEEN = {
    "missing": "count as missing",
    "majority": "take the heaviest branch",
    "stop": "end at the node that asks for them",
    "error": "are refused",
}


def as_text(report: "MissingReport") -> str:
    """The report for a terminal."""
    parts = [_opening(report)]
    for grid in _grids(report):
        parts += ["", *grid.lines()]
    return "\n".join(parts)


def as_html(report: "MissingReport") -> str:
    """The report for a notebook."""
    parts = [element("p", _opening(report))]
    parts += [grid.html() for grid in _grids(report)]
    return "<div>" + "".join(parts) + "</div>"


def as_frame(report: "MissingReport", table: str) -> Any:
    """One of the tables as a data frame of the first library that is installed."""
    return new_frame(_cells(report, table))


def _cells(report: "MissingReport", table: str) -> dict[str, list[Any]]:
    if table == "nodes":
        return {name: [getattr(one, name) for one in report.nodes] for name in ("node", "words", "column", "n_rows")}
    counts = ("n_missing", "share", "n_unseen", "n_met")
    cells: dict[str, list[Any]] = {"column": [one.name for one in report.columns]}
    cells |= {name: [getattr(one, name) for one in report.columns] for name in counts}
    for strategy in report.n_changed:
        cells[f"changed_{strategy}"] = [one.n_changed[strategy] for one in report.columns]
    return cells


def _opening(report: "MissingReport") -> str:
    rows = counted(report.n_rows, "row")
    if not any(one.n_missing or one.n_unseen for one in report.columns):
        return f"{rows}, nothing missing and no unseen category."
    return f"{rows}; missing values: {report.missing}; unseen categories {UNSEEN[report.unseen]}."


def _grids(report: "MissingReport") -> list[Grid]:
    """The tables of columns and of nodes; one without rows is left out."""
    return [grid for grid in (_columns(report), _nodes(report)) if grid.rows]


def _columns(report: "MissingReport") -> Grid:
    strategies = list(report.n_changed)
    holed = [one for one in report.columns if one.n_missing or one.n_unseen]
    # A stable sort of places, so that columns stay in the order of the table.
    shown = sorted(sorted(range(len(holed)), key=lambda i: -holed[i].n_met)[:N_COLUMNS])
    rows = []
    for one in (holed[i] for i in shown):
        changed = [str(one.n_changed[strategy]) for strategy in strategies]
        cells = [str(one.n_missing), f"{one.share:.1%}", str(one.n_unseen), str(one.n_met)]
        rows.append([printable(one.name), *cells, *changed])
    if len(rows) > 1:
        rows.append(["any", "", "", "", str(report.n_met), *map(str, report.n_changed.values())])
    below = []
    if len(holed) > len(shown):
        below.append(f"… {counted(len(holed) - len(shown), 'more column')} with fewer rows met")
    below.append("met: rows that come to a question about the column and cannot answer it")
    if strategies:
        below.append(f"{', '.join(strategies)}: how many of these would be answered differently that way")
    if len(report.columns) > len(holed):
        below.append(f"nothing is missing in {counted(len(report.columns) - len(holed), 'more column')}")
    head = ["column", "missing", "share", "unseen", "met", *strategies]
    return Grid(head, rows, [False, *[True] * (len(head) - 1)], below)


def _nodes(report: "MissingReport") -> Grid:
    rows = [
        [str(one.node), str(one.n_rows), printable(one.column), printable(one.words)]
        for one in report.nodes[:N_NODES]
    ]
    n_others = len(report.nodes) - len(rows)
    below = [f"… {counted(n_others, 'more node')}"] if n_others else []
    return Grid(["node", "rows", "asks for", "where"], rows, [True, True, False, False], below)
