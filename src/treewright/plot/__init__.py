"""Pictures of trees and charts.

All functions take a fitted estimator, or a `Tree` if no rows are needed. `to_svg` returns the text of a picture without
any other program. `plot_tree` and the charts draw with matplotlib, which is imported when the first of them is called.

>>> from treewright import plot
>>> from treewright.model.build import golf_example
>>> plot.to_svg(golf_example()).startswith("<svg")
True
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.plot.calibration_chart import calibration
    from treewright.plot.importance_chart import importances
    from treewright.plot.matplotlib_tree import plot_tree
    from treewright.plot.node_chart import node_distribution
    from treewright.plot.pruning_charts import pruning_comparison, pruning_path
    from treewright.plot.region_chart import decision_regions
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

_MODULES = {
    "calibration": "calibration_chart",
    "decision_regions": "region_chart",
    "importances": "importance_chart",
    "node_distribution": "node_chart",
    "plot_tree": "matplotlib_tree",
    "pruning_comparison": "pruning_charts",
    "pruning_path": "pruning_charts",
    "to_svg": "svg",
}


def __getattr__(name: str) -> object:
    """Import a function on first use."""
    if name not in _MODULES:
        raise AttributeError(f"treewright.plot has no function {name!r}. The functions are {', '.join(__all__)}.")
    found = getattr(import_module(f"treewright.plot.{_MODULES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
