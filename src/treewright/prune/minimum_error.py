"""MinimumError: prune by the error that few rows make likely."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError
from treewright.model.tree import Tree
from treewright.prune.additive import Sums, Words, conclude, settle_sums
from treewright.prune.class_stats import staying
from treewright.prune.costs import plain_costs, read_costs, read_priors
from treewright.prune.method import Material, Method, Pruned
from treewright.prune.parameters import at_least

RULE = (
    "A node becomes a leaf when {} as a leaf is not above that of its branches, each counted by its share of the rows."
)


@dataclass(frozen=True, slots=True)
class MinimumError(Method):
    """Minimum-error pruning (Niblett and Bratko 1986; Cestnik and Bratko 1991), by the training rows alone.

    The class shares of a node are drawn towards the priors as if m more rows had been seen, so that a few rows of
    one class do not make an error of 0: p_i = (n_i + m prior_i) / (n + m), and the expected error is that of the best
    answer, 1 - p_i, or by a cost matrix its expected cost. From the bottom up, a node whose own expected error is not
    above that of its branches becomes a leaf. As a rule, a larger m prunes more.

    m            how many rows the priors count for; None: as many as there are classes, which with equal priors is
                 Laplace's rule of succession, (n - n_c + k - 1) / (n + k)
    priors       "equal"; "root": the class shares of the training table; or a mapping {class: prior}
    cost_matrix  what an answer costs, see `treewright.prune.costs.read_costs`; None: 1 for each wrong one

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, number
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> tree = build(schema, number("age", 20, leaf({"no": 6}), leaf({"no": 3, "yes": 2})))
    >>> print(MinimumError().prune(tree).report.of(0).words)
    Node 0 (root): 0.231 expected errors per row as a leaf, 0.263 as a subtree: pruned.
    """

    m: float | None = None
    priors: Any = "equal"
    cost_matrix: Any = None

    name: ClassVar[str] = "minimum_error"

    def __post_init__(self) -> None:
        object.__setattr__(self, "cost_matrix", plain_costs(self.cost_matrix))
        if self.m is not None:
            at_least("m", self.m, 0)
        if isinstance(self.priors, str) and self.priors not in ("equal", "root"):
            raise ParameterError(
                f"priors={self.priors!r} is not known; choose 'equal', 'root' or a mapping {{class: prior}}."
            )

    def _prune(self, material: Material) -> Pruned:
        tree = material.tree
        costs = read_costs(self.cost_matrix, tree)
        rate = self.expected(tree, costs)
        # Rates of branches add up by their weight. Rows that stay at the node are answered as a leaf would.
        stays = rate * staying(tree).sum(axis=1)
        sums = settle_sums(tree, rate * tree.weight, stays)
        below = np.divide(sums.below, tree.weight, out=rate.copy(), where=tree.weight > 0)
        what, unit = ("its expected error", "expected errors per row")
        if costs is not None:
            what, unit = ("its expected cost", "expected cost per row")
        return conclude(tree, Words(self.name, RULE.format(what), unit), rate, Sums(below, sums.prune))

    def expected(self, tree: Tree, costs: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """The expected error of each node as a leaf, or its expected cost, per row.

        >>> from treewright.model.build import golf_example
        >>> MinimumError().expected(golf_example()).round(4).tolist()
        [0.375, 0.4286, 0.1667, 0.4286, 0.25, 0.2, 0.2, 0.25]
        """
        priors = read_priors(self.priors, tree)
        m = float(len(priors) if self.m is None else self.m)
        whole = tree.weight + m
        # Where not even m says anything, the priors do.
        draw = np.where(whole > 0, m, 1.0)[:, None]
        whole = np.where(whole > 0, whole, 1.0)[:, None]
        if costs is None:
            wrong = tree.weight[:, None] - tree.stats + draw * (1.0 - priors)
            return (wrong / whole).min(axis=1)
        return ((tree.stats + draw * priors) / whole @ costs).min(axis=1)
