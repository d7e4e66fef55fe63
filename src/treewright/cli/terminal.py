"""Output of commands: results on stdout; notes, progress and errors on stderr.

Colours and progress appear only on a terminal, so that a pipe or a file gets plain text.
"""

import codecs
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from shutil import get_terminal_size
from threading import Event, Thread
from time import monotonic
from typing import Any, BinaryIO, TextIO, cast

import click

from treewright.language import messages
from treewright.text_table import printable

SHOW_AFTER = 0.5
"""Seconds of work before progress is shown."""

REDRAW = 0.1
"""Seconds between two updates of the progress line."""

_CONTROL = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that JSON allows in strings but that control a terminal; JSON itself escapes those below 32."""

COLOURS = ("auto", "always", "never")
"""When colours are used: only on a terminal, always, or never."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """The streams of a command.

    as_json   whether the result is one JSON document on stdout
    quiet     whether notes and progress are left out
    colour    when colours are used: one of COLOURS
    language  the language of notes
    """

    as_json: bool = False
    quiet: bool = False
    colour: str = "auto"
    language: str = "en"

    def print(self, text: str = "") -> None:
        """Print a line of the result; nothing if the result is JSON."""
        if not self.as_json:
            click.echo(text, color=wants_colour(sys.stdout, self.colour))

    def note(self, text: str) -> None:
        """Print a note on stderr, unless --quiet was given."""
        _ = messages(self.language)
        self.status(_("note: {text}", text=text))

    def status(self, text: str) -> None:
        """Print a line on stderr, unless --quiet was given."""
        if not self.quiet:
            click.echo(text, err=True, color=wants_colour(sys.stderr, self.colour))

    def print_json(self, document: Any) -> None:
        """Print the result as JSON, if --json was given."""
        if self.as_json:
            click.echo(escape_json(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)))

    @property
    def width(self) -> int:
        """Width of the terminal; 100 if there is none."""
        return get_terminal_size((100, 24)).columns

    @contextmanager
    def clock(self, what: str) -> Iterator[None]:
        """Show the name of a task and its seconds on stderr, while it runs and if it takes long."""
        if self.quiet or not sys.stderr.isatty():
            yield
            return
        done = Event()
        thread = Thread(target=_draw_seconds, args=(what, done), daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    @contextmanager
    def progress(self, what: str, total: int | None = None) -> "Iterator[Progress]":
        """Show progress on stderr while a task runs, only on a terminal."""
        shown = not self.quiet and sys.stderr.isatty()
        bar = Progress(what, total, shown)
        try:
            yield bar
        finally:
            bar.clear()


def _draw_seconds(what: str, done: Event) -> None:
    """Redraw the line until the task is done, then clear it."""
    began = monotonic()
    if done.wait(SHOW_AFTER):
        return
    while True:
        _draw(f"{what}: {monotonic() - began:.0f} s")
        if done.wait(10 * REDRAW):
            break
    _draw("")


class Progress:
    """A progress line that is redrawn on the terminal."""

    def __init__(self, what: str, total: int | None, shown: bool) -> None:
        self.what, self.total, self.shown = what, total, shown
        self.done = 0
        self._began = monotonic()
        self._drawn = 0.0

    def advance(self, n: int = 1, what: str | None = None) -> None:
        """Add to what is done; `what` replaces the text."""
        self.done += n
        self.what = self.what if what is None else what
        now = monotonic()
        if self.shown and now - self._began > SHOW_AFTER and now - self._drawn > REDRAW:
            self._drawn = now
            of = f" of {self.total:,}" if self.total else ""
            _draw(f"{self.what}: {self.done:,}{of}")

    def clear(self) -> None:
        """Clear the line."""
        if self._drawn:
            _draw("")


def _draw(line: str) -> None:
    """Replace the line on the terminal. Not by click, which strips the code that clears a line if colours are off."""
    sys.stderr.write(f"\r\x1b[K{line[: get_terminal_size((80, 24)).columns - 1]}")
    sys.stderr.flush()


def wants_colour(stream: Any, colour: str = "auto") -> bool:
    """Return whether to use colours: as given, or on a terminal that can show them unless NO_COLOR is set.

    >>> wants_colour(sys.stdout, "always"), wants_colour(sys.stdout, "never")
    (True, False)
    """
    if colour != "auto":
        return colour == "always"
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def escape_json(text: str) -> str:
    """Return the same JSON with characters that control a terminal escaped.

    >>> print(escape_json('{"a\\u202eb": "瓜"}'))
    {"a\\u202eb": "瓜"}
    """
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def escape_lines(text: str) -> str:
    """Return the text with everything escaped that controls a terminal, except line feeds and tabs.

    >>> print(escape_lines("a,b\\n\\x1b[31m,\\u202e"))
    a,b
    \\x1b[31m,\\u202e
    """
    return re.sub(r"[^\n\t]+", lambda found: printable(found[0]), text)


def binary_stdout(form: str) -> BinaryIO:
    """Return stdout for the bytes of a table or model in this format; a terminal gets them escaped."""
    if not sys.stdout.isatty():
        return cast(BinaryIO, sys.stdout.buffer)
    return cast(BinaryIO, EscapedBytes(sys.stdout, escape_json if form.startswith("json") else escape_lines))


class EscapedBytes(io.RawIOBase):
    """The bytes of UTF-8 text, written to a terminal as escaped text."""

    def __init__(self, stream: TextIO, escape: Callable[[str], str]) -> None:
        super().__init__()
        self._stream, self._escape = stream, escape
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._stream.write(self._escape(self._decoder.decode(bytes(data))))
        return len(data)

    def flush(self) -> None:
        self._stream.flush()


def bold(text: str) -> str:
    """Return the text in bold; click strips this where colours are off."""
    return click.style(text, bold=True)


def faint(text: str) -> str:
    """Return the text dimmed."""
    return click.style(text, dim=True)


def red(text: str) -> str:
    """Return the text in red."""
    return click.style(text, fg="red")
