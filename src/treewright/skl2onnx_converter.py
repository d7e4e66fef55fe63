"""Conversion of scikit-learn pipelines with trees of Treewright to ONNX, by skl2onnx.

In: an estimator in a pipeline, and the tensors that come to it. Out: operators of ONNX. `register` tells skl2onnx how
the estimators are converted; the operators are those of `to_onnx`.
"""

from typing import Any

import numpy as np

from treewright.data.schema import Column
from treewright.errors import ExportError
from treewright.estimators import MODULES, estimator_class
from treewright.export.onnx_graph import LEAST_OPSET, Graph
from treewright.export.onnx_model import add_tree, class_labels, input_positions, is_text, refuse
from treewright.export.scoring import Scoring, scoring_of
from treewright.extras import require

CLASSIFIER_OPTIONS = {"zipmap": [True, False, "columns"], "nocl": [True, False], "output_class_labels": [False, True]}
"""The options of skl2onnx for classifiers, with their values."""


def register() -> None:
    """Register the estimators of Treewright, so that skl2onnx converts them, alone or in a pipeline.

    The results follow skl2onnx: probabilities and numbers are 64-bit floats if the first input of the tree has 64-bit
    floats, otherwise they are rounded to 32 bits, and also in dictionaries (`zipmap=True`). The tree itself compares
    64-bit floats; 32-bit inputs are converted, which is exact. Classes are strings or 64-bit integers; booleans become
    0 and 1.

    Raises
    ------
    TreewrightError
        If skl2onnx is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from skl2onnx import to_onnx
    >>> from treewright import CARTClassifier
    >>> from treewright.skl2onnx_converter import register
    >>> register()
    >>> X = np.array([[1.0], [2.0], [3.0]])
    >>> model = to_onnx(CARTClassifier(pruning=None).fit(X, ["a", "a", "b"]), X, options={"zipmap": False})
    >>> [one.name for one in model.graph.output]
    ['label', 'probabilities']
    """
    require("skl2onnx", "Conversion of pipelines to ONNX")
    from skl2onnx import update_registered_converter

    for name in MODULES:
        is_classifier = name.endswith("Classifier")
        update_registered_converter(
            estimator_class(name),
            f"Treewright{name}",
            _set_classifier_types if is_classifier else _set_regressor_types,
            _convert,
            options=CLASSIFIER_OPTIONS if is_classifier else None,
        )


def _set_classifier_types(operator: Any) -> None:
    """Set the types and shapes of the outputs of a classifier."""
    from skl2onnx.common.data_types import (
        FloatTensorType,
        Int64TensorType,
        StringTensorType,
        guess_tensor_type,
    )

    n_rows, labels = operator.inputs[0].get_first_dimension(), _labels(operator)
    kind = StringTensorType if labels.dtype.kind == "O" else Int64TensorType
    operator.outputs[0].set_type(kind([n_rows]))
    # ZipMap, which makes dictionaries, takes 32-bit floats only.
    is_zipped = any(one.type == "SklearnZipMap" for one in operator.outputs[1].operators_inputs_)
    numbers = FloatTensorType if is_zipped else type(guess_tensor_type(operator.inputs[0].type))
    operator.outputs[1].set_type(numbers([n_rows, len(labels)]))


def _set_regressor_types(operator: Any) -> None:
    """Set the type and shape of the output of a regressor."""
    from skl2onnx.common.data_types import guess_tensor_type

    n_rows = operator.inputs[0].get_first_dimension()
    operator.outputs[0].set_type(type(guess_tensor_type(operator.inputs[0].type))([n_rows, 1]))


def _labels(operator: Any) -> Any:
    """The classes, as strings or integers; with the option `nocl` their codes."""
    from skl2onnx.common.utils_classifier import get_label_classes

    given = get_label_classes(operator.scope_inst, operator.raw_operator).tolist()
    labels = class_labels(given)
    if labels.dtype.kind == "f" and not np.array_equal(labels, np.trunc(labels)):
        label = next(one for one in given if one != int(one))
        raise ExportError(
            f"The class {label!r} is not an integer, and skl2onnx knows only integers and texts as classes; convert "
            "the classes to text before fit."
        )
    return labels if labels.dtype.kind == "O" else labels.astype(np.int64)


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Add the operators of an estimator to a container of skl2onnx."""
    scoring, opset = scoring_of(operator.raw_operator), container.target_opset_any_domain("")
    if opset < LEAST_OPSET:
        raise ExportError(f"`target_opset` must be at least {LEAST_OPSET}, got {opset}.")
    refuse(scoring)
    graph = Graph(scope.get_unique_variable_name)
    values, codes = add_tree(graph, scoring, _inputs(graph, scoring, operator))
    if codes is not None:
        label = graph.add("Gather", graph.constant(_labels(operator)), codes)
        graph.rename(label, operator.outputs[0].full_name)
    if not _is_double(operator.outputs[-1]):
        values = graph.cast(values, np.float32)
    graph.rename(values, operator.outputs[-1].full_name)
    for tensor in graph.constant_protos():
        content = list(tensor.string_data) if tensor.string_data else tensor
        container.add_initializer(tensor.name, tensor.data_type, list(tensor.dims), content)
    for one in graph.operators:
        container.add_node(
            one.kind,
            list(one.inputs),
            list(one.outputs),
            op_domain=one.domain,
            op_version=one.version or opset,
            name=scope.get_unique_operator_name(one.kind),
            **one.attributes,
        )


def _is_double(variable: Any) -> bool:
    from skl2onnx.common.data_types import DoubleTensorType

    return isinstance(variable.type, DoubleTensorType)


def _inputs(graph: Graph, scoring: Scoring, operator: Any) -> dict[int, str]:
    """The columns that the tree uses, from one tensor with all columns or from several."""
    columns = scoring.tree.schema.columns
    places: list[tuple[Any, int, int]] = []
    for variable in operator.inputs:
        width = variable.type.shape[1]
        if not isinstance(width, int):  # unknown to skl2onnx
            width = len(columns) if len(operator.inputs) == 1 else 1
        places += [(variable, i, width) for i in range(width)]
    if len(places) != len(columns):
        raise ExportError(f"The inputs have {len(places)} columns, but the tree was fitted on {len(columns)}.")
    return {i: _column(graph, columns[i], *places[i]) for i in input_positions(scoring)}


def _column(graph: Graph, column: Column, variable: Any, place: int, width: int) -> str:
    """One column of a tensor, as 64-bit floats or strings."""
    from skl2onnx.common.data_types import StringTensorType

    is_string = isinstance(variable.type, StringTensorType)
    if is_string != is_text(column):
        wanted, got = ("strings", "numbers") if is_text(column) else ("numbers", "strings")
        raise ExportError(
            f"Column {column.name!r} needs a tensor of {wanted}, but the input {variable.raw_name!r} has {got}; pass "
            "one input for each column in `initial_types`."
        )
    name = str(variable.full_name)
    if width > 1:
        name = graph.add("Gather", name, graph.constant([place]), axis=1)
    return name if is_string or _is_double(variable) else graph.cast(name, np.float64)
