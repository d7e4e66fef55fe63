"""Presets: estimators set to grow and prune as another program does.

In: the options of that program, by its own names. Out: an unfitted estimator. Each docstring lists every difference
that is known; the trees are compared with the program's own by `make golden`.
"""

from typing import Any

from treewright.errors import one_of
from treewright.estimators.scikit_learn import C45Classifier, CARTClassifier, CARTRegressor
from treewright.prune import CostComplexity, ErrorBased

__all__ = ["c45_release8", "j48", "rpart", "scikit_learn"]

TASKS = ("classification", "regression")
METHODS = ("class", "anova")
NO_GAIN = 1e-9
"""rpart makes no split that gains nothing, though a further one below might; the others do."""


def c45_release8(
    *, gain: bool = False, subset: bool = False, min_cases: int = 2, confidence: float = 0.25, **others: Any
) -> C45Classifier:
    """Quinlan's C4.5 Release 8: `c4.5 -u`, before rules are made of its tree.

    gain        option -g: columns are ranked by gain, not by its ratio
    subset      option -s: the values of a column are grouped
    min_cases   option -m: two branches at least must have this weight
    confidence  option -c, as a share: 0.25 is the program's 25
    others      further parameters of C45Classifier

    Known differences:

    - The program computes in 32-bit floats, this in 64-bit: a tie, or a midpoint beside a value of the table, may
      fall the other way. Every tree of the reference sets that differs does so for this reason.
    - Values closer than 1e-5 are one value to the program; here they are two.
    - Shares below 1/256 of a row are not made while the tree grows; the program makes them.
    - With -s, values of almost no weight still count in the gain of the grouped column.
    - With -s, the program leaves categories that cannot come to a node out of its printed subsets.
    - The program's -t (trials on samples) and -w are not offered: there is no chance in this package.

    >>> c45_release8(subset=True).pruning
    ErrorBased(confidence=0.25, limit='release8', raising=True, allowance=0.1)
    """
    return C45Classifier(
        variant="release8",
        criterion="gain" if gain else "gain_ratio",
        grouping="greedy" if subset else "each",
        min_samples_leaf=min_cases,
        pruning=ErrorBased(confidence=confidence, limit="release8"),
        **others,
    )


def j48(
    *,
    confidence: float = 0.25,
    min_cases: int = 2,
    raising: bool = True,
    unpruned: bool = False,
    **others: Any,
) -> C45Classifier:
    """Weka's J48, its C4.5 in Java (compared with version 3.6.14).

    confidence  option -C
    min_cases   option -M
    raising     False is option -S: no branch is raised
    unpruned    True is option -U
    others      further parameters of C45Classifier

    Known differences:

    - Options -B (binary splits of categories), -R (reduced error with Weka's own folds), -A (Laplace) are not part of
      this preset: see `TreeClassifier`, `prune.ReducedError` and its validation rows.
    - Weka draws the folds of -R, and of its cross-validation, by Java's random numbers.
    - Shares below 1/256 of a row are not made while the tree grows; Weka makes them.

    >>> j48(unpruned=True)
    C45Classifier(min_samples_leaf=2, pruning=None, variant='j48')
    """
    return C45Classifier(
        variant="j48",
        min_samples_leaf=min_cases,
        pruning=None if unpruned else ErrorBased(confidence=confidence, limit="weka", raising=raising),
        **others,
    )


def rpart(
    cp: float = 0.01,
    minsplit: int = 20,
    minbucket: int = 7,
    maxdepth: int = 30,
    maxsurrogate: int = 5,
    *,
    method: str = "class",
    **others: Any,
) -> CARTClassifier | CARTRegressor:
    """R's rpart with its usual control (compared with version 4.1.19).

    cp, minsplit, minbucket, maxdepth, maxsurrogate
            as in rpart.control
    method  "class" or "anova"; rpart guesses it from the answers
    others  further parameters of CARTClassifier or CARTRegressor: criterion="entropy" is rpart's "information",
            priors and cost_matrix are the prior and the loss of its parms

    Known differences:

    - Of splits that gain exactly the same, the first column wins here, and the lowest cut; rpart compares in another
      order and rounds sums of squares differently.
    - rpart drops a row that misses every column before it starts; here it goes to the heaviest branch.
    - A category that a node never saw goes to the heaviest branch here; rpart asks the surrogates.
    - rpart works its cp out while it grows, and takes a branch as it is when that becomes a leaf itself, even where the
      node above goes first: now and then a row of its table is another one. It prints 0 for a root that is never split.
      Its table stops at the cp it was given; `pruning_report_.path` goes on to the whole tree.
    - rpart's cross-validated columns (xerror, xstd) come from random folds. `prune.CostComplexity(choose="cv")` has
      folds without chance.
    - Methods "poisson" and "exp", and usesurrogate or surrogatestyle other than the default, are not offered.

    >>> rpart(cp=0.05, method="anova").pruning.cp
    0.05
    """
    kind = CARTClassifier if one_of("method", method, METHODS) == "class" else CARTRegressor
    others.setdefault("min_impurity_decrease", NO_GAIN)
    return kind(
        max_depth=maxdepth,
        min_samples_split=minsplit,
        min_samples_leaf=minbucket,
        missing="surrogate",
        max_surrogates=maxsurrogate,
        surrogates="always",
        pruning=CostComplexity(cp=cp),
        **others,
    )


def scikit_learn(
    *, ccp_alpha: float = 0.0, task: str = "classification", **others: Any
) -> CARTClassifier | CARTRegressor:
    """scikit-learn's DecisionTreeClassifier, or DecisionTreeRegressor (compared with versions 1.6 to 1.9).

    ccp_alpha  as there
    task       "classification" or "regression"
    others     further parameters of CARTClassifier or CARTRegressor; those that scikit-learn has too have its meaning

    Known differences:

    - Of splits that gain exactly the same scikit-learn takes one by chance (`random_state`), here the first column
      wins and the lowest cut.
    - scikit-learn rounds the table to 32-bit floats first, so values that differ by less are one value to it.
    - Categories are split into two subsets; scikit-learn refuses them, or treats codes as numbers.
    - splitter="random", max_features and the criteria "log_loss" (the same tree as "entropy"), "friedman_mse" and
      "poisson" are not offered. Monotonic constraints are not offered yet.
    - Where nothing was missing in training, scikit-learn sends a missing value to the heavier branch, as here; where
      something was, both try each side.

    >>> scikit_learn(ccp_alpha=0.01)
    CARTClassifier(ccp_alpha=0.01, missing='learned')
    """
    kind = CARTClassifier if one_of("task", task, TASKS) == "classification" else CARTRegressor
    return kind(missing="learned", ccp_alpha=ccp_alpha, **others)
