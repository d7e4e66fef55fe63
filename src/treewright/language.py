"""Messages in the language of the reader.

The source has English sentences; `messages(language)` returns the function that translates them. The translations are
gettext catalogues, one file for each language: `locale/zh/LC_MESSAGES/treewright.po`. `make catalogue` collects the
messages of the source into every catalogue and compiles it. Names, classes and categories of the user are values of a
message and are never translated.

>>> _ = messages("en")
>>> _("Node {node} splits on {column}.", node=3, column="outlook")
'Node 3 splits on outlook.'
>>> _.plural("{n} row", "{n} rows", 14)
'14 rows'
"""

from pathlib import Path
from typing import TYPE_CHECKING

from treewright.errors import one_of

if TYPE_CHECKING:
    from gettext import NullTranslations

_FOLDER = Path(__file__).parent / "locale"
_CATALOGUE = "LC_MESSAGES/treewright.mo"

LANGUAGES = ("en", *sorted(found.parent.parent.name for found in _FOLDER.glob(f"*/{_CATALOGUE}")))
"""The languages that messages can be written in: English, and one for each compiled catalogue."""


def N_(message: str) -> str:  # noqa: N802 - the usual name of gettext
    """Mark a constant as a message, so that it is collected into the catalogues; it is translated where it is shown."""
    return message


class Messages:
    """Translates messages into one language, and fills in their values."""

    __slots__ = ("_catalogue", "language")

    def __init__(self, language: str, catalogue: "NullTranslations | None") -> None:
        self.language = language
        self._catalogue = catalogue

    def __call__(self, message: str, /, **values: object) -> str:
        """Translate a message; its {named} places are filled in when there are values."""
        found = message if self._catalogue is None else self._catalogue.gettext(message)
        return found.format(**values) if values else found

    def plural(self, one: str, many: str, n: float, /, **values: object) -> str:
        """Translate a message that depends on a count; {n} is the count unless `values` has another form of it."""
        if self._catalogue is None:
            found = one if n == 1 else many
        else:
            found = self._catalogue.ngettext(one, many, int(n) if n == int(n) else 2)
        return found.format(**{"n": n, **values})

    def context(self, context: str, message: str, /, **values: object) -> str:
        """Translate a message whose English words have another translation elsewhere."""
        found = message if self._catalogue is None else self._catalogue.pgettext(context, message)
        return found.format(**values) if values else found


_LOADED = {"en": Messages("en", None)}
"""The languages in use: a catalogue is read when its language is first used."""


def messages(language: str = "en") -> Messages:
    """Return what translates messages into a language.

    Parameters
    ----------
    language : str
        One of LANGUAGES: "en" for English, "zh" for Chinese. An unknown one is a ParameterError.

    Returns
    -------
    Messages
        A function of a message and its values, with the methods `plural` and `context`.

    Examples
    --------
    >>> messages("zh").language
    'zh'
    >>> messages("xx")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    treewright.errors.ParameterError: language must be one of the known ones
    """
    if not isinstance(language, str) or language not in _LOADED:
        from gettext import GNUTranslations

        with (_FOLDER / one_of("language", language, LANGUAGES) / _CATALOGUE).open("rb") as file:
            _LOADED[language] = Messages(language, GNUTranslations(file))
    return _LOADED[language]
