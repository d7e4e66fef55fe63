"""Quality of predicted probabilities: log loss, Brier score and calibration.

The functions take the true classes as codes (the columns of the probabilities, in order) and the predicted
probabilities; `calibration` takes a model and a table instead. A code below 0 is a class that is not in the training
data: it was predicted with probability 0. All figures are weighted by the sample weights.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.target import check_same_length, encode_classes
from treewright.data.weights import read_weight
from treewright.errors import InputError, KindError, ParameterError
from treewright.explain.leaf_probability import proportion_interval
from treewright.language import messages
from treewright.model.formatting import format_category, format_weight, printable, truncate
from treewright.predict.predictions import LEAST_PROBABILITY
from treewright.text_table import Grid, new_frame

N_BINS = 10
"""Default number of bins of equal width."""

EDGE_TOLERANCE = 1e-12
"""A probability this little above the edge of a bin belongs to the lower bin, so that rounding does not decide."""

SUM_TOLERANCE = 1e-6
"""How far probabilities may be outside 0 to 1, or their sum from 1: they may come from single precision."""

MAX_CLASS_NAME = 24
"""Characters of a class name in the table."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The rows whose predicted probability is in one bin.

    Attributes
    ----------
    low, high : float
        Its edges; a probability on an edge is in the lower bin.
    weight : float
        Weight of its rows.
    predicted : float or None
        Mean predicted probability; None for an empty bin.
    observed : float or None
        Proportion of the rows that have the class; None for an empty bin.
    interval : tuple of float or None
        Confidence interval of the observed proportion; None for an empty bin.

    Examples
    --------
    >>> found = reliability(np.array([0.25, 0.75]), np.array([False, True]), bins=2)
    >>> found.bins[1].low, found.bins[1].high, found.bins[1].predicted, found.bins[1].observed
    (0.5, 1.0, 0.75, 1.0)
    """

    low: float
    high: float
    weight: float
    predicted: float | None
    observed: float | None
    interval: tuple[float, float] | None

    @property
    def is_off(self) -> bool:
        """Whether the mean predicted probability is outside the interval, so that chance hardly explains it.

        >>> Bin(0.0, 0.5, 10.0, 0.4, 0.1, (0.01, 0.35)).is_off
        True
        """
        if self.predicted is None or self.interval is None:
            return False
        return not self.interval[0] - 1e-12 <= self.predicted <= self.interval[1] + 1e-12


@dataclass(frozen=True, slots=True)
class Reliability:
    """A reliability table: predicted probabilities in bins, and the proportion observed in each.

    Attributes
    ----------
    bins : tuple of Bin
        All bins, also empty ones.
    error : float
        Expected calibration error: the mean absolute difference of predicted and observed, over the bins by weight
        (Naeini, Cooper and Hauskrecht 2015).
    of : str or None
        The class whose probability it is; None for the predicted class of each row.
    confidence : float
        Confidence of the intervals.
    language : str
        Language of the printed table.

    Examples
    --------
    >>> is_yes = np.array([False, False, True, True])
    >>> print(reliability(np.array([0.1, 0.3, 0.3, 0.9]), is_yes, bins=2, of="yes"))
    probability of yes  rows  predicted  observed  95% interval
    0 to 0.5               3     0.2333    0.3333  0.008 to 0.906
    0.5 to 1               1     0.9000    1.0000  0.025 to 1.000
    expected calibration error: 0.1000
    """

    bins: tuple[Bin, ...]
    error: float
    of: str | None
    confidence: float
    language: str = "en"

    @property
    def weight(self) -> float:
        """Weight of all rows."""
        return sum(one.weight for one in self.bins)

    def to_dict(self) -> dict[str, Any]:
        """Return the table as data that JSON can hold."""
        found = asdict(self)
        del found["language"]
        return found

    def to_frame(self) -> Any:
        """Return the bins as a data frame of pandas, or of polars if pandas is not installed.

        >>> Reliability((Bin(0.0, 1.0, 2.0, 0.5, 0.5, (0.01, 0.99)),), 0.0, "yes", 0.95).to_frame().shape
        (1, 7)
        """
        names = ("low", "high", "weight", "predicted", "observed")
        columns: dict[str, Any] = {name: [getattr(one, name) for one in self.bins] for name in names}
        for i, name in enumerate(("least", "most")):
            columns[name] = [None if one.interval is None else one.interval[i] for one in self.bins]
        return new_frame(columns)

    def __str__(self) -> str:
        return "\n".join(self.grid().lines())

    def _repr_html_(self) -> str:
        return f"<div>{self.grid().html()}</div>"

    def grid(self) -> Grid:
        """Return the printed table, without empty bins.

        >>> found = Reliability((Bin(0.0, 0.5, 8.0, 0.25, 0.25, (0.03, 0.65)), Bin(0.5, 1.0, 0.0, None, None, None)),
        ...     0.0, "yes", 0.95)
        >>> for line in found.grid().lines():
        ...     print(line)
        probability of yes  rows  predicted  observed  95% interval
        0 to 0.5               8     0.2500    0.2500  0.030 to 0.650
        expected calibration error: 0.0000
        """
        _ = messages(self.language)
        if self.of is None:
            first = _("probability of the predicted class")
        else:
            first = _("probability of {name}", name=truncate(printable(self.of), MAX_CLASS_NAME))
        interval = _("{percent}% interval", percent=f"{100 * self.confidence:g}")
        head = [first, _("rows"), _("predicted"), _("observed"), interval]
        rows, any_off = [], False
        for one in self.bins:
            if one.predicted is None or one.observed is None or one.interval is None:
                continue
            around = _("{low} to {high}", low=f"{one.interval[0]:.3f}", high=f"{one.interval[1]:.3f}")
            any_off = any_off or one.is_off
            rows.append(
                [
                    _("{low} to {high}", low=f"{one.low:.4g}", high=f"{one.high:.4g}"),
                    format_weight(one.weight),
                    f"{one.predicted:.4f}",
                    f"{one.observed:.4f}",
                    f"{around} *" if one.is_off else around,
                ]
            )
        below = [_("*: the mean predicted probability is outside the interval")] if any_off else []
        below.append(_("expected calibration error: {error}", error=f"{self.error:.4f}"))
        return Grid(head, rows, [False, True, True, True, False], below)


def log_loss(
    actual: NDArray[Any], probabilities: NDArray[np.float64], weight: NDArray[np.float64] | None = None
) -> float:
    """Return the mean of -ln(probability of the true class); a probability below 1e-15 counts as 1e-15.

    Parameters
    ----------
    actual : ndarray of int of shape (n_rows,)
        Codes of the true classes; below 0 for a class that is not in the training data.
    probabilities : ndarray of shape (n_rows, n_classes)
        Predicted class probabilities.
    weight : ndarray of shape (n_rows,), optional
        Weights of the rows; 1 by default.

    Returns
    -------
    float
        At least 0; smaller is better.

    Examples
    --------
    >>> probabilities = np.array([[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]])
    >>> round(log_loss(np.array([0, 1, 0]), probabilities), 6)  # (ln 2 + ln 4/3 + 0) / 3
    0.326943
    """
    return _mean(log_losses(actual, _check_probabilities(actual, probabilities, weight)), weight)


def brier_score(
    actual: NDArray[Any], probabilities: NDArray[np.float64], weight: NDArray[np.float64] | None = None
) -> float:
    """Return the mean squared difference of the probabilities from 0 and 1 (Brier 1950); smaller is better.

    For two classes it is that of one of them, at most 1; for more it is summed over the classes, at most 2.
    Scikit-learn's `brier_score_loss` uses the same convention.

    Parameters
    ----------
    actual : ndarray of int of shape (n_rows,)
        Codes of the true classes; below 0 for a class that is not in the training data.
    probabilities : ndarray of shape (n_rows, n_classes)
        Predicted class probabilities.
    weight : ndarray of shape (n_rows,), optional
        Weights of the rows; 1 by default.

    Returns
    -------
    float

    Examples
    --------
    >>> brier_score(np.array([1, 0]), np.array([[0.25, 0.75], [0.5, 0.5]]))  # (1/16 + 1/4) / 2
    0.15625
    """
    return _mean(brier_losses(actual, _check_probabilities(actual, probabilities, weight)), weight)


def log_losses(actual: NDArray[Any], probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log loss of each row.

    Parameters
    ----------
    actual : ndarray of int of shape (n_rows,)
        Codes of the true classes; below 0 for a class that is not in the training data.
    probabilities : ndarray of shape (n_rows, n_classes)
        Predicted class probabilities.

    Returns
    -------
    ndarray of shape (n_rows,)

    Examples
    --------
    >>> log_losses(np.array([1, 0, -1]), np.array([[0.0, 1.0], [0.0, 1.0], [0.5, 0.5]])).round(2).tolist()
    [-0.0, 34.54, 34.54]
    """
    return -np.log(np.clip(true_class_probabilities(actual, probabilities), LEAST_PROBABILITY, 1.0))


