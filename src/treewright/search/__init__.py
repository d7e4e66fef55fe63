"""Search: the candidates of one column, spread out to be read.

In: a column and the target. Out: every cut or subset with its scores. The compiled engine looks at the same
candidates; these functions are for people and for tests.
"""

from treewright.search.cuts import boundary_cuts, candidate_cuts
from treewright.search.scores import (
    CutScores,
    RegressionCutScores,
    best_cut,
    score_cuts,
    score_regression_cuts,
)
from treewright.search.subsets import SubsetScore, one_against_rest, score_subsets

__all__ = [
    "CutScores",
    "RegressionCutScores",
    "SubsetScore",
    "best_cut",
    "boundary_cuts",
    "candidate_cuts",
    "one_against_rest",
    "score_cuts",
    "score_regression_cuts",
    "score_subsets",
]
