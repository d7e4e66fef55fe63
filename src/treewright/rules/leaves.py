"""Leaves: a tree as rules, one for each leaf.

In: a tree, and which branch missing values take. Out: the rules, in the order in which the tree is printed. Tests of
the same column on the way to a leaf are put together into one condition.
"""

from collections.abc import Sequence
from math import sqrt
from typing import overload

import numpy as np
from numpy.typing import NDArray

from treewright.model.strategies import STRATEGIES, TO_HEAVIEST, TO_MISSING
from treewright.model.tree import Tree
from treewright.predict.rule import Rule as Asked
from treewright.predict.rule import missing_rule
from treewright.rules.branch import branch_conditions
from treewright.rules.condition import Condition
from treewright.rules.rule import Rule


def leaf_rules(tree: Tree, asked: Asked | None = None) -> tuple[Rule, ...]:
    """One rule for each leaf.

    asked  how the tree answers rows with missing values; None: as it was grown. Where a missing value takes one branch
           whatever else is in the row, the condition of that branch says so.

    >>> from treewright.model.build import golf_example
    >>> for rule in leaf_rules(golf_example()):
    ...     print(rule)
    outlook = sunny and humidity <= 75 -> Play
    outlook = sunny and humidity > 75 -> Don't Play
    outlook = overcast -> Play
    outlook = rain and windy = False -> Play
    outlook = rain and windy = True -> Don't Play
    """
    to_missing = _missing_branches(tree, asked or Asked())
    found: list[Rule] = []
    waiting: list[tuple[int, dict[int, Condition]]] = [(0, {})]
    while waiting:
        node, held = waiting.pop()
        n_branches = int(tree.n_children[node])
        if n_branches == 0:
            found.append(_rule(tree, node, len(found) + 1, tuple(held.values())))
            continue
        position, first = int(tree.column[node]), int(tree.first_child[node])
        conditions = branch_conditions(tree, node, int(to_missing[node]))
        above = held.get(position)
        for branch in range(n_branches - 1, -1, -1):
            here = conditions[branch] if above is None else above.and_also(conditions[branch])
            # A copy for each child, as large as the rules that come of it; a column keeps its place in the order.
            waiting.append((first + branch, {**held, position: here}))
    return tuple(found)


def leaves_in_order(tree: Tree) -> list[int]:
    """The leaves as the tree is printed: that of the first rule, of the second, and so on.

    >>> from treewright.model.build import golf_example
    >>> leaves_in_order(golf_example())
    [4, 5, 2, 6, 7]
    """
    found, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        first, n_branches = int(tree.first_child[node]), int(tree.n_children[node])
        if n_branches == 0:
            found.append(node)
        waiting += range(first + n_branches - 1, first - 1, -1)
    return found


class LeafRules(Sequence[Rule]):
    """The rules of a tree's leaves, made when one is first looked at: together they may be far larger than the tree.

    >>> from treewright.model.build import golf_example
    >>> rules = LeafRules(golf_example(), Asked())
    >>> len(rules), str(rules[2])
    (5, 'outlook = overcast -> Play')
    """

    __slots__ = ("_asked", "_made", "_tree")

    def __init__(self, tree: Tree, asked: Asked) -> None:
        self._tree, self._asked = tree, asked
        self._made: tuple[Rule, ...] | None = None

    def __len__(self) -> int:
        return self._tree.n_leaves

    @overload
    def __getitem__(self, i: int) -> Rule: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, i: int | slice) -> Rule | tuple[Rule, ...]:
        if self._made is None:
            self._made = leaf_rules(self._tree, self._asked)
        return self._made[i]


def _missing_branches(tree: Tree, asked: Asked) -> NDArray[np.int32]:
    """The branch that missing values take at each node, where it is always the same one; else -1."""
    strategy = STRATEGIES[missing_rule(tree, asked)]
    if strategy.goes == TO_HEAVIEST:
        return tree.heaviest_branch
    always = strategy.goes == TO_MISSING and not strategy.surrogates
    return tree.missing_branch if always else np.full(tree.n_nodes, -1, np.int32)


def _rule(tree: Tree, node: int, number: int, conditions: tuple[Condition, ...]) -> Rule:
    weight, value = float(tree.weight[node]), tree.value[node]
    support = weight / float(tree.weight[0])
    if tree.schema.target.classes is None:
        return Rule(
            number,
            conditions,
            float(value[0]),
            weight,
            support,
            deviation=deviation(tree, node),
            node=node,
        )
    code = int(tree.answers[node])
    confidence, usual = float(value[code]), float(tree.value[0, code])
    return Rule(
        number,
        conditions,
        tree.schema.target.classes[code],
        weight,
        support,
        confidence=confidence,
        lift=confidence / usual if usual > 0 else None,
        shares=tuple(value.tolist()),
        node=node,
    )


def deviation(tree: Tree, node: int) -> float:
    """How far the training rows of a regression node are from its number; 0 where there are none.

    The root of the mean square of the distances, or for absolute_error their mean.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.model.build import build, leaf, number
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("price"))
    >>> deviation(build(schema, number("age", 3, leaf(20.0, 4, 36.0), leaf(12.5))), 1)
    3.0
    """
    weight, loss = float(tree.weight[node]), float(tree.stats[node, 2])
    if weight <= 0:
        return 0.0
    return loss / weight if tree.by_median else sqrt(max(0.0, loss / weight))
