"""ID3Classifier: Quinlan's ID3 (1986) as a preset.

In: the limits of growth. Out: a Plan of entropy, information gain and a branch for each category.
"""

from typing import Any

from treewright.errors import one_of
from treewright.estimators.tasks import ClassifierTree
from treewright.grow.plan import NUMBERS, Plan


class ID3Classifier(ClassifierTree):
    """ID3: the column of most information gain, one branch for each of its categories.

    A column of categories is used at most once on the way to a leaf. The algorithm has no notion of a number, so
    numeric columns are refused unless asked for.

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
    >>> from treewright import ID3Classifier
    >>> X = [["sunny", "no"], ["sunny", "yes"], ["overcast", "no"], ["rainy", "no"], ["rainy", "yes"]]
    >>> y = ["stay", "stay", "play", "play", "stay"]
    >>> model = ID3Classifier().fit(X, y)
    >>> model.predict([["overcast", "yes"], ["rainy", "yes"]]).tolist()
    ['play', 'stay']
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
        categorical_features: Any = "from_dtype",
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
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def plan(self) -> Plan:
        number = one_of("numeric", self.numeric, NUMBERS)
        return Plan(criterion="entropy", number=number, category="each", limits=self._limits())
