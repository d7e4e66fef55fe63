"""RuleSet: a tree as rules, which can be read, asked and written down.

In: a fitted tree; for the generalised form the rows it was grown on. Out: rules, and what they answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from treewright.errors import KindError
from treewright.rules.answering import ByTree, InTurn
from treewright.rules.explained import RuleExplanation, explained
from treewright.rules.page import as_document, as_frame, as_html, as_json, as_markdown, as_text
from treewright.rules.reading import Reader
from treewright.rules.rule import Rule

FORMS = ("leaves", "generalised")
NO_CONDITION = "satisfies no condition"
"""What generalised rules do with a category that training never showed."""
N_SHOWN = 50
"""Rules that a printed or displayed set lists."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RuleSet:
    """The rules of a tree; made by `rules()` of a fitted estimator. Print it, iterate over it, or ask it.

    form      "leaves": one rule for each leaf, of which exactly one applies; "generalised": rules as c4.5rules makes
              them, asked in order
    target    the name of the target
    classes   its classes, in the order of `predict_proba`; empty for numbers
    rules     the rules, in order
    default   the class where no rule applies; None for leaves
    default_shares   the class shares of the training rows to which no rule applies, of all where there is none such
    dropped   generalised rules that were taken out at last, because they did more harm than good
    training_errors  the weight of the training rows that the generalised rules give another class; None for leaves

    >>> from treewright import C45Classifier
    >>> X = [["sunny", 85], ["sunny", 70], ["rain", 70], ["rain", 80], ["sunny", 90], ["sunny", 95]]
    >>> model = C45Classifier(min_samples_leaf=1, pruning=None).fit(X, ["stay", "play", "play", "play", "stay", "stay"])
    >>> print(model.rules())
    Rule 1:
        x1 <= 80
        ->  class play  [support 3 (50.0%), confidence 100.0%, lift 2.00]
    <BLANKLINE>
    Rule 2:
        x1 > 80
        ->  class stay  [support 3 (50.0%), confidence 100.0%, lift 2.00]
    """

    form: str
    target: str
    classes: NDArray[Any]
    rules: Sequence[Rule]
    default: Any = None
    default_shares: tuple[float, ...] = ()
    dropped: tuple[Rule, ...] = ()
    training_errors: float | None = None
    _reader: Reader = field(kw_only=True)
    _answering: ByTree | InTurn = field(kw_only=True)

    @property
    def is_number(self) -> bool:
        """Whether the rules answer with numbers."""
        return len(self.classes) == 0

    def predict(self, X: object) -> NDArray[Any]:
        """The answer of the rules for each row of a table, as the estimator takes it.

        Rules of leaves answer as their tree does, also where values are missing. Of generalised rules the first one
        that applies answers, and the default class where none does; a missing value satisfies no condition (but
        "is missing"), nor does a category that training never showed.

        >>> from treewright import C45Classifier
        >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> C45Classifier().fit(X, y).rules("generalised").predict([[1, "b"], [9, "a"]])
        array(['no', 'yes'], dtype='<U3')
        """
        values = self._reader.table(X)
        if self.is_number:
            return self._answering.numbers(values)
        return self.classes[self._answering.codes(values)]

    def predict_proba(self, X: object) -> NDArray[np.float64]:
        """The share of each class, in the order of `classes`.

        Rules of leaves answer as their tree does. Generalised rules: the shares among all training rows that satisfy
        the rule which answers; where none does, among the training rows to which no rule applies. The class of a rule
        need not have the largest share: rules for a rare class may be right less than half of the time.

        >>> from treewright import C45Classifier
        >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> C45Classifier().fit(X, y).rules("generalised").predict_proba([[1, "b"]])
        array([[1., 0.]])
        """
        if self.is_number:
            raise KindError("These rules answer with numbers, so there are no class shares; ask predict.")
        return self._answering.shares(self._reader.table(X))

    def explain(self, row: object) -> RuleExplanation:
        """Which rule answers a row, what its conditions saw, and which others apply too. Print it.

        row  a dict by column name, which may leave columns out; a list, tuple or array with a value for each column;
             a pandas Series; or a table of one row

        >>> from treewright import C45Classifier
        >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> print(C45Classifier().fit(X, y).rules("generalised").explain([4, "a"]))
        class yes, by rule 2:
            x0 > 2  (x0 is 4)
        """
        values = self._reader.row(row)
        return explained(self, values, self._answering)

    def to_text(self, n_rules: int | None = None) -> str:
        """The rules as text, as c4.5rules prints them; the first `n_rules`, or all of them.

        The percentage behind a generalised rule is what is expected of it: 1 less its pessimistic estimate of errors.

        >>> from treewright import C45Classifier
        >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> print(C45Classifier().fit(X, y).rules("generalised").to_text())
        Rule 1:
            x0 <= 2
            ->  class no  [87.1%]
        <BLANKLINE>
        Rule 2:
            x0 > 2
            ->  class yes  [87.1%]
        <BLANKLINE>
        Default class: no
        """
        return as_text(self, n_rules)

    def to_markdown(self, n_rules: int | None = None) -> str:
        """The rules as a table of Markdown; the first `n_rules`, or all of them.

        >>> from treewright import CARTRegressor
        >>> print(CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules().to_markdown())
        | rule | if | then | rows | support | deviation |
        |---:|---|---|---:|---:|---:|
        | 1 | x0 <= 2.5 | target = 5 | 2 | 66.7% | 0 |
        | 2 | x0 > 2.5 | target = 8 | 1 | 33.3% | 0 |
        """
        return as_markdown(self, n_rules)

    def to_html(self, n_rules: int | None = None) -> str:
        """The rules as a table of HTML; the first `n_rules`, or all of them.

        >>> from treewright import CARTRegressor
        >>> CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules().to_html(0)[:48]
        '<div><table><tr><th>rule</th><th>if</th><th>then'
        """
        return as_html(self, n_rules)

    def to_frame(self) -> Any:
        """The rules as a data frame of pandas, or of polars where pandas is not installed.

        >>> from treewright import CARTRegressor
        >>> CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules().to_frame().shape
        (2, 8)
        """
        return as_frame(self)

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain values, with every condition in words and as limits or categories.

        >>> from treewright import CARTRegressor
        >>> found = CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules().to_dict()
        >>> found["rules"][0]["conditions"][0]["at_most"]
        2.5
        """
        return as_document(self)

    def to_json(self, indent: int | None = None) -> str:
        """The same as JSON.

        >>> from treewright import CARTRegressor
        >>> CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules().to_json()[:40]
        '{"form": "leaves", "target": "target", "'
        """
        return as_json(self.to_dict(), indent)

    def save(self, path: object, *, overwrite: bool = False) -> None:
        """Write the rules to a model file, which `treewright.load` reads; squeezed where it ends in .gz or .zst.

        path       where; a file that is there already is left alone, unless `overwrite` is true

        >>> from treewright import CARTRegressor, load
        >>> from tempfile import TemporaryDirectory
        >>> rules = CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules()
        >>> with TemporaryDirectory() as folder:
        ...     rules.save(f"{folder}/rules.json")
        ...     load(f"{folder}/rules.json").predict([[0], [9]])
        array([5., 8.])
        """
        from treewright.model.file.save import write_model
        from treewright.rules.stored import rules_bytes

        write_model(path, lambda: rules_bytes(self), overwrite=overwrite)

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    @overload
    def __getitem__(self, i: int) -> Rule: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, i: int | slice) -> Rule | tuple[Rule, ...]:
        if isinstance(i, slice):
            return tuple(self.rules[i])
        try:
            return self.rules[index(i)]
        except IndexError:
            raise IndexError(f"There are {len(self)} rules, so there is none at place {i}.") from None

    def __str__(self) -> str:
        return as_text(self, N_SHOWN)

    def __repr__(self) -> str:
        return f"<RuleSet: {len(self)} rules, {self.form}>"

    def _repr_html_(self) -> str:
        return as_html(self, N_SHOWN)
