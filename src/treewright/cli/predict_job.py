"""Job: which columns of a table a model reads, which are written again, and what the columns of the answer are called.

In: how the model is asked, the stream of a table, and the options. Out: a `Job`, which makes of each batch what is
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from treewright.cli.asked import Answerer, Asked
from treewright.cli.predict_file import MARKS, harmless
from treewright.cli.rows import met
from treewright.cli.tables import listed
from treewright.data.files.cell_meaning import any_number
from treewright.data.files.coded import Coder
from treewright.data.files.naming import known_columns
from treewright.data.files.stream import Batch, Stream, Wish
from treewright.data.schema import Kind

ALL, NONE = "all", "none"


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """What is to be done.

    stream    the rows
    answerer  who answers them
    read      the columns that are read
    kept      those that are written again
    used      those that the model asks for, in its order where they are met by place
    renamed   columns of the answer whose name was taken, and how they are called instead
    """

    stream: Stream
    answerer: Answerer
    read: tuple[str, ...]
    kept: tuple[str, ...]
    used: tuple[str, ...]
    renamed: dict[str, str]

    def answered(self, batch: Batch) -> Batch:
        """A batch with its answers."""
        frame = batch.frame
        found = self.answerer.answer(frame.select(self.used))
        if batch.lines is not None:
            return Batch(pl.DataFrame([batch.lines.alias("\x1f"), *found]), bare=True)
        made = frame.select(self.kept).with_columns(found) if self.kept else pl.DataFrame(found)
        return Batch(made, batch.bare and self.answerer.is_bare(self.stream.delimiter))

    def wish(self, form: str, safe: bool) -> Wish:
        """What makes reading quicker: numbers as such, and lines whole where they are written as they are."""
        if self.answerer.coder.decimal != "." or any_number(self.stream.missing):
            return Wish()
        kinds = zip(self.used, self.answerer.coder.columns, strict=True)
        numbers = frozenset(name for name, column in kinds if column.kind == Kind.NUMBER)
        mark = MARKS.get(form)
        whole = self.kept == self.stream.names and mark == self.stream.delimiter and not safe
        if whole and mark is not None and self.answerer.is_bare(mark):
            # A marker may be a category that training showed.
            words = {word for column in self.answerer.coder.columns for word in column.categories}
            return Wish(numbers, self.used, () if words & {*self.stream.missing} else self.stream.missing)
        return Wish(numbers - {*self.kept})

    def types(self, safe: bool) -> dict[str, Any]:
        """The columns that are written and their types; `safe` where names that look like formulas are changed."""
        types = {name: self.stream.types[name] for name in self.kept} | self.answerer.types()
        made = pl.DataFrame(schema=types)
        return dict((harmless(made) if safe else made).schema)


def make_job(model: Asked, stream: Stream, options: dict[str, Any]) -> Job:
    """What is to be done with the stream, as the options say."""
    used, by_name = columns_met(model, stream, options["target"])
    chosen = options["columns"]
    kept = stream.names if chosen == ALL else () if chosen == NONE else _named(chosen, stream.names)
    names = {"prediction": options["name"]}
    if options["proba"]:
        names |= {f"share {i}": f"P({label})" for i, label in enumerate(model.classes)}
    if options["leaf"]:
        names["place"] = model.place_name
    if options["explain"]:
        names["explanation"] = "explanation"
    unique = made_unique(list(names.values()), kept)
    renamed = {old: new for old, new in zip(names.values(), unique, strict=True) if old != new}
    coder = Coder(model.reader.columns, by_name, model.reader.unseen, stream.missing, stream.decimal)
    answerer = Answerer(model, coder, dict(zip(names, unique, strict=True)))
    wanted = {*used, *kept}
    return Job(stream, answerer, tuple(n for n in stream.names if n in wanted), kept, used, renamed)


def columns_met(model: Asked, stream: Stream, target: str | None) -> tuple[tuple[str, ...], bool]:
    """The columns of the table that the model asks for, and whether they are met by name."""
    return met(model.reader.columns, model.reader.names is not None, stream, (target or model.target,))


def made_unique(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """The names, with a number behind those that are taken already.

    >>> made_unique(["prediction", "leaf"], ["leaf", "leaf_2"])
    ['prediction', 'leaf_3']
    """
    there, found = set(taken), []
    for name in names:
        new, n = name, 2
        while new in there:
            new, n = f"{name}_{n}", n + 1
        there.add(new)
        found.append(new)
    return found


def _named(chosen: str, names: Sequence[str]) -> tuple[str, ...]:
    return known_columns("--columns", dict.fromkeys(listed([chosen])), names)