def brier_losses(actual: NDArray[Any], probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the squared difference of each row's probabilities from 0 and 1; half of it for two classes.

    Parameters
    ----------
    actual : ndarray of int of shape (n_rows,)
        Codes of the true classes; below 0 for a class that is not in the training data.
    probabilities : ndarray of shape (n_rows, n_classes)
        Predicted class probabilities.

    Returns
    -------
    ndarray of shape (n_rows,)

    Examples
    --------
    >>> brier_losses(np.array([1, 0, -1]), np.array([[0.0, 1.0], [0.0, 1.0], [0.5, 0.5]])).tolist()
    [0.0, 1.0, 0.75]
    """
    of_true = true_class_probabilities(actual, probabilities)
    others = np.maximum((probabilities**2).sum(axis=1) - of_true**2, 0.0)
    return ((1.0 - of_true) ** 2 + others) / (2.0 if probabilities.shape[1] <= 2 else 1.0)


def true_class_probabilities(actual: NDArray[Any], probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the predicted probability of each row's true class.

    Parameters
    ----------
    actual : ndarray of int of shape (n_rows,)
        Codes of the true classes; below 0 for a class that is not in the training data.
    probabilities : ndarray of shape (n_rows, n_classes)
        Predicted class probabilities.

    Returns
    -------
    ndarray of shape (n_rows,)
        0 for a class that is not in the training data.

    Examples
    --------
    >>> true_class_probabilities(np.array([1, -1]), np.array([[0.25, 0.75], [0.5, 0.5]])).tolist()
    [0.75, 0.0]
    """
    known = actual >= 0
    codes = np.where(known, actual, 0).astype(np.intp)
    return np.where(known, probabilities[np.arange(len(codes)), codes], 0.0)


def calibration(  # noqa: PLR0913 - a public function, by keywords
    model: Any,
    X: object,
    y: object,
    sample_weight: object = None,
    *,
    of: object = None,
    bins: int | Sequence[float] = N_BINS,
    confidence: float = 0.95,
    language: str = "en",
) -> Reliability:
    """Compare the probabilities that a model predicts with what is observed.

    Parameters
    ----------
    model : estimator, RuleSet or Tree
        Anything with `predict`, `predict_proba` and classes, also a classifier of scikit-learn.
    X, y : table and classes
        Rows that the model was not trained on.
    sample_weight : array-like, optional
        Weights of the rows.
    of : class label, optional
        The class to look at, one against the rest. By default the second of two classes; for more than two classes the
        predicted class of each row.
    bins : int or sequence of float
        Number of bins of equal width, or their edges, rising from 0 to 1.
    confidence : float
        Confidence of the intervals.
    language : {"en", "zh"}
        Language of the printed table.

    Returns
    -------
    Reliability

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> X, y = [[0]] * 4 + [[1]] * 4, ["no", "no", "no", "yes", "yes", "yes", "yes", "no"]
    >>> model = CARTClassifier(pruning=None).fit(X, y)
    >>> [(one.predicted, one.observed) for one in calibration(model, X, y).bins if one.weight]
    [(0.25, 0.25), (0.75, 0.75)]
    """
    messages(language)
    if not hasattr(model, "predict_proba"):
        raise KindError(f"{type(model).__name__} does not predict probabilities; pass a fitted classifier.")
    probabilities = np.asarray(model.predict_proba(X), dtype=np.float64)
    classes = _classes(model)
    actual = _class_codes(y, classes)
    check_same_length(len(probabilities), y=actual)
    weight = read_weight(sample_weight, len(probabilities))
    probabilities = _check_probabilities(actual, probabilities, weight)
    if of is not None or len(classes) == 2:
        label = classes[1] if of is None else of
        if label not in classes:
            raise ParameterError(f"`of` must be one of {', '.join(map(repr, classes))}, got {of!r}.")
        code = classes.index(label)
        name, predicted, is_so = format_category(label), probabilities[:, code], actual == code
    else:
        codes = _class_codes(model.predict(X), classes)
        name, predicted, is_so = None, probabilities[np.arange(len(codes)), codes], actual == codes
    found = reliability(predicted, is_so, weight, bins=bins, confidence=confidence, of=name)
    return replace(found, language=language)


def reliability(
    predicted: NDArray[np.float64],
    came_true: NDArray[np.bool_],
    weight: NDArray[np.float64] | None = None,
    *,
    bins: int | Sequence[float] = N_BINS,
    confidence: float = 0.95,
    of: str | None = None,
) -> Reliability:
    """Sort rows into bins by a predicted probability, and compare each bin with what is observed.

    Weights that are all whole numbers are copies of rows. Other weights do not add rows: the interval is that of
    (sum w)^2 / sum w^2 rows (Kish 1965).

    Parameters
    ----------
    predicted : array of float
        A probability for each row, from 0 to 1.
    came_true : array of bool
        Whether the row has the class.
    weight : array of float, optional
        Weights of the rows.
    bins : int or sequence of float
        Number of bins of equal width, or their edges, rising from 0 to 1. A probability on an edge is in the lower bin.
    confidence : float
        Confidence of the interval around the observed proportion (Clopper and Pearson 1934).
    of : str, optional
        Name of the class; None means the predicted class.

    Returns
    -------
    Reliability

    Examples
    --------
    >>> found = reliability(np.array([0.1, 0.3, 0.3, 0.9]), np.array([False, False, True, True]), bins=2)
    >>> [(one.weight, round(one.predicted, 3), round(one.observed, 3)) for one in found.bins]
    [(3.0, 0.233, 0.333), (1.0, 0.9, 1.0)]
    >>> round(found.error, 3)  # 3/4 * 0.1 + 1/4 * 0.1
    0.1
    """
    if not (isinstance(confidence, int | float) and 0 < confidence < 1):
        raise ParameterError(f"`confidence` must be above 0 and below 1, got {confidence!r}.")
    edges = _bin_edges(bins)
    predicted = np.asarray(predicted, dtype=np.float64)
    came_true = np.asarray(came_true, dtype=np.bool_)
    _check_rows(len(came_true), predicted, weight)
    predicted = np.clip(predicted, 0.0, 1.0)
    counts = np.ones(len(predicted)) if weight is None else np.asarray(weight, dtype=np.float64)
    bin_of = np.searchsorted(edges[1:-1] + EDGE_TOLERANCE, predicted, side="left")
    n = len(edges) - 1
    amounts = (counts, counts**2, counts * predicted, counts * came_true)
    total, squares, sums, true = (np.bincount(bin_of, amount, n).astype(np.float64) for amount in amounts)
    n_rows = total if bool(np.all(counts == np.floor(counts))) else _divide(total**2, squares)
    mean, observed = _divide(sums, total), _divide(true, total)
    found = []
    for i in range(n):
        limits = (float(edges[i]), float(edges[i + 1]))
        if not total[i] > 0:
            found.append(Bin(*limits, 0.0, None, None, None))
            continue
        around = proportion_interval(float(observed[i] * n_rows[i]), float(n_rows[i]), confidence)
        interval = None if around is None else (around.low, around.high)
        found.append(Bin(*limits, float(total[i]), float(mean[i]), float(observed[i]), interval))
    error = float((np.abs(observed - mean) * total).sum() / total.sum())
    return Reliability(tuple(found), error, of, float(confidence))


def default_reliability(
    classes: Sequence[object],
    actual: NDArray[Any],
    predicted: NDArray[Any],
    probabilities: NDArray[np.float64],
    weight: NDArray[np.float64] | None = None,
) -> Reliability:
    """Return the table that reports show by default.

    For two classes it is that of the second; for more that of the predicted class: its probability, and how often the
    prediction is correct (Guo and others 2017).

    Parameters
    ----------
    classes : sequence
        Class labels in the order of the codes.
    actual : ndarray of int of shape (n_rows,)
        Codes of the true classes; below 0 for a class that is not in the training data.
    predicted : ndarray of int of shape (n_rows,)
        Codes of the predicted classes.
    probabilities : ndarray of shape (n_rows, n_classes)
        Predicted class probabilities.
    weight : ndarray of shape (n_rows,), optional
        Weights of the rows; 1 by default.

    Returns
    -------
    Reliability

    Examples
    --------
    >>> probabilities = np.array([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3]])
    >>> found = default_reliability(("a", "b", "c"), np.array([0, 2]), np.array([0, 1]), probabilities)
    >>> [(one.predicted, one.observed) for one in found.bins if one.weight]
    [(0.5, 0.0), (0.8, 1.0)]
    """
    if len(classes) == 2:
        return reliability(probabilities[:, 1], actual == 1, weight, of=format_category(classes[1]))
    of_predicted = probabilities[np.arange(len(predicted)), np.asarray(predicted, dtype=np.intp)]
    return reliability(of_predicted, actual == predicted, weight)


def _classes(model: Any) -> tuple[Any, ...]:
    """Return the classes in the order of the probabilities: of an estimator, of rules, of a tree."""
    for name in ("classes_", "classes"):
        if hasattr(model, name):
            return tuple(np.asarray(getattr(model, name)).tolist())
    return tuple(model.schema.target.classes)


def _class_codes(labels: object, classes: Sequence[Any]) -> NDArray[np.intp]:
    """Return the codes of labels; -1 for a label that is not among the classes."""
    code_of = {label: code for code, label in enumerate(classes)}
    target, codes = encode_classes(labels)
    return np.array([code_of.get(label, -1) for label in target.classes or ()], dtype=np.intp)[codes]


def _bin_edges(bins: int | Sequence[float]) -> NDArray[np.float64]:
    if isinstance(bins, int | np.integer) and not isinstance(bins, bool):
        if bins >= 1:
            return np.arange(int(bins) + 1) / int(bins)
    elif not isinstance(bins, bool | str) and np.ndim(bins) == 1 and len(bins) > 1:
        edges = np.asarray(bins, dtype=np.float64)
        if edges[0] == 0.0 and edges[-1] == 1.0 and bool(np.all(np.diff(edges) > 0)):
            return edges
    raise ParameterError(
        f"`bins` must be an integer of at least 1, or increasing edges from 0 to 1, got {bins!r}."
    )


def _check_probabilities(
    actual: NDArray[Any], probabilities: NDArray[np.float64], weight: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return the probabilities as float64 if they are probabilities of all classes."""
    probabilities = np.asarray(probabilities, dtype=np.float64)
    if probabilities.ndim != 2 or not probabilities.shape[1]:
        raise InputError(
            f"The probabilities must have one column for each class, got an array of shape {probabilities.shape}."
        )
    _check_rows(len(actual), probabilities, weight)
    top, n_classes = int(np.max(actual)), probabilities.shape[1]
    if top >= n_classes:
        raise InputError(f"Class code {top} is too large for probabilities of {n_classes} classes.")
    sums = probabilities.sum(axis=1)
    wrong = np.abs(sums - 1.0) > SUM_TOLERANCE
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(f"The probabilities of each row must add up to 1, got {sums[row]:.6g} in row {row}.")
    return probabilities


def _check_rows(n_rows: int, probabilities: NDArray[np.float64], weight: NDArray[np.float64] | None) -> None:
    if len(probabilities) != n_rows or (weight is not None and len(weight) != n_rows):
        n_weights = "" if weight is None else f" and {len(weight)} weights"
        raise InputError(
            f"Expected one probability for each of {n_rows} rows, got {len(probabilities)}{n_weights}."
        )
    if not n_rows or (weight is not None and not np.any(weight)):
        raise InputError("There are no labelled rows with a weight above 0; pass a table that has some.")
    wrong = ~((probabilities >= -SUM_TOLERANCE) & (probabilities <= 1.0 + SUM_TOLERANCE))
    if wrong.any():
        raise InputError(f"Probabilities must be between 0 and 1, got {probabilities[wrong][0]}.")


def _mean(losses: NDArray[np.float64], weight: NDArray[np.float64] | None) -> float:
    return float(np.average(losses, weights=weight))


def _divide(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide, with 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
