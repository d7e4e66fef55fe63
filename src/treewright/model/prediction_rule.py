"""The prediction rule of a tree: how class weights at a node become class probabilities and a predicted class.

All probabilities of nodes and all decisions between classes are computed here; docs/probabilities.md has the formulas.
The numbers that a regression tree predicts are computed here too: the means of its nodes, or shrunken means.

W is the weight of a node in rows, w its class weights, K the number of classes. Growth with costs multiplies the weight
of each class by a factor (`factors`); the probabilities are those of the weights before that.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import shrink_along_paths
from treewright.deprecation import DeprecatedAlias
from treewright.errors import InputError
from treewright.model.rule_faults import find_fault, find_fault_for_target
from treewright.model.shrinkage import nearest_nonempty, shrink, shrink_by_amounts
from treewright.model.tree_columns import COLUMNS

if TYPE_CHECKING:
    from treewright.model.tree import Tree

TIE = 1e-12
"""Relative difference up to which sums count as equal: they are rounded."""


@dataclass(frozen=True, slots=True)
class PredictionRule:
    """How class weights at a node become class probabilities and a predicted class.

    An empty node predicts as its parent. On a tie the first class is predicted. A regression tree has "frequency", with
    which a node predicts its mean (or median, or rate), or "shrinkage", where these take the place of the frequencies;
    it has no prior, costs and factors.

    Parameters
    ----------
    probability : {"frequency", "laplace", "m-estimate", "shrinkage"}
        The estimator: "frequency" is w / W; "laplace" is (w + 1) / (W + K); "m-estimate" is
        (w + amount * prior) / (W + amount); "shrinkage" is the frequency at the root plus, for each step of the path,
        the difference of the frequencies of child and parent divided by 1 + amount / W of the parent.
    amount : float
        m of the m-estimate or lambda of shrinkage, in rows; 0 for the other estimators.
    prior : tuple of float, optional
        Prior of the m-estimate; None: the class frequencies of the root.
    costs : tuple of tuples of float, optional
        costs[i][j] is the cost of predicting class j for a row of class i. None: the most probable class is predicted;
        otherwise the class with the lowest expected cost.
    factors : tuple of float, optional
        Factor by which growth multiplied the weight of each class because of the costs; None: no factors.
    row_weight : float
        Weight that counts as one row.

    Examples
    --------
    >>> PredictionRule("m-estimate", amount=2.0)
    PredictionRule(probability='m-estimate', amount=2.0, prior=None, costs=None, factors=None, row_weight=1.0)
    >>> PredictionRule("laplase")
    Traceback (most recent call last):
    treewright.errors.InputError: `probability` must be one of frequency, laplace, m-estimate, shrinkage, got 'laplase'.
    """

    probability: str = "frequency"
    amount: float = 0.0
    prior: tuple[float, ...] | None = None
    costs: tuple[tuple[float, ...], ...] | None = None
    factors: tuple[float, ...] | None = None
    row_weight: float = 1.0

    def __post_init__(self) -> None:
        fault = find_fault(self)
        if fault is not None:
            raise InputError(f"`{fault.field}` {fault.why}.")
        # Python floats only: equal rules then have equal fingerprints, whatever numeric types they were given.
        for name in ("amount", "row_weight"):
            object.__setattr__(self, name, float(getattr(self, name)))
        for name in ("prior", "factors"):
            given = getattr(self, name)
            object.__setattr__(self, name, None if given is None else tuple(map(float, given)))
        if self.costs is not None:
            object.__setattr__(self, "costs", tuple(tuple(map(float, row)) for row in self.costs))

    @property
    def is_default(self) -> bool:
        """Whether a node predicts the relative frequencies of its class weights, and the most frequent class."""
        return self.probability == "frequency" and self.costs is None and self.factors is None

    is_plain = DeprecatedAlias("is_default")


DEFAULT_RULE = PredictionRule()


def node_values(
    rule: PredictionRule,
    stats: NDArray[np.float64],
    weight: NDArray[np.float64],
    parent: NDArray[np.int64],
    *,
    is_number: bool,
) -> NDArray[np.float64]:
    """What every node predicts: the probability of each class, or the number as a single column."""
    made = node_numbers if is_number else node_probabilities
    return made(rule, stats, weight, parent)


def node_numbers(
    rule: PredictionRule, stats: NDArray[np.float64], weight: NDArray[np.float64], parent: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The number that every node of a regression tree predicts, (n_nodes, 1).

    stats, weight, parent  columns of a regression tree

    >>> stats = np.array([[6.0, 10.0, 90.0], [2.0, 4.0, 8.0], [4.0, 13.0, 4.0]])
    >>> node_numbers(PredictionRule("shrinkage", 6.0), stats, stats[:, 0], np.array([-1, 0, 0])).ravel().tolist()
    [10.0, 7.0, 11.5]
    """
    value = stats[:, 1:2].copy()
    has_rows = weight > 0
    with np.errstate(all="ignore"):  # the values of damaged files
        if rule.probability == "shrinkage":
            value = shrink(value, np.where(has_rows, weight, 1.0) / rule.row_weight, parent, rule.amount)
    return value if has_rows.all() else value[nearest_nonempty(has_rows, parent)]


