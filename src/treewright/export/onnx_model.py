"""A tree as a model of ONNX.

In: a `Scoring`. Out: a `ModelProto` with an input for each column that the tree uses: 64-bit floats (n_rows, 1) for
numbers, booleans and categories that are numbers, strings for texts. Its outputs are `label` and `probabilities`, or
`variable` for a regression tree. All decisions and probabilities are computed with 64-bit floats.

NaN is a missing number. A missing text is "", or any text that is not a category if unseen categories count as missing.
"""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Column, Kind
from treewright.errors import ExportError
from treewright.export.check import Predicted
from treewright.export.onnx_ensemble import Ensemble, is_walked
from treewright.export.onnx_graph import ML, OPSET, Graph
from treewright.export.onnx_walk import Walk
from treewright.export.probe_rows import Probes, unseen_value
from treewright.export.rule_scoring import Scored
from treewright.export.scoring import REFUSE, Scoring, common_type
from treewright.extras import require

if TYPE_CHECKING:
    from onnx import ModelProto

ML_OPSET, IR_VERSION = 4, 9
"""Versions of ONNX 1.15: label encoders of 64-bit floats."""


def write(scoring: Scoring, *, header: Sequence[str] = ()) -> "ModelProto":
    """Return a tree as a model of ONNX.

    Parameters
    ----------
    scoring : Scoring
        The decisions of the tree.
    header : sequence of str
        Lines of the `doc_string` of the model.

    Returns
    -------
    onnx.ModelProto
        The model.

    Raises
    ------
    TreewrightError
        If onnx is not installed.
    ExportError
        If ONNX cannot express the tree.

    Examples
    --------
    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> model = write(scoring(golf_example(), "majority"))
    >>> [one.name for one in model.graph.input], [one.name for one in model.graph.output]
    (['outlook', 'humidity', 'windy'], ['label', 'probabilities'])
    """
    require("onnx", "Export to ONNX")
    from onnx.helper import (
        make_model,
        make_opsetid,
        make_tensor_value_info,
        np_dtype_to_tensor_dtype,
        set_model_props,
    )

    refuse(scoring)
    columns = {position: scoring.tree.schema.columns[position] for position in input_positions(scoring)}
    names = {position: _input_name(column) for position, column in columns.items()}
    taken = set(names.values())
    graph = Graph(_new_names(taken))
    values, codes = add_tree(graph, scoring, names)

    def declare(name: str, kind: Any, *shape: int | None) -> Any:
        return make_tensor_value_info(name, np_dtype_to_tensor_dtype(np.dtype(kind)), shape)

    inputs = [declare(names[i], object if is_text(column) else np.float64, None, 1) for i, column in columns.items()]
    if codes is None:
        results: dict[str, tuple[str, Any, tuple[int, ...]]] = {"variable": (values, np.float64, (1,))}
    else:
        labels = class_labels(scoring.classes)
        label = graph.add("Gather", graph.constant(labels), codes)
        results = {"label": (label, labels.dtype, ()), "probabilities": (values, np.float64, (len(labels),))}
    outputs = []
    for name, (tensor, kind, shape) in results.items():
        outputs.append(declare(_free_name(name, taken), kind, None, *shape))
        graph.rename(tensor, outputs[-1].name)
    model = make_model(
        graph.to_proto("tree", inputs, outputs),
        producer_name="treewright",
        doc_string="\n".join(header),
        ir_version=IR_VERSION,
        opset_imports=[make_opsetid("", OPSET), make_opsetid(ML, ML_OPSET)],
    )
    set_model_props(model, {"fingerprint": scoring.tree.fingerprint()})
    return model


