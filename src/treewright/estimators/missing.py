"""Missing: what an estimator is told about missing values and unseen categories.

In: parameter values as given. Out: the parts of a plan; at prediction the rule a tree is asked by, and what is said of
categories that training never showed. A combination that cannot work is refused with advice.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from treewright.criteria.registry import CRITERIA
from treewright.data.unseen import BECOMES
from treewright.errors import ParameterError, one_of
from treewright.estimators.parameters import whole
from treewright.grow.plan import IN_TWO, MISSING, SURROGATES
from treewright.model.strategies import ANYWHERE, REFUSED, STRATEGIES
from treewright.model.tree import Tree
from treewright.predict.rule import Rule

UNSEEN = BECOMES
"""What may be done with a category that training never showed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """The parameters about missing values, as given; `plan_parts` checks them."""

    missing: object
    missing_predict: object
    unseen_category: object
    max_surrogates: object = 5
    surrogates: object = "needed"

    def plan_parts(self, grouping: str, criterion: str, two_ways: str) -> dict[str, Any]:
        """The parts of a plan, checked against its other parts; `two_ways` says how to get splits in two.

        >>> given = Missing(missing="stop", missing_predict=None, unseen_category="missing")
        >>> given.plan_parts("each", "entropy", "use CART")["missing"]
        'stop'
        """
        missing = one_of("missing", self.missing, MISSING)
        strategy = STRATEGIES[missing]
        if strategy.surrogates and grouping not in IN_TWO:
            raise ParameterError(
                f"missing={missing!r} replaces a split in two by another one, but here a category may have more "
                f"branches than two; choose missing='fractional', or {two_ways}."
            )
        if strategy.adds_branch and CRITERIA[criterion].two_branches:
            raise ParameterError(
                f"missing={missing!r} makes a third branch and cannot be used with criterion={criterion!r}, which "
                "compares two; choose missing='fractional' or another criterion."
            )
        if strategy.joins and CRITERIA[criterion].by_median and grouping not in IN_TWO:
            raise ParameterError(
                f"missing={missing!r} cannot be used with criterion={criterion!r} where a category has a branch for "
                f"each value; choose missing='fractional' or criterion='squared_error', or {two_ways}."
            )
        search = one_of("surrogates", self.surrogates, SURROGATES)
        if search == "always" and not strategy.surrogates:
            raise ParameterError(
                f"surrogates='always' has no use with missing={missing!r}; choose missing='surrogate', "
                "or leave surrogates='needed'."
            )
        read_predict(self.missing_predict, missing)
        one_of("unseen_category", self.unseen_category, UNSEEN)
        n_surrogates = whole("max_surrogates", self.max_surrogates, low=0)
        return {"missing": missing, "max_surrogates": n_surrogates, "surrogates": search}


@dataclass(frozen=True, slots=True)
class Asking:
    """How a tree is asked: the rule, what happens to unseen categories, and what the encoder makes of them."""

    rule: Rule
    unseen: str
    cells: str


def asking(tree: Tree, missing_predict: object, unseen_category: object) -> Asking:
    """How this tree is asked; the parameters may have been changed since it was grown.

    >>> from treewright.model.build import golf_example
    >>> asking(golf_example(), "majority", "stop").cells
    'mark'
    """
    missing = read_predict(missing_predict, tree.missing)
    unseen = one_of("unseen_category", unseen_category, UNSEEN)
    if unseen == "missing" and STRATEGIES[missing].goes == REFUSED:
        # the sentence about the category says more than one about a missing value
        unseen = "error"
    return _asking(missing, unseen)


@cache
def _asking(missing: str, unseen: str) -> Asking:
    if unseen in ("missing", "error"):
        return Asking(Rule(missing), unseen, cells=unseen)
    return Asking(Rule(missing, unseen), unseen, cells="mark")


def read_predict(missing_predict: object, grown: str) -> str:
    """The strategy of prediction of a tree grown with the strategy `grown`; None is the same.

    >>> read_predict(None, "learned"), read_predict("majority", "learned")
    ('learned', 'majority')
    """
    if missing_predict is None:
        return grown
    valid = ANYWHERE if grown in ANYWHERE else (*ANYWHERE, grown)
    if isinstance(missing_predict, str) and missing_predict in valid:
        return missing_predict
    why = "is not known"
    if isinstance(missing_predict, str) and missing_predict in MISSING:
        why = f"needs a tree grown with missing={missing_predict!r}, but here missing={grown!r}"
    names = ", ".join(map(repr, valid))
    raise ParameterError(f"missing_predict={missing_predict!r} {why}; choose None or one of {names}.")
