"""Calibration: how good the shares are that a model gives to classes.

In: what rows really are, by codes of classes, and the share each class was given; or a model and rows. Out: the log
loss, the Brier score, and a `Reliability`: rows in bins by the share they were given, with how often it came true.
A code below 0 is a class that training never showed, which was given no share. Everything counts by weight.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.target import encode_classes, same_length
from treewright.data.weights import read_weight
from treewright.errors import InputError, KindError, ParameterError
from treewright.evaluate.reliability import Bin, Reliability
from treewright.explain.interval import share_interval
from treewright.model.words import category_words
from treewright.predict.answers import LEAST_SHARE

N_BINS = 10
"""Bins of shares, equally wide."""

ON_THE_EDGE = 1e-12
"""A share so little above the edge of a bin is on it: rounding does not decide where it is counted."""

ROUNDED = 1e-6
"""How far shares may be outside 0 to 1, or add up to something else than 1: they may come from single precision."""


def log_loss(actual: NDArray[Any], shares: NDArray[np.float64], weight: NDArray[np.float64] | None = None) -> float:
    """The mean of -ln(share of the right class); a share below 1e-15 counts as 1e-15.

    >>> shares = np.array([[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]])
    >>> round(log_loss(np.array([0, 1, 0]), shares), 6)  # (ln 2 + ln 4/3 + 0) / 3
    0.326943
    """
    return _mean(log_losses(actual, _checked(actual, shares, weight)), weight)


def brier_score(actual: NDArray[Any], shares: NDArray[np.float64], weight: NDArray[np.float64] | None = None) -> float:
    """The mean squared distance of the shares from what came true (Brier 1950), from 0 on; smaller is better.

    Of two classes it is that of the share of one of them, at most 1; of more it is summed over the classes, at most 2.
    Scikit-learn's `brier_score_loss` counts the same way.

    >>> brier_score(np.array([1, 0]), np.array([[0.25, 0.75], [0.5, 0.5]]))  # (1/16 + 1/4) / 2
    0.15625
    """
    return _mean(brier_losses(actual, _checked(actual, shares, weight)), weight)


def log_losses(actual: NDArray[Any], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithmic loss of each row.

    >>> log_losses(np.array([1, 0, -1]), np.array([[0.0, 1.0], [0.0, 1.0], [0.5, 0.5]])).round(2).tolist()
    [-0.0, 34.54, 34.54]
    """
    return -np.log(np.clip(right_shares(actual, shares), LEAST_SHARE, 1.0))


