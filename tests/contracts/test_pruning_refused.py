"""Contracts of every pruning method on what it refuses, each time with one sentence that says what to do."""

from dataclasses import fields

import pytest

from tests.contracts.pruning_methods import cases, every
from treewright.errors import InputError, KindError, ParameterError
from treewright.prune.method import GROWTH, TRAINING, VALIDATION
from treewright.prune.registry import METHODS


def test_a_regression_tree_is_refused_where_only_classes_are_counted():
    case = cases(True)[0]
    refused = [name for name, method in METHODS.items() if not method.for_numbers]
    assert refused
    for name in refused:
        with pytest.raises(KindError, match=ONE_SENTENCE):
            case.prune(METHODS[name]())


ONE_SENTENCE = r"^[^\n.]*(\.\d[^\n.]*)*\.$"


@every
def test_what_is_needed_is_asked_for(method, regression):
    case = cases(regression)[0]
    given = {TRAINING: "rows", VALIDATION: "validation", GROWTH: "grow"}
    material = {"rows": case.rows, "validation": case.validation, "grow": case.regrow}
    assert method.needs <= method.uses <= set(given)
    for need in method.needs:
        with pytest.raises(InputError, match=ONE_SENTENCE):
            method.prune(case.tree, **{name: m for name, m in material.items() if name != given[need]})
    only = {given[need]: material[given[need]] for need in method.uses}
    assert method.prune(case.tree, **only).tree == case.prune(method).tree


PARAMETERS = [(method, f.name) for method in METHODS.values() for f in fields(method)]


@pytest.mark.parametrize(("method", "name"), PARAMETERS, ids=lambda x: x if isinstance(x, str) else x.name)
@pytest.mark.parametrize("wrong", ["nonsense", -1, float("nan"), []], ids=repr)
def test_a_wrong_parameter_is_named(method, name, wrong):
    """At once, or where the tree has to be known; what cannot even be read is of the wrong kind."""
    case = cases(False)[0]
    expected = (ParameterError, KindError) if name == "cost_matrix" else ParameterError
    with pytest.raises(expected, match=ONE_SENTENCE) as caught:
        case.prune(method(**{name: wrong}))
    assert name in str(caught.value)


def test_methods_are_values():
    """Equal with equal parameters, not to be changed, and told by their name."""
    for name, method in METHODS.items():
        assert method.name == name
        one = method()
        assert one == method()
        assert repr(one).startswith(f"{method.__name__}(")
        assert one.title().endswith("pruning")
        for field in fields(method):
            with pytest.raises((AttributeError, TypeError)):
                setattr(one, field.name, None)
