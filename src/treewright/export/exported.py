"""An export as it is handed over: the text with a header that says what was checked.

In: a fitted model and the module of a target. Out: the text. A target is a module with two functions:

    write(scoring, header=(), **options)   the text; an ExportError for what the target cannot express
    run(text, probes, **options)           what the text predicts for the probes; None if nothing can execute it

A new target is such a module, a line in `TARGETS`, and a method of the estimators.
"""

from importlib import import_module
from typing import Any

from treewright.export.check import compare
from treewright.export.probe_rows import make_probes
from treewright.export.scoring import Scoring, scoring_of

LANGUAGES = ("python", "javascript", "c", "sas")
"""The programming languages of `to_code`."""

TARGETS = {
    "sql": "treewright.export.sql",
    "pmml": "treewright.export.pmml",
    **{language: f"treewright.export.code_{language}" for language in LANGUAGES},
}
"""The module of each target."""


def export(model: Any, target: str, check: bool = True, rows: Any = None, **options: Any) -> str:
    """Return the text of a model for a target, after it was executed and compared.

    model   a fitted estimator or a tree
    target  one of `TARGETS`
    check   whether the text is executed
    rows    encoded rows that are tried, too; None: those that the model keeps

    >>> from treewright.model.build import golf_example
    >>> print(export(golf_example(), "sql", dialect="sqlite").splitlines()[1])
    -- Executed for 23 rows that try every decision of the tree: the same predictions.
    """
    scoring, module = scoring_of(model), import_module(TARGETS[target])

    def write(done: str) -> str:
        return str(module.write(scoring, header=[_about(scoring), done], **options))

    if not check:
        return write("Not executed.")
    probes = make_probes(scoring, kept_rows(model) if rows is None else rows)
    n = f"{len(probes.values):,}"
    text = write(f"Executed for {n} rows that try every decision of the tree: the same predictions.")
    predicted = module.run(text, probes, **options)
    if predicted is None:
        return write("Not executed, because nothing on this machine runs it.")
    compare(probes, predicted, target)
    return text


def kept_rows(model: Any) -> Any:
    """The encoded training rows of a model; None if it does not keep them, and for a tree."""
    kept = getattr(model, "_kept", None)
    return None if kept is None else kept.values


def _about(scoring: Scoring) -> str:
    """What the text is, with the fingerprint of the tree."""
    version = import_module("treewright").__version__
    return f"A decision tree of Treewright {version}, fingerprint {scoring.tree.fingerprint()}."
