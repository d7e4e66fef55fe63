"""Explanations: the methods of an estimator that explain its tree and its predictions.

They are functions of a fitted estimator, which `BaseTreeEstimator` has as methods. Each gathers what it needs
(the tree, the training rows, how the tree was grown and pruned) and passes it to the package that computes
it: `ledger`, `explain` or `rules`. These are imported on first use, because fitting and predicting do not
need them.
"""

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from numbers import Real
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.dataset import Dataset
from treewright.errors import ParameterError, one_of
from treewright.estimators.fitting import make_regrower
from treewright.estimators.parameters import read_bool, read_integer, resolve_limits
from treewright.estimators.prediction import UNSEEN, encode_explained_rows, encode_rows
from treewright.language import messages

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator
    from treewright.explain.explanation import Explanation
    from treewright.explain.explanation_table import Explanations
    from treewright.explain.importance import Importances
    from treewright.explain.missing_report import MissingReport
    from treewright.explain.stability import Stability
    from treewright.ledger.ledger import Ledger
    from treewright.ledger.lineage import Lineage
    from treewright.ledger.pruning_reason import PruningReason
    from treewright.ledger.record import Entry
    from treewright.ledger.worked import WorkedSolution
    from treewright.rules.rule_prediction import RowReader
    from treewright.rules.ruleset import RuleSet
    from treewright.store.ledgers import Ledgers

PROGRESS_SECONDS = 0.2
"""How often the progress of `stability` is written."""


def why(
    self: "BaseTreeEstimator",
    node: int = 0,
    X: object = None,
    y: object = None,
    *,
    sample_weight: object = None,
    grown: bool = False,
    language: str = "en",
) -> "Ledger":
    """Return why a node splits as it does: the candidates of all columns as growth compared them.

    Parameters
    ----------
    node : int, default=0
        The number of the node in `tree_`; 0 is the root.
    X, y, sample_weight : default=None
        The training rows again, if `fit` did not keep them: a table of more than four million cells, or a
        stored model. A model saved with `ledgers=True` does not need them for the nodes of `tree_`, and a model
        fitted on a source does not need them for the nodes whose counts it keeps.
    grown : bool, default=False
        Whether `node` is a node of `grown_tree_`, the tree before pruning. A loaded model requires the
        training rows for nodes that pruning removed.
    language : {"en", "zh"}, default="en"
        Language of the text.

    Returns
    -------
    Ledger
        Print it, or read its candidates.

    Examples
    --------
    >>> from treewright import C45Classifier
    >>> X = [["sunny", 85], ["sunny", 70], ["rain", 80], ["rain", 75]]
    >>> ledger = C45Classifier(variant="textbook", pruning=None).fit(X, ["no", "yes", "yes", "yes"]).why()
    >>> ledger.chosen.threshold, round(ledger.chosen.gain, 3)
    (82.5, 0.811)
    """
    from treewright.ledger.ledger import Ledger

    messages(language)
    lineage, grown = self._lineage(), read_bool("grown", grown)
    number = (lineage.grown if grown else lineage.tree).node(node).id
    source = number if grown else lineage.source(number)
    stored = stored_ledgers(self) if X is None and y is None and self._kept is None else None
    if stored is not None and stored.grown is lineage.grown and (stored.has(source) or stored is self._counts):
        entry = stored.entry(source)  # counts that were not kept are an error that says so
    else:
        entry = next(_entries(self, self._training_rows(X, y, sample_weight), lineage, [source]))
    lineage = lineage.with_language(language)
    entry = lineage.grown_entry(entry) if grown else lineage.entry_of(number, entry)
    return Ledger(entry, lineage.grown.schema.target.classes, language)


def stored_ledgers(model: "BaseTreeEstimator") -> "Ledgers | None":
    """The ledgers that were loaded, or those of a source, which are computed from its counts."""
    return model._counts if model._ledgers is None else model._ledgers


def _entries(
    model: "BaseTreeEstimator", rows: Dataset, lineage: "Lineage", nodes: Iterable[int]
) -> "Iterator[Entry]":
    """The ledgers of nodes of the grown tree, computed from its rows."""
    from treewright.ledger.entries import entries

    plan, fraction = model._grown_by
    return entries(rows, resolve_limits(plan, rows, fraction), lineage.grown, nodes, lineage)


def all_ledgers(model: "BaseTreeEstimator") -> "Ledgers":
    """The ledgers of all nodes of the tree, to be saved: those that were loaded, or computed from the rows."""
    from treewright.store.ledgers import kept_nodes, ledgers_of

    lineage, stored = model._lineage(), stored_ledgers(model)
    nodes = kept_nodes(lineage).tolist()
    is_whole = stored is not None and (stored is model._counts or all(map(stored.has, nodes)))
    if stored is not None and stored.grown is lineage.grown and is_whole:
        return stored.only(nodes)
    return ledgers_of(lineage.grown, _entries(model, model._training_rows(), lineage, nodes))


