"""Saving: a fitted estimator to a model file and back.

In: a fitted estimator and a path; or the record of one, from a file. Out: the file; or the estimator, as it was. A
pickle comes back through the same validator.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.data.costs import plain_costs
from treewright.errors import InputError, KindError, ModelFormatError, TreewrightError
from treewright.estimators import MODULES, algorithm, estimator
from treewright.estimators.costs import plain_priors
from treewright.estimators.fitted import FittedTree
from treewright.estimators.given_parameters import parameter_defaults, parameters_of
from treewright.estimators.monotonic import with_order
from treewright.estimators.parameters import count_cores, switch
from treewright.estimators.pruning import read_fraction, read_pre_pruning
from treewright.model.words import beginning, printable

if TYPE_CHECKING:
    from treewright.store.estimator import Stored

NAMES = tuple(MODULES)
"""The estimators that a file may hold."""

ADDED: dict[str, Any] = {
    "cost_matrix": None,
    "priors": None,
    "probability": "frequency",
    "smoothing": None,
    "monotonic_cst": None,
    "max_bins": None,
}
"""Parameters that files of the first release may lack, and what that means. They are not written where they are just
that, so that a file is the same whichever release writes it."""

ALSO_ADDED: dict[str, dict[str, Any]] = {"TreeRegressor": {"charge": "none"}}
"""The same, of a single estimator."""

LATER = ("MDLTreeClassifier", "MDLTreeRegressor")
"""The estimators that the first release did not have: their files lack nothing."""

RENAMED: dict[str, Mapping[str, tuple[str, object]]] = {
    "C45Classifier": {"each": ("group_values", False), "greedy": ("group_values", True)},
    "TreeClassifier": {name: ("categories", name) for name in ("each", "subset")} | {"greedy": ("categories", "group")},
    "TreeRegressor": {name: ("categories", name) for name in ("each", "subset")},
}
"""The groupings that the first release had, and the parameter and value by which files tell of them, then and now."""


class Saving(FittedTree):
    """Model files."""

    def save(self, path: object, *, ledgers: bool = False, rows: bool = False, overwrite: bool = False) -> None:
        """Write the fitted estimator to a model file, which `treewright.load` reads; see docs/model-format.md.

        path       its name; what ends in .gz or .zst is compressed
        ledgers    whether the candidates of all nodes are kept, so that `why` answers without the training rows
        rows       whether the training rows are kept, in codes, so that everything works as right after `fit`; they
                   may be private
        overwrite  whether a file that is there already is replaced; without it, it is refused

        The file is JSON and holds no code. The same model gives the same bytes.

        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from treewright import CARTClassifier, load
        >>> model = CARTClassifier(pruning=None).fit([[20, "red"], [30, "blue"], [40, "red"]], ["no", "yes", "yes"])
        >>> with TemporaryDirectory() as folder:
        ...     model.save(Path(folder) / "model.json")
        ...     load(Path(folder) / "model.json").predict([[25, "red"]])
        array(['no'], dtype='<U3')
        """
        from treewright.model.file.save import write_model
        from treewright.store.estimator import estimator_bytes

        self._tree()
        _refuse_subclass(type(self))
        keep_ledgers, keep_rows = switch("ledgers", ledgers), switch("rows", rows)
        self._check_parameters()
        if keep_rows and self._kept is None:
            raise InputError(
                "rows=True keeps the training rows, but they are no longer at hand (large tables are not kept, and a "
                "stored model may have none); fit again, or save without them."
            )

        def made() -> bytes:
            return estimator_bytes(stored_of(self, ledgers=keep_ledgers, rows=keep_rows))

        write_model(path, made, overwrite=overwrite)

    def _check_parameters(self) -> None:
        """Refuse parameters that no fit would take: they may have been set since."""
        self._way_to_grow()
        with_order(self.plan(), self.monotonic_cst, self._tree().schema)
        self._method()
        self._asking()
        read_fraction(self.validation_fraction)
        read_pre_pruning(self.pre_pruning)
        count_cores(self.n_jobs)
        self._check_answering()


def stored_of(model: Any, *, ledgers: bool = False, rows: bool = False) -> "Stored":
    """What the fit of an estimator has left behind, as a record; with ledgers and rows on request."""
    state = vars(model) | {"_kept": model._kept if rows else None}
    state["_spread"] = None if rows else model._column_spread()
    state["_ledgers"] = model._all_ledgers() if ledgers else None
    return _record(type(model).__name__, _told_parameters(model), state)


def _told_parameters(model: Any) -> dict[str, Any]:
    """The parameters that a file holds, in a form that it can hold."""
    given = parameters_of(model)
    added = _added(type(model).__name__)
    told = {name: value for name, value in given.items() if name not in added or not _is_just(value, added[name])}
    forms = {"cost_matrix": plain_costs, "priors": plain_priors}
    told |= {name: forms[name](told[name]) for name in forms if name in told}
    old = RENAMED.get(type(model).__name__, {}).get(told.get("grouping", ""))
    if old is not None:
        del told["grouping"]
        told[old[0]] = old[1]
    return told


def _read_parameters(estimator: str, written: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a file by the names that they have now."""
    old = RENAMED.get(estimator, {})
    names = {name for name, _ in old.values()} & written.keys()
    if not names or "grouping" in written:
        return written
    name = names.pop()
    for grouping, (_, value) in old.items():
        if type(written[name]) is type(value) and written[name] == value:
            return {other: written[other] for other in written if other != name} | {"grouping": grouping}
    valid = ", ".join(repr(value) for _, value in old.values())
    raise ModelFormatError(
        f"Field parameters.{name} has to be one of {valid}; the file is damaged and has to be made again."
    )


