"""A tree as rules, one for each leaf, in the order of the printed tree.

Tests of the same column on the path to a leaf are joined into one condition. The conditions are exact: categories that
no training row had at a node are in the condition of the branch that the tree sends them down.
"""

from collections.abc import Sequence
from math import inf
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from treewright.model.strategies import STRATEGIES, TO_HEAVIEST, TO_MISSING
from treewright.model.tree import THRESHOLD, Tree
from treewright.predict.missing_policy import MissingPolicy, resolve_missing
from treewright.rules.rule import Condition, Rule
from treewright.rules.rule_prediction import RowReader, TreePredictor
from treewright.rules.ruleset import RuleSet


def make_leaf_rules(
    tree: Tree, policy: MissingPolicy, reader: RowReader, classes: NDArray[Any], language: str = "en"
) -> RuleSet:
    """Make the rule set of a tree, one rule for each leaf.

    policy   how the tree predicts rows with missing values
    reader   how the rows of a table are encoded
    classes  of the estimator; empty for regression
    """
    rules = leaf_rules(tree, policy)
    rule_of_leaf = {rule.node: i for i, rule in enumerate(rules) if rule.node is not None}
    return RuleSet(
        "leaves",
        tree.schema.target.name,
        classes,
        rules,
        language=language,
        _reader=reader,
        _predictor=TreePredictor(tree, policy, rule_of_leaf),
    )


def leaf_rules(tree: Tree, policy: MissingPolicy | None = None) -> tuple[Rule, ...]:
    """Make one rule for each leaf.

    policy  how the tree predicts rows with missing values; None: as it was grown. Where a missing value always takes
            the same branch, the condition of that branch says so.

    >>> from treewright.model.build import golf_example
    >>> for rule in leaf_rules(golf_example()):
    ...     print(rule)
    outlook = sunny and humidity <= 75 -> Play
    outlook = sunny and humidity > 75 -> Don't Play
    outlook = overcast -> Play
    outlook = rain and windy = False -> Play
    outlook = rain and windy = True -> Don't Play
    """
    to_missing = _missing_branches(tree, policy or MissingPolicy())
    rules: list[Rule] = []
    waiting: list[tuple[int, dict[int, Condition]]] = [(0, {})]  # a node, and the conditions on its path by column
    while waiting:
        node, on_path = waiting.pop()
        n_branches = int(tree.n_children[node])
        if n_branches == 0:
            rules.append(_leaf_rule(tree, node, len(rules) + 1, tuple(on_path.values())))
            continue
        position, first = int(tree.column[node]), int(tree.first_child[node])
        conditions = branch_conditions(tree, node, int(to_missing[node]))
        above = on_path.get(position)
        for branch in range(n_branches - 1, -1, -1):
            condition = conditions[branch] if above is None else above.and_also(conditions[branch])
            # A copy for each child, as large as the rules made from it; a column keeps its position in the order.
            waiting.append((first + branch, {**on_path, position: condition}))
    return tuple(rules)


def _missing_branches(tree: Tree, policy: MissingPolicy) -> NDArray[np.int32]:
    """Return the branch that missing values always take at each node; -1 if that depends on the row."""
    strategy = STRATEGIES[resolve_missing(tree, policy)]
    if strategy.goes == TO_HEAVIEST:
        return tree.heaviest_branch
    always = strategy.goes == TO_MISSING and not strategy.surrogates
    return tree.missing_branch if always else np.full(tree.n_nodes, -1, np.int32)


def _leaf_rule(tree: Tree, node: int, number: int, conditions: tuple[Condition, ...]) -> Rule:
    weight, value = float(tree.weight[node]), tree.value[node]
    support = weight / float(tree.weight[0])
    if tree.schema.target.classes is None:
        deviation = tree.node(node).deviation
        return Rule(number, conditions, float(value[0]), weight, support, deviation=deviation, node=node)
    code = int(tree.predicted_class[node])
    confidence, base_rate = float(value[code]), float(tree.value[0, code])
    return Rule(
        number,
        conditions,
        tree.schema.target.classes[code],
        weight,
        support,
        confidence=confidence,
        lift=confidence / base_rate if base_rate > 0 else None,
        probabilities=tuple(value.tolist()),
        node=node,
    )


