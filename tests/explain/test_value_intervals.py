"""One free column: the answer on every stretch is the one that trying a value there gives; on trees of every kind."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.missing_trees import HOLED, grown_trees, in_numbers
from tests.model.samples import chain
from treewright.data.encode import Encoded
from treewright.explain.explanation import TrainingContext, explain
from treewright.explain.value_intervals import predict_on_intervals, value_intervals
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import predict_class_codes, predict_numbers, predict_probabilities

PRICES = np.arange(-8, 20) / 4
"""Values on both sides of every cut of the trees, and on the cuts."""


def holed(rows):
    """Rows whose codes are those of a category, as the encoder makes them."""
    rows = rows.copy()
    rows[:, 2][(rows[:, 2] == 7) | (rows[:, 2] == -1)] = 4
    return rows


@given(tree=grown_trees(), rows=HOLED, unseen=st.sampled_from(["majority", "stop"]), seed=st.none() | st.integers(0, 9))
def test_every_stretch_is_answered_as_a_value_in_it(tree, rows, unseen, seed):
    tree = tree if seed is None else in_numbers(tree, seed)
    answer, rule = (predict_class_codes if seed is None else predict_numbers), MissingPolicy("fractional", unseen)
    for row in holed(rows):
        values = row[None, :]
        for position in range(4):
            found = value_intervals(tree, position, float(row[position]), None, False)
            if found is None:
                assert position not in tree.column
                continue
            quick = predict_on_intervals(tree, values, position, found, unseen)
            tried = np.repeat(values, len(found.nearest), axis=0)
            tried[:, position] = found.nearest
            slow = answer(tree, tried, rule)
            if seed is None:
                assert quick.predictions[quick.certain].tolist() == slow[quick.certain].tolist()
                most = np.sort(predict_probabilities(tree, tried[~quick.certain], rule), axis=1)
                assert most[:, -1] == pytest.approx(most[:, -2], abs=1e-8)  # only ties are left in doubt
            else:
                assert quick.predictions == pytest.approx(slow, rel=1e-12, abs=1e-12)


@given(tree=grown_trees(), rows=HOLED, unseen=st.sampled_from(["majority", "stop"]), data=st.data())
def test_no_value_that_is_nearer_alters_the_answer(tree, rows, unseen, data):
    own = (tree.missing,) if tree.missing in ("surrogate", "learned", "branch") else ()
    rule = MissingPolicy(data.draw(st.sampled_from(["fractional", "majority", "stop", *own])), unseen)
    row = holed(rows)[0]
    found = explain(tree, Encoded(row[None, :]), rule, TrainingContext(), n_changes=4)
    changes = {change.column: change for change in found.changes}
    answer = predict_class_codes(tree, row[None, :], rule)[0]
    choices = [PRICES, np.arange(4.0), np.arange(5.0), np.arange(2.0)]
    for position, values in enumerate(choices):
        tried = np.repeat(row[None, :], len(values), axis=0)
        tried[:, position] = values
        other = values[predict_class_codes(tree, tried, rule) != answer]
        other = other[other != row[position]]
        assert (position in changes) == (len(other) > 0)
        if position not in changes:
            continue
        change, now = changes[position], row[position]
        if position >= 2 or not now > -np.inf:
            assert change.distance == 1.0
        elif position == 1:
            assert change.distance == np.abs(other - now).min() / 3
        else:
            # Cuts are halves, values are tried in quarters: just above a cut is up to a quarter nearer.
            cuts = np.unique(tree.threshold[(tree.column == 0) & np.isfinite(tree.threshold)])
            if tree.surrogates is not None and rule.missing == "surrogate":
                second = tree.surrogates.threshold[tree.surrogates.column == 0]
                cuts = np.unique(np.concatenate([cuts, second]))
            span = max(cuts.max(), now) - min(cuts.min(), now)
            reach = change.distance * (span if span > 0 else 1.0)
            assert np.abs(other - now).min() - 0.25 <= reach <= np.abs(other - now).min()


def test_a_chain_of_20_000_cuts_is_walked_once():
    tree = chain(20_000)
    row = np.zeros((1, 4))
    row[0, 0] = 12_345.5
    found = explain(tree, Encoded(row), MissingPolicy("error"), TrainingContext())
    assert [change.words for change in found.changes] == ["price > 19999 (now 12345.5)"]
    assert found.changes[0].distance == pytest.approx((19_999 - 12_345.5) / 19_999)
