"""The public names of the criteria."""

import pytest

import treewright.criteria as criteria


def test_public_names_exist_and_are_documented():
    for name in criteria.__all__:
        thing = getattr(criteria, name)
        if callable(thing):
            assert thing.__doc__, name


def test_every_registered_function_has_its_name():
    for registry in (criteria.IMPURITIES, criteria.LOSSES, criteria.MERITS):
        for name, function in registry.items():
            assert function.__name__ == name
    assert all(getattr(criteria, name) is function for name, function in criteria.MERITS.items())


def test_every_public_function_has_an_example():
    for name in criteria.__all__:
        thing = getattr(criteria, name)
        if callable(thing) and name[0].islower():
            assert ">>>" in thing.__doc__, name


def test_the_former_name_of_the_penalty_still_works():
    with pytest.warns(DeprecationWarning, match="use `cut_penalty`"):
        assert criteria.cut_charge is criteria.cut_penalty
    with pytest.raises(AttributeError, match="no attribute 'cut_fee'"):
        criteria.cut_fee  # noqa: B018
