"""Steps: the way of one row through a tree, node by node.

In: a tree, a row in its codes and the rule it is answered by. Out: a `Step` for each node that the row comes to: what
is asked there, what the row has, what is done about it, and which branch or branches it takes. Where a row goes is
said by the routing kernel alone; here it is only put into words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import UNSEEN
from treewright.data.schema import Column, Kind
from treewright.model.split import Split, split_of
from treewright.model.strategies import SHARES, STRATEGIES
from treewright.model.surrogates import Surrogate, surrogates_of
from treewright.model.tree import Tree
from treewright.model.words import category_words, number_words, weight_words
from treewright.predict.ends import ends, parts
from treewright.predict.rule import Rule, missing_rule

KNOWN, ABSENT, LEAF = "known", "absent", "leaf"
"""How a node is passed, besides the names of the rules for missing values: the value decides; the value is a category
that did not come to this node in training; nothing is asked."""

HEAVIER = "heavier"
"""No surrogate knows its value, so the heavier branch is taken."""

WHY = {
    KNOWN: "",
    ABSENT: ", as categories that did not come here in training",
    HEAVIER: STRATEGIES["surrogate"].why[0],
    **{name: strategy.why[0] for name, strategy in STRATEGIES.items()},
}
"""What is said behind a branch, by how the node is passed."""

N_BRANCHES = 8
"""Branches that a sentence names, those of most weight."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A branch that a row takes.

    words   what holds for the rows of the branch
    node    where it leads
    share   the part of what came to the node above that goes this way
    weight  of the training rows in the branch
    of      of the training rows in all branches of the node: a row is shared out by weight / of
    """

    words: str
    node: int
    share: float
    weight: float
    of: float


@dataclass(frozen=True, slots=True)
class Step:
    """A node on the way of a row.

    node       its number
    share      the part of the row that comes here, 1 unless a missing value shared it out
    column     the name of the column asked for; None where nothing is asked, at a leaf
    value      what the row has there; None where it is missing
    unseen     whether that is a category that training never showed
    how        "known": the value decides; "absent": it is a category that did not come to this node in training;
               "fractional", "surrogate", "heavier" (no surrogate knew its value), "learned", "branch", "majority",
               "stop": the rule for what is missing or unseen; "leaf": nothing is asked
    takes      the branches taken from here, none at the end of a way
    surrogate  the question that stood in, with the share of the training rows for which it agrees with the one asked
    agree      that share; None where no surrogate stood in
    own        whether the branch taken is one of missing values alone
    has        what the row has, in words
    count      training rows that came here, with all of their weight or some of it
    weight     that weight
    shares     of the classes among them; None for regression
    number     what the node would answer; None for classification
    """

    node: int
    share: float
    column: str | None
    value: Any
    unseen: bool
    how: str
    takes: tuple[Taken, ...]
    surrogate: str | None
    agree: float | None
    own: bool
    has: str
    count: int
    weight: float
    shares: Mapping[Any, float] | None
    number: float | None

    @property
    def goes(self) -> str:
        """Where the row goes from here, and why if its value does not say so."""
        if self.column is None:
            return LEAF
        if not self.takes:
            return "nowhere: this node answers"
        if self.how in STRATEGIES and STRATEGIES[self.how].goes == SHARES:
            return _shared_out(self.takes)
        words = self.takes[0].words
        if self.surrogate is not None:
            return f"{words}, because {self.surrogate} (agrees in {self.agree:.1%} of the rows)"
        return words if self.own else words + WHY[self.how]

    @property
    def words(self) -> str:
        """All of it in a sentence."""
        return self.goes if self.column is None else f"{self.column} is {self.has}: {self.goes}"


@dataclass(frozen=True, slots=True)
class Cell:
    """What a row has in a column: its code, the value in the user's words, and whether training never showed it."""

    code: float
    value: Any
    unseen: bool

    @property
    def is_known(self) -> bool:
        return bool(self.code > UNSEEN)

    def words(self) -> str:
        if self.unseen:
            return category_words(self.value)
        if not self.is_known:
            return "missing"
        return number_words(self.value) if isinstance(self.value, float) else category_words(self.value)


def read_cells(columns: tuple[Column, ...], values: NDArray[np.float64], unseen: Mapping[str, Any]) -> list[Cell]:
    """The cells of a row in the user's words; `unseen` has the values that training never showed, by column.

    >>> read_cells((Column("size", Kind.ORDERED, ("S", "M")),), np.array([1.0]), {})
    [Cell(code=1.0, value='M', unseen=False)]
    """
    found = []
    for column, code in zip(columns, values.tolist(), strict=True):
        if column.name in unseen:
            found.append(Cell(code, unseen[column.name], True))
        elif not code > UNSEEN:
            found.append(Cell(code, None, False))
        else:
            found.append(Cell(code, code if column.kind is Kind.NUMBER else column.categories[int(code)], False))
    return found


