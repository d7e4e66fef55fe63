"""Generalised rules: fewer and shorter rules than the leaves of a tree, as Quinlan's c4.5rules makes them.

What comes in: a classification tree before pruning, and its training rows. What goes out: rules in the order in which
they are tried, and a default class where none applies. The steps are those of C4.5 Release 8:

1. drop conditions by a pessimistic error estimate (`drop_conditions`);
2. for each class, choose the set of rules with the shortest description (`rule_subset`);
3. order the classes, and find the default class;
4. drop rules that do more harm than good.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import ParameterError
from treewright.model.prediction_rule import PredictionRule, without_cost_factors
from treewright.model.tree import Tree
from treewright.prune.limits import Limit
from treewright.rules.drop_conditions import LeafPath, SimplifiedRule, paths_to_leaves, simplify_rule
from treewright.rules.glibc_random import GlibcRandom
from treewright.rules.rule import Rule
from treewright.rules.rule_prediction import RowReader, RuleListPredictor
from treewright.rules.rule_subset import Candidates, best_subset, rule_costs
from treewright.rules.ruleset import RuleSet
from treewright.rules.training_cases import (
    Cases,
    Cover,
    cover_cases,
    select_rules,
    training_cases,
    without_coverage,
)

MAX_ERROR = 0.7
"""A rule with a higher error estimate counts as covering no case when the rules of a class are chosen."""


@dataclass(frozen=True, slots=True)
class GeneraliseOptions:
    """How generalised rules are made.

    confidence   CF of the pessimistic estimates; lower values give fewer and shorter rules
    redundancy   divides the bits that name a column: above 1 if several columns carry the same information
    polish       whether rules that do more harm than good are dropped at the end
    class_order  the class codes in the order in which classes are processed, which decides ties; None: by code
    """

    confidence: float = 0.25
    redundancy: float = 1.0
    polish: bool = True
    class_order: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Generalisation:
    """The result of `generalise`.

    cases    the training cases
    found    all rules after conditions were dropped
    cover    the cases that satisfy each of them
    listed   indices of the chosen rules, in order
    kept     those of them that are used: all, or without the harmful ones
    default  the code of the default class
    """

    cases: Cases
    found: tuple[SimplifiedRule, ...]
    cover: Cover
    listed: tuple[int, ...]
    kept: tuple[int, ...]
    default: int


def make_generalised_rules(
    tree: Tree,
    rows: Dataset,
    options: GeneraliseOptions,
    reader: RowReader,
    classes: NDArray[Any],
    language: str = "en",
) -> RuleSet:
    """Make the generalised rules of a tree before pruning and its training rows, as a rule set."""
    made = generalise(tree, rows, options)
    labels = tree.schema.target.classes or ()
    rules = [_make_rule(made, i, labels, tree.prediction_rule) for i in made.kept]
    dropped = [_make_rule(made, i, labels, tree.prediction_rule) for i in made.listed if i not in set(made.kept)]
    first_rule = _first_rule_of_cases(made)
    default_probabilities = _uncovered_probabilities(made, first_rule, tree.prediction_rule)
    predictor = RuleListPredictor(
        tuple(rule.conditions for rule in rules),
        np.array([*(made.found[i].code for i in made.kept), made.default], np.intp),
        np.array([*(rule.probabilities for rule in rules), default_probabilities]),
    )
    cases = made.cases
    wrong = predictor.rule_codes[first_rule] != cases.target
    return RuleSet(
        "generalised",
        tree.schema.target.name,
        classes,
        tuple(rules),
        labels[made.default],
        tuple(default_probabilities.tolist()),
        tuple(dropped),
        float(cases.units[wrong].sum()) / cases.units_per_case * cases.case_weight,
        language=language,
        _reader=reader,
        _predictor=predictor,
    )


def require_classes(tree: Tree) -> None:
    """Refuse a tree that predicts numbers."""
    if tree.schema.target.is_number:
        raise ParameterError(
            "form='generalised' needs a classification tree, but this tree predicts a number; use form='leaves'."
        )


def generalise(tree: Tree, rows: Dataset, options: GeneraliseOptions) -> Generalisation:
    """Find the generalised rules of a tree.

    >>> from treewright.model.build import golf_example
    >>> days = [[0, 70, 1], [0, 70, 0], [0, 90, 0], [0, 90, 0], [0, 90, 1], [1, 80, 0], [1, 80, 1]] * 2
    >>> play = np.array([1, 1, 0, 0, 0, 1, 1] * 2, np.int32)
    >>> rows = Dataset(golf_example().schema, np.array(days, float), play)
    >>> made = generalise(golf_example(), rows, GeneraliseOptions())
    >>> [[test.condition.words() for test in made.found[i].tests] for i in made.kept], made.default
    ([['outlook = sunny', 'humidity > 75'], ['humidity <= 75'], ['outlook = overcast']], 1)
    """
    require_classes(tree)
    cases, limit = training_cases(rows), Limit("release8", options.confidence)
    # In here the code of a class is its rank in the class order.
    order = np.arange(cases.n_classes) if options.class_order is None else np.array(options.class_order)
    rank = np.argsort(order)
    ranked = replace(cases, target=rank[cases.target].astype(np.int32))
    paths = (LeafPath(path.tests, int(rank[path.code])) for path in paths_to_leaves(tree, cases.case_weight))
    found = find_rules(paths, ranked, limit)
    cover = cover_cases([[test.condition for test in rule.tests] for rule in found], ranked)
    chosen = choose_rules(found, cover, ranked, options.redundancy)
    listed = _list_rules(found, chosen, cover, ranked)
    found = [replace(rule, code=int(order[rule.code])) for rule in found]
    kept = listed.without_harmful if options.polish else listed.rules
    return Generalisation(cases, tuple(found), cover, listed.rules, kept, int(order[listed.default]))


def find_rules(paths: Iterable[LeafPath], cases: Cases, limit: Limit) -> list[SimplifiedRule]:
    """Drop conditions from the paths; of paths that become the same rule, keep the first, with the larger estimate."""
    found: dict[object, SimplifiedRule] = {}
    for path in paths:
        rule = simplify_rule(path, cases, limit)
        if rule is None:
            continue
        earlier = found.get(rule.key)
        if earlier is None:
            found[rule.key] = rule
        elif rule.error > earlier.error:
            found[rule.key] = replace(earlier, error=rule.error)
    return list(found.values())


def choose_rules(found: list[SimplifiedRule], cover: Cover, cases: Cases, redundancy: float) -> NDArray[np.intp]:
    """Choose the best set of rules of each class; the random numbers continue from one class to the next."""
    random, chosen = GlibcRandom(), [np.zeros(0, np.intp)]
    for rules, candidates in candidates_by_class(found, cover, cases, redundancy):
        chosen.append(rules[best_subset(candidates, random)])
    return np.sort(np.concatenate(chosen))


def candidates_by_class(
    found: list[SimplifiedRule], cover: Cover, cases: Cases, redundancy: float = 1.0
) -> Iterator[tuple[NDArray[np.intp], Candidates]]:
    """Yield the rules of each class, in the order of the classes, with what is needed to choose among them."""
    costs = rule_costs(cases, redundancy)
    bits = np.array([costs.rule_bits(rule) for rule in found])
    codes = np.array([rule.code for rule in found], np.int64)
    usable = without_coverage(cover, np.array([rule.error > MAX_ERROR for rule in found], bool))
    counts = cases.units / cases.units_per_case
    for code in range(cases.n_classes):
        rules, of_class = np.flatnonzero(codes == code), cases.target == code
        inside, outside = np.where(of_class, counts, 0.0), np.where(of_class, 0.0, counts)
        yield rules, Candidates(select_rules(usable, rules), bits[rules], inside, outside)


class _RuleList(NamedTuple):
    """The chosen rules in order, those of them that do no harm, and the code of the default class."""

    rules: tuple[int, ...]
    without_harmful: tuple[int, ...]
    default: int


def _list_rules(found: list[SimplifiedRule], chosen: NDArray[np.intp], cover: Cover, cases: Cases) -> _RuleList:
    codes, errors = [found[i].code for i in chosen], [found[i].error for i in chosen]
    part = select_rules(cover, chosen)
    order = order_rules(codes, errors, part, cases)
    default = default_class_code(part, cases)
    ordered = select_rules(part, np.array(order, np.intp))
    harmless = drop_harmful_rules([codes[i] for i in order], default, ordered, cases)
    listed = tuple(int(chosen[i]) for i in order)
    return _RuleList(listed, tuple(listed[i] for i in harmless), default)


def order_rules(codes: Sequence[int], errors: Sequence[float], cover: Cover, cases: Cases) -> list[int]:
    """Order the rules by class, and within a class by their error estimates, then by index.

    The next class is always the one whose rules cover the fewest cases of other classes that no class before it
    covers; the earlier one on a tie.
    """
    of_class: dict[int, list[int]] = {code: [] for code in sorted(set(codes))}
    for rule in sorted(range(len(codes)), key=lambda rule: errors[rule]):
        of_class[codes[rule]].append(rule)
    uncovered = np.ones(cases.n_rows, bool)
    covered_by = {code: np.unique(select_rules(cover, np.array(rules)).row) for code, rules in of_class.items()}
    ordered: list[int] = []
    while of_class:
        false_positives = {}
        for code in of_class:
            rows = covered_by[code]
            rows = rows[uncovered[rows] & (cases.target[rows] != code)]
            false_positives[code] = cases.units[rows].sum()
        next_class = min(false_positives, key=lambda code: (false_positives[code], code))
        ordered += of_class.pop(next_class)
        uncovered[covered_by[next_class]] = False
    return ordered


def default_class_code(cover: Cover, cases: Cases) -> int:
    """Return the class with most cases that no rule covers; on a tie the more frequent, then the earlier."""
    uncovered = np.ones(cases.n_rows, bool)
    uncovered[cover.row] = False
    rows = np.flatnonzero(uncovered)
    counts, total = cases.count(cases.target[rows], cases.n_classes, rows), cases.class_counts
    return max(range(cases.n_classes), key=lambda code: (counts[code], total[code], -code))


def drop_harmful_rules(codes: Sequence[int], default: int, cover: Cover, cases: Cases) -> list[int]:
    """Return the rules, of rules in order, that are left when harmful ones are dropped.

    A rule is better for a case that it predicts correctly and that would get another prediction without it, and worse
    for a case that it predicts wrongly and that would get the correct one. The first rule that is worse for more cases
    than it is better for is dropped, and everything is counted again.
    """
    n_rules = len(codes)
    order = np.lexsort((cover.rule, cover.row))
    rows, rules = cover.row[order], cover.rule[order]
    class_of = np.append(np.asarray(codes, np.int64), default)
    kept = np.ones(n_rules, bool)
    while True:
        first, second = first_two_rules(rows, rules, cases.n_rows, n_rules)
        covered = np.flatnonzero(first < n_rules)
        predicted, otherwise, actual = class_of[first[covered]], class_of[second[covered]], cases.target[covered]
        gain = np.where(predicted == actual, 1.0, np.where(otherwise == actual, -1.0, 0.0)) * (predicted != otherwise)
        score = np.bincount(first[covered], gain * cases.units[covered], n_rules)
        harmful = np.flatnonzero(score < 0)
        if not len(harmful):
            return np.flatnonzero(kept).tolist()
        kept[harmful[0]] = False
        left = rules != harmful[0]
        rows, rules = rows[left], rules[left]


def first_two_rules(
    rows: NDArray[np.int32], rules: NDArray[np.int64], n_rows: int, n_rules: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the second rule of each row, from pairs sorted by row and rule; n_rules if there is none.

    >>> first_two_rules(np.array([0, 0, 2]), np.array([1, 4, 3]), 3, 5)
    (array([1, 5, 3]), array([4, 5, 5]))
    """
    first, second = np.full(n_rows, n_rules), np.full(n_rows, n_rules)
    is_first = np.ones(len(rows), bool)
    is_first[1:] = rows[1:] != rows[:-1]
    first[rows[is_first]] = rules[is_first]
    is_second = np.zeros(len(rows), bool)
    is_second[1:] = is_first[:-1] & ~is_first[1:]
    second[rows[is_second]] = rules[is_second]
    return first, second


