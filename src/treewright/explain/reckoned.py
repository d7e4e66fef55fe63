"""Reckoned: how the probability of a class came about at a node, in words.

In: a tree of classes, a node and a class. Out: the arithmetic as a person would write it, such as "(9 + 1) / (14 + 2)";
nothing where the probability is the plain share, which needs no words; and what each answer costs on average.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.answering import added_rows, expected_costs, unaltered
from treewright.model.tree import Tree

N_STEPS = 8
"""Steps of a way that are written out."""


def reckoned(tree: Tree, node: int, code: int) -> str | None:
    """How the probability of a class at a node came about; None where it is its plain share.

    >>> from treewright.model.answering import Answering, answered
    >>> from treewright.model.build import golf_example
    >>> reckoned(answered(golf_example(), Answering("laplace")), 0, 1)
    '(9 + 1) / (14 + 2) = 62.5%'
    >>> reckoned(answered(golf_example(), Answering("shrinkage", 14.0)), 4, 1)
    '64.3% + (40% - 64.3%) / (1 + 14 / 14) + (100% - 40%) / (1 + 14 / 5) = 67.9%'
    """
    how = tree.answering
    if how.probability == "frequency" and how.factors is None:
        return None
    if not tree.weight[node] > 0:
        return "no training row came here, so it is that of the node above"
    found = f" = {_share(float(tree.value[node, code]))}"
    if how.probability == "shrinkage":
        return _along_the_way(tree, node, code) + found
    rows = unaltered(how, tree.stats[node]) / how.row_weight
    mine, whole = _figure(float(rows[code])), _figure(float(rows.sum()))
    if how.probability == "frequency":
        return f"{mine} / {whole}{found}"
    root = unaltered(how, tree.stats[0])
    added, amount = added_rows(how, root / root.sum())
    return f"({mine} + {_figure(float(added[code]))}) / ({whole} + {_figure(amount)}){found}"


def _along_the_way(tree: Tree, node: int, code: int) -> str:
    """The share at the root, and what each step to the node adds."""
    way = [node]
    while way[-1] > 0:
        way.append(int(tree.parent[way[-1]]))
    way.reverse()
    how = tree.answering
    rows = unaltered(how, tree.stats[way]) / how.row_weight
    whole = rows.sum(axis=1)
    share = [_share(one) for one in (rows[:, code] / whole).tolist()]
    steps = [
        f"({share[i]} - {share[i - 1]}) / (1 + {_figure(how.amount)} / {_figure(float(whole[i - 1]))})"
        for i in range(1, len(way))
    ]
    if len(steps) > N_STEPS:
        steps = [*steps[: N_STEPS - 1], f"… ({len(steps) - N_STEPS} more steps)", steps[-1]]
    return " + ".join([share[0], *steps])


def costs_by_class(tree: Tree, value: NDArray[np.float64]) -> Mapping[Any, float] | None:
    """What each answer costs on average where the classes have these probabilities; None where nothing is said to.

    >>> from treewright.model.answering import Answering, answered
    >>> from treewright.model.build import golf_example
    >>> costs_by_class(answered(golf_example(), Answering(costs=((0, 4), (1, 0)))), np.array([0.25, 0.75]))
    {"Don't Play": 0.75, 'Play': 1.0}
    """
    if tree.answering.costs is None:
        return None
    found = expected_costs(tree.answering, value).tolist()
    return dict(zip(tree.schema.target.classes or (), found, strict=True))


def _figure(number: float) -> str:
    return f"{number + 0.0:.6g}"


def _share(share: float) -> str:
    return f"{100 * share:.3g}%"