def why_pruned(
    self: "BaseTreeEstimator", node: int, *, grown: bool = False, language: str = "en"
) -> "PruningReason":
    """Return why a node was pruned, raised or kept: the lines of the pruning reports about it.

    Parameters
    ----------
    node : int
        The number of the node in `tree_`.
    grown : bool, default=False
        Whether `node` is a node of `grown_tree_`, the tree before pruning.
    language : {"en", "zh"}, default="en"
        Language of the text.

    Examples
    --------
    >>> from treewright import C45Classifier
    >>> X = [["a", 1], ["a", 2], ["b", 1], ["b", 2], ["b", 3], ["a", 3]]
    >>> model = C45Classifier(min_samples_leaf=1).fit(X, ["no", "yes", "yes", "yes", "yes", "yes"])
    >>> print(model.why_pruned(0).decision.verdict)
    pruned
    """
    from treewright.ledger.pruning_reason import why_pruned

    messages(language)
    return why_pruned(self._lineage().with_language(language), node, grown=read_bool("grown", grown))


def worked_solution(
    self: "BaseTreeEstimator",
    node: int = 0,
    X: object = None,
    y: object = None,
    *,
    sample_weight: object = None,
    columns: Sequence[str] | None = None,
    grown: bool = False,
    language: str = "en",
) -> "WorkedSolution":
    """Return the arithmetic of a node as a textbook writes it: impurities, gains, ratios, pruning.

    Parameters
    ----------
    node : int, default=0
        The number of the node in `tree_`; 0 is the root.
    X, y, sample_weight : default=None
        The training rows again, if `fit` did not keep them: a table of more than four million cells, or a
        stored model.
    columns : sequence of str or None, default=None
        Names of the columns to work out. None: all if they are few, otherwise the best ones.
    grown : bool, default=False
        Whether `node` is a node of `grown_tree_`, the tree before pruning.
    language : {"en", "zh"}, default="en"
        Language of the text between the numbers.

    Examples
    --------
    >>> from treewright import ID3Classifier
    >>> X = [["sunny"], ["sunny"], ["rain"], ["rain"], ["rain"]]
    >>> solution = ID3Classifier().fit(X, ["no", "no", "yes", "yes", "no"]).worked_solution()
    >>> solution.to_dict()["sections"][1]["parts"][-1]["formula"]
    'Gain(D, x0) = Ent(D) − Ent(D | x0) = 0.9710 − 0.5510 ≈ 0.4200'
    """
    from treewright.ledger.worked.solution import SolutionRequest, worked_solution

    lineage = self._lineage()
    rows = self._training_rows(X, y, sample_weight)
    plan, fraction = self._grown_by
    request = SolutionRequest(node, read_bool("grown", grown), columns, language, self._pruned_by[0])
    return worked_solution(rows, resolve_limits(plan, rows, fraction), lineage, request)


def explain(
    self: "BaseTreeEstimator",
    row: object,
    *,
    confidence: float = 0.95,
    n_changes: int = 3,
    language: str = "en",
) -> "Explanation | Explanations":
    """Explain the prediction of a row: its path, the training rows in its leaf, and what would change it.

    Unseen categories raise no warning here: the explanation names them.

    Parameters
    ----------
    row : dict, list, tuple, array, pandas Series, or table
        One row, or a table of rows. A dict by column name may leave columns out; a sequence has a value for each
        column.
    confidence : float, default=0.95
        Confidence level of the interval for the prediction of the leaf.
    n_changes : int, default=3
        How many changes of a single value that change the prediction are listed, the smallest ones first.
    language : {"en", "zh"}, default="en"
        Language of the text.

    Returns
    -------
    Explanation or Explanations
        Of one row; print it, or read its fields. Of a table of several rows an `Explanations`, a sequence of them
        that prints as a table; each is made when it is read, so the time grows with the rows that are read.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> X = [[20, "red"], [30, "blue"], [40, "red"], [50, "blue"], [60, "red"]]
    >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "no", "yes", "yes"])
    >>> found = model.explain([42, "blue"])
    >>> found.prediction, found.changes[0].words
    ('no', 'x0 > 45 (now 42)')
    >>> print(model.explain([[42, "blue"], [60, "red"]]))
    row  prediction  probability  path      nearest change
      0  no               100.0%  x0 <= 45  x0 > 45 (now 42) -> yes
      1  yes              100.0%  x0 > 45   x0 <= 45 (now 60) -> no
    """
    from treewright.explain.explanation import TrainingContext, explain
    from treewright.explain.explanation_table import explain_rows

    tree, policy = self._tree(), self._prediction_policy()
    encoded = encode_explained_rows(self, row, policy)
    reports = [report for report in (self.pruning_report_, self.pre_pruning_report_) if report is not None]
    if len(reports) == 2 and reports[0] is reports[1]:  # pre-pruning, and no pruning after it
        reports.pop()
    training = TrainingContext(self._kept, self._column_spread(), self._row_weight, reports)
    explain_some = explain if len(encoded.values) == 1 else explain_rows
    return explain_some(
        tree,
        encoded,
        policy.rule,
        training,
        confidence=_read_confidence(confidence),
        n_changes=read_integer("n_changes", n_changes, low=0),
        language=language,
    )