def add_tree(graph: Graph, scoring: Scoring, inputs: Mapping[int, str]) -> tuple[str, str | None]:
    """Add a tree to a graph.

    inputs  the (n_rows, 1) tensors of the columns by position: 64-bit floats, or strings for categories that are texts

    Return the names of the class probabilities (n_rows, n_classes), or numbers (n_rows, 1); and of the codes of the
    predicted classes, None for a regression tree.
    """
    n_rows = graph.add("Gather", graph.add("Shape", next(iter(inputs.values()))), graph.constant([0]))
    cells = {position: _add_cells(graph, scoring, position, inputs[position]) for position in scoring.used}
    ensemble, walked = Ensemble(scoring), None
    if ensemble.is_too_large:
        walked = graph.range(graph.scalar(n_rows))
        ends = graph.zeros(n_rows, np.int64)
    else:
        if any(one is not None and is_walked(one) for one in scoring.tests):
            walked = graph.places(_lacks_value(graph, scoring, cells))
        is_alone = len(ensemble.tests) == 1
        ends = graph.add("Expand", graph.constant(ensemble.ends), n_rows) if is_alone else ensemble.add(graph, cells)
    if walked is not None and not scoring.is_fractional:
        found = Walk(graph, scoring, cells, walked).ends()
        ends = graph.add("ScatterElements", ends, walked, found, axis=0)
    values = graph.add("Gather", graph.constant(scoring.tree.value), ends)
    codes = None
    if not scoring.is_regression:
        codes = graph.add("Gather", graph.constant(scoring.tree.predicted_class, np.int64), ends)
    if walked is not None and scoring.is_fractional:
        means, chosen = Walk(graph, scoring, cells, walked).means()
        values = graph.add("ScatterND", values, graph.upright(walked), means)
        if codes is not None and chosen is not None:
            codes = graph.add("ScatterElements", codes, walked, chosen, axis=0)
    return values, codes


def _add_cells(graph: Graph, scoring: Scoring, position: int, tensor: str) -> str:
    """A column of numbers as it is; of categories their codes, n_categories if unseen, n_categories + 1 if missing."""
    from onnx.numpy_helper import from_array

    column = scoring.tree.schema.columns[position]
    if column.kind is Kind.NUMBER:
        return tensor
    n, is_unseen_missing = column.n_categories, scoring.unseen == "missing"
    other, codes = n + is_unseen_missing, list(range(n))
    if is_text(column):
        keys = [_utf8(str(one), f"The category {one!r} of column {column.name!r}") for one in column.categories]
        if not is_unseen_missing:
            keys, codes = [*keys, b""], [*codes, n + 1]
        return graph.add(
            "LabelEncoder", tensor, version=2, keys_strings=keys, values_int64s=codes, default_int64=other
        )
    found = graph.add(
        "LabelEncoder",
        tensor,
        version=4,
        keys_tensor=from_array(_exact_floats(column.categories, f"Column {column.name!r} has the category")),
        values_tensor=from_array(np.array(codes)),
        default_tensor=from_array(np.array([other])),
    )
    return found if is_unseen_missing else graph.add("Where", graph.add("IsNaN", tensor), graph.constant(n + 1), found)


def _lacks_value(graph: Graph, scoring: Scoring, cells: Mapping[int, str]) -> str:
    """Which rows have a missing value in a column where an ensemble cannot route it."""
    found = ""
    for position in sorted({one.test.position for one in scoring.tests if one is not None and is_walked(one)}):
        n, cell = scoring.tree.schema.columns[position].n_categories, cells[position]
        flag = graph.add("Equal", cell, graph.constant(n + 1)) if n else graph.add("IsNaN", cell)
        found = graph.add("Or", found, flag) if found else flag
    return found


def refuse(scoring: Scoring) -> None:
    """Raise an ExportError for what ONNX cannot express."""
    for position in scoring.used:
        column = scoring.tree.schema.columns[position]
        if column.source is not None:
            raise ExportError(
                f"Column {column.source!r} has dates, from which the export to ONNX does not derive numbers; convert "
                "it to a number before fit."
            )
        if column.categories and common_type(column.categories) is None:
            raise ExportError(
                f"Column {column.name!r} has categories of different types, but a tensor of ONNX has one type; convert "
                "them to text before fit."
            )
        if "" in column.categories and scoring.unseen != "missing":
            raise ExportError(
                f"Column {column.name!r} has the category '', which is a missing text to ONNX; rename the category, or "
                "set unseen_category='missing'."
            )
    for one in scoring.tests:
        if one is not None and REFUSE in (one.missing, one.unseen):
            what, setting = ("a missing value", "missing_predict") if one.missing == REFUSE else _UNSEEN
            advice = "'majority' or 'stop'" if one.missing == REFUSE else "'missing', 'majority' or 'stop'"
            raise ExportError(
                f"Node {one.node} refuses a row with {what} in column {one.test.column.name!r} ({setting}='error'), "
                f"which ONNX cannot express; set {setting} to {advice}."
            )


