"""Booleans in words: yes and No, TRUE and false, 是 and 否.

In: the distinct cells of a column of text. Out: one spelling for each of the two values. Words that differ only in
case, or of which one is the first letter of the other, are the same value.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from treewright.data.files.number_forms import MOSTLY, is_number_marker

_PAIRS = (
    (("true", "t"), ("false", "f")),
    (("yes", "y"), ("no", "n")),
    (("ja", "j"), ("nein", "n")),
    (("oui", "o"), ("non", "n")),
    (("是",), ("否",)),
)
_VALUES = tuple({word: value for value, words in enumerate(pair) for word in words} for pair in _PAIRS)
"""For each pair the value of each word, in lower case."""


@dataclass(frozen=True, slots=True)
class BooleansFound:
    """A column of booleans.

    spelling  the spelling that each distinct cell gets; None for markers of missing values
    n_wrong   known cells that are neither of the two values
    """

    spelling: dict[str, str | None]
    n_wrong: int
    n_known: int

    @property
    def as_written(self) -> bool:
        """Whether every cell is one of the two values, in one spelling each."""
        return not self.n_wrong and all(cell == spelled for cell, spelled in self.spelling.items())


def find_booleans(counts: Mapping[str, int], missing: Sequence[str]) -> BooleansFound | None:
    """The booleans of a column, given its cells with their counts; None if it has others, or only one of the values.

    >>> find_booleans({"Yes": 5, "yes": 9, "No": 14}, ()).spelling
    {'Yes': 'yes', 'yes': 'yes', 'No': 'No'}
    >>> find_booleans({"yes": 5, "no": 9, "maybe": 14}, ()) is None
    True
    """
    absent = {cell for cell in counts if is_number_marker(cell, missing)}
    known = {cell: n for cell, n in counts.items() if cell not in absent}
    n_known = sum(known.values())
    for values in _VALUES:
        fit = {cell: values[cell.lower()] for cell in known if cell.lower() in values}
        n_wrong = n_known - sum(known[cell] for cell in fit)
        if set(fit.values()) != {0, 1} or n_wrong > (1 - MOSTLY) * n_known:
            continue
        most = [max((cell for cell in fit if fit[cell] == one), key=lambda cell: (known[cell], cell)) for one in (0, 1)]
        return BooleansFound(
            {cell: most[fit[cell]] for cell in fit} | dict.fromkeys(sorted(absent)), n_wrong, n_known
        )
    return None


def boolean_spellings(categories: Iterable[object]) -> dict[str, object]:
    """The words, in lower case, that mean one of these categories; empty unless they are a pair of booleans.

    >>> boolean_spellings(["No", "yes"])
    {'yes': 'yes', 'y': 'yes', 'no': 'No', 'n': 'No'}
    """
    given = list(categories)
    if len(given) != 2 or not all(isinstance(category, str) for category in given):
        return {}
    for values in _VALUES:
        found = {values.get(str(category).lower()): category for category in given}
        if found.keys() == {0, 1}:
            return {word: found[value] for word, value in values.items()}
    return {}
