"""C45Classifier: Quinlan's C4.5 as a preset, as in his program (Release 8) or as in the textbooks.

In: the variant and the limits of growth. Out: a Plan of entropy, gain ratio and the average floor.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from treewright import prune
from treewright.errors import one_of
from treewright.estimators.parameters import bins_or_none, read_limits, twice_the_leaf
from treewright.estimators.remembering import by_parameters
from treewright.estimators.tasks import ClassifierTree
from treewright.grow.plan import Limits, Plan
from treewright.prune.method import Method

VARIANTS = ("release8", "j48", "textbook")
LIMITS = {"release8": "release8", "j48": "weka", "textbook": "exact"}
"""How each variant estimates errors when it is pruned by them."""
CRITERIA = ("gain_ratio", "gain")
C45_GROUPINGS = ("each", "greedy", "least-loss", "binary")
RELEASE8: dict[str, Any] = {
    "threshold": "value",
    "charge": "cuts",
    "side": "release8",
    "slack": 1e-3,
    "min_info": 1e-3,
    "wide": 0.3,
    "collapse": True,
    "info": "all",
}
"""What the program adds to the textbook."""


class C45Classifier(ClassifierTree):
    """C4.5: the best gain ratio among the columns of at least average gain.

    A row with a missing value goes down every branch, with a share of its weight.

    Parameters
    ----------
    variant : {"release8", "j48", "textbook"}, default="release8"
        "release8" does what Quinlan's program does: numbers pay for many cuts, thresholds are values of the
        training table, small sides of a cut are not allowed, splits that save no error are taken back.
        "j48" grows the same tree and estimates errors as Weka's J48 does when it is pruned. "textbook" has
        midpoint thresholds and none of these, and exact confidence limits.
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        What columns are ranked by.
    grouping : {"each", "greedy", "least-loss", "binary"}, default="each"
        Categories have a branch each, or are merged into groups: while that improves the gain ratio (the program's
        option -s), at the least loss of gain, or into two.
    max_depth : int or None, default=None
        The most splits on the way to a leaf; None is no limit.
    min_samples_split : int, float or None, default=None
        A node of less weight is a leaf. Counts weight: a row of weight 2 is two (with weights that are not all
        whole, in mean weights). A float is a share of the table's weight. None is twice `min_samples_leaf` in
        "release8", 2 in "textbook".
    min_samples_leaf : int, float or None, default=None
        At least two branches must have this weight, counted in the same way. None is 2, in "textbook" 1.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the table's weight that at least two branches must have.
    min_impurity_decrease : float, default=0.0
        A split is made when its gain in bits * weight of the node / weight of the root is at least this.
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
    missing : {"fractional", "learned", "branch", "stop", "error"}, default="fractional"
        Where a missing value goes while the tree grows. "fractional": a share of the row down every branch;
        "learned": the branch where it gains most; "branch": a branch of its own; "stop": the row stays at the
        node; "error": a table with one is refused.
    missing_predict : {"fractional", "majority", "stop", "error"} or None, default=None
        Where it goes at prediction; None is the same as in growth. "majority": the heaviest branch; "stop":
        the node that asks for it answers.
    unseen_category : {"missing", "majority", "stop", "error"}, default="missing"
        What a category is at prediction that training never showed: it counts as missing, takes the heaviest
        branch, or ends at the node that asks for it, all with a warning; or it is an error.
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
    pruning : str, Method, sequence or None, default="error_based"
        How the grown tree is pruned: the name of a method ("error_based", "pessimistic", "cost_complexity",
        "reduced_error", "minimum_error", "critical_value", "mdl", "global", "same_decision",
        "pre_pruning"), one of `treewright.prune` with its parameters, a list of these to be applied one after the
        other (or their names joined by +), or None: the tree stays as it was grown. The default
        compares upper confidence limits of the errors, and tries the largest branch of a node in its place.
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
        What the splits of each column gained, less their charge; the sum is 1.

    Examples
    --------
    The golf table: outlook, humidity, windy.

    >>> from treewright import C45Classifier
    >>> X = [["sunny", 85, "no"], ["sunny", 90, "yes"], ["overcast", 86, "no"], ["rainy", 96, "no"],
    ...      ["rainy", 80, "no"], ["rainy", 70, "yes"], ["overcast", 65, "yes"], ["sunny", 95, "no"],
    ...      ["sunny", 70, "no"], ["rainy", 80, "no"], ["sunny", 70, "yes"], ["overcast", 90, "yes"],
    ...      ["overcast", 75, "no"], ["rainy", 91, "yes"]]
    >>> y = ["stay", "stay", "play", "play", "play", "stay", "play", "stay", "play", "play", "play", "play",
    ...      "play", "stay"]
    >>> model = C45Classifier().fit(X, y)
    >>> model.get_n_leaves()
    5
    >>> model.predict([["sunny", 72, "no"], ["rainy", 72, "yes"]]).tolist()
    ['play', 'stay']

    A sunny day whose humidity nobody measured: 2 of the 5 sunny days were dry enough.

    >>> model.predict_proba([["sunny", None, "no"]]).round(2).tolist()
    [[0.4, 0.6]]
    """

    def __init__(
        self,
        *,
        variant: str = "release8",
        criterion: str = "gain_ratio",
        grouping: str = "each",
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
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
        probability: str = "frequency",
        smoothing: float | None = None,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = "error_based",
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.variant = variant
        self.criterion = criterion
        self.grouping = grouping
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
        variant = one_of("variant", self.variant, VARIANTS)
        by_ratio = one_of("criterion", self.criterion, CRITERIA) == "gain_ratio"
        grouping = one_of("grouping", self.grouping, C45_GROUPINGS)
        additions = {} if variant == "textbook" else RELEASE8
        if grouping != "each":  # grouped columns are no longer wide
            additions = additions | {"wide": None}
        return Plan(
            criterion="entropy",
            merit="ratio" if by_ratio else "decrease",
            # The most gain is never below the average, so ranking by gain needs no floor.
            floor="average" if by_ratio else "none",
            grouping=grouping,
            minimum="weight",
            **self._missing_parts(grouping),
            max_bins=bins_or_none(self.max_bins),
            limits=self._limits(),
            **additions,
        )

    def _read_method(self, given: object, **parameters: object) -> Method | None:
        method = super()._read_method(given, **parameters)
        # An object says itself what it wants, and so does who names a limit.
        if isinstance(given, str) and "limit" not in parameters and isinstance(method, prune.ErrorBased):
            return replace(method, limit=LIMITS[one_of("variant", self.variant, VARIANTS)])
        return method

    def _limits(self) -> Limits:
        is_release8 = self.variant != "textbook"
        leaf, split = self.min_samples_leaf, self.min_samples_split
        limits = read_limits(
            max_depth=self.max_depth,
            min_samples_split=2 if split is None else split,
            min_samples_leaf=(2 if is_release8 else 1) if leaf is None else leaf,
            min_impurity_decrease=self.min_impurity_decrease,
            max_leaf_nodes=self.max_leaf_nodes,
        )
        if split is None and is_release8:
            return twice_the_leaf(limits)
        return limits
