"""The explanations of several rows: a sequence, a text table and a data frame.

What comes in: a tree, encoded rows and a missing-value policy. What goes out: `Explanations`. Each explanation is made
when it is read, and the tables use only what they show, so the time grows with the number of rows that are read.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from treewright.data.encode import Encoded, Unseen
from treewright.explain.explanation import Explanation, TrainingContext, explain
from treewright.explain.explanation_text import format_class, format_value, shorten
from treewright.explain.text_wrapping import wrap_table
from treewright.language import messages
from treewright.model.formatting import read_limit
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.text_table import Grid, new_frame

N_ROWS = 20
"""Rows that are printed."""

N_ENDS = 2
"""Leaves whose paths are shown, if a missing value sends a row to several."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explanations(Sequence[Explanation]):
    """The explanations of the rows of a table: a sequence of `Explanation`, which prints as a table.

    `found[3]` is the explanation of row 3, made when it is read; `found[:10]` those of the first ten rows. Printing
    shows the first 20 rows, `to_frame()` has all of them. Made by `explain` of an estimator.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> found = model.explain([[1.5], [2.6]])
    >>> print(found)
    row  prediction  probability  path       nearest change
      0  a                100.0%  x0 <= 2.5  x0 > 2.5 (now 1.5) -> b
      1  b                100.0%  x0 > 2.5   x0 <= 2.5 (now 2.6) -> a
    >>> len(found), found[1].prediction
    (2, 'b')
    """

    _tree: Tree
    _encoded: Encoded
    _policy: MissingPolicy
    _training: TrainingContext
    _confidence: float
    _n_changes: int
    _numbers: Sequence[int]  # of the rows in the table
    _unseen: Mapping[int, tuple[Unseen, ...]]  # by row
    language: str = "en"

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> Explanation: ...
    @overload
    def __getitem__(self, at: slice) -> "Explanations": ...
    def __getitem__(self, at: int | slice) -> "Explanation | Explanations":
        if isinstance(at, slice):
            return replace(self, _numbers=self._numbers[at])
        return self._explain(self._numbers[at], self._training, self._n_changes)

    def to_frame(self) -> Any:
        """Return a pandas data frame, or a polars one if pandas is not installed, with a line for each row.

        Returns
        -------
        DataFrame
            `prediction`; `probability` of the predicted class (classifiers only); `leaf`, its number, as `apply`
            returns it; `path` to it; `nearest_change`, the nearest change of one value that changes the
            prediction, missing if there is none; `changed_prediction`, the prediction with it.

        Examples
        --------
        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> model.explain([[1.5], [2.6]]).to_frame()["path"].tolist()
        ['x0 <= 2.5', 'x0 > 2.5']
        """
        columns: dict[str, list[Any]] = defaultdict(list)
        for number in self._numbers:
            found = self._summary(number)
            change = found.changes[0] if found.changes else None
            columns["prediction"].append(found.prediction)
            if found.probabilities is not None:
                columns["probability"].append(found.probabilities[found.prediction])
            columns["leaf"].append(found.ends[0].node)
            columns["path"].append(self._path(found))
            columns["nearest_change"].append(None if change is None else change.words)
            columns["changed_prediction"].append(None if change is None else change.prediction)
        return new_frame(columns)

    def to_text(self, max_rows: int | None = N_ROWS) -> str:
        """Return the table as text.

        Parameters
        ----------
        max_rows : int or None, default=20
            Rows that are shown; the others are counted. None shows all.

        Examples
        --------
        >>> from treewright import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1.0], [2.0], [3.0]], [5.0, 5.0, 8.0])
        >>> print(model.explain([[1.5], [2.6]]).to_text(max_rows=1))
        row  prediction  path       nearest change
          0           5  x0 <= 2.5  x0 > 2.5 (now 1.5) -> 8
        … 1 more row
        """
        return "\n".join(wrap_table(self._grid(max_rows)))

    def to_html(self, max_rows: int | None = N_ROWS) -> str:
        """Return the table as HTML for a page or a notebook.

        Parameters
        ----------
        max_rows : int or None, default=20
            Rows that are shown; the others are counted. None shows all.
        """
        return f"<div>{self._grid(max_rows).html()}</div>"

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Explanations of {len(self)} rows>"

    def _repr_html_(self) -> str:
        return self.to_html()

    def _explain(self, number: int, training: TrainingContext, n_changes: int) -> Explanation:
        row = Encoded(self._encoded.values[number : number + 1], self._unseen.get(number, ()))
        return explain(
            self._tree,
            row,
            self._policy,
            training,
            confidence=self._confidence,
            n_changes=n_changes,
            language=self.language,
        )

    def _summary(self, number: int) -> Explanation:
        """Return the explanation without what no table shows: training rows and the prediction before pruning."""
        return self._explain(number, replace(self._training, rows=None, reports=()), min(self._n_changes, 1))

    def _path(self, found: Explanation) -> str:
        """Return the path to the leaf, or the paths to those with the largest fractions of the row."""
        _ = messages(self.language)
        if len(found.ends) == 1:
            return found.ends[0].where
        paths = [f"{end.where} ({end.fraction:.1%})" for end in found.ends[:N_ENDS]]
        if len(found.ends) > N_ENDS:
            paths.append(_("… {n} more", n=len(found.ends) - N_ENDS))
        return "; ".join(paths)

    def _grid(self, max_rows: int | None) -> Grid:
        _ = messages(self.language)
        limit = read_limit("max_rows", max_rows, low=1)
        shown = self._numbers[:limit]
        is_number = self._tree.schema.target.is_number
        head = [_("row"), _("prediction"), *[_("probability")] * (not is_number), _("path"), _("nearest change")]
        rows = []
        for number in shown:
            found = self._summary(number)
            cells = [str(number), _prediction(found.prediction, is_number)]
            if found.probabilities is not None:
                cells.append(f"{found.probabilities[found.prediction]:.1%}")
            change = ""
            if found.changes:
                nearest = found.changes[0]
                change = f"{shorten(nearest.words)} -> {_prediction(nearest.prediction, is_number)}"
            rows.append([*cells, shorten(self._path(found)), change])
        n_more = len(self) - len(shown)
        below = [_.plural("… {n} more row", "… {n} more rows", n_more)] if n_more else []
        return Grid(head, rows, [True, is_number, *[True] * (not is_number), False, False], below)


def _prediction(value: Any, is_number: bool) -> str:
    return format_value(value) if is_number else format_class(value)


def explain_rows(
    tree: Tree,
    encoded: Encoded,
    policy: MissingPolicy,
    training: TrainingContext,
    *,
    confidence: float = 0.95,
    n_changes: int = 3,
    language: str = "en",
) -> Explanations:
    """Explain the predictions of a tree for the rows of a table; the parameters are those of `explain`.

    >>> import numpy as np
    >>> from treewright.model.build import golf_example
    >>> rows = Encoded(np.array([[0, 70.0, 1], [1, 80.0, 0]]))
    >>> [found.prediction for found in explain_rows(golf_example(), rows, MissingPolicy(), TrainingContext())]
    ['Play', 'Play']
    """
    messages(language)
    unseen: dict[int, tuple[Unseen, ...]] = {}
    for one in encoded.unseen:
        for row in map(int, one.rows):
            unseen[row] = (*unseen.get(row, ()), one)
    numbers = range(len(encoded.values))
    return Explanations(tree, encoded, policy, training, confidence, n_changes, numbers, unseen, language)
