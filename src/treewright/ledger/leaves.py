"""Leaves: why a node asks nothing.

In: a leaf as growth saw it. Out: the reason in a sentence: growth closed it, or its split came after the last leaf that
was allowed, or was taken back because it saved no errors.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.grow.candidates import DEEP, EMPTY, LITTLE_GAIN, NO_CANDIDATE, PURE, SMALL, Seen
from treewright.grow.freeze import COLLAPSE_SLACK
from treewright.grow.grower import grow
from treewright.grow.plan import Plan
from treewright.ledger.lineage import Lineage
from treewright.ledger.record import Candidate
from treewright.model.answering import answered
from treewright.model.grid import counted
from treewright.model.tree import Tree
from treewright.model.words import category_words, number_words, weight_words
from treewright.prune.additive import settle_sums
from treewright.prune.losses import training_losses
from treewright.prune.report_page import figures
from treewright.prune.units import one_row


@dataclass(frozen=True, eq=False)
class Growth:
    """How a tree was grown, to be asked about its leaves."""

    rows: Dataset
    plan: Plan
    tree: Tree
    lineage: Lineage

    def why_leaf(self, seen: Seen, candidates: Sequence[Candidate]) -> str:
        """Why growth left the node a leaf."""
        if seen.closed is None or seen.closed == LITTLE_GAIN:
            assert seen.chosen is not None
            return self._why_not_split(seen, candidates[seen.chosen])
        limits = self.plan.limits
        depth = counted(len(seen.path), "step")
        closed: dict[str, Callable[[], str]] = {
            EMPTY: lambda: "No training row comes here; it answers as the node above.",
            PURE: lambda: self._pure(seen.node),
            SMALL: lambda: f"It holds {self._size(seen)}, and min_samples_split={number_words(limits.min_split)}.",
            DEEP: lambda: f"It is {depth} below the root, as far as max_depth={limits.max_depth} allows.",
            NO_CANDIDATE: lambda: f"No column has a candidate{self._out_of_order(seen, candidates)}.",
        }
        return closed[seen.closed]()

    def _out_of_order(self, seen: Seen, candidates: Sequence[Candidate]) -> str:
        """What a monotone tree has against the columns, said of the first of them."""
        barred = [one for found, one in zip(seen.candidates, candidates, strict=True) if found.n_barred]
        return f"; {barred[0].name}: {barred[0].reason}" if barred else ""

    def _why_not_split(self, seen: Seen, best: Candidate) -> str:
        """Why a split that was found is not in the tree."""
        limits, tree = self.plan.limits, self.tree
        assert best.gain is not None
        improves = float(tree.weight[seen.node] / tree.weight[0]) * best.gain
        its_split = f"Its best split, on {best.name},"
        if seen.closed == LITTLE_GAIN:
            gained, least = figures([improves, limits.min_gain])
            return f"{its_split} would improve the tree by {gained}, less than min_impurity_decrease={least}."
        stop = self.lineage.stop(seen.node)
        if stop is not None:
            return f"{its_split} was not made. {stop.words}"
        saved = self._what_collapsed(seen) if self.plan.collapse else None
        if saved is not None:
            leaf, below = figures(saved)
            return f"{its_split} was taken back: its branches make {below} training errors, the node itself {leaf}."
        if limits.max_leaves is None:
            return f"{its_split} was taken back."
        return (
            f"{its_split} would improve the tree by {figures([improves])[0]}; it was not made, because "
            f"others came first or it has too many branches for max_leaf_nodes={limits.max_leaves}."
        )

    def _pure(self, node: int) -> str:
        target = self.tree.schema.target
        if target.classes is None:
            return f"All its rows have the same answer, {number_words(float(self.tree.value[node, 0]))}."
        return f"All its rows are of one class, {category_words(target.classes[self.tree.stats[node].argmax()])}."

    def _size(self, seen: Seen) -> str:
        """What is compared with the minimum: rows, or their weight in weights of one row."""
        weight, one = float(self.tree.weight[seen.node]), one_row(self.rows)
        if self.plan.minimum != "weight" or weight == self.tree.count[seen.node] * one:
            return counted(len(seen.rows), "row")
        worth = "" if one == 1.0 else f", worth {weight_words(weight / one)} of the mean weight"
        return f"rows of weight {weight_words(weight)}{worth}"

    def _what_collapsed(self, seen: Seen) -> list[float] | None:
        """The training errors of a node and of the branches it had; None where it had none."""
        at, way = 0, [*seen.path.tolist(), seen.node]
        for above, node in pairwise(way):
            at = int(self._uncollapsed.first_child[at]) + node - int(self.tree.first_child[above])
        return [float(errors[at]) for errors in self._errors] if self._uncollapsed.n_children[at] else None

    @cached_property
    def _uncollapsed(self) -> Tree:
        """The tree before splits were taken back; its nodes are found by their branches."""
        return answered(grow(self.rows, replace(self.plan, collapse=False)), self.tree.answering)

    @cached_property
    def _errors(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Training errors of each node as a leaf, and of its branches, these collapsed already."""
        losses = training_losses(self._uncollapsed)
        slack = COLLAPSE_SLACK * one_row(self.rows)
        return losses.leaf, settle_sums(self._uncollapsed, losses.leaf, losses.staying, allowance=slack).below
