"""Rule: what a tree does with a row whose value is missing or was never seen.

In: the names of two choices. Out: the same, checked, and settled for a tree: which of them is meant, and whether
the tree can answer by it.
"""

from dataclasses import dataclass

from treewright.errors import ParameterError, one_of
from treewright.model.strategies import PREDICTED, STRATEGIES
from treewright.model.tree import Tree

UNSEEN = ("majority", "stop")
"""What can be done at a node whose value is a category that training never showed."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What to do at a node that asks for a value the row does not have.

    missing  fractional  down every branch, with the share of the weight that training rows gave it
             surrogate   as the first surrogate says that knows its value, else the node's `missing_branch`
             learned     the node's `missing_branch`, where missing values went in training
             branch      the same: the branch of the missing values
             majority    the branch of most weight, the first one on a tie
             stop        the way ends at the node
             error       an InputError
             None        as the tree was grown
    unseen   majority or stop, for a category that training never showed (minus infinity in the values)

    >>> Rule("stop").unseen
    'majority'
    """

    missing: str | None = None
    unseen: str = "majority"

    def __post_init__(self) -> None:
        if self.missing is not None:
            one_of("missing", self.missing, PREDICTED)
        one_of("unseen", self.unseen, UNSEEN)


def missing_rule(tree: Tree, rule: Rule) -> str:
    """What the rule does with missing values in this tree; refused when the tree was grown in another way.

    >>> from treewright.model.build import golf_example
    >>> missing_rule(golf_example(), Rule()), missing_rule(golf_example(), Rule("stop"))
    ('error', 'stop')
    """
    name = tree.missing if rule.missing is None else rule.missing
    strategy = STRATEGIES[name]
    has = strategy.surrogates and tree.surrogates is not None
    if strategy.needs_growth and not has and tree.missing != name:
        raise ParameterError(
            f"missing={name!r} needs a tree that was grown with it, but this one was grown with "
            f"missing={tree.missing!r}; choose 'fractional', 'majority' or 'stop', or grow the tree again."
        )
    return name
