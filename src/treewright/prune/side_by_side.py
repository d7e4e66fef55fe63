"""Side by side: a task for each of many things, some of them at a time.

In: a task, and things that may be large, such as folds. Out: the results, in the order of the things. A thing is drawn
only when its turn has nearly come, so that few of them are there at a time.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Thing = TypeVar("Thing")
Result = TypeVar("Result")


def side_by_side(task: Callable[[Thing], Result], things: Iterable[Thing], n_jobs: int) -> Iterator[Result]:
    """The results of the task, on so many threads; what has not begun when the caller leaves is not done.

    >>> list(side_by_side(abs, [-3, 2, -1], 2))
    [3, 2, 1]
    """
    if n_jobs == 1:
        yield from map(task, things)
        return
    from concurrent.futures import ThreadPoolExecutor

    running: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(n_jobs, thread_name_prefix="treewright") as pool:
        try:
            for thing in things:
                running.append(pool.submit(task, thing))
                if len(running) > n_jobs:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            for one in running:
                one.cancel()
