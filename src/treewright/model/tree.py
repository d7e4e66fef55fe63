"""Tree: the immutable result of growth; everything else only reads it.

In: columns of numbers, one entry per node, and the schema. Out: the same columns, frozen and checked.

Numbering: the root is 0, siblings are neighbours (`child = first_child + branch`) and `parent[i] < i`. So a
bottom-up pass is a reversed range, and a branch costs no more than an addition.
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
from treewright.errors import InputError, KindError, ModelFormatError
from treewright.model.answering import PLAIN, Answering, answering_line, decide
from treewright.model.branches import branch_shares, heaviest_branch
from treewright.model.columns import COLUMNS, column_bytes, frozen_column, schema_lines
from treewright.model.strategies import STRATEGIES, Strategy
from treewright.model.surrogates import Surrogates

if TYPE_CHECKING:
    from treewright._core.predict import RowRouter
    from treewright.model.node import Node
    from treewright.model.pack import Packed

LEAF, THRESHOLD, TABLE = 0, 1, 2
"""Kinds of node: a leaf; a number (or ordered code) against a threshold; a category looked up in a table."""

"""What growth did with missing values."""


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree as read-only columns, one entry per node.

    parent       int64, -1 at the root
    first_child  int64, -1 at a leaf
    n_children   int64, 0 at a leaf
    kind         int8, LEAF, THRESHOLD or TABLE
    column       int32, the schema column tested, -1 at a leaf
    threshold    float64; branch 0 takes value <= threshold, branch 1 the rest, branch 2 (if any) missing values;
                 infinity where the split asks whether the value is missing; NaN unless kind is THRESHOLD
    table_start  int64, n_nodes + 1 offsets: node i owns table_code/table_branch[table_start[i]:table_start[i+1]]
    table_code   int32, category codes met at the node (all of the schema's where each has a branch), rising
    table_branch int32, the branch of each of these codes
    other        int32, the branch of a category of the schema that is not in the node's table; -1 unless TABLE
    missing_branch int32, the branch of a row whose value is missing, where one has to be taken; -1 at a leaf
    count        int64, training rows that have some of their weight here
    weight       float64, that weight
    stats        float64; classification: (n_nodes, n_classes) class weights; regression: (n_nodes, 3) with
                 weight, value and loss (sum of w (y - mean)^2, or of w |y - median|)
    value        float64; classification: (n_nodes, n_classes) the probability of each class, by `answering`;
                 regression: (n_nodes, 1). An empty branch has its parent's value.
    impurity     float64, per unit of weight
    gain         float64, what the split takes off the impurity, less its charge; NaN at a leaf
    merit        float64, the number the chosen column won with (gain or gain ratio); NaN at a leaf

    Besides `schema`: `criterion`; `missing`, what growth did with missing values (a name in STRATEGIES); and
    `surrogates`, what stands in for splits whose value is missing, None when none were searched; and `answering`, how
    class weights become probabilities and an answer, by default the shares and the class of most weight.
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
    answering: Answering = PLAIN

    def __post_init__(self) -> None:
        # Imported here, because check.py reads the kinds of node above.
        from treewright.model.check import check_tree

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
        answering: Answering = PLAIN,
        **columns: NDArray[Any],
    ) -> "Tree":
        """A tree of columns that are right by construction, as the grower's are: frozen, without the check."""
        tree = object.__new__(cls)
        tree.__dict__.update(
            columns, schema=schema, criterion=criterion, missing=missing, surrogates=surrogates, answering=answering
        )
        for name, dtype in COLUMNS.items():
            column = columns[name]
            if column.flags.writeable or column.dtype is not dtype:  # what is frozen already is taken as it is
                tree.__dict__[name] = frozen_column(name, column, dtype)
        return tree

    @classmethod
    def of_frozen(cls, **fields: Any) -> "Tree":
        """A tree of all its fields, whose columns are frozen already and right by construction."""
        tree = object.__new__(cls)
        tree.__dict__.update(fields)
        return tree

    @property
    def n_nodes(self) -> int:
        return len(self.parent)

    @cached_property
    def n_leaves(self) -> int:
        return int(np.count_nonzero(self.is_leaf))

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        return _read_only(self.n_children == 0)

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """How many steps each node is from the root."""
        from treewright._core.tree import depths

        steps = np.empty(self.n_nodes, np.int64)
        depths(self.parent, steps)
        return _read_only(steps)

    @cached_property
    def depth(self) -> int:
        """The depth of the deepest node; 0 for a single leaf."""
        return int(self.depths.max())

    @property
    def measured_by(self) -> Criterion:
        """The record of the criterion."""
        return CRITERIA[self.criterion]

    @property
    def strategy(self) -> Strategy:
        """The record of what growth did with missing values."""
        return STRATEGIES[self.missing]

    @property
    def by_median(self) -> bool:
        """Whether leaves predict medians, and losses are absolute distances from them."""
        return self.measured_by.by_median

    @cached_property
    def packed(self) -> "Packed":
        """The nodes as the routing kernel reads them, made when first asked for."""
        from treewright.model.pack import pack

        return pack(self)

    @cached_property
    def ways(self) -> "RowRouter | None":
        """The tree as a few ordinary rows are sent down it; None where categories are no whole numbers."""
        from treewright.model.ways import ways_of

        return ways_of(self)

    @cached_property
    def packed_surrogates(self) -> tuple[NDArray[Any], ...]:
        """The surrogates as the routing kernel reads them; without any, three empty arrays."""
        from treewright.model.pack import pack_surrogates

        return pack_surrogates(self.surrogates)

    @cached_property
    def heaviest_branch(self) -> NDArray[np.int32]:
        """The branch of most weight at each node, the first one on a tie; -1 at a leaf."""
        return _read_only(heaviest_branch(self.first_child, self.n_children, self.weight))

    @cached_property
    def branch_shares(self) -> NDArray[np.float64]:
        """The share of each node in the weight of its siblings and itself: how a row is split over branches."""
        links = self.first_child, self.n_children
        return _read_only(branch_shares(*links, self.weight, self.missing_branch))

    @cached_property
    def answers(self) -> NDArray[np.intp]:
        """The code of the class that each node answers: the likeliest, or with costs the cheapest one."""
        if self.schema.target.is_number:
            raise KindError("This tree answers with a number, so its nodes answer no class; ask for value.")
        return _read_only(decide(self.answering, self.value))

    @property
    def root(self) -> "Node":
        return self.node(0)

    def node(self, i: int) -> "Node":
        """A view of node i.

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
            raise InputError(f"There is no node {i!r}; the nodes of this tree are 0 to {self.n_nodes - 1}.")
        return Node(self, number)

    def walk(self) -> "Iterator[Node]":
        """All nodes, each before its children, branches in order."""
        return self.root.walk()

    def to_text(self, max_depth: int | None = None) -> str:
        """The tree as C4.5 prints it, in the user's words; see `treewright.model.text.to_text`."""
        from treewright.model.text import to_text

        return to_text(self, max_depth)

    def predict(self, X: object) -> NDArray[Any]:
        """The answer for each row of a table: its class, or its number.

        X  an array, a list of rows, or a pandas, polars or pyarrow table, with the columns of `schema` in their order

        Missing values are treated as in growth, and a category that training never showed as a missing value.

        >>> from treewright.model.build import golf_example
        >>> golf_example().predict([["sunny", 70.0, True], ["rain", 70.0, True]]).tolist()
        ['Play', "Don't Play"]
        """
        from treewright.predict.asked import answers

        return answers(self, X)

    def predict_proba(self, X: object) -> NDArray[np.float64]:
        """The share of each class for each row of a table, in the order of `schema.target.classes`."""
        from treewright.predict.asked import class_shares

        return class_shares(self, X)

    def apply(self, X: object) -> NDArray[np.int64]:
        """The number of the leaf that each row of a table comes to."""
        from treewright.predict.asked import leaf_numbers

        return leaf_numbers(self, X)

    def save(self, path: object, *, overwrite: bool = False) -> None:
        """Write the tree to a model file, compressed where its name ends in .gz or .zst; see docs/model-format.md.

        overwrite  whether a file that is there already is replaced; without it, it is refused
        """
        from treewright.model.file.alone import save_tree

        save_tree(self, path, overwrite=overwrite)

    @classmethod
    def load(cls, path: object) -> "Tree":
        """The tree of a model file: the one that was saved alone, or the one that a saved estimator answers by.

        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from treewright.model.build import golf_example
        >>> with TemporaryDirectory() as folder:
        ...     golf_example().save(Path(folder) / "golf.json")
        ...     Tree.load(Path(folder) / "golf.json") == golf_example()
        True
        """
        from treewright.model.file.alone import load_tree

        return load_tree(path)

    def fingerprint(self) -> str:
        """A SHA-256 of the schema and all columns: the same for the same tree, on every machine.

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
        if not self.answering.is_plain:
            digest.update(answering_line(self.answering).encode())
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
        """Take over a stored state, as strictly as a new tree: what contradicts itself is refused."""
        names = [f.name for f in fields(self)]
        if isinstance(state, dict):
            state = {"answering": PLAIN} | state  # trees of before had no other
        if not isinstance(state, dict) or sorted(map(str, state)) != sorted(names):
            raise ModelFormatError(
                f"A stored tree has the fields {', '.join(names)}, and no others; make it again."
            )
        for name in names:
            object.__setattr__(self, name, state[name])
        self.__post_init__()

    def __repr__(self) -> str:
        return f"<Tree: {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.depth}>"


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
