"""Terminal: what a verb says, and to whom.

In: results, notes and progress. Out: results on stdout, everything else on stderr; colours and progress only where a
person looks at it, so that a pipe or a file gets plain text.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from shutil import get_terminal_size
from threading import Event, Thread
from time import monotonic
from typing import Any

import click

SHOW_AFTER = 0.5
"""Seconds of work before progress is shown: what is quick needs none."""

REDRAW = 0.1
"""Seconds between two drawings of progress."""

_STEERING = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What JSON allows in a text, but a terminal may take for a command; control characters are escaped in JSON anyway."""

COLOURS = ("auto", "always", "never")
"""When colours are written: only where a person looks, always, or never."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a verb speaks.

    as_json  whether the result is one JSON document on stdout
    quiet    whether notes and progress are left out
    colour   when colours are written: one of COLOURS
    """

    as_json: bool = False
    quiet: bool = False
    colour: str = "auto"

    def say(self, text: str = "") -> None:
        """A line of the result; nothing where the result is JSON."""
        if not self.as_json:
            click.echo(text, color=wants_colour(sys.stdout, self.colour))

    def note(self, text: str) -> None:
        """A line beside the result, for people: on stderr, and not when quiet."""
        if not self.quiet:
            click.echo(text, err=True, color=wants_colour(sys.stderr, self.colour))

    def give(self, document: Any) -> None:
        """The result as JSON, where that was asked for."""
        if self.as_json:
            click.echo(harmless_json(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)))

    @property
    def width(self) -> int:
        """Columns of the terminal; 100 where there is none."""
        return get_terminal_size((100, 24)).columns

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Work that cannot say how far it is: after a while its name and the seconds are shown on stderr."""
        if self.quiet or not sys.stderr.isatty():
            yield
            return
        done = Event()
        clock = Thread(target=_tick, args=(what, done), daemon=True)
        clock.start()
        try:
            yield
        finally:
            done.set()
            clock.join()

    @contextmanager
    def progress(self, what: str, total: int | None = None) -> "Iterator[Progress]":
        """Progress of long work on stderr, taken away when the work ends; nothing where nobody looks."""
        shown = not self.quiet and sys.stderr.isatty()
        bar = Progress(what, total, shown)
        try:
            yield bar
        finally:
            bar.clear()


def _tick(what: str, done: Event) -> None:
    """Draw the line again and again until the work is done, and take it away."""
    began = monotonic()
    if done.wait(SHOW_AFTER):
        return
    while True:
        _draw(f"{what}: {monotonic() - began:.0f} s")
        if done.wait(10 * REDRAW):
            break
    _draw("")


class Progress:
    """One line on the terminal that is drawn again and again."""

    def __init__(self, what: str, total: int | None, shown: bool) -> None:
        self.what, self.total, self.shown = what, total, shown
        self.done = 0
        self._began = monotonic()
        self._drawn = 0.0

    def advance(self, n: int = 1, what: str | None = None) -> None:
        """So much more is done; `what` replaces the words."""
        self.done += n
        self.what = self.what if what is None else what
        now = monotonic()
        if self.shown and now - self._began > SHOW_AFTER and now - self._drawn > REDRAW:
            self._drawn = now
            of = f" of {self.total:,}" if self.total else ""
            _draw(f"{self.what}: {self.done:,}{of}")

    def clear(self) -> None:
        """Take the line away."""
        if self._drawn:
            _draw("")


def _draw(line: str) -> None:
    """Replace the line on the terminal. Not by click: where colours are off it takes away what clears a line."""
    sys.stderr.write(f"\r\x1b[K{line[: get_terminal_size((80, 24)).columns - 1]}")
    sys.stderr.flush()


def wants_colour(stream: Any, colour: str = "auto") -> bool:
    """Whether colours are wanted: as asked for, or on a terminal that can show them unless NO_COLOR is set.

    >>> wants_colour(sys.stdout, "always"), wants_colour(sys.stdout, "never")
    (True, False)
    """
    if colour != "auto":
        return colour == "always"
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def harmless_json(text: str) -> str:
    """The same JSON with all that would steer a terminal escaped.

    >>> print(harmless_json('{"a\\u202eb": "瓜"}'))
    {"a\\u202eb": "瓜"}
    """
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def bold(text: str) -> str:
    """The text in bold; taken off again where colours are not wanted."""
    return click.style(text, bold=True)


def faint(text: str) -> str:
    """The text less bright."""
    return click.style(text, dim=True)


def red(text: str) -> str:
    """The text in red."""
    return click.style(text, fg="red")
