"""Making: from a tree to a set of rules.

In: a fitted tree; for the generalised form the rows it was grown on, and how the rules are made. Out: a `RuleSet`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.model.answering import Answering, unaltered
from treewright.model.tree import Tree
from treewright.predict.rule import Rule as Asked
from treewright.rules.answering import ByTree, InTurn
from treewright.rules.generalise import Generalised, Making, generalise
from treewright.rules.leaves import leaf_rules
from treewright.rules.reading import Reader
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet


def rules_of_leaves(tree: Tree, asked: Asked, reader: Reader, classes: NDArray[Any]) -> RuleSet:
    """One rule for each leaf of a tree; `classes` are those of the estimator, none for numbers."""
    rules = leaf_rules(tree, asked)
    place = {rule.node: i for i, rule in enumerate(rules) if rule.node is not None}
    return RuleSet(
        "leaves", tree.schema.target.name, classes, rules, _reader=reader, _answering=ByTree(tree, asked, place)
    )


def generalised_rules(tree: Tree, rows: Dataset, making: Making, reader: Reader, classes: NDArray[Any]) -> RuleSet:
    """The rules of c4.5rules, of a grown tree and the rows it was grown on."""
    made = generalise(tree, rows, making)
    used, labels = made.kept, tree.schema.target.classes or ()
    how = tree.answering
    rules = [_rule(made, i, labels, how) for i in used]
    left_out = [_rule(made, i, labels, how) for i in made.listed if i not in set(used)]
    default_shares = _uncovered_shares(made, used, how)
    answering = InTurn(
        tuple(rule.conditions for rule in rules),
        np.array([*(made.found[i].code for i in used), made.default], np.intp),
        np.array([*(rule.shares for rule in rules), default_shares]),
    )
    cases = made.cases
    wrong = answering.code[_first(made, used)] != cases.target
    return RuleSet(
        "generalised",
        tree.schema.target.name,
        classes,
        tuple(rules),
        labels[made.default],
        tuple(default_shares.tolist()),
        tuple(left_out),
        float(cases.units[wrong].sum()) / cases.one * cases.weight,
        _reader=reader,
        _answering=answering,
    )


def _rule(made: Generalised, i: int, labels: Sequence[Any], how: Answering) -> Rule:
    """A generalised rule, with what the training cases say of it; shares are those before costs weighed the classes."""
    cases, rule, rows = made.cases, made.found[i], made.cover.of(i)
    counted = cases.count(cases.target[rows], cases.n_classes, rows)
    n, shares, usually = float(counted.sum()), _shares(counted, how), _shares(cases.frequency, how)
    confidence, usual = float(shares[rule.code]), float(usually[rule.code])
    return Rule(
        i + 1,
        tuple(test.condition for test in rule.tests),
        labels[rule.code],
        n * cases.weight,
        n / cases.total,
        confidence,
        confidence / usual if usual > 0 else None,
        error=rule.error,
        shares=tuple(shares.tolist()),
    )


def _first(made: Generalised, used: Sequence[int]) -> NDArray[np.intp]:
    """The place of the first rule that each training case satisfies."""
    first = np.full(made.cases.n_rows, len(used), np.intp)
    for place in range(len(used) - 1, -1, -1):
        first[made.cover.of(used[place])] = place
    return first


def _uncovered_shares(made: Generalised, used: Sequence[int], how: Answering) -> NDArray[np.float64]:
    """The class shares of the cases that satisfy no rule; of all cases where there is none such."""
    cases = made.cases
    rows = np.flatnonzero(_first(made, used) == len(used))
    counted = cases.count(cases.target[rows], cases.n_classes, rows) if len(rows) else cases.frequency
    return _shares(counted, how)


def _shares(counted: NDArray[Any], how: Answering) -> NDArray[np.float64]:
    by_class = unaltered(how, counted)
    return np.asarray(by_class / by_class.sum())