def way(tree: Tree, values: NDArray[np.float64], rule: Rule) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Every node that the row comes to, each before its branches, and the share of the row there.

    values  the row as a table of one row

    >>> from treewright.model.build import golf_example
    >>> way(golf_example(), np.array([[0, np.nan, 1]]), Rule("fractional"))
    (array([0, 1, 4, 5]), array([1. , 1. , 0.4, 0.6]))
    """
    end, several = ends(tree, values, rule)
    if len(several):
        part = next(parts(tree, values, rule.unseen, several))
        return part.nodes, part.weights
    nodes, node = [], int(end[0])
    while node >= 0:
        nodes.append(node)
        node = int(tree.parent[node])
    return np.array(nodes[::-1]), np.ones(len(nodes))


def steps(tree: Tree, row: list[Cell], found: tuple[NDArray[np.int64], NDArray[np.float64]], rule: Rule) -> list[Step]:
    """The nodes that the row comes to, in words; `found` are these nodes and the shares of the row.

    >>> from treewright.model.build import golf_example
    >>> tree, values = golf_example(), np.array([[0, 70.0, 1]])
    >>> cells = read_cells(tree.schema.columns, values[0], {})
    >>> [step.words for step in steps(tree, cells, way(tree, values, Rule()), Rule())]
    ['outlook is sunny: outlook = sunny', 'humidity is 70: humidity <= 75', 'leaf']
    """
    nodes, share = (column.tolist() for column in found)
    share_at = dict(zip(nodes, share, strict=True))
    below: dict[int, list[int]] = {node: [] for node in nodes}
    for node in nodes[1:]:
        below[int(tree.parent[node])].append(node)
    missing = missing_rule(tree, rule)
    return [_step(tree, row, node, (share_at, below[node]), (missing, rule.unseen)) for node in nodes]


def _step(
    tree: Tree, row: list[Cell], node: int, around: tuple[dict[int, float], list[int]], rules: tuple[str, str]
) -> Step:
    share_at, children = around
    split = split_of(tree, node)
    has, how, own, taken, stand_in = "", LEAF, False, [], None
    if split is not None:
        first, cell = int(tree.first_child[node]), row[split.position]
        branches = [child - first for child in children]
        how, stand_in = _how(tree, row, node, split, rules)
        total = float(tree.weight[first : first + split.n_branches].sum())
        for branch, child in zip(branches, children, strict=True):
            share, weight = share_at[child] / share_at[node], float(tree.weight[child])
            taken.append(Taken(split.branch_words(branch), child, share, weight, total))
        has = _has(cell)
        own = how in STRATEGIES and STRATEGIES[how].adds_branch and branches == [split.only_missing]
    classes, here = tree.schema.target.classes, tree.value[node].tolist()
    return Step(
        node=node,
        share=share_at[node],
        column=None if split is None else split.name,
        value=None if split is None else row[split.position].value,
        unseen=split is not None and row[split.position].unseen,
        how=how,
        takes=tuple(taken),
        surrogate=None if stand_in is None else stand_in.branch_words(branches[0]),
        agree=None if stand_in is None else stand_in.agree,
        own=own,
        has=has,
        count=int(tree.count[node]),
        weight=float(tree.weight[node]),
        shares=None if classes is None else dict(zip(classes, here, strict=True)),
        number=here[0] if classes is None else None,
    )


def _how(
    tree: Tree, row: list[Cell], node: int, split: Split, rules: tuple[str, str]
) -> tuple[str, Surrogate | None]:
    """How the row passes the node, and the surrogate that stood in; `rules` are for what is missing and unseen."""
    cell, (missing, unseen) = row[split.position], rules
    if cell.is_known:
        return (ABSENT if _is_absent(split, cell) else KNOWN), None
    if cell.code == UNSEEN:
        return unseen, None
    if not STRATEGIES[missing].surrogates:
        return missing, None
    for one in surrogates_of(tree, node):
        other = row[one.split.position]
        if other.is_known and (one.split.table is None or int(other.code) in one.split.table[0]):
            return missing, one
    return HEAVIER, None


def _is_absent(split: Split, cell: Cell) -> bool:
    """Whether the category did not come to the node in training, and goes where others are at home."""
    if split.table is None or split.other is None or int(cell.code) in split.table[0]:
        return False
    return cell.value not in split.categories(split.other)


def _has(cell: Cell) -> str:
    """What the row has, with what that means where training never showed it."""
    if not cell.unseen:
        return cell.words()
    return f"{cell.words()}, never seen" + ("" if cell.code == UNSEEN else ", so missing")


def _shared_out(taken: tuple[Taken, ...]) -> str:
    """A row shared out among branches, as fractions of the training rows."""
    if len(taken) == 1:
        return f"{taken[0].words}, as all training rows with a known value"
    most = sorted(range(len(taken)), key=lambda i: -taken[i].weight)[:N_BRANCHES]
    shown = [taken[i] for i in sorted(most)]
    said = [f"{weight_words(one.weight)}/{weight_words(one.of)} {one.words}" for one in shown]
    if len(taken) > len(shown):
        said.append(f"… {len(taken) - len(shown)} more branches")
    return "every branch: " + ", ".join(said)
