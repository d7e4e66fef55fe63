"""Critical-value pruning: keep the strong splits, and the weak ones above them.

Without a critical value a series of ever smaller trees is made with rising values, and one of them is chosen by the
significance of the whole tree or by validation rows. The whole series comes from one sort of the nodes.
"""

from dataclasses import dataclass
from math import floor, log
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import largest_below
from treewright.distributions import log_gamma
from treewright.errors import ParameterError, at_least, one_of
from treewright.language import N_, messages
from treewright.model.subtree import collapse_nodes
from treewright.model.tree import Tree
from treewright.prune.class_stats import branch_class_weights, class_information, count_present_classes
from treewright.prune.losses import validation_losses
from treewright.prune.method import VALIDATION, Method, Pruned, PruningInput
from treewright.prune.report import PruningReport
from treewright.prune.traversal import bottom_up_order
from treewright.text_table import Grid, new_frame, pluralize

N_SHOWN = 20
"""Trees that a printed series lists: those around the chosen one."""
MEASURES = ("g", "merit")
CHOICES = ("auto", "significance", "validation")
RULE = N_("A node becomes a leaf when neither its split nor any below it reaches the critical value.")
G_VALUE, MERIT = N_("G"), N_("merit")
AT_STRONGEST, NEEDED = N_("at its strongest split"), N_("needed")
OWN_SPLIT = N_("own split")
TIE, CLOSE = 1e-12, 1e-9
"""Strengths tie if they differ by at most the first fraction of the largest possible one; numbers of whole trees, which
are sums over many nodes, if they differ by at most the second fraction of them."""


@dataclass(frozen=True, slots=True)
class CriticalValue(Method):
    """Critical-value pruning (Mingers 1987): a weak split stays only above a strong one.

    Parameters
    ----------
    critical_value : float or None, default=None
        What a split must reach; None: a series of trees is made with rising values, `report.path`, and one is chosen.
    measure : {"g", "merit"}, default="g"
        "g": G = 2 W times the information gain in nats, which is distributed like chi-square if the split is
        independent of the classes; "merit": the number by which growth chose the column.
    choose : {"auto", "significance", "validation"}, default="auto"
        "significance": the tree whose G, of the table of its leaves by classes, has the smallest p-value; "validation":
        the smallest of the trees with the fewest errors on validation rows; "auto": by validation rows if there are
        any, otherwise by significance.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> pruned = CriticalValue(critical_value=6).prune(golf_example())
    >>> print(pruned.report.of(0).words)
    Node 0 (root): 6.73 G at its strongest split, 6 needed: kept.
    >>> print(CriticalValue().prune(golf_example()).report.path)
    cut-off  leaves  df      G  p-value
       6.73       5   4  18.25   0.0011  chosen
        inf       1   0   0.00   1.0000
    """

    critical_value: float | None = None
    measure: str = "g"
    choose: str = "auto"

    name: ClassVar[str] = "critical_value"
    messages: ClassVar[tuple[str, ...]] = (RULE, G_VALUE, MERIT, AT_STRONGEST, NEEDED, OWN_SPLIT)

    def __post_init__(self) -> None:
        one_of("measure", self.measure, MEASURES)
        one_of("choose", self.choose, CHOICES)
        if self.critical_value is None:
            return
        at_least("critical_value", self.critical_value, 0)
        if self.choose != "auto":
            raise ParameterError(
                f"choose and critical_value cannot both be set, got {self.choose!r} and {self.critical_value!r}; "
                "leave one of them out."
            )

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({VALIDATION} if self.choose == "validation" else ())

    @property
    def uses(self) -> frozenset[str]:
        """What the method uses if it is there."""
        chooses = self.critical_value is None and self.choose != "significance"
        return frozenset({VALIDATION} if chooses else ())

    def _prune(self, inputs: PruningInput) -> Pruned:
        tree = inputs.tree
        inner = tree.n_children > 0
        g = g_values(tree)
        strength = g if self.measure == "g" else tree.merit
        peak = np.where(inner, strength, -np.inf)
        largest_below(tree.parent, peak)
        slack = _slack(tree, peak, self.measure)
        path = None if self.critical_value is not None else self._series(inputs, peak, g, slack)
        value = float(self.critical_value or 0.0) if path is None else float(path.cut_off[path.chosen])
        weak = inner & (peak < value - slack)
        visit = bottom_up_order(tree)
        smaller = collapse_nodes(tree, weak)
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=RULE,
            unit=G_VALUE if self.measure == "g" else MERIT,
            node=visit,
            leaf=peak[visit],
            subtree=np.full(len(visit), value),
            allowance=np.zeros(len(visit)),
            verdict=weak[visit].astype(np.int8),
            details={OWN_SPLIT: strength[visit]},
            origin=smaller.origin,
            path=path,
            as_leaf=AT_STRONGEST,
            as_subtree=NEEDED,
        )
        return Pruned(smaller.tree, report)

    def _series(
        self, inputs: PruningInput, peak: NDArray[np.float64], g: NDArray[np.float64], slack: float
    ) -> "CutOffs":
        """The trees of rising critical values, and which of them is chosen."""
        tree = inputs.tree
        inner = np.flatnonzero(tree.n_children)
        # Each split adds its branches less one to the leaves; a branch without rows is not a line of the table.
        filled = np.bincount(tree.parent[1:], tree.weight[1:] > 0, tree.n_nodes).astype(np.int64)
        adds = [tree.n_children[inner] - 1, np.maximum(filled[inner] - 1, 0), g[inner]]
        rows = None if self.choose == "significance" else inputs.validation
        if rows is None:
            cut_off, (leaves, lines, g_of_tree) = rising_cut_offs(peak[inner], slack, *adds)
            degrees = lines * (count_present_classes(tree) - 1)
            log_p = log_p_value(g_of_tree, degrees.astype(np.float64))
            least = log_p <= log_p.min() + CLOSE * abs(log_p.min())
            return CutOffs(cut_off, leaves + 1, degrees, g_of_tree, log_p, None, _last_index(least))
        losses = validation_losses(tree, rows, inputs.rule)
        parts = np.bincount(tree.parent[1:], losses.leaf[1:], tree.n_nodes)
        adds.append((losses.staying + parts - losses.leaf)[inner])
        cut_off, (leaves, lines, g_of_tree, more) = rising_cut_offs(peak[inner], slack, *adds)
        errors = losses.leaf[0] + more
        least = errors <= errors.min() + CLOSE * losses.total
        degrees = lines * (count_present_classes(tree) - 1)
        return CutOffs(cut_off, leaves + 1, degrees, g_of_tree, None, errors, _last_index(least))


