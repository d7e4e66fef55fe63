"""MDLTreeClassifier: the tree where each split pays for its own description.

In: a mixed table. Out: a Plan of gain ratio after the charge, above the description-length floor, with categories in
two groups; error-based, then global pruning. No parameter needs tuning.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from treewright import prune
from treewright.estimators.parameters import bins_or_none
from treewright.estimators.remembering import by_parameters
from treewright.estimators.sized import AUTO, PARTS, SizedTree
from treewright.estimators.tasks import ClassifierTree
from treewright.grow.plan import Plan
from treewright.prune.method import Method


class MDLTreeClassifier(SizedTree, ClassifierTree):
    """The tree to use on a mixed table: each split pays for its own description.

    Numbers are cut in two, and so are categories: ordered by class share for two classes, merged at the least loss of
    gain for more. A split gains what it takes off the entropy, less what it costs to describe: log2 of the cuts, or of
    the ways to make two groups of so many categories, over the rows of the node. So a column of many values has no
    advantage by their number, and one that names its rows is never taken. Among the columns whose gain also pays for
    naming one of them (on small tables: of at least average gain) the best gain ratio wins. The grown tree is pruned
    by estimates of its errors to come (C4.5's), then as a whole as long as its training errors stay within some
    standard errors. Probabilities are drawn towards the nodes above.

    Parameters
    ----------
    tune : bool, default=False
        Whether `min_samples_leaf`, `confidence` and `standard_errors` are chosen by 5-fold cross-validation: the
        smallest tree within half a standard error of the best. It takes about twenty times as long.
    confidence : float, default=0.15
        Of the error-based pruning: the lower, the more is pruned.
    standard_errors : float, default=1.25
        Of the global pruning: by how many standard errors the training errors may rise.
    max_depth : int or None, default=None
        The most splits on the way to a leaf; None is no limit.
    min_samples_split : int, float or None, default=None
        A node of less weight is a leaf; None is twice `min_samples_leaf`. A float is a share of the table's weight.
    min_samples_leaf : int or float, default=2
        Both branches must have this weight: a row of weight 2 is two (with weights that are not all whole, in mean
        weights). A float is a share of the table's weight.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the table's weight that both branches must have.
    min_impurity_decrease : float, default=0.0
        A split is made when its gain * weight of the node / weight of the root is at least this.
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
    missing : {"auto", "fractional", "surrogate", "learned", "branch", "stop", "error"}, default="auto"
        Where a missing value goes while the tree grows. "auto": "learned" where it tells something about the target
        that a value is missing, otherwise "fractional". "fractional": a share of the row down every branch;
        "surrogate": another column decides; "learned": the branch where it gains most; "branch": a branch of
        its own; "stop": the row stays at the node; "error": a table with one is refused.
    missing_predict : {"fractional", "majority", "stop", "error"} or None, default=None
        Where it goes at prediction; None is the same as in growth. "majority": the heaviest branch; "stop":
        the node that asks for it answers.
    unseen_category : {"missing", "majority", "stop", "error"}, default="missing"
        What a category is at prediction that training never showed: it counts as missing, takes the heaviest
        branch, or ends at the node that asks for it, all with a warning; or it is an error.
    probability : {"frequency", "laplace", "m-estimate", "shrinkage"}, default="shrinkage"
        How the class weights of a leaf become probabilities: their shares; with one more row of each class; with
        `smoothing` more rows in the shares of the whole table; or drawn towards the nodes above (hierarchical
        shrinkage).
    smoothing : float or None, default=10
        How many rows are added for "m-estimate" (None: 2), or lambda of "shrinkage" (None: chosen by 5-fold
        cross-validation); None for the others.
    monotonic_cst : dict, array-like of int or None, default=None
        The columns that the answers must rise with (1) or fall with (-1), by name or position in a dict, or one
        entry for each column, with 0 for the others. The answer is the probability of the second of two classes.
        See docs/monotonic.md.
    max_bins : int or None, default=None
        Numbers with more different values than this, 2 to 255, are drawn together into so many bins of about as many
        rows before the tree grows: faster, and nearly as good. None keeps all values. See docs/bins.md.
    pruning : str, Method, sequence or None, default="auto"
        How the grown tree is pruned: "auto" by errors to come and then as a whole, as said above; otherwise as in
        `TreeClassifier`.
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
    tuning_ : tuple of Tried
        With tune=True what was tried: the mean loss on rows that grew no tree, its standard error, and leaves.
    smoothing_ : float
        How many rows the probabilities are smoothed by; 0 for "frequency" and "laplace".
    n_features_in_, feature_names_in_ : int, ndarray of str
        The number of columns of X, and their names when X has string names.
    feature_importances_ : ndarray
        What the splits of each column gained, less their charge; the sum is 1.

    Examples
    --------
    Five shops, of which "north" and "east" sell; the numbers of the bills tell nothing, though each occurs once.

    >>> from treewright import MDLTreeClassifier
    >>> shops = ["north", "south", "east", "west", "centre"] * 8
    >>> X = [[shop, f"bill {i}"] for i, shop in enumerate(shops)]
    >>> y = ["yes" if shop in ("north", "east") else "no" for shop in shops]
    >>> model = MDLTreeClassifier().fit(X, y)
    >>> print(model.to_text())
    x0 in {centre, south, west}: no (24)
    x0 in {east, north}: yes (16)

    What it paid: 4 bits name one of the 2^4 - 1 ways to make two groups of five shops.

    >>> round(model.why(0).candidates[0].charge * 40, 2)
    3.91
    """

    _fitted: ClassVar[tuple[str, ...]] = (*ClassifierTree._fitted, "_tuning")

    confidence: float

    def __init__(
        self,
        *,
        tune: bool = False,
        confidence: float = 0.15,
        standard_errors: float = 1.25,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float = 2,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        priors: Any = None,
        categorical_features: Any = "from_dtype",
        missing: str = AUTO,
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        probability: str = "shrinkage",
        smoothing: float | None = 10,
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = AUTO,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.tune = tune
        self.confidence = confidence
        self.standard_errors = standard_errors
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
        return Plan(
            criterion="entropy",
            merit="ratio",
            floor="description",
            side="release8",
            info="all",
            slack=1e-3,
            min_info=1e-3,
            collapse=True,
            **PARTS,
            **self._missing_parts(PARTS["grouping"]),
            max_bins=bins_or_none(self.max_bins),
            limits=self._limits(),
        )

    def _confidence(self) -> float:
        return prune.ErrorBased(confidence=self.confidence).confidence
