"""Worked solutions: the arithmetic behind a node, written out as a textbook does."""

from treewright.ledger.worked.node import worked_pruning
from treewright.ledger.worked.solution import WorkedSolution

__all__ = ["WorkedSolution", "worked_pruning"]
