"""Which algorithms are compared: the named ones, and random combinations of all options.

In: a seed. Out: `Options` of the slow grower. `NAMED` holds the named algorithms by what they are called.
"""

from dataclasses import replace
from random import Random

from tests.oracles.options import CART, DESCRIBED, ID3, RELEASE8, TEXTBOOK, Options

GROUPINGS = ("each", "subset", "greedy", "least-loss", "binary")
IN_TWO = ("subset", "binary")

NAMED: dict[str, Options] = {
    "id3": ID3,
    "c45 textbook": TEXTBOOK,
    "c45 textbook gain": replace(TEXTBOOK, merit="decrease"),
    "c45 textbook groups": replace(TEXTBOOK, grouping="greedy"),
    "c45 release8": RELEASE8,
    "c45 release8 gain": replace(RELEASE8, merit="decrease"),
    "c45 release8 groups": replace(RELEASE8, grouping="greedy", wide=None),
    "described in two": DESCRIBED,
    "described groups": replace(DESCRIBED, grouping="least-loss", merit="ratio", floor="average"),
    "cart gini": CART,
    "cart entropy": replace(CART, criterion="entropy"),
    "cart twoing": replace(CART, criterion="twoing"),
    "multiway gini": replace(CART, grouping="each"),
    "cart squared_error": replace(CART, criterion="squared_error"),
    "cart absolute_error": replace(CART, criterion="absolute_error"),
    "multiway squared_error": replace(CART, criterion="squared_error", grouping="each"),
}


def random_limits(rng: Random, options: Options) -> Options:
    """The options with limits drawn anew; an odd minimum of gain is never met exactly."""
    return replace(
        options,
        max_depth=rng.choice([None, None, None, None, 1, 2, 3, 5]),
        min_split=rng.choice([2, 2, 2, 3, 5, 10]),
        min_leaf=rng.choice([1, 1, 1, 1, 2, 3, 5]),
        min_gain=rng.choice([0.0, 0.0, 0.0, 0.0, 0.01371, 0.07113]),
        max_leaves=rng.choice([None, None, None, 2, 3, 5, 9, 14]),
    )


def random_options(seed: object, *, regression: bool) -> Options:
    """A combination of every part; parts that only classes have keep their default in regression.

    >>> random_options(1, regression=True).is_regression
    True
    """
    rng = Random(f"options {seed}")
    if regression:
        options = Options(
            criterion=rng.choice(["squared_error", "absolute_error"]),
            floor=rng.choice(["none", "average"]),
            grouping=rng.choice(["subset", "each", "binary"]),
            threshold=rng.choice(["midpoint", "value"]),
            penalty=rng.choice(["none", "none", "description"]),
            minimum=rng.choice(["rows", "weight"]),
        )
        return random_limits(rng, options)
    criterion = rng.choice(["entropy", "entropy", "gini", "gini", "twoing"])
    options = Options(
        criterion=criterion,
        merit=rng.choice(["decrease", "ratio"]),
        floor=rng.choice(["none", "average", "description"]),
        grouping="subset" if criterion == "twoing" else rng.choice(GROUPINGS),
        threshold=rng.choice(["midpoint", "value"]),
        penalty=rng.choice(["none", "none", "cuts", "description", "description"]),
        side=rng.choice(["leaf", "release8"]),
        minimum=rng.choice(["rows", "weight"]),
        slack=rng.choice([1e-10, 1e-3]),
        min_info=rng.choice([1e-10, 1e-3]),
        wide=rng.choice([None, 0.3]),
        collapse=rng.choice([False, False, True]),
    )
    return random_limits(rng, options)


STRATEGIES = ("fractional", "surrogate", "learned", "branch", "stop")


def allows(options: Options, missing: str) -> bool:
    """Whether a strategy can be used: surrogates need splits in two, twoing exactly two branches, medians are not
    found anew for each branch that missing rows may join."""
    if missing == "surrogate":
        return options.grouping in IN_TWO
    if missing == "learned":
        return options.criterion != "absolute_error" or options.grouping in IN_TWO
    return missing != "branch" or options.criterion != "twoing"


def random_missing(seed: object, *, missing: str, regression: bool) -> Options:
    """A combination of every part that the strategy allows; half of them without limits, so that trees are deep.

    >>> random_missing(1, missing="surrogate", regression=False).grouping
    'subset'
    """
    rng = Random(f"missing {seed}")
    options = random_options(seed, regression=regression)
    if not allows(options, missing):
        change = {"criterion": "gini"} if missing == "branch" else {"grouping": "subset"}
        options = replace(options, **change)
    if rng.random() < 0.5:
        options = replace(options, max_depth=None, min_split=2, min_leaf=1, min_gain=0.0, max_leaves=None)
    return replace(
        options,
        missing=missing,
        info=rng.choice(["known", "all"]),
        max_surrogates=rng.choice([5, 5, 1, 2, 0]),
        surrogates=rng.choice(["needed", "always"]),
    )
