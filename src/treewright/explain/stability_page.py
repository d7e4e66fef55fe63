"""Stability page: how often splits return, as text, HTML and data frames.

In: a `Stability`. Out: a few sentences and two tables, of splits and of columns. Names and categories come from the
user's table, so they are shown as text, whatever they hold.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.explain.lines import folded
from treewright.model.grid import Grid, counted, element, new_frame
from treewright.model.words import beginning, category_words, number_words, printable

if TYPE_CHECKING:
    from treewright.explain.stability import SplitReturns, Stability

TABLES = ("splits", "columns")
SPLIT_FIELDS = ("node", "where", "column", "place", "returns", "question", "cut", "leaf", "weight")
COLUMN_FIELDS = ("name", "n_splits", "share", "mean_splits")
"""The tables that a frame can be made of, and the fields that are its columns."""

N_SHOWN = 30
"""Splits and columns that a printed report lists: those of most weight, and those most used."""

N_OTHERS = 3
"""Columns named that are asked instead."""

LONGEST_NAME, LONGEST = 40, 80
"""Characters shown of a name, and of a way; fields have them whole."""


def as_text(report: "Stability", n_rows: int | None) -> str:
    """The report for a terminal, with so many splits and columns; None is all."""
    parts = ["\n".join(_opening(report)), *("\n".join(folded(grid)) for grid in _grids(report, n_rows))]
    return "\n\n".join(parts)


def as_html(report: "Stability", n_rows: int | None) -> str:
    """The report for a notebook."""
    parts = [element("p", line) for line in _opening(report)]
    parts += [grid.html() for grid in _grids(report, n_rows)]
    return "<div>" + "".join(parts) + "</div>"


def as_frame(report: "Stability", table: str) -> Any:
    """One of the tables as a data frame."""
    if table == "columns":
        return new_frame({name: [getattr(one, name) for one in report.columns] for name in COLUMN_FIELDS})
    cells: dict[str, list[Any]] = {name: [getattr(one, name) for one in report.splits] for name in SPLIT_FIELDS}
    for i, name in enumerate(("cut_low", "cut_median", "cut_high")):
        cells[name] = [None if one.cuts is None else one.cuts[i] for one in report.splits]
    first = [one.others[0] if one.others else (None, 0.0) for one in report.splits]
    cells["instead"], cells["instead_share"] = [name for name, _ in first], [share for _, share in first]
    return new_frame(cells)


def _opening(report: "Stability") -> list[str]:
    low, middle, high = np.quantile(report.leaves, (0.05, 0.5, 0.95), method="inverted_cdf").tolist()
    own = "1 leaf" if report.n_leaves == 1 else f"{report.n_leaves} leaves"
    lines = [
        f"{counted(report.n, 'resample')} of {counted(report.n_rows, 'row')}, about 63% of them in each; "
        f"seed {report.seed}.",
        f"The tree has {own}; those of the resamples {low} to {high} (5% and 95%), the median {middle}.",
    ]
    if report.agreement is not None:
        worst, mean = min(report.agreement), float(np.mean(report.agreement))
        lines.append(f"Training rows get the same answer in {mean:.1%} of cases, in the worst resample in {worst:.1%}.")
    if report.difference is not None:
        mean = float(np.sqrt(np.mean(np.square(report.difference))))
        lines.append(f"Answers to the training rows differ by {mean:.4g} (root mean square).")
    return lines


def _grids(report: "Stability", n_rows: int | None) -> list[Grid]:
    """The tables of splits and of columns; that of splits is left out where there is none."""
    grids = [_splits(report, n_rows), _columns(report, n_rows)]
    return [grid for grid in grids if grid.rows]


def _splits(report: "Stability", n_rows: int | None) -> Grid:
    places = sorted(range(len(report.splits)), key=lambda i: -report.splits[i].weight)
    shown = sorted(places[:n_rows])
    rows = []
    for one in (report.splits[i] for i in shown):
        shares = [f"{share:.0%}" for share in (one.place, one.returns, one.question)]
        cuts = [_cut(cut) for cut in (one.cut, *(one.cuts or (None, None, None)))]
        said = [_short(one.column, LONGEST_NAME), *shares, *cuts, _instead(one), _short(one.where)]
        rows.append([str(one.node), *said])
    n_more = len(places) - len(shown)
    below = [f"… {counted(n_more, 'more split')}"] if n_more else []
    below.append("place: resamples with the same way to this place; column: that ask for the same column there;")
    below.append("question: in the same way; 5%, median, 95%: of the cut there; instead: what else is asked there")
    head = ["node", "asks for", "place", "column", "question", "cut", "5%", "median", "95%", "instead", "where"]
    return Grid(head, rows, [True, False, *[True] * 7, False, False], below)


def _instead(one: "SplitReturns") -> str:
    """What is asked in this place where the column is not."""
    said = [f"{_short(name, LONGEST_NAME)} {share:.0%}" for name, share in one.others[:N_OTHERS]]
    if len(one.others) > N_OTHERS:
        said.append(f"{len(one.others) - N_OTHERS} more")
    if one.leaf:
        said.append(f"nothing {one.leaf:.0%}")
    return ", ".join(said)


def _columns(report: "Stability", n_rows: int | None) -> Grid:
    shown = sorted(report.columns, key=lambda one: (-one.share, -one.mean_splits))[:n_rows]
    rows = [
        [_short(one.name, LONGEST_NAME), str(one.n_splits), f"{one.share:.0%}", f"{one.mean_splits:.2f}"]
        for one in shown
    ]
    n_more = len(report.columns) - len(shown)
    below = [f"… {counted(n_more, 'more column')}"] if n_more else []
    below.append("splits: of this tree; used: resamples that use the column; mean: splits in them")
    return Grid(["column", "splits", "used", "mean"], rows, [False, True, True, True], below)


def _cut(cut: object) -> str:
    if cut is None:
        return ""
    return _short(number_words(cut) if isinstance(cut, float) else category_words(cut), LONGEST_NAME)


def _short(text: str, most: int = LONGEST) -> str:
    """The text on one line, and not longer than can be read."""
    return printable(beginning(text, most))
