"""Estimated errors of a leaf: rows and training errors -> the errors to be expected on as many new rows.

In: weights in rows, a limit and its confidence. Out: N U_CF(E, N), where U_CF is the upper confidence limit
of the rate behind E errors in N rows: the rate at which E errors or fewer would have a probability of CF. The
one place where it is worked out.
"""

import cython

if not cython.compiled:
    from math import exp, expm1, fabs, lgamma, log, log1p, sqrt

EXACT = cython.declare(cython.int, 0)
RELEASE8 = cython.declare(cython.int, 1)
WEKA = cython.declare(cython.int, 2)
# Weights that were split over branches and added up are a little off where they should be whole.
NEAR = cython.declare(cython.double, 1e-9)
CLOSE = cython.declare(cython.double, 1e-15)
TINY = cython.declare(cython.double, 1e-300)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fraction(a: cython.double, b: cython.double, x: cython.double) -> cython.double:
    """The continued fraction of the incomplete beta function (Lentz); quick for x below (a + 1) / (a + b + 2)."""
    c: cython.double = 1.0
    d: cython.double = 1.0 - (a + b) * x / (a + 1.0)
    found: cython.double
    term: cython.double
    m: cython.int
    step: cython.int
    d = 1.0 / (d if fabs(d) > TINY else TINY)
    found = d
    for m in range(1, 100_000):
        for step in range(2):
            if step == 0:
                term = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
            else:
                term = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
            d = 1.0 + term * d
            d = 1.0 / (d if fabs(d) > TINY else TINY)
            c = 1.0 + term / c
            c = c if fabs(c) > TINY else TINY
            found *= c * d
        if fabs(c * d - 1.0) < CLOSE:
            break
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def beta_cdf(a: cython.double, b: cython.double, x: cython.double, height: cython.double) -> cython.double:
    """The probability of a beta distribution below x; `height` is its density there times x (1 - x)."""
    if x * (a + b + 2.0) < a + 1.0:
        return height * fraction(a, b, x) / a
    return 1.0 - height * fraction(b, a, 1.0 - x) / b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exact_rate(n: cython.double, e: cython.double, confidence: cython.double) -> cython.double:
    """The rate u at which e errors or fewer in n rows have a probability of `confidence`.

    Whole rows: the binomial limit of Clopper and Pearson. It is a quantile of a beta distribution, which goes on
    between whole numbers. Newton's steps, and a halving where one would leave what is still possible.
    """
    low: cython.double = 0.0
    high: cython.double = 1.0
    a: cython.double = e + 1.0
    b: cython.double = n - e
    u: cython.double = (e + 1.0) / (n + 1.0)
    scale: cython.double
    height: cython.double
    off: cython.double
    following: cython.double
    i: cython.int
    if b <= 0.0:
        return 1.0
    scale = lgamma(a + b) - lgamma(a) - lgamma(b)
    for i in range(100):
        height = exp(scale + a * log(u) + b * log1p(-u))
        off = beta_cdf(a, b, u, height) - (1.0 - confidence)
        if off > 0.0:
            high = u
        else:
            low = u
        following = u - off * u * (1.0 - u) / height if height > 0.0 else low
        if not low < following < high:
            following = (low + high) / 2.0
        if fabs(following - u) <= CLOSE * u:
            break
        u = following
    return u


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def normal_extra(
    n: cython.double, e: cython.double, square: cython.double, limit: cython.int
) -> cython.double:
    """What the normal approximation adds to one error or more; `square` is that of its quantile."""
    above: cython.double = e + 0.5
    if above >= n - NEAR:
        if limit == RELEASE8:
            return 0.67 * (n - e)
        return n - e if n > e else 0.0
    return n * (above + square / 2.0 + sqrt(square * (above * (1.0 - above / n) + square / 4.0))) / (n + square) - e


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def estimate(
    n: cython.double, e: cython.double, limit: cython.int, confidence: cython.double, square: cython.double
) -> cython.double:
    """The estimated errors of a leaf with n rows, e of them errors; 0 of an empty one."""
    none: cython.double
    least: cython.double = 0.9999 if limit == RELEASE8 else 1.0 - NEAR
    if n <= 0.0:
        return 0.0
    if e < NEAR:
        e = 0.0
    if limit == EXACT and e > 0.0:
        return n * exact_rate(n, e, confidence)
    if limit != EXACT and e >= least:
        return e + normal_extra(n, e, square, limit)
    none = -n * expm1(log(confidence) / n)
    if e == 0.0:
        return none
    return e + none + e * (normal_extra(n, 1.0, square, limit) - none)


def estimates(
    rows: cython.const[cython.double][::1], errors: cython.const[cython.double][::1], limit: cython.int,
    confidence: cython.double, square: cython.double, out: cython.double[::1],
) -> None:
    """Write the estimated errors of each leaf into `out`."""
    i: cython.longlong
    with cython.nogil:
        for i in range(rows.shape[0]):
            out[i] = estimate(rows[i], errors[i], limit, confidence, square)
