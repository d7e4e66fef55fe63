"""CARTClassifier and CARTRegressor: Breiman, Friedman, Olshen and Stone (1984) as presets.

In: the criterion and the limits of growth. Out: a Plan of binary splits: thresholds for numbers, two subsets for
categories.
"""

from typing import Any

from treewright.errors import one_of
from treewright.estimators.general import CLASS_CRITERIA, NUMBER_CRITERIA
from treewright.estimators.tasks import ClassifierTree, RegressorTree
from treewright.grow.plan import Plan


class CARTClassifier(ClassifierTree):
    """CART for classes: every split has two branches.

    On numbers this is the tree of scikit-learn's DecisionTreeClassifier, without its dependence on a seed.
    Categories are split into the best two subsets.

    Parameters
    ----------
    criterion : {"gini", "entropy", "twoing"}, default="gini"
        What a split improves.
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
    categorical_features : "from_dtype" or list of names or positions, default="from_dtype"
        Which columns are categories: those whose type says so, or the ones listed.
    n_jobs : int or None, default=None
        The number of threads: None is one, -1 all cores. The tree is the same for any number.

    Attributes
    ----------
    tree_ : Tree
        The grown tree, immutable.
    classes_, n_classes_ : ndarray, int
        The classes, sorted, and their number. A target of one class gives a tree that is a single leaf.
    n_features_in_, feature_names_in_ : int, ndarray of str
        The number of columns of X, and their names when X has string names.
    feature_importances_ : ndarray
        What the splits of each column gained; the sum is 1.

    Examples
    --------
    The golf table, outlook and humidity:

    >>> from treewright import CARTClassifier
    >>> X = [["sunny", 85], ["sunny", 90], ["overcast", 86], ["rainy", 96], ["rainy", 80], ["sunny", 70]]
    >>> y = ["stay", "stay", "play", "play", "play", "play"]
    >>> model = CARTClassifier().fit(X, y)
    >>> model.predict([["sunny", 88], ["overcast", 88]]).tolist()
    ['stay', 'play']
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
        categorical_features: Any = "from_dtype",
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
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def plan(self) -> Plan:
        criterion = one_of("criterion", self.criterion, CLASS_CRITERIA)
        return Plan(criterion=criterion, category="subset", limits=self._limits())


class CARTRegressor(RegressorTree):
    """CART for numbers: every split has two branches.

    Categories are split into two subsets by the mean (the median, for absolute_error) of their rows.

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
    categorical_features : "from_dtype" or list of names or positions, default="from_dtype"
        Which columns are categories: those whose type says so, or the ones listed.
    n_jobs : int or None, default=None
        The number of threads: None is one, -1 all cores. The tree is the same for any number.

    Attributes
    ----------
    tree_ : Tree
        The grown tree, immutable.
    n_features_in_, feature_names_in_ : int, ndarray of str
        The number of columns of X, and their names when X has string names.
    feature_importances_ : ndarray
        What the splits of each column gained; the sum is 1.

    Examples
    --------
    >>> from treewright import CARTRegressor
    >>> X = [["sunny", 85.0], ["overcast", 83.0], ["rainy", 70.0], ["rainy", 68.0]]
    >>> model = CARTRegressor(max_depth=1).fit(X, [10.0, 50.0, 40.0, 42.0])
    >>> model.predict([["sunny", 71.0], ["rainy", 71.0]]).tolist()
    [10.0, 44.0]
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
        self.n_jobs = n_jobs

    def plan(self) -> Plan:
        criterion = one_of("criterion", self.criterion, NUMBER_CRITERIA)
        return Plan(criterion=criterion, category="subset", limits=self._limits())
