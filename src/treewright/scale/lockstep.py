"""Tasks in lockstep: what several of them need at the same time is found in one go.

In: tasks that make requests again and again, such as for the counts of a level. Out: their results. Each task runs in a
thread; when every one that still runs waits, all requests are found together, in one pass over the rows. An error in a
task, or Ctrl-C, stops all of them.
"""

from collections.abc import Callable
from threading import Condition, Semaphore, Thread
from typing import Any, Generic, TypeVar

Request = TypeVar("Request")
Result = TypeVar("Result")


class Stopped(BaseException):
    """Raised in a task that waits when another one failed, or after Ctrl-C."""


class Lockstep(Generic[Request]):
    """Runs tasks in lockstep.

    find       finds the results of requests, in their order
    n_at_once  how many tasks compute at the same time, between their requests

    >>> squares = Lockstep(lambda numbers: [n * n for n in numbers])
    >>> squares.run(lambda i, request: request(i) + request(i + 1), 3)
    [1, 5, 13]
    """

    def __init__(self, find: Callable[[list[Request]], list[Any]], n_at_once: int = 1) -> None:
        self.find = find
        self._changed, self._turn = Condition(), Semaphore(max(1, n_at_once))
        self._requests: dict[int, Request] = {}
        self._found: dict[int, Any] = {}
        self._error: BaseException | None = None
        self._n_running, self._is_stopped = 0, False

    def run(self, task: Callable[[int, Callable[[Request], Any]], Result], n_tasks: int) -> list[Result]:
        """The results of task(i, request) for i from 0 on; request(...) returns what was found."""
        results: dict[int, Result] = {}

        def run_one(i: int) -> None:
            error: BaseException | None = None
            try:
                with self._turn:
                    results[i] = task(i, lambda request: self._wait_for(i, request))
            except Stopped:
                pass
            except BaseException as raised:
                error = raised
            with self._changed:
                self._n_running -= 1
                self._error = self._error or error
                self._changed.notify_all()

        self._n_running = n_tasks
        threads = [Thread(target=run_one, args=(i,), name=f"treewright-{i}", daemon=True) for i in range(n_tasks)]
        try:
            for one in threads:
                one.start()
            while self._find_next():
                pass
        finally:
            with self._changed:
                self._is_stopped = True
                self._changed.notify_all()
            for one in threads:
                if one.ident is not None:  # it was started
                    one.join()
        if self._error is not None:
            raise self._error
        return [results[i] for i in range(n_tasks)]

    def _find_next(self) -> bool:
        """Wait until all tasks wait, and find their requests; whether any task still runs."""
        with self._changed:
            while len(self._requests) < self._n_running and self._error is None:
                self._changed.wait()
            requests, self._requests = dict(sorted(self._requests.items())), {}
            if self._error is not None or not requests:
                return False
        found = self.find(list(requests.values()))
        with self._changed:
            self._found |= zip(requests, found, strict=True)
            self._changed.notify_all()
        return True

    def _wait_for(self, i: int, request: Request) -> Any:
        """Called in the thread of a task: what was found for it."""
        self._turn.release()
        try:
            with self._changed:
                self._requests[i] = request
                self._changed.notify_all()
                while i not in self._found and not self._is_stopped:
                    self._changed.wait()
        finally:
            self._turn.acquire()
        if self._is_stopped:
            raise Stopped
        return self._found.pop(i)
