"""Costs and priors of a tree: what its answers cost, in the weights that it was grown with.

In: a cost matrix or priors as given to a method, and the tree. Out: a checked array in the order of the tree's classes.

A tree that was grown with costs has the weight of each class multiplied by a factor: by how much its rows cost when
they are answered wrong. In these weights a wrong answer costs 1 on average over the wrong answers to a class, and with
two classes it costs 1 always: counting errors is counting costs.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.costs import classes_of, cost_table, plain_costs, prior_shares
from treewright.errors import ParameterError
from treewright.model.tree import Tree

__all__ = ["plain_costs", "read_costs", "read_priors", "relative_costs"]


def read_costs(cost_matrix: Any, tree: Tree) -> NDArray[np.float64] | None:
    """What an answer costs, (true class, answered class), for the class weights of the tree as they stand.

    cost_matrix  as `treewright.data.costs.cost_table` takes it; None: the costs that the tree was grown with, and None
                 where there are none

    >>> from treewright.model.build import golf_example
    >>> read_costs({"Play": {"Don't Play": 5}}, golf_example())
    array([[0., 1.],
           [5., 0.]])
    """
    answering = tree.answering
    if cost_matrix is None:
        return None if answering.costs is None else relative_costs(np.array(answering.costs))
    costs = cost_table(cost_matrix, tree.schema.target, float(tree.weight[0]))
    # A matrix of the method's own is about rows as they were before other costs weighed them.
    return costs if answering.factors is None else costs / np.array(answering.factors)[:, None]


def relative_costs(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The costs of each true class in parts of the mean cost of its wrong answers.

    With two classes, and where all wrong answers cost the same, a wrong one costs 1.

    >>> relative_costs(np.array([[0.0, 1.0, 3.0], [8.0, 0.0, 8.0], [1.0, 1.0, 0.0]]))
    array([[0. , 0.5, 1.5],
           [1. , 0. , 1. ],
           [1. , 1. , 0. ]])
    """
    mean = costs.sum(axis=1, keepdims=True) / max(len(costs) - 1, 1)
    return np.divide(costs, mean, out=np.zeros_like(costs), where=mean > 0)


def read_priors(priors: Any, tree: Tree) -> NDArray[np.float64]:
    """The share each class is expected to have before any row is seen, in the order of the tree's classes.

    priors  "equal"; "root": the shares in the training table, as it was weighed in growth; or a mapping {class: prior}
            over all classes, in any unit

    >>> from treewright.model.build import golf_example
    >>> read_priors({"Play": 3, "Don't Play": 1}, golf_example())
    array([0.25, 0.75])
    """
    classes = classes_of(tree.schema.target, "priors")
    if isinstance(priors, str) and priors == "equal":
        return np.full(len(classes), 1.0 / len(classes))
    if isinstance(priors, str) and priors == "root":
        found: NDArray[np.float64] = tree.stats[0] / tree.weight[0]
        return found
    if not isinstance(priors, Mapping):
        raise ParameterError(f"priors={priors!r} is not known; choose 'equal', 'root' or a mapping {{class: prior}}.")
    return prior_shares(priors, tree.schema.target)
