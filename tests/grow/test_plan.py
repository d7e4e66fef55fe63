"""Plans refuse what has no meaning, in a sentence that names it."""

import pytest

from treewright.errors import ParameterError
from treewright.grow.plan import NAMES, Limits, Plan


@pytest.mark.parametrize("part", NAMES)
def test_an_unknown_name_lists_the_valid_ones(part):
    with pytest.raises(ParameterError, match=r"must be one of .*, got 'nonsense'") as caught:
        Plan(**{part: "nonsense"})
    message = str(caught.value)
    assert message.startswith(f"{part} must be one of ")
    assert all(repr(name) in message for name in NAMES[part])


def test_every_name_is_accepted_somewhere():
    for part, names in NAMES.items():
        for name in names:
            Plan(**({"grouping": "subset"} | {part: name}))


@pytest.mark.parametrize("limit", [{"max_depth": -1}, {"max_leaves": 1}, {"min_split": -1}, {"min_leaf": -0.5},
                                   {"min_gain": float("nan")}, {"min_leaf_weight": float("inf")}])
def test_bad_limits_are_named(limit):
    with pytest.raises(ParameterError, match=next(iter(limit))):
        Limits(**limit)


@pytest.mark.parametrize("slack", [{"slack": -1.0}, {"min_info": float("nan")}])
def test_bad_slacks_are_named(slack):
    with pytest.raises(ParameterError, match=next(iter(slack))):
        Plan(**slack)


def test_twoing_needs_two_branches():
    with pytest.raises(ParameterError, match="requires binary splits: grouping must be 'subset', got 'each'"):
        Plan(criterion="twoing", grouping="each")


def test_ratio_is_for_classes():
    with pytest.raises(ParameterError, match="merit='ratio'"):
        Plan(criterion="squared_error", merit="ratio")


@pytest.mark.parametrize("number", [-1, 2.0, "5", None])
def test_bad_numbers_of_surrogates_are_named(number):
    with pytest.raises(ParameterError, match=r"max_surrogates must be an integer of at least 0, got "):
        Plan(max_surrogates=number)


@pytest.mark.parametrize("grouping", ["each", "greedy", "least-loss"])
def test_surrogates_stand_in_for_two_way_splits(grouping):
    with pytest.raises(ParameterError, match=f"grouping must be 'subset' or 'binary', got '{grouping}'"):
        Plan(missing="surrogate", grouping=grouping)
    Plan(missing="surrogate", max_surrogates=0)


def test_a_third_branch_is_too_many_for_twoing():
    with pytest.raises(ParameterError, match="missing='branch' adds a third branch, but criterion='twoing'"):
        Plan(missing="branch", criterion="twoing")


@pytest.mark.parametrize("grouping", ["each", "greedy", "least-loss"])
def test_learned_branches_have_no_median(grouping):
    with pytest.raises(ParameterError, match=rf"missing='learned'.*'absolute_error' and grouping='{grouping}'"):
        Plan(missing="learned", criterion="absolute_error", grouping=grouping)
    Plan(missing="learned", criterion="squared_error", grouping=grouping)
