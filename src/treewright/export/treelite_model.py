"""A tree as a Treelite model, for Treelite's own prediction, tl2cgen (C code) and cuML's FIL (GPU).

In: a `Scoring`. Out: a `treelite.Model` of one tree. Its rows are `as_binary(scoring).codes(X)`: the columns of the
model, categories as codes, all float64. A set of categories is a categorical test of Treelite. Whether a value is
missing is a test that all known values pass: against infinity, or of all categories.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.data.schema import Kind
from treewright.export.binary_view import (
    NO_CHILD,
    SET,
    UNSEEN,
    VALUE,
    BinaryTree,
    Floats,
    as_binary,
    binary_probes,
)
from treewright.export.check import Predicted, compare
from treewright.export.probe_rows import Probes, predict_probes
from treewright.export.scoring import Scoring
from treewright.extras import require

if TYPE_CHECKING:
    import treelite


def to_treelite(scoring: Scoring, *, check: bool = True, training: Floats | None = None) -> "treelite.Model":
    """Return the tree as a Treelite model; it predicts class probabilities, or numbers.

    Parameters
    ----------
    scoring : Scoring
        The decisions of the tree.
    check : bool, default=True
        Whether to compare its predictions with those of the model on rows that try every decision.
    training : array, optional
        Encoded rows that are compared as well.

    Returns
    -------
    treelite.Model
        With float64 thresholds and outputs. Its rows are those of `as_binary(scoring).codes(X)`, without unseen
        categories: they are a missing value to Treelite.

    Raises
    ------
    TreewrightError
        If treelite is not installed.
    ExportError
        If a prediction differs from that of the model.
    """
    require("treelite", "Export to Treelite")
    binary = as_binary(scoring)
    model = _build(binary)
    if check:
        probes = treelite_probes(binary, training)
        compare(probes, run(model, binary, probes), "Treelite")
    return model


def treelite_probes(binary: BinaryTree, training: Floats | None = None) -> Probes:
    """The rows for the check of `to_treelite`: those without unseen categories."""
    probes = binary_probes(binary, training)
    return predict_probes(binary.scoring, probes.values[~np.isneginf(probes.values).any(axis=1)])


def run(model: "treelite.Model", binary: BinaryTree, probes: Probes) -> Predicted:
    """What a Treelite model predicts for the rows of probes."""
    from treelite import gtil

    shape = len(probes.values), binary.max_n_classes
    if not len(probes.values):
        return Predicted(None, np.empty(shape))
    found = np.asarray(gtil.predict(model, np.ascontiguousarray(probes.values), nthread=1)).reshape(shape)
    if probes.classes is None or binary.scoring.tree.prediction_rule.costs is not None:
        return Predicted(None, found)
    return Predicted([binary.scoring.classes[code] for code in found.argmax(axis=1)], found)


def _build(binary: BinaryTree) -> "treelite.Model":
    builder = _start(binary)
    builder.start_tree()
    for i in range(binary.node_count):
        builder.start_node(i)
        if binary.children_left[i] != NO_CHILD:
            _write_test(builder, binary, i)
        else:
            value = binary.value[i, 0].tolist()
            builder.leaf(value[0] if len(value) == 1 else value)
        builder.data_count(int(binary.n_node_samples[i]))
        builder.sum_hess(float(binary.weighted_n_node_samples[i]))
        builder.end_node()
    builder.end_tree()
    return builder.commit()


def _start(binary: BinaryTree) -> Any:
    """The builder of a model with one tree."""
    from treelite.model_builder import Metadata, ModelBuilder, PostProcessorFunc, TreeAnnotation

    n = binary.max_n_classes
    return ModelBuilder(
        threshold_type="float64",
        leaf_output_type="float64",
        metadata=Metadata(
            num_feature=binary.scoring.tree.schema.n_columns,
            task_type="kRegressor" if n == 1 else "kMultiClf",
            average_tree_output=False,
            num_target=1,
            num_class=[n],
            leaf_vector_shape=(1, n),
        ),
        tree_annotation=TreeAnnotation(num_tree=1, target_id=[0], class_id=[0 if n == 1 else -1]),
        postprocessor=PostProcessorFunc(name="identity" if n == 1 else "identity_multiclass"),
        base_scores=[0.0] * n,
    )


def _write_test(builder: Any, binary: BinaryTree, i: int) -> None:
    """The test of a node, on a column of the user."""
    column = binary.columns[binary.feature[i]]
    sides = {"left_child_key": int(binary.children_left[i]), "right_child_key": int(binary.children_right[i])}
    default_left = bool(binary.missing_go_to_left[i])
    if column.kind == SET:
        codes = [int(code) for code in column.codes]
        builder.categorical_test(
            column.position, default_left=default_left, category_list=codes, category_list_right_child=True, **sides
        )
        return
    threshold = float(binary.threshold[i]) if column.kind == VALUE else np.inf
    if column.kind != VALUE:  # known values go left; so do NaN where unseen categories are tested, as there are none
        default_left = column.kind == UNSEEN
        schema_column = binary.scoring.tree.schema.columns[column.position]
        if schema_column.kind is Kind.CATEGORY:
            codes = list(range(schema_column.n_categories))
            given = {"category_list": codes, "category_list_right_child": False}
            builder.categorical_test(column.position, default_left=default_left, **given, **sides)
            return
    builder.numerical_test(column.position, threshold, default_left=default_left, opname="<=", **sides)
