"""Minimum-error pruning: by the expected error of a node, its class proportions shrunk towards priors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.data.class_costs import plain_cost_matrix
from treewright.errors import ParameterError, at_least
from treewright.language import N_
from treewright.model.tree import Tree
from treewright.prune.class_stats import stopped_class_weights
from treewright.prune.losses import read_costs, read_priors
from treewright.prune.method import Method, Pruned, PruningInput
from treewright.prune.traversal import Comparison, Wording, build_result, compare_bottom_up

ERROR_RULE = N_(
    "A node becomes a leaf when its expected error is at most that of its branches, weighted by their rows."
)
COST_RULE = N_("A node becomes a leaf when its expected cost is at most that of its branches, weighted by their rows.")
ERRORS_PER_ROW, COST_PER_ROW = N_("expected errors per row"), N_("expected cost per row")
STORED_RULE = (
    "A node becomes a leaf when its expected {} as a leaf is not above that of its branches, each counted by its "
    "share of the rows."
)


@dataclass(frozen=True, slots=True)
class MinimumError(Method):
    """Minimum-error pruning (Niblett and Bratko 1986; Cestnik and Bratko 1991), by the training rows alone.

    The class proportions of a node are estimated as if m more rows had been seen, distributed like the priors, so
    that a few rows of one class do not have an error of 0: p_i = (n_i + m prior_i) / (n + m). The expected error is
    that of the best prediction, 1 - p_i, or with a cost matrix its expected cost. From the bottom up, a node whose
    expected error is at most that of its branches becomes a leaf. As a rule, a larger m prunes more.

    Parameters
    ----------
    m : float or None, default=None
        How many rows the priors count for; None: the number of classes, which with equal priors is Laplace's rule of
        succession, (n - n_c + k - 1) / (n + k).
    priors : {"equal", "root"} or mapping, default="equal"
        "root" are the class proportions of the training rows; or a mapping {class: prior}.
    cost_matrix : mapping, array or None, default=None
        What a prediction costs, by true class and predicted class; None: 1 for each wrong one.

    Examples
    --------
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
    messages: ClassVar[tuple[str, ...]] = (ERROR_RULE, COST_RULE, ERRORS_PER_ROW, COST_PER_ROW)
    stored_texts: ClassVar[Mapping[str, str]] = {
        ERROR_RULE: STORED_RULE.format("error"),
        COST_RULE: STORED_RULE.format("cost"),
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "cost_matrix", plain_cost_matrix(self.cost_matrix))
        if self.m is not None:
            at_least("m", self.m, 0)
        if isinstance(self.priors, str) and self.priors not in ("equal", "root"):
            raise ParameterError(
                f"priors must be 'equal', 'root' or a mapping {{class: prior}}, got {self.priors!r}."
            )

    def _prune(self, inputs: PruningInput) -> Pruned:
        tree = inputs.tree
        costs = read_costs(self.cost_matrix, tree)
        rate = self.expected(tree, costs)
        # Rates of branches add up by their weight. Rows that stay at the node get the prediction of the node.
        staying = rate * stopped_class_weights(tree).sum(axis=1)
        found = compare_bottom_up(tree, rate * tree.weight, staying)
        subtree = np.divide(found.subtree, tree.weight, out=rate.copy(), where=tree.weight > 0)
        rule, unit = (ERROR_RULE, ERRORS_PER_ROW) if costs is None else (COST_RULE, COST_PER_ROW)
        return build_result(tree, Wording(self.name, rule, unit), rate, Comparison(subtree, found.prune))

    def expected(self, tree: Tree, costs: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Compute the expected error of each node as a leaf, or its expected cost, per row.

        Parameters
        ----------
        tree : Tree
            A classification tree.
        costs : float64 array of shape (n_classes, n_classes) or None, default=None
            The cost of a prediction, by true class and predicted class; None: 1 for each wrong one.

        Returns
        -------
        float64 array of shape (n_nodes,)
            The expected error or cost of each node.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> MinimumError().expected(golf_example()).round(4).tolist()
        [0.375, 0.4286, 0.1667, 0.4286, 0.25, 0.2, 0.2, 0.25]
        """
        priors = read_priors(self.priors, tree)
        m = float(len(priors) if self.m is None else self.m)
        whole = tree.weight + m
        # An empty node with m = 0 has the proportions of the priors.
        prior_rows = np.where(whole > 0, m, 1.0)[:, None]
        whole = np.where(whole > 0, whole, 1.0)[:, None]
        if costs is None:
            wrong = tree.weight[:, None] - tree.stats + prior_rows * (1.0 - priors)
            return (wrong / whole).min(axis=1)
        return ((tree.stats + prior_rows * priors) / whole @ costs).min(axis=1)
