"""Answering: how the class weights at a node become what it answers.

In: the class weights of the nodes of a tree, and an Answering. Out: the probability of each class at every node, and
the class that is answered. This is the one place where either is worked out; docs/probabilities.md has the formulas.

W is the weight of a node in rows, w its class weights, K the number of classes. Growth with costs multiplies the weight
of each class by a factor; here that is undone first.
"""

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.model.check_answering import PROBABILITIES, fault_of
from treewright.model.columns import COLUMNS

if TYPE_CHECKING:
    from treewright.model.tree import Tree

__all__ = [
    "PLAIN", "PROBABILITIES", "TIE", "Answering", "added_rows", "answered", "answering_line", "decide",
    "expected_costs", "node_values", "unaltered",
]  # fmt: skip

TIE = 1e-12
"""Numbers that are added up may be apart by this part of them where they are the same."""


@dataclass(frozen=True, slots=True)
class Answering:
    """How the class weights at a node become its answer. The default: the share of each class, the class of most.

    probability  frequency   w / W
                 laplace     (w + 1) / (W + K)
                 m-estimate  (w + amount prior) / (W + amount)
                 shrinkage   the share at the root, and from each node to the next one on the way to this one the
                             difference of their shares, divided by 1 + amount / W of the upper one
    amount       m of the m-estimate, lambda of shrinkage, in rows; 0 where there is none
    prior        what the m-estimate pulls to; None: the class shares of the root
    costs        what an answer costs, (true class, answered class), 0 where it is right; None: the likeliest class
                 is answered, otherwise the one of least expected cost
    factors      what the weight of each class was multiplied by in growth for the costs; None: by nothing
    row_weight   the weight that counts as one row

    An empty node answers as its parent. On a tie the first class is answered.

    >>> Answering("m-estimate", amount=2.0)
    Answering(probability='m-estimate', amount=2.0, prior=None, costs=None, factors=None, row_weight=1.0)
    >>> Answering("laplase")
    Traceback (most recent call last):
    treewright.errors.InputError: The probability of an answering is 'laplase', but has to be one of frequency, laplace, m-estimate, shrinkage.
    """  # noqa: E501

    probability: str = "frequency"
    amount: float = 0.0
    prior: tuple[float, ...] | None = None
    costs: tuple[tuple[float, ...], ...] | None = None
    factors: tuple[float, ...] | None = None
    row_weight: float = 1.0

    def __post_init__(self) -> None:
        fault = fault_of(self)
        if fault is not None:
            raise InputError(f"The {fault[0]} of an answering {fault[1]}.")
        # numpy's numbers and whole ones stand for the same: one form, so that equal answerings have one fingerprint.
        for name in ("amount", "row_weight"):
            object.__setattr__(self, name, float(getattr(self, name)))
        for name in ("prior", "factors"):
            object.__setattr__(self, name, _floats(getattr(self, name)))
        if self.costs is not None:
            object.__setattr__(self, "costs", tuple(tuple(map(float, row)) for row in self.costs))

    @property
    def is_plain(self) -> bool:
        """Whether a node answers with the shares of its class weights as they stand, and with the class of most."""
        return self.probability == "frequency" and self.costs is None and self.factors is None


def _floats(given: tuple[float, ...] | None) -> tuple[float, ...] | None:
    return None if given is None else tuple(map(float, given))


PLAIN = Answering()


