"""Which methods can be compared: all of a kind, those that are named, and why the others cannot."""

import pytest

from treewright import KindError, ParameterError
from treewright.prune import MDL, CostComplexity, Pessimistic, ReducedError
from treewright.prune.registry import METHODS, read_method, select_methods

NEEDY = {"reduced_error", "pre_pruning"}


def tried(methods, *, is_number=False, has_validation=True):
    return select_methods(methods, read_method, is_number=is_number, has_validation=has_validation)


def test_all_methods_are_tried_and_the_grown_tree_first():
    found, left_out = tried(None)
    assert list(found) == ["none", *(name for name in METHODS if name != "max_leaves")]
    assert found["none"] is None
    assert left_out == []


def test_a_number_has_the_methods_that_mean_something_for_it():
    found, _ = tried(None, is_number=True)
    assert set(found) - {"none"} == {name for name in METHODS if METHODS[name].for_numbers} - {"max_leaves"}
    with pytest.raises(KindError, match="MDL pruning cannot be used for regression; use"):
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
    with pytest.raises(ParameterError, match=r"pruning must be one of 'reduced_error', .*, got 'magic'\.$"):
        tried(["magic"])


def test_two_settings_of_one_method_have_two_names():
    settings = [Pessimistic(), Pessimistic(standard_errors=2), CostComplexity(alpha=0.1)]
    found, _ = tried(settings)
    assert list(found.values())[1:] == settings
    assert list(found)[2] == repr(settings[1])
