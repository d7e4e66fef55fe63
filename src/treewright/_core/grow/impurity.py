"""Stats of branches -> impurity, gain and split information. The one place where they are worked out.

In: `table`, a row of whole numbers for each branch. Classes: the weight of each class. Squared error: the
weight and the sum of y, counted from the node's mean. Absolute error: the weight and twice the sum of |y -
median|. Poisson deviance: the weight and the sum of y, counted from 0. Weights and y are in whole units;
y_unit is the size of y's unit.

A criterion for classes is a function of one branch here, and a line in `impurity_of`. What has a scan of its
own for Gini, entropy or twoing names these codes; every other code takes the paths that call `impurity_of`.
"""

import cython

if not cython.compiled:
    from math import fabs, log1p, log2
    from math import nan as NAN

    from treewright._core.codes import ABSOLUTE_ERROR, ENTROPY, GAIN_TIE, GINI, POISSON, SQUARED_ERROR, TWOING


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weight_of(table: cython.longlong[:, ::1], row: cython.longlong, n_classes: cython.int,
              criterion: cython.int) -> cython.longlong:
    """The weight of one branch."""
    weight: cython.longlong = 0
    k: cython.int
    if criterion == SQUARED_ERROR or criterion == ABSOLUTE_ERROR or criterion == POISSON:
        return table[row, 0]
    for k in range(n_classes):
        weight += table[row, k]
    return weight


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def entropy_of(table: cython.longlong[:, ::1], row: cython.longlong, n_classes: cython.int,
               weight: cython.double) -> cython.double:
    """The entropy in bits of a branch of this weight."""
    total: cython.double = 0.0
    share: cython.double
    k: cython.int
    for k in range(n_classes):
        share = cython.cast(cython.double, table[row, k]) / weight
        if share > 0:
            total -= share * log2(share)
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gini_of(table: cython.longlong[:, ::1], row: cython.longlong, n_classes: cython.int,
            weight: cython.double) -> cython.double:
    """The Gini impurity of a branch of this weight."""
    total: cython.double = 0.0
    share: cython.double
    k: cython.int
    for k in range(n_classes):
        share = cython.cast(cython.double, table[row, k]) / weight
        total += share * (1.0 - share)
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def impurity_of(table: cython.longlong[:, ::1], row: cython.longlong, n_classes: cython.int,
                criterion: cython.int) -> cython.double:
    """The impurity of one branch's class weights, for twoing Gini's; 0 for an empty branch. NaN for a code that has no
    function, which `has_compiled_form` finds before growth starts.
    """
    weight: cython.double = cython.cast(cython.double, weight_of(table, row, n_classes, criterion))
    if weight <= 0:
        return 0.0
    if criterion == ENTROPY:
        return entropy_of(table, row, n_classes, weight)
    if criterion == GINI or criterion == TWOING:
        return gini_of(table, row, n_classes, weight)
    return NAN


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def twoing_of(table: cython.longlong[:, ::1], n_classes: cython.int) -> cython.double:
    """Twoing of two branches: W_L W_R / (4 W^2) (sum |p_L - p_R|)^2."""
    low: cython.double = cython.cast(cython.double, weight_of(table, 0, n_classes, TWOING))
    high: cython.double = cython.cast(cython.double, weight_of(table, 1, n_classes, TWOING))
    apart: cython.double = 0.0
    k: cython.int
    for k in range(n_classes):
        apart += fabs(table[0, k] / low - table[1, k] / high)
    return low / (low + high) * (high / (low + high)) * apart * apart / 4.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gain_of(table: cython.longlong[:, ::1], n_branches: cython.longlong, n_classes: cython.int,
            criterion: cython.int, impurity: cython.double, y_unit: cython.double) -> cython.double:
    """What the split into these branches takes off the node's impurity, per unit of weight."""
    total: cython.double = 0.0
    inner: cython.double = 0.0
    y_sum: cython.double = 0.0
    weight: cython.double
    v: cython.longlong
    if criterion == TWOING:
        return twoing_of(table, n_classes)
    if criterion == POISSON:
        return poisson_gain_of(table, n_branches, y_unit)
    for v in range(n_branches):
        weight = cython.cast(cython.double, weight_of(table, v, n_classes, criterion))
        if weight <= 0:
            continue
        total += weight
        if criterion == SQUARED_ERROR:
            inner += table[v, 1] / weight * table[v, 1]
            y_sum += table[v, 1]
        elif criterion == ABSOLUTE_ERROR:
            inner += table[v, 1]
        else:
            inner += weight * impurity_of(table, v, n_classes, criterion)
    if criterion == SQUARED_ERROR:
        inner -= y_sum / total * y_sum
        return inner / total * y_unit * y_unit if inner > 0 else 0.0
    if criterion == ABSOLUTE_ERROR:
        return impurity - inner / total * (y_unit * 0.5)
    return impurity - inner / total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gain_of_means(low: cython.longlong, moment: cython.longlong, total: cython.longlong, rest: cython.longlong,
                  y_unit: cython.double) -> cython.double:
    """`gain_of` for squared error and two branches, without a table: the weight and the moment of the first one, and
    those of both, counted from the node's mean.
    """
    wl: cython.double = cython.cast(cython.double, low)
    wr: cython.double = cython.cast(cython.double, total - low)
    sl: cython.double = cython.cast(cython.double, moment)
    sr: cython.double = cython.cast(cython.double, rest - moment)
    inner: cython.double = sl / wl * sl + sr / wr * sr - (sl + sr) / (wl + wr) * (sl + sr)
    return inner / (wl + wr) * y_unit * y_unit if inner > 0 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def info_of(table: cython.longlong[:, ::1], n_branches: cython.longlong, n_classes: cython.int,
            criterion: cython.int) -> cython.double:
    """The split information: the entropy of the branch weights."""
    total: cython.double = 0.0
    inner: cython.double = 0.0
    weight: cython.double
    v: cython.longlong
    for v in range(n_branches):
        weight = cython.cast(cython.double, weight_of(table, v, n_classes, criterion))
        total += weight
        if weight > 0:
            inner += weight * log2(weight)
    return log2(total) - inner / total if total > 0 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def centre_of(moment: cython.longlong, weight: cython.longlong) -> cython.longlong:
    """The mean to the unit, rounded towards 0 compiled or not."""
    return moment // weight if moment >= 0 else -(-moment // weight)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mean_of(moment: cython.longlong, weight: cython.longlong) -> cython.double:
    """The mean; equal means give equal floats, which a plain division of large numbers would not promise."""
    whole: cython.longlong = centre_of(moment, weight)
    return (cython.cast(cython.double, whole)
            + cython.cast(cython.double, moment - whole * weight) / cython.cast(cython.double, weight))