def node_values(
    answering: Answering, stats: NDArray[np.float64], weight: NDArray[np.float64], parent: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The probability of each class at every node, (n_nodes, n_classes).

    stats, weight, parent  columns of a tree of classes

    >>> stats = np.array([[5.0, 9.0], [3.0, 2.0], [2.0, 7.0]])
    >>> node_values(Answering("laplace"), stats, stats.sum(axis=1), np.array([-1, 0, 0]))[0].tolist()
    [0.375, 0.625]
    """
    with np.errstate(all="ignore"):  # weights near the largest number there is, and files that say anything
        share, whole = node_shares(answering, stats, weight)
        if answering.probability == "frequency":
            value = share
        elif answering.probability == "shrinkage":
            value = _shrunk(share, whole / answering.row_weight, parent, answering.amount)
        else:
            added, amount = added_rows(answering, share[0])
            rows = unaltered(answering, stats) / answering.row_weight
            value = (rows + added) / (whole / answering.row_weight + amount)[:, None]
            value = np.where(np.isfinite(value), value, share)
    return _filled(value, weight > 0, parent)


def node_shares(
    answering: Answering, stats: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The share of each class at every node, and the weight of the node, as they were before costs altered them.

    An empty node has the weight 1 and no share.
    """
    whole = np.where(weight > 0, weight, 1.0)
    share = stats / whole[:, None]
    if answering.factors is None:
        return share, whole
    share = share / np.array(answering.factors)
    more = np.where(weight > 0, share.sum(axis=1), 1.0)
    return share / more[:, None], whole * more


def added_rows(answering: Answering, root: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The rows of each class that are added to those of a node, and their sum; `root` has the shares of the root.

    >>> added_rows(Answering("m-estimate", 2.0), np.array([0.25, 0.75]))
    (array([0.5, 1.5]), 2.0)
    """
    if answering.probability == "laplace":
        return np.ones(len(root)), float(len(root))
    prior = root if answering.prior is None else np.array(answering.prior)
    amount = answering.amount if answering.probability == "m-estimate" else 0.0
    return amount * prior, amount


def _shrunk(
    share: NDArray[np.float64], whole: NDArray[np.float64], parent: NDArray[np.int64], amount: float
) -> NDArray[np.float64]:
    """Hierarchical shrinkage, Agarwal and others 2022.

    With c = 1 / (1 + amount / W of the parent), and 1 at the root, the sum along the way is, in another order, the
    share of the node times its c, and of each node above its share times what c falls by at the next step: parts that
    are not negative, as weights, and so c, never rise on the way down. Each round adds what the node reached so far has
    itself behind it: a chain of n nodes takes log2(n) rounds.
    """
    reached, kept = np.maximum(parent, 0), kept_shares(whole, parent, amount)
    above = share[reached] * np.maximum(kept[reached] - kept, 0.0)[:, None]
    above[0] = 0.0
    while reached.any():
        above += above[reached]
        reached = reached[reached]
    return above + share * kept[:, None]


def kept_shares(
    whole: NDArray[np.float64], parent: NDArray[np.int64], amount: float
) -> NDArray[np.float64]:
    """Of hierarchical shrinkage: c = 1 / (1 + amount / rows of the parent) of every node, and 1 of the root."""
    kept: NDArray[np.float64] = 1.0 / (1.0 + amount / whole[np.maximum(parent, 0)])
    kept[0] = 1.0
    return kept


def _filled(
    value: NDArray[np.float64], has_rows: NDArray[np.bool_], parent: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The values, those of empty nodes taken from the nearest node above that is not empty."""
    return value if has_rows.all() else value[not_empty(has_rows, parent)]


def not_empty(has_rows: NDArray[np.bool_], parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of every node itself or, where it is empty, the nearest node above that is not."""
    source = np.where(has_rows, np.arange(len(parent)), np.maximum(parent, 0))
    while True:
        higher = source[source]
        if np.array_equal(higher, source):
            return source
        source = higher


def unaltered(answering: Answering, stats: NDArray[np.float64]) -> NDArray[np.float64]:
    """Class weights as they were before growth multiplied them for the costs.

    >>> unaltered(Answering(factors=(0.5, 2.0)), np.array([3.0, 8.0])).tolist()
    [6.0, 4.0]
    """
    return stats if answering.factors is None else stats / np.array(answering.factors)


def expected_costs(answering: Answering, value: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each answer costs on average where the classes have these probabilities; without costs, 1 for a wrong one.

    >>> expected_costs(Answering(costs=((0.0, 5.0), (1.0, 0.0))), np.array([0.25, 0.75]))
    array([0.75, 1.25])
    """
    if answering.costs is None:
        return 1.0 - value
    # Not by a matrix product: that adds in another order for one row than for many.
    return np.asarray(np.einsum("...k,kj->...j", value, np.array(answering.costs, np.float64)))


def decide(answering: Answering, value: NDArray[np.float64], tie: float = 0.0) -> Any:
    """The code of the class that is answered, or one for each row of values; the first one on a tie.

    value  probabilities of the classes, of a node or a mean over several
    tie    the part by which plain shares may be apart and still tie: 0 for those of a node, TIE for a mean; anything
           else than plain shares is compared with TIE

    >>> decide(PLAIN, np.array([0.25, 0.75])), decide(Answering(costs=((0.0, 5.0), (1.0, 0.0))), np.array([0.25, 0.75]))
    (1, 0)
    """
    tie = tie if answering.is_plain else TIE
    if answering.costs is not None:
        expected = expected_costs(answering, value)
        found = (expected <= expected.min(axis=-1, keepdims=True) * (1 + tie)).argmax(axis=-1)
    elif tie:
        found = (value >= value.max(axis=-1, keepdims=True) * (1 - tie)).argmax(axis=-1)
    else:
        found = value.argmax(axis=-1)
    return int(found) if value.ndim == 1 else found


def answered(tree: "Tree", answering: Answering) -> "Tree":
    """The same tree with another answering: its values are made anew.

    >>> from treewright.model.build import golf_example
    >>> golf_example().value[4].tolist(), answered(golf_example(), Answering("laplace")).value[4].tolist()
    ([0.0, 1.0], [0.25, 0.75])
    """
    if answering is tree.answering or answering == tree.answering:
        return tree
    if tree.schema.target.is_number:
        raise InputError("The tree answers with a number, so there are no probabilities of classes to work out.")
    fault = fault_of(answering, tree.schema.target.n_classes)
    if fault is not None:
        raise InputError(f"The {fault[0]} of the answering {fault[1]}.")
    columns = {name: getattr(tree, name) for name in COLUMNS}
    columns["value"] = node_values(answering, tree.stats, tree.weight, tree.parent)
    return type(tree).unchecked(
        tree.schema, tree.criterion, tree.missing, tree.surrogates, answering=answering, **columns
    )


def answering_line(answering: Answering) -> str:
    """The answering in one line, for the fingerprint of a tree."""
    return f"answering {astuple(answering)!r}\n"