def numbers_by_amount(tree: "Tree", rule: PredictionRule, amounts: Sequence[float]) -> NDArray[np.float64]:
    """The same for several amounts of shrinkage at once, (n_nodes, n_amounts)."""
    has_rows = tree.weight > 0
    rows = np.where(has_rows, tree.weight, 1.0) / rule.row_weight
    value = shrink_by_amounts(tree.stats[:, 1], rows, tree.parent, np.array(amounts, np.float64))
    return value if has_rows.all() else value[nearest_nonempty(has_rows, tree.parent)]


def node_probabilities(
    rule: PredictionRule, stats: NDArray[np.float64], weight: NDArray[np.float64], parent: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The probability of each class at every node, (n_nodes, n_classes).

    stats, weight, parent  columns of a classification tree

    >>> stats = np.array([[5.0, 9.0], [3.0, 2.0], [2.0, 7.0]])
    >>> node_probabilities(PredictionRule("laplace"), stats, stats.sum(axis=1), np.array([-1, 0, 0]))[0].tolist()
    [0.375, 0.625]
    """
    with np.errstate(all="ignore"):  # weights near the largest float, and the values of damaged files
        frequency, total = node_frequencies(rule, stats, weight)
        if rule.probability == "frequency":
            value = frequency
        elif rule.probability == "shrinkage":
            value = shrink(frequency, total / rule.row_weight, parent, rule.amount)
        else:
            added, amount = pseudo_counts(rule, frequency[0])
            rows = without_cost_factors(rule, stats) / rule.row_weight
            value = (rows + added) / (total / rule.row_weight + amount)[:, None]
            value = np.where(np.isfinite(value), value, frequency)
    has_rows = weight > 0
    return value if has_rows.all() else value[nearest_nonempty(has_rows, parent)]


def node_frequencies(
    rule: PredictionRule, stats: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The class frequencies at every node and the weight of the node, both without the cost factors.

    An empty node has the weight 1 and frequencies of 0.
    """
    total = np.where(weight > 0, weight, 1.0)
    frequency = stats / total[:, None]
    if rule.factors is None:
        return frequency, total
    frequency = frequency / np.array(rule.factors)
    change = np.where(weight > 0, frequency.sum(axis=1), 1.0)
    return frequency / change[:, None], total * change


def pseudo_counts(rule: PredictionRule, root: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The pseudo-counts that are added to the rows of each class, and their sum; `root` has the root's frequencies.

    >>> pseudo_counts(PredictionRule("m-estimate", 2.0), np.array([0.25, 0.75]))
    (array([0.5, 1.5]), 2.0)
    """
    if rule.probability == "laplace":
        return np.ones(len(root)), float(len(root))
    prior = root if rule.prior is None else np.array(rule.prior)
    amount = rule.amount if rule.probability == "m-estimate" else 0.0
    return amount * prior, amount


def without_cost_factors(rule: PredictionRule, stats: NDArray[np.float64]) -> NDArray[np.float64]:
    """Class weights as they were before growth multiplied them by the cost factors.

    >>> without_cost_factors(PredictionRule(factors=(0.5, 2.0)), np.array([3.0, 8.0])).tolist()
    [6.0, 4.0]
    """
    return stats if rule.factors is None else stats / np.array(rule.factors)


def expected_costs(rule: PredictionRule, value: NDArray[np.float64]) -> NDArray[np.float64]:
    """The expected cost of predicting each class, given the class probabilities; without costs an error costs 1.

    >>> expected_costs(PredictionRule(costs=((0.0, 5.0), (1.0, 0.0))), np.array([0.25, 0.75]))
    array([0.75, 1.25])
    """
    if rule.costs is None:
        return 1.0 - value
    # A matrix product would add in another order for one row than for many.
    return np.asarray(np.einsum("...k,kj->...j", value, np.array(rule.costs, np.float64)))


def choose_classes(rule: PredictionRule, value: NDArray[np.float64], tie: float = 0.0) -> Any:
    """The code of the predicted class, or one for each row of `value`; the first class on a tie.

    value  class probabilities of a node, or a mean of several
    tie    relative difference up to which frequencies tie: 0 for those of a node, TIE for a mean; everything else than
           plain frequencies is compared with TIE

    >>> costs = PredictionRule(costs=((0.0, 5.0), (1.0, 0.0)))
    >>> choose_classes(DEFAULT_RULE, np.array([0.25, 0.75])), choose_classes(costs, np.array([0.25, 0.75]))
    (1, 0)
    """
    tie = tie if rule.is_default else TIE
    if rule.costs is not None:
        expected = expected_costs(rule, value)
        found = (expected <= expected.min(axis=-1, keepdims=True) * (1 + tie)).argmax(axis=-1)
    elif tie:
        found = (value >= value.max(axis=-1, keepdims=True) * (1 - tie)).argmax(axis=-1)
    else:
        found = value.argmax(axis=-1)
    return int(found) if value.ndim == 1 else found


def with_prediction_rule(tree: "Tree", rule: PredictionRule) -> "Tree":
    """Return the same tree with another prediction rule: its probabilities, or numbers, are computed anew.

    Parameters
    ----------
    tree : Tree
        A classification or regression tree.
    rule : PredictionRule
        The new rule.

    Returns
    -------
    Tree
        The new tree, or `tree` itself when it has this rule already.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> laplace = with_prediction_rule(golf_example(), PredictionRule("laplace"))
    >>> golf_example().value[4].tolist(), laplace.value[4].tolist()
    ([0.0, 1.0], [0.25, 0.75])
    """
    if rule is tree.prediction_rule or rule == tree.prediction_rule:
        return tree
    target = tree.schema.target
    fault = find_fault_for_target(rule, is_number=target.is_number, n_classes=target.n_classes)
    if fault is not None:
        raise InputError(f"`{fault.field}` of the prediction rule {fault.why}.")
    columns = {name: getattr(tree, name) for name in COLUMNS}
    columns["value"] = node_values(rule, tree.stats, tree.weight, tree.parent, is_number=target.is_number)
    return type(tree).unchecked(
        tree.schema, tree.criterion, tree.missing, tree.surrogates, prediction_rule=rule, **columns
    )


def shrunk_probabilities(
    tree: "Tree", pairs: NDArray[np.int64], rule: PredictionRule, amounts: Sequence[float]
) -> NDArray[np.float64]:
    """Probabilities by hierarchical shrinkage of some classes at some nodes, for many amounts; (amount, pair).

    They are bit for bit those of `node_probabilities`, which computes all classes of all nodes for one amount.

    pairs  node * n_classes + class

    >>> from treewright.model.build import golf_example
    >>> pairs = np.array([0, 1, 5])
    >>> shrunk_probabilities(golf_example(), pairs, PredictionRule("shrinkage"), [0.0, 14.0]).round(3).tolist()
    [[0.357, 0.643, 1.0], [0.357, 0.643, 0.821]]
    """
    n_nodes, n_classes = tree.stats.shape
    nodes, classes = np.divmod(pairs, n_classes)
    n_rounds = tree.depth.bit_length()
    if tree.depths[nodes].sum() > n_nodes * n_classes * n_rounds:  # long paths: all nodes at once take fewer steps
        rules = (replace(rule, amount=amount) for amount in amounts)
        values = [node_probabilities(one, tree.stats, tree.weight, tree.parent) for one in rules]
        return np.array([value.ravel()[pairs] for value in values])
    stats, total = np.ascontiguousarray(tree.stats), tree.weight
    rows = total / rule.row_weight
    if rule.factors is not None:
        stats, rows = node_frequencies(rule, tree.stats, tree.weight)
        rows, total = rows / rule.row_weight, np.ones(n_nodes)
    if not tree.weight.all():
        nodes = nearest_nonempty(tree.weight > 0, tree.parent)[nodes]
    amount = np.array(amounts, np.float64)
    found = np.empty((len(amounts), len(pairs)))
    factors, path = np.empty((n_nodes + 1, len(amounts))), np.empty((tree.depth + 1, len(amounts)))
    is_above = np.zeros(n_nodes, np.uint8)
    shrink_along_paths(tree.parent, stats, total, rows, amount, nodes, classes, is_above, factors, path, found)
    return found


def fingerprint_line(rule: PredictionRule) -> str:
    """The rule in one line, for the fingerprint of a tree; it keeps the word of version 0.1."""
    return f"answering {astuple(rule)!r}\n"
