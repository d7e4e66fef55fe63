"""Leaves become shares, class codes and numbers."""

import numpy as np
import pytest

from tests.model.samples import CLASSES, every_kind, regression
from treewright.errors import KindError
from treewright.model.build import build, leaf
from treewright.predict.answers import class_codes, numbers, shares


def test_shares_are_those_of_the_leaf_and_of_the_parent_where_it_is_empty():
    found = shares(every_kind(), np.array([4, 7]))
    assert found.tolist() == [[2 / 3, 0, 1 / 3], [4 / 6.5, 2.5 / 6.5, 0]]
    found[:] = 0
    assert shares(every_kind(), np.array([4]))[0, 0] == 2 / 3


def test_the_class_of_most_weight_is_the_answer_and_the_first_on_a_tie():
    assert class_codes(every_kind(), np.array([3, 4, 5, 6, 7])).tolist() == [2, 0, 0, 1, 0]
    assert class_codes(build(CLASSES, leaf({"yes": 2, "perhaps": 2})), np.array([0])).tolist() == [1]


def test_numbers():
    assert numbers(regression(), np.array([1, 2, 1])).tolist() == [2.0, 8.0, 2.0]


def test_no_rows_give_no_answers():
    nobody = np.zeros(0, np.int64)
    assert shares(every_kind(), nobody).shape == (0, 3)
    assert class_codes(every_kind(), nobody).shape == (0,)
    assert numbers(regression(), nobody).shape == (0,)


def test_the_wrong_question_is_refused():
    for ask in (shares, class_codes):
        with pytest.raises(KindError, match="answers with a number"):
            ask(regression(), np.array([0]))
    with pytest.raises(KindError, match="answers with a class"):
        numbers(every_kind(), np.array([0]))
