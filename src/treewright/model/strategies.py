"""Strategies: what is done with missing values, each as one record.

In: a name. Out: its record: code, where rows go, words, and what it needs. Growth, prediction, model files, the page
and the command line read the record; the arithmetic of a strategy is in `_core/grow`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from treewright._core import codes

SHARES, TO_MISSING, TO_HEAVIEST = "shares", "missing branch", "heaviest branch"
STAYS, REFUSED = "stays", "refused"
"""Where a row goes whose value is missing: down every branch with a share of its weight; down the `missing_branch` of
the node; down its heaviest branch; nowhere, it stays at the node; or it is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """What is done with missing values.

    name         what `missing` or `missing_predict` is given
    code         its number in the kernels of growth, from `treewright._core.codes`; None where nothing is grown by it
    goes         where a row goes at prediction: SHARES, TO_MISSING, TO_HEAVIEST, STAYS or REFUSED
    label        on the page, in English and Chinese
    told         in a worked solution: where the training rows went, in English and Chinese; None where there are none
    why          behind the branch that a row takes, in English and Chinese
    grows        whether a tree can be grown by it
    needs_growth whether only a tree that was grown by it can predict by it
    surrogates   whether splits of other columns are asked first
    adds_branch  whether missing values can have a branch of their own beside those of the values
    joins        whether missing values join the branch where they gain most
    """

    name: str
    code: int | None
    goes: str
    label: tuple[str, str]
    told: tuple[str, str] | None = None
    why: tuple[str, str] = ("", "")
    grows: bool = True
    needs_growth: bool = False
    surrogates: bool = False
    adds_branch: bool = False
    joins: bool = False

    @property
    def splits_on_missing(self) -> bool:
        """Whether a split can be: the value is known, or it is missing. Its threshold is infinite."""
        return self.adds_branch or self.joins


_ALL = (
    Strategy(
        name="fractional", code=codes.FRACTIONAL, goes=SHARES,
        label=("go down every branch, by weight", "按权重进入所有分支"),
        told=("Rows without a value of {name} ({rows}) go down every branch, each with a share of its weight:",
              "{name}缺失的有 {rows}：以不同权重同时划入所有分支。"),
    ),
    Strategy(
        name="surrogate", code=codes.SURROGATE, goes=TO_MISSING, surrogates=True, needs_growth=True,
        label=("follow surrogates", "由替代划分决定"),
        told=("Rows without a value of {name} ({rows}) go where a surrogate says, otherwise down the heavier branch.",
              "{name}缺失的有 {rows}：由替代划分决定去向，否则进入较重的分支。"),
        why=(", the heavier branch, because no surrogate is known", "，较重的分支，因为没有已知的替代属性"),
    ),
    Strategy(
        name="learned", code=codes.LEARNED, goes=TO_MISSING, joins=True, needs_growth=True,
        label=("go where training sent them", "进入训练时学到的分支"),
        told=("Rows without a value of {name} ({rows}) join the branch where they gain most.",
              "{name}缺失的有 {rows}：归入使增益最大的分支。"),
        why=(", where training sent missing values", "，训练时缺失值进入的分支"),
    ),
    Strategy(
        name="branch", code=codes.BRANCH, goes=TO_MISSING, adds_branch=True, needs_growth=True,
        label=("have their own branch", "有自己的分支"),
        told=("Rows without a value of {name} ({rows}) have a branch of their own.",
              "{name}缺失的有 {rows}：单独成为一个分支。"),
        why=(", the heavier branch, because none was missing here in training", "，较重的分支，因为训练时此处没有缺失"),
    ),
    Strategy(
        name="majority", code=None, goes=TO_HEAVIEST, grows=False,
        label=("take the heaviest branch", "进入最重的分支"),
        why=(", the heaviest branch", "，最重的分支"),
    ),
    Strategy(
        name="stop", code=codes.STOP, goes=STAYS,
        label=("are answered where they are asked for", "由询问它的结点作答"),
        told=("Rows without a value of {name} ({rows}) stay at the node.", "{name}缺失的有 {rows}：停留在该结点。"),
    ),
    Strategy(name="error", code=None, goes=REFUSED, label=("are refused", "不予接受")),
)  # fmt: skip

STRATEGIES: Mapping[str, Strategy] = MappingProxyType({one.name: one for one in _ALL})

GROWN = tuple(one.name for one in _ALL if one.grows)
"""What `missing` of a plan may be."""
PREDICTED = tuple(one.name for one in _ALL)
"""What a tree may be asked by."""
ANYWHERE = tuple(one.name for one in _ALL if not one.needs_growth)
"""What any tree may be asked by; the others need a tree that was grown so."""
