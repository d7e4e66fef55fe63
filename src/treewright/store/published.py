"""Published: the JSON Schema of model files, with the names that this version knows.

In: nothing. Out: the schema of `model/file/model.schema.json`, in which the names of criteria, missing-value strategies
and pruning methods are those of their records.
"""

import json
from importlib.resources import files
from typing import Any

from treewright.criteria.registry import CRITERIA
from treewright.model.strategies import GROWN, PREDICTED
from treewright.prune.registry import METHODS
from treewright.prune.steps import Steps


def model_schema() -> dict[str, Any]:
    """The JSON Schema of model files.

    >>> model_schema()["$defs"]["criterion"]["enum"][:2]
    ['entropy', 'gini']
    """
    text = files("treewright.model.file").joinpath("model.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    names = {
        "criterion": CRITERIA,
        "missing": GROWN,
        "missing_predict": PREDICTED,
        "method_name": (*METHODS, Steps.name),
    }
    for part, known in names.items():
        schema["$defs"][part]["enum"] = list(known)
    return schema
