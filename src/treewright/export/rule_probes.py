"""Rows that try every condition of rules, and what the rules predict for them: the test of an export.

In: a `RuleScoring`. Out: `Probes`: for each rule a row that satisfies it, and rows that differ from it in one value:
each limit and its two neighbours among the floats, categories inside and outside of each set, a missing value and an
unseen category. The other columns have missing values, then known ones. Then rows of such values at random, for the
order of the rules.
"""

from collections.abc import Iterator
from math import inf, isfinite, nan, nextafter

import numpy as np

from treewright.data.schema import Kind
from treewright.export.probe_rows import (
    MAX_PROBES,
    MAX_TRAINING_ROWS,
    Floats,
    Probes,
    evenly_spaced,
    number_inside,
    with_value,
    without_impossible_unseen,
)
from treewright.export.rule_scoring import RuleScoring, codes_of
from treewright.rules.rule import Condition

N_RANDOM = 500
"""Rows of random values."""


def make_rule_probes(scoring: RuleScoring, training: Floats | None = None) -> Probes:
    """Make rows that try every condition of rules, with their predictions; `training` has encoded rows.

    >>> from treewright import C45Classifier
    >>> from treewright.export.rule_scoring import rule_scoring
    >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> probes = make_rule_probes(rule_scoring(C45Classifier().fit(X, y).rules("generalised")))
    >>> sorted(set(probes.classes.tolist())), bool(np.isnan(probes.values).any())
    ([0, 1], True)
    """
    rows = evenly_spaced(np.array([*_rule_rows(scoring), *_random_rows(scoring)]), MAX_PROBES)
    if training is not None and len(training):
        rows = np.concatenate([rows, evenly_spaced(training, MAX_TRAINING_ROWS)])
    without_impossible_unseen(scoring.tree.schema.columns, rows)
    return predict_rule_probes(scoring, rows)


def predict_rule_probes(scoring: RuleScoring, values: Floats) -> Probes:
    """The predictions of encoded rows, by the functions that `predict` uses."""
    source, refused = scoring.source, np.zeros(len(values), bool)
    for i in scoring.refused:
        refused |= np.isneginf(values[:, i])
    read = np.where(np.isneginf(values), nan, values) if source._reader.unseen == "missing" else values
    if scoring.is_regression:
        return Probes(scoring, values, source._predictor.numbers(read)[:, None], None, refused)
    predictor = source._predictor
    return Probes(scoring, values, predictor.probabilities(read), predictor.class_codes(read), refused)


def _rule_rows(scoring: RuleScoring) -> Iterator[Floats]:
    columns = scoring.tree.schema.columns
    known = [0.0 if column.kind is Kind.NUMBER or column.categories else nan for column in columns]
    for start in (np.full(len(columns), nan), np.array(known)):
        yield start
        for rule in scoring.rules:
            row = start.copy()
            for condition in rule:
                row[condition.position] = _satisfying(condition)
            yield row
            for condition in rule:
                for value in _values_to_try(condition):
                    yield with_value(row, condition.position, value)


def _random_rows(scoring: RuleScoring) -> Floats:
    values: dict[int, list[float]] = {i: [nan] for i in scoring.used}
    for condition in (condition for rule in scoring.rules for condition in rule):
        values[condition.position] += _values_to_try(condition)
    random = np.random.default_rng(0)
    rows = np.full((N_RANDOM if values else 0, scoring.tree.schema.n_columns), nan)
    for i, some in values.items():
        rows[:, i] = random.choice(some, N_RANDOM)
    return rows


def _satisfying(condition: Condition) -> float:
    """A value that satisfies a condition; a known one if there is one."""
    codes = codes_of(condition)
    if codes is not None:
        return float(codes[0]) if codes else nan
    return number_inside(condition.low, condition.high) if condition.known and condition.low < condition.high else nan


def _values_to_try(condition: Condition) -> list[float]:
    """The limits and their neighbours, or a first and a last category inside and outside; and no value."""
    codes = codes_of(condition)
    if codes is None:
        limits = [limit for limit in (condition.low, condition.high) if isfinite(limit)]
        near = [value for limit in limits for value in (limit, nextafter(limit, -inf), nextafter(limit, inf))]
        return [nan, 0.0, *(value for value in near if isfinite(value))]
    others = [code for code in range(condition.column.n_categories) if code not in set(codes)]
    return [nan, -inf, *(float(code) for some in (codes, others) for code in (*some[:1], *some[-1:]))]
