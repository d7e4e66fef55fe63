"""Resamples: rows drawn again and counted once, the same in any order of the rows, and weights as copies."""

import numpy as np
import pytest

from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.explain import stability
from treewright.explain.stability import Resamples

SCHEMA = Schema((Column("x", Kind.NUMBER), Column("z", Kind.NUMBER)), Target(classes=("a", "b")))


def dataset(n=40, seed=0, weight=None):
    rng = np.random.default_rng(seed)
    return Dataset(SCHEMA, rng.normal(size=(n, 2)), rng.integers(0, 2, n).astype(np.int32), weight)


def rows_of(drawn):
    """The rows of a dataset with their weight, whatever their order; equal rows put together."""
    weight = np.ones(drawn.n_rows) if drawn.weight is None else drawn.weight
    found = {}
    for *row, times in np.column_stack([drawn.values, drawn.target, weight]).tolist():
        found[tuple(row)] = found.get(tuple(row), 0) + times
    return found


def test_a_row_is_drawn_or_left_out():
    table = dataset()
    for i in range(20):
        drawn, left_out = Resamples(table, 0).draw(i)
        assert drawn.weight is None
        assert rows_of(drawn) | rows_of(left_out) == rows_of(table)
        assert drawn.n_rows + left_out.n_rows == 40


def test_a_row_is_drawn_with_the_chance_of_the_bootstrap():
    """1 - (1 - 1/n)^n, which is 63.2 % for many rows; the same for every row."""
    table = dataset(1000)
    resamples, times = Resamples(table, 0), dict.fromkeys(rows_of(table), 0)
    for i in range(200):
        for row in rows_of(resamples.draw(i)[0]):
            times[row] += 1
    share = np.array(list(times.values())) / 200
    assert share.mean() == pytest.approx(1 - (1 - 1 / 1000) ** 1000, abs=0.003)
    # The standard error of each is 0.034; none of a thousand is off by five of them.
    assert np.abs(share - 0.632).max() < 0.17


@pytest.mark.parametrize("kind", ["none", "whole", "importances"])
def test_the_order_of_the_rows_does_not_matter(kind):
    rng = np.random.default_rng(1)
    weight = {"none": None, "whole": rng.integers(0, 4, 40).astype(float), "importances": rng.random(40)}[kind]
    table, order = dataset(weight=weight), rng.permutation(40)
    one, other = Resamples(table, 5), Resamples(table.take(order), 5)
    for i in range(5):
        for drawn, same in zip(one.draw(i), other.draw(i), strict=True):
            assert rows_of(drawn) == rows_of(same)


def test_a_row_of_weight_3_is_three_rows():
    times = np.random.default_rng(2).integers(0, 4, 40)
    table = dataset(weight=times.astype(float))
    copied = Dataset(SCHEMA, table.values.repeat(times, axis=0), table.target.repeat(times))
    one, other = Resamples(table, 0), Resamples(copied, 0)
    assert one.n_rows == other.n_rows == times.sum()
    for i in range(5):
        for drawn, same in zip(one.draw(i), other.draw(i), strict=True):
            assert rows_of(drawn) == rows_of(same)


def test_importances_stay_with_their_rows():
    weight = np.random.default_rng(3).random(40)
    table = dataset(weight=weight)
    drawn, left_out = Resamples(table, 0).draw(0)
    assert rows_of(drawn) | rows_of(left_out) == rows_of(table)
    assert drawn.n_rows < 40


def test_another_seed_and_another_number_draw_others():
    table = dataset()
    drawn = [sorted(rows_of(Resamples(table, seed).draw(i)[0])) for seed in range(3) for i in range(3)]
    assert len(set(map(str, drawn))) == 9


def test_huge_weights_are_not_drawn_one_by_one(monkeypatch):
    table = dataset(weight=np.full(40, 1e6))
    drawn, left_out = Resamples(table, 0).draw(0)
    assert drawn.weight == pytest.approx(np.full(40, 632_121), rel=0.005)
    assert drawn.weight.sum() + left_out.weight.sum() == 4e7
    monkeypatch.setattr(stability, "MAX_DRAWN", 10)
    assert 0 < Resamples(dataset(), 0).draw(0)[0].n_rows < 40
