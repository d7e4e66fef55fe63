"""Parameters in a file: the same values again, and nothing that could be run."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import prune
from treewright.errors import ParameterError
from treewright.model.file.fields import Fields
from treewright.model.file.json_writer import dump
from treewright.prune.registry import METHODS
from treewright.store.parameter_values import method_document, read_method_field, read_value, value_document

KEYS = st.text() | st.integers() | st.booleans() | st.none()
VALUES = st.recursive(
    KEYS | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4)
    | st.lists(inner, max_size=4).map(tuple)
    | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=15,
)


def fail(why):
    raise AssertionError(why)


@settings(max_examples=50)
@given(VALUES)
def test_plain_values_come_back_with_their_types(value):
    told = value_document(value, "x")
    assert repr(read_value(told, fail)) == repr(value)


def test_arrays_and_their_like_are_lists():
    for given_, found in (
        (np.array([True, False]), [True, False]),
        (pd.Index(["a", "b"]), ["a", "b"]),
        (range(3), [0, 1, 2]),
        ({"b", "a"}, ["a", "b"]),
        (np.float32(0.5), 0.5),
    ):
        assert value_document(given_, "x") == found


@pytest.mark.parametrize("value", [len, object(), b"x", 1j, float("nan"), [float("nan")], {1: open}, 10**500])
def test_what_is_not_plain_is_refused_by_name(value):
    with pytest.raises(ParameterError, match="class_weight"):
        value_document(value, "class_weight")


def test_what_is_nested_without_end_is_refused():
    value = []
    value.append(value)
    with pytest.raises(ParameterError, match="nested deeper"):
        value_document(value, "x")


@pytest.mark.parametrize("name", list(METHODS))
def test_methods_come_back(name):
    method = METHODS[name]()
    told = Fields(json.loads(dump({"m": method_document(method, "pruning")})))
    assert read_method_field(told, "m") == method


def test_methods_come_back_with_their_costs():
    costs = {"yes": {"no": 5.0}, 1: {True: 2}}
    for method in (
        prune.CostComplexity(cost_matrix=costs, cp=0.1),
        prune.MinimumError(priors={"yes": 0.3, "no": 0.7}, cost_matrix=np.array([[0.0, 1.0], [2.0, 0.0]])),
        prune.ErrorBased(confidence=0.1, raising=False),
    ):
        told = Fields(json.loads(dump({"m": method_document(method, "pruning")})))
        found = read_method_field(told, "m")
        assert found == method
        assert repr(found) == repr(method)


@pytest.mark.parametrize(
    "told",
    [
        {"call": "os.system"},
        {"tuple": 3},
        {"tuple": [1], "mapping": []},
        {"mapping": [[1, 2, 3]]},
        {"mapping": [[1, 2], [True, 3]]},
        {"mapping": [[[1], 2]]},
        {"method": {"name": "magic", "parameters": {}}},
        {"method": {"name": "mdl", "parameters": {"x": 1}}},
        {"method": {"name": "error_based"}},
        {"method": {"name": ["mdl"], "parameters": {}}},
        {},
    ],
)
def test_what_nobody_wrote_is_refused(told):
    class Refused(Exception):
        pass

    def refuse(why):
        raise Refused(why)

    with pytest.raises(Refused):
        read_value(told, refuse)
