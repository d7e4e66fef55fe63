"""Explaining: why a row gets its answer, and how sure the tree itself is.

In: a row, or the training rows. Out: an explanation of one answer; how often each split returns; what each column is
worth.
"""

import sys
from collections.abc import Callable
from numbers import Real
from time import monotonic
from typing import TYPE_CHECKING

from treewright.data.dataset import Dataset
from treewright.data.encode import Encoded, encode_table, refuse_missing
from treewright.errors import ParameterError
from treewright.estimators.fitted import FittedTree
from treewright.estimators.missing import Asking
from treewright.estimators.parameters import switch, whole
from treewright.estimators.pruning import Pruning, apply
from treewright.model.answering import answered
from treewright.model.tree import Tree
from treewright.prune.method import VALIDATION, Material
from treewright.prune.units import one_row

if TYPE_CHECKING:
    from treewright.explain.answer import Explanation
    from treewright.explain.importance import Importances
    from treewright.explain.stability import Stability


class Explaining(FittedTree):
    """Questions about answers."""

    def explain(self, row: object, *, confidence: float = 0.95, n_changes: int = 3) -> "Explanation":
        """Why a row gets its answer: the way to it, the rows behind it, what would alter it. Print it.

        row         a dict by column name, which may leave columns out; a list, tuple or array with a value for each
                    column; a pandas Series; or a table of one row
        confidence  of the interval for what the leaf says
        n_changes   how many changes of a single value that alter the answer are given, the nearest ones

        No warning is given of a category that training never showed: the explanation says it.

        >>> from treewright import CARTClassifier
        >>> X = [[20, "red"], [30, "blue"], [40, "red"], [50, "blue"], [60, "red"]]
        >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "no", "yes", "yes"])
        >>> found = model.explain([42, "blue"])
        >>> found.answer, found.changes[0].words
        ('no', 'x0 > 45 (now 42)')
        """
        # Here and below: modules that nobody needs who only fits and predicts.
        from treewright.explain.answer import Around, explain

        tree, how = self._tree(), self._asking()
        encoded = self._encode_row(row, how)
        reports = [report for report in (self.pruning_report_, self.pre_pruning_report_) if report is not None]
        if len(reports) == 2 and reports[0] is reports[1]:  # stopped growth, and no pruning after it
            reports.pop()
        return explain(
            tree,
            encoded,
            how.rule,
            Around(self._kept, self._column_spread(), self._row_weight, reports),
            confidence=_confidence(confidence),
            n_changes=whole("n_changes", n_changes, low=0),
        )

    def stability(
        self,
        X: object = None,
        y: object = None,
        n: int = 100,
        *,
        sample_weight: object = None,
        seed: int = 0,
        verbose: bool = False,
    ) -> "Stability":
        """How often each split returns when the training rows are drawn again, n times. Print it.

        X, y, sample_weight  the training rows again; they may be left out where `fit` kept them
        n                    resamples: as many rows as there are, drawn with replacement, each counted once
        seed                 a whole number; the same one gives the same report, whatever the order of the rows
        verbose              whether the progress is written to stderr

        Every tree is grown and pruned as this one was. Where that was by validation rows, the rows left out of a
        resample take their place.

        >>> from treewright import CARTClassifier
        >>> X, y = [[x, x % 3] for x in range(40)], [x > 15 for x in range(40)]
        >>> report = CARTClassifier().fit(X, y).stability(n=20)
        >>> split = report.splits[0]
        >>> split.column, split.returns, split.cut, split.cuts
        ('x0', 1.0, 15.5, (14.0, 15.5, 16.5))
        """
        from treewright.explain.stability import stability

        tree = self._tree()
        n, seed = whole("n", n, low=1), whole("seed", seed, low=0)
        tell = _progress(n) if switch("verbose", verbose) else lambda _: None
        rows = self._training_rows(X, y, sample_weight)
        return stability(tree, rows, self._regrow(), n=n, seed=seed, tell=tell)

    def importances(self) -> "Importances":
        """The columns by importance: what their splits gained in training, and how many there are. Print it.

        The numbers are those of `feature_importances_`. They favour columns of many values; docs/importance.md says
        what to ask instead.

        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1, 5], [2, 5], [3, 6], [4, 6]], ["a", "a", "b", "a"])
        >>> print(model.importances())
        column  importance  splits
        x0          1.0000       2
        x1          0.0000       0
        """
        from treewright.explain.importance import importances

        return importances(self._tree())

    def _regrow(self) -> Callable[[Dataset, Dataset], Tree]:
        """Grows and prunes a tree on drawn rows as `tree_` was, by the rows left out if it was by validation rows."""
        # What pruned this tree, whatever the parameters have been set to since.
        (method, validated), stopped = self._pruned_by, self.pre_pruning_report_ is not None
        by_validation = stopped or (validated and method is not None and VALIDATION in method.uses)
        pruning, grow_on = Pruning(method, stopped, None), self._grower(self._grown_by, self.grown_tree_.answering)
        rule, how = self._asking().rule, self._tree().answering

        def regrow(rows: Dataset, left_out: Dataset) -> Tree:
            grown = grow_on(rows)
            validation = left_out if by_validation else None
            if grown.n_nodes > 1 and not (by_validation and not left_out.n_rows):  # something to prune, and to prune by
                grown = apply(pruning, Material(grown, rows, validation, grow_on, rule, one_row(rows))).tree
            return grown if how.is_plain else answered(grown, how)

        return regrow

    def _encode_row(self, row: object, how: Asking) -> Encoded:
        """One row in the codes of the training table."""
        from treewright.explain.row import cells_of

        columns = self._tree().schema.columns
        named = getattr(self, "feature_names_in_", None) is not None
        cells = cells_of(row, [column.name for column in columns], named)
        if cells is None:
            return self._encode(row, how)
        encoded = encode_table(cells, columns, how.cells)
        if how.rule.missing == "error":
            refuse_missing(columns, encoded.values)
        return encoded


def _confidence(value: object) -> float:
    """`confidence`, checked."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < float(value) < 1.0:
        raise ParameterError(f"confidence={value!r} cannot be used; give a number above 0 and below 1, such as 0.95.")
    return float(value)


def _progress(n: int) -> Callable[[int], None]:
    """Writes to stderr how many resamples are done, on one line."""

    last = [monotonic()]

    def tell(done: int) -> None:
        if done < n and monotonic() - last[0] < 0.2:
            return
        last[0] = monotonic()
        sys.stderr.write(f"\rresample {done} of {n}" + ("\n" if done == n else ""))
        sys.stderr.flush()

    return tell
