"""Say: sentences of a worked solution in the reader's language.

In: the key of a phrase and the pieces it speaks of. Out: a `Sentence`. The phrases stand in phrases.py and
phrases_pruning.py, each in every language; names and categories are the user's and are never translated.
"""

from dataclasses import dataclass
from string import Formatter

from treewright.ledger.worked.document import Piece, Sentence, sentence
from treewright.ledger.worked.phrases import GROWTH
from treewright.ledger.worked.phrases_pruning import PRUNING

LANGUAGES = ("en", "zh")
PHRASES = GROWTH | PRUNING
"""By key: the phrase in each of the LANGUAGES."""


@dataclass(frozen=True, slots=True)
class Say:
    """Speaks one language.

    >>> Say("zh")("rows", n="17").pieces
    ('17', ' 个样本')
    """

    language: str = "en"

    def __call__(self, key: str, **pieces: Piece | Sentence) -> Sentence:
        phrase = PHRASES[key][LANGUAGES.index(self.language)]
        found: list[Piece | Sentence] = []
        for words, name, _, _ in Formatter().parse(phrase):
            found.append(words)
            if name is not None:
                found.append(pieces[name])
        return sentence(*found)

    def word(self, key: str) -> str:
        """A phrase that speaks of nothing, as a string.

        >>> Say("en").word("best")
        'best'
        """
        return PHRASES[key][LANGUAGES.index(self.language)]

    def listed(self, parts: list[Sentence]) -> Sentence:
        """Several things in a row.

        >>> Say("en").listed([sentence("a"), sentence("b")]).pieces
        ('a', ', ', 'b')
        """
        comma = ", " if self.language == "en" else "、"
        joined: list[Piece | Sentence] = []
        for i, part in enumerate(parts):
            joined += [comma, part] if i else [part]
        return sentence(*joined)
