"""Plans refuse what has no meaning, in a sentence that names it."""

import pytest

from treewright.errors import ParameterError
from treewright.grow.plan import NAMES, Limits, Plan


@pytest.mark.parametrize("part", NAMES)
def test_an_unknown_name_lists_the_valid_ones(part):
    with pytest.raises(ParameterError, match="choose one of") as caught:
        Plan(**{part: "nonsense"})
    message = str(caught.value)
    assert message.startswith(f"{part}='nonsense'")
    assert all(repr(name) in message for name in NAMES[part])


def test_every_name_is_accepted_somewhere():
    for part, names in NAMES.items():
        for name in names:
            Plan(**({"category": "subset"} | {part: name}))


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
    with pytest.raises(ParameterError, match="two branches"):
        Plan(criterion="twoing", category="each")


def test_ratio_is_for_classes():
    with pytest.raises(ParameterError, match="merit='ratio'"):
        Plan(criterion="squared_error", merit="ratio")
