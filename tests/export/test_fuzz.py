"""Random trees and rules in every target: all that are written predict what the model predicts.

`make test` tries the first 130, `make check-long` all 5,000; `python -m tests.export.fuzz` prints the counts.
"""

import warnings
from collections import Counter
from math import inf, nextafter

import numpy as np
import pytest

from tests.export.execute import (
    DIFFERENT,
    EQUAL,
    NOT_RUN,
    Counts,
    Outcome,
    predict,
    runners,
    try_all,
)
from tests.export.fuzz import BATCH, N, batches, random_model, try_seeds
from tests.export.hostile import HOSTILE
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.export.exported import RULE_TARGETS, TARGETS
from treewright.export.probe_rows import make_probes
from treewright.export.rule_scoring import RuleScoring, rule_scoring
from treewright.export.scoring import scoring, scoring_of
from treewright.model.build import build, leaf, number, table
from treewright.model.strategies import PREDICTION_STRATEGIES

N_SHORT = 130


def check(seeds):
    """Try models, and see that there are no differences and that nearly all targets take most of them."""
    counts = try_seeds(seeds)
    assert not counts.differences, "\n".join(counts.differences[:20])
    assert {runner.name for runner in runners()} <= set(counts.by_target)
    for target, found in counts.by_target.items():
        if found[NOT_RUN] < found.total():  # what executes it is on this machine
            assert found[EQUAL] > 0.4 * found.total(), (target, found)


def test_random_models_predict_the_same_in_every_target():
    check(range(N_SHORT))


@pytest.mark.long
@pytest.mark.parametrize("seeds", list(batches(0, N)), ids=lambda seeds: f"{seeds.start}-{seeds.stop}")
def test_more_random_models_predict_the_same_in_every_target(seeds):
    assert len(seeds) == BATCH
    check(seeds)


def test_the_random_models_have_every_algorithm_strategy_and_kind_of_column():
    found = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(N_SHORT):
            model = random_model(seed)
            made = scoring_of(model)
            schema = made.tree.schema
            columns = [schema.columns[i] for i in made.used]
            texts = {*schema.names, *made.classes, *(one for column in columns for one in column.categories)}
            rule = made.tree.prediction_rule
            given = model.get_params()
            found.update([type(model).__name__, made.missing, made.unseen, made.is_regression])
            found.update([given["missing"], given.get("probability", "frequency")])
            found.update(column.kind for column in columns)
            found.update(type(one) for column in columns for one in column.categories[:1])
            found["costs"] += rule.costs is not None
            found["priors"] += given.get("priors") is not None
            found["monotone"] += given.get("monotonic_cst") is not None
            found["hostile"] += bool(texts & {one for one in HOSTILE if len(one) > 2})
            found["surrogates"] += any(one is not None and bool(one.surrogates) for one in made.tests)
            found["rules"] += isinstance(rule_scoring(model.rules()), RuleScoring)
    wanted = [*PREDICTION_STRATEGIES, "missing", "majority", "stop", "error", True, False, str, int, float, bool, *Kind]
    wanted += ["costs", "priors", "monotone", "laplace", "m-estimate", "shrinkage", "hostile", "surrogates", "rules"]
    wanted += ["ID3Classifier", "C45Classifier", "CARTClassifier", "MDLTreeClassifier", "TreeClassifier"]
    wanted += ["CARTRegressor", "MDLTreeRegressor", "TreeRegressor"]
    assert {one for one in wanted if not found[one]} == set()


CUTS = [0.1, 1e-308, 5e-324, 2.0**53, 2.0**53 + 2, -0.0, 0.1 + 0.2, 1 / 3, 1e300, 12345678.123456789, -1e22]
LARGE = [(2**53 - 1, 1 - 2**53, 5), (2**53, 2**53 + 1, 5), (2**63 - 1, -(2**63), 0), (2**70, 2**70 + 1, 2)]
every_runner = pytest.mark.parametrize("runner", runners(), ids=lambda runner: runner.name)


def outcomes(runner, all_probes):
    """What becomes of the exports; predicted numbers must be equal in every digit."""
    found = try_all(runner, all_probes, tolerance=0.0)
    assert not [one for one in found if one.kind == DIFFERENT]
    if NOT_RUN in {one.kind for one in found}:
        pytest.skip(f"nothing on this machine executes {runner.name}")
    return found


@every_runner
@pytest.mark.parametrize("n_thresholds", [1, 2])
def test_thresholds_and_numbers_survive(runner, n_thresholds):
    schema, found = Schema((Column("x", Kind.NUMBER), Column("y", Kind.NUMBER)), Target("t")), []
    for cut in CUTS:
        above = leaf(-cut if abs(cut) < 1e100 else 0.7)
        if n_thresholds == 2:  # neighbours among the floats
            above = number("x", nextafter(cut, inf), above, leaf(1e-308))
        spec = number("x", cut, leaf(1 / 3), number("y", 1.5, above, leaf(2.0**53 + 2)))
        probes = make_probes(scoring(build(schema, spec), "stop"))
        assert {cut, nextafter(cut, -inf), nextafter(cut, inf)} <= set(probes.values[:, 0])
        found.append(predict(probes.scoring, probes.values[~np.isinf(probes.values).any(axis=1)]))
    kinds = [one.kind for one in outcomes(runner, found)]
    if runner.name == "scikit-learn":  # its floats have 32 bits: 1e300 is too large, and neighbours are one
        assert kinds.count(EQUAL) == (len(CUTS) - 1 if n_thresholds == 1 else 0)
    else:
        assert set(kinds) == {EQUAL}


@every_runner
def test_large_integers_are_told_apart_as_categories_and_classes(runner):
    found = []
    for values in LARGE:
        classes = Schema((Column("c", Kind.CATEGORY, values),), Target("t", values))
        found.append(make_probes(scoring(build(classes, table("c", {v: leaf({v: 2}) for v in values})), "majority")))
        numbers = Schema((Column("c", Kind.CATEGORY, values),), Target("t"))
        spec = table("c", {value: leaf(i) for i, value in enumerate(values)})
        found.append(make_probes(scoring(build(numbers, spec), "stop")))
        words = Schema((Column("x", Kind.NUMBER),), Target("t", values))
        found.append(make_probes(scoring(build(words, number("x", 0, leaf(values[0]), leaf(values[1]))), "majority")))
    result = outcomes(runner, found)
    assert sum(one.kind == EQUAL for one in result) > 0
    if runner.name in ("python", "javascript", "treelite"):
        assert {one.kind for one in result} == {EQUAL}


def test_every_target_has_a_runner():
    assert {runner.target for runner in runners()} == {*TARGETS, "sklearn", "treelite"}
    assert set(RULE_TARGETS) <= set(TARGETS)


def test_a_difference_is_counted():
    counts = Counts()
    counts.add("sqlite", "a model", Outcome(DIFFERENT, "It predicts 1."))
    assert counts.differences == ["sqlite, a model: It predicts 1."]
    assert counts.by_target["sqlite"][DIFFERENT] == 1
