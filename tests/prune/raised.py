"""What the tests of raising share: trees with their rows, and a pruned tree held against the slow twin's.

In: seeds. Out: `Case`s, and `compare`, which names the first place where engine and twin differ.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from tests.contracts.pruning import noisy_table
from tests.oracles.compare import dataset, describe, plan
from tests.oracles.missing_tables import make_holed
from tests.oracles.options import Options
from tests.oracles.plans import NAMED, random_missing, random_options
from tests.oracles.raising import Place, Pruning, Settings
from tests.oracles.tables import Table, make_table
from treewright.data.dataset import Dataset
from treewright.grow.grower import grow
from treewright.model.check_tree import check_tree
from treewright.model.tree import Tree
from treewright.prune import ErrorBased
from treewright.prune.report import VERDICTS

CLOSE = 1e-9


@dataclass(frozen=True)
class Case:
    """A grown tree, its rows, and the parameters it is pruned with."""

    seed: object
    tree: Tree
    rows: Dataset
    parameters: dict[str, Any]

    def pruned(self) -> Any:
        return ErrorBased(**self.parameters).prune(self.tree, rows=self.rows)

    def slowly(self) -> tuple[Pruning, Place]:
        weight = np.ones(self.rows.n_rows) if self.rows.weight is None else self.rows.weight
        # Where weights are not whole, growth shares rows out by the mean weight.
        row = 1.0 if (weight == np.floor(weight)).all() else float(weight[weight > 0].mean())
        cells = [[None if v != v else v for v in cells] for cells in self.rows.values.tolist()]
        settings = Settings(missing=self.tree.missing, row=row, **self.parameters)
        run = Pruning(describe(self.tree), cells, self.rows.target.tolist(), settings)
        return run, run.prune(weight.tolist())


def parameters(seed: object) -> dict[str, Any]:
    rng = Random(f"parameters {seed}")
    return {
        "limit": rng.choice(["release8", "release8", "exact", "weka"]),
        "confidence": rng.choice([0.25, 0.25, 0.1, 0.4, 0.01]),
        "allowance": rng.choice([0.1, 0.1, 0.0, 0.5]),
    }


def case(seed: object, table: Table, options: Options) -> Case:
    rows = dataset(table)
    return Case(seed, grow(rows, plan(options)), rows, parameters(seed))


def whole_cases(seed: object) -> list[Case]:
    """Trees on tables without a missing cell: any options, and C4.5 with categories apart and in groups."""
    chosen = [random_options(seed, regression=False), NAMED["c45 release8"], NAMED["c45 release8 groups"]]
    tables = [make_table(seed), with_weights(seed, noisy_table(seed, n_rows=60))]
    return [case((seed, k), table, options) for k, options in enumerate(chosen) for table in tables]


def holed_cases(seed: object, missing: str) -> list[Case]:
    """The same with missing cells, for one strategy."""
    options = random_missing(seed, missing=missing, regression=False)
    tables = [make_holed(seed), with_weights(seed, noisy_table(seed, n_rows=60, holes=0.15))]
    return [case((seed, missing), table, options) for table in tables]


def with_weights(seed: object, table: Table) -> Table:
    """The table without weights, with whole ones, or with eighths."""
    rng = Random(f"weights {seed}")
    unit = rng.choice([0.0, 1.0, 0.125])
    drawn = tuple(unit * rng.randint(0, 5) for _ in range(table.n_rows))
    return replace(table, weights=drawn) if unit else table


def compare(case: Case) -> str:
    """Where engine and twin differ: in a decision, in a number, or in the rows of a node; empty when nowhere."""
    run, root = case.slowly()
    pruned = case.pruned()
    check_tree(pruned.tree)
    return _decisions(run, pruned.report) or _nodes(run, root, pruned.tree)


def _decisions(run: Pruning, report: Any) -> str:
    if set(report.node.tolist()) != set(run.decisions):
        return f"visited are {sorted(report.node.tolist())}, the twin visits {sorted(run.decisions)}"
    for k, node in enumerate(report.node.tolist()):
        told = run.decisions[node]
        # Where the largest branch is a leaf it is not tried: it would be the same as the node as a leaf.
        branch = told.leaf if np.isnan(report.branch[k]) else report.branch[k]
        ours = [report.leaf[k], report.subtree[k], branch]
        theirs = [told.leaf, told.subtree, told.branch]
        if VERDICTS[report.verdict[k]] != told.verdict or not np.allclose(ours, theirs, rtol=CLOSE, atol=CLOSE):
            return f"node {node}: {ours} {VERDICTS[report.verdict[k]]}, the twin says {told}"
    return ""


def _nodes(run: Pruning, root: Place, tree: Tree) -> str:
    """The rows and classes of each node, what an empty one answers, and where missing values go."""
    n_classes = tree.schema.target.n_classes
    pairs: list[tuple[int, Place, list[float]]] = [(0, root, [])]
    for i, place, above in pairs:
        by_class = run.classes(place.rows)
        stats = [by_class.get(k, 0.0) for k in range(n_classes)]
        value = [s / sum(stats) for s in stats] if place.rows else above
        figures = {"count": len(place.rows), "n_children": len(place.children)}
        for name, theirs in figures.items():
            if getattr(tree, name)[i] != theirs:
                return f"node {i}: {name} is {getattr(tree, name)[i]}, the twin says {theirs}"
        for name, theirs in {"stats": stats, "value": value, "impurity": _impurity(tree, stats)}.items():
            if not np.allclose(getattr(tree, name)[i], theirs, rtol=0, atol=CLOSE * max(1.0, sum(stats))):
                return f"node {i}: {name} is {getattr(tree, name)[i]}, the twin says {theirs}"
        if place.children and tree.missing in ("fractional", "stop", "error"):
            _, known, _ = run.divide(place, place.rows)
            if known[tree.missing_branch[i]] < max(known) - 1e-6:
                return f"node {i}: missing values go to {tree.missing_branch[i]} of {known}"
        pairs += [(int(tree.first_child[i]) + b, child, value) for b, child in enumerate(place.children)]
    return "" if len(pairs) == tree.n_nodes else f"{tree.n_nodes} nodes, the twin has {len(pairs)}"


def _impurity(tree: Tree, stats: list[float]) -> float:
    share = np.array([s for s in stats if s > 0]) / max(sum(stats), 1e-300)
    return float(-(share * np.log2(share)).sum() if tree.criterion == "entropy" else (share * (1 - share)).sum())
