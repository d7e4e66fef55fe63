"""Scores: how well the whole tree does on validation rows, step by step of a pruning.

In: the loss of the tree before the first step, and by how much each step changes it. Out: for every step the score
before and after it: accuracy; where wrong answers cost, the mean cost; for regression the mean squared error.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import Tree

UNITS = {"accuracy": "validation errors", "cost": "validation cost", "loss": "validation squared error"}
"""What the losses of a node are called, by what the whole tree is judged by."""


def judged_by(tree: Tree, costs: NDArray[np.float64] | None = None) -> str:
    """What a tree is judged by: accuracy, cost or loss.

    >>> from treewright.model.build import golf_example
    >>> judged_by(golf_example())
    'accuracy'
    """
    if tree.schema.target.is_number:
        return "loss"
    return "accuracy" if costs is None else "cost"


def score_steps(
    judge: str, total: float, start: float, change: NDArray[np.float64], made: NDArray[np.bool_]
) -> Mapping[str, NDArray[np.float64]]:
    """The score of the whole tree before each step, and after it if it is made.

    total   the weight of all validation rows
    start   the loss of the tree before the first step
    change  what each step adds to the loss
    made    whether it is made

    >>> score_steps("accuracy", 4.0, 2.0, np.array([-1.0, 2.0, 0.0]), np.array([True, False, True]))
    {'accuracy before': array([0.5 , 0.75, 0.75]), 'accuracy after': array([0.75, 0.25, 0.75])}
    """
    done = np.cumsum(np.where(made, change, 0.0))
    before = start + np.concatenate([[0.0], done[:-1]]) if len(done) else done
    found = {f"{judge} before": before / total, f"{judge} after": (before + change) / total}
    return {name: 1.0 - share for name, share in found.items()} if judge == "accuracy" else found
