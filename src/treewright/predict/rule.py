"""Deprecated: the name that version 0.1 had for `treewright.predict.missing_policy`."""

from typing import Any

from treewright.deprecation import warn_renamed
from treewright.predict.missing_policy import MissingPolicy


def __getattr__(name: str) -> Any:
    if name != "Rule":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn_renamed("treewright.predict.rule.Rule", "treewright.predict.missing_policy.MissingPolicy")
    return MissingPolicy
