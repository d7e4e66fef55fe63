"""The JSON Schema of model files, with the criteria, strategies and pruning methods of this version."""

import json
from importlib.resources import files
from typing import Any

from treewright.criteria.registry import CRITERIA
from treewright.model.strategies import GROWTH_STRATEGIES, PREDICTION_STRATEGIES
from treewright.prune.registry import METHODS
from treewright.prune.steps import Steps


def model_schema() -> dict[str, Any]:
    """Return the JSON Schema of model files.

    >>> model_schema()["$defs"]["criterion"]["enum"][:2]
    ['entropy', 'gini']
    """
    text = files("treewright.model.file").joinpath("model.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    names = {
        "criterion": CRITERIA,
        "missing": GROWTH_STRATEGIES,
        "missing_predict": PREDICTION_STRATEGIES,
        "method_name": (*METHODS, Steps.name),
    }
    for part, known in names.items():
        schema["$defs"][part]["enum"] = list(known)
    return schema
