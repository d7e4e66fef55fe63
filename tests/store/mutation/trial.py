"""Trial: one mutated file, loaded and asked as a user would.

In: bytes. Out: how they were met: refused, with the field that the refusal names, or accepted and the same after they
were saved and loaded again; or what went wrong.
"""

import re
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from treewright import ModelFormatError, TreewrightError
from treewright.loading import load, load_bytes
from treewright.rules.ruleset import RuleSet

FIELD = re.compile(r"Field ([^\s;:,]+)")
PLACE = re.compile(r"\b(?:byte|line) \d+")
WHOLE = re.compile(r"This is not a model file|^The (?:file|data)\b|gzip|zstd|outermost object", re.IGNORECASE)
"""What is said where there is no field yet: the file is of another kind, or is not even JSON."""


@dataclass(frozen=True)
class Met:
    """How a file was met: "refused", "accepted" or "wrong"; the field of the refusal, or what was wrong."""

    how: str
    what: str = ""


def tried(data: bytes, scratch: Path, *, deep: bool) -> Met:
    """Load a file, ask it, save it, load it again and compare; `deep` asks more."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _tried(data, scratch, deep=deep)
    except Exception as error:
        return Met("wrong", f"{type(error).__name__}: {error!s:.300}")


def _tried(data, scratch, *, deep):
    try:
        model = load_bytes(data)
    except ModelFormatError as error:
        return refusal(str(error))
    tables = [table(model, kind) for kind in (0, 1)]
    first = answers(model, tables, deep=deep)
    told = told_of(model)
    saved = _saved(model, scratch)
    again = load(scratch)
    if answers(again, tables, deep=deep) != first:
        return Met("wrong", "other answers after save and load")
    if told_of(again) != told:
        return Met("wrong", "other text after save and load")
    if deep and _saved(again, scratch) != saved:
        return Met("wrong", "other bytes when it is saved again")
    return Met("accepted")


def refusal(text: str) -> Met:
    """A refusal, by the field or the place that it names."""
    if found := FIELD.search(text):
        return Met("refused", re.sub(r"\[\d+\]", "", found[1]))
    if PLACE.search(text) or WHOLE.search(text):
        return Met("refused", "(text)")
    return Met("wrong", f"no field is named: {text:.300}")


def _saved(model, scratch):
    kept = {}
    if not hasattr(model, "n_nodes") and not isinstance(model, RuleSet):
        kept = {"rows": model._kept is not None, "ledgers": model._ledgers is not None}
    model.save(scratch, overwrite=True, **kept)
    return scratch.read_bytes()


def schema_of(model):
    """The columns of what was loaded."""
    if isinstance(model, RuleSet):
        return model._reader.columns
    return getattr(model, "tree_", model).schema.columns


def table(model, kind):
    """Rows of known values, or of values of which some are missing and some never seen."""
    rows = []
    for k in range(3):
        row = []
        for position, column in enumerate(schema_of(model)):
            if kind and (k + position) % 3 == 0:
                row.append(None)
            elif kind and (k + position) % 5 == 1 and column.categories:
                row.append("never seen")
            elif column.categories:
                row.append(column.categories[(k + position) % len(column.categories)])
            else:
                row.append(None if column.kind else [35.0, -1e300, 47.0][k])
        rows.append(row)
    return rows


def answers(model, tables, *, deep):
    """All that is asked, as things that can be compared; a question that is refused counts as its refusal."""
    whole, gaps = tables
    found = _answers(model, whole + gaps)
    if isinstance(found[0][1], str):  # gaps are refused: the others alone
        found += _answers(model, whole)
    if deep:
        found += [_answer(ask) for ask in _deep(model, gaps[-1])]
    return found


def _answers(model, rows):
    found = [_answer(lambda: model.predict(rows))]
    if not isinstance(model, RuleSet):
        found.append(_answer(lambda: model.apply(rows)))
    if hasattr(model, "predict_proba"):
        found.append(_answer(lambda: model.predict_proba(rows)))
    return found


def _deep(model, row):
    if hasattr(model, "explain"):
        yield lambda: str(model.explain(row))
    if hasattr(model, "tree_"):
        nodes = range(min(model.tree_.n_nodes, 4))
        yield lambda: [str(model.why_pruned(node)) for node in nodes]
        yield lambda: str(model.pruning_report_)
        if model._ledgers is not None or model._kept is not None:
            yield lambda: [str(model.why(node)) for node in nodes]
            yield lambda: [repr(model.why(node).to_dict()) for node in nodes]
        if model._kept is not None and hasattr(model, "classes_"):
            yield lambda: str(model.rules("generalised"))


def _answer(ask):
    try:
        found = ask()
    except ModelFormatError:
        raise
    except TreewrightError as error:
        return type(error).__name__, str(error)
    if isinstance(found, np.ndarray) and found.dtype != object:
        return found.dtype.str, found.shape, found.tobytes()
    return ("object", found.tolist()) if isinstance(found, np.ndarray) else found


def told_of(model):
    """What a model says of itself."""
    return model.to_text(), repr(model)
