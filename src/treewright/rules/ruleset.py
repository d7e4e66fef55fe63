"""`RuleSet`: a tree as rules, which can be printed, used for prediction, and saved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from treewright.deprecation import DeprecatedAlias
from treewright.errors import KindError, one_of
from treewright.language import messages
from treewright.rules.rule import Rule
from treewright.rules.rule_explanation import RuleExplanation, explain_by_rules
from treewright.rules.rule_prediction import RowReader, RuleListPredictor, TreePredictor
from treewright.rules.rule_text import as_document, as_frame, as_html, as_json, as_markdown, as_text

FORMS = ("leaves", "generalised")
NO_CONDITION = "satisfies no condition"
"""What generalised rules do with an unseen category."""
N_SHOWN = 50
"""Rules that a printed or displayed set lists."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RuleSet:
    """The rules of a tree, as `rules()` of a fitted estimator returns them. Print it, or iterate over it.

    Attributes
    ----------
    form : str
        "leaves": one rule for each leaf, of which exactly one applies to a row. "generalised": rules as c4.5rules makes
        them, tried in order.
    target : str
        Name of the target.
    classes : ndarray
        Classes in the order of `predict_proba`; empty for regression.
    rules : sequence of Rule
        The rules, in order.
    default : object
        Class predicted where no generalised rule applies; None for rules of leaves.
    default_probabilities : tuple of float
        Class frequencies of the training rows that no generalised rule applies to; of all rows if there are none.
    dropped : tuple of Rule
        Generalised rules that were dropped at the end, because they did more harm than good.
    training_errors : float or None
        Weight of the training rows that the generalised rules classify wrongly; None for rules of leaves.
    language : str
        Language of the text: "en" or "zh".

    Examples
    --------
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
    default_probabilities: tuple[float, ...] = ()
    dropped: tuple[Rule, ...] = ()
    training_errors: float | None = None
    _reader: RowReader = field(kw_only=True)
    _predictor: TreePredictor | RuleListPredictor = field(kw_only=True)
    language: str = field(default="en", kw_only=True)

    default_shares = DeprecatedAlias("default_probabilities")

    def __post_init__(self) -> None:
        messages(self.language)  # an unknown language is an error here, not when the rules are printed

    @property
    def is_number(self) -> bool:
        """Whether the rules predict numbers."""
        return len(self.classes) == 0

    def predict(self, X: object) -> NDArray[Any]:
        """Predict the class or number of each row of a table.

        Rules of leaves predict what their tree predicts, also for missing values. Of generalised rules the first one
        that applies predicts, and the default class is predicted if none applies. A missing value satisfies no
        condition except "is missing", and an unseen category satisfies none.

        Parameters
        ----------
        X : table
            The columns of the training table, in the same order.

        Returns
        -------
        ndarray of shape (n_rows,)

        Examples
        --------
        >>> from treewright import C45Classifier
        >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> C45Classifier().fit(X, y).rules("generalised").predict([[1, "b"], [9, "a"]])
        array(['no', 'yes'], dtype='<U3')
        """
        values = self._reader.table(X)
        if self.is_number:
            return self._predictor.numbers(values)
        return self.classes[self._predictor.class_codes(values)]

    def predict_proba(self, X: object) -> NDArray[np.float64]:
        """Return class probabilities, in the order of `classes`.

        Rules of leaves return the probabilities of their tree. Generalised rules return the class frequencies of all
        training rows that satisfy the rule; if no rule applies, of the training rows that no rule applies to. The class
        of a rule need not have the highest probability: a rule for a rare class may be right less than half of the
        time.

        Parameters
        ----------
        X : table
            The columns of the training table, in the same order.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)

        Examples
        --------
        >>> from treewright import C45Classifier
        >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> C45Classifier().fit(X, y).rules("generalised").predict_proba([[1, "b"]])
        array([[1., 0.]])
        """
        if self.is_number:
            raise KindError("These rules predict numbers and have no class probabilities; use predict.")
        return self._predictor.probabilities(self._reader.table(X))

    def explain(self, row: object) -> RuleExplanation:
        """Explain the prediction for one row: the rule that predicts, the values it tested, and other rules that apply.

        Parameters
        ----------
        row : dict, list, tuple, ndarray, Series or table of one row
            A dict has values by column name; columns that it leaves out are missing.

        Returns
        -------
        RuleExplanation

        Examples
        --------
        >>> from treewright import C45Classifier
        >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> print(C45Classifier().fit(X, y).rules("generalised").explain([4, "a"]))
        class yes, by rule 2:
            x0 > 2  (x0 is 4)
        """
        return explain_by_rules(self, self._reader.row(row), self._predictor)

    def to_text(self, n_rules: int | None = None) -> str:
        """Return the first `n_rules` rules, or all, as text in the layout of c4.5rules.

        The percentage of a generalised rule is its expected accuracy: 1 - its pessimistic error estimate.

        Parameters
        ----------
        n_rules : int, optional
            Number of rules; all by default.

        Returns
        -------
        str

        Examples
        --------
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
        """Return the first `n_rules` rules, or all, as a Markdown table.

        Parameters
        ----------
        n_rules : int, optional
            Number of rules; all by default.

        Returns
        -------
        str

        Examples
        --------
        >>> from treewright import CARTRegressor
        >>> print(CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules().to_markdown())
        | rule | if | then | rows | support | deviation |
        |---:|---|---|---:|---:|---:|
        | 1 | x0 <= 2.5 | target = 5 | 2 | 66.7% | 0 |
        | 2 | x0 > 2.5 | target = 8 | 1 | 33.3% | 0 |
        """
        return as_markdown(self, n_rules)

    def to_html(self, n_rules: int | None = None) -> str:
        """Return the first `n_rules` rules, or all, as an HTML table.

        Parameters
        ----------
        n_rules : int, optional
            Number of rules; all by default.

        Returns
        -------
        str

        Examples
        --------
        >>> from treewright import CARTRegressor
        >>> CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules().to_html(0)[:57]
        '<div><table><tr><th style="text-align:right">rule</th><th'
        """
        return as_html(self, n_rules)

    def to_frame(self) -> Any:
        """Return the rules as a pandas data frame, or a polars one if pandas is not installed.

        Examples
        --------
        >>> from treewright import CARTRegressor
        >>> CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules().to_frame().shape
        (2, 8)
        """
        return as_frame(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as values that JSON can hold, with every condition as text and as limits or categories.

        Examples
        --------
        >>> from treewright import CARTRegressor
        >>> found = CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules().to_dict()
        >>> found["rules"][0]["conditions"][0]["at_most"]
        2.5
        """
        return as_document(self)

    def to_json(self, indent: int | None = None) -> str:
        """Return the rules as JSON.

        Parameters
        ----------
        indent : int, optional
            Spaces by which each level is indented; one line by default.

        Returns
        -------
        str

        Examples
        --------
        >>> from treewright import CARTRegressor
        >>> CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules().to_json()[:40]
        '{"form": "leaves", "target": "target", "'
        """
        return as_json(self.to_dict(), indent)

    def to_sql(
        self,
        dialect: str = "duckdb",
        *,
        table: str | Sequence[str] = "data",
        probabilities: bool = True,
        check: bool = True,
    ) -> str:
        """Return a SELECT statement that predicts the rows of a table in a database.

        The statement returns all columns of the table, the number of the rule that predicts (`treewright_rule`, 0 for
        the default class), the column `prediction`, and for classes a column such as `probability_yes` for each. NULL
        and NaN are missing values; they and categories that did not occur in training are treated as by `predict`. A
        row that `predict` refuses has the prediction NULL.

        Rules of leaves are written as their tree, with `treewright_leaf`, if their conditions do not say where every
        row goes: with the strategies "fractional", "surrogate", "stop" and "error" for missing values, and if the tree
        splits on categories and `unseen_category` is not "missing".

        Parameters
        ----------
        dialect : str, default="duckdb"
            "sqlite", "duckdb", "postgres", "spark", "bigquery", "snowflake", "sqlserver", "mysql" or "mariadb".
        table : str or sequence of str, default="data"
            The table; "schema.table", or its parts as a sequence, for one in a schema.
        probabilities : bool, default=True
            Whether there is a column for the probability of each class.
        check : bool, default=True
            Whether the statement is executed before it is returned: in SQLite by Python itself, in DuckDB if it is
            installed. Statements in other dialects are not executed. The comment at the top says what was done.

        Returns
        -------
        str
            The statement.

        Raises
        ------
        ExportError
            If the rules cannot be written in SQL, or if the statement predicts otherwise than the rules.

        Examples
        --------
        >>> from treewright import C45Classifier
        >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> statement = C45Classifier().fit(X, y).rules("generalised").to_sql("sqlite", table="points")
        >>> print("\\n".join(statement.splitlines()[10:15]))
            CASE
              WHEN "x0" <= 2 THEN 1 -- no
              WHEN "x0" > 2 THEN 2 -- yes
              ELSE 0 -- no
            END AS treewright_rule
        """
        from treewright.export.exported import export

        return export(self, "sql", check, dialect=dialect, table=table, probabilities=probabilities)

    def to_code(self, language: str, *, name: str = "predict", check: bool = True) -> str:
        """Return the rules as source code without dependencies.

        Rules of leaves are written as their tree if their conditions do not say where every row goes: with the
        strategies "fractional", "surrogate", "stop" and "error" for missing values, and if the tree splits on
        categories and `unseen_category` is not "missing".

        Parameters
        ----------
        language : {"python", "javascript", "c", "sas"}
            The programming language.
        name : str, default="predict"
            The name of the function.
        check : bool, default=True
            Whether the code is executed before it is returned, if its interpreter or compiler is on the machine.

        Returns
        -------
        str
            The source code; see docs/export-code.md.

        Raises
        ------
        ExportError
            If the rules cannot be written in the language, or if the code predicts otherwise than the rules.

        Examples
        --------
        >>> from treewright import C45Classifier
        >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> code = C45Classifier().fit(X, y).rules("generalised").to_code("python")
        >>> print("\\n".join(code.splitlines()[20:27]))
            x0 = _number(row["x0"])
            if x0 is not None and x0 <= 2.0:  # rule 1
                return "no", (1.0, 0.0)
            if x0 is not None and x0 > 2.0:  # rule 2
                return "yes", (0.0, 1.0)
            # no rule applies
            return "no", (0.5, 0.5)
        """
        from treewright.export.exported import LANGUAGES, export

        return export(self, one_of("language", language, LANGUAGES), check, name=name)

    def fingerprint(self) -> str:
        """Return a SHA-256 that is the same for equal rules on every machine; of rules of leaves, that of their tree.

        Exports name it, so that one can tell which rules they were made from.

        Examples
        --------
        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1], [2], [3]], ["a", "a", "b"])
        >>> model.rules().fingerprint() == model.tree_.fingerprint()
        True
        """
        from treewright.rules.rule_file import rules_fingerprint

        return rules_fingerprint(self)

    def save(self, path: object, *, overwrite: bool = False) -> None:
        """Save the rules to a model file, which `treewright.load` reads; compressed if `path` ends in .gz or .zst.

        Parameters
        ----------
        path : str or path
            File to write.
        overwrite : bool, default=False
            Whether an existing file is replaced; otherwise it is an error.

        Examples
        --------
        >>> from treewright import CARTRegressor, load
        >>> from tempfile import TemporaryDirectory
        >>> rules = CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0]).rules()
        >>> with TemporaryDirectory() as folder:
        ...     rules.save(f"{folder}/rules.json")
        ...     load(f"{folder}/rules.json").predict([[0], [9]])
        array([5., 8.])
        """
        from treewright.model.file.model_file import write_model
        from treewright.rules.rule_file import rules_bytes

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
            raise IndexError(f"Rule index {i} is out of range: there are {len(self)} rules.") from None

    def __str__(self) -> str:
        return as_text(self, N_SHOWN)

    def __repr__(self) -> str:
        return f"<RuleSet: {len(self)} rules, {self.form}>"

    def _repr_html_(self) -> str:
        return as_html(self, N_SHOWN)
