"""The decision tree: a frozen record of columns with one entry per node, and its schema.

Growth, pruning and the reader of model files make a `Tree`; all other code only reads it.

Numbering: the root is 0, siblings are adjacent (`child = first_child + branch`) and `parent[i] < i`. So a bottom-up
pass is a reversed range, and finding the child of a branch is one addition.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import sha256
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.registry import CRITERIA, Criterion
from treewright.data.schema import Schema
from treewright.deprecation import DeprecatedAlias
from treewright.errors import InputError, KindError, ModelFormatError
from treewright.model.prediction_rule import DEFAULT_RULE, PredictionRule, choose_classes, fingerprint_line
from treewright.model.strategies import STRATEGIES, Strategy
from treewright.model.surrogates import Surrogates
from treewright.model.tree_columns import (
    COLUMNS,
    branch_fractions,
    column_bytes,
    frozen_column,
    heaviest_branch,
    schema_lines,
)

if TYPE_CHECKING:
    from treewright._core.predict import RowRouter
    from treewright.model.node import Node
    from treewright.model.packed_tree import PackedTree

LEAF, THRESHOLD, TABLE = 0, 1, 2
"""Kinds of node: a leaf; a number (or ordered code) against a threshold; a category looked up in a table."""


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree as read-only columns, one entry per node.

    Parameters
    ----------
    schema : Schema
        The columns with their names, kinds and categories, and the target.
    parent : array of int64
        Parent of the node, -1 at the root.
    first_child : array of int64
        First child of the node, -1 at a leaf.
    n_children : array of int64
        Number of branches, 0 at a leaf.
    kind : array of int8
        LEAF, THRESHOLD or TABLE.
    column : array of int32
        Position in the schema of the column that the node splits on, -1 at a leaf.
    threshold : array of float64
        Branch 0 takes value <= threshold, branch 1 the rest, branch 2 (if any) missing values. Infinity where the node
        tests whether the value is missing; NaN unless kind is THRESHOLD.
    table_start : array of int64
        n_nodes + 1 offsets: node i has the entries table_start[i] to table_start[i + 1] of the next two.
    table_code : array of int32
        Category codes that occur at the node (all of the schema's where each has a branch), ascending.
    table_branch : array of int32
        The branch of each of these codes.
    other : array of int32
        The branch of a category of the schema that is not in the node's table; -1 unless kind is TABLE.
    missing_branch : array of int32
        The branch of a row with a missing value, where one branch is taken; -1 at a leaf.
    count : array of int64
        Number of training rows with some of their weight at the node.
    weight : array of float64
        Weight of the training rows at the node.
    stats : array of float64
        Classification: (n_nodes, n_classes) class weights. Regression: (n_nodes, 3) with weight, predicted value and
        loss (the sum of w (y - mean)^2, or of w |y - median|).
    value : array of float64
        Classification: (n_nodes, n_classes) class probabilities, see `prediction_rule`. Regression: (n_nodes, 1)
        predicted values. An empty branch has its parent's value.
    impurity : array of float64
        Impurity per unit of weight.
    gain : array of float64
        Decrease of the impurity by the split, minus its penalty; NaN at a leaf.
    merit : array of float64
        Score by which the column was chosen (gain or gain ratio); NaN at a leaf.
    criterion : str
        Name of the impurity or split measure.
    missing : str
        Strategy for missing values in growth, a name in `STRATEGIES`.
    surrogates : Surrogates or None
        Surrogate splits for missing values; None when none were searched for.
    prediction_rule : PredictionRule
        How class weights become probabilities and a predicted class; by default the relative frequencies and the most
        frequent class.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> tree.n_nodes, tree.n_leaves, tree.depth
    (8, 5, 2)
    >>> print(tree.to_text(max_depth=1))
    outlook = sunny: ... (2 leaves)
    outlook = overcast: Play (4)
    outlook = rain: ... (2 leaves)
    """

    schema: Schema
    parent: NDArray[np.int64]
    first_child: NDArray[np.int64]
    n_children: NDArray[np.int64]
    kind: NDArray[np.int8]
    column: NDArray[np.int32]
    threshold: NDArray[np.float64]
    table_start: NDArray[np.int64]
    table_code: NDArray[np.int32]
    table_branch: NDArray[np.int32]
    other: NDArray[np.int32]
    missing_branch: NDArray[np.int32]
    count: NDArray[np.int64]
    weight: NDArray[np.float64]
    stats: NDArray[np.float64]
    value: NDArray[np.float64]
    impurity: NDArray[np.float64]
    gain: NDArray[np.float64]
    merit: NDArray[np.float64]
    criterion: str = field(default="entropy")
    missing: str = field(default="error")
    surrogates: Surrogates | None = None
    prediction_rule: PredictionRule = DEFAULT_RULE

    def __post_init__(self) -> None:
        # Imported here, because check_tree imports this module.
        from treewright.model.check_tree import check_tree

        for name, dtype in COLUMNS.items():
            object.__setattr__(self, name, frozen_column(name, getattr(self, name), dtype))
        check_tree(self)

    @classmethod
    def unchecked(
        cls,
        schema: Schema,
        criterion: str,
        missing: str = "error",
        surrogates: Surrogates | None = None,
        prediction_rule: PredictionRule = DEFAULT_RULE,
        **columns: NDArray[Any],
    ) -> "Tree":
        """Make a tree of columns that are correct by construction, as those of growth are: frozen, but not checked."""
        tree = object.__new__(cls)
        tree.__dict__.update(
            columns,
            schema=schema,
            criterion=criterion,
            missing=missing,
            surrogates=surrogates,
            prediction_rule=prediction_rule,
        )
        for name, dtype in COLUMNS.items():
            column = columns[name]
            if column.flags.writeable or column.dtype is not dtype:  # a frozen column is used as it is
                tree.__dict__[name] = frozen_column(name, column, dtype)
        return tree

    @classmethod
    def of_frozen(cls, **fields: Any) -> "Tree":
        """Make a tree of all its fields; the columns are frozen already and correct by construction."""
        tree = object.__new__(cls)
        tree.__dict__.update(fields)
        return tree

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.parent)

    @cached_property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.is_leaf))

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        return _read_only(self.n_children == 0)

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """Depth of each node; the root has 0."""
        from treewright._core.tree import depths

        steps = np.empty(self.n_nodes, np.int64)
        depths(self.parent, steps)
        return _read_only(steps)

    @cached_property
    def depth(self) -> int:
        """Depth of the deepest node; 0 for a single leaf."""
        return int(self.depths.max())

    @property
    def measured_by(self) -> Criterion:
        """The record of the criterion."""
        return CRITERIA[self.criterion]

    @property
    def strategy(self) -> Strategy:
        """The record of the strategy for missing values in growth."""
        return STRATEGIES[self.missing]

    @property
    def not_squared(self) -> bool:
        """Regression: whether another loss is summed than the squared errors that trees are scored by."""
        return self.measured_by.not_squared

    @property
    def by_deviance(self) -> bool:
        """Whether leaves predict rates, with halves of Poisson deviances as losses."""
        return self.measured_by.by_deviance

    @property
    def by_median(self) -> bool:
        """Whether leaves predict medians and losses are absolute deviations from them."""
        return self.measured_by.by_median

    @cached_property
    def packed(self) -> "PackedTree":
        """The nodes as the routing kernels read them, made at first use."""
        from treewright.model.packed_tree import pack_tree

        return pack_tree(self)

    @cached_property
    def row_router(self) -> "RowRouter | None":
        """The tree as the kernel for a few rows reads it; None where categories are not small integers."""
        from treewright.model.packed_tree import make_row_router

        return make_row_router(self)

    @cached_property
    def packed_surrogates(self) -> tuple[NDArray[Any], ...]:
        """The surrogates as the routing kernel reads them; three empty arrays without surrogates."""
        from treewright.model.packed_tree import pack_surrogates

        return pack_surrogates(self.surrogates)

    @cached_property
    def heaviest_branch(self) -> NDArray[np.int32]:
        """The branch with the largest weight at each node, the first one on a tie; -1 at a leaf."""
        return _read_only(heaviest_branch(self.first_child, self.n_children, self.weight))

    @cached_property
    def branch_fractions(self) -> NDArray[np.float64]:
        """The fraction of its siblings' and its own weight that each node has, by which a missing value is divided."""
        links = self.first_child, self.n_children
        return _read_only(branch_fractions(*links, self.weight, self.missing_branch))

    @cached_property
    def predicted_class(self) -> NDArray[np.intp]:
        """The code of the class that each node predicts: the most probable one, or with costs the cheapest one."""
        if self.schema.target.is_number:
            raise KindError("This tree predicts a number, so its nodes have no predicted class; use `value`.")
        return _read_only(choose_classes(self.prediction_rule, self.value))

    answers = DeprecatedAlias("predicted_class")
    answering = DeprecatedAlias("prediction_rule")
    branch_shares = DeprecatedAlias("branch_fractions")

    @property
    def root(self) -> "Node":
        """A view of the root."""
        return self.node(0)

    def node(self, i: int) -> "Node":
        """Return a view of node i.

        Parameters
        ----------
        i : int
            The number of the node; the root is 0.

        Returns
        -------
        Node
            The view.

        Raises
        ------
        InputError
            If the tree has no such node.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> golf_example().node(4)
        <Node 4: humidity <= 75; leaf; Play (2)>
        """
        from treewright.model.node import Node

        try:
            number = index(i)
        except TypeError:
            number = -1
        if not 0 <= number < self.n_nodes:
            raise InputError(f"Node {i!r} not found; the nodes of this tree are 0 to {self.n_nodes - 1}.")
        return Node(self, number)

    def walk(self) -> "Iterator[Node]":
        """All nodes, each before its children, branches in order."""
        return self.root.walk()

    def to_text(self, max_depth: int | None = None, language: str = "en") -> str:
        """Write the tree as indented text, one line for each branch.

        Parameters
        ----------
        max_depth : int, optional
            Nodes deeper than this are not shown; their leaves are counted.
        language : str, default="en"
            Language of the words between the user's names and categories: "en" or "zh".

        Returns
        -------
        str
            The text. (N/E) after a leaf is the weight of its training rows and of those of another class; a
            regression leaf shows the mean, the weight `n` and the standard deviation `sd` of its training rows, with
            absolute_error the median and the mean absolute error `MAE`.
        """
        from treewright.model.tree_text import to_text

        return to_text(self, max_depth, language)

    def predict(self, X: object) -> NDArray[Any]:
        """Predict the class or the number of each row.

        Missing values are treated as in growth, an unseen category as a missing value.

        Parameters
        ----------
        X : array, list of rows, or pandas, polars or pyarrow table
            The columns of `schema`, in the same order.

        Returns
        -------
        array of shape (n_rows,)
            Predicted classes or numbers.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> golf_example().predict([["sunny", 70.0, True], ["rain", 70.0, True]]).tolist()
        ['Play', "Don't Play"]
        """
        from treewright.predict.table_prediction import predict_table

        return predict_table(self, X)

    def predict_proba(self, X: object) -> NDArray[np.float64]:
        """Predict the probability of each class for each row.

        Parameters
        ----------
        X : array, list of rows, or pandas, polars or pyarrow table
            The columns of `schema`, in the same order.

        Returns
        -------
        float64 array of shape (n_rows, n_classes)
            Probabilities, in the order of `schema.target.classes`.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> golf_example().predict_proba([["sunny", 70.0, True], ["rain", 70.0, True]]).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        from treewright.predict.table_prediction import predict_table_probabilities

        return predict_table_probabilities(self, X)

    def apply(self, X: object) -> NDArray[np.int64]:
        """Find the leaf of each row.

        Parameters
        ----------
        X : array, list of rows, or pandas, polars or pyarrow table
            The columns of `schema`, in the same order.

        Returns
        -------
        int64 array of shape (n_rows,)
            The number of the leaf.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> golf_example().apply([["sunny", 70.0, True], ["rain", 70.0, True]]).tolist()
        [4, 7]
        """
        from treewright.predict.table_prediction import find_table_leaves

        return find_table_leaves(self, X)

    def save(self, path: object, *, overwrite: bool = False) -> None:
        """Write the tree to a model file; see docs/model-format.md.

        Parameters
        ----------
        path : str or path-like
            Name of the file; it is compressed when the name ends in .gz or .zst.
        overwrite : bool, default=False
            Whether to replace an existing file; otherwise an existing file is an error.
        """
        from treewright.model.file.stored_tree import save_tree

        save_tree(self, path, overwrite=overwrite)

    @classmethod
    def load(cls, path: object) -> "Tree":
        """Read the tree of a model file: a saved tree, or the tree of a saved estimator.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from treewright.model.build import golf_example
        >>> with TemporaryDirectory() as folder:
        ...     golf_example().save(Path(folder) / "golf.json")
        ...     Tree.load(Path(folder) / "golf.json") == golf_example()
        True
        """
        from treewright.model.file.stored_tree import load_tree

        return load_tree(path)

    def fingerprint(self) -> str:
        """Return a SHA-256 of the schema and all columns: the same for equal trees on every machine.

        >>> from treewright.model.build import golf_example
        >>> golf_example().fingerprint() == golf_example().fingerprint()
        True
        """
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        digest = sha256(b"treewright tree 2\n")
        for text in schema_lines(self.schema):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
        digest.update(f"criterion {self.criterion}\n".encode("utf-8", "surrogatepass"))
        digest.update(f"missing {self.missing}\n".encode("utf-8", "surrogatepass"))
        for name in COLUMNS:
            digest.update(column_bytes(name, getattr(self, name)))
        if self.surrogates is not None:
            digest.update(self.surrogates.to_bytes())
        if not self.prediction_rule.is_default:
            digest.update(fingerprint_line(self.prediction_rule).encode())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self is other or self.fingerprint() == other.fingerprint()

    def __hash__(self) -> int:
        return int(self.fingerprint()[:15], 16)

    def __copy__(self) -> "Tree":
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> "Tree":
        return self

    def __getstate__(self) -> dict[str, object]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __setstate__(self, state: object) -> None:
        """Restore a pickled state; it is checked as strictly as a new tree."""
        names = [f.name for f in fields(self)]
        if isinstance(state, dict):
            # Version 0.1 called the field `answering`, and earlier trees had none.
            state = {"prediction_rule": state.get("answering", DEFAULT_RULE)} | state
            state.pop("answering", None)
        if not isinstance(state, dict) or sorted(map(str, state)) != sorted(names):
            raise ModelFormatError(
                f"The state of a tree must have exactly the fields {', '.join(names)}; fit and save the model again."
            )
        for name in names:
            object.__setattr__(self, name, state[name])
        self.__post_init__()

    def _repr_html_(self) -> str:
        from treewright.plot.svg import notebook_html

        return notebook_html(self, repr(self))

    def __repr__(self) -> str:
        return f"<Tree: {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.depth}>"


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
