"""Unseen: the warning of categories that training never showed.

In: what the encoder found, and what becomes of such a value. Out: one warning, where the caller of this package stands.
"""

import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from treewright.data.encode import Unseen
from treewright.errors import UnseenCategoryWarning

N_SHOWN = 4
"""Categories listed in the warning."""

BECOMES = {
    "missing": "counts as missing",
    "majority": "takes the heaviest branch",
    "stop": "ends the row's way at the node that asks for it",
    "error": "",
}
"""What is done with a category that training never showed, and how the warning says so."""

_HOUSE = str(Path(__file__).parent.parent) + os.sep


def warn_unseen(found: Sequence[Unseen], becomes: str) -> None:
    """Warn once of all these categories; `becomes` ends the sentence, as in "such a value counts as missing"."""
    warnings.warn(unseen_words(found, becomes), UnseenCategoryWarning, stacklevel=_steps_outside())


def unseen_words(found: Sequence[Unseen], becomes: str) -> str:
    """The same as a sentence.

    >>> unseen_words([Unseen("colour", "mauve", 2)], "such a value counts as missing")
    "Training never showed 'mauve' in column 'colour' (2 rows); such a value counts as missing."
    """
    shown = [f"{one.value!r} in column {one.column!r} ({_rows(one.n_rows)})" for one in found[:N_SHOWN]]
    if len(found) > N_SHOWN:
        shown.append(f"and {len(found) - N_SHOWN} more")
    return f"Training never showed {', '.join(shown)}; {becomes}."


def _rows(n_rows: int) -> str:
    return "1 row" if n_rows == 1 else f"{n_rows} rows"


def _steps_outside() -> int:
    """How many frames the first one outside of this package is above `warn_unseen`, counted as warnings does."""
    steps, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HOUSE):
        steps, frame = steps + 1, frame.f_back
    return steps
