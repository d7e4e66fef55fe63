"""Working: the arithmetic of a node, written out as a textbook does.

In: the number of a node. Out: a `WorkedSolution`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.estimators.fitted import FittedTree
from treewright.estimators.parameters import settle, switch

if TYPE_CHECKING:
    from treewright.ledger.worked import WorkedSolution


class Working(FittedTree):
    """The arithmetic behind a tree."""

    def worked_solution(
        self,
        node: int = 0,
        X: object = None,
        y: object = None,
        *,
        sample_weight: object = None,
        columns: Sequence[str] | None = None,
        grown: bool = False,
        language: str = "en",
    ) -> "WorkedSolution":
        """The arithmetic of a node as a textbook writes it: impurities with their fractions, gains, ratios, pruning.

        node      its number in `tree_`; 0 is the root
        X, y, sample_weight
                  the rows the tree was grown on, where `fit` did not keep them: a table above four million cells, or a
                  stored model
        columns   names of the columns to be worked out; None: all where they are few, otherwise the best ones
        grown     whether the number is one of `grown_tree_`, the tree before pruning
        language  of the words between the numbers: "en" or "zh"

        >>> from treewright import ID3Classifier
        >>> X = [["sunny"], ["sunny"], ["rain"], ["rain"], ["rain"]]
        >>> solution = ID3Classifier().fit(X, ["no", "no", "yes", "yes", "no"]).worked_solution()
        >>> solution.to_dict()["sections"][1]["parts"][-1]["formula"]
        'Gain(D, x0) = Ent(D) − Ent(D | x0) = 0.9710 − 0.5510 ≈ 0.4200'
        """
        # Some two dozen small modules that nobody needs who only fits and predicts.
        from treewright.ledger.worked.node import Asked, worked_solution

        lineage = self._lineage()
        rows = self._training_rows(X, y, sample_weight)
        plan, share = self._grown_by
        asked = Asked(node, switch("grown", grown), columns, language, self._pruned_by[0])
        return worked_solution(rows, settle(plan, rows, share), lineage, asked)
