"""Estimator: a fitted estimator as a model file holds it.

In: what a fit has left behind, gathered in one record, or the fields of a file. Out: the other. The record knows no
estimator: who makes one of it gives it the parameters, and trees that are one object are one again.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.schema import Schema
from treewright.grow.plan import Plan
from treewright.ledger.lineage import Lineage
from treewright.model.file.alone import refuse_other
from treewright.model.file.fields import Fields
from treewright.model.file.load import open_schema
from treewright.model.file.save import head
from treewright.model.file.schema import schema_document
from treewright.model.file.text import dump
from treewright.model.file.tree import read_tree, tree_document
from treewright.model.tree import Tree
from treewright.prune.method import Method
from treewright.prune.report import PruningReport
from treewright.store.check import check_stored
from treewright.store.path import refuse
from treewright.store.plain import method_document, plain_document, read_method_field, read_plain
from treewright.store.plan import plan_document, read_plan
from treewright.store.report import read_report, report_document
from treewright.store.rows import read_rows, rows_document

if TYPE_CHECKING:
    from treewright.store.ledgers import Ledgers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stored:
    """What a fit has left behind.

    estimator   the name of its class
    parameters  as they were given
    tree        the tree of the answers
    grown       the tree before it was pruned
    report      what pruning decided; None where there was none
    stopped     what pre-pruning decided; the same object where nothing else was pruned
    row_weight  the weight that counts as one row
    plan, share how the tree was grown, and the least share of the weight in a branch
    method      what it was pruned by
    validated   whether there were validation rows
    named       whether the columns had names
    class_type  the numpy type of the classes; None for regression
    spread      highest less lowest value of each column; None where the rows are kept
    rows        the training rows, where they are kept
    ledgers     the candidates of all nodes, where they are kept
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


@dataclass(slots=True)
class _Places:
    """Objects of which each is written once; a place in the list stands for one."""

    found: list[Any] = field(default_factory=list)
    places: dict[object, int] = field(default_factory=dict)

    def place(self, one: Any, mark: Callable[[Any], object] = id) -> int:
        key = mark(one)
        if key not in self.places:
            self.places[key] = len(self.found)
            self.found.append(one)
        return self.places[key]


def estimator_bytes(stored: Stored) -> bytes:
    """The bytes of the file of a fitted estimator."""
    tree = stored.tree
    told = head("estimator") | {"fingerprint": tree.fingerprint(), "schema": schema_document(tree.schema)}
    return dump(told | _document(stored))


def _document(stored: Stored) -> dict[str, Any]:
    trees, reports = _Places(), _Places()

    def place(tree: Tree) -> int:
        return trees.place(tree, Tree.fingerprint)

    marks: dict[str, int | None] = {"tree": place(stored.tree), "grown_tree": place(stored.grown)}
    for name, report in (("pruning_report", stored.report), ("pre_pruning_report", stored.stopped)):
        marks[name] = None if report is None else reports.place(report)
    told_reports = [report_document(report, place) for report in reports.found]
    parameters = {name: plain_document(value, name) for name, value in sorted(stored.parameters.items())}
    told: dict[str, Any] = {
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
        **marks,
        "trees": [tree_document(tree) for tree in trees.found],
        "reports": told_reports,
    }
    if stored.rows is not None:
        told["rows"] = rows_document(stored.rows)
    if stored.ledgers is not None:
        # Here and below: modules that know how trees grow, which few files need.
        from treewright.store.ledger_file import ledgers_document

        told["ledgers"] = ledgers_document(stored.ledgers)
    return told


def read_estimator(fields: Fields) -> Stored:
    """The record that the fields of a file hold, checked; the parameters still have to be those of the estimator."""
    schema, mark = open_schema(fields)
    trees = [read_tree(one, schema) for one in fields.each("trees")]
    if not trees:
        fields.refuse("trees", "is empty, but there is one at least")
    tree, grown = (trees[fields.whole(name, 0, len(trees) - 1)] for name in ("tree", "grown_tree"))
    refuse_other(tree, mark)
    reports = [read_report(one, trees) for one in fields.each("reports")]
    report, stopped = (_referred(fields, name, reports) for name in ("pruning_report", "pre_pruning_report"))
    told_rows, told_ledgers = fields.maybe("rows"), fields.maybe("ledgers")
    stored = Stored(
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
        rows=None if told_rows is None else read_rows(told_rows, schema),
    )
    fields.done()
    _refuse_idle(fields, trees, reports, stored)
    check_stored(stored)
    if told_ledgers is None:
        return stored
    from treewright.store.ledger_file import read_ledgers

    return replace(stored, ledgers=read_ledgers(told_ledgers, _lineage(stored)))


def check_ledgers(stored: Stored) -> None:
    """Refuse ledgers that do not fit the trees: they are read once more, as those of a file are."""
    if stored.ledgers is not None:
        from treewright.store.ledger_file import ledgers_document, read_ledgers
        from treewright.store.ledgers import Ledgers

        if not isinstance(stored.ledgers, Ledgers) or stored.ledgers.grown is not stored.grown:
            refuse("ledgers", "are none, or those of another tree")
        read_ledgers(Fields(ledgers_document(stored.ledgers), "ledgers"), _lineage(stored))


def _lineage(stored: Stored) -> Lineage:
    return Lineage(stored.tree, stored.grown, stored.report, stored.stopped)


def _referred(fields: Fields, key: str, reports: list[PruningReport]) -> PruningReport | None:
    return None if fields.is_null(key) else reports[fields.whole(key, 0, len(reports) - 1)]


def _read_spread(fields: Fields, schema: Schema) -> NDArray[np.float64]:
    return fields.floats("spread", schema.n_columns, low=0.0, high=np.inf, nan=True)


def _read_parameters(fields: Fields) -> dict[str, Any]:
    return {name: read_plain(fields.plain(name), partial(fields.refuse, name)) for name in fields.left()}


def _refuse_idle(fields: Fields, trees: list[Tree], reports: list[PruningReport], stored: Stored) -> None:
    """Refuse trees and reports that nothing refers to: nobody wrote them."""
    used = [one for one in (stored.report, stored.stopped) if one is not None]
    if not all(any(one is report for one in used) for report in reports):
        fields.refuse("reports", "holds a report that nothing refers to")
    used += [step for report in used for step in report.steps]
    told_of = [stored.tree, stored.grown, *(report.tree for report in used)]
    if not all(any(one is tree for one in told_of) for tree in trees):
        fields.refuse("trees", "holds a tree that nothing refers to")
