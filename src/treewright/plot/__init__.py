"""A tree drawn: pictures that need no other program, and charts by matplotlib.

In: a fitted estimator, or a `Tree` where no rows are needed. Out: `to_svg` gives the text of a picture; `plot_tree` and
the charts draw with matplotlib, which is imported when the first of them is called.

>>> from treewright import plot
>>> from treewright.model.build import golf_example
>>> plot.to_svg(golf_example()).startswith("<svg")
True
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.plot.calibration_chart import calibration
    from treewright.plot.canvas import plot_tree
    from treewright.plot.comparison_chart import pruning_comparison
    from treewright.plot.importance_chart import importances
    from treewright.plot.node_chart import node_distribution
    from treewright.plot.path_chart import pruning_path
    from treewright.plot.regions import decision_regions
    from treewright.plot.svg import to_svg

__all__ = [
    "calibration",
    "decision_regions",
    "importances",
    "node_distribution",
    "plot_tree",
    "pruning_comparison",
    "pruning_path",
    "to_svg",
]

_ROOMS = {
    "calibration": "calibration_chart",
    "decision_regions": "regions",
    "importances": "importance_chart",
    "node_distribution": "node_chart",
    "plot_tree": "canvas",
    "pruning_comparison": "comparison_chart",
    "pruning_path": "path_chart",
    "to_svg": "svg",
}


def __getattr__(name: str) -> object:
    """Fetch a function from its file on first use."""
    if name not in _ROOMS:
        raise AttributeError(f"treewright.plot has no {name!r}; its functions are {', '.join(__all__)}.")
    found = getattr(import_module(f"treewright.plot.{_ROOMS[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