def _make_rule(made: Generalisation, i: int, labels: Sequence[Any], how: PredictionRule) -> Rule:
    """Return a generalised rule with the statistics of its training cases, before costs changed class weights."""
    cases, rule, rows = made.cases, made.found[i], made.cover.rows_of(i)
    counts = cases.count(cases.target[rows], cases.n_classes, rows)
    n, probabilities = float(counts.sum()), _class_frequencies(counts, how)
    confidence = float(probabilities[rule.code])
    base_rate = float(_class_frequencies(cases.class_counts, how)[rule.code])
    return Rule(
        i + 1,
        tuple(test.condition for test in rule.tests),
        labels[rule.code],
        n * cases.case_weight,
        n / cases.total,
        confidence,
        confidence / base_rate if base_rate > 0 else None,
        error=rule.error,
        probabilities=tuple(probabilities.tolist()),
    )


def _first_rule_of_cases(made: Generalisation) -> NDArray[np.intp]:
    """Return the index in `kept` of the first rule that each training case satisfies; their number if none."""
    first = np.full(made.cases.n_rows, len(made.kept), np.intp)
    for i in range(len(made.kept) - 1, -1, -1):
        first[made.cover.rows_of(made.kept[i])] = i
    return first


def _uncovered_probabilities(
    made: Generalisation, first_rule: NDArray[np.intp], how: PredictionRule
) -> NDArray[np.float64]:
    """Return the class frequencies of the cases that satisfy no rule; of all cases if each satisfies one."""
    cases = made.cases
    rows = np.flatnonzero(first_rule == len(made.kept))
    counts = cases.count(cases.target[rows], cases.n_classes, rows) if len(rows) else cases.class_counts
    return _class_frequencies(counts, how)


def _class_frequencies(counts: NDArray[Any], how: PredictionRule) -> NDArray[np.float64]:
    by_class = without_cost_factors(how, counts)
    return np.asarray(by_class / by_class.sum())