SMALL = cython.declare(cython.double, 0.01)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def poisson_loss(t: cython.double) -> cython.double:
    """Half the Poisson deviance of y about a rate r, as a part of r: y log(y / r) - (y - r) for y = (1 + t) r.

    It is t^2 / 2 - t^3 / 6 + t^4 / 12 - ..., which is how it is worked out for a small t: the plain form cancels there.
    """
    if t <= -1.0:
        return 1.0
    if t < -SMALL or t > SMALL:
        return (1.0 + t) * log1p(t) - t
    return t * t * (1.0 / 2 - t * (1.0 / 6 - t * (1.0 / 12 - t * (1.0 / 20 - t * (1.0 / 30 - t * (
        1.0 / 42 - t * (1.0 / 56 - t * (1.0 / 72 - t / 90))))))))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def poisson_gain_of(table: cython.longlong[:, ::1], n_branches: cython.longlong,
                    y_unit: cython.double) -> cython.double:
    """`gain_of` for Poisson deviance: that of the rates of the branches about the rate of the node."""
    weight: cython.longlong = 0
    moment: cython.longlong = 0
    centre: cython.longlong
    v: cython.longlong
    rest: cython.double
    rate: cython.double
    off: cython.double
    inner: cython.double = 0.0
    for v in range(n_branches):
        weight += table[v, 0]
        moment += table[v, 1]
    if moment <= 0:
        return 0.0
    centre = centre_of(moment, weight)
    rest = cython.cast(cython.double, moment - centre * weight) / cython.cast(cython.double, weight)
    rate = cython.cast(cython.double, centre) + rest
    for v in range(n_branches):
        if table[v, 0] > 0:
            off = cython.cast(cython.double, table[v, 1] - centre * table[v, 0]) / cython.cast(
                cython.double, table[v, 0]) - rest
            inner += cython.cast(cython.double, table[v, 0]) * poisson_loss(off / rate)
    return inner * rate / cython.cast(cython.double, weight) * y_unit


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_no_rate(table: cython.longlong[:, ::1], n_branches: cython.longlong) -> cython.bint:
    """Whether the targets of a branch with rows add up to 0: its rate would be 0, which makes any event impossible."""
    v: cython.longlong
    for v in range(n_branches):
        if table[v, 0] > 0 and table[v, 1] <= 0:
            return True
    return False


def has_compiled_form(criterion: cython.int, pair: cython.longlong[:, ::1]) -> bool:
    """Whether growth can compute the criterion of this code; `pair` is the table [[1, 1]]: one row of each of two
    classes, which no impurity calls pure. Criteria of numbers have scans of their own.
    """
    if criterion == SQUARED_ERROR or criterion == ABSOLUTE_ERROR or criterion == POISSON:
        return True
    return impurity_of(pair, 0, 2, criterion) > 0


def impurity_of_counts(table: cython.longlong[:, ::1], criterion: cython.int) -> float:
    """`impurity_of` the first row, for the contract tests."""
    return impurity_of(table, 0, cython.cast(cython.int, table.shape[1]), criterion)


def gain_of_counts(table: cython.longlong[:, ::1], impurity: cython.double, criterion: cython.int) -> float:
    """`gain_of` a whole table of class counts, for the contract tests."""
    return gain_of(table, table.shape[0], cython.cast(cython.int, table.shape[1]), criterion, impurity, 1.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def beats(a: cython.double, b: cython.double, scale: cython.double) -> cython.bint:
    """The tie rule: a beats b when it is larger by more than 1e-11 of the scale.

    The scale is the node's impurity for gains, 1 for gain ratios. What does not beat the earlier cut, subset or
    column does not replace it: the lowest cut wins a tie, then the first column.
    """
    return a > b + GAIN_TIE * scale
