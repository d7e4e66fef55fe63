"""Rows become shares, class codes and numbers."""

import numpy as np
import pytest

from tests.model.samples import CLASSES, every_kind, regression
from treewright.errors import KindError
from treewright.model.build import build, leaf
from treewright.predict.predictions import predict_class_codes, predict_numbers, predict_probabilities

# A row for each leaf of every_kind, from node 3 to node 7.
ROWS = np.array([[9.0, 0, 0, 0], [9.0, 2, 0, 0], [10.0, 0, 0, 0], [10.0, 0, 1, 0], [10.0, 0, 3, 0]])


def test_shares_are_those_of_the_leaf_and_of_the_parent_where_it_is_empty():
    found = predict_probabilities(every_kind(), ROWS[[1, 4]])
    assert found.tolist() == [[2 / 3, 0, 1 / 3], [4 / 6.5, 2.5 / 6.5, 0]]
    found[:] = 0
    assert predict_probabilities(every_kind(), ROWS[1:2])[0, 0] == 2 / 3


def test_the_class_of_most_weight_is_the_answer_and_the_first_on_a_tie():
    assert predict_class_codes(every_kind(), ROWS).tolist() == [2, 0, 0, 1, 0]
    assert predict_class_codes(build(CLASSES, leaf({"yes": 2, "perhaps": 2})), ROWS[:1]).tolist() == [1]


def test_numbers():
    assert predict_numbers(regression(), ROWS[[0, 2, 1]]).tolist() == [2.0, 8.0, 2.0]


def test_no_rows_give_no_answers():
    nobody = np.zeros((0, 4))
    assert predict_probabilities(every_kind(), nobody).shape == (0, 3)
    assert predict_class_codes(every_kind(), nobody).shape == (0,)
    assert predict_numbers(regression(), nobody).shape == (0,)


def test_the_wrong_question_is_refused():
    for ask in (predict_probabilities, predict_class_codes):
        with pytest.raises(KindError, match="predicts a number"):
            ask(regression(), ROWS)
    with pytest.raises(KindError, match="predicts a class"):
        predict_numbers(every_kind(), ROWS)
