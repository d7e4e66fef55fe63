"""Trees for other programs: DOT for Graphviz and the output of C4.5; and the nodes, labels and colours of pictures."""

from treewright.export.dot import to_dot

__all__ = ["to_dot"]
