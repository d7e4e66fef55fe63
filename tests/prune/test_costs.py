"""Cost matrices and priors, by class name or in order, and what is wrong with them."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from tests.model.samples import every_kind, regression
from treewright import CARTClassifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, KindError, ParameterError
from treewright.model.build import build, golf_example, leaf, number
from treewright.prune import CostComplexity, MinimumError, ReducedError
from treewright.prune.losses import read_costs, read_priors

# The classes of every_kind are no, perhaps and yes.
WRONG = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_none_stays_none():
    assert read_costs(None, every_kind()) is None
    assert read_costs(None, regression()) is None


@pytest.mark.parametrize("kind", [list, np.array, lambda rows: np.array(rows, dtype=object)])
def test_an_array_is_taken_as_it_is(kind):
    given = [[0, 2, 3], [4, 0, 5], [6, 7, 0.5]]
    found = read_costs(kind(given), every_kind())
    assert type(found) is np.ndarray
    assert found.dtype == np.float64
    assert found.tolist() == given


def test_the_array_given_is_not_the_one_that_is_kept():
    given = np.array(WRONG, dtype=float)
    read_costs(given, every_kind())[0, 0] = 9.0
    assert given.tolist() == WRONG


def test_what_a_mapping_leaves_out_costs_0_when_right_and_1_when_wrong():
    assert read_costs({}, every_kind()).tolist() == WRONG
    found = read_costs({"yes": {"no": 5, "yes": 0.25}, "no": {"yes": Decimal(2)}}, every_kind())
    assert found.tolist() == [[0, 1, 2], [1, 0, 1], [5, 1, 0.25]]


def test_a_frame_is_read_by_its_names_in_any_order():
    names = ["yes", "no", "perhaps"]
    frame = pd.DataFrame([[0, 1, 2], [3, 0, 4], [5, 6, 0]], index=names, columns=names)
    assert read_costs(frame, every_kind()).tolist() == [[0, 4, 3], [6, 0, 5], [1, 2, 0]]
    part = frame.loc[["yes"], ["perhaps"]]
    assert read_costs(part, every_kind()).tolist() == [[0, 1, 1], [1, 0, 1], [1, 2, 0]]


def test_classes_that_are_numbers_or_truth_values():
    schema = Schema((Column("x", Kind.NUMBER),), Target("y", (0, 1)))
    tree = build(schema, number("x", 0, leaf({0: 1}), leaf({1: 1})))
    assert read_costs({1: {0: 9}}, tree).tolist() == [[0, 1], [9, 0]]
    assert read_costs({np.int64(1): {np.int8(0): 9}}, tree).tolist() == [[0, 1], [9, 0]]
    assert read_costs(pd.DataFrame([[0, 1], [9, 0]]), tree).tolist() == [[0, 1], [9, 0]]


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (
            [[0, 1], [1, 0]],
            ParameterError,
            "`cost_matrix` must be 3 by 3, with true classes as rows and predicted classes as columns, got 2 by 2",
        ),
        ([0, 1, 1], ParameterError, "predicted classes as columns, got 3."),
        (3.0, ParameterError, "predicted classes as columns, got a single number"),
        (
            [[0, 1, 1], [1, 0, -2], [1, 1, 0]],
            ParameterError,
            "got -2 for true class 'perhaps' and predicted class 'yes'",
        ),
        (
            [[0, np.nan, 1], [1, 0, 1], [1, 1, 0]],
            ParameterError,
            "got nan for true class 'no' and predicted class 'perhaps'",
        ),
        (
            [[0, 1, 1], [1, 0, 1], [np.inf, 1, 0]],
            ParameterError,
            "got inf for true class 'yes' and predicted class 'no'",
        ),
        (np.full((3, 3), 1e308), ParameterError, "too large to be summed"),
        ([[0, 1], [1, 0, 1]], KindError, "`cost_matrix` of type list cannot be converted to numbers"),
        ([["0", "1", "1"]] * 3, KindError, "cannot be converted to numbers"),
        (np.full((3, 3), 1j), KindError, "cannot be converted to numbers"),
        ("yes", KindError, "`cost_matrix` of type str cannot be converted to numbers"),
        (
            {"maybe": {"no": 1}},
            InputError,
            "has the unknown class 'maybe'; the classes are 'no', 'perhaps', 'yes'.",
        ),
        ({"no": {"maybe": 1}}, InputError, "`cost_matrix` has the unknown class 'maybe'"),
        (
            {"no": 3},
            ParameterError,
            "`cost_matrix` must map each true class to {predicted: cost}, got 3 for true class 'no'",
        ),
        ({"no": {"yes": -1}}, ParameterError, "got -1 for true class 'no' and predicted class 'yes'"),
        ({"no": {"yes": "2"}}, ParameterError, "got '2' for true class 'no' and predicted class 'yes'"),
        ({"no": {"yes": None}}, ParameterError, "got None for true class 'no' and predicted class 'yes'"),
        (pd.DataFrame(WRONG), InputError, "`cost_matrix` has the unknown class 0"),
        (
            pd.DataFrame([[1], [2]], index=["no", "no"], columns=["yes"]),
            InputError,
            "several rows named 'no'",
        ),
        (
            pd.DataFrame([[1, 2]], index=["no"], columns=["yes", "yes"]),
            InputError,
            "several columns named 'yes'",
        ),
        (pl.DataFrame({"no": [0, 1, 1]}), KindError, "`cost_matrix` of type DataFrame has no row names"),
    ],
)
def test_a_bad_cost_matrix_is_refused_in_one_sentence(given, error, words):
    with pytest.raises(error) as caught:
        read_costs(given, every_kind())
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")


def test_regression_has_no_classes_to_speak_of():
    with pytest.raises(
        KindError,
        match="`cost_matrix` applies to classes only, but this tree predicts a number; leave it out",
    ):
        read_costs({}, regression())
    with pytest.raises(
        KindError, match="`priors` applies to classes only, but this tree predicts a number; leave it out"
    ):
        read_priors("equal", regression())


def test_priors_by_name():
    # Golf: 5 Don't Play and 9 Play.
    assert read_priors("equal", golf_example()).tolist() == [0.5, 0.5]
    assert read_priors("root", golf_example()).tolist() == [5 / 14, 9 / 14]
    assert read_priors({"Play": 1, "Don't Play": 3}, golf_example()).tolist() == [0.75, 0.25]
    assert read_priors({"Play": 1.5e308, "Don't Play": 1.5e308}, golf_example()).tolist() == [0.5, 0.5]
    assert read_priors({"Play": 0, "Don't Play": 2}, golf_example()).tolist() == [1.0, 0.0]


def test_priors_of_the_root_can_be_changed_without_changing_the_tree():
    tree = golf_example()
    read_priors("root", tree)[0] = 7.0
    assert tree.value[0].tolist() == [5 / 14, 9 / 14]


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("uniform", ParameterError, "priors must be 'equal', 'root' or a mapping {class: prior}, got 'uniform'"),
        ([0.5, 0.5], ParameterError, "or a mapping {class: prior}, got [0.5, 0.5]"),
        (
            {"Play": 1},
            ParameterError,
            '`priors` has no entry for class "Don\'t Play"; pass a prior for each class.',
        ),
        ({"Play": 1, "Rest": 1}, InputError, "`priors` has the unknown class 'Rest'"),
        (
            {"Play": -1, "Don't Play": 2},
            ParameterError,
            "`priors` must be numbers of at least 0, got -1 for class 'Play'.",
        ),
        (
            {"Play": np.nan, "Don't Play": 2},
            ParameterError,
            "`priors` must be numbers of at least 0, got nan for class 'Play'",
        ),
        (
            {"Play": 0, "Don't Play": 0},
            ParameterError,
            "`priors` must have a number above 0 for at least one class",
        ),
    ],
)
def test_bad_priors_are_refused_in_one_sentence(given, error, words):
    with pytest.raises(error) as caught:
        read_priors(given, golf_example())
    assert words in str(caught.value)


@pytest.mark.parametrize("kind", [ReducedError, MinimumError, CostComplexity])
def test_methods_with_costs_can_be_compared_and_cloned(kind):
    """Estimators hold methods as parameters, which are copied and compared."""
    costs = np.array([[0.0, 1.0], [5.0, 0.0]])
    assert kind(cost_matrix=costs) == kind(cost_matrix=costs.copy())
    assert hash(kind(cost_matrix=costs)) == hash(kind(cost_matrix=costs.copy()))
    assert kind(cost_matrix=costs) != kind(cost_matrix=2 * costs)
    frame = pd.DataFrame(costs, index=["no", "yes"], columns=["no", "yes"])
    assert kind(cost_matrix=frame) == kind(cost_matrix=frame.copy())
    assert clone(CARTClassifier(pruning=kind(cost_matrix=costs))).pruning == kind(cost_matrix=costs)
