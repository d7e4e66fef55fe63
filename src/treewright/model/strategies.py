"""The strategies for missing values, one record each.

Growth, prediction, model files, the page and the command line read these records; the arithmetic of growth with missing
values is in `_core/grow`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from treewright._core import codes
from treewright.language import N_

TO_ALL, TO_MISSING, TO_HEAVIEST = "shares", "missing branch", "heaviest branch"
STAYS, REFUSED = "stays", "refused"
"""Where a row with a missing value goes: down every branch with a fraction of its weight; down the `missing_branch` of
the node; down its heaviest branch; nowhere, it stays at the node; or it is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """A strategy for missing values.

    name         the value of the parameters `missing` and `missing_predict`
    code         its number in the kernels of growth, from `treewright._core.codes`; None where no tree is grown by it
    goes         where a row goes at prediction: TO_ALL, TO_MISSING, TO_HEAVIEST, STAYS or REFUSED
    label        what happens to missing values, shown on the page; a message of the catalogue, like the next two
    growth_text  in a worked solution: where the training rows went; None where no tree is grown by it
    reason       text after the branch that a row takes; empty where none is needed
    grows        whether a tree can be grown by it
    needs_growth whether only a tree that was grown by it can predict by it
    surrogates   whether surrogate splits are tried first
    adds_branch  whether missing values can have a branch of their own
    joins        whether missing values join the branch with the highest gain
    """

    name: str
    code: int | None
    goes: str
    label: str
    growth_text: str | None = None
    reason: str = ""
    grows: bool = True
    needs_growth: bool = False
    surrogates: bool = False
    adds_branch: bool = False
    joins: bool = False

    @property
    def splits_on_missing(self) -> bool:
        """Whether a split can test if the value is missing; its threshold is then infinite."""
        return self.adds_branch or self.joins


_ALL = (
    Strategy(
        name="fractional", code=codes.FRACTIONAL, goes=TO_ALL,
        label=N_("go down every branch, by weight"),
        growth_text=N_(
            "Rows without a value of {name} ({rows}) go down every branch, each with a fraction of its weight:"
        ),
    ),
    Strategy(
        name="surrogate", code=codes.SURROGATE, goes=TO_MISSING, surrogates=True, needs_growth=True,
        label=N_("follow surrogates"),
        growth_text=N_("Rows without a value of {name} ({rows}) follow a surrogate split, or else the heavier branch."),
        reason=N_(", the heavier branch, because no surrogate is known"),
    ),
    Strategy(
        name="learned", code=codes.LEARNED, goes=TO_MISSING, joins=True, needs_growth=True,
        label=N_("follow the branch learned in training"),
        growth_text=N_("Rows without a value of {name} ({rows}) join the branch with the highest gain."),
        reason=N_(", where training sent missing values"),
    ),
    Strategy(
        name="branch", code=codes.BRANCH, goes=TO_MISSING, adds_branch=True, needs_growth=True,
        label=N_("have their own branch"),
        growth_text=N_("Rows without a value of {name} ({rows}) have a branch of their own."),
        reason=N_(", the heavier branch, because none was missing here in training"),
    ),
    Strategy(
        name="majority", code=None, goes=TO_HEAVIEST, grows=False,
        label=N_("follow the heaviest branch"),
        reason=N_(", the heaviest branch"),
    ),
    Strategy(
        name="stop", code=codes.STOP, goes=STAYS,
        label=N_("stop at the node that tests them"),
        growth_text=N_("Rows without a value of {name} ({rows}) stay at the node."),
    ),
    Strategy(name="error", code=None, goes=REFUSED, label=N_("raise an error")),
)  # fmt: skip

STRATEGIES: Mapping[str, Strategy] = MappingProxyType({one.name: one for one in _ALL})

GROWTH_STRATEGIES = tuple(one.name for one in _ALL if one.grows)
"""Names of the strategies that a tree can be grown with."""
PREDICTION_STRATEGIES = tuple(one.name for one in _ALL)
"""Names of the strategies that a tree can predict with."""
UNIVERSAL_STRATEGIES = tuple(one.name for one in _ALL if not one.needs_growth)
"""Names of the strategies that every tree can predict with; the others need a tree that was grown with them."""
