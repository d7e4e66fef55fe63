"""A calibration chart: predicted probabilities and observed frequencies, for one model or several."""

from collections.abc import Mapping
from typing import Any

from treewright.errors import InputError, KindError
from treewright.export.colours import Theme, class_colour
from treewright.language import messages
from treewright.plot.axes import (
    add_legend,
    hide_spines,
    label_axis,
    marker,
    open_axes,
    require_matplotlib,
    set_title,
    theme_of,
)
from treewright.plot.fonts import drawable_language

SMALLEST_POINT, LARGEST_POINT = 18.0, 130.0
"""Areas of the points of the lightest and the heaviest bin, in square points."""

MARGIN = 0.03
"""Space around the square from 0 to 1, so that points in its corners are not cut."""

OFFSET = 0.006
"""Horizontal distance of the intervals of several models, so that none hides another."""


def calibration(given: Any, ax: Any = None, *, language: str = "en") -> Any:
    """Draw predicted probabilities against observed frequencies.

    A point below the dashed line is a bin whose probabilities were too high, a point above it one whose probabilities
    were too low. Its size is the weight of its rows, and its bar the confidence interval of the observed frequency: if
    the bar crosses the line, the difference may be chance.

    Parameters
    ----------
    given : Reliability or mapping
        A result of `calibration` or `reliability` of `treewright.evaluate.calibration`, or several of them by name.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a new figure.
    language : {"en", "zh"}, default="en"
        Language of the labels.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from treewright.evaluate.calibration import reliability
    >>> found = reliability(np.array([0.1, 0.3, 0.3, 0.9]), np.array([False, False, True, True]), of="yes")
    >>> ax = calibration(found)
    >>> ax.get_xlabel(), ax.get_title(loc="left")
    ('predicted probability of yes', 'expected calibration error 0.150')
    >>> plt.close(ax.figure)
    """
    require_matplotlib()
    language = drawable_language(language)
    _ = messages(language)
    several = isinstance(given, Mapping)
    tables = dict(given) if several else {"": given}
    _check(tables)
    ax = open_axes(ax, (5.2, 5.0))
    theme = theme_of(ax)
    entries = [(ax.plot([0, 1], [0, 1], "--", color=theme.muted, linewidth=1.2)[0], _("perfectly calibrated"))]
    heaviest = max(one.weight for table in tables.values() for one in table.bins)
    for i, (name, table) in enumerate(tables.items()):
        points = _draw(ax, table, i, (heaviest, OFFSET * (i - (len(tables) - 1) / 2)), theme)
        confidence = f"{100 * table.confidence:g}%"
        observed = _("observed, {confidence} interval", confidence=confidence)
        entries.append((points, f"{name} ({table.error:.3f})" if several else observed))
    _label(ax, next(iter(tables.values())), several, language)
    add_legend(ax, entries, language=language)
    return ax


def _check(tables: Mapping[Any, Any]) -> None:
    for table in tables.values():
        bins = getattr(table, "bins", None)
        if not isinstance(bins, tuple) or not all(hasattr(one, "observed") for one in bins):
            raise KindError(
                f"Expected a calibration, got {type(table).__name__}. Pass a result of treewright.evaluate.calibration."
            )
    if not tables:
        raise InputError("Expected at least one calibration, got none.")
    of = {table.of for table in tables.values()}
    if len(of) > 1:
        classes = " and ".join("the predicted class" if one is None else repr(one) for one in sorted(of, key=str))
        raise InputError(f"The calibrations must be of the same class, got {classes}.")


def _draw(ax: Any, table: Any, i: int, place: tuple[float, float], theme: Theme) -> Any:
    """Draw the bins that have rows, connected by a thin line."""
    heaviest, offset = place
    bins = [one for one in table.bins if one.predicted is not None]
    x, y = [one.predicted for one in bins], [one.observed for one in bins]
    # Rounding may make a length slightly negative, which matplotlib does not accept.
    below = [max(one.observed - one.interval[0], 0.0) for one in bins]
    above = [max(one.interval[1] - one.observed, 0.0) for one in bins]
    colour = class_colour(i)
    sizes = [SMALLEST_POINT + (LARGEST_POINT - SMALLEST_POINT) * one.weight / heaviest for one in bins]
    ax.plot(x, y, color=colour, linewidth=0.8, alpha=0.7)
    shifted = [one + offset for one in x]
    ax.errorbar(shifted, y, yerr=[below, above], fmt="none", ecolor=colour, elinewidth=1.4, alpha=0.7)
    return ax.scatter(x, y, s=sizes, marker=marker(i), color=colour, edgecolors=theme.card, linewidths=0.8, zorder=3)


def _label(ax: Any, first: Any, several: bool, language: str) -> None:
    """Set axes from 0 to 1, their labels and the title."""
    _ = messages(language)
    ax.set_xlim(-MARGIN, 1 + MARGIN)
    ax.set_ylim(-MARGIN, 1 + MARGIN)
    ax.set_aspect("equal")
    hide_spines(ax)
    if first.of is None:
        label_axis(ax.xaxis, _("probability of the predicted class"))
        label_axis(ax.yaxis, _("proportion of correct predictions"))
    else:
        label_axis(ax.xaxis, _("predicted probability of {name}", name=first.of))
        label_axis(ax.yaxis, _("observed proportion of {name}", name=first.of))
    if several:
        set_title(ax, _("expected calibration error in brackets"))
    else:
        set_title(ax, _("expected calibration error {error}", error=f"{first.error:.3f}"))
