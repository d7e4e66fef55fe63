"""ID3Classifier: Quinlan's ID3 (1986) as a preset.

In: the limits of growth. Out: a Plan of entropy, information gain and a branch for each category.
"""

from collections.abc import Sequence
from typing import Any

from treewright.errors import one_of
from treewright.estimators.remembering import by_parameters
from treewright.estimators.tasks import ClassifierTree
from treewright.grow.plan import NUMBERS, Plan
from treewright.prune.method import Method


class ID3Classifier(ClassifierTree):
    """ID3: the column of most information gain, one branch for each of its categories.

    A column of categories is used at most once on the way to a leaf. The algorithm has no notion of a number, so
    numeric columns are refused unless asked for. Rows with a missing value get a branch of their own.

    Parameters
    ----------
    numeric : {"refuse", "bisect"}, default="refuse"
        Numeric and ordered columns are refused with advice, or cut in two at a threshold.
    max_depth : int or None, default=None
        The most splits on the way to a leaf; None is no limit.
    min_samples_split : int or float, default=2
        A node with fewer rows is a leaf. Counts rows; a float is a share of the table's rows.
    min_samples_leaf : int or float, default=1
        At least two branches must hold this many rows. Counts rows; a float is a share of the table's rows.
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
    missing : {"branch", "fractional", "learned", "stop", "error"}, default="branch"
        Where a missing value goes while the tree grows. "branch": a branch of its own; "fractional": a share
        of the row down every branch; "learned": the branch where it gains most; "stop": the row stays at the
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
        entry for each column, with 0 for the others: numbers, with numeric="bisect". The answer is the probability
        of the second of two classes. See docs/monotonic.md.
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
        What the splits of each column gained; the sum is 1.

    Examples
    --------
    >>> from treewright import ID3Classifier
    >>> X = [["sunny", "no"], ["sunny", "yes"], ["overcast", "no"], ["rainy", "no"], ["rainy", "yes"]]
    >>> y = ["stay", "stay", "play", "play", "stay"]
    >>> model = ID3Classifier().fit(X, y)
    >>> model.predict([["overcast", "yes"], ["rainy", "yes"]]).tolist()
    ['play', 'stay']

    A missing outlook is an outlook like any other:

    >>> model = ID3Classifier().fit([*X, [None, "yes"], [None, "no"]], [*y, "play", "play"])
    >>> print(model.to_text())
    x0 = overcast: play (1)
    x0 = rainy:
    |   x1 = no: play (1)
    |   x1 = yes: stay (1)
    x0 = sunny: stay (2)
    x0 is missing: play (2)
    """

    def __init__(
        self,
        *,
        numeric: str = "refuse",
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
        missing: str = "branch",
        missing_predict: str | None = None,
        unseen_category: str = "missing",
        probability: str = "frequency",
        smoothing: float | None = None,
        monotonic_cst: Any = None,
        pruning: str | Method | Sequence[str | Method] | None = None,
        pre_pruning: bool | None = None,
        validation_fraction: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.numeric = numeric
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
        self.pruning = pruning
        self.pre_pruning = pre_pruning
        self.validation_fraction = validation_fraction
        self.n_jobs = n_jobs

    @by_parameters
    def plan(self) -> Plan:
        number = one_of("numeric", self.numeric, NUMBERS)
        return Plan(
            criterion="entropy",
            number=number,
            grouping="each",
            **self._missing_parts("each"),
            limits=self._limits(),
        )
