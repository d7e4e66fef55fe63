"""Engines whose rows are in partitions of Arrow batches: files, Dask and Spark.

In: how to run a function on every partition. Out: what growth needs of an engine. The functions are those of `worker`;
their results are integers, or distinct values with their counts, and are added up here.

Exact quantiles without sorting: float64 numbers are mapped to integers that rise with them, and counted in buckets; the
buckets in which the highest value of a bin can be are counted again, more finely, until few values are left, which are
then fetched. The survey counts the first digits of the integers already, which are buckets for most columns.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.grow.bins import is_frequent, top_ranks
from treewright.scale import reading, row_parts, worker
from treewright.scale.engine import (
    ALL_ROWS,
    MOST_WEIGHTS,
    NUMBER,
    CellLayout,
    CodingRequest,
    ColumnFacts,
    Effort,
    Level,
    NumberUnits,
    RowCounts,
    RowPart,
    SurveyFacts,
    SurveyRequest,
    WeightCounts,
    too_many_weights,
)
from treewright.scale.lockstep import Lockstep
from treewright.scale.shipping import merge_by_name, ship
from treewright.scale.task_counts import PartView, TaskCounts

FIRST_BITS, NEXT_BITS = 16, 8
"""Bits of a key by which buckets are told apart at first, and when they are divided further."""
MANY_DIGITS = 64
"""First digits that tell the numbers of a column apart as well as buckets of their range do."""
MOST_FETCHED = 2**20
"""Distinct values of a column that are fetched at most to find its bins."""
Step = tuple[int, int, NDArray[np.int64] | None]
"""See `reading.follow_keys`."""
Result = TypeVar("Result")


class PartitionEngine(TaskCounts):
    """An engine that runs functions on partitions.

    effort  what was done so far
    """

    name: str

    def __init__(self) -> None:
        self.effort = Effort()
        self.layout: dict[str, Any] = {}
        self.within = ALL_ROWS

    # --- what an engine of this kind has to do ---

    @abstractmethod
    def kinds(self) -> dict[str, str]:
        """The columns with their kinds."""

    @abstractmethod
    def read_batches(self, task: Callable[..., Any], columns: list[str], *args: Any) -> Iterable[Any]:
        """The results of task(batches, *args) on each partition; batches are Arrow record batches of the columns."""

    @abstractmethod
    def encode_batches(self, task: Callable[..., Any], columns: list[str], *args: Any) -> None:
        """Keep the partitions of codes that task(batches, *args) yields."""

    @abstractmethod
    def map_codes(self, task: Callable[..., Any], levels: list[Level], *args: Any) -> Iterable[Any]:
        """The results of task(partition, arrived, *args) on partitions of codes, whose rows went down the levels."""

    # --- the survey ---

    def survey(self, request: SurveyRequest) -> SurveyFacts:
        """Find out what the columns hold."""
        kinds = self.kinds()
        forms = {name: kinds[name] == NUMBER and name not in request.declared for name in request.columns}
        columns = [*request.columns, request.target, *self._weight(request)]
        how = forms, request.target, request.weight, request.is_number, request.max_bins
        results = self._pass(self.read_batches, reading.survey_batches, columns, *how)
        found = reading.merge_surveys(results, request.max_bins)
        if found is None:
            raise InputError("The source has no rows; pass at least one row of a weight above 0.")
        self._refuse(found, request)
        bins = self._find_bins(found, request)
        facts = {name: self._facts(one, bins.get(name)) for name, one in found["columns"].items()}
        classes = {label: WeightCounts(*one) for label, one in found["classes"].items()}
        if max(len(one.values) for one in classes.values()) > MOST_WEIGHTS:
            raise too_many_weights(request.weight)
        ends = None
        if request.is_number:
            keys = np.array([found["number"]["low"], found["number"]["high"]], np.uint64)
            ends = tuple(worker.numbers_of_keys(keys).tolist())
        return SurveyFacts(facts, classes, found["n_rows"], ends)

    @staticmethod
    def _facts(found: dict[str, Any], bins: tuple[Any, Any] | None) -> ColumnFacts:
        if "categories" in found:
            return ColumnFacts(found["n_missing"], tuple(found["categories"]))
        if bins is not None:
            return ColumnFacts(found["n_missing"], top=bins[0], following=bins[1])
        return ColumnFacts(found["n_missing"], top=found["distinct"])

    @staticmethod
    def _refuse(found: dict[str, Any], request: SurveyRequest) -> None:
        """Raise an error for what cannot be used."""
        for name, one in found["columns"].items():
            if one.get("problem"):
                raise InputError(f"Column {name!r} {one['problem']}")
        if found["weight_problem"]:
            raise InputError(f"The weights {request.weight!r} {found['weight_problem']}")
        if found["n_no_target"]:
            raise InputError(
                f"The target {request.target!r} has {found['n_no_target']:,} missing values; leave these rows out."
            )
        if not found["n_rows"]:
            raise InputError("The source has no rows; pass at least one row of a weight above 0.")
        if request.is_number and found["number"].get("problem"):
            raise InputError(f"The target {request.target!r} {found['number']['problem']}")

    def _find_bins(
        self, found: dict[str, Any], request: SurveyRequest
    ) -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """For columns with many values, the highest values of their bins, and the next one behind each but the last."""
        bins = {}
        waiting = {
            name: Quantiles(one, request.max_bins, found["n_rows"] - one["n_missing"])
            for name, one in found["columns"].items()
            if "categories" not in one and one["distinct"] is None
        }
        while waiting:
            wanted = {name: one.wanted() for name, one in waiting.items()}
            columns = [*waiting, *self._weight(request)]
            counted = reading.merge_key_counts(
                self._pass(self.read_batches, reading.count_keys, columns, wanted, request.weight)
            )
            for name, one in waiting.items():
                one.take(counted[name])
                if one.bins is not None:
                    bins[name] = one.bins
            waiting = {name: one for name, one in waiting.items() if one.bins is None}
        return bins

    @staticmethod
    def _weight(request: SurveyRequest | CodingRequest) -> list[str]:
        return [request.weight] if request.weight else []

    # --- counting ---

    def encode(self, request: CodingRequest, layout: CellLayout) -> None:
        """Replace the cells by codes, and keep these."""
        self.layout = layout.as_dict()
        columns = [*request.columns, request.target, *self._weight(request)]
        self.effort.n_passes += 1
        units = None if request.units is None else (request.units.factors, request.units.scale)
        how = request.columns, request.target, request.classes, request.weight, units
        self.encode_batches(reading.encode_batches, columns, *how)

    def run_task(self, task: Callable[..., Any], levels: list[Level], *args: Any) -> Any:
        """The result of a task on all rows, or on those of the part."""
        if self.within.conditions:
            request = {"task": task.__name__, "levels": levels, "args": args, "part": self.within._asdict()}
            return self._find([request])[0]
        return merge_by_name(task.__name__)(self._pass(self.map_codes, task, levels, *args))

    # --- parts of the rows ---

    def on_parts(
        self, parts: Sequence[RowPart], task: Callable[[RowCounts, int], Result], n_at_once: int = 1
    ) -> list[Result]:
        """The results of a task on parts of the rows: the next requests of all of them are found in one pass."""
        return Lockstep(self._find, n_at_once).run(
            lambda i, request: task(PartView(self, parts[i], request), i), len(parts)
        )

    def restrict(self, part: RowPart) -> None:
        """The rows that are counted from now on."""
        self.within = part

    def _find(self, requests: list[dict[str, Any]]) -> list[Any]:
        """The results of requests, in one pass."""
        merges = [merge_by_name(one["task"]) for one in requests]
        return row_parts.merge_requests(self._pass(self.map_requests, requests), merges)

    def map_requests(self, requests: list[dict[str, Any]]) -> Iterable[list[Any]]:
        """The results of requests on partitions of codes; see `row_parts`."""
        tasks = {one["task"]: ship(getattr(worker, one["task"])) for one in requests}
        return self.map_codes(row_parts.run_requests, [], requests, self._hash_units, ship(worker.step), tasks)

    @property
    def _hash_units(self) -> dict[str, Any] | None:
        return self.layout.get("moments")

    # --- a number as the target ---

    def find_median(self, half: int) -> float:
        """The lowest target up to which the rows have at least this weight: 16 bits of its key at a time."""
        prefix = 0
        for shift in (48, 32, 16, 0):
            reached = np.cumsum(self.run_task(worker.count_digits, [], prefix, shift))
            digit = int(np.searchsorted(reached, half))
            half -= int(reached[digit - 1]) if digit else 0
            prefix = prefix << 16 | digit
        return float(worker.numbers_of_keys(np.array([prefix], np.uint64))[0])

    def sum_distances(self, units: NumberUnits) -> int:
        """The sum of distances from the centre."""
        return int(self.run_task(worker.sum_distances, [], units.as_dict())[0])

    def keep_moments(self, units: NumberUnits) -> None:
        """The units of moments from now on."""
        self.layout["moments"] = units.as_dict()

    def _pass(self, run: Callable[..., Iterable[Any]], *args: Any) -> Iterable[Any]:
        """Run a task on all partitions, and count what it sends back."""
        self.effort.n_passes += 1
        for result in run(*args):
            self.effort.n_bytes += n_bytes(result)
            yield result


def n_bytes(result: Any) -> int:
    """The size of the arrays in a result."""
    if isinstance(result, np.ndarray):
        return result.nbytes
    values: Iterable[Any] = result.values() if isinstance(result, dict) else result
    return sum(map(n_bytes, values)) if isinstance(result, (dict, list, tuple)) else 0


class Quantiles:
    """The search for the bins of one column: which buckets of its keys are counted next.

    bins  the highest value of each bin, and the next value behind each but the last; None until they are found
    """

    def __init__(self, found: dict[str, Any], max_bins: int, n_known: int) -> None:
        self.n_known, self.max_bins, self.low = n_known, max_bins, int(found["low"])
        self.bins: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        shift = max(0, (int(found["high"]) - self.low).bit_length() - FIRST_BITS)
        digits, counts = found["digits"]
        is_counted = digits[-1] - digits[0] >= MANY_DIGITS
        if is_counted:
            self.low, shift = 0, reading.FIRST_SHIFT
        self._first: Step = (shift, FIRST_BITS, None)
        self._coarse: NDArray[np.int64] | None = None
        self._restart()
        self._ranks: NDArray[np.int64] | None = None
        self._is_fetched = False
        if is_counted:
            first = np.zeros(1 << FIRST_BITS, np.int64)
            first[digits] = counts
            self.take(first)

    def _restart(self) -> None:
        self._steps: list[Step] = [self._first]
        self._begin = np.zeros(1, np.int64)  # of each bucket that is looked into, the rank of its first row

    def wanted(self) -> dict[str, Any]:
        """What is to be counted; see `reading.count_keys`."""
        n_buckets = len(self._begin) << self._steps[-1][1]
        return {"low": self.low, "steps": self._steps, "n_buckets": n_buckets, "is_fetched": self._is_fetched}

    def take(self, found: Any) -> None:
        """Take the counts of what was wanted, and decide what is counted next."""
        if self._is_fetched:
            self._set_bins(*found)
        elif self._ranks is None:
            self._look_for_frequent(found)
        else:
            self._look_for_ranks(found)

    def _look_for_frequent(self, counts: NDArray[np.int64]) -> None:
        """Values that many rows have are in buckets that many rows are in."""
        if self._coarse is None:
            self._coarse = counts
        heavy = np.flatnonzero(is_frequent(counts, self.n_known, self.max_bins))
        if len(heavy) and self._steps[-1][0]:
            self._open(heavy, self._starts(counts)[heavy])
            self._refine()
            return
        starts = self._starts(counts)[heavy]
        self._ranks = top_ranks(self.n_known, starts, starts + counts[heavy], self.max_bins)
        self._restart()
        self._look_for_ranks(self._coarse)

    def _look_for_ranks(self, counts: NDArray[np.int64]) -> None:
        """Look into the buckets that have the highest values of bins, and into the next ones that are not empty."""
        assert self._ranks is not None
        met, starts = np.flatnonzero(counts), self._starts(counts)
        at = np.searchsorted(starts[met], self._ranks, side="right") - 1
        chosen = met[np.unique(np.concatenate([at, np.minimum(at + 1, len(met) - 1)]))]
        self._open(chosen, starts[chosen])
        if counts[chosen].sum() <= MOST_FETCHED or not self._steps[-1][0]:
            self._is_fetched = True
        else:
            self._refine()

    def _starts(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rank of the first row of each bucket."""
        of_parent = counts.reshape(len(self._begin), -1)
        return (self._begin[:, None] + np.cumsum(of_parent, axis=1) - of_parent).reshape(-1)

    def _open(self, chosen: NDArray[np.int64], starts: NDArray[np.int64]) -> None:
        """Look into these buckets of the last step from now on."""
        shift, bits, _ = self._steps[-1]
        numbers = np.full(len(self._begin) << bits, -1, np.int64)
        numbers[chosen] = np.arange(len(chosen))
        self._steps[-1] = shift, bits, numbers
        self._begin = starts

    def _refine(self) -> None:
        """Divide them further."""
        shift = self._steps[-1][0]
        bits = min(NEXT_BITS, shift)
        self._steps.append((shift - bits, bits, None))

    def _set_bins(self, keys: NDArray[np.uint64], counts: NDArray[np.int64]) -> None:
        """The bins, from all distinct values of the buckets that have their highest values."""
        assert self._ranks is not None
        bucket, _ = reading.follow_keys(keys, self.low, self._steps)
        before = np.cumsum(counts) - counts
        first = np.searchsorted(bucket, np.arange(len(self._begin)))
        ranks = self._begin[bucket] + before - before[first][bucket]
        at = np.unique(np.searchsorted(ranks, self._ranks, side="right") - 1)
        values = worker.numbers_of_keys(keys)
        self.bins = values[at], values[at[:-1] + 1]
