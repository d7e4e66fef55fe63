"""Saving: fitted estimators to model files and back, and the check of pickled estimators."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.data.class_costs import plain_cost_matrix
from treewright.errors import InputError, KindError, ModelFormatError, TreewrightError
from treewright.estimators import MODULES, algorithm_class, estimator_class
from treewright.estimators.class_probabilities import priors_as_mapping
from treewright.estimators.explanations import all_ledgers
from treewright.estimators.fitting import GrowthSettings, PruningUsed, keep_attributes
from treewright.estimators.monotonic_constraints import with_constraints
from treewright.estimators.parameters import (
    constructor_parameters,
    count_threads,
    parameter_defaults,
    read_bool,
)
from treewright.estimators.pruning import read_pre_pruning, read_validation_fraction
from treewright.model.formatting import printable, truncate

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator
    from treewright.store.fitted_estimator import StoredEstimator

NAMES = tuple(MODULES)
"""The estimators that a file may hold."""

ADDED_PARAMETERS: dict[str, Any] = {
    "cost_matrix": None,
    "priors": None,
    "probability": "frequency",
    "smoothing": None,
    "monotonic_cst": None,
    "max_bins": None,
}
"""Parameters that files of the first version may lack, and their values then. They are not written if they have these
values, so that every version writes the same file."""

ADDED_TO_ALL: dict[str, Any] = {"size": None}
"""The same for parameters that were added after all estimators."""

ADDED_BY_ESTIMATOR: dict[str, dict[str, Any]] = {
    "TreeRegressor": {"penalty": "none"},
    "MDLTreeRegressor": {"smoothing": None},
}
"""The same for single estimators."""

ADDED_ESTIMATORS = ("MDLTreeClassifier", "MDLTreeRegressor")
"""Estimators that the first version did not have: their files have all parameters but those of ADDED_TO_ALL and
ADDED_BY_ESTIMATOR."""

FILE_NAMES = {"penalty": "charge"}
"""Parameters that have another name in files."""

RENAMED_GROUPINGS: dict[str, Mapping[str, tuple[str, object]]] = {
    "C45Classifier": {"each": ("group_values", False), "greedy": ("group_values", True)},
    "TreeClassifier": {name: ("categories", name) for name in ("each", "subset")} | {"greedy": ("categories", "group")},
    "TreeRegressor": {name: ("categories", name) for name in ("each", "subset")},
}
"""The groupings of the first version, and the parameter and value for them in files of all versions."""


def save(model: "BaseTreeEstimator", path: object, *, ledgers: bool, rows: bool, overwrite: bool) -> None:
    """Write a fitted estimator to a model file; see `BaseTreeEstimator.save`."""
    from treewright.model.file.model_file import write_model
    from treewright.store.fitted_estimator import estimator_bytes

    model._tree()
    _refuse_subclass(type(model))
    keep_ledgers, keep_rows = read_bool("ledgers", ledgers), read_bool("rows", rows)
    check_parameters(model)
    if keep_rows and model._kept is None:
        raise InputError(
            "rows=True stores the training rows, but the model does not have them (large tables are not kept, and a "
            "stored model may have none); fit again, or save without rows."
        )

    def made() -> bytes:
        return estimator_bytes(to_stored(model, ledgers=keep_ledgers, rows=keep_rows))

    write_model(path, made, overwrite=overwrite)


def check_parameters(model: "BaseTreeEstimator") -> None:
    """Refuse parameters that no fit would accept: they may have been set since."""
    schema = model._tree().schema
    model._read_growth()
    with_constraints(model.plan(), model.monotonic_cst, schema)
    model._method()
    model._prediction_policy()
    read_validation_fraction(model.validation_fraction)
    read_pre_pruning(model.pre_pruning)
    count_threads(model.n_jobs)
    model._check_probability()
    model._check_target_parameters(schema.target)


def to_stored(model: Any, *, ledgers: bool = False, rows: bool = False) -> "StoredEstimator":
    """Return the result of a fit as a record, with ledgers and rows on request."""
    state = vars(model) | {"_kept": model._kept if rows else None}
    state["_spread"] = None if rows else model._column_spread()
    state["_ledgers"] = all_ledgers(model) if ledgers else None
    return _record(type(model).__name__, _stored_parameters(model), state)


def _stored_parameters(model: Any) -> dict[str, Any]:
    """Return the parameters that are stored, in a form that a model file can hold."""
    given = constructor_parameters(model)
    added = _added(type(model).__name__)
    if "charge" in given:
        given["penalty"] = given.pop("charge") or given["penalty"]
    kept = {name: value for name, value in given.items() if name not in added or not _is_just(value, added[name])}
    kept = {name: kept[here] for name, here in sorted((FILE_NAMES.get(here, here), here) for here in kept)}
    forms = {"cost_matrix": plain_cost_matrix, "priors": priors_as_mapping}
    kept |= {name: forms[name](kept[name]) for name in forms if name in kept}
    old = RENAMED_GROUPINGS.get(type(model).__name__, {}).get(kept.get("grouping", ""))
    if old is not None:
        del kept["grouping"]
        kept[old[0]] = old[1]
    return kept


def _read_parameters(estimator: str, written: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a file by the names of this version."""
    here = {stored: name for name, stored in FILE_NAMES.items()}
    written = {here.get(name, name): value for name, value in written.items()}
    old = RENAMED_GROUPINGS.get(estimator, {})
    names = {name for name, _ in old.values()} & written.keys()
    if not names or "grouping" in written:
        return written
    name = names.pop()
    for grouping, (_, value) in old.items():
        if type(written[name]) is type(value) and written[name] == value:
            return {other: written[other] for other in written if other != name} | {"grouping": grouping}
    valid = ", ".join(repr(value) for _, value in old.values())
    raise ModelFormatError(
        f"Field parameters.{name} must be one of {valid}; the file is damaged: fit and save the model again."
    )


