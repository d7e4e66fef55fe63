"""The input of a page: everything that is known about a fitted estimator."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.grow.plan import Plan
from treewright.model.tree import Tree
from treewright.prune.method import Method, PruningInput
from treewright.prune.report import PruningReport

if TYPE_CHECKING:
    from treewright.store.ledgers import Ledgers


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PageInput:
    """What a page is made from; the estimators fill it in.

    estimator   the name of its class
    parameters  the constructor call as Python code
    title       of the page
    language    of the page: "en", "zh", or None for the language of the browser
    tree        the tree used for prediction
    material    the unpruned tree, the training and validation rows if available, and how missing values are predicted
    report      the pruning report; None if the tree was not pruned
    pre_report  the pre-pruning report; None if validation rows did not stop growth
    method      the method that pruned the tree; None if there is none
    plan        the plan the tree was grown by, its fractions converted to counts
    unseen      how a category that did not occur in training is predicted
    methods     other pruning methods to compare, by name
    named       whether the user named them: then a method that does not apply raises an error
    left_out    methods that need validation rows while there are none, with the reason
    numbers     row number in the user's table of each training row; None: rows are not shown
    ledgers     the candidates that are stored with a model; None if there are none
    rules       returns the rules of the leaves as text, by language; None: the page has none
    """

    estimator: str
    parameters: str
    title: str
    language: str | None
    tree: Tree
    material: PruningInput
    report: PruningReport | None
    pre_report: PruningReport | None
    method: Method | None
    plan: Plan
    unseen: str
    methods: Mapping[str, Method]
    named: bool = False
    left_out: tuple[tuple[str, str], ...] = ()
    numbers: NDArray[np.int64] | None = None
    ledgers: "Ledgers | None" = None
    rules: Callable[[], Mapping[str, str]] | None = None

    @property
    def grown(self) -> Tree:
        """The unpruned tree, whose node numbers the page uses."""
        return self.material.tree

    @property
    def own_report(self) -> PruningReport | None:
        """The report of how the tree used for prediction was pruned; None if it is the unpruned tree.

        If growth was stopped by validation rows and nothing else was pruned, the report of the estimator is about a
        larger tree than the unpruned one.
        """
        if self.report is None or self.tree is self.grown:
            return None
        return self.report if self.report.tree is self.grown or self.report.tree == self.grown else None


def heaviest_splits(tree: Tree, n_most: int) -> NDArray[np.int64]:
    """Return the nodes with a split, heaviest first, by number on a tie.

    >>> from treewright.model.build import golf_example
    >>> heaviest_splits(golf_example(), 2).tolist()
    [0, 1]
    """
    inner = np.flatnonzero(tree.n_children)
    return inner[np.argsort(-tree.weight[inner], kind="stable")][:n_most]
