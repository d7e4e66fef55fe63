"""The missing-value policy of a prediction: what happens to a row with a missing value or an unseen category.

`MissingPolicy` names two choices; `resolve_missing` says which strategy they mean for a tree, and refuses one that the
tree cannot follow.
"""

from dataclasses import dataclass

from treewright.errors import ParameterError, one_of
from treewright.model.strategies import PREDICTION_STRATEGIES, STRATEGIES
from treewright.model.tree import Tree

UNSEEN = ("majority", "stop")
"""What can be done at a node whose value is a category that did not occur in training."""


@dataclass(frozen=True, slots=True)
class MissingPolicy:
    """What to do at a node that splits on a value the row does not have.

    Parameters
    ----------
    missing : str or None
        Strategy for missing values:

        - "fractional": the row goes down every branch with the fraction of its weight that training rows had there
        - "surrogate": the first surrogate with a known value decides, otherwise the node's `missing_branch`
        - "learned": the node's `missing_branch`, where missing values went in training
        - "branch": the node's `missing_branch`, the branch of missing values
        - "majority": the branch with the largest weight, the first one on a tie
        - "stop": the path ends at the node
        - "error": an InputError
        - None: the strategy of growth
    unseen : {"majority", "stop"}
        The same for a category that did not occur in training (minus infinity in encoded values).

    Examples
    --------
    >>> MissingPolicy("stop").unseen
    'majority'
    """

    missing: str | None = None
    unseen: str = "majority"

    def __post_init__(self) -> None:
        if self.missing is not None:
            one_of("missing", self.missing, PREDICTION_STRATEGIES)
        one_of("unseen", self.unseen, UNSEEN)


AS_GROWN = MissingPolicy()
"""The default: missing values are treated as in growth."""


def resolve_missing(tree: Tree, policy: MissingPolicy) -> str:
    """The strategy for missing values that a policy means for a tree; refused when the tree cannot follow it.

    >>> from treewright.model.build import golf_example
    >>> resolve_missing(golf_example(), MissingPolicy()), resolve_missing(golf_example(), MissingPolicy("stop"))
    ('error', 'stop')
    """
    name = tree.missing if policy.missing is None else policy.missing
    strategy = STRATEGIES[name]
    has_surrogates = strategy.surrogates and tree.surrogates is not None
    if strategy.needs_growth and not has_surrogates and tree.missing != name:
        raise ParameterError(
            f"missing={name!r} requires a tree that was grown with it, but this tree was grown with "
            f"missing={tree.missing!r}; use 'fractional', 'majority' or 'stop', or fit again with missing={name!r}."
        )
    return name