def _read_confidence(value: object) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < float(value) < 1.0:
        raise ParameterError(f"confidence must be a number above 0 and below 1, got {value!r}.")
    return float(value)


def missing_report(self: "BaseTreeEstimator", X: object, *, language: str = "en") -> "MissingReport":
    """Report how missing values and unseen categories in a table affect the predictions.

    The report says for each column how often it is missing, how many predictions depend on that, how many
    would differ under another strategy, and at which nodes. Print it, or read its fields.

    Parameters
    ----------
    X : array, list of rows, or table of pandas, polars or pyarrow
        Rows with the columns of the training table; also a dict by column name, or a list of them.
    language : {"en", "zh"}, default="en"
        Language of the text.

    Returns
    -------
    MissingReport
        The columns with missing or unseen values, and the nodes that test them.

    Examples
    --------
    >>> from treewright import C45Classifier
    >>> model = C45Classifier(pruning=None).fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> report = model.missing_report([[1.0], [None]])
    >>> [(column.name, column.n_missing, column.n_changed) for column in report.columns]
    [('x0', 1, {'majority': 0, 'stop': 0})]
    """
    from treewright.explain.missing_report import missing_report

    tree, policy = self._tree(), self._prediction_policy()
    encoded = encode_rows(self, X, policy)
    return missing_report(tree, encoded.values, policy.rule, encoded.unseen, policy.unseen, language)


def stability(
    self: "BaseTreeEstimator",
    X: object = None,
    y: object = None,
    n: int = 100,
    *,
    sample_weight: object = None,
    seed: int = 0,
    verbose: bool = False,
    language: str = "en",
) -> "Stability":
    """Estimate how often each split recurs when the tree is grown on bootstrap samples of the training rows.

    Every tree is grown and pruned as this one was. If that was by validation rows, the rows left out of a
    sample take their place.

    Parameters
    ----------
    X, y, sample_weight : default=None
        The training rows again; not required if `fit` kept them.
    n : int, default=100
        Number of bootstrap samples: as many rows as there are, drawn with replacement, each counted once.
    seed : int, default=0
        The same seed gives the same result, whatever the order of the rows.
    verbose : bool, default=False
        Whether the progress is written to stderr.
    language : {"en", "zh"}, default="en"
        Language of the text.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> X, y = [[x, x % 3] for x in range(40)], [x > 15 for x in range(40)]
    >>> report = CARTClassifier().fit(X, y).stability(n=20)
    >>> split = report.splits[0]
    >>> split.column, split.returns, split.cut, split.cuts
    ('x0', 1.0, 15.5, (14.0, 15.5, 16.5))
    """
    from treewright.explain.stability import stability

    tree = self._tree()
    n, seed = read_integer("n", n, low=1), read_integer("seed", seed, low=0)
    tell = _progress(n) if read_bool("verbose", verbose) else lambda _: None
    rows = self._training_rows(X, y, sample_weight)
    return stability(tree, rows, make_regrower(self), n=n, seed=seed, tell=tell, language=language)


def _progress(n: int) -> Callable[[int], None]:
    """Return what writes to stderr how many bootstrap samples are done, on one line."""
    last = [monotonic()]

    def tell(done: int) -> None:
        if done < n and monotonic() - last[0] < PROGRESS_SECONDS:
            return
        last[0] = monotonic()
        sys.stderr.write(f"\rresample {done} of {n}" + ("\n" if done == n else ""))
        sys.stderr.flush()

    return tell


