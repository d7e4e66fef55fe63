"""The check of an export: what the exported model predicts is compared with what the tree predicts.

In: the probes of a tree, and what an export predicts for the same rows. Out: nothing, or an ExportError with the row
and both predictions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ExportError
from treewright.export.probe_rows import Probes

TOLERANCE = 1e-12
"""How far a probability may be off; a predicted number this far of the larger of 1 and its size."""


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """What an export predicts for some rows.

    classes  the predicted classes, in the values of the user; None for a row that is refused, and for regression
    values   (n_rows, n_classes) class probabilities, or (n_rows, 1) numbers; NaN for a row that is refused; None if the
             export has no probabilities
    """

    classes: Sequence[object] | None
    values: NDArray[np.float64] | None


def compare(probes: Probes, answers: Predicted, target: str, tolerance: float = TOLERANCE) -> None:
    """Raise an ExportError for the first row that an export predicts otherwise than the tree.

    target  the name of the export in the error

    >>> from treewright.export.probe_rows import make_probes
    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> probes = make_probes(scoring(golf_example(), "stop"))
    >>> names = probes.scoring.classes
    >>> compare(probes, Predicted([names[code] for code in probes.classes], probes.probabilities), "sql")
    """
    wrong = probes.refused != _refused(answers)
    if probes.classes is not None and answers.classes is not None:
        names = probes.scoring.classes
        codes = zip(probes.classes.tolist(), probes.refused.tolist(), strict=True)
        expected = [None if refused else names[code] for code, refused in codes]
        wrong |= np.array([one != other for one, other in zip(expected, answers.classes, strict=True)], bool)
    if answers.values is not None:
        room = tolerance * np.maximum(1.0, np.abs(probes.probabilities) if probes.classes is None else 1.0)
        far = ~(np.abs(answers.values - probes.probabilities) <= room).all(axis=1)
        wrong |= far & ~probes.refused
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ExportError(
            f"The export to {target} predicts {_shown(answers, row)} for {_row_words(probes, row)}, but the model "
            f"predicts {_expected(probes, row)}; report this with the model, or pass check=False to skip the check."
        )


def _refused(answers: Predicted) -> NDArray[np.bool_]:
    if answers.classes is not None:
        return np.array([one is None for one in answers.classes], bool)
    assert answers.values is not None
    return np.array([all(row) for row in np.isnan(answers.values).tolist()], bool)


def _row_words(probes: Probes, row: int) -> str:
    """The cells of a row that the tree looks at."""
    used, cells = probes.scoring.used, probes.cells()
    names = probes.scoring.tree.schema.names
    return "{" + ", ".join(f"{names[i]!r}: {cells[i][row]!r}" for i in used[:20]) + "}"


def _shown(answers: Predicted, row: int) -> str:
    parts: list[Any] = [] if answers.classes is None else [repr(answers.classes[row])]
    if answers.values is not None:
        parts.append(answers.values[row].tolist())
    return " ".join(map(str, parts))


def _expected(probes: Probes, row: int) -> str:
    if probes.refused[row]:
        return "nothing, because it refuses the row"
    if probes.classes is None:
        return repr(float(probes.probabilities[row, 0]))
    return f"{probes.scoring.classes[int(probes.classes[row])]!r} {probes.probabilities[row].tolist()}"
