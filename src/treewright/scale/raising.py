"""Subtree raising on a source: error-based pruning as in memory, by further counting passes.

In: a tree, and an engine with the rows that it was grown on. Out: what `treewright.prune.raising` returns for these
rows in memory: the same verdicts and the same numbers.

Places are visited from the bottom up. Those whose branches are all decided are visited together: to estimate the errors
of their largest branches in their place, one pass counts where the rows of the other branches would end
(`raising_trials`). A place whose rows fit is fetched, and its subtree is pruned by the kernels; so only the places with
many rows need passes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.data.dataset import Dataset
from treewright.data.fixed_point import SMALLEST_FRACTION, WEIGHT_TOLERANCE
from treewright.model.strategies import TO_ALL
from treewright.model.subtree import rebuild_tree
from treewright.model.tree import Tree
from treewright.prune.limits import Limit
from treewright.prune.raising import RaisingResult
from treewright.prune.raising_rows import RowUnits, place_rows, prune_places
from treewright.scale.class_weights import TableWeights
from treewright.scale.engine import RowCounts
from treewright.scale.growth import FETCHES, ROW_BYTES, has_changed
from treewright.scale.raising_places import Places
from treewright.scale.raising_routes import Arrived, Routes
from treewright.scale.raising_trials import Descent, DividedTrial, OneBranchTrial, clear_empty, set_arrived
from treewright.scale.survey import Survey

Trial = OneBranchTrial | DividedTrial


@dataclass(frozen=True, slots=True, eq=False)
class CountedRaising:
    """Prunes trees with subtree raising by counting; what `PruningInput.raise_branches` is on a source.

    weights  in which the engine has encoded the rows
    memory   bytes for fetched rows
    """

    engine: RowCounts
    survey: Survey
    weights: TableWeights
    memory: int

    def __call__(self, tree: Tree, limit: Limit, allowance: float) -> RaisingResult:
        places = Places(tree, limit, allowance, self.weights.unit / self.weights.row)
        used = np.unique(tree.column[~tree.is_leaf]).tolist()
        is_missing = any(self.survey.columns[f].missing_code == codes.SOME_MISSING for f in used)
        run = DividedRaising if is_missing and tree.strategy.goes == TO_ALL else OneBranchRaising
        return run(self, places).run()


class OneBranchRaising:
    """Raising where every row takes one path.

    ready   places to be visited: all below them are decided
    small   places whose rows fit, and whose subtrees are not decided
    n_open  place -> its branches that are not decided
    """

    is_divided = False

    def __init__(self, source: CountedRaising, places: Places) -> None:
        self.source, self.places = source, places
        least = SMALLEST_FRACTION * source.weights.one if self.is_divided else 0.0
        self.routes = Routes(source.engine, source.survey, places, source.memory, least)
        row_bytes = ROW_BYTES * (len(source.survey.columns) + 1)
        self.most_rows, self.rows_at_once = source.memory // (FETCHES * row_bytes), source.memory // (2 * row_bytes)
        self.ready: list[int] = []
        self.small: list[int] = []
        self.n_open: dict[int, int] = {}
        self.trials: list[Trial] = []

    def run(self) -> RaisingResult:
        """Visit all places."""
        if self.places.is_leaf(0):
            return self.places.result()
        if self.is_small(0):
            self.small = [0]
        else:
            self.count_rows()
            self.open(0)
        while self.small or self.ready or self.trials:
            self._prune_small()
            while self.ready:
                self._visit(self.ready.pop())
            if self.trials:
                self._try_branches()
        return self.places.result()

    def is_small(self, place: int) -> bool:
        """Whether the rows of a place fit."""
        return 0 < self.places.size[place] <= self.most_rows

    def open(self, place: int, touched: set[int] | None = None) -> None:
        """Have a place visited, and before it the inner places below it; if only some were touched, these."""
        stack = [place]
        while stack:
            one = stack.pop()
            children = [child for child in self.places.children(one) if touched is None or child in touched]
            inner = [child for child in children if not self.places.is_leaf(child)]
            self.n_open[one] = len(inner)
            if not inner:
                self.ready.append(one)
            for child in inner:
                (self.small if self.is_small(child) else stack).append(child)

    def _settle(self, place: int) -> None:
        """A place and all below it are decided."""
        if place == 0:
            return
        above = int(self.places.parent[place])
        self.n_open[above] -= 1
        if not self.n_open[above]:
            self.ready.append(above)

    # --- places with many rows ---

    def count_rows(self) -> None:
        """Count the rows of all places with many rows, and of their branches."""
        places, wanted, stack = self.places, list[int](), [0]
        while stack:
            children = places.children(stack.pop())
            wanted += children
            stack += [child for child in children if not self.is_small(child)]
        found = self.routes.count(wanted)
        self.check(0, found[0].n_rows)
        set_arrived(places, found)

    def check(self, place: int, n_rows: int) -> None:
        """Raise an error if a source returns other rows than before."""
        expected = int(self.places.count[place] or self.places.tree.count[0])
        if n_rows != expected:
            raise has_changed(place, expected, n_rows)

    def largest_branch(self, place: int) -> int:
        """The branch of most weight, the last one on a tie."""
        return max(self.places.children(place), key=lambda child: (int(self.places.stats[child].sum()), child))

    def begin_trial(self, place: int, largest: int) -> Trial:
        """The trial of the largest branch of a place."""
        return OneBranchTrial(self.places, place, largest)

    def _visit(self, place: int) -> None:
        """Decide about a place, or begin the trial of its largest branch."""
        largest = self.largest_branch(place)
        if self.places.is_leaf(largest):  # it would be the same leaf as the place itself
            self.places.judge(place, None)
            self._settle(place)
            return
        trial = self.begin_trial(place, largest)
        if trial.is_done:
            self._conclude(trial)
        else:
            self.routes.tried[place] = largest
            self.trials.append(trial)

    def _try_branches(self) -> None:
        """Count what the trials wait for, or send their last rows further in memory."""
        wanted = [place for trial in self.trials for place in trial.wanted()]
        found = self.routes.count(wanted) if wanted else {}
        waiting, self.trials = self.trials, []
        for trial in waiting:
            if trial.wanted():
                self._check_trial(trial, found)
                trial.take(found)
        self._finish_counted(waiting)
        for trial in waiting:
            if trial.is_done:
                del self.routes.tried[trial.place]
                self._conclude(trial)
            else:
                self.trials.append(trial)

    def _finish_counted(self, trials: list[Trial]) -> None:
        """Finish in memory what needs no more counts."""

    def _check_trial(self, trial: Trial, found: Mapping[int, Arrived]) -> None:
        """Compare the rows that came to the largest branch with those that the place has."""
        if trial.largest in found:
            others = 0 if self.is_divided else int(self.places.count[trial.largest])
            self.check(trial.place, found[trial.largest].n_rows + others)

    def _conclude(self, trial: Trial) -> None:
        """Decide about a place whose largest branch was tried."""
        if self.places.judge(trial.place, trial.estimate()) == codes.RAISED:
            self.open(trial.place, trial.adopt())
        else:
            self._settle(trial.place)

    # --- places with few rows ---

    def _prune_small(self) -> None:
        """Fetch the rows of places that fit, and prune their subtrees."""
        small, self.small = self.small, []
        count = self.places.count if self.n_open else self.places.size  # the root is not counted if it fits
        for place, rows in self.fetch({place: int(count[place]) for place in small}):
            self._prune_subtree(place, rows)
            self._settle(place)

    def fetch(self, n_rows: Mapping[int, int]) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of places that have so many, some places at a time."""
        waiting = list(n_rows)
        while waiting:
            end, total = 1, n_rows[waiting[0]]
            while end < len(waiting) and total + n_rows[waiting[end]] <= self.rows_at_once:
                total += n_rows[waiting[end]]
                end += 1
            for place, rows in zip(waiting[:end], self.routes.fetch(waiting[:end]), strict=True):
                if len(rows["target"]) != n_rows[place]:
                    raise has_changed(place, n_rows[place], len(rows["target"]))
                yield place, rows
            waiting = waiting[end:]

    def place_in_memory(self, place: int, rows: Mapping[str, Any]) -> "SubtreeInMemory":
        """The subtree of a place with its rows."""
        places, source = self.places, self.source
        split_of = places.split_of.copy()
        split_of[0] = split_of[place]  # the subtree as a tree of its own: its root is the first place
        subtree = rebuild_tree(places.tree, split_of)
        target = rows["target"].astype(np.int32)
        dataset = Dataset(source.survey.schema, source.survey.values_of(rows["codes"]), target)
        whole = np.ones(len(target), np.int64) if rows["weight"] is None else rows["weight"]
        units = RowUnits(whole, places.unit, source.weights.one)
        how = places.limit, places.allowance
        state = place_rows(subtree.tree, dataset, units, how, shared=self.is_divided)
        at, nodes = subtree.origin.copy(), split_of[subtree.origin]
        at[0] = place
        return SubtreeInMemory(state, len(target), subtree.tree, at, nodes)

    def _prune_subtree(self, place: int, rows: Mapping[str, Any]) -> None:
        """Prune the subtree of a place by its rows."""
        places, own = self.places, self.place_in_memory(place, rows)
        visited = taken = np.ones(len(own.at), bool)
        if self.is_divided and places.changed[place]:  # a branch that has no rows any more is left as it is
            visited = np.asarray(own.state.count) > 0
            taken = visited | visited[own.tree.parent]
            places.changed[own.at[taken]] = 1
        prune_places(own.state, own.n_rows, shared=self.is_divided)
        self._take_state(own, np.flatnonzero(visited & (own.nodes >= 0)), np.flatnonzero(taken))

    def _take_state(self, own: "SubtreeInMemory", visited: NDArray[np.int64], taken: NDArray[np.int64]) -> None:
        """Take the verdicts about some nodes of a subtree, and the state of some of its places."""
        places, state, split_of = self.places, own.state, np.asarray(own.state.split_of)[taken]
        places.recorded[own.nodes[visited]] = np.asarray(state.recorded)[visited]
        places.verdict[own.nodes[visited]] = np.asarray(state.verdict)[visited]
        at = own.at[taken]
        places.split_of[at] = np.where(split_of < 0, -1, own.nodes[split_of])
        for name in ("count", "stats", "as_leaf", "now", *(() if self.is_divided else ("staying",))):
            getattr(places, name)[at] = np.asarray(getattr(state, name))[taken]
        places.size[at] = places.count[at]
        places.changed[at] |= np.asarray(state.changed)[taken]
        for one in at[split_of >= 0].tolist():
            places.parent[places.children(one)] = one


