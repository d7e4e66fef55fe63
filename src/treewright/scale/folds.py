"""Cross-validation on a source: the trees of all folds grow in the same passes over the codes.

In: an engine with the codes of all rows, and how the tree of all rows was grown. Out: for each fold a tree that was
grown on the other rows, and the sums of the rows of the fold at its nodes.

The fold of a row is a hash of its codes and its target modulo the number of folds; see `row_parts`. The codes, and so
the bins of columns, are those of all rows, and so are the factors of classes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from treewright.errors import InputError
from treewright.estimators.class_probabilities import collapse_by_cost, costs_differ
from treewright.estimators.parameters import TableSize, limits_for
from treewright.grow.plan import Plan
from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
from treewright.model.tree import Tree
from treewright.prune.cross_validation import FoldSums, PruneFold, SumSettings
from treewright.prune.losses import RowTotal
from treewright.scale.class_weights import TableWeights, weigh_part
from treewright.scale.engine import ALL_ROWS, Engine, RowCounts, RowPart
from treewright.scale.growth import LevelReport, Resources, grow, missing_code
from treewright.scale.node_ledgers import GrownOn
from treewright.scale.raising import CountedRaising
from treewright.scale.survey import Survey
from treewright.scale.tree_levels import RowUnits, sum_at_nodes


@dataclass(frozen=True, slots=True)
class PartGrowth:
    """How trees are grown on rows of an engine, which has encoded them.

    plan    with minimums that may be fractions of the rows
    least_fraction  the minimum fraction of the weight in a branch
    rule    how the trees predict
    weights those of all rows
    """

    survey: Survey
    plan: Plan
    least_fraction: float
    rule: PredictionRule
    weights: TableWeights
    resources: Resources

    @property
    def units(self) -> RowUnits:
        """The units of the rows."""
        return RowUnits(self.weights.unit, int(self.weights.by_class.sum()), self.survey.ends)

    def grow(self, rows: RowCounts, part: "PartSize") -> Tree:
        """Grow a tree on a part of the rows, or on all."""
        survey, weights, plan, _ = self.grown_on(part)

        def grow_tree(collapse: bool) -> Tree:
            return grow(rows, survey, replace(plan, collapse=collapse), self.resources, weights)

        return grow_with_costs(grow_tree, plan, self.rule, weights.row)

    def grown_on(self, part: "PartSize") -> GrownOn:
        """What a tree of a part of the rows is grown on."""
        survey, weights = replace(self.survey, n_rows=part.n_rows), part.weights
        size = TableSize(part.n_rows, weights.given, weights.is_counted, survey.has_missing)
        plan = limits_for(self.plan, size, self.least_fraction)
        return GrownOn(survey, weights, plan, missing_code(survey, plan))


class PartSize(NamedTuple):
    """How many rows there are, and their weights."""

    n_rows: int
    weights: TableWeights

    @property
    def total(self) -> RowTotal:
        """The weight and the number of the rows; whole weights are copies."""
        return RowTotal(self.weights.given, self.weights.given if self.weights.counts_rows else float(self.n_rows))


def grow_with_costs(grow_tree: Callable[[bool], Tree], plan: Plan, rule: PredictionRule, row: float) -> Tree:
    """Grow a tree that predicts by a rule; if the plan collapses splits, those that save no cost.

    row  the weight of a row
    """
    if rule.is_default:
        return grow_tree(plan.collapse)
    if not (plan.collapse and costs_differ(rule)):
        return with_prediction_rule(grow_tree(plan.collapse), rule)
    return collapse_by_cost(with_prediction_rule(grow_tree(False), rule), row)


def measure_part(rows: RowCounts, weights: TableWeights) -> PartSize:
    """The size of a part of the rows; `weights` are those of all rows."""
    if weights.moments is not None:
        total = rows.total([], 1)
        n_rows, by_class = int(total.rows[0]), total.weight
    else:
        counts = rows.tally([], [1])
        n_rows, by_class = int(counts[-1].sum()), counts[0, 0]
    return PartSize(n_rows, weigh_part(weights, by_class, n_rows))


@dataclass(frozen=True, slots=True, eq=False)
class SourceFolds:
    """Cross-validation on the rows of an engine.

    growth  how the trees are grown
    within  the part of the rows that are training rows
    whole   the size of this part
    prune   prunes the trees first; None: not at all
    n_at_once  how many trees are computed at a time, between the passes
    n_used  the numbers of folds that were used
    """

    engine: Engine
    growth: PartGrowth
    whole: PartSize
    within: RowPart = ALL_ROWS
    prune: PruneFold | None = None
    n_at_once: int = 1
    n_used: list[int] = field(default_factory=list)

    @property
    def total(self) -> RowTotal:
        """The weight and the number of all rows."""
        return self.whole.total

    def after(self, prune: PruneFold) -> "SourceFolds":
        """The same with trees that are pruned first."""
        return replace(self, prune=prune)

    def fold_sums(self, n_folds: int, how: SumSettings) -> Iterator[FoldSums]:
        """The tree of each fold with the sums of its rows."""
        self.n_used.append(n_folds)
        trees = self._grow(n_folds)
        folds = [i for i, tree in enumerate(trees) if tree is not None]
        units = self.growth.units
        shift = max(units.shift_for(one, how) for one in trees if one is not None)
        held_out = [self._part(n_folds, i, inside=True)._replace(shift=shift) for i in folds]

        def sums_of(rows: RowCounts, i: int) -> FoldSums:
            tree = trees[folds[i]]
            assert tree is not None
            return FoldSums(tree, sum_at_nodes(rows, tree, self.growth.survey, how, units, shift))

        return iter(self.engine.on_parts(held_out, sums_of, self.n_at_once))

    def _part(self, n_folds: int, fold: int, *, inside: bool) -> RowPart:
        """The rows of a fold, or the other ones."""
        return RowPart((*self.within.conditions, (n_folds, fold, fold + 1, inside)))

    def _grow(self, n_folds: int) -> list[Tree | None]:
        """The tree of each fold; None for a fold without rows."""
        memory = self.growth.resources.memory // n_folds
        reports = FoldReports(self.growth.resources.progress, n_folds)

        def grow_one(rows: RowCounts, fold: int) -> Tree | None:
            size = measure_part(rows, self.growth.weights)
            if size.n_rows == self.whole.n_rows:
                reports.finish(fold)
                return None
            if not size.n_rows:
                raise InputError(
                    "All rows are in one fold: the fold of a row is a hash of it, and there are too few different "
                    "rows for cross-validation; set ccp_alpha, or use another pruning method."
                )
            resources = Resources(memory, lambda report: reports.add(fold, report))
            tree = replace(self.growth, resources=resources).grow(rows, size)
            reports.finish(fold)
            if self.prune is None:
                return tree
            return self.prune(tree, size.weights.row, CountedRaising(rows, self.growth.survey, size.weights, memory))

        others = [self._part(n_folds, fold, inside=False) for fold in range(n_folds)]
        return self.engine.on_parts(others, grow_one, self.n_at_once)


class FoldReports:
    """Reports the progress of several trees together: each level when all trees have it, or have ended."""

    def __init__(self, progress: Callable[[LevelReport], None] | None, n_trees: int) -> None:
        self.progress, self.levels = progress, [list[LevelReport]() for _ in range(n_trees)]
        self.has_ended, self.n_reported = [False] * n_trees, 0

    def add(self, tree: int, report: LevelReport) -> None:
        """A level of a tree."""
        self.levels[tree].append(report)
        self._report()

    def finish(self, tree: int) -> None:
        """A tree has no more levels."""
        self.has_ended[tree] = True
        self._report()

    def _report(self) -> None:
        depth = self.n_reported
        while all(len(one) > depth or ended for one, ended in zip(self.levels, self.has_ended, strict=True)):
            found = [one[depth] for one in self.levels if len(one) > depth]
            if not found:
                return
            self.n_reported = depth = depth + 1
            if self.progress is not None:
                self.progress(join_reports(found))


def join_reports(reports: Sequence[LevelReport]) -> LevelReport:
    """The report of a level of several trees.

    >>> join_reports([LevelReport(2, 3, 100, 1, 7, 0.5), LevelReport(2, 1, 50, 0, 9, 0.25)])
    LevelReport(depth=2, n_nodes=4, n_rows=150, n_fetched=1, n_passes=9, seconds=0.5,
                count_bytes=0, n_bytes=0, n_trees=2)
    """
    # Each tree waits for the others in each pass, and sees what was sent for all of them.
    summed, shared = ("n_nodes", "n_rows", "n_fetched", "count_bytes"), ("n_passes", "seconds", "n_bytes")
    return LevelReport(
        depth=reports[0].depth,
        n_trees=len(reports),
        **{name: sum(getattr(one, name) for one in reports) for name in summed},
        **{name: max(getattr(one, name) for one in reports) for name in shared},
    )
