"""CARTClassifier and CARTRegressor: Breiman, Friedman, Olshen and Stone (1984) as presets.

In: the criterion and the limits of growth. Out: a Plan of binary splits: thresholds for numbers, two subsets for
categories.
"""

from collections.abc import Sequence
from typing import Any

from treewright.criteria.registry import CLASS_CRITERIA, NUMBER_CRITERIA
from treewright.errors import one_of
from treewright.estimators.parameters import bins_or_none
from treewright.estimators.remembering import by_parameters
from treewright.estimators.tasks import ClassifierTree, RegressorTree
from treewright.grow.plan import Plan
from treewright.prune.method import Method


class CARTClassifier(ClassifierTree):
    """CART for classes: every split has two branches.

    On numbers this is the tree of scikit-learn's DecisionTreeClassifier, without its dependence on a seed.
    Categories are split into the best two subsets. Where a value is missing, another column decides: a surrogate.

    Parameters
    ----------
    criterion : str, default="gini"
        What a split improves: "gini", "entropy", "twoing" or another criterion of classes in
        `treewright.criteria.CRITERIA`.
    max_depth : int or None, default=None
        The most splits on the way to a leaf; None is no limit.
    min_samples_split : int or float, default=2
        A node with fewer rows is a leaf. Counts rows; a float is a share of the table's rows.
    min_samples_leaf : int or float, default=1
        Both branches must hold this many rows. Counts rows; a float is a share of the table's rows.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the table's weight that a branch must have, as in scikit-learn.
    min_impurity_decrease : float, default=0.0
        A split is made when decrease * weight of the node / weight of the root is at least this.
    max_leaf_nodes : int or None, default=None
        The most leaves; splits that improve the tree most are made first. None is no limit.
    class_weight : dict, "balanced" or None, default=None
        A factor on the weight of each row by its class.
    cost_matrix : array, dict, pandas frame or None, default=None
        What an answer costs: a row for each true class and a column for each answered one, in the order of
        `classes_`, or {true: {answered: cost}}, where what is left out costs 0 for the right answer and 1 for a
        wrong one. Rows weigh in growth and pruning by what their wrong answers cost, and `predict` gives the
        answer of least expected cost.
    priors : "equal", dict, array or None, default=None
        The share that each class has where the tree is to be used, by class or in the order of `classes_`, in
        any unit; None: that of the training table. Takes the place of `class_weight`.
    categorical_features : "from_dtype", list of names or positions, or dict, default="from_dtype"
        Which columns are categories: those whose type says so, or the ones listed. A dict gives "category", or the
        categories of an ordered column from low to high, by the name or position of the column.
    missing : {"surrogate", "fractional", "learned", "branch", "stop", "error"}, default="surrogate"
        Where a missing value goes while the tree grows. "surrogate": another column decides; "fractional": a
        share of the row down every branch; "learned": the branch where it gains most; "branch": a branch of
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
    probability : {"frequency", "laplace", "m-estimate", "shrinkage"}, default="frequency"
        How the class weights of a leaf become probabilities: their shares; with one more row of each class; with
        `smoothing` more rows in the shares of the whole table; or drawn towards the nodes above (hierarchical
        shrinkage).
    smoothing : float or None, default=None
        How many rows are added for "m-estimate" (None: 2), or lambda of "shrinkage" (None: chosen by 5-fold
        cross-validation); None for the others.
    monotonic_cst : dict, array-like of int or None, default=None
        The columns that the answers must rise with (1) or fall with (-1), by name or position in a dict, or one
        entry for each column, with 0 for the others. The answer is the probability of the second of two classes.
        See docs/monotonic.md.
    max_bins : int or None, default=None
        Numbers with more different values than this, 2 to 255, are drawn together into so many bins of about as many
        rows before the tree grows: faster, and nearly as good. None keeps all values. See docs/bins.md.
    pruning : str, Method, sequence or None, default="cost_complexity"
        How the grown tree is pruned: the name of a method ("error_based", "pessimistic", "cost_complexity",
        "reduced_error", "minimum_error", "critical_value", "mdl", "global", "same_decision",
        "pre_pruning"), one of `treewright.prune` with its parameters, a list of these to be applied one after the
        other (or their names joined by +), or None: the tree stays as it was grown. The default
        grows ten more trees on nine tenths of the rows, and takes the smallest tree within a standard error of
        the best.
    ccp_alpha : float or None, default=None
        As in scikit-learn: prune what saves less impurity for each leaf than this; 0 prunes nothing. Stands in
        for `pruning`; None leaves it to that.
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
    smoothing_ : float
        How many rows the probabilities are smoothed by; 0 for "frequency" and "laplace".
    n_features_in_, feature_names_in_ : int, ndarray of str
        The number of columns of X, and their names when X has string names.
    feature_importances_ : ndarray
        What the splits of each column gained, and its surrogates in part; the sum is 1.

    Examples
    --------
    Some days of the golf table, outlook and humidity. So few rows prove nothing, so the tree is left as it grows:

    >>> from treewright import CARTClassifier
    >>> X = [["sunny", 85], ["sunny", 90], ["overcast", 86], ["rainy", 96], ["rainy", 80], ["sunny", 70]]
    >>> y = ["stay", "stay", "play", "play", "play", "play"]
    >>> model = CARTClassifier(pruning=None).fit(X, y)
    >>> model.predict([["sunny", 88], ["overcast", 88]]).tolist()
    ['stay', 'play']

    Two thermometers say almost the same, so one stands in for the other:

    >>> X = [[1, 10], [2, 20], [3, 30], [4, 40], [5, 50], [None, 60]]
    >>> model = CARTClassifier().fit(X, ["cold", "cold", "cold", "warm", "warm", "warm"])
    >>> model.predict([[None, 15], [None, 55], [2, None]]).tolist()
    ['cold', 'warm', 'cold']

    A column that says nothing: the grown tree fits its noise, the pruned one does not.

    >>> X, y = [[x % 7, x] for x in range(60)], ["low"] * 30 + ["high"] * 30
    >>> y[5], y[47] = "high", "low"
    >>> model = CARTClassifier().fit(X, y)
    >>> model.grown_tree_.n_leaves, model.tree_.n_leaves
    (8, 2)
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        priors: Any = None,
        categorical_features: Any = "from_dtype",
        missing: str = "surrogate",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        max_surrogates: int = 5,
        surrogates: str = "needed",
        probability: str = "frequency",
        smoothing: float | None = None,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = "cost_complexity",
        ccp_alpha: float | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.priors = priors
        self.categorical_features = categorical_features
        self.missing = missing
        self.missing_predict = missing_predict
        self.unseen_category = unseen_category
        self.max_surrogates = max_surrogates
        self.surrogates = surrogates
        self.probability = probability
        self.smoothing = smoothing
        self.monotonic_cst = monotonic_cst
        self.max_bins = max_bins
        self.pruning = pruning
        self.ccp_alpha = ccp_alpha
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @by_parameters
    def plan(self) -> Plan:
        criterion = one_of("criterion", self.criterion, CLASS_CRITERIA)
        parts = self._missing_parts("subset", criterion)
        bins = bins_or_none(self.max_bins)
        return Plan(criterion=criterion, grouping="subset", **parts, max_bins=bins, limits=self._limits())


class CARTRegressor(RegressorTree):
    """CART for numbers: every split has two branches.

    Categories are split into two subsets by the mean (the median, for absolute_error) of their rows. Where a value
    is missing, another column decides: a surrogate.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        What a split improves. A leaf answers the mean for squared_error, the median for absolute_error.
    max_depth : int or None, default=None
        The most splits on the way to a leaf; None is no limit.
    min_samples_split : int or float, default=2
        A node with fewer rows is a leaf. Counts rows; a float is a share of the table's rows.
    min_samples_leaf : int or float, default=1
        Both branches must hold this many rows. Counts rows; a float is a share of the table's rows.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the table's weight that a branch must have, as in scikit-learn.
    min_impurity_decrease : float, default=0.0
        A split is made when decrease * weight of the node / weight of the root is at least this.
    max_leaf_nodes : int or None, default=None
        The most leaves; splits that improve the tree most are made first. None is no limit.
    categorical_features : "from_dtype", list of names or positions, or dict, default="from_dtype"
        Which columns are categories: those whose type says so, or the ones listed. A dict gives "category", or the
        categories of an ordered column from low to high, by the name or position of the column.
    missing : {"surrogate", "fractional", "learned", "branch", "stop", "error"}, default="surrogate"
        Where a missing value goes while the tree grows. "surrogate": another column decides; "fractional": a
        share of the row down every branch; "learned": the branch where it gains most; "branch": a branch of
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
    monotonic_cst : dict, array-like of int or None, default=None
        The columns that the answers must rise with (1) or fall with (-1), by name or position in a dict, or one
        entry for each column, with 0 for the others. Categories without an order cannot be constrained.
        See docs/monotonic.md.
    max_bins : int or None, default=None
        Numbers with more different values than this, 2 to 255, are drawn together into so many bins of about as many
        rows before the tree grows: faster, and nearly as good. None keeps all values. See docs/bins.md.
    pruning : str, Method, sequence or None, default="cost_complexity"
        How the grown tree is pruned: the name of a method ("cost_complexity", "reduced_error", "pessimistic",
        "global", "same_decision", "pre_pruning"), one of `treewright.prune` with its parameters, a list of
        these to be applied one after the other (or their names joined by +), or None: the tree stays as it was
        grown. The default grows ten more trees on nine tenths of the rows, and takes the smallest tree within a
        standard error of the best.
    ccp_alpha : float or None, default=None
        As in scikit-learn: prune what saves less impurity for each leaf than this; 0 prunes nothing. Stands in
        for `pruning`; None leaves it to that.
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
    >>> from treewright import CARTRegressor
    >>> X = [["sunny", 85.0], ["overcast", 83.0], ["rainy", 70.0], ["rainy", 68.0]]
    >>> model = CARTRegressor(max_depth=1, pruning=None).fit(X, [10.0, 50.0, 40.0, 42.0])
    >>> model.predict([["sunny", 71.0], ["rainy", 71.0]]).tolist()
    [10.0, 44.0]

    Without an outlook and without surrogates, the heavier branch answers:

    >>> model.predict([[None, 71.0]]).tolist()
    [44.0]
    """

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        categorical_features: Any = "from_dtype",
        missing: str = "surrogate",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        max_surrogates: int = 5,
        surrogates: str = "needed",
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = "cost_complexity",
        ccp_alpha: float | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
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
        self.monotonic_cst = monotonic_cst
        self.max_bins = max_bins
        self.pruning = pruning
        self.ccp_alpha = ccp_alpha
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @by_parameters
    def plan(self) -> Plan:
        criterion = one_of("criterion", self.criterion, NUMBER_CRITERIA)
        parts = self._missing_parts("subset", criterion)
        bins = bins_or_none(self.max_bins)
        return Plan(criterion=criterion, grouping="subset", **parts, max_bins=bins, limits=self._limits())