@dataclass(frozen=True, slots=True, eq=False)
class SubtreeInMemory:
    """A subtree with its rows.

    state   as the kernels have it
    tree    the subtree as a tree of its own
    at      the place of each of its nodes
    nodes   the node of the grown tree whose split each of them has; -1 for a leaf
    """

    state: Any
    n_rows: int
    tree: Tree
    at: NDArray[np.int64]
    nodes: NDArray[np.int64]

    def leaf_estimates(self) -> list[float]:
        """The estimated errors of the leaves that have rows, in the order of the kernels."""
        estimates, count = np.asarray(self.state.as_leaf).tolist(), np.asarray(self.state.count).tolist()
        found, stack = [], [0]
        while stack:
            node = stack.pop()
            first = int(self.tree.first_child[node])
            if first < 0:
                found.append(estimates[node])
                continue
            stack += [child for child in range(first, first + int(self.tree.n_children[node])) if count[child]]
        return found


class DividedRaising(OneBranchRaising):
    """Raising where a row with a missing value goes down every branch with a part of its weight.

    known  place -> weight and rows of each branch, without those with a missing value
    """

    is_divided = True

    def __init__(self, source: CountedRaising, places: Places) -> None:
        super().__init__(source, places)
        self.known: dict[int, list[tuple[int, int]]] = {}

    def count_rows(self) -> None:
        """Count the rows of all places with many rows, and of their branches, level by level."""
        descent = Descent(self.routes, 0, self.source.weights.one, self.is_small)
        while not descent.is_counted:
            descent.take(self.routes.count(descent.wanted()))
        self.check(0, descent.found[0].n_rows)
        set_arrived(self.places, descent.found)
        self._visit_empty(descent)
        self.known |= descent.known

    def _visit_empty(self, descent: Descent) -> None:
        """Make leaves of branches without rows, and of all places below them."""
        places = self.places
        empty = [one for place in descent.known for one in places.children(place) if one not in descent.found]
        below = [one for place in empty for one in places.below(place)[1:] if not places.is_leaf(one)]
        clear_empty(places, descent.known, descent.found)
        for place in below:
            node = int(places.split_of[place])
            places.recorded[node], places.verdict[node] = (0.0, 0.0, np.nan), codes.PRUNED
            places.become_leaf(place)

    def largest_branch(self, place: int) -> int:
        """The branch that most known weight goes into, the last one on a tie."""
        close, most, largest = WEIGHT_TOLERANCE * self.source.weights.one, -1.0, 0
        for b, (weight, n_rows) in enumerate(self.known[place]):
            if n_rows and float(weight) >= most - close:
                largest, most = b, max(most, float(weight))
        return self.places.children(place)[largest]

    def begin_trial(self, place: int, largest: int) -> Trial:
        """The trial of the largest branch of a place."""
        return DividedTrial(self.routes, place, largest, (self.most_rows, self.source.weights.one))

    def _finish_counted(self, trials: list[Trial]) -> None:
        """Send the rows that few are left of further in memory."""
        trial_of = {
            place: one for one in trials if isinstance(one, DividedTrial) and one.is_counted for place in one.few()
        }
        for place, rows in self.fetch({place: one.found[place].n_rows for place, one in trial_of.items()}):
            trial_of[place].leaves[place] = self.place_in_memory(place, rows).leaf_estimates()

    def _conclude(self, trial: Trial) -> None:
        """Decide about a place whose largest branch was tried."""
        super()._conclude(trial)
        assert isinstance(trial, DividedTrial)
        self.known |= trial.known
