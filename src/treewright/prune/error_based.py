"""ErrorBased: prune by estimates of the errors to come, as C4.5 does.

In: a tree and, where branches may be raised, the rows it was grown on. Out: the pruned tree and why.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treewright.data.dataset import Dataset
from treewright.errors import ParameterError
from treewright.model.cut import assemble
from treewright.model.tree import Tree
from treewright.model.words import number_words
from treewright.prune.additive import Words, conclude, settle_sums
from treewright.prune.class_stats import staying
from treewright.prune.impossible import without_impossible
from treewright.prune.limits import Limit
from treewright.prune.losses import training_losses
from treewright.prune.method import TRAINING, Material, Method, Pruned
from treewright.prune.parameters import at_least
from treewright.prune.raising import raise_branches
from treewright.prune.report import PruningReport, by_visit

UNIT = "estimated errors"


@dataclass(frozen=True, slots=True)
class ErrorBased(Method):
    """Error-based pruning (Quinlan 1993): what C4.5 does, by the training rows alone.

    confidence  CF: the lower, the more errors a leaf is expected to make, and the more is pruned; 0.25 in C4.5
    limit       how the errors of a leaf with E errors among N rows are estimated, N * U_CF(E, N): "release8" as in
                Quinlan's program, "weka" as in Weka's J48, "exact" by the binomial distribution; see
                `treewright.prune.limits.upper_limit`
    raising     whether the largest branch of a node may take its place, as in C4.5; this needs the training rows
    allowance   how far above the other estimates that of the smaller tree may be; 0.1 in C4.5

    From the bottom up, a node becomes a leaf when its estimate as a leaf is not above the sum of those of its branches
    (by more than the allowance), nor above that of its largest branch with all rows of the node in it. Otherwise that
    branch takes the place of the node when its estimate is not above the sum: the rows go where its splits send them,
    and it is pruned again. The largest branch is the one with most rows, the last of them on a tie. An empty branch
    costs nothing. Rows that stop at a node where a value is missing count with the node's own rate.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, table
    >>> votes = Column("education spending", Kind.CATEGORY, ("n", "y", "u"))
    >>> schema = Schema((votes,), Target("party", ("democrat", "republican")))
    >>> parties = {"n": leaf({"democrat": 6}), "y": leaf({"democrat": 9}), "u": leaf({"republican": 1})}
    >>> pruned = ErrorBased(raising=False).prune(build(schema, table("education spending", parties)))
    >>> print(pruned.report.of(0).words)
    Node 0 (root): 2.51 estimated errors as a leaf, 3.27 as a subtree, 3.37 with the allowance: pruned.
    """

    confidence: float = 0.25
    limit: str = "release8"
    raising: bool = True
    allowance: float = 0.1

    name: ClassVar[str] = "error_based"

    def __post_init__(self) -> None:
        Limit(self.limit, self.confidence)
        at_least("allowance", self.allowance, 0.0)
        if not isinstance(self.raising, bool | np.bool_):
            raise ParameterError(f"raising={self.raising!r} is not known; choose True or False.")

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({TRAINING}) if self.raising else frozenset()

    def _prune(self, material: Material) -> Pruned:
        if self.raising and material.rows is not None:
            return self._with_raising(material.tree, material.rows)
        tree, limit = material.tree, Limit(self.limit, self.confidence)
        leaf = limit.estimates(tree.weight, training_losses(tree).leaf)
        rate = np.divide(leaf, tree.weight, out=np.zeros(tree.n_nodes), where=tree.weight > 0)
        sums = settle_sums(tree, leaf, rate * staying(tree).sum(axis=1), allowance=self.allowance)
        rule = f"A node becomes a leaf when its estimated errors are not above those of its branches{self._more()}."
        return conclude(tree, Words(self.name, rule, UNIT), leaf, sums, self.allowance)

    def _with_raising(self, tree: Tree, rows: Dataset) -> Pruned:
        raised = raise_branches(tree, rows, Limit(self.limit, self.confidence), self.allowance)
        left = without_impossible(assemble(tree, raised.split_of, raised.contents))
        visit, more = by_visit(tree), self._more()
        leaf, subtree, branch = raised.numbers[visit].T
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule="A node becomes a leaf when its estimated errors are not above those of its branches, nor those of "
            f"its largest branch in its place{more}; otherwise that branch is raised when its errors are not above "
            f"those of all branches{more}.",
            unit=UNIT,
            node=visit,
            leaf=leaf,
            subtree=subtree,
            allowance=np.full(len(visit), float(self.allowance)),
            verdict=raised.verdict[visit],
            branch=branch,
            origin=left.origin,
            weight=raised.contents.get("weight", tree.weight)[visit],
        )
        return Pruned(left.tree, report)

    def _more(self) -> str:
        return f" + {number_words(self.allowance)}" if self.allowance else ""
