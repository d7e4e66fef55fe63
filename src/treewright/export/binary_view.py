"""A tree as a binary tree over coded columns, for programs that know only binary trees on numbers.

In: a `Scoring`. Out: a `BinaryTree`: the arrays of scikit-learn's `tree_`, the coded columns, and the rows of a table
in these columns.

A number is a coded column as it is, an ordered category by its code. A set of categories is a column that is 1 for the
categories of the set and 0 for others. A node with several branches becomes a chain of tests: the last branch against
the others, and so on, so the leaves keep their order from left to right. Where missing values have a branch of their
own, or stop at the node, a column "age is missing" is tested first; otherwise they follow `missing_go_to_left`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import UNSEEN_EFFECTS, encode_table, refuse_missing, warn_unseen
from treewright.data.frames import to_narwhals
from treewright.data.schema import Column, Kind
from treewright.errors import ExportError, one_of
from treewright.export.probe_rows import Probes, make_probes, predict_probes
from treewright.export.scoring import EVERY, REFUSE, STOP, NodeTest, Scoring
from treewright.model.formatting import format_categories, format_category
from treewright.model.strategies import REFUSED, STRATEGIES
from treewright.predict.table_prediction import check_column_names

Floats = NDArray[np.float64]

VALUE, SET, MISSING, UNSEEN = "value", "set", "missing", "unseen"
"""What a coded column is: the number or code itself; 1 for some categories; 1 for a missing value; 1 for an unseen
category."""

NO_CHILD, NO_FEATURE = -1, -2
"""Of a leaf, as in scikit-learn."""

HANDLINGS = ("auto", "refuse", "keep")
ADVICE = "pass rows without missing values, or set missing_predict='majority' or missing_predict='stop'"


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """A column of a binary tree.

    name      such as "age", "city = Oslo", "city in {Bern, Rome}" or "age is missing"
    position  of the column of the user in the schema
    kind      VALUE, SET, MISSING or UNSEEN
    codes     the codes of the categories of a SET; empty otherwise
    """

    name: str
    position: int
    kind: str = VALUE
    codes: tuple[int, ...] = ()

    def encode(self, cells: Floats) -> Floats:
        """The column for encoded cells: NaN is missing, minus infinity an unseen category.

        >>> CodedColumn("city = Oslo", 0, SET, (2,)).encode(np.array([2.0, 1.0, np.nan])).tolist()
        [1.0, 0.0, nan]
        """
        if self.kind == MISSING:
            return np.isnan(cells).astype(np.float64)
        if self.kind == UNSEEN:
            return np.isneginf(cells).astype(np.float64)
        found = np.isin(cells, self.codes).astype(np.float64) if self.kind == SET else cells
        return np.where(np.isfinite(cells), found, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class BinaryTree:
    """A binary tree over coded columns; its arrays have the names and shapes of scikit-learn's `tree_`.

    scoring                  the decisions that it was made of
    columns                  the coded columns
    node                     the node of the tree that each binary node belongs to
    children_left            the child for value <= threshold, -1 at a leaf
    children_right           the child for value > threshold, -1 at a leaf
    feature                  the coded column of the test, -2 at a leaf
    threshold                -2 at a leaf
    missing_go_to_left       the child of NaN, as 0 or 1
    value                    (node_count, 1, n_classes) probabilities, or (node_count, 1, 1) numbers
    impurity                 of the nodes; of a link of a chain, that of its training rows
    n_node_samples           training rows
    weighted_n_node_samples  their weight
    max_depth                depth of the deepest node
    obstacles                (position, MISSING or UNSEEN): why such cells of the column are refused
    """

    scoring: Scoring
    columns: tuple[CodedColumn, ...]
    node: NDArray[np.intp]
    children_left: NDArray[np.intp]
    children_right: NDArray[np.intp]
    feature: NDArray[np.intp]
    threshold: Floats
    missing_go_to_left: NDArray[np.uint8]
    value: Floats
    impurity: Floats
    n_node_samples: NDArray[np.int64]
    weighted_n_node_samples: Floats
    max_depth: int
    obstacles: Mapping[tuple[int, str], str] = field(default_factory=dict)

    @property
    def node_count(self) -> int:
        return len(self.node)

    @property
    def n_leaves(self) -> int:
        return int((self.children_left == NO_CHILD).sum())

    @property
    def n_features(self) -> int:
        return len(self.columns)

    @property
    def n_outputs(self) -> int:
        return 1

    @property
    def max_n_classes(self) -> int:
        return self.value.shape[2]

    @property
    def n_classes(self) -> NDArray[np.intp]:
        return np.array([self.value.shape[2]])

    @property
    def feature_names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def is_numeric(self) -> bool:
        """Whether the coded columns are the columns of the user, all of them numbers."""
        columns = self.scoring.tree.schema.columns
        same = [column.position for column in self.columns] == list(range(len(columns)))
        return same and all(column.kind is Kind.NUMBER and column.source is None for column in columns)

    def codes(self, X: Any) -> Floats:
        """Read a table: one number for each column of the model, categories as codes; NaN is missing.

        Raises
        ------
        ExportError
            If a row has a missing value or an unseen category that the binary tree cannot route as the model does.
        """
        values = read_codes(self.scoring, X)
        for (position, what), sentence in self.obstacles.items():
            lacks = np.isnan(values[:, position]) if what == MISSING else np.isneginf(values[:, position])
            if lacks.any():
                name = self.scoring.tree.schema.names[position]
                words = "a missing value" if what == MISSING else "an unseen category"
                raise ExportError(f"Row {int(lacks.argmax())} has {words} in column {name!r}. {sentence}")
        return values

    def encode(self, X: Any) -> Floats:
        """Read a table into the coded columns, (n_rows, n_features); errors as in `codes`."""
        return self.encode_codes(self.codes(X))

    def encode_codes(self, values: Floats) -> Floats:
        """The coded columns of encoded rows."""
        coded = np.empty((len(values), len(self.columns)))
        for i, column in enumerate(self.columns):
            coded[:, i] = column.encode(values[:, column.position])
        return coded

    def decode_columns(self, numbers: Floats) -> Floats:
        """Sum numbers of coded columns, (n_rows, n_features, ...), by the columns of the user."""
        summed = np.zeros((len(numbers), self.scoring.tree.schema.n_columns, *numbers.shape[2:]))
        for i, column in enumerate(self.columns):
            summed[:, column.position] += numbers[:, i]
        return summed

    def apply(self, coded: Floats) -> NDArray[np.intp]:
        """The leaf of each row of coded columns."""
        nodes = np.zeros(len(coded), np.intp)
        for _ in range(self.max_depth):
            rows = np.flatnonzero(self.children_left[nodes] != NO_CHILD)
            at = nodes[rows]
            cells = coded[rows, self.feature[at]]
            left = np.where(np.isnan(cells), self.missing_go_to_left[at] == 1, cells <= self.threshold[at])
            nodes[rows] = np.where(left, self.children_left[at], self.children_right[at])
        return nodes

    def accepts(self, values: Floats) -> NDArray[np.bool_]:
        """Which encoded rows have no missing or unseen cell that `encode` refuses."""
        accepted = np.ones(len(values), bool)
        for position, what in self.obstacles:
            accepted &= ~(np.isnan(values[:, position]) if what == MISSING else np.isneginf(values[:, position]))
        refuses, unseen = _reading(self.scoring)
        if refuses:
            accepted &= ~np.isnan(values).any(axis=1)
        if unseen == "error":
            accepted &= ~np.isneginf(values).any(axis=1)
        return accepted


def as_binary(scoring: Scoring, missing: str = "auto") -> BinaryTree:
    """Return a tree as a binary tree over coded columns.

    Parameters
    ----------
    scoring : Scoring
        The decisions of the tree.
    missing : {"auto", "refuse", "keep"}, default="auto"
        Missing values and unseen categories. "auto": routed as the model routes them, and refused by `encode` in the
        columns where a binary tree cannot do that. "refuse": always refused; the tree has no tests of them. "keep":
        an error if a binary tree cannot express how the model routes them: fractions, or surrogate splits.

    Returns
    -------
    BinaryTree
        Where the coded column of a node is at most its threshold, the row goes left, as in scikit-learn.

    Raises
    ------
    ExportError
        With missing="keep": the first node that cannot be expressed, and the setting that helps.

    Examples
    --------
    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> found = as_binary(scoring(golf_example(), "majority"))
    >>> found.feature_names
    ['outlook = overcast', 'outlook = rain', 'humidity', 'windy = True']
    >>> found.node_count, found.children_left.tolist()[:5], found.threshold.tolist()[:3]
    (9, [1, 2, 3, -1, -1], [0.5, 0.5, 75.0])
    >>> found.encode([["rain", 70.0, True]]).tolist()
    [[0.0, 1.0, 70.0, 1.0]]
    >>> as_binary(scoring(golf_example(), "fractional"), missing="keep")
    Traceback (most recent call last):
    treewright.errors.ExportError: Node 0 sends a row with a missing value in column 'outlook' down every branch with a
    fraction of its weight (missing_predict='fractional'), which a binary tree cannot express; pass rows without missing
    values, or set missing_predict='majority' or missing_predict='stop'.
    """
    return _Builder(scoring, one_of("missing", missing, HANDLINGS)).build()


def read_codes(scoring: Scoring, X: Any) -> Floats:
    """Read a table as `predict` does: numbers and codes of categories; NaN is missing, minus infinity unseen.

    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> read_codes(scoring(golf_example(), "stop"), [["rain", None, True]]).tolist()
    [[2.0, nan, 1.0]]
    """
    schema = scoring.tree.schema
    check_column_names(schema.names, getattr(to_narwhals(X), "columns", None))
    refuses, unseen = _reading(scoring)
    encoded = encode_table(X, schema.columns, unseen if unseen in ("missing", "error") else "mark")
    if refuses:
        refuse_missing(schema.columns, encoded.values)
    if encoded.unseen:
        warn_unseen(encoded.unseen, f"such a value {UNSEEN_EFFECTS[scoring.unseen]}")
    return encoded.values


def _reading(scoring: Scoring) -> tuple[bool, str]:
    """Whether a table with missing values is refused, in any column; and what its unseen categories do."""
    refuses = STRATEGIES[scoring.missing].goes == REFUSED
    return refuses, "error" if refuses and scoring.unseen == "missing" else scoring.unseen


def binary_probes(binary: BinaryTree, training: Floats | None = None) -> Probes:
    """Rows that try every decision, without those that `encode` refuses; `training` has encoded rows.

    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> probes = binary_probes(as_binary(scoring(golf_example(), "fractional")))
    >>> len(probes.values) > 10, bool(np.isnan(probes.values).any())
    (True, False)
    """
    probes = make_probes(binary.scoring, training)
    return predict_probes(binary.scoring, probes.values[binary.accepts(probes.values) & ~probes.refused])


@dataclass(frozen=True, slots=True)
class _Part:
    """What becomes a binary node.

    node      of the tree
    n_flags   how many tests of missing and unseen values of the node are behind
    branches  the branches that are left; None: all that known values take; (): rows that stop at the node
    """

    node: int
    n_flags: int = 0
    branches: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class _Test:
    """The test of a binary node: a coded column as (position, kind, codes), and its two sides."""

    column: tuple[int, str, tuple[int, ...]]
    threshold: float
    left: _Part
    right: _Part
    missing_left: bool = False


class _Builder:
    """Makes the nodes of a binary tree in the order of scikit-learn: a node, its left subtree, its right subtree.

    flags     for each inner node: (MISSING or UNSEEN, branch or STOP), where such rows leave those with a value
    nan_goes  for each inner node: the branch of the other rows without a value; -1 if there are none
    """

    def __init__(self, scoring: Scoring, missing: str) -> None:
        self.scoring, self.missing = scoring, missing
        self.obstacles: dict[tuple[int, str], str] = {}
        ordered = [i for i, column in enumerate(scoring.tree.schema.columns) if column.kind is not Kind.CATEGORY]
        self.columns: dict[tuple[int, str, tuple[int, ...]], None] = dict.fromkeys((i, VALUE, ()) for i in ordered)
        self.flags: dict[int, list[tuple[str, int]]] = {}
        self.nan_goes: dict[int, int] = {}
        for one in scoring.tests:
            if one is not None:
                self._plan(one)

    def build(self) -> BinaryTree:
        parts: list[_Part] = []
        tests: list[_Test | None] = []
        left: list[int] = []
        right: list[int] = []
        depths: list[int] = []
        waiting = [(_Part(0), 0, left, -1)]
        while waiting:
            part, depth, links, parent = waiting.pop()
            place, part = len(parts), self._skip_single(part)
            if parent >= 0:
                links[parent] = place
            test = self._test(part)
            parts.append(part)
            tests.append(test)
            left.append(NO_CHILD)
            right.append(NO_CHILD)
            depths.append(depth)
            if test is not None:
                self.columns.setdefault(test.column)
                waiting += [(test.right, depth + 1, right, place), (test.left, depth + 1, left, place)]
        return self._assemble(parts, tests, (np.array(left), np.array(right)), max(depths))

    def _assemble(
        self,
        parts: list[_Part],
        tests: list[_Test | None],
        children: tuple[NDArray[np.intp], NDArray[np.intp]],
        depth: int,
    ) -> BinaryTree:
        kinds = (VALUE, MISSING, UNSEEN, SET)
        if not self.columns:  # a single leaf of a table of categories; other libraries want a column
            self.columns[0, MISSING, ()] = None
        keys = sorted(self.columns, key=lambda key: (key[0], kinds.index(key[1]), key[2]))
        place = {key: i for i, key in enumerate(keys)}
        value, impurity, count, weight = _statistics(self.scoring, parts, *children)
        return BinaryTree(
            scoring=self.scoring,
            columns=tuple(_coded_column(self.scoring.tree.schema.columns[key[0]], *key) for key in keys),
            node=np.array([part.node for part in parts]),
            children_left=children[0],
            children_right=children[1],
            feature=np.array([NO_FEATURE if test is None else place[test.column] for test in tests]),
            threshold=np.array([-2.0 if test is None else test.threshold for test in tests]),
            missing_go_to_left=np.array([test is not None and test.missing_left for test in tests], np.uint8),
            value=value[:, None, :],
            impurity=impurity,
            n_node_samples=count,
            weighted_n_node_samples=weight,
            max_depth=depth,
            obstacles=self.obstacles,
        )

    def _plan(self, one: NodeTest) -> None:
        """Decide how rows without a value pass a node."""
        known, flags = one.test.branches, self.flags.setdefault(one.node, [])
        self.nan_goes[one.node] = -1
        if self.missing == "refuse":
            for what in (MISSING, UNSEEN):
                self._refuse(one, what, "This binary tree was made with missing='refuse'.")
            return
        missing, unseen = self._missing_route(one), self._unseen_route(one)
        if missing in known and unseen in known and missing != unseen:
            reason = f"another branch than a missing value (unseen_category={self.scoring.unseen!r})"
            self._obstacle(one, UNSEEN, reason, "set unseen_category='missing'")
            unseen = None
        for what, route in ((MISSING, missing), (UNSEEN, unseen)):
            if route is not None and route in known:
                self.nan_goes[one.node] = route
            elif route is not None:
                flags.append((what, route))

    def _missing_route(self, one: NodeTest) -> int | None:
        """The branch of a missing value, or STOP; None if it is refused."""
        name = self.scoring.missing
        if one.missing == REFUSE:
            self._refuse(one, MISSING, "The model refuses it (missing_predict='error').")
        elif one.surrogates:
            self._obstacle(one, MISSING, f"the branch of a surrogate split (missing_predict={name!r})", ADVICE)
        elif one.missing == EVERY:
            reason = f"every branch with a fraction of its weight (missing_predict={name!r})"
            self._obstacle(one, MISSING, reason, ADVICE)
        else:
            return one.missing
        return None

    def _unseen_route(self, one: NodeTest) -> int | None:
        """The branch of an unseen category, or STOP; None if it is refused or a missing value."""
        if one.unseen == REFUSE:
            self._refuse(one, UNSEEN, "The model refuses it (unseen_category='error').")
            return None
        return one.unseen

    def _obstacle(self, one: NodeTest, what: str, reason: str, advice: str) -> None:
        words = "a missing value" if what == MISSING else "an unseen category"
        sentence = (
            f"Node {one.node} sends a row with {words} in column {one.test.column.name!r} down {reason}, which a "
            f"binary tree cannot express; {advice}."
        )
        if self.missing == "keep":
            raise ExportError(sentence)
        self._refuse(one, what, sentence)

    def _refuse(self, one: NodeTest, what: str, sentence: str) -> None:
        self.obstacles.setdefault((one.test.position, what), sentence)

    def _skip_single(self, part: _Part) -> _Part:
        """The part itself; or, if its rows can reach only one child, that child."""
        while part.branches != ():
            one = self.scoring.tests[part.node]
            if one is None or part.n_flags < len(self.flags[part.node]):
                break
            branches = one.test.branches if part.branches is None else part.branches
            if len(branches) != 1:
                break
            part = _Part(one.children[branches[0]])
        return part

    def _test(self, part: _Part) -> _Test | None:
        one = self.scoring.tests[part.node]
        if one is None or part.branches == ():
            return None
        flags, n = self.flags[part.node], part.n_flags
        if n < len(flags):
            what, route = flags[n]
            target = _Part(part.node, 0, ()) if route == STOP else _Part(one.children[route])
            return _Test((one.test.position, what, ()), 0.5, _Part(part.node, n + 1), target)
        branches = one.test.branches if part.branches is None else part.branches
        rest, last = branches[:-1], branches[-1]
        left = _Part(one.children[rest[0]]) if len(rest) == 1 else _Part(part.node, n, rest)
        column, threshold = _known_test(one, rest, last)
        return _Test(column, threshold, left, _Part(one.children[last]), self.nan_goes[part.node] in rest)


def _known_test(one: NodeTest, rest: tuple[int, ...], last: int) -> tuple[tuple[int, str, tuple[int, ...]], float]:
    """The coded column and threshold of which the upper side is the last branch, and the lower one the others."""
    test = one.test
    if test.codes is None:
        assert test.threshold is not None
        return (test.position, VALUE, ()), test.threshold
    codes = dict(zip(test.branches, test.codes, strict=True))
    highest = max(code for branch in rest for code in codes[branch])
    if test.column.kind is Kind.ORDERED and highest < min(codes[last]):
        return (test.position, VALUE, ()), highest + 0.5
    return (test.position, SET, tuple(codes[last])), 0.5


def _coded_column(column: Column, position: int, kind: str, codes: tuple[int, ...]) -> CodedColumn:
    """A coded column with its name."""
    if kind == SET:
        words = [column.categories[code] for code in codes]
        test = f"= {format_category(words[0])}" if len(words) == 1 else f"in {format_categories(words)}"
        return CodedColumn(f"{column.name} {test}", position, SET, codes)
    return CodedColumn(column.name if kind == VALUE else f"{column.name} is {kind}", position, kind)


def _statistics(
    scoring: Scoring, parts: list[_Part], left: NDArray[np.intp], right: NDArray[np.intp]
) -> tuple[Floats, Floats, NDArray[np.int64], Floats]:
    """Value, impurity, number of rows and weight of each binary node: those of its node, or summed for a part of it."""
    tree = scoring.tree
    nodes = np.array([part.node for part in parts])
    value, impurity = tree.value[nodes], tree.impurity[nodes]
    mean = tree.stats[nodes, 1] if scoring.is_regression else np.zeros(len(nodes))
    count, weight, stats = tree.count[nodes], tree.weight[nodes], tree.stats[nodes]
    for i in reversed(range(len(parts))):
        part = parts[i]
        if part.branches == ():
            one = scoring.tests[part.node]
            assert one is not None
            children = list(one.children)
            count[i] = max(0, count[i] - tree.count[children].sum())
            weight[i] = max(0.0, weight[i] - tree.weight[children].sum())
        elif part.branches is not None or part.n_flags:
            pair = [left[i], right[i]]
            count[i] = min(count[i], count[pair].sum())
            weight[i] = weight[pair].sum()
            if weight[i] > 0:
                value[i] = weight[pair] @ value[pair] / weight[i]
                stats[i] = stats[pair].sum(axis=0)
                impurity[i] = _joint_impurity(scoring, stats[i], (weight[pair], mean[pair], impurity[pair]))
                mean[i] = weight[pair] @ mean[pair] / weight[i]
    return value, impurity, count, weight


def _joint_impurity(scoring: Scoring, stats: Floats, sides: tuple[Floats, Floats, Floats]) -> float:
    """The impurity of the rows of two nodes together; of medians and rates, the mean of both impurities."""
    tree = scoring.tree
    if not scoring.is_regression:
        return float(tree.measured_by.of_weights(stats[None])[0])
    weight, mean, impurity = sides
    within = float(weight @ impurity / weight.sum())
    if tree.not_squared:
        return within
    return within + float(weight @ (mean - weight @ mean / weight.sum()) ** 2 / weight.sum())
