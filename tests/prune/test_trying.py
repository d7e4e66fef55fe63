"""Which methods can be tried: all of a kind, those that are named, and why the others cannot."""

import pytest

from treewright import KindError, ParameterError
from treewright.prune import MDL, CostComplexity, Pessimistic, ReducedError
from treewright.prune.registry import METHODS, read_method
from treewright.prune.trying import sort_out

NEEDY = {"reduced_error", "pre_pruning"}


def tried(methods, *, is_number=False, has_validation=True):
    return sort_out(methods, read_method, is_number=is_number, has_validation=has_validation)


def test_all_methods_are_tried_and_the_grown_tree_first():
    found, left_out = tried(None)
    assert list(found) == ["none", *METHODS]
    assert found["none"] is None
    assert left_out == []


def test_a_number_has_the_methods_that_mean_something_for_it():
    found, _ = tried(None, is_number=True)
    assert set(found) - {"none"} == {name for name in METHODS if METHODS[name].for_numbers}
    with pytest.raises(KindError, match="no meaning for regression"):
        tried(["mdl"], is_number=True)


def test_without_validation_rows_some_are_left_out():
    found, left_out = tried(None, has_validation=False)
    assert {name for name, _ in left_out} == NEEDY
    assert not NEEDY & set(found)
    assert all(why == "it needs validation rows, X_val and y_val" for _, why in left_out)


def test_methods_are_named_by_name_or_object():
    found, _ = tried(["error-based", ReducedError(ties="keep"), None])
    assert list(found) == ["none", "error_based", "reduced_error"]
    assert found["reduced_error"] == ReducedError(ties="keep")
    assert list(tried("mdl")[0]) == list(tried(MDL())[0]) == ["none", "mdl"]
    assert list(tried([])[0]) == ["none"]
    with pytest.raises(ParameterError, match="is not known"):
        tried(["magic"])


def test_two_settings_of_one_method_have_two_names():
    settings = [Pessimistic(), Pessimistic(standard_errors=2), CostComplexity(alpha=0.1)]
    found, _ = tried(settings)
    assert list(found.values())[1:] == settings
    assert list(found)[2] == repr(settings[1])
