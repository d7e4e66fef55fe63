"""The picture of the growth of the work.

In: the rows of the section "growth", as the file has them. Out: five small log-log panels with ours, scikit-learn's and
a line of exponent 1 to compare them with.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.growth_axes import AXES, Axis

OURS, THEIRS, QUIET = "#0072B2", "#D55E00", "#767676"
"""Blue and vermilion, which colour-blind eyes tell apart; shapes of the marks differ as well."""
TOGETHER = {"identity": "categories"}
"""Axes that are drawn in the panel of another one."""

Entry = Mapping[str, Any]


def draw(rows: Sequence[Entry], path: Path) -> None:
    """Write the picture."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    panels = [axis for axis in AXES if axis.name not in TOGETHER]
    figure, axes = plt.subplots(1, len(panels), figsize=(3.1 * len(panels), 3.3), facecolor="white")
    for place, axis in zip(axes, panels, strict=True):
        _panel(place, axis, rows)
    axes[0].set_ylabel("seconds of CPU, one thread")
    handles, labels = _legend(axes)
    figure.legend(handles, labels, loc="lower center", ncols=len(labels), frameon=False, fontsize=9)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, facecolor="white", metadata={"Software": None})
    plt.close(figure)


def _panel(place: Any, axis: Axis, rows: Sequence[Entry]) -> None:
    found = _points(rows, axis.name)
    place.set(xscale="log", yscale="log", title=axis.name)
    place.set_xlabel(axis.words.replace(", ", ",\n", 1), fontsize=8)
    place.grid(color="#e4e4e4", linewidth=0.6)
    place.set_axisbelow(True)
    for side in ("top", "right"):
        place.spines[side].set_visible(False)
    _curve(place, found, "theirs", (THEIRS, "s-", "scikit-learn"))
    _curve(place, found, "ours", (OURS, "o-", "Treewright"))
    for other in (name for name, home in TOGETHER.items() if home == axis.name):
        more = _points(rows, other)
        _curve(place, more, "ours", (OURS, "^--", "Treewright, a new category in every row"))
        found = [*found, *more]
    if found:
        first, last = found[0]["figures"]["size"], found[-1]["figures"]["size"]
        end = found[-1]["ours"]["cpu"]
        place.plot([first, last], [end * first / last, end], ":", color=QUIET, linewidth=1, label="exponent 1")
        place.set_ylim(bottom=min(row["ours"]["cpu"] for row in found) / 2)


def _points(rows: Sequence[Entry], name: str) -> list[Entry]:
    return [row for row in rows if row["section"] == "growth" and row["case"] == name]


def _curve(place: Any, found: Sequence[Entry], who: str, look: tuple[str, str, str]) -> None:
    colour, marks, label = look
    some = [(row["figures"]["size"], row[who]["cpu"]) for row in found if row[who] is not None]
    if some:
        place.plot(*zip(*some, strict=True), marks, color=colour, label=label, markersize=4, linewidth=1.6)


def _legend(axes: Sequence[Any]) -> tuple[list[Any], list[str]]:
    """Every label once."""
    found: dict[str, Any] = {}
    for place in axes:
        for handle, label in zip(*place.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    return list(found.values()), list(found)
