"""A tree written down for other programs: DOT for Graphviz, and the parts that pictures share.

In: a fitted estimator or a `Tree`. Out: `to_dot`. Below it: which nodes are shown, their words and their colours.
"""

from treewright.export.dot import to_dot

__all__ = ["to_dot"]