_UNSEEN = ("an unseen category", "unseen_category")


def input_positions(scoring: Scored) -> list[int]:
    """The columns that a model takes: those that the tree uses; of a single leaf the first, for the number of rows."""
    return scoring.used or [0]


def class_labels(classes: Sequence[object]) -> NDArray[Any]:
    """The classes as an array whose type ONNX has.

    >>> class_labels((False, True)).dtype, class_labels((1, 2)).dtype, class_labels((0.5, 1.0)).dtype
    (dtype('bool'), dtype('int64'), dtype('float64'))
    """
    kind = common_type(classes)
    if kind is None:
        raise ExportError("The classes have different types, but a tensor of ONNX has one type; convert them to text.")
    if kind is str:
        for one in classes:
            _utf8(str(one), f"The class {one!r}")
        return np.array(classes, object)
    if kind is bool:
        return np.array(classes, bool)
    if not all(isinstance(one, int) for one in classes):
        return _exact_floats(classes, "The target has the class")
    try:
        return np.array(classes, np.int64)
    except OverflowError:
        raise ExportError(
            "The classes have an integer of more than 64 bits, which ONNX does not have; convert them to text."
        ) from None


def is_text(column: Column) -> bool:
    """Whether the input of a column has strings."""
    return common_type(column.categories) is str


def _exact_floats(values: Sequence[Any], what: str) -> NDArray[np.float64]:
    """Numbers as 64-bit floats; an ExportError for an integer that is none of them."""
    for value in values:
        if not _is_float(value):
            raise ExportError(f"{what} {value!r}, which is not a 64-bit float; convert it to text before fit.")
    return np.array(values, np.float64)


def _is_float(value: Any) -> bool:
    try:
        return float(value) == value
    except OverflowError:
        return False


def _utf8(text: str, what: str) -> bytes:
    if "\0" in text:
        raise ExportError(f"{what} has U+0000, where ONNX Runtime ends a text; rename it before fit.")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ExportError(f"{what} cannot be written as UTF-8, which ONNX requires; rename it before fit.") from None


def _input_name(column: Column) -> str:
    name = column.name if column.source is None else column.source
    _utf8(name, f"The name of column {name!r}")
    if not name:
        raise ExportError("A column has an empty name, which an input of ONNX cannot have; rename it before fit.")
    return name


def _free_name(name: str, taken: set[str]) -> str:
    """A name that no input has, with underscores at its end if necessary."""
    while name in taken:
        name += "_"
    return name


def _new_names(taken: set[str]) -> Any:
    numbers = count()
    return lambda kind: _free_name(f"treewright/{kind}_{next(numbers)}", taken)


def run(model: "ModelProto", probes: Probes) -> Predicted:
    """Execute a model for the probes in ONNX Runtime, which must be installed."""
    require("onnxruntime", "The check of an export to ONNX", ", or skip it with check=False (--no-check)")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        found = session.run(None, make_inputs(probes))
    except Exception as error:
        raise ExportError(
            f"ONNX Runtime {onnxruntime.__version__} cannot execute the model: {error}; update onnxruntime, or pass "
            "check=False to skip the check."
        ) from error
    if probes.scoring.is_regression:
        return Predicted(None, found[0])
    return Predicted(found[0].tolist(), found[1])


def make_inputs(probes: Probes) -> dict[str, NDArray[Any]]:
    """The cells of probes as the inputs of a model, by name; a column that the tree does not use is missing."""
    cells, columns, used = probes.cells(), probes.scoring.tree.schema.columns, probes.scoring.used
    inputs: dict[str, NDArray[Any]] = {}
    for position in input_positions(probes.scoring):
        column = columns[position]
        values = cells[position] if position in used else [None] * len(probes.values)
        if is_text(column):
            missing = unseen_value(column) if "" in column.categories else ""
            array = np.array([missing if one is None else one for one in values], object)
        else:
            array = np.array([np.nan if one is None else one for one in values], np.float64)
        inputs[_input_name(column)] = array[:, None]
    return inputs
