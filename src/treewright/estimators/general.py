"""TreeClassifier and TreeRegressor: every part of the algorithm is a parameter.

In: names of parts. Out: a Plan made of exactly these. ID3, C4.5 and CART are presets of the same parts.
"""

from typing import Any

from treewright.errors import ParameterError, one_of
from treewright.estimators.parameters import switch
from treewright.estimators.tasks import ClassifierTree, RegressorTree
from treewright.grow.plan import (
    CATEGORIES,
    CHARGES,
    FLOORS,
    MERITS,
    MINIMUMS,
    NUMBERS,
    SIDES,
    THRESHOLDS,
    Plan,
)
from treewright.prune import Method

CLASS_CRITERIA = ("gini", "entropy", "twoing")
NUMBER_CRITERIA = ("squared_error", "absolute_error")
NUMBER_CATEGORIES = ("subset", "each")


class TreeClassifier(ClassifierTree):
    """A classification tree whose every part can be chosen.

    Parameters
    ----------
    criterion : {"gini", "entropy", "twoing"}, default="gini"
        What a split improves. "twoing" compares two branches and so needs `categories="subset"`.
    merit : {"decrease", "ratio"}, default="decrease"
        What columns are ranked by: what the split takes off the impurity, or that divided by the split
        information (the entropy of the branch weights).
    floor : {"none", "average"}, default="none"
        Which columns are ranked: all, or those whose decrease is at least the average.
    numeric : {"bisect", "refuse"}, default="bisect"
        Numbers and ordered categories are cut in two at a threshold, or refused with advice.
    categories : {"subset", "each", "group"}, default="subset"
        Categories are split into two subsets, one branch each, or groups merged greedily.
    threshold : {"midpoint", "value"}, default="midpoint"
        The threshold is halfway between two neighbouring values, or the largest training value not above that.
    charge : {"none", "cuts"}, default="none"
        What a number pays for having many cuts: nothing, or log2(cuts) / weight, taken off its decrease.
    side : {"leaf", "release8"}, default="leaf"
        The smallest side of a cut: `min_samples_leaf`, or the larger of it and min(25, 0.1 weight / classes).
    minimum : {"rows", "weight"}, default="rows"
        Whether `min_samples_split` and `min_samples_leaf` count rows or weight.
    collapse : bool, default=False
        Whether a split whose branches make no fewer training errors than the node is taken back after growth.
    max_depth : int or None, default=None
        The most splits on the way to a leaf; None is no limit.
    min_samples_split : int or float, default=2
        A node with less than this is a leaf. Counts what `minimum` says; a float is a share of the table.
    min_samples_leaf : int or float, default=1
        The least that a branch must hold (two of them, where categories have more than two). Counts what
        `minimum` says; a float is a share of the table.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the table's weight that a branch must have, as in scikit-learn.
    min_impurity_decrease : float, default=0.0
        A split is made when decrease * weight of the node / weight of the root is at least this.
    max_leaf_nodes : int or None, default=None
        The most leaves; splits that improve the tree most are made first. None is no limit.
    class_weight : dict, "balanced" or None, default=None
        A factor on the weight of each row by its class.
    categorical_features : "from_dtype", list of names or positions, or dict, default="from_dtype"
        Which columns are categories: those whose type says so, or the ones listed. A dict gives "category", or the
        categories of an ordered column from low to high, by the name or position of the column.
    missing : {"fractional", "surrogate", "learned", "branch", "stop", "error"}, default="fractional"
        Where a missing value goes while the tree grows. "fractional": a share of the row down every branch;
        "surrogate": another column decides; "learned": the branch where it gains most; "branch": a branch of
        its own; "stop": the row stays at the node; "error": a table with one is refused.
    missing_predict : {"fractional", "majority", "stop", "error"} or None, default=None
        Where it goes at prediction; None is the same as in growth. "majority": the heaviest branch; "stop":
        the node that asks for it answers.
    unseen_category : {"missing", "majority", "stop", "error"}, default="missing"
        What a category is at prediction that training never showed: it counts as missing, takes the heaviest
        branch, or ends at the node that asks for it, all with a warning; or it is an error.
    max_surrogates : int, default=5
        The most surrogates of a split that are kept with missing="surrogate".
    surrogates : {"needed", "always"}, default="needed"
        Whether they are looked for when the table has a missing cell, or always: then a tree of a complete
        table knows what to do with missing values too.
    pruning : str, Method or None, default=None
        How the grown tree is pruned: the name of a method ("error_based", "pessimistic", "cost_complexity",
        "reduced_error", "minimum_error", "critical_value", "mdl", "same_decision", "pre_pruning"), one of
        `treewright.prune` with its parameters, or None: the tree stays as it was grown.
    pre_pruning : bool or None, default=None
        Whether growth stops where a split makes no fewer errors on validation rows. None: when there are such
        rows and `pruning` makes no use of them.
    validation_fraction : float or None, default=None
        The share of the table that is held out as validation rows, the same share of every class;
        None: they are given to `fit` as X_val and y_val, or there are none.
    n_jobs : int or None, default=None
        The number of threads: None is one, -1 all cores. The tree is the same for any number.

    Attributes
    ----------
    tree_ : Tree
        The tree that answers, immutable: the grown one, pruned.
    grown_tree_ : Tree
        The tree before it was pruned.
    pruning_report_, pre_pruning_report_ : PruningReport or None
        Every decision of pruning, and of stopping growth, with the two numbers compared; None where nothing was
        asked for.
    classes_, n_classes_ : ndarray, int
        The classes, sorted, and their number. A target of one class gives a tree that is a single leaf.
    n_features_in_, feature_names_in_ : int, ndarray of str
        The number of columns of X, and their names when X has string names.
    feature_importances_ : ndarray
        What the splits of each column gained, and its surrogates in part; the sum is 1.

    Examples
    --------
    A branch for each category, chosen by Gini:

    >>> from treewright import TreeClassifier
    >>> X = [["sunny", "no"], ["sunny", "yes"], ["overcast", "no"], ["rainy", "no"], ["rainy", "yes"]]
    >>> y = ["stay", "stay", "play", "play", "stay"]
    >>> model = TreeClassifier(criterion="gini", categories="each").fit(X, y)
    >>> model.predict([["overcast", "yes"], ["rainy", "yes"]]).tolist()
    ['play', 'stay']

    A row that goes on only as far as it is known; this one not beyond the root:

    >>> model = TreeClassifier(criterion="gini", categories="each", missing="stop")
    >>> model = model.fit([*X, [None, "no"]], [*y, "play"])
    >>> model.predict_proba([[None, None]]).tolist()
    [[0.5, 0.5]]
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        merit: str = "decrease",
        floor: str = "none",
        numeric: str = "bisect",
        categories: str = "subset",
        threshold: str = "midpoint",
        charge: str = "none",
        side: str = "leaf",
        minimum: str = "rows",
        collapse: bool = False,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        missing: str = "fractional",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        max_surrogates: int = 5,
        surrogates: str = "needed",
        pruning: str | Method | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.merit = merit
        self.floor = floor
        self.numeric = numeric
        self.categories = categories
        self.threshold = threshold
        self.charge = charge
        self.side = side
        self.minimum = minimum
        self.collapse = collapse
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.missing = missing
        self.missing_predict = missing_predict
        self.unseen_category = unseen_category
        self.max_surrogates = max_surrogates
        self.surrogates = surrogates
        self.pruning = pruning
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    def plan(self) -> Plan:
        criterion = one_of("criterion", self.criterion, CLASS_CRITERIA)
        category = one_of("categories", self.categories, CATEGORIES)
        if criterion == "twoing" and category != "subset":
            raise ParameterError(
                f"criterion='twoing' compares two branches and cannot be used with categories={category!r}; "
                "set categories='subset' or another criterion."
            )
        return Plan(
            criterion=criterion,
            merit=one_of("merit", self.merit, MERITS),
            floor=one_of("floor", self.floor, FLOORS),
            number=one_of("numeric", self.numeric, NUMBERS),
            category=category,
            threshold=one_of("threshold", self.threshold, THRESHOLDS),
            charge=one_of("charge", self.charge, CHARGES),
            side=one_of("side", self.side, SIDES),
            minimum=one_of("minimum", self.minimum, MINIMUMS),
            collapse=switch("collapse", self.collapse),
            **self._missing_parts(category, criterion),
            limits=self._limits(),
        )


class TreeRegressor(RegressorTree):
    """A regression tree whose every part can be chosen.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        What a split improves. A leaf answers the mean for squared_error, the median for absolute_error.
    numeric : {"bisect", "refuse"}, default="bisect"
        Numbers and ordered categories are cut in two at a threshold, or refused with advice.
    categories : {"subset", "each"}, default="subset"
        Categories are split into two subsets, or one branch each.
    threshold : {"midpoint", "value"}, default="midpoint"
        The threshold is halfway between two neighbouring values, or the largest training value not above that.
    minimum : {"rows", "weight"}, default="rows"
        Whether `min_samples_split` and `min_samples_leaf` count rows or weight.
    max_depth : int or None, default=None
        The most splits on the way to a leaf; None is no limit.
    min_samples_split : int or float, default=2
        A node with less than this is a leaf. Counts what `minimum` says; a float is a share of the table.
    min_samples_leaf : int or float, default=1
        The least that a branch must hold (two of them, where categories have more than two). Counts what
        `minimum` says; a float is a share of the table.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the table's weight that a branch must have, as in scikit-learn.
    min_impurity_decrease : float, default=0.0
        A split is made when decrease * weight of the node / weight of the root is at least this.
    max_leaf_nodes : int or None, default=None
        The most leaves; splits that improve the tree most are made first. None is no limit.
    categorical_features : "from_dtype", list of names or positions, or dict, default="from_dtype"
        Which columns are categories: those whose type says so, or the ones listed. A dict gives "category", or the
        categories of an ordered column from low to high, by the name or position of the column.
    missing : {"fractional", "surrogate", "learned", "branch", "stop", "error"}, default="fractional"
        Where a missing value goes while the tree grows. "fractional": a share of the row down every branch;
        "surrogate": another column decides; "learned": the branch where it gains most; "branch": a branch of
        its own; "stop": the row stays at the node; "error": a table with one is refused.
    missing_predict : {"fractional", "majority", "stop", "error"} or None, default=None
        Where it goes at prediction; None is the same as in growth. "majority": the heaviest branch; "stop":
        the node that asks for it answers.
    unseen_category : {"missing", "majority", "stop", "error"}, default="missing"
        What a category is at prediction that training never showed: it counts as missing, takes the heaviest
        branch, or ends at the node that asks for it, all with a warning; or it is an error.
    max_surrogates : int, default=5
        The most surrogates of a split that are kept with missing="surrogate".
    surrogates : {"needed", "always"}, default="needed"
        Whether they are looked for when the table has a missing cell, or always: then a tree of a complete
        table knows what to do with missing values too.
    pruning : str, Method or None, default=None
        How the grown tree is pruned: the name of a method ("cost_complexity", "reduced_error", "pessimistic",
        "same_decision", "pre_pruning"), one of `treewright.prune` with its parameters, or None: the tree stays
        as it was grown.
    pre_pruning : bool or None, default=None
        Whether growth stops where a split is no closer to validation rows. None: when there are such
        rows and `pruning` makes no use of them.
    validation_fraction : float or None, default=None
        The share of the table that is held out as validation rows, evenly over the target;
        None: they are given to `fit` as X_val and y_val, or there are none.
    n_jobs : int or None, default=None
        The number of threads: None is one, -1 all cores. The tree is the same for any number.

    Attributes
    ----------
    tree_ : Tree
        The tree that answers, immutable: the grown one, pruned.
    grown_tree_ : Tree
        The tree before it was pruned.
    pruning_report_, pre_pruning_report_ : PruningReport or None
        Every decision of pruning, and of stopping growth, with the two numbers compared; None where nothing was
        asked for.
    n_features_in_, feature_names_in_ : int, ndarray of str
        The number of columns of X, and their names when X has string names.
    feature_importances_ : ndarray
        What the splits of each column gained, and its surrogates in part; the sum is 1.

    Examples
    --------
    >>> from treewright import TreeRegressor
    >>> X = [["sunny", 85.0], ["overcast", 83.0], ["rainy", 70.0], ["rainy", 68.0]]
    >>> model = TreeRegressor(categories="each", max_depth=1).fit(X, [10.0, 50.0, 30.0, 40.0])
    >>> model.predict([["rainy", 71.0]]).tolist()
    [35.0]

    Without an outlook, a quarter of 10, a quarter of 50 and half of 35:

    >>> model.predict([[None, 71.0]]).tolist()
    [32.5]
    """

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        numeric: str = "bisect",
        categories: str = "subset",
        threshold: str = "midpoint",
        minimum: str = "rows",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        categorical_features: Any = "from_dtype",
        missing: str = "fractional",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        max_surrogates: int = 5,
        surrogates: str = "needed",
        pruning: str | Method | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.numeric = numeric
        self.categories = categories
        self.threshold = threshold
        self.minimum = minimum
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.categorical_features = categorical_features
        self.missing = missing
        self.missing_predict = missing_predict
        self.unseen_category = unseen_category
        self.max_surrogates = max_surrogates
        self.surrogates = surrogates
        self.pruning = pruning
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    def plan(self) -> Plan:
        criterion = one_of("criterion", self.criterion, NUMBER_CRITERIA)
        category = one_of("categories", self.categories, NUMBER_CATEGORIES)
        return Plan(
            criterion=criterion,
            number=one_of("numeric", self.numeric, NUMBERS),
            category=category,
            threshold=one_of("threshold", self.threshold, THRESHOLDS),
            minimum=one_of("minimum", self.minimum, MINIMUMS),
            **self._missing_parts(category, criterion),
            limits=self._limits(),
        )
