"""The conditions of a tree as predicates of PMML, which are true, false or unknown.

In: the test of a node. Out: a predicate for each child. A predicate on a missing value is unknown, and what happens
then is up to `missingValueStrategy`. So the predicates of siblings are either all known or all unknown: readers differ
in whether they stop at the first unknown child or look for a true one after it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from treewright.data.schema import Column, Kind
from treewright.errors import ExportError
from treewright.export.scoring import NodeTest, ValueTest

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot contain, even escaped."""
_REFERENCES = {'"': "&quot;"} | {
    chr(code): f"&#{code};" for code in (9, 10, 13, *range(127, 160), 0x2028, 0x2029)
}
"""A reader replaces line breaks and tabs in attributes by spaces, unless they are written as references."""
_PLAIN = re.compile(r'[^\s"\\]+( [^\s"\\]+)*')
"""Texts that every reader of an array reads alike: the standard does not say how a backslash is escaped."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field compared with a value; `value` is None for isMissing."""

    field: str
    operator: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Membership:
    """Whether the value of a field is in a set (isIn) or not (isNotIn)."""

    field: str
    operator: str
    data_type: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compound:
    """Several predicates, combined by or, and, or surrogate: the first predicate that is not unknown."""

    operator: str
    parts: tuple["Predicate", ...]


Predicate = Comparison | Membership | Compound


def number_text(number: float) -> str:
    """A number as text that is read as the same number.

    >>> number_text(75.0), number_text(0.1), number_text(-0.0), number_text(1e-308)
    ('75', '0.1', '-0', '1e-308')
    """
    return repr(float(number)).removesuffix(".0")


def value_text(value: object) -> str:
    """A category or a class as text.

    >>> value_text(True), value_text(2**53 + 1), value_text("New York")
    ('true', '9007199254740993', 'New York')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def data_type(values: tuple[object, ...]) -> str:
    """The type of a field with these categories or classes.

    >>> data_type((1, 2)), data_type((1, 2.5)), data_type(("a", 1)), data_type((True, False))
    ('integer', 'double', 'string', 'boolean')
    """
    kinds = {type(value) for value in values}
    if kinds == {float, int}:  # a category without a fraction is an int, even in a column of floats
        return "double" if all(float(value) == value for value in values) else "string"  # type: ignore[arg-type]
    names = {bool: "boolean", int: "integer", float: "double"}
    return names.get(kinds.pop(), "string") if len(kinds) == 1 else "string"


def attribute(text: str, what: str) -> str:
    """A text as the value of an attribute, with its quotes; `what` names it in the error about a character.

    >>> print(attribute('a "b"\\n', "The column name"))
    "a &quot;b&quot;&#10;"
    """
    return '"' + escape(checked(text, what), _REFERENCES) + '"'


def checked(text: str, what: str) -> str:
    """The text itself; an ExportError if XML cannot contain it.

    >>> checked("nul\\0", "The column name")
    Traceback (most recent call last):
    treewright.errors.ExportError: The column name 'nul\\x00' has the character U+0000, which XML cannot contain; \