def _slack(tree: Tree, peak: NDArray[np.float64], measure: str) -> float:
    """By how much the strengths of two equal splits can differ: they are differences of large numbers."""
    if measure == "g":
        return TIE * 2.0 * float(class_information(tree.stats[:1])[0])
    return TIE * float(np.abs(peak, where=np.isfinite(peak), out=np.zeros(len(peak))).max())


def _last_index(found: NDArray[np.bool_]) -> int:
    """The last index: of several trees the smallest."""
    return int(np.flatnonzero(found)[-1])


def g_values(tree: Tree) -> NDArray[np.float64]:
    """G of each split: twice the information that its branches have about the classes; 0 at a leaf.

    Only rows that go down a branch count. G of a tree, over its leaves by classes, is the sum over its splits.

    >>> from treewright.model.build import golf_example
    >>> g_values(golf_example()).round(2).tolist()
    [4.79, 6.73, 0.0, 6.73, 0.0, 0.0, 0.0, 0.0]
    """
    own = class_information(tree.stats)
    parts = np.bincount(tree.parent[1:], own[1:], tree.n_nodes)
    found = 2.0 * (class_information(branch_class_weights(tree)) - parts)
    return np.where(tree.is_leaf, 0.0, np.maximum(found, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class CutOffs:
    """The series of trees of critical-value pruning, from the grown tree to its root alone.

    Attributes
    ----------
    cut_off : float64 array
        The largest critical value that gives the tree; infinity for the root alone.
    n_leaves : int64 array
    degrees : int64 array
        Degrees of freedom of the table of leaves by classes, without empty leaves and classes.
    g : float64 array
        G of that table.
    log_p : float64 array or None
        The natural logarithm of the p-value of G; None if validation rows chose the tree.
    errors : float64 array or None
        The weight of wrong predictions on validation rows; None if significance chose the tree.
    chosen : int
        The position of the chosen tree.
    language : {"en", "zh"}
        The language of the printed table.
    """

    cut_off: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    degrees: NDArray[np.int64]
    g: NDArray[np.float64]
    log_p: NDArray[np.float64] | None
    errors: NDArray[np.float64] | None
    chosen: int
    language: str = "en"

    def __len__(self) -> int:
        return len(self.cut_off)

    def to_frame(self) -> Any:
        """A row for each tree, as a pandas data frame, or a polars one if pandas is not installed.

        A p-value too small for a float is 0; its logarithm is not.
        """
        columns: dict[str, Any] = {
            "cut_off": self.cut_off,
            "leaves": self.n_leaves,
            "degrees": self.degrees,
            "g": self.g,
        }
        if self.log_p is not None:
            columns |= {"p_value": np.exp(self.log_p), "log10_p": self.log_p / log(10)}
        if self.errors is not None:
            columns["validation_errors"] = self.errors
        return new_frame(columns | {"chosen": np.arange(len(self)) == self.chosen})

    def __str__(self) -> str:
        return "\n".join(self._grid().lines())

    def __repr__(self) -> str:
        return f"<CutOffs: {pluralize(len(self), 'tree')}, chosen {self.n_leaves[self.chosen]} leaves>"

    def _repr_html_(self) -> str:
        return self._grid().html()

    def _grid(self) -> Grid:
        first = max(0, min(self.chosen - N_SHOWN // 2, len(self) - N_SHOWN))
        shown = range(first, min(first + N_SHOWN, len(self)))
        _ = messages(self.language)
        by = _("p-value") if self.errors is None else _("validation errors")
        rows = [
            [
                f"{self.cut_off[i]:.4g}",
                str(self.n_leaves[i]),
                str(self.degrees[i]),
                f"{self.g[i]:.2f}",
                _format_p_value(float(self.log_p[i])) if self.log_p is not None else "",
                f"{self.errors[i]:.6g}" if self.errors is not None else "",
                _("chosen") if i == self.chosen else "",
            ]
            for i in shown
        ]
        used = [0, 1, 2, 3, 4 if self.errors is None else 5, 6]
        head = [_("cut-off"), _("leaves"), _("df"), "G", by, ""]
        n_more = len(self) - len(shown)
        below = [_.plural("… {n} more tree", "… {n} more trees", n_more)] if n_more else []
        return Grid(head, [[row[k] for k in used] for row in rows], [True] * 5 + [False], below)


def rising_cut_offs(
    peak: NDArray[np.float64], slack: float, *adds: NDArray[Any]
) -> tuple[NDArray[np.float64], list[NDArray[Any]]]:
    """The cut-offs of the series, and for each tree the sums over the nodes that keep their split.

    peak   for each inner node, the strength of the strongest split among it and those below it
    slack  neighbouring peaks that differ by at most this are equal
    adds   what each node adds to a number of the tree

    >>> cut_off, (leaves,) = rising_cut_offs(np.array([5.0, 2.0, 5.0]), 0.0, np.array([1, 1, 1]))
    >>> cut_off.tolist(), leaves.tolist()
    ([2.0, 5.0, inf], [3, 2, 0])
    """
    order = np.argsort(peak, kind="stable")
    rising = peak[order]
    first = np.flatnonzero(np.diff(rising, prepend=-np.inf) > slack)
    # Summed from the strongest node on, so that small trees have the sums with the fewest roundings.
    sums = [np.append(np.cumsum(add[order][::-1])[::-1][first], 0).astype(add.dtype) for add in adds]
    return np.append(rising[first], np.inf), sums


def _format_p_value(log_p: float) -> str:
    """A p-value, however small."""
    tens = log_p / log(10)
    if tens > -4:
        return f"{10**tens:.4f}"
    whole = floor(tens)
    return f"{10 ** (tens - whole):.1f}e{whole}"


MAX_TERMS = 20_000
CONVERGED = 1e-14
"""A series ends when a term changes the sum by less than this fraction, or after so many terms."""


def log_p_value(statistic: NDArray[np.float64], degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    """The natural logarithm of the p-value of chi-square statistics; 0 without degrees of freedom.

    The p-value of a large table is easily below 1e-308, too small for a float; its logarithm still tells trees apart.

    >>> log_p_value(np.array([3.841458820694124, 5000.0, 0.0]), np.array([1.0, 2.0, 0.0])).round(6).tolist()
    [-2.995732, -2500.0, 0.0]
    """
    found = np.zeros(len(statistic))
    free = np.flatnonzero(degrees > 0)
    half, x = degrees[free] / 2.0, np.maximum(statistic[free], 0.0) / 2.0
    far = x > half + 1.0
    found[free[far]] = _log_upper_gamma(half[far], x[far])
    found[free[~far]] = np.log1p(-_lower_gamma(half[~far], x[~far]))
    return found


def _lower_gamma(a: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(a, x), the regularised lower incomplete gamma function for x <= a + 1, by its power series."""
    term = 1.0 / a
    total = term.copy()
    for i in range(1, MAX_TERMS):
        term *= x / (a + i)
        total += term
        if not np.any(term > CONVERGED * total):
            break
    with np.errstate(divide="ignore"):
        return np.exp(a * np.log(x) - x - log_gamma(a)) * total


def _log_upper_gamma(a: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """log Q(a, x), the regularised upper incomplete gamma function for x > a + 1.

    Q(a, x) = x^a e^-x / Gamma(a) times a continued fraction, 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...))),
    computed by Lentz's method.
    """
    partial = x + 1.0 - a
    above, below = np.full(len(x), np.inf), 1.0 / partial
    fraction = below.copy()
    open_ = np.arange(len(x))
    for i in range(1, MAX_TERMS):
        if not len(open_):
            break
        term = i * (a[open_] - i)
        partial[open_] += 2.0
        below[open_] = 1.0 / (partial[open_] + term * below[open_])
        above[open_] = partial[open_] + term / above[open_]
        step = above[open_] * below[open_]
        fraction[open_] *= step
        open_ = open_[np.abs(step - 1.0) > CONVERGED]
    return a * np.log(x) - x - log_gamma(a) + np.log(fraction)