def branch_conditions(tree: Tree, node: int, to_missing: int = -1) -> list[Condition]:
    """Return the condition of each branch of a node.

    to_missing  the branch whose condition holds for missing values too; -1: none. A branch that only missing values
                take holds for them in any case.

    >>> from treewright.model.build import golf_example
    >>> [condition.words() for condition in branch_conditions(golf_example(), 1)]
    ['humidity <= 75', 'humidity > 75']
    >>> [condition.words() for condition in branch_conditions(golf_example(), 0, to_missing=2)]
    ['outlook = sunny', 'outlook = overcast', 'outlook = rain or is missing']
    """
    position = int(tree.column[node])
    column = tree.schema.columns[position]
    n_branches = int(tree.n_children[node])
    takes_missing = [branch == to_missing for branch in range(n_branches)]
    only_missing = Condition(column, position, missing=True, known=False)
    if tree.kind[node] == THRESHOLD:
        threshold = float(tree.threshold[node])
        found = [Condition(column, position, high=threshold, missing=takes_missing[0])]
        if threshold < inf:
            found.append(Condition(column, position, low=threshold, missing=takes_missing[1]))
        return [*found, only_missing][:n_branches]
    missing_only = missing_only_branch(tree, node)
    return [
        only_missing
        if branch == missing_only
        else Condition(column, position, codes=codes, missing=takes_missing[branch])
        for branch, codes in enumerate(branch_codes(tree, node))
    ]


def branch_codes(tree: Tree, node: int) -> list[NDArray[np.int32]]:
    """Return the codes of all categories of the schema, by the branch they take at a node that splits on a category.

    >>> from treewright.model.build import golf_example
    >>> [codes.tolist() for codes in branch_codes(golf_example(), 0)]
    [[0], [1], [2]]
    """
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    branch = np.full(tree.schema.columns[tree.column[node]].n_categories, tree.other[node], np.int32)
    branch[tree.table_code[own]] = tree.table_branch[own]
    # Stable, so that the codes of a branch rise; all branches in one sort, because there may be thousands.
    order = np.argsort(branch, kind="stable").astype(np.int32)
    ends = np.searchsorted(branch[order], np.arange(1, tree.n_children[node]))
    return np.split(order, ends)


def missing_only_branch(tree: Tree, node: int) -> int:
    """Return the branch of a node that only missing values take, where it splits on a category; -1 if there is none.

    >>> from treewright.model.build import golf_example
    >>> missing_only_branch(golf_example(), 0)
    -1
    """
    branch = int(tree.missing_branch[node])
    taken = tree.table_branch[tree.table_start[node] : tree.table_start[node + 1]]
    return -1 if branch == tree.other[node] or bool((taken == branch).any()) else branch


class LeafRules(Sequence[Rule]):
    """The rules of a tree's leaves, made on first use: together they may be far larger than the tree.

    >>> from treewright.model.build import golf_example
    >>> rules = LeafRules(golf_example(), MissingPolicy())
    >>> len(rules), str(rules[2])
    (5, 'outlook = overcast -> Play')
    """

    __slots__ = ("_policy", "_rules", "_tree")

    def __init__(self, tree: Tree, policy: MissingPolicy) -> None:
        self._tree, self._policy = tree, policy
        self._rules: tuple[Rule, ...] | None = None

    def __len__(self) -> int:
        return self._tree.n_leaves

    @overload
    def __getitem__(self, i: int) -> Rule: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, i: int | slice) -> Rule | tuple[Rule, ...]:
        if self._rules is None:
            self._rules = leaf_rules(self._tree, self._policy)
        return self._rules[i]


def leaves_in_print_order(tree: Tree) -> list[int]:
    """Return the leaves in the order of the printed tree: the leaf of the first rule, of the second, and so on.

    >>> from treewright.model.build import golf_example
    >>> leaves_in_print_order(golf_example())
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
