"""Given: all that a page is made from, handed over in one piece.

In: nothing; this is the shape. Out: `Given`, which the estimators fill in and the parts of the document read.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.grow.plan import Plan
from treewright.model.tree import Tree
from treewright.prune.method import Material, Method
from treewright.prune.report import PruningReport


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Given:
    """What is known about a fitted estimator.

    estimator   the name of its class
    parameters  how it was made, as Python writes it
    title       of the page
    language    of the page: "en", "zh", or None for that of the browser
    tree        the tree that answers
    material    the grown tree, and the rows around it as far as they are at hand; its rule is that of answers
    report      what pruning decided; None where nothing was pruned
    pre_report  what pre-pruning decided; None where growth was not stopped by validation rows
    method      the method that pruned the tree; None where none did
    plan        what the tree was grown by, its shares turned into counts
    unseen      what answers do with a category that training never showed
    methods     further methods to be tried, by name
    named       whether the user named them: then one that cannot be tried is an error
    left_out    methods that cannot be tried, and why
    numbers     the number in the user's table of each training row; None: rows are not to be shown
    """

    estimator: str
    parameters: str
    title: str
    language: str | None
    tree: Tree
    material: Material
    report: PruningReport | None
    pre_report: PruningReport | None
    method: Method | None
    plan: Plan
    unseen: str
    methods: Mapping[str, Method]
    named: bool = False
    left_out: tuple[tuple[str, str], ...] = ()
    numbers: NDArray[np.int64] | None = None

    @property
    def grown(self) -> Tree:
        """The tree before pruning, whose node numbers the page has."""
        return self.material.tree

    @property
    def own_report(self) -> PruningReport | None:
        """The report of how the tree that answers was cut from the grown one; None where the two are the same.

        Where growth was stopped by validation rows and nothing else was done, the report of the estimator is about a
        larger tree than the grown one.
        """
        if self.report is None or self.tree is self.grown:
            return None
        return self.report if self.report.tree is self.grown or self.report.tree == self.grown else None


def heaviest_inner(tree: Tree, n_most: int) -> NDArray[np.int64]:
    """The inner nodes of most weight, heaviest first, in their order on a tie.

    >>> from treewright.model.build import golf_example
    >>> heaviest_inner(golf_example(), 2).tolist()
    [0, 1]
    """
    inner = np.flatnonzero(tree.n_children)
    return inner[np.argsort(-tree.weight[inner], kind="stable")][:n_most]
