"""Header: the columns that an ARFF file declares.

In: the lines up to @data. Out: an Attribute for each column.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treewright.data.files.arff.words import WordError, masked, one_word, split_words
from treewright.data.files.wording import Lines, shown
from treewright.errors import InputError

NUMBER, NOMINAL, TEXT, DATE = "number", "nominal", "string", "date"
_TYPES = {"numeric": NUMBER, "real": NUMBER, "integer": NUMBER, "string": TEXT, "date": DATE}
_KEYWORD = re.compile(r"@\s*(\w+)\s*", re.ASCII)
_NAME = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\s{]+""")


@dataclass(frozen=True, slots=True)
class Attribute:
    """One declared column: its name, its type, and its categories where they are listed."""

    name: str
    kind: str
    levels: tuple[str, ...] = ()

    @property
    def usual(self) -> str | None:
        """What a sparse row means that says nothing of it; None where nothing is meant."""
        if self.kind == NUMBER:
            return "0"
        return self.levels[0] if self.levels else None


def read_header(numbered: Iterator[tuple[int, str]], lines: Lines) -> list[Attribute]:
    """The declared columns; afterwards the next line is the first row."""
    attributes: list[Attribute] = []
    names: set[str] = set()
    for number, text in numbered:
        found = _KEYWORD.match(text)
        keyword = found[1].lower() if found else ""
        if found is None or keyword not in ("relation", "attribute", "data"):
            raise InputError(
                f"{lines.line(number)}: {shown(text)} is not expected before @data; an ARFF file begins with "
                "@relation, then has a line @attribute for each column."
            )
        if keyword == "data":
            if not attributes:
                raise InputError(
                    f"{lines.line(number)}: no column is declared before @data; add @attribute lines."
                )
            return attributes
        if keyword == "attribute":
            try:
                attribute = _attribute(text[found.end() :])
            except WordError as error:
                raise InputError(f"{lines.line(number)}: {error}.") from None
            if attribute.name in names:
                raise InputError(
                    f"{lines.line(number)}: column {shown(attribute.name)} comes twice; rename one."
                )
            attributes.append(attribute)
            names.add(attribute.name)
    raise InputError(f"{lines.file!r} has no line @data; the rows of an ARFF file follow one.")


def _attribute(text: str) -> Attribute:
    """The column that a line declares, from behind the keyword."""
    found = _NAME.match(text)
    if found is None:
        raise WordError("the column has no name; write @attribute, its name and its type")
    name, rest = one_word(found[0]).text, text[found.end() :].strip()
    if rest.startswith("{"):
        inside, brace, behind = rest[1:].rpartition("}")
        if not brace or behind.strip() or _is_split(inside):
            raise WordError(
                f"the categories of column {shown(name)} end in no brace; write {{a, b, c}} and no more"
            )
        levels = [word.text for word in split_words(inside.strip())] if inside.strip() else []
        seen: set[str] = set()
        for level in levels:
            if level in seen:
                raise WordError(
                    f"column {shown(name)} lists the category {shown(level)} twice; keep one of them"
                )
            seen.add(level)
        return Attribute(name, NOMINAL, tuple(levels))
    word, _, behind = rest.partition(" ") if " " in rest else rest.partition("\t")
    if word.lower() == "relational":
        raise WordError(
            f"column {shown(name)} holds tables (relational), which cannot be learned from; leave it out"
        )
    if word.lower() not in _TYPES:
        known = "numeric, real, integer, string, date or {categories}"
        raise WordError(f"column {shown(name)} has the type {shown(word)}; the types are {known}")
    if behind.strip() and word.lower() != "date":
        raise WordError(f"{shown(behind.strip())} follows the type of column {shown(name)}; take it away")
    return Attribute(name, _TYPES[word.lower()])


def _is_split(inside: str) -> bool:
    """Whether a closing brace stands among the categories, outside quotes."""
    bare = masked(inside)
    return "{" in bare or "}" in bare
