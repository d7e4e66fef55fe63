"""A Dask DataFrame: its partitions are encoded once and stay with the workers.

In: a Dask DataFrame. Out: an engine. It runs on the current client of dask.distributed if there is one, else on Dask's
default scheduler. To count, each worker that has partitions runs one task, which sends their rows from the root through
all levels and adds their counts up; the results are added up on the workers, too. All tasks are pure, so Dask repeats
what was lost with a worker.
"""

from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from treewright.errors import InputError
from treewright.extras import require
from treewright.scale import remote, row_parts, worker
from treewright.scale.engine import NUMBER, TEXT, Level
from treewright.scale.local import kind_of
from treewright.scale.partitions import PartitionEngine, n_bytes
from treewright.scale.shipping import gave_up, ship, ship_merge

FAN_IN = 8
"""Results that a task merges."""
CHECK_SECONDS, PATIENCE_SECONDS = 5, 300
"""How often is looked for workers, and how long is waited without one; an adaptive cluster may have to start some."""


class DaskEngine(PartitionEngine):
    """Counts the rows of a Dask DataFrame."""

    name = "dask"

    def __init__(self, frame: Any) -> None:
        super().__init__()
        require("pyarrow", "Fitting on a Dask DataFrame")
        names = [str(name) for name in frame.columns]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"The column name {twice!r} occurs more than once; rename one of these columns.")
        renamed = dict(zip(frame.columns, names, strict=True))
        self.frame = frame if names == list(frame.columns) else frame.rename(columns=renamed)
        self.client = current_client()
        self._codes: list[Any] = []

    def kinds(self) -> dict[str, str]:
        """The columns with their kinds."""
        import pyarrow as pa

        found = {}
        for name, column in self.frame._meta_nonempty.items():
            try:
                kind = pa.array(column, from_pandas=True).type
                found[name] = TEXT if pa.types.is_dictionary(kind) else kind_of(kind)
            except pa.ArrowInvalid:  # Dask's stand-in for a column of Parquet without values and type
                found[name] = NUMBER
        return found

    def read_batches(self, task: Callable[..., Any], columns: list[str], *args: Any) -> Iterable[Any]:
        """The results of a task on all partitions, merged into one."""
        from dask import delayed

        doing, read = "reading the columns", delayed(ship(remote.read_frame), pure=False)
        shared = delayed(args, pure=False, traverse=False)
        results = [read(ship(task), shared, part) for part in self.frame[columns].to_delayed()]
        return [self._compute(doing, merge_in_groups(ship_merge(task, args), results))]

    def encode_batches(self, task: Callable[..., Any], columns: list[str], *args: Any) -> None:
        """Keep the codes of each partition on a worker."""
        from dask import delayed

        encode = delayed(ship(remote.encode_frame), pure=False)
        shared = delayed(args, pure=False, traverse=False)
        codes = [encode(ship(task), shared, part) for part in self.frame[columns].to_delayed()]
        try:
            self._codes = self._persist(codes)
        except Exception as error:
            raise gave_up("Dask", "encoding the rows", self.effort.n_passes, error) from error

    def map_codes(self, task: Callable[..., Any], levels: list[Level], *args: Any) -> Iterable[Any]:
        """The result of a task on all partitions of codes: one task a worker."""
        from dask import delayed

        doing = f"{'fetching rows of' if task is worker.take_rows else 'counting'} level {len(levels)}"
        merge, fold = ship_merge(task, args), delayed(ship(remote.fold), pure=False)
        how = delayed((levels, args), pure=False, traverse=False)
        results = [fold(ship(worker.walk), ship(task), merge, how, *group) for group in self._groups(doing)]
        found = self._compute(doing, merge_in_groups(merge, results))
        if task in (worker.count_slots, row_parts.run_requests):  # what the workers sent each other
            self.effort.n_bytes += (len(results) - 1) * n_bytes(found)
        return [found]

    def _groups(self, doing: str) -> list[list[Any]]:
        """The partitions of codes that each worker has; those of lost workers go to those that have the fewest.

        Dask runs a task where its partitions are. It is not told to: a task that may run on certain workers, even if
        it may run on others, too, waits for ever if all workers are lost at the same time.
        """
        if self.client is None:
            from dask.system import CPU_COUNT

            n = min(CPU_COUNT, len(self._codes))
            return [self._codes[i::n] for i in range(n)]
        from distributed import futures_of

        try:
            holders = self.client.who_has(futures_of(self._codes))
            groups: dict[str, list[Any]] = {address: [] for address in self.client.nthreads()}
        except Exception as error:
            raise gave_up("Dask", doing, self.effort.n_passes, error) from error
        if not groups:  # all workers are being restarted
            return [self._codes]
        lost: list[Any] = []
        for one in self._codes:
            known = [address for address in holders.get(one.key, ()) if address in groups]
            (groups[min(known, key=lambda address: len(groups[address]))] if known else lost).append(one)
        for one in lost:
            min(groups.values(), key=len).append(one)
        return [group for group in groups.values() if group]

    def _compute(self, doing: str, node: Any) -> Any:
        """The value of a delayed object."""
        try:
            if self.client is None:
                return node.compute()
            future = self.client.compute(node)
            try:
                self._wait([future])
                return future.result()
            finally:
                future.cancel()  # after Ctrl-C, too
        except Exception as error:
            raise gave_up("Dask", doing, self.effort.n_passes, error) from error

    def _persist(self, nodes: list[Any]) -> list[Any]:
        """Compute delayed objects and keep their values where they are."""
        import dask

        if self.client is None:
            return list(dask.persist(*nodes))
        from distributed import futures_of

        kept = self.client.persist(nodes)
        futures = futures_of(kept)
        try:
            self._wait(futures)
        except BaseException:
            self.client.cancel(futures)
            raise
        for future in futures:
            if future.status != "finished":
                future.result()
        return list(kept)

    def _wait(self, futures: list[Any]) -> None:
        """Wait for some futures, but not for ever when there is no worker to compute them."""
        from distributed import wait

        seen = monotonic()
        while True:
            try:
                wait(futures, timeout=CHECK_SECONDS)
                return
            except TimeoutError:
                if self.client.nthreads():
                    seen = monotonic()
                elif monotonic() - seen > PATIENCE_SECONDS:
                    raise RuntimeError(f"there was no worker for {PATIENCE_SECONDS} seconds") from None

    def close(self) -> None:
        """Let go of the codes."""
        self._codes = []


def current_client() -> Any:
    """The current client of dask.distributed; None if there is none."""
    try:
        from distributed import default_client
    except ImportError:
        return None
    try:
        return default_client()
    except ValueError:
        return None


def merge_in_groups(merge: Callable[..., Any], results: list[Any]) -> Any:
    """One delayed result of many, merged some at a time."""
    from dask import delayed

    task = delayed(merge, pure=False)
    while len(results) > 1:
        results = [task(results[i : i + FAN_IN]) for i in range(0, len(results), FAN_IN)]
    return results[0]
