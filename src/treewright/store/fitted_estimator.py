"""A fitted estimator as a model file holds it: its parameters, plan, trees, pruning reports and rows.

`StoredEstimator` is the record of a fit; it is written to the bytes of a file and read back. The record does not know
the estimator classes: `treewright.estimators.saving` makes an estimator from it. Trees that are one object are written
once and are one object again.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.ignored_columns import IGNORED, IgnoredColumn
from treewright.data.schema import Kind, Schema
from treewright.errors import ParameterError
from treewright.grow.plan import MOST_BINS, NAMES, Limits, Plan
from treewright.ledger.lineage import Lineage
from treewright.model.file.fields import Fields
from treewright.model.file.json_writer import dump
from treewright.model.file.model_file import VERSION, file_header, open_schema
from treewright.model.file.stored_schema import schema_document
from treewright.model.file.stored_tree import check_fingerprint, read_tree, tree_document, version_for
from treewright.model.tree import Tree
from treewright.prune.method import Method
from treewright.prune.report import PruningReport
from treewright.store.consistency import check_stored
from treewright.store.parameter_values import method_document, read_method_field, read_value, value_document
from treewright.store.pruning_reports import read_report, refuse, report_document

if TYPE_CHECKING:
    from treewright.store.ledgers import Ledgers

LARGEST_COUNT = 2**53

STORED_NAMES: dict[str, tuple[str, dict[str, str]]] = {
    "grouping": ("category", {"greedy": "group"}),
    "penalty": ("charge", {}),
}
"""Parts of a plan with another name in files, which keep the names of the first version: part -> name in files, and the
values that differ. So every version writes the same file."""


def plan_document(plan: Plan) -> dict[str, Any]:
    """Return the plan as an object of a model file.

    >>> plan_document(Plan())["limits"]["min_leaf"]
    1.0
    """
    document = {STORED_NAMES[name][0] if name in STORED_NAMES else name: value for name, value in asdict(plan).items()}
    if document["max_bins"] is None:  # as in files of versions without bins
        del document["max_bins"]
    directions = document.pop("monotonic")
    if directions:  # without constraints as in files of versions that had none
        document["monotonic"] = list(directions)
    for name, values in STORED_NAMES.values():
        document[name] = values.get(document[name], document[name])
    limits = document["limits"]
    # A minimum is a number of rows or a fraction: 2 and 2.0 are the same.
    document["limits"] = limits | {name: float(limits[name]) for name in limits if name.startswith("min_")}
    return document | {"slack": float(plan.slack), "min_info": float(plan.min_info)}


def read_plan(fields: Fields) -> Plan:
    """Read the plan from an object of a model file.

    >>> read_plan(Fields(plan_document(Plan()), "plan")) == Plan()
    True
    """
    parts: dict[str, Any] = {name: _read_part(fields, name, valid) for name, valid in NAMES.items()}
    parts |= {name: fields.number(name, 0.0) for name in ("slack", "min_info")}
    parts["wide"] = None if fields.is_null("wide") else fields.number("wide", 0.0)
    parts |= {"max_surrogates": fields.whole("max_surrogates", 0, LARGEST_COUNT), "collapse": fields.truth("collapse")}
    if fields.has("monotonic"):
        parts["monotonic"] = tuple(fields.ints("monotonic", None, -1, 1).tolist())
    if fields.has("max_bins"):
        parts["max_bins"] = fields.whole("max_bins", 2, MOST_BINS)
    parts["limits"] = _read_limits(fields.inner("limits"))
    fields.done()
    try:
        return Plan(**parts)
    except ParameterError as error:
        fields.refuse("limits", f"and the fields beside it are invalid: {str(error).rstrip('.')}")


def _read_part(fields: Fields, part: str, valid: tuple[str, ...]) -> str:
    """Read a part of the plan by the name and the values that it has in files."""
    name, words = STORED_NAMES.get(part, (part, {}))
    parts = {words.get(value, value): value for value in valid}
    return parts[fields.one_of(name, parts)]


def _read_limits(fields: Fields) -> Limits:
    found: dict[str, Any] = {
        name: None if fields.is_null(name) else fields.whole(name, least, LARGEST_COUNT)
        for name, least in (("max_depth", 0), ("max_leaves", 2))
    }
    found |= {name: fields.number(name, 0.0) for name in ("min_split", "min_leaf", "min_leaf_weight", "min_gain")}
    fields.done()
    return Limits(**found)


def rows_document(rows: Dataset) -> dict[str, Any]:
    """Return the rows as an object of a model file; their schema is stored elsewhere.

    Categories are codes, -1 for a missing value; numbers are null for a missing value.

    >>> from treewright.data.schema import Column, Target
    >>> schema = Schema((Column("age", Kind.NUMBER), Column("red", Kind.CATEGORY, (False, True))), Target())
    >>> rows_document(Dataset(schema, np.array([[30.0, np.nan]]), np.array([1.5])))["columns"]
    [{'values': array([30.])}, {'values': array([-1])}]
    """
    columns = []
    for column, values in zip(rows.schema.columns, rows.values.T, strict=True):
        stored: NDArray[Any] = np.ascontiguousarray(values)
        if column.kind is not Kind.NUMBER:
            stored = np.where(np.isnan(values), -1, values).astype(np.int64)
        columns.append({"values": stored})
    return {"copies": rows.copies, "columns": columns, "target": rows.target, "weight": rows.weight}


def read_rows(fields: Fields, schema: Schema) -> Dataset:
    """Read the rows from an object of a model file."""
    target: NDArray[Any]
    if schema.target.is_number:
        target = fields.floats("target", None)
    else:
        target = fields.ints("target", None, 0, schema.target.n_classes - 1).astype(np.int32)
    n = len(target)
    if n == 0:
        fields.refuse("target", "is empty, but a tree is grown on at least one row")
    weight = None if fields.is_null("weight") else fields.floats("weight", n, low=0)
    copies = fields.truth("copies")
    found = []
    for column, one in zip(schema.columns, _read_columns(fields, schema), strict=True):
        if column.kind is Kind.NUMBER:
            found.append(one.floats("values", n, nan=True))
        else:
            codes = one.ints("values", n, -1, column.n_categories - 1)
            found.append(np.where(codes < 0, np.nan, codes))
        one.done()
    fields.done()
    values = np.empty((n, len(found)))
    for i, cells in enumerate(found):
        values[:, i] = cells
    return Dataset(schema, values, target, weight, copies)


def _read_columns(fields: Fields, schema: Schema) -> list[Fields]:
    found = list(fields.each("columns"))
    if len(found) != schema.n_columns:
        fields.refuse("columns", f"must have {schema.n_columns} columns as the schema, got {len(found)}")
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoredEstimator:
    """The result of a fit, as a model file holds it.

    estimator   the name of the class
    parameters  its parameters, as given
    tree        the pruned tree, which predicts
    grown       the tree before pruning
    report      the pruning report; None without pruning
    stopped     the report of pre-pruning; the same object if there was no other pruning
    row_weight  the weight that counts as one row
    plan, share how the tree was grown, and the minimum fraction of the total weight in a branch
    method      the pruning method
    validated   whether there were validation rows
    named       whether the columns had names
    class_type  the numpy type of the classes; None for regression
    spread      the range of each column; None if the rows are stored
    rows        the training rows, if they are stored
    ledgers     the candidates of all nodes, if they are stored
    ignored     columns of the training table that the command line left out, and why
    """

    estimator: str
    parameters: dict[str, Any]
    tree: Tree
    grown: Tree
    report: PruningReport | None
    stopped: PruningReport | None
    row_weight: float
    plan: Plan
    share: float
    method: Method | None
    validated: bool
    named: bool
    class_type: str | None
    spread: NDArray[np.float64] | None
    rows: Dataset | None = None
    ledgers: "Ledgers | None" = None
    ignored: tuple[IgnoredColumn, ...] = ()


@dataclass(slots=True)
class _ObjectTable:
    """Objects that are written once each, and referenced by their index."""

    objects: list[Any] = field(default_factory=list)
    indices: dict[object, int] = field(default_factory=dict)

    def index(self, one: Any, key_of: Callable[[Any], object] = id) -> int:
        """Return the index of an object, which is added if it is new."""
        key = key_of(one)
        if key not in self.indices:
            self.indices[key] = len(self.objects)
            self.objects.append(one)
        return self.indices[key]


def estimator_bytes(stored: StoredEstimator) -> bytes:
    """Return the bytes of the model file of a fitted estimator."""
    tree = stored.tree
    header = file_header("estimator", _version_for(stored))
    return dump(
        header | {"fingerprint": tree.fingerprint(), "schema": schema_document(tree.schema)} | _document(stored)
    )


def _version_for(stored: StoredEstimator) -> int:
    """Return the first version of the format that can hold an estimator: version 2 added `smoothing` of regressors and
    its value "auto".
    """
    smoothing, is_number = stored.parameters.get("smoothing"), stored.tree.schema.target.is_number
    if isinstance(smoothing, str) or (is_number and "smoothing" in stored.parameters):
        return VERSION
    return version_for(stored.tree, stored.grown)


def _document(stored: StoredEstimator) -> dict[str, Any]:
    trees, reports = _ObjectTable(), _ObjectTable()

    def tree_index(tree: Tree) -> int:
        return trees.index(tree, Tree.fingerprint)

    references: dict[str, int | None] = {"tree": tree_index(stored.tree), "grown_tree": tree_index(stored.grown)}
    for name, report in (("pruning_report", stored.report), ("pre_pruning_report", stored.stopped)):
        references[name] = None if report is None else reports.index(report)
    report_documents = [report_document(report, tree_index) for report in reports.objects]
    parameters = {name: value_document(value, name) for name, value in sorted(stored.parameters.items())}
    document: dict[str, Any] = {
        "estimator": stored.estimator,
        "parameters": parameters,
        "named": stored.named,
        "class_type": stored.class_type,
        "row_weight": float(stored.row_weight),
        "plan": plan_document(stored.plan),
        "least_share": float(stored.share),
        "method": None if stored.method is None else method_document(stored.method, "pruning"),
        "validated": stored.validated,
        "spread": stored.spread,
        **references,
        "trees": [tree_document(tree) for tree in trees.objects],
        "reports": report_documents,
    }
    if stored.ignored:  # without such columns as in files of versions that had none
        document["ignored"] = [asdict(one) for one in stored.ignored]
    if stored.rows is not None:
        document["rows"] = rows_document(stored.rows)
    if stored.ledgers is not None:
        # Imported here and below, because few files need these modules, which know how trees grow.
        from treewright.store.ledgers import ledgers_document

        document["ledgers"] = ledgers_document(stored.ledgers)
    return document


def read_estimator(fields: Fields) -> StoredEstimator:
    """Read and check the record in the fields of a file; its parameters are checked when the estimator is made."""
    schema, mark = open_schema(fields)
    trees = [read_tree(one, schema) for one in fields.each("trees")]
    if not trees:
        fields.refuse("trees", "is empty, but there must be at least one tree")
    tree, grown = (trees[fields.whole(name, 0, len(trees) - 1)] for name in ("tree", "grown_tree"))
    check_fingerprint(tree, mark)
    reports = [read_report(one, trees) for one in fields.each("reports")]
    report, stopped = (
        _read_report_reference(fields, name, reports) for name in ("pruning_report", "pre_pruning_report")
    )
    row_fields, ledger_fields = fields.maybe("rows"), fields.maybe("ledgers")
    stored = StoredEstimator(
        estimator=fields.text("estimator"),
        parameters=_read_parameters(fields.inner("parameters")),
        tree=tree,
        grown=grown,
        report=report,
        stopped=stopped,
        row_weight=fields.number("row_weight"),
        plan=read_plan(fields.inner("plan")),
        share=fields.number("least_share"),
        method=read_method_field(fields, "method"),
        validated=fields.truth("validated"),
        named=fields.truth("named"),
        class_type=None if fields.is_null("class_type") else fields.text("class_type"),
        spread=None if fields.is_null("spread") else _read_spread(fields, schema),
        rows=None if row_fields is None else read_rows(row_fields, schema),
        ignored=_read_ignored(fields) if fields.has("ignored") else (),
    )
    fields.done()
    _refuse_unreferenced(fields, trees, reports, stored)
    check_stored(stored)
    if ledger_fields is None:
        return stored
    from treewright.store.ledgers import read_ledgers

    return replace(stored, ledgers=read_ledgers(ledger_fields, _lineage(stored)))


def check_ledgers(stored: StoredEstimator) -> None:
    """Refuse ledgers that do not belong to the trees: they are checked as those of a file are."""
    if stored.ledgers is not None:
        from treewright.store.ledgers import Ledgers, ledgers_document, read_ledgers

        if not isinstance(stored.ledgers, Ledgers) or stored.ledgers.grown is not stored.grown:
            refuse("ledgers", "are not the ledgers of this tree")
        read_ledgers(Fields(ledgers_document(stored.ledgers), "ledgers"), _lineage(stored))


def _lineage(stored: StoredEstimator) -> Lineage:
    return Lineage(stored.tree, stored.grown, stored.report, stored.stopped)


def _read_report_reference(fields: Fields, key: str, reports: list[PruningReport]) -> PruningReport | None:
    return None if fields.is_null(key) else reports[fields.whole(key, 0, len(reports) - 1)]


def _read_spread(fields: Fields, schema: Schema) -> NDArray[np.float64]:
    return fields.floats("spread", schema.n_columns, low=0.0, high=np.inf, nan=True)


def _read_ignored(fields: Fields) -> tuple[IgnoredColumn, ...]:
    found = []
    for one in fields.each("ignored"):
        found.append(IgnoredColumn(one.text("name"), one.one_of("reason", IGNORED)))
        one.done()
    if not found:
        fields.refuse("ignored", "is empty; without ignored columns it is absent")
    return tuple(found)


def _read_parameters(fields: Fields) -> dict[str, Any]:
    return {name: read_value(fields.plain(name), partial(fields.refuse, name)) for name in fields.left()}


def _refuse_unreferenced(
    fields: Fields, trees: list[Tree], reports: list[PruningReport], stored: StoredEstimator
) -> None:
    """Refuse trees and reports that are not referenced: no version writes them."""
    used = [one for one in (stored.report, stored.stopped) if one is not None]
    if not all(any(one is report for one in used) for report in reports):
        fields.refuse("reports", "has a report that is not referenced")
    used += [step for report in used for step in report.steps]
    referenced = [stored.tree, stored.grown, *(report.tree for report in used)]
    if not all(any(one is tree for one in referenced) for tree in trees):
        fields.refuse("trees", "has a tree that is not referenced")
