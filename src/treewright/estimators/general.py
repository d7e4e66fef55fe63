"""TreeClassifier and TreeRegressor: every part of the algorithm is a parameter.

In: names of parts. Out: a Plan made of exactly these. ID3, C4.5, CART and MDLTree are presets of the same
parts.
"""

from collections.abc import Sequence
from typing import Any

from treewright.criteria.registry import CLASS_CRITERIA, CRITERIA, NUMBER_CRITERIA
from treewright.errors import ParameterError, one_of
from treewright.estimators.parameters import bins_or_none, switch
from treewright.estimators.remembering import by_parameters
from treewright.estimators.tasks import ClassifierTree, RegressorTree
from treewright.grow.plan import (
    CHARGES,
    FLOORS,
    GROUPINGS,
    MERITS,
    MINIMUMS,
    NUMBERS,
    SIDES,
    THRESHOLDS,
    Plan,
)
from treewright.prune.method import Method

NUMBER_GROUPINGS = ("subset", "each", "binary")


class TreeClassifier(ClassifierTree):
    """A classification tree whose every part can be chosen.

    Parameters
    ----------
    criterion : str, default="gini"
        What a split improves: "gini", "entropy", "twoing" or another criterion of classes in
        `treewright.criteria.CRITERIA`. "twoing" compares two branches and so needs `grouping="subset"`.
    merit : {"decrease", "ratio"}, default="decrease"
        What columns are ranked by: what the split takes off the impurity, or that divided by the split
        information (the entropy of the branch weights).
    floor : {"none", "average", "description"}, default="none"
        Which columns are ranked: all, those whose decrease is at least the average, or those whose decrease pays
        for naming one of the columns, 0.9 log2(columns) / weight (on small tables the average).
    numeric : {"bisect", "refuse"}, default="bisect"
        Numbers and ordered categories are cut in two at a threshold, or refused with advice.
    grouping : {"subset", "each", "greedy", "least-loss", "binary"}, default="subset"
        Categories are split into the best two subsets; a branch for each; groups merged while the gain ratio
        improves (C4.5); groups merged at the least loss of gain, the best stage of all (C5.0); or two groups,
        ordered by class share or merged at the least loss, where values of a single row count as one.
    threshold : {"midpoint", "value"}, default="midpoint"
        The threshold is halfway between two neighbouring values, or the largest training value not above that.
    charge : {"none", "cuts", "description"}, default="none"
        What is taken off the decrease of a split: nothing; log2(cuts) / weight for a number; or that, and for a
        category log2(ways to group its values) / weight.
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
    pruning : str, Method, sequence or None, default=None
        How the grown tree is pruned: the name of a method ("error_based", "pessimistic", "cost_complexity",
        "reduced_error", "minimum_error", "critical_value", "mdl", "global", "same_decision",
        "pre_pruning"), one of `treewright.prune` with its parameters, a list of these to be applied one after the
        other (or their names joined by +), or None: the tree stays as it was grown.
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
    A branch for each category, chosen by Gini:

    >>> from treewright import TreeClassifier
    >>> X = [["sunny", "no"], ["sunny", "yes"], ["overcast", "no"], ["rainy", "no"], ["rainy", "yes"]]
    >>> y = ["stay", "stay", "play", "play", "stay"]
    >>> model = TreeClassifier(criterion="gini", grouping="each").fit(X, y)
    >>> model.predict([["overcast", "yes"], ["rainy", "yes"]]).tolist()
    ['play', 'stay']

    A row that goes on only as far as it is known; this one not beyond the root:

    >>> model = TreeClassifier(criterion="gini", grouping="each", missing="stop")
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
        grouping: str = "subset",
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
        cost_matrix: Any = None,
        priors: Any = None,
        categorical_features: Any = "from_dtype",
        missing: str = "fractional",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        max_surrogates: int = 5,
        surrogates: str = "needed",
        probability: str = "frequency",
        smoothing: float | None = None,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.merit = merit
        self.floor = floor
        self.numeric = numeric
        self.grouping = grouping
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
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @by_parameters
    def plan(self) -> Plan:
        criterion = one_of("criterion", self.criterion, CLASS_CRITERIA)
        grouping = one_of("grouping", self.grouping, GROUPINGS)
        if CRITERIA[criterion].two_branches and grouping != "subset":
            raise ParameterError(
                f"criterion={criterion!r} compares two branches and cannot be used with grouping={grouping!r}; "
                "set grouping='subset' or another criterion."
            )
        return Plan(
            criterion=criterion,
            merit=one_of("merit", self.merit, MERITS),
            floor=one_of("floor", self.floor, FLOORS),
            number=one_of("numeric", self.numeric, NUMBERS),
            grouping=grouping,
            threshold=one_of("threshold", self.threshold, THRESHOLDS),
            charge=one_of("charge", self.charge, CHARGES),
            side=one_of("side", self.side, SIDES),
            minimum=one_of("minimum", self.minimum, MINIMUMS),
            collapse=switch("collapse", self.collapse),
            **self._missing_parts(grouping, criterion),
            max_bins=bins_or_none(self.max_bins),
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
    grouping : {"subset", "each", "binary"}, default="subset"
        Categories are split into the best two subsets; a branch for each; or two subsets, where values of a
        single row count as one.
    threshold : {"midpoint", "value"}, default="midpoint"
        The threshold is halfway between two neighbouring values, or the largest training value not above that.
    charge : {"none", "cuts", "description"}, default="none"
        What a split pays, in bits: nothing; log2(cuts) for a number; or that, and for a category log2(ways to group
        its values), and for each a bit and half a bit for each doubling of the rows. Less loss must save more bits.
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
    monotonic_cst : dict, array-like of int or None, default=None
        The columns that the answers must rise with (1) or fall with (-1), by name or position in a dict, or one
        entry for each column, with 0 for the others. Categories without an order cannot be constrained.
        See docs/monotonic.md.
    max_bins : int or None, default=None
        Numbers with more different values than this, 2 to 255, are drawn together into so many bins of about as many
        rows before the tree grows: faster, and nearly as good. None keeps all values. See docs/bins.md.
    pruning : str, Method, sequence or None, default=None
        How the grown tree is pruned: the name of a method ("cost_complexity", "reduced_error", "pessimistic",
        "global", "same_decision", "pre_pruning"), one of `treewright.prune` with its parameters, a list of
        these to be applied one after the other (or their names joined by +), or None: the tree stays as it was grown.
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
    >>> model = TreeRegressor(grouping="each", max_depth=1).fit(X, [10.0, 50.0, 30.0, 40.0])
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
        grouping: str = "subset",
        threshold: str = "midpoint",
        charge: str = "none",
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
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.numeric = numeric
        self.grouping = grouping
        self.threshold = threshold
        self.charge = charge
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
        self.monotonic_cst = monotonic_cst
        self.max_bins = max_bins
        self.pruning = pruning
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @by_parameters
    def plan(self) -> Plan:
        criterion = one_of("criterion", self.criterion, NUMBER_CRITERIA)
        grouping = one_of("grouping", self.grouping, NUMBER_GROUPINGS)
        return Plan(
            criterion=criterion,
            number=one_of("numeric", self.numeric, NUMBERS),
            grouping=grouping,
            threshold=one_of("threshold", self.threshold, THRESHOLDS),
            charge=one_of("charge", self.charge, CHARGES),
            minimum=one_of("minimum", self.minimum, MINIMUMS),
            **self._missing_parts(grouping, criterion),
            max_bins=bins_or_none(self.max_bins),
            limits=self._limits(),
        )
