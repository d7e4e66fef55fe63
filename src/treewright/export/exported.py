"""An export as it is handed over: with a header that says what was checked.

In: a fitted model and the module of a target. Out: a text, or the object that is the format of the target, such as a
model of ONNX. A target is a module with two functions:

    write(scoring, header=(), **options)   the export; an ExportError for what the target cannot express
    run(written, probes, **options)        what it predicts for the probes; None if nothing can execute it

A new target is such a module, a line in `TARGETS`, and a method of the estimators.
"""

from importlib import import_module
from typing import Any

from treewright.export.check import compare
from treewright.export.probe_rows import Probes, make_probes
from treewright.export.rule_probes import make_rule_probes
from treewright.export.rule_scoring import RuleScoring, Scored, rule_scoring
from treewright.export.scoring import scoring_of
from treewright.rules.ruleset import RuleSet

LANGUAGES = ("python", "javascript", "c", "sas")
"""The programming languages of `to_code`."""

TARGETS = {
    "sql": "treewright.export.sql",
    "pmml": "treewright.export.pmml",
    "onnx": "treewright.export.onnx_model",
    **{language: f"treewright.export.code_{language}" for language in LANGUAGES},
}
"""The module of each target."""
RULE_TARGETS = {"sql": "treewright.export.rule_sql"} | {language: TARGETS[language] for language in LANGUAGES}
"""The same for rules."""


def export(model: Any, target: str, check: bool = True, rows: Any = None, **options: Any) -> Any:
    """Return a model for a target, after it was executed and compared.

    model   a fitted estimator, a tree or a rule set
    target  one of `TARGETS`
    check   whether the export is executed
    rows    encoded rows that are tried, too; None: those that the model keeps

    >>> from treewright.model.build import golf_example
    >>> print(export(golf_example(), "sql", dialect="sqlite").splitlines()[1])
    -- Executed for 23 rows that try every decision of the tree: the same predictions.
    """
    scoring = rule_scoring(model) if isinstance(model, RuleSet) else scoring_of(model)
    if not check:
        return write_export(scoring, target, **options)
    probes = _probes(scoring, kept_rows(model) if rows is None else rows)
    n = len(probes.values)
    rows = "1 row that tries" if n == 1 else f"{n:,} rows that try"
    done = f"Executed for {rows} every {scoring.decisions}: the same predictions."
    written = write_export(scoring, target, done, **options)
    predicted = _module(scoring, target).run(written, probes, **options)
    if predicted is None:
        return write_export(scoring, target, "Not executed, because nothing on this machine executes it.", **options)
    compare(probes, predicted, target)
    return written


def write_export(scoring: Scored, target: str, done: str = "Not executed.", **options: Any) -> Any:
    """Return a tree or rules for a target without executing them.

    done  the line of the header that says what was checked

    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> print(write_export(scoring(golf_example()), "python").splitlines()[1])
    # Not executed.
    """
    return _module(scoring, target).write(scoring, header=[_about(scoring), done], **options)


def _module(scoring: Scored, target: str) -> Any:
    return import_module((RULE_TARGETS if isinstance(scoring, RuleScoring) else TARGETS)[target])


def _probes(scoring: Scored, rows: Any) -> Probes:
    return make_rule_probes(scoring, rows) if isinstance(scoring, RuleScoring) else make_probes(scoring, rows)


def kept_rows(model: Any) -> Any:
    """The encoded training rows of a model; None if it does not keep them, and for a tree."""
    kept = getattr(model, "_kept", None)
    return None if kept is None else kept.values


def _about(scoring: Scored) -> str:
    """What the export is, with the fingerprint of the tree or the rules."""
    fingerprint = (scoring.source if isinstance(scoring, RuleScoring) else scoring.tree).fingerprint()
    return f"{scoring.about()} of Treewright {import_module('treewright').__version__}, fingerprint {fingerprint}."
