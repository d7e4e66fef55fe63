"""Worked solutions: the arithmetic behind a node, written out as a textbook does."""

from treewright.ledger.worked.solution import WorkedSolution, worked_pruning

__all__ = ["WorkedSolution", "worked_pruning"]