def importances(self: "BaseTreeEstimator", *, language: str = "en") -> "Importances":
    """Return the columns by importance: the total gain of their splits in training, and how many there are.

    The numbers are those of `feature_importances_`. They favour columns with many values; see
    docs/importance.md.

    Parameters
    ----------
    language : {"en", "zh"}, default="en"
        Language of the text.

    Returns
    -------
    Importances
        Print it, or read its fields.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1, 5], [2, 5], [3, 6], [4, 6]], ["a", "a", "b", "a"])
    >>> print(model.importances())
    column  importance  splits
    x0          1.0000       2
    x1          0.0000       0
    """
    from treewright.explain.importance import importances

    return importances(self._tree(), language)


def rules(
    self: "BaseTreeEstimator",
    form: str = "leaves",
    X: object = None,
    y: object = None,
    *,
    sample_weight: object = None,
    confidence: float = 0.25,
    redundancy: float = 1.0,
    polish: bool = True,
    class_order: object = None,
    language: str = "en",
) -> "RuleSet":
    """Return the tree as rules, which can be printed, used for prediction and exported.

    Parameters
    ----------
    form : {"leaves", "generalised"}, default="leaves"
        "leaves": one rule for each leaf of `tree_`, with the tests of a column combined; exactly one of them
        applies to a row. "generalised": the rules that Quinlan's c4.5rules makes of `grown_tree_`: fewer and
        shorter rules, applied in order, with a default class; for classifiers only. The parameters below are
        for this form.
    X, y, sample_weight : default=None
        The training rows again, if `fit` did not keep them. A row of weight 2 counts as two cases; if not all
        weights are integers, they are divided by their mean.
    confidence : float, default=0.25
        Confidence level of the estimated errors; a lower one gives fewer and shorter rules.
    redundancy : float, default=1.0
        Above 1 if several columns carry the same information; makes conditions cheaper.
    polish : bool, default=True
        Whether rules that do more harm than good are removed at the end. c4.5rules prints the rules before
        this step and predicts with those after it.
    class_order : sequence or None, default=None
        All classes in the order in which they are considered; it decides ties and the random choices of the
        search. None is the order of `classes_`; c4.5rules uses that of its names file.
    language : {"en", "zh"}, default="en"
        Language of the printed rules.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> X = [[20, "red"], [30, "blue"], [40, "red"], [50, "blue"], [60, "red"]]
    >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "no", "yes", "yes"])
    >>> for rule in model.rules():
    ...     print(rule, "|", rule.figures())
    x0 <= 45 -> no | support 3 (60.0%), confidence 100.0%, lift 1.67
    x0 > 45 -> yes | support 2 (40.0%), confidence 100.0%, lift 2.50
    """
    from treewright.rules.generalise import GeneraliseOptions, make_generalised_rules, require_classes
    from treewright.rules.leaf_rules import make_leaf_rules
    from treewright.rules.ruleset import FORMS, NO_CONDITION

    tree, policy = self._tree(), self._prediction_policy()
    one_of("form", form, FORMS)
    order = None if class_order is None else _class_codes(class_order, tree.schema.target.classes or ())
    options = GeneraliseOptions(
        confidence, _read_positive("redundancy", redundancy), read_bool("polish", polish), order
    )
    reader, classes = row_reader(self), getattr(self, "classes_", np.zeros(0))
    if form == "leaves":
        return make_leaf_rules(tree, policy.rule, reader, classes, language)
    require_classes(tree)
    training = self._training_rows(X, y, sample_weight)
    unseen = "error" if self.unseen_category == "error" else "mark"
    reader = replace(reader, unseen=unseen, words=NO_CONDITION, complete=False)
    return make_generalised_rules(self.grown_tree_, training, options, reader, classes, language)


def row_reader(model: "BaseTreeEstimator") -> "RowReader":
    """How a rule set, which knows the tree but not the estimator, reads rows."""
    from treewright.rules.rule_prediction import RowReader

    policy, given = model._prediction_policy(), getattr(model, "feature_names_in_", None)
    names = None if given is None else tuple(given.tolist())
    refuses_missing = policy.rule.missing == "error"
    return RowReader(model._tree().schema.columns, names, policy.cells, UNSEEN[policy.unseen], refuses_missing)


def _read_positive(name: str, value: object) -> float:
    if not isinstance(value, int | float | np.number) or isinstance(value, bool) or not 0 < value < np.inf:
        raise ParameterError(f"{name} must be a number above 0, got {value!r}.")
    return float(value)


def _class_codes(given: object, classes: Sequence[object]) -> tuple[int, ...]:
    """The codes of all classes in the order given."""
    labels = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    code_of = {label: code for code, label in enumerate(classes)}
    codes = tuple(code_of[label] for label in labels if isinstance(label, Hashable) and label in code_of)
    if len(labels) != len(classes) or len(set(codes)) != len(classes):
        raise ParameterError(
            f"class_order must have each of the classes {', '.join(map(repr, classes))} once, got {given!r}."
        )
    return codes