def _added(estimator: str) -> dict[str, Any]:
    """Return the parameters that a file of this estimator may lack, and their values then."""
    added = ADDED_TO_ALL | ADDED_BY_ESTIMATOR.get(estimator, {})
    return added if estimator in ADDED_ESTIMATORS else added | ADDED_PARAMETERS


def _is_just(value: Any, usual: Any) -> bool:
    return value is None if usual is None else isinstance(value, str) and value == usual


def _record(name: str, parameters: dict[str, Any], state: dict[str, Any]) -> "StoredEstimator":
    from treewright.model.file.stored_schema import class_type_of
    from treewright.store.fitted_estimator import StoredEstimator

    classes = state.get("classes_")
    return StoredEstimator(
        estimator=name,
        parameters=parameters,
        tree=state["tree_"],
        grown=state["grown_tree_"],
        report=state["pruning_report_"],
        stopped=state["pre_pruning_report_"],
        row_weight=state["_row_weight"],
        plan=state["_grown_by"][0],
        share=state["_grown_by"][1],
        method=state["_pruned_by"][0],
        validated=state["_pruned_by"][1],
        named="feature_names_in_" in state,
        class_type=None if classes is None else class_type_of(classes),
        spread=state["_spread"],
        rows=state["_kept"],
        ledgers=state.get("_ledgers"),
        ignored=state.get("_ignored", ()),
    )


def from_stored(stored: "StoredEstimator", kind_of: Callable[[str], Any] = estimator_class) -> Any:
    """Return the estimator of a record; raise a ModelFormatError if its parameters are not those of the estimator.

    kind_of  returns the class of a name: `estimator_class`, or `algorithm_class` for a model without scikit-learn
    """
    if stored.estimator not in NAMES:
        shown = printable(truncate(stored.estimator, 60))
        raise ModelFormatError(f"Field estimator is {shown!r}, but must be one of {', '.join(NAMES)}.")
    kind = kind_of(stored.estimator)
    known = {name: value for name, value in parameter_defaults(kind).items() if name != "charge"}
    given = {name: value for name, value in _added(stored.estimator).items() if name in known}
    given |= _read_parameters(stored.estimator, stored.parameters)
    for name in (*known, *given):
        if name not in given or name not in known:
            what = "is unknown" if name in given else "is missing"
            shown = printable(truncate(name, 60))
            raise ModelFormatError(
                f"Field parameters.{shown} {what}; the file is damaged: fit and save the model again."
            )
    model = kind(**given)
    if model._is_regressor != stored.tree.schema.target.is_number:
        raise ModelFormatError(f"Field estimator is {stored.estimator!r}, but its tree has another kind of target.")
    keep_attributes(model, _attributes(stored))
    try:
        check_parameters(model)
    except (TreewrightError, TypeError, ValueError, OverflowError) as error:
        raise ModelFormatError(f"Field parameters is invalid: {error}") from None
    return model


def _attributes(stored: "StoredEstimator") -> dict[str, object]:
    """Return the fitted attributes of a record."""
    from treewright.model.file.stored_schema import class_array

    schema = stored.tree.schema
    found: dict[str, object] = {
        "tree_": stored.tree,
        "grown_tree_": stored.grown,
        "pruning_report_": stored.report,
        "pre_pruning_report_": stored.stopped,
        "_row_weight": stored.row_weight,
        "_grown_by": GrowthSettings(stored.plan, stored.share),
        "_pruned_by": PruningUsed(stored.method, stored.validated),
        "_kept": stored.rows,
        "_spread": stored.spread,
        "n_features_in_": schema.n_columns,
    }
    if stored.ledgers is not None:
        found["_ledgers"] = stored.ledgers
    if stored.ignored:
        found["_ignored"] = stored.ignored
    if stored.named:
        found["feature_names_in_"] = np.array(schema.names, dtype=object)
    if stored.class_type is not None:
        found |= {"classes_": class_array(schema.target, stored.class_type), "n_classes_": schema.target.n_classes}
    return found


def check_state(kind: type[Any], state: dict[str, Any]) -> None:
    """Refuse the state of a pickled estimator whose parts contradict each other."""
    from treewright.store.consistency import check_stored
    from treewright.store.fitted_estimator import check_ledgers

    try:
        stored = _record(kind.__name__, {}, state)
        check_stored(stored)
        check_ledgers(stored)
        schema = stored.tree.schema
        classes, names = state.get("classes_"), state.get("feature_names_in_")
        if classes is not None and (len(classes) != schema.target.n_classes or state["n_classes_"] != len(classes)):
            raise ModelFormatError("Field classes_ has another number of classes than the tree; fit again.")
        if state["n_features_in_"] != schema.n_columns or (names is not None and list(names) != list(schema.names)):
            raise ModelFormatError("Field feature_names_in_ has other columns than the tree; fit again.")
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, TreewrightError):
            raise
        raise ModelFormatError(f"A pickled {kind.__name__} is incomplete ({error}); fit the estimator again.") from None


def _refuse_subclass(kind: type[Any]) -> None:
    name = kind.__name__
    if name not in NAMES or (kind is not algorithm_class(name) and kind is not estimator_class(name)):
        raise KindError(
            f"{kind.__name__} is not an estimator of Treewright and cannot be stored in a model file; save its tree "
            "alone with tree_.save(), or use pickle."
        )
