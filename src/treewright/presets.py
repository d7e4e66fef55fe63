"""Presets: estimators with the parameters that make them grow and prune as another program does.

The parameters of a preset are the options of that program, by its own names. Each docstring lists every known
difference; `make golden` compares the trees with those of the program.
"""

from typing import Any

from treewright.errors import one_of
from treewright.estimators.scikit_learn import C45Classifier, CARTClassifier, CARTRegressor
from treewright.prune import CostComplexity, ErrorBased

__all__ = ["c45_release8", "j48", "rpart", "scikit_learn"]

TASKS = ("classification", "regression")
METHODS = ("class", "anova", "poisson")
NO_GAIN = 1e-9
"""rpart does not split if nothing is gained, even if a split below would gain something; the others do."""


def c45_release8(
    *, gain: bool = False, subset: bool = False, min_cases: int = 2, confidence: float = 0.25, **others: Any
) -> C45Classifier:
    """Quinlan's C4.5 Release 8: `c4.5 -u`, before rules are made of its tree.

    Parameters
    ----------
    gain : bool, default=False
        Option -g: columns are ranked by gain instead of gain ratio.
    subset : bool, default=False
        Option -s: the values of a column are grouped.
    min_cases : int, default=2
        Option -m: at least two branches must have this weight.
    confidence : float, default=0.25
        Option -c as a fraction: 0.25 is the program's 25.
    **others
        Further parameters of C45Classifier.

    Notes
    -----
    Known differences:

    - The program computes in 32-bit floats, this package in 64-bit: a tie, or a midpoint next to a value of the table,
      may be decided differently. Every tree of the reference data sets that differs does so for this reason.
    - Values closer than 1e-5 are one value to the program; here they are two.
    - Fractions of a row below 1/256 are not made during growth; the program makes them.
    - With -s, values of almost no weight still count in the gain of the grouped column.
    - With -s, the program leaves categories that cannot reach a node out of its printed subsets.
    - The options -t (trials on samples) and -w are not available: this package makes no random choices.

    Examples
    --------
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

    Parameters
    ----------
    confidence : float, default=0.25
        Option -C.
    min_cases : int, default=2
        Option -M.
    raising : bool, default=True
        False is option -S: no subtree raising.
    unpruned : bool, default=False
        True is option -U.
    **others
        Further parameters of C45Classifier.

    Notes
    -----
    Known differences:

    - Options -B (binary splits of categories), -R (reduced error with Weka's own folds), -A (Laplace) are not part of
      this preset: see `TreeClassifier`, and `prune.ReducedError` with validation rows.
    - Weka draws the folds of -R, and of its cross-validation, with Java's random numbers.
    - Fractions of a row below 1/256 are not made during growth; Weka makes them.

    Examples
    --------
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
    """R's rpart with its default control (compared with version 4.1.19).

    Parameters
    ----------
    cp, minsplit, minbucket, maxdepth, maxsurrogate
        As in rpart.control.
    method : {"class", "anova", "poisson"}, default="class"
        Classification, regression, or regression of numbers of events; rpart derives it from the target. For rpart's
        target cbind(exposure, events) pass events / exposure as y, and the exposure as `sample_weight`.
    **others
        Further parameters of CARTClassifier or CARTRegressor: criterion="entropy" is rpart's "information", priors and
        cost_matrix are the prior and the loss of its parms.

    Notes
    -----
    Known differences:

    - Among splits with exactly the same gain, the first column and the lowest threshold win here; rpart compares in
      another order and rounds sums of squares differently.
    - rpart drops a row in which every column is missing; here it goes to the branch of largest weight.
    - A category that did not occur in a node goes to the branch of largest weight here; rpart uses the surrogates.
    - rpart computes cp during growth, and uses the value of a branch when that becomes a leaf itself, even if the node
      above it is pruned first: a row of its table differs now and then. It prints 0 for a root that is never split. Its
      table stops at the given cp; `pruning_report_.path` continues to the whole tree.
    - rpart's cross-validated columns (xerror, xstd) come from random folds. The folds of
      `prune.CostComplexity(choose="cv")` are always the same.
    - Method "poisson": a leaf predicts events / exposure. rpart shrinks that rate towards the rate r of the root, to
      (a + events) / (a / r + exposure) with a = 1 / shrink^2 (shrink = 1 by default), and its deviances, and so cp, are
      about the shrunk rates. A branch without any event is possible in rpart, not here.
    - Method "exp", and usesurrogate or surrogatestyle other than the default, are not available.

    Examples
    --------
    >>> rpart(cp=0.05, method="anova").pruning.cp
    0.05
    """
    kind = CARTClassifier if one_of("method", method, METHODS) == "class" else CARTRegressor
    others.setdefault("min_impurity_decrease", NO_GAIN)
    if method == "poisson":
        others.setdefault("criterion", "poisson")
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

    Parameters
    ----------
    ccp_alpha : float, default=0.0
        As in scikit-learn.
    task : {"classification", "regression"}, default="classification"
        Which of the two.
    **others
        Further parameters of CARTClassifier or CARTRegressor; those of scikit-learn have the same meaning.

    Notes
    -----
    Known differences:

    - Among splits with exactly the same gain, scikit-learn chooses at random (`random_state`); here the first column
      and the lowest threshold win.
    - scikit-learn rounds the table to 32-bit floats first, so values that differ by less are one value to it.
    - Categories are split into two subsets; scikit-learn refuses them, or treats codes as numbers.
    - criterion="poisson" with fractional weights: scikit-learn may see a rounding error as a rate above 0, choose a
      branch without events for it, and then not split the node at all.
    - splitter="random" and max_features are not available.
    - If nothing was missing in training, a missing value goes to the branch of larger weight, as in scikit-learn;
      otherwise both try each side.

    Examples
    --------
    >>> scikit_learn(ccp_alpha=0.01)
    CARTClassifier(ccp_alpha=0.01, missing='learned')
    """
    kind = CARTClassifier if one_of("task", task, TASKS) == "classification" else CARTRegressor
    return kind(missing="learned", ccp_alpha=ccp_alpha, **others)
