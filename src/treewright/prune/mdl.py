"""MDL pruning: keep a split only if it saves more bits than its own description takes."""

from dataclasses import dataclass
from math import lgamma, log, log2, pi
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.distributions import log_gamma
from treewright.language import N_
from treewright.model.tree import TABLE, THRESHOLD, Tree
from treewright.prune.class_stats import class_information, count_present_classes, stopped_class_weights
from treewright.prune.method import Method, Pruned, PruningInput
from treewright.prune.traversal import Wording, build_result, compare_bottom_up

RULE = N_(
    "A node becomes a leaf when the classes of its rows take no more bits than its split and its branches together."
)
BITS = N_("bits")
BITS_OF_TEST = N_("bits of the test")


@dataclass(frozen=True, slots=True)
class MDL(Method):
    """Pruning by minimum description length (Mehta, Rissanen and Agrawal 1995), by the training rows alone.

    The classes of the training rows are sent to a receiver who has the other columns: first the tree, then
    the classes in
    each leaf. The tree with the shortest message is kept: from the bottom up, a node becomes a leaf if that takes no
    more bits than its split and its branches. The message contains

    - for each node one bit: a leaf, or a split;
    - for a leaf with n rows of k classes, n_i of each, their stochastic complexity: sum n_i log2(n / n_i)
      + (k - 1)/2 log2(n / 2) + log2(pi^(k/2) / Gamma(k/2)). This holds for many rows. For a few rows of many classes
      it is negative, so it is never taken below the code it approximates (Krichevsky and Trofimov 1981);
    - for a split, log2 of the number of columns, and log2 of the number of tests of that column: of a number at most
    one
      less than the node has rows (the tree does not store the number of distinct values); of an ordered category also
      one less than it has categories; of a category the number of ways to put those present at the node into as many
      groups as there are branches: one if each has its own branch, 2^(v-1) - 1 for two groups of v, and an upper bound
      for more groups. If growth also tested whether a value is missing, that is one more test of each column.

    Surrogates are not in the message. Weights count as rows.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> print(MDL().prune(golf_example()).report.of(1).words)
    Node 1 (outlook = sunny): 8.17 bits as a leaf, 10.2 as a subtree: pruned.
    """

    name: ClassVar[str] = "mdl"
    messages: ClassVar[tuple[str, ...]] = (RULE, BITS, BITS_OF_TEST)

    def title(self) -> str:
        """The name at the start of a sentence."""
        return "MDL pruning"

    def _prune(self, inputs: PruningInput) -> Pruned:
        tree = inputs.tree
        n_classes = count_present_classes(tree)
        test = split_bits(tree)
        leaf = 1.0 + label_bits(tree.stats, n_classes)
        split = np.where(tree.is_leaf, 0.0, 1.0 + test + label_bits(stopped_class_weights(tree), n_classes))
        comparison = compare_bottom_up(tree, leaf, split)
        return build_result(tree, Wording(self.name, RULE, BITS), leaf, comparison, details={BITS_OF_TEST: test})


def label_bits(stats: NDArray[np.float64], n_classes: int) -> NDArray[np.float64]:
    """The bits that the classes of the rows of a node take, for each row of class weights.

    >>> label_bits(np.array([[3.0, 2.0], [40.0, 10.0], [0.0, 1.0], [0.0, 0.0]]), 2).round(3).tolist()
    [7.167, 40.07, 1.151, 0.0]
    """
    whole = stats.sum(axis=1)
    filled = whole > 0
    half = n_classes / 2.0
    many = class_information(stats) / log(2)
    many += (n_classes - 1) / 2.0 * np.log2(np.where(filled, whole, 1.0) / 2.0)
    many += half * log2(pi) - lgamma(half) / log(2)
    # Each next class by the proportions so far, as if half a row of each class had been seen before.
    mixed = log_gamma(whole + half) - lgamma(half) - (log_gamma(stats + 0.5) - lgamma(0.5)).sum(axis=1)
    return np.where(filled, np.maximum(many, mixed / log(2)), 0.0)


def split_bits(tree: Tree) -> NDArray[np.float64]:
    """The bits that the test of each node takes: its column, and its cut or its groups; 0 at a leaf.

    >>> from treewright.model.build import golf_example
    >>> split_bits(golf_example()).round(3).tolist()
    [1.585, 3.585, 0.0, 1.585, 0.0, 0.0, 0.0, 0.0]
    """
    bits = np.zeros(tree.n_nodes)
    cuts = tree.kind == THRESHOLD
    bits[cuts] = np.log2(_n_cuts(tree)[cuts])
    groups = tree.kind == TABLE
    bits[groups] = _grouping_bits(*(column[groups] for column in _groups(tree)))
    if tree.strategy.splits_on_missing:
        bits = np.logaddexp2(bits, 0.0)
    found: NDArray[np.float64] = np.where(tree.is_leaf, 0.0, bits + log2(max(tree.schema.n_columns, 1)))
    return found


def _n_cuts(tree: Tree) -> NDArray[np.float64]:
    """An upper bound on the cuts that a threshold was chosen from; a row of weight 3 is three rows."""
    columns = tree.schema.columns
    most = np.array([c.n_categories - 1.0 if c.kind is Kind.ORDERED else np.inf for c in columns])
    return np.maximum(np.minimum(tree.weight - 1.0, most[tree.column]), 1.0)


def _groups(tree: Tree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How many categories the split of each node lists, and how many branches they go to."""
    n_codes = np.diff(tree.table_start)
    owner = np.repeat(np.arange(tree.n_nodes), n_codes)
    width = int(tree.n_children.max(initial=0)) + 1
    taken = np.unique(owner * width + tree.table_branch) // width
    return n_codes.astype(np.float64), np.bincount(taken, minlength=tree.n_nodes).astype(np.float64)


def _grouping_bits(v: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """log2 of the number of ways to put v categories into b groups, or an upper bound of it.

    The number is 1 for b = 1 and b = v, and 2^(v-1) - 1 for b = 2. Otherwise each category takes one of b groups,
    whose order does not matter: at most b^v / b!; or b of them open a group each and the others join: at most half of
    C(v, b) b^(v-b).
    """
    factorial = log_gamma(b + 1.0) / log(2)
    apart = v * np.log2(b) - factorial
    opened = (log_gamma(v + 1.0) - log_gamma(v - b + 1.0)) / log(2) - factorial + (v - b) * np.log2(b) - 1.0
    two = v - 1.0 + np.log1p(-np.exp2(1.0 - np.maximum(v, 2.0))) / log(2)
    bits = np.where(b == 2, two, np.minimum(apart, opened))
    return np.where((b <= 1) | (b >= v), 0.0, np.maximum(bits, 0.0))
