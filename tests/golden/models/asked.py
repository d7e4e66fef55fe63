"""Asked: what a golden model is asked, and what it says, as plain data.

In: a loaded model and rows. Out: its answers, class shares and leaves, with all digits of numbers. What it explains has
to be said, but in which words is left to later releases.
"""

import warnings
from typing import Any

from treewright import Tree, TreewrightError


def answers(model: Any, rows: list[list[Any]]) -> dict[str, Any]:
    """What the model says of the rows; of a question that it refuses, the kind of the error."""
    said: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ("predict", "predict_proba", "apply"):
            if not hasattr(model, name):
                continue
            try:
                said[name] = getattr(model, name)(rows).tolist()
            except TreewrightError as error:
                said[name] = type(error).__name__
    tree = getattr(model, "tree_", model)
    if isinstance(tree, Tree):
        said["fingerprint"] = tree.fingerprint()
    return said


def explained(model: Any, rows: list[list[Any]]) -> list[str]:
    """All that the model can explain by itself."""
    said = []
    if hasattr(model, "explain"):
        said.append(str(model.explain(rows[0])))
    if getattr(model, "_ledgers", None) is not None or getattr(model, "_kept", None) is not None:
        said.append(str(model.why(0)))
    if getattr(model, "pruning_report_", None) is not None:
        said += [str(model.why_pruned(0)), str(model.pruning_report_)]
    return said
