"""Texts of the reader that can be shown in another language: notes, and the reasons for the kinds of columns.

In: an English message and its values. Out: a string, which is the English text wherever it is stored, compared or
printed, and which `translated` shows in another language.
"""

from typing import Self

from treewright.language import messages


class Translatable(str):
    """An English text that remembers its message and values.

    >>> where = Translatable("line {n}", n=3)
    >>> Translatable("{value} in {where} begins with a zero", value="'007'", where=where)
    "'007' in line 3 begins with a zero"
    """

    __slots__ = ("_message", "_values")

    _message: str
    _values: dict[str, object]

    def __new__(cls, message: str, /, **values: object) -> Self:
        made = super().__new__(cls, message.format(**values) if values else message)
        made._message, made._values = message, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        return (self._message,), self._values


def translated(text: str, language: str) -> str:
    """The text in another language if it is a `Translatable`, and else as it is.

    >>> translated("a name", "zh"), translated(Translatable("line {n}", n=3), "en")
    ('a name', 'line 3')
    """
    if not isinstance(text, Translatable):
        return text
    values = {
        name: translated(value, language) if isinstance(value, str) else value for name, value in text._values.items()
    }
    return messages(language)(text._message, **values)
