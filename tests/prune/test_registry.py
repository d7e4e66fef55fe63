"""The methods by name: all of them, and what is said about others."""

import dataclasses
import re

import pytest

import treewright.prune
from treewright.errors import ParameterError
from treewright.model.build import golf_example
from treewright.prune import Method, ReducedError
from treewright.prune.registry import METHODS, read_method

NAMES = {
    "reduced_error": ("ties", "cost_matrix"),
    "pre_pruning": (),
    "pessimistic": ("penalty", "standard_errors", "multiplier"),
    "error_based": ("confidence", "limit", "raising", "allowance"),
    "cost_complexity": ("alpha", "cp", "choose", "folds", "standard_errors", "risk", "cost_matrix"),
    "minimum_error": ("m", "priors", "cost_matrix"),
    "critical_value": ("critical_value", "measure", "choose"),
    "mdl": (),
    "global": ("standard_errors",),
    "same_decision": (),
    "max_leaves": ("leaves",),
}
CLASSES = [
    "ReducedError", "PrePruning", "Pessimistic", "ErrorBased", "CostComplexity", "MinimumError", "CriticalValue", "MDL",
    "Global", "SameDecision", "MaxLeaves",
]  # fmt: skip


def test_every_method_has_its_name_and_its_parameters():
    found = {name: tuple(field.name for field in dataclasses.fields(method)) for name, method in METHODS.items()}
    assert {name: parameters[: len(NAMES[name])] for name, parameters in found.items()} == NAMES
    assert [method.__name__ for method in METHODS.values()] == CLASSES
    assert {*CLASSES, "Method", "PruningReport", "Steps"} <= set(treewright.prune.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_a_method_by_its_name(name):
    method = read_method(name)
    assert type(method) is METHODS[name]
    assert method.name == name
    assert read_method(name.replace("_", "-")) == method
    assert type(method).__doc__


@pytest.mark.parametrize("name", NAMES)
def test_a_method_is_a_frozen_record(name):
    method = read_method(name)
    assert dataclasses.replace(method) == method
    for field in dataclasses.fields(method):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(method, field.name, 1)


@pytest.mark.parametrize("name", NAMES)
def test_a_title_opens_a_sentence(name):
    title = read_method(name).title()
    assert re.fullmatch(r"[A-Z][A-Za-z-]+( pruning)?", title)
    assert "pruning" in title


def test_titles_of_their_own():
    titles = [read_method(name).title() for name in ("mdl", "pre_pruning", "error_based")]
    assert titles == ["MDL pruning", "Pre-pruning", "Error-based pruning"]


def test_parameters_go_to_the_method():
    assert read_method("reduced_error", ties="keep") == ReducedError(ties="keep")
    with pytest.raises(ParameterError, match="ties must be one of 'prune', 'keep', got 'never'"):
        read_method("reduced_error", ties="never")


def test_an_object_and_none_stay():
    method = ReducedError()
    assert read_method(method) is method
    assert read_method(None) is None


def test_a_method_of_ones_own():
    class Never(Method):
        name = "never"

        def _prune(self, inputs):
            raise NotImplementedError

    own = Never()
    assert read_method(own) is own
    with pytest.raises(NotImplementedError):
        own.prune(golf_example())


@pytest.mark.parametrize("given", ["reduced", "", "Reduced_Error", 0.1, True, ReducedError, {"mdl"}])
def test_an_unknown_name_is_answered_with_all_names(given):
    with pytest.raises(ParameterError, match=rf"pruning must be one of .*, got {re.escape(repr(given))}\.") as caught:
        read_method(given)
    assert all(f"'{name}'" in str(caught.value) for name in NAMES)


def test_what_does_not_go_together_is_told():
    with pytest.raises(ParameterError, match="A method object has its own parameters, got 'ties'; leave them out"):
        read_method(ReducedError(), ties="keep")
    with pytest.raises(ParameterError, match="pruning=None takes no parameters, got 'ties', 'x'; leave them out"):
        read_method(None, ties="keep", x=1)
    said = "Unknown parameter 'tie' of 'reduced_error'; expected one of 'ties', 'cost_mat"
    with pytest.raises(ParameterError, match=said):
        read_method("reduced_error", tie="keep")
    with pytest.raises(ParameterError, match=r"Unknown parameter 'm' of 'mdl'; it has no parameters\."):
        read_method("mdl", m=2)
