"""The stability report as text, HTML and data frames.

Names and categories come from the user's table. They are shown as text, whatever they hold.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.explain.text_wrapping import wrap_table
from treewright.language import messages
from treewright.model.formatting import format_category, format_number, printable, truncate
from treewright.text_table import Grid, element, new_frame

if TYPE_CHECKING:
    from treewright.explain.stability import SplitStability, Stability

TABLES = ("splits", "columns")
SPLIT_FIELDS = ("node", "where", "column", "place", "returns", "question", "cut", "leaf", "weight")
"""The tables that a frame can be made of, and the attributes that are columns of the first."""

N_SHOWN = 30
"""Splits and columns that a printed report lists: those with most weight, and those most used."""

N_OTHERS = 3
"""Columns named that are split on instead."""

MAX_NAME, MAX_TEXT = 40, 80
"""Characters shown of a name, and of a path; attributes have all of it."""


def as_text(report: "Stability", n_rows: int | None) -> str:
    """Return the report as text, with this many splits and columns; None: all."""
    parts = ["\n".join(_opening(report)), *("\n".join(wrap_table(grid)) for grid in _grids(report, n_rows))]
    return "\n\n".join(parts)


def as_html(report: "Stability", n_rows: int | None) -> str:
    """Return the report as HTML for a notebook."""
    parts = [element("p", line) for line in _opening(report)]
    parts += [grid.html() for grid in _grids(report, n_rows)]
    return "<div>" + "".join(parts) + "</div>"


def as_frame(report: "Stability", table: str) -> Any:
    """Return one of the tables as a data frame."""
    cells: dict[str, list[Any]]
    if table == "columns":
        cells = {name: [getattr(one, name) for one in report.columns] for name in ("name", "n_splits")}
        cells["share"] = [one.proportion for one in report.columns]
        return new_frame(cells | {"mean_splits": [one.mean_splits for one in report.columns]})
    cells = {name: [getattr(one, name) for one in report.splits] for name in SPLIT_FIELDS}
    for i, name in enumerate(("cut_low", "cut_median", "cut_high")):
        cells[name] = [None if one.cuts is None else one.cuts[i] for one in report.splits]
    first = [one.others[0] if one.others else (None, 0.0) for one in report.splits]
    cells["instead"], cells["instead_share"] = [name for name, _ in first], [proportion for _, proportion in first]
    return new_frame(cells)


def _opening(report: "Stability") -> list[str]:
    _ = messages(report.language)
    low, middle, high = np.quantile(report.leaves, (0.05, 0.5, 0.95), method="inverted_cdf").tolist()
    lines = [
        _(
            "{resamples} of {rows}, about 63% of them in each; seed {seed}.",
            resamples=_.plural("{n} resample", "{n} resamples", report.n),
            rows=_.plural("{n} row", "{n} rows", report.n_rows),
            seed=report.seed,
        ),
        _(
            "The tree has {leaves}; the trees of the resamples have {low} to {high} (5% and 95%), median {median}.",
            leaves=_.plural("{n} leaf", "{n} leaves", report.n_leaves),
            low=low,
            high=high,
            median=middle,
        ),
    ]
    if report.agreement is not None:
        lines.append(
            _(
                "The prediction for a training row is the same in {mean} of cases, in the worst resample in {worst}.",
                mean=f"{float(np.mean(report.agreement)):.1%}",
                worst=f"{min(report.agreement):.1%}",
            )
        )
    if report.difference is not None:
        mean = float(np.sqrt(np.mean(np.square(report.difference))))
        lines.append(
            _("Predictions for the training rows differ by {mean} (root mean square).", mean=f"{mean:.4g}")
        )
    return lines


def _grids(report: "Stability", n_rows: int | None) -> list[Grid]:
    """Return the tables of splits and of columns; that of splits is left out if there is none."""
    grids = [_splits_table(report, n_rows), _columns_table(report, n_rows)]
    return [grid for grid in grids if grid.rows]


def _splits_table(report: "Stability", n_rows: int | None) -> Grid:
    _ = messages(report.language)
    heaviest = sorted(range(len(report.splits)), key=lambda i: -report.splits[i].weight)
    shown = sorted(heaviest[:n_rows])
    rows = []
    for one in (report.splits[i] for i in shown):
        proportions = [f"{proportion:.0%}" for proportion in (one.place, one.returns, one.question)]
        cuts = [_format_cut(cut) for cut in (one.cut, *(one.cuts or (None, None, None)))]
        instead = _instead(one, report.language)
        rows.append([str(one.node), _short(one.column, MAX_NAME), *proportions, *cuts, instead, _short(one.where)])
    n_more = len(heaviest) - len(shown)
    below = [_.plural("… {n} more split", "… {n} more splits", n_more)] if n_more else []
    below.append(_("reached: resamples with the same path to this node; column: that split on the same column there;"))
    below.append(
        _("same split: in the same way; 5%, median, 95%: of the threshold there; instead: what else is there")
    )
    head = [_("node"), _("splits on"), _("reached"), _("column"), _("same split"), _("threshold")]
    head += ["5%", _("median"), "95%", _("instead"), _("path")]
    return Grid(head, rows, [True, False, *[True] * 7, False, False], below)


def _instead(one: "SplitStability", language: str) -> str:
    """Return what is at this node where the column is not."""
    _ = messages(language)
    listed = [f"{_short(name, MAX_NAME)} {proportion:.0%}" for name, proportion in one.others[:N_OTHERS]]
    if len(one.others) > N_OTHERS:
        listed.append(_("{n} more", n=len(one.others) - N_OTHERS))
    if one.leaf:
        listed.append(_("leaf {proportion}", proportion=f"{one.leaf:.0%}"))
    return ", ".join(listed)


def _columns_table(report: "Stability", n_rows: int | None) -> Grid:
    _ = messages(report.language)
    shown = sorted(report.columns, key=lambda one: (-one.proportion, -one.mean_splits))[:n_rows]
    rows = [
        [_short(one.name, MAX_NAME), str(one.n_splits), f"{one.proportion:.0%}", f"{one.mean_splits:.2f}"]
        for one in shown
    ]
    n_more = len(report.columns) - len(shown)
    below = [_.plural("… {n} more column", "… {n} more columns", n_more)] if n_more else []
    below.append(_("splits: in this tree; used: resamples that use the column; mean: splits in them"))
    return Grid([_("column"), _("splits"), _("used"), _("mean")], rows, [False, True, True, True], below)


def _format_cut(cut: object) -> str:
    if cut is None:
        return ""
    return _short(format_number(cut) if isinstance(cut, float) else format_category(cut), MAX_NAME)


def _short(text: str, most: int = MAX_TEXT) -> str:
    """Return the text on one line, shortened to what can be read."""
    return printable(truncate(text, most))
