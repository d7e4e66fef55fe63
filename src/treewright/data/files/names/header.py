"""Header: what a .names file declares.

In: the text of a .names file of C4.5 or C5.0. Out: the attributes in the order of the data, and the target.
"""

import re
from dataclasses import dataclass, replace

from treewright.data.files.names.words import Entry, entries
from treewright.data.files.wording import Lines, shown
from treewright.errors import InputError

NUMBER, CATEGORY, DISCRETE, IGNORED, DATED = "continuous", "list", "discrete", "ignore", "date"
WEIGHT = "case weight"
"""The name that C5.0 gives the attribute that holds the weight of a row."""

_KINDS = {
    "continuous": NUMBER,
    "ignore": IGNORED,
    "label": IGNORED,
    "date": DATED,
    "time": DATED,
    "timestamp": DATED,
}
_DISCRETE = re.compile(r"discrete (\d+)", re.IGNORECASE)
_ORDERED = re.compile(r"\[ordered\] ?", re.IGNORECASE)
_CHOICE = {"attributes included": True, "attributes excluded": False}


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: its name, what it is, its categories, and how many there may be where they are not listed."""

    name: str
    kind: str
    line: int
    levels: tuple[str, ...] = ()
    ordered: bool = False
    most: int = 0

    @property
    def is_ignored(self) -> bool:
        """Whether it is left out of trees. Dates are, as in every format."""
        return self.kind in (IGNORED, DATED)


@dataclass(frozen=True, slots=True)
class Names:
    """What a .names file declares: the columns of the data in order, the target among them."""

    attributes: tuple[Attribute, ...]
    target: str


def read_header(text: str, file: str) -> Names:
    """The attributes and the target of a .names file.

    The first entry lists the classes, which stand last in the data; or it is the name of an attribute, the target.

    >>> read_header("yes, no.\\nage: continuous", "people.names").attributes[1].levels
    ('yes', 'no')
    >>> read_header("age.\\nsex: f, m\\nage: continuous", "people.names").target
    'age'
    """
    found = list(entries(text, file))
    if not found:
        raise InputError(
            f"{file!r} is empty; its first entry lists the classes, and each further one is an attribute."
        )
    first, *rest = found
    attributes = [_attribute(entry, file) for entry in rest if (entry.head or "").casefold() not in _CHOICE]
    names = _distinct([a.name for a in attributes], [a.line for a in attributes], "attribute", file)
    if first.head is not None:
        raise InputError(
            f"{Lines(file).line(first.line)}: the first entry has a colon; it lists the classes, or is the name of the "
            "target (classes cut out of a number are not made here)."
        )
    if len(first.words) == 1 and first.words[0] in names:
        target = first.words[0]
    else:
        _distinct(first.words, [first.line] * len(first.words), "class", file)
        target = _free_name(names)
        attributes.append(Attribute(target, CATEGORY, first.line, tuple(first.words)))
    for entry in rest:
        if (entry.head or "").casefold() in _CHOICE:
            attributes = _chosen(attributes, entry, target, file)
    return Names(tuple(attributes), target)


def _free_name(names: set[str]) -> str:
    """What the column of the classes is called, for the file does not say."""
    name = "class"
    while name in names:
        name += "_"
    return name


def _attribute(entry: Entry, file: str) -> Attribute:
    """The attribute that an entry declares."""
    if entry.head is None:
        raise InputError(
            f"{Lines(file).line(entry.line)}: {shown(', '.join(entry.words))} is no attribute; write its name, a "
            "colon, and 'continuous', 'ignore', 'discrete N' or its categories."
        )
    name, words, line = entry.head, entry.words, entry.line
    if len(words) == 1:
        kind = _KINDS.get(words[0].casefold())
        if kind is not None:
            return Attribute(name, kind, line)
        found = _DISCRETE.fullmatch(words[0])
        if found is not None:
            return Attribute(name, DISCRETE, line, most=int(found[1]))
    is_ordered = _ORDERED.match(words[0])
    if is_ordered:
        words = [words[0][is_ordered.end() :], *words[1:]]
        if not words[0]:
            raise InputError(
                f"{Lines(file).line(line)}: no category follows [ordered]; list them, low to high."
            )
    _distinct(words, [line] * len(words), f"category of {name!r}", file)
    return Attribute(name, CATEGORY, line, tuple(words), ordered=bool(is_ordered))


def _distinct(words: list[str], lines: list[int], what: str, file: str) -> set[str]:
    """The words as a set; refused where one of them comes twice."""
    seen: set[str] = set()
    for word, line in zip(words, lines, strict=True):
        if word in seen:
            raise InputError(
                f"{Lines(file).line(line)}: the {what} {shown(word)} comes twice; keep one of them."
            )
        seen.add(word)
    return seen


def _chosen(attributes: list[Attribute], entry: Entry, target: str, file: str) -> list[Attribute]:
    """The attributes after an entry that says which of them may be used."""
    known = {attribute.name for attribute in attributes}
    for word in entry.words:
        if word not in known:
            raise InputError(
                f"{Lines(file).line(entry.line)}: there is no attribute {shown(word)}; correct the name."
            )
    included = _CHOICE[(entry.head or "").casefold()]
    return [
        a if a.name in (target, WEIGHT) or (a.name in entry.words) == included else replace(a, kind=IGNORED)
        for a in attributes
    ]
