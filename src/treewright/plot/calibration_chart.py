"""Calibration chart: the shares that were predicted, and how often they came true.

In: what `treewright.evaluate.calibration` found, for one model or for several by name. Out: a point for each bin, as
large as its rows weigh, with the interval of what was observed, and the line on which shares come true.
"""

from collections.abc import Mapping
from typing import Any

from treewright.errors import InputError, KindError
from treewright.export.colours import Theme, class_colour
from treewright.plot.axes import head, marker, name_axis, name_classes, open_axes, plain_frame, theme_of
from treewright.plot.lettering import Lettering

LEAST_POINT, LARGEST_POINT = 18.0, 130.0
"""The areas of points, in square points: of a bin with hardly a row, and of the one with most."""

MARGIN = 0.03
"""Room around the square from 0 to 1, so that points in its corners are whole."""

ASIDE = 0.006
"""How far apart the intervals of several models stand, so that none hides another."""


def calibration(given: Any, ax: Any = None) -> Any:
    """Draw how often predicted shares came true, and return the axes.

    given  what `calibration` or `reliability` of `treewright.evaluate.calibration` gave; or several of them by name
    ax     where to draw; None: a new figure

    A point below the line is a bin whose shares were too high, one above it a bin whose shares were too low. The bar is
    the interval of what was observed: where it meets the line, the difference may be chance.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from treewright.evaluate.calibration import reliability
    >>> found = reliability(np.array([0.1, 0.3, 0.3, 0.9]), np.array([False, False, True, True]), of="yes")
    >>> ax = calibration(found)
    >>> ax.get_xlabel(), ax.get_title(loc="left")
    ('predicted share of yes', 'expected calibration error 0.150')
    >>> plt.close(ax.figure)
    """
    several = isinstance(given, Mapping)
    tables = dict(given) if several else {"": given}
    _check(tables)
    ax = open_axes(ax, (5.2, 5.0))
    theme = theme_of(ax)
    entries = [(ax.plot([0, 1], [0, 1], "--", color=theme.muted, linewidth=1.2)[0], "as predicted")]
    heaviest = max(one.weight for table in tables.values() for one in table.bins)
    for i, (name, table) in enumerate(tables.items()):
        points = _draw(ax, table, i, (heaviest, ASIDE * (i - (len(tables) - 1) / 2)), theme)
        alone = f"observed, {100 * table.confidence:g}% interval"
        entries.append((points, f"{name} ({table.error:.3f})" if several else alone))
    _frame(ax, tables, entries, several)
    return ax


def _check(tables: Mapping[Any, Any]) -> None:
    for table in tables.values():
        bins = getattr(table, "bins", None)
        if not isinstance(bins, tuple) or not all(hasattr(one, "observed") for one in bins):
            raise KindError(
                f"A {type(table).__name__} is no calibration; give what treewright.evaluate.calibration gave."
            )
    if not tables:
        raise InputError("There is nothing to draw; give at least one calibration.")
    of = {table.of for table in tables.values()}
    if len(of) > 1:
        said = " and ".join("the answer" if one is None else repr(one) for one in sorted(of, key=str))
        raise InputError(f"The calibrations are of the shares of {said}; draw those of one class together.")


def _draw(ax: Any, table: Any, i: int, place: tuple[float, float], theme: Theme) -> Any:
    """The bins that have rows, joined by a thin line."""
    heaviest, aside = place
    bins = [one for one in table.bins if one.predicted is not None]
    x, y = [one.predicted for one in bins], [one.observed for one in bins]
    # Rounding may leave a little less than nothing, which matplotlib refuses.
    below = [max(one.observed - one.interval[0], 0.0) for one in bins]
    above = [max(one.interval[1] - one.observed, 0.0) for one in bins]
    colour = class_colour(i)
    sizes = [LEAST_POINT + (LARGEST_POINT - LEAST_POINT) * one.weight / heaviest for one in bins]
    ax.plot(x, y, color=colour, linewidth=0.8, alpha=0.7)
    beside = [one + aside for one in x]
    ax.errorbar(beside, y, yerr=[below, above], fmt="none", ecolor=colour, elinewidth=1.4, alpha=0.7)
    return ax.scatter(x, y, s=sizes, marker=marker(i), color=colour, edgecolors=theme.card, linewidths=0.8, zorder=3)


def _frame(ax: Any, tables: Mapping[Any, Any], entries: list[tuple[Any, str]], several: bool) -> None:
    """Axes from 0 to 1, their names, the title and the legend."""
    first = next(iter(tables.values()))
    share = "share of the answer" if first.of is None else f"share of {first.of}"
    seen = "share of right answers" if first.of is None else f"observed share of {first.of}"
    letters = Lettering([share, seen, "predicted …", *(name for _, name in entries)])
    ax.set_xlim(-MARGIN, 1 + MARGIN)
    ax.set_ylim(-MARGIN, 1 + MARGIN)
    ax.set_aspect("equal")
    plain_frame(ax)
    name_axis(ax.xaxis, f"predicted {share}", letters)
    name_axis(ax.yaxis, seen, letters)
    head(ax, "expected calibration error" + (" in brackets" if several else f" {first.error:.3f}"), letters)
    name_classes(ax, entries, letters)