rename it.
    """
    found = NOT_XML.search(text)
    if found is not None:
        name = f"U+{ord(found[0]):04X}"
        raise ExportError(
            f"{what} {text!r} has the character {name}, which XML cannot contain", advice="rename it"
        )
    return text


def child_predicate(one: NodeTest, branch: int, closed: bool) -> Predicate:
    """The predicate of a child.

    closed  whether the fields list all their categories, so that any other is a missing value
    """
    known = _takes(one.test, branch, one.unseen == branch)
    if one.surrogates:
        # Unknown here, because a surrogate is evaluated only if the value of this field is missing.
        unknown = _some_comparison(one.test)
        return Compound(
            "surrogate", (known, *(_surrogate(test, branch, unknown, closed) for test in one.surrogates))
        )
    if one.missing == branch and branch not in one.test.branches:
        is_missing = Comparison(one.test.column.name, "isMissing")
        return Compound("or", (is_missing, known)) if one.unseen == branch else is_missing
    return known


def unseen_predicate(one: NodeTest) -> Predicate:
    """Whether a category did not occur in training; unknown if it is missing."""
    return _membership(one.test.column, "isNotIn", range(one.test.column.n_categories))


def _takes(test: ValueTest, branch: int, takes_unseen: bool) -> Predicate:
    """Whether a known value takes the branch; unknown if the value is missing."""
    name = test.column.name
    if test.codes is None:
        cut = number_text(test.threshold or 0.0)
        lower, upper = Comparison(name, "lessOrEqual", cut), Comparison(name, "greaterThan", cut)
        if branch not in test.branches:
            return Compound("and", (lower, upper))
        if test.threshold is None:
            return Compound("or", (lower, upper))
        return lower if branch == test.branches[0] else upper
    codes = _codes_of(test, branch)
    if takes_unseen:
        mine = set(codes)
        return _membership(
            test.column, "isNotIn", [c for c in range(test.column.n_categories) if c not in mine]
        )
    return _membership(test.column, "isIn", codes)


def _codes_of(test: ValueTest, branch: int) -> tuple[int, ...]:
    assert test.codes is not None
    return dict(zip(test.branches, test.codes, strict=True)).get(branch, ())


def _some_comparison(test: ValueTest) -> Comparison:
    """A comparison that is unknown if the value of the test is missing."""
    column = test.column
    if column.kind is Kind.NUMBER:
        return Comparison(column.name, "lessOrEqual", number_text(test.threshold or 0.0))
    return Comparison(column.name, "equal", value_text(column.categories[0]) if column.categories else "")


def _surrogate(test: ValueTest, branch: int, unknown: Comparison, closed: bool) -> Predicate:
    """Whether a surrogate sends a row down the branch: unknown for a category that the surrogate does not know."""
    if test.codes is None:
        return _takes(test, branch, False)
    mine = _codes_of(test, branch)
    others = [code for other in test.branches if other != branch for code in _codes_of(test, other)]
    if closed and len(mine) + len(others) == test.column.n_categories:
        return _membership(test.column, "isIn", mine)
    rest: Predicate = unknown
    if others:
        rest = Compound("and", (_membership(test.column, "isNotIn", others), unknown))
    return Compound("or", (_membership(test.column, "isIn", mine), rest)) if mine else rest


def _membership(column: Column, operator: str, codes: Sequence[int]) -> Predicate:
    """Whether a category is in a set; unknown if it is missing, even if the set is empty."""
    name, is_in = column.name, operator == "isIn"
    values = tuple(value_text(column.categories[code]) for code in codes)
    single, joined = ("equal", "or") if is_in else ("notEqual", "and")
    kind = data_type(column.categories)
    if not values:
        some = value_text(column.categories[0]) if column.categories else ""
        both = Comparison(name, "equal", some), Comparison(name, "notEqual", some)
        return Compound("and" if is_in else "or", both)
    if len(values) == 1 and kind != "double":  # pypmml compares a category that is a float with its position
        return Comparison(name, single, values[0])
    if kind == "string" and not all(_PLAIN.fullmatch(value) for value in values):
        return Compound(joined, tuple(Comparison(name, single, value) for value in values))
    return Membership(name, operator, kind, values)


def predicate_lines(predicate: Predicate | None, indent: str) -> Iterator[str]:
    """The lines of a predicate; None is always true."""
    if predicate is None:
        yield f"{indent}<True/>"
    elif isinstance(predicate, Comparison):
        words = f'field={attribute(predicate.field, "The column name")} operator="{predicate.operator}"'
        if predicate.value is not None:
            words += f" value={attribute(predicate.value, 'The category')}"
        yield f"{indent}<SimplePredicate {words}/>"
    elif isinstance(predicate, Membership):
        words = (
            f'field={attribute(predicate.field, "The column name")} booleanOperator="{predicate.operator}"'
        )
        yield f"{indent}<SimpleSetPredicate {words}>"
        yield f"{indent}  {_array(predicate)}"
        yield f"{indent}</SimpleSetPredicate>"
    else:
        yield f'{indent}<CompoundPredicate booleanOperator="{predicate.operator}">'
        for part in predicate.parts:
            yield from predicate_lines(part, indent + "  ")
        yield f"{indent}</CompoundPredicate>"


def _array(predicate: Membership) -> str:
    values = [checked(value, "The category") for value in predicate.values]
    kind = {"integer": "int", "double": "real"}.get(predicate.data_type, "string")
    words = " ".join(f'"{escape(value)}"' if predicate.data_type == "string" else value for value in values)
    return f'<Array type="{kind}" n="{len(values)}">{words}</Array>'
