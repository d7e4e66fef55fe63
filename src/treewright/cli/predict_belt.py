"""Belt: reading, answering and writing at the same time, in three threads.

In: an iterator, a function for each of its pieces, and a function that takes the results as an iterator. Out: nothing;
the pieces stay in order and only a few of them are held. What goes wrong anywhere, and Ctrl-C, stops all and is raised
here.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

T = TypeVar("T")
U = TypeVar("U")

HELD = 1
"""Pieces that wait between two stages."""

LOOK = 0.05
"""Seconds between two looks of a waiting stage whether the work was stopped."""


class Stopped(Exception):
    """The work was stopped while a stage was waiting."""


class _Lane:
    """The way of pieces from one stage to the next."""

    def __init__(self, stop: Event) -> None:
        self._queue: Queue[Any] = Queue(HELD)
        self._stop = stop

    def put(self, piece: object) -> None:
        while not self._stop.is_set():
            with suppress(Full):
                return self._queue.put(piece, timeout=LOOK)
        raise Stopped

    def fill(self, pieces: Iterable[object]) -> None:
        """Put all the pieces, and then the end."""
        for piece in pieces:
            self.put(piece)
        self.put(_END)

    def __iter__(self) -> Iterator[Any]:
        while not self._stop.is_set():
            with suppress(Empty):
                piece = self._queue.get(timeout=LOOK)
                if piece is _END:
                    return
                yield piece
                del piece  # not held while the next one is waited for
        raise Stopped


_END = object()


class _Work:
    """What the threads share: whether to stop, whether all is done, and what went wrong first."""

    def __init__(self) -> None:
        self.stop, self.done = Event(), Event()
        self.errors: list[BaseException] = []

    def started(self, act: Callable[[], None]) -> Thread:
        """A thread that does its part, and stops the others where it fails."""

        def stage() -> None:
            try:
                act()
            except Stopped:
                pass
            except BaseException as error:
                self.errors.append(error)
                self.stop.set()
                self.done.set()

        thread = Thread(target=stage, daemon=True)
        thread.start()
        return thread


def run(source: Iterable[T], work: Callable[[T], U], drain: Callable[[Iterator[U]], None]) -> None:
    """Draw pieces from the source, work on each, and let `drain` take the results, all at the same time.

    >>> found = []
    >>> run(range(5), lambda n: n * n, found.extend)
    >>> found
    [0, 1, 4, 9, 16]
    """
    shared = _Work()
    first, second = _Lane(shared.stop), _Lane(shared.stop)

    def take() -> None:
        drain(iter(second))
        shared.stop.set()  # also where it wants no more
        shared.done.set()

    threads: list[Thread] = []
    try:
        threads += [shared.started(lambda: second.fill(map(work, first))), shared.started(take)]
        # Reading is done here: a thread that waits for standard input could not be stopped, but Ctrl-C ends the wait.
        with suppress(Stopped):
            first.fill(source)
        while not shared.done.wait(LOOK):
            pass
    finally:
        shared.stop.set()
        for thread in threads:
            thread.join()
    if shared.errors:
        raise shared.errors[0]
