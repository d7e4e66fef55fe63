"""Ranking: rules in the order in which they are asked, the answer where none applies, and which of them do harm.

In: the chosen rules with their classes, estimates and cover of the training cases. Out: their order, the default class,
and the rules that are left when those go that give more wrong answers than right ones.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treewright.rules.cases import Cases
from treewright.rules.cover import Cover, some_rules


def in_order(codes: Sequence[int], errors: Sequence[float], cover: Cover, cases: Cases) -> list[int]:
    """The rules class by class, and within a class by their estimates, then by number.

    The next class is always the one whose rules cover the fewest cases of others that no class before it covers, the
    earlier one on a tie.
    """
    of_class: dict[int, list[int]] = {code: [] for code in sorted(set(codes))}
    for rule in sorted(range(len(codes)), key=lambda rule: errors[rule]):
        of_class[codes[rule]].append(rule)
    free = np.ones(cases.n_rows, bool)
    reached = {code: np.unique(some_rules(cover, np.array(rules)).row) for code, rules in of_class.items()}
    ranked: list[int] = []
    while of_class:
        harm = {}
        for code in of_class:
            rows = reached[code]
            rows = rows[free[rows] & (cases.target[rows] != code)]
            harm[code] = cases.units[rows].sum()
        following = min(harm, key=lambda code: (harm[code], code))
        ranked += of_class.pop(following)
        free[reached[following]] = False
    return ranked


def default_code(cover: Cover, cases: Cases) -> int:
    """The class with most cases that no rule covers; on a tie the more frequent, then the earlier."""
    free = np.ones(cases.n_rows, bool)
    free[cover.row] = False
    rows = np.flatnonzero(free)
    uncovered, frequency = cases.count(cases.target[rows], cases.n_classes, rows), cases.frequency
    return max(range(cases.n_classes), key=lambda code: (uncovered[code], frequency[code], -code))


def polish(codes: Sequence[int], default: int, cover: Cover, cases: Cases) -> list[int]:
    """The rules that are left, of rules in order: those go that are worse than what would answer in their place.

    A rule is better for a case that it answers rightly and that would get another answer without it, and worse for a
    case that it answers wrongly and that would get the right one. The first rule that is worse for more cases than
    better goes, and everything is counted again.
    """
    n_rules = len(codes)
    order = np.lexsort((cover.rule, cover.row))
    rows, rules = cover.row[order], cover.rule[order]
    answer = np.append(np.asarray(codes, np.int64), default)
    kept = np.ones(n_rules, bool)
    while True:
        first, second = first_two(rows, rules, cases.n_rows, n_rules)
        met = np.flatnonzero(first < n_rules)
        said, instead, right = answer[first[met]], answer[second[met]], cases.target[met]
        gain = np.where(said == right, 1.0, np.where(instead == right, -1.0, 0.0)) * (said != instead)
        score = np.bincount(first[met], gain * cases.units[met], n_rules)
        worse = np.flatnonzero(score < 0)
        if not len(worse):
            return np.flatnonzero(kept).tolist()
        kept[worse[0]] = False
        left = rules != worse[0]
        rows, rules = rows[left], rules[left]


def first_two(
    rows: NDArray[np.int32], rules: NDArray[np.int64], n_rows: int, n_rules: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first and the second rule of each row, of pairs sorted by row and rule; n_rules where there is none.

    >>> first_two(np.array([0, 0, 2]), np.array([1, 4, 3]), 3, 5)
    (array([1, 5, 3]), array([4, 5, 5]))
    """
    first, second = np.full(n_rows, n_rules), np.full(n_rows, n_rules)
    new = np.ones(len(rows), bool)
    new[1:] = rows[1:] != rows[:-1]
    first[rows[new]] = rules[new]
    following = np.zeros(len(rows), bool)
    following[1:] = new[:-1] & ~new[1:]
    second[rows[following]] = rules[following]
    return first, second
