"""Decisions: what pruning compared at each node, for the page.

In: the reports of an estimator. Out: for each node of the grown tree that was decided on the two numbers and the
verdict, and for the heaviest ones the sentence.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.page.given import Given
from treewright.page.plain import sentence, short
from treewright.prune.report import VERDICTS, PruningReport

N_WORDS = 500
"""Nodes whose decision is written out in a sentence, those of most weight."""


def decisions_part(given: Given) -> tuple[dict[str, dict[str, Any]], str | None]:
    """The decisions by node, and the method that made them; none and None where nothing was decided.

    Of several steps the last one that came to a node counts; each decision then names its own method.
    """
    report, place = _deciding(given)
    if report is None:
        return {}, None
    at = place[report.node]
    visits = np.flatnonzero(at >= 0)
    # The last visit of a node is the one that counts.
    last = dict(zip(at[visits].tolist(), visits.tolist(), strict=True))
    visits = np.array([last[node] for node in sorted(last)], np.int64)
    heavy = visits[np.argsort(-given.grown.weight[at[visits]], kind="stable")][:N_WORDS]
    found = {i: _decision(report, i) for i in visits.tolist()}
    for i in heavy.tolist():
        # A report of pre-pruning has the numbers of the tree before it.
        words = report.sentence(i).removeprefix(f"Node {report.node[i]} ")
        found[i]["words"] = sentence(f"Node {at[i]} {words}")
    return {str(int(at[i])): one for i, one in found.items()}, report.method


def _deciding(given: Given) -> tuple[PruningReport | None, NDArray[np.int64]]:
    """The report, and the grown tree's number of each node of the tree it is about; -1 for those that are gone."""
    report = given.own_report
    if report is not None:
        return report, np.arange(given.grown.n_nodes)
    report = given.pre_report
    if report is None:
        return None, np.empty(0, np.int64)
    place = np.full(report.tree.n_nodes, -1)
    place[report.origin] = np.arange(len(report.origin))
    return report, place


def _decision(report: PruningReport, i: int) -> dict[str, Any]:
    told = report.step(i)[0]
    found: dict[str, Any] = {
        "leaf": short(float(report.leaf[i])),
        "subtree": short(float(report.subtree[i])),
        "allowance": short(float(report.allowance[i])),
        "unit": told.unit,
        "verdict": VERDICTS[report.verdict[i]],
        "words": None,
    }
    if report.steps:
        found["method"] = told.method
    if told.branch is not None and report.branch is not None:
        found["branch"] = short(float(report.branch[i]))
    return found
