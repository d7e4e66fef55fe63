"""A part of `make exports`: every algorithm with every strategy on one small table, in every target."""

from tests.export.execute import EQUAL, NOT_RUN, runners
from tests.export.matrix import UNSEEN, TableCounts, try_table
from treewright.model.strategies import PREDICTION_STRATEGIES


def test_models_of_a_table_predict_the_same_in_every_target(shared):
    counts = TableCounts()
    counts.update(try_table(shared, "weather_numeric", 1, in_turn=True))
    assert not counts.differences, "\n".join(counts.differences[:20])
    assert {runner.name for runner in runners()} <= set(counts.by_target)
    for target, found in counts.by_target.items():
        if found[NOT_RUN] < found.total():  # what executes it is on this machine
            assert found[EQUAL] > 0.6 * found.total(), (target, found)
    assert {strategy for _, strategy, _ in counts.kinds} == set(PREDICTION_STRATEGIES)
    assert {unseen for _, _, unseen in counts.kinds} == set(UNSEEN)