def _added(estimator: str) -> dict[str, Any]:
    """What a file of this estimator may lack, and what that means."""
    return {} if estimator in LATER else ADDED | ALSO_ADDED.get(estimator, {})


def _is_just(value: Any, usual: Any) -> bool:
    return value is None if usual is None else isinstance(value, str) and value == usual


def _record(name: str, parameters: dict[str, Any], state: dict[str, Any]) -> "Stored":
    from treewright.model.file.labels import class_type_of
    from treewright.store.estimator import Stored

    classes = state.get("classes_")
    return Stored(
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
    )


def restored(stored: "Stored", kind_of: Callable[[str], Any] = estimator) -> Any:
    """The estimator of a record; a ModelFormatError where its parameters are not those of such an estimator.

    kind_of  gives the class by its name: `estimator`, or `algorithm` for a model without scikit-learn
    """
    if stored.estimator not in NAMES:
        shown = printable(beginning(stored.estimator, 60))
        raise ModelFormatError(f"Field estimator is {shown!r}, but has to be one of {', '.join(NAMES)}.")
    kind = kind_of(stored.estimator)
    known = parameter_defaults(kind)
    given = {name: value for name, value in _added(stored.estimator).items() if name in known}
    given |= _read_parameters(stored.estimator, stored.parameters)
    for name in (*known, *given):
        if name not in given or name not in known:
            what = "is not known" if name in given else "is not there"
            shown = printable(beginning(name, 60))
            raise ModelFormatError(f"Field parameters.{shown} {what}; the file is damaged and has to be made again.")
    model = kind(**given)
    if model._is_regressor != stored.tree.schema.target.is_number:
        raise ModelFormatError(f"Field estimator is {stored.estimator!r}, but the target of its tree is another one.")
    model._keep(_attributes(stored))
    try:
        model._check_parameters()
    except (TreewrightError, TypeError, ValueError, OverflowError) as error:
        raise ModelFormatError(f"Field parameters cannot be used: {error}") from None
    return model


def _attributes(stored: "Stored") -> dict[str, object]:
    """The fitted attributes of a record."""
    from treewright.model.file.labels import class_array

    schema = stored.tree.schema
    found: dict[str, object] = {
        "tree_": stored.tree,
        "grown_tree_": stored.grown,
        "pruning_report_": stored.report,
        "pre_pruning_report_": stored.stopped,
        "_row_weight": stored.row_weight,
        "_grown_by": (stored.plan, stored.share),
        "_pruned_by": (stored.method, stored.validated),
        "_kept": stored.rows,
        "_spread": stored.spread,
        "n_features_in_": schema.n_columns,
    }
    if stored.ledgers is not None:
        found["_ledgers"] = stored.ledgers
    if stored.named:
        found["feature_names_in_"] = np.array(schema.names, dtype=object)
    if stored.class_type is not None:
        found |= {"classes_": class_array(schema.target, stored.class_type), "n_classes_": schema.target.n_classes}
    return found


def check_state(kind: type[Any], state: dict[str, Any]) -> None:
    """Refuse the state of a fitted estimator that contradicts itself, as it may come out of a pickle."""
    from treewright.store.check import check_stored
    from treewright.store.estimator import check_ledgers

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
        raise ModelFormatError(f"A stored {kind.__name__} is only half there ({error}); fit again.") from None


def _refuse_subclass(kind: type[Any]) -> None:
    name = kind.__name__
    if name not in NAMES or (kind is not algorithm(name) and kind is not estimator(name)):
        raise KindError(
            f"{kind.__name__} is a class of your own, which a model file cannot hold; save its tree alone with "
            "tree_.save(), or the estimator by pickle."
        )