def brier_losses(actual: NDArray[Any], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The squared distance of each row's shares from what it is; half of it where there are two classes.

    >>> brier_losses(np.array([1, 0, -1]), np.array([[0.0, 1.0], [0.0, 1.0], [0.5, 0.5]])).tolist()
    [0.0, 1.0, 0.75]
    """
    right = right_shares(actual, shares)
    others = np.maximum((shares**2).sum(axis=1) - right**2, 0.0)
    return ((1.0 - right) ** 2 + others) / (2.0 if shares.shape[1] <= 2 else 1.0)


def right_shares(actual: NDArray[Any], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share that the class of each row was given.

    >>> right_shares(np.array([1, -1]), np.array([[0.25, 0.75], [0.5, 0.5]])).tolist()
    [0.75, 0.0]
    """
    known = actual >= 0
    codes = np.where(known, actual, 0).astype(np.intp)
    return np.where(known, shares[np.arange(len(codes)), codes], 0.0)


def reliability(
    predicted: NDArray[np.float64],
    came_true: NDArray[np.bool_],
    weight: NDArray[np.float64] | None = None,
    *,
    bins: int | Sequence[float] = N_BINS,
    confidence: float = 0.95,
    of: str | None = None,
) -> Reliability:
    """Rows in bins by the share that was predicted, and how often it came true in each.

    predicted   a share for each row, from 0 to 1
    came_true   whether it did
    bins        how many, equally wide; or their edges, rising from 0 to 1. A share on an edge is in the lower bin
    confidence  of the interval around what was observed (Clopper and Pearson 1934)
    of          the class whose share it is, in words; None: the class that was answered

    Weights that are all whole are copies of rows; others make no more rows than there are, and the interval is as wide
    as that of (sum w)^2 / sum w^2 rows (Kish 1965).

    >>> found = reliability(np.array([0.1, 0.3, 0.3, 0.9]), np.array([False, False, True, True]), bins=2)
    >>> [(one.weight, round(one.predicted, 3), round(one.observed, 3)) for one in found.bins]
    [(3.0, 0.233, 0.333), (1.0, 0.9, 1.0)]
    >>> round(found.error, 3)  # 3/4 * 0.1 + 1/4 * 0.1
    0.1
    """
    if not (isinstance(confidence, int | float) and 0 < confidence < 1):
        raise ParameterError(f"confidence={confidence!r} cannot be used; give a number between 0 and 1.")
    edges = _edges(bins)
    predicted = np.asarray(predicted, dtype=np.float64)
    came_true = np.asarray(came_true, dtype=np.bool_)
    _refuse_odd(len(came_true), predicted, weight)
    predicted = np.clip(predicted, 0.0, 1.0)
    counts = np.ones(len(predicted)) if weight is None else np.asarray(weight, dtype=np.float64)
    place = np.searchsorted(edges[1:-1] + ON_THE_EDGE, predicted, side="left")
    n = len(edges) - 1
    amounts = (counts, counts**2, counts * predicted, counts * came_true)
    total, squares, said, true = (np.bincount(place, amount, n).astype(np.float64) for amount in amounts)
    n_rows = total if bool(np.all(counts == np.floor(counts))) else _parts(total**2, squares)
    mean, observed = _parts(said, total), _parts(true, total)
    found = []
    for i in range(n):
        limits = (float(edges[i]), float(edges[i + 1]))
        if not total[i] > 0:
            found.append(Bin(*limits, 0.0, None, None, None))
            continue
        around = share_interval(float(observed[i] * n_rows[i]), float(n_rows[i]), confidence)
        interval = None if around is None else (around.low, around.high)
        found.append(Bin(*limits, float(total[i]), float(mean[i]), float(observed[i]), interval))
    error = float((np.abs(observed - mean) * total).sum() / total.sum())
    return Reliability(tuple(found), error, of, float(confidence))


def usual_reliability(
    classes: Sequence[object],
    actual: NDArray[Any],
    answered: NDArray[Any],
    shares: NDArray[np.float64],
    weight: NDArray[np.float64] | None = None,
) -> Reliability:
    """The table that is shown unless another is asked for.

    Of two classes it is that of the second one: the first has the rest. Of more it is that of the answers: the share
    that the answered class was given, and how often the answer is right (Guo and others 2017).

    >>> shares = np.array([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3]])
    >>> found = usual_reliability(("a", "b", "c"), np.array([0, 2]), np.array([0, 1]), shares)
    >>> [(one.predicted, one.observed) for one in found.bins if one.weight]
    [(0.5, 0.0), (0.8, 1.0)]
    """
    if len(classes) == 2:
        return reliability(shares[:, 1], actual == 1, weight, of=category_words(classes[1]))
    sure = shares[np.arange(len(answered)), np.asarray(answered, dtype=np.intp)]
    return reliability(sure, actual == answered, weight)


def calibration(
    model: Any,
    X: object,
    y: object,
    sample_weight: object = None,
    *,
    of: object = None,
    bins: int | Sequence[float] = N_BINS,
    confidence: float = 0.95,
) -> Reliability:
    """How often the shares that a model gives come true on rows.

    model  what has `predict`, `predict_proba` and classes: an estimator, a rule set, a tree
    of     the class whose share is looked at, one against the rest; None: of two classes the second, of more the one
           that is answered

    >>> from treewright import CARTClassifier
    >>> X, y = [[0]] * 4 + [[1]] * 4, ["no", "no", "no", "yes", "yes", "yes", "yes", "no"]
    >>> model = CARTClassifier(pruning=None).fit(X, y)
    >>> [(one.predicted, one.observed) for one in calibration(model, X, y).bins if one.weight]
    [(0.25, 0.25), (0.75, 0.75)]
    """
    if not hasattr(model, "predict_proba"):
        raise KindError(f"A {type(model).__name__} gives no shares; give a fitted classifier.")
    shares = np.asarray(model.predict_proba(X), dtype=np.float64)
    classes = _classes(model)
    actual = _codes(y, classes)
    same_length(len(shares), y=actual)
    weight = read_weight(sample_weight, len(shares))
    shares = _checked(actual, shares, weight)
    how: dict[str, Any] = {"bins": bins, "confidence": confidence}
    if of is not None or len(classes) == 2:
        name = classes[1] if of is None else of
        if name not in classes:
            raise ParameterError(f"of={of!r} is no class; choose one of {', '.join(map(repr, classes))}.")
        code = classes.index(name)
        return reliability(shares[:, code], actual == code, weight, of=category_words(name), **how)
    answered = _codes(model.predict(X), classes)
    return reliability(shares[np.arange(len(shares)), answered], actual == answered, weight, **how)


def _classes(model: Any) -> tuple[Any, ...]:
    """The classes in the order of the shares: of an estimator, of rules, of a tree."""
    for name in ("classes_", "classes"):
        if hasattr(model, name):
            return tuple(np.asarray(getattr(model, name)).tolist())
    return tuple(model.schema.target.classes)


def _codes(labels: object, classes: Sequence[Any]) -> NDArray[np.intp]:
    """The codes of labels; -1 for a class that is not among them."""
    place = {label: code for code, label in enumerate(classes)}
    target, codes = encode_classes(labels)
    return np.array([place.get(label, -1) for label in target.classes or ()], dtype=np.intp)[codes]


def _edges(bins: int | Sequence[float]) -> NDArray[np.float64]:
    if isinstance(bins, int | np.integer) and not isinstance(bins, bool):
        if bins >= 1:
            return np.arange(int(bins) + 1) / int(bins)
    elif not isinstance(bins, bool | str) and np.ndim(bins) == 1 and len(bins) > 1:
        edges = np.asarray(bins, dtype=np.float64)
        if edges[0] == 0.0 and edges[-1] == 1.0 and bool(np.all(np.diff(edges) > 0)):
            return edges
    raise ParameterError(f"bins={bins!r} cannot be used; give a whole number from 1 on, or edges from 0 up to 1.")


def _checked(
    actual: NDArray[Any], shares: NDArray[np.float64], weight: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """The shares as float64, once they are known to be shares."""
    shares = np.asarray(shares, dtype=np.float64)
    if shares.ndim != 2 or not shares.shape[1]:
        raise InputError(f"The shares have the shape {shares.shape}; give a column for each class.")
    _refuse_odd(len(actual), shares, weight)
    top = int(np.max(actual))
    if top >= shares.shape[1]:
        raise InputError(f"A row has the class of code {top}, but shares are given for {shares.shape[1]} classes.")
    sums = shares.sum(axis=1)
    odd = np.abs(sums - 1.0) > ROUNDED
    if odd.any():
        row = int(odd.argmax())
        raise InputError(f"The shares of row {row} add up to {sums[row]:.6g}; give shares that add up to 1.")
    return shares


def _refuse_odd(n_rows: int, shares: NDArray[np.float64], weight: NDArray[np.float64] | None) -> None:
    if len(shares) != n_rows or (weight is not None and len(weight) != n_rows):
        raise InputError(f"There are {n_rows} answers and {len(shares)} shares; give as many shares, and weights.")
    if not n_rows or (weight is not None and not np.any(weight)):
        raise InputError("There is no row with an answer and a weight to compare with; give a table that has some.")
    odd = ~((shares >= -ROUNDED) & (shares <= 1.0 + ROUNDED))
    if odd.any():
        raise InputError(f"{shares[odd][0]} is given as a share; a share is a number from 0 to 1.")


def _mean(losses: NDArray[np.float64], weight: NDArray[np.float64] | None) -> float:
    return float(np.average(losses, weights=weight))


def _parts(some: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(some, whole, out=np.zeros(len(some)), where=whole > 0)
