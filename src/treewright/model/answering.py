"""Deprecated: the names that version 0.1 had for `treewright.model.prediction_rule`. Pickles of 0.1 need them too."""

from typing import Any

from treewright.deprecation import warn_renamed
from treewright.model import prediction_rule

RENAMED = {"Answering": "PredictionRule", "PLAIN": "DEFAULT_RULE", "answered": "with_prediction_rule"}


def __getattr__(name: str) -> Any:
    if name not in RENAMED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn_renamed(f"treewright.model.answering.{name}", f"treewright.model.prediction_rule.{RENAMED[name]}")
    return getattr(prediction_rule, RENAMED[name])
