"""The texts of pruning reports: written in English, stored in model files, translated.

The rule, the unit and the other texts of a report are messages with their values filled in, such as "with {spread}"
with "2 standard errors" in its place. A report in memory has them in English; a report read from a model file has
nothing else. So a text is recognised by the messages of its method (`Method.messages`): `translate` fills in the
translated message again. Model files of version 1 keep the words they had at first (`Method.stored_texts`);
`stored_text` and `shown_text` turn one form into the other.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from string import Formatter

from treewright.language import N_, Messages
from treewright.model.formatting import format_number

AS_LEAF = N_("as a leaf")
AS_SUBTREE = N_("as a subtree")
WITH_ALLOWANCE = N_("with the allowance")
WITH_SPREAD = N_("with {spread}")
ONE_STANDARD_ERROR = N_("one standard error")
STANDARD_ERRORS = N_("{k} standard errors")
NOT_RAISED = N_("No branch is raised: in its new place it could break the order that monotonic_cst requires.")

COMMON_MESSAGES = (AS_LEAF, AS_SUBTREE, WITH_ALLOWANCE, WITH_SPREAD, ONE_STANDARD_ERROR, STANDARD_ERRORS, NOT_RAISED)
"""Messages that the reports of several methods have."""

COMMON_STORED = {
    NOT_RAISED: "No branch is raised: in its new place it could break the order that monotonic_cst asks for.",
}
"""Common messages -> the words of model files, where these differ."""


def standard_errors_text(k: float) -> str:
    """So many standard errors in words.

    >>> standard_errors_text(1.0), standard_errors_text(0.5)
    ('one standard error', '0.5 standard errors')
    """
    number = format_number(k)
    return ONE_STANDARD_ERROR if number == "1" else STANDARD_ERRORS.format(k=number)


def translate(text: str, messages: Iterable[str], _: Messages) -> str:
    """A text of a report in another language; a text that is none of the messages stays as it is.

    >>> from treewright.language import messages
    >>> translate("with 2 standard errors", (), messages("en"))
    'with 2 standard errors'
    """
    known = _strictest_first((*messages, *COMMON_MESSAGES))

    def translated(part: str) -> str:
        for message in known:
            found = _pattern(message).fullmatch(part)
            if found is None:
                continue
            values = {name: translated(value) for name, value in _values(found).items()}
            sentence = _(message, **values)
            return sentence if not found["more"] else _(
                "{first} {second}", first=sentence, second=translated(found["more"])
            )
        return part

    return translated(text)


def stored_text(text: str, stored: Mapping[str, str]) -> str:
    """A text in the words that model files have for it; `stored` maps messages to these words.

    >>> stored_text("5 other predictions", {"{n} other predictions": "{n} other answers"})
    '5 other answers'
    """
    return _rewrite(text, {**stored, **COMMON_STORED})


def shown_text(text: str, stored: Mapping[str, str]) -> str:
    """A text of a model file in the words of today: the reverse of `stored_text`.

    >>> shown_text("5 other answers", {"{n} other predictions": "{n} other answers"})
    '5 other predictions'
    """
    return _rewrite(text, {old: message for message, old in {**stored, **COMMON_STORED}.items()})


def _rewrite(text: str, forms: Mapping[str, str]) -> str:
    """The text with every message in its other form, values included."""
    for message in _strictest_first(forms):
        found = _pattern(message).fullmatch(text)
        if found is not None:
            values = {name: _rewrite(value, forms) for name, value in _values(found).items()}
            more = f" {_rewrite(found['more'], forms)}" if found["more"] else ""
            return forms[message].format(**values) + more
    return text


def _strictest_first(messages: Iterable[str]) -> list[str]:
    """Messages without values first, then those that begin with text of their own, those with most of it first."""
    return sorted(
        messages,
        key=lambda message: ("{" in message, message.startswith("{"), -len(re.sub(r"{\w+}", "", message))),
    )


@cache
def _pattern(message: str) -> re.Pattern[str]:
    """What a message looks like with any values in it; a sentence may be followed by another one, `more`."""
    parts, names = [], set()
    for literal, name, _spec, _conversion in Formatter().parse(message):
        parts.append(re.escape(literal))
        if name is not None:
            parts.append(f"(?P={name})" if name in names else f"(?P<{name}>.+?)")
            names.add(name)
    more = "(?: (?P<more>.+))?" if message.endswith(".") else "(?P<more>)"
    return re.compile("".join(parts) + more)


def _values(found: re.Match[str]) -> dict[str, str]:
    return {name: value for name, value in found.groupdict().items() if name != "more"}
