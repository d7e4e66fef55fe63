"""MDLTreeRegressor: the regression tree where each split pays for its own description.

In: a mixed table with a number for its target. Out: a Plan of squared error after the charge, with categories in two
groups; global pruning.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from treewright.criteria.registry import NUMBER_CRITERIA
from treewright.errors import one_of
from treewright.estimators.parameters import bins_or_none
from treewright.estimators.remembering import by_parameters
from treewright.estimators.sized import AUTO, PARTS, SizedTree
from treewright.estimators.tasks import RegressorTree
from treewright.grow.plan import Plan
from treewright.prune.method import Method


class MDLTreeRegressor(SizedTree, RegressorTree):
    """The regression tree to use on a mixed table: each split pays for its own description.

    Numbers are cut in two, and so are categories, ordered by their mean. To tell the targets of a node takes log2 of
    their standard deviation and a constant in bits a row; a split saves what it takes off that, and costs log2 of the
    cuts, or of the ways to make two groups of so many categories. One that does not save more than it costs is not
    made, so the tree needs little pruning.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        What a split improves. A leaf answers the mean for squared_error, the median for absolute_error.
    tune : bool, default=False
        Whether `min_samples_leaf` and `standard_errors` are chosen by 5-fold cross-validation: the smallest tree
        within half a standard error of the best.
    standard_errors : float, default=0.0
        Of the global pruning: by how many standard errors the training loss may rise.
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
    monotonic_cst : dict, array-like of int or None, default=None
        The columns that the answers must rise with (1) or fall with (-1), by name or position in a dict, or one
        entry for each column, with 0 for the others. Categories without an order cannot be constrained.
        See docs/monotonic.md.
    max_bins : int or None, default=None
        Numbers with more different values than this, 2 to 255, are drawn together into so many bins of about as many
        rows before the tree grows: faster, and nearly as good. None keeps all values. See docs/bins.md.
    pruning : str, Method, sequence or None, default="auto"
        How the grown tree is pruned: "auto" as a whole, as said above; otherwise as in `TreeRegressor`.
    pre_pruning : bool or None, default=None
        Whether growth stops where a split makes no fewer errors on validation rows. None: when there are such
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
    tuning_ : tuple of Tried
        With tune=True what was tried: the mean loss on rows that grew no tree, its standard error, and leaves.
    n_features_in_, feature_names_in_ : int, ndarray of str
        The number of columns of X, and their names when X has string names.
    feature_importances_ : ndarray
        What the splits of each column gained, and its surrogates in part; the sum is 1.

    Examples
    --------
    >>> from treewright import MDLTreeRegressor
    >>> shops = ["north", "south", "east", "west", "centre"] * 8
    >>> y = [20.0 + i % 3 if shop in ("north", "east") else 10.0 + i % 3 for i, shop in enumerate(shops)]
    >>> print(MDLTreeRegressor().fit([[shop] for shop in shops], y).to_text())
    x0 in {centre, south, west}: 10.9167 (24, 0.659722)
    x0 in {east, north}: 21.0625 (16, 0.683594)
    """

    _fitted: ClassVar[tuple[str, ...]] = (*RegressorTree._fitted, "_tuning")

    criterion: str

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        tune: bool = False,
        standard_errors: float = 0.0,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float = 2,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        categorical_features: Any = "from_dtype",
        missing: str = AUTO,
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        monotonic_cst: Any = None,
        max_bins: int | None = None,
        pruning: str | Method | Sequence[str | Method] | None = AUTO,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.tune = tune
        self.standard_errors = standard_errors
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
        self.monotonic_cst = monotonic_cst
        self.max_bins = max_bins
        self.pruning = pruning
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @by_parameters
    def plan(self) -> Plan:
        criterion = one_of("criterion", self.criterion, NUMBER_CRITERIA)
        return Plan(
            criterion=criterion,
            **PARTS,
            **self._missing_parts(PARTS["grouping"], criterion),
            max_bins=bins_or_none(self.max_bins),
            limits=self._limits(),
        )
