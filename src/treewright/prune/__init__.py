"""Pruning: a grown tree -> a smaller one, and why."""

from treewright.prune.reduced_error import ReducedError

__all__ = ["ReducedError"]
