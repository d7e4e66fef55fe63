"""Between the package and the oracle: a table as a Dataset, options as a Plan, a Tree as nested dicts.

In: what the oracle speaks. Out: what the package speaks, and back; and `difference`, which names the first place
where two trees differ. This is the only file of the oracle that knows the package.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.oracles.grower import Node, grow
from tests.oracles.options import Options
from tests.oracles.tables import Table
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.grow.grower import grow as grow_with_engine
from treewright.grow.plan import Limits, Plan
from treewright.model.tree import TABLE, THRESHOLD, Tree

KINDS = {"number": Kind.NUMBER, "ordered": Kind.ORDERED, "category": Kind.CATEGORY}
CLOSE = 1e-9


def dataset(table: Table) -> Dataset:
    """The table with made-up names: column i is `ci`, category k is `vk`, class k is `kk`."""
    columns = tuple(
        Column(f"c{i}", KINDS[c.kind], tuple(f"v{k:03d}" for k in range(c.n_categories)))
        for i, c in enumerate(table.columns)
    )
    classes = tuple(f"k{k}" for k in range(table.n_classes)) or None
    values = np.empty((table.n_rows, len(columns)))
    for i, column in enumerate(table.columns):
        values[:, i] = [math.nan if v is None else v for v in column.values]
    return Dataset(
        schema=Schema(columns, Target("target", classes)),
        values=values,
        target=np.array(table.target, dtype=np.int32 if table.n_classes else np.float64),
        weight=None if table.weights is None else np.array(table.weights, dtype=np.float64),
    )


def plan(options: Options) -> Plan:
    """The same parts, in the package's records."""
    by_missing: dict[str, Any] = {
        "missing": options.missing,
        "info": options.info,
        "max_surrogates": options.max_surrogates,
        "surrogates": options.surrogates,
    }
    return Plan(
        **(by_missing if options.missing != "error" else {}),
        criterion=options.criterion,
        merit=options.merit,
        floor=options.floor,
        grouping=options.grouping,
        threshold=options.threshold,
        penalty=options.penalty,
        side=options.side,
        minimum=options.minimum,
        slack=options.slack,
        min_info=options.min_info,
        wide=options.wide,
        collapse=options.collapse,
        limits=Limits(
            max_depth=options.max_depth,
            min_split=options.min_split,
            min_leaf=options.min_leaf,
            min_gain=options.min_gain,
            max_leaves=options.max_leaves,
        ),
    )


def engine_tree(table: Table, options: Options, n_jobs: int = 1) -> Tree:
    return grow_with_engine(dataset(table), plan(options), n_jobs=n_jobs)


def oracle_tree(table: Table, options: Options) -> Node:
    return grow(table.columns, table.target, table.weights, options, table.n_classes)


def branch_of(tree: Tree, i: int) -> tuple[int, ...]:
    """The branch of every category of the column that node i tests."""
    owned = slice(tree.table_start[i], tree.table_start[i + 1])
    known = dict(zip(tree.table_code[owned].tolist(), tree.table_branch[owned].tolist(), strict=True))
    n_categories = tree.schema.columns[tree.column[i]].n_categories
    return tuple(known.get(code, int(tree.other[i])) for code in range(n_categories))


def surrogates_of(tree: Tree, i: int) -> list[tuple[Any, ...]]:
    """Each surrogate of node i: column, low branch, threshold or None, codes with their branches; its two figures."""
    found, told = tree.surrogates, []
    for s in range(found.start[i], found.start[i + 1]) if found is not None else ():
        owned = slice(found.table_start[s], found.table_start[s + 1])
        table = tuple(
            zip(found.table_code[owned].tolist(), found.table_branch[owned].tolist(), strict=True)
        )
        threshold = None if math.isnan(found.threshold[s]) else float(found.threshold[s])
        test = (int(found.column[s]), int(found.low[s]), threshold, table)
        told.append((test, float(found.agree[s]), float(found.adjusted[s])))
    return told


def told_surrogates(node: Node) -> list[tuple[Any, ...]]:
    """The oracle's surrogates in the same form."""
    return [
        (
            (s.column, s.low, None if s.branch_of else s.threshold, s.branch_of),
            float(s.agree),
            float(s.adjusted),
        )
        for s in node["surrogates"]
    ]


def describe(tree: Tree) -> Node:
    """The tree in the oracle's nested form."""
    nodes: list[Node] = [
        {
            "count": int(tree.count[i]),
            "weight": float(tree.weight[i]),
            "stats": tree.stats[i].tolist(),
            "value": tree.value[i].tolist(),
            "impurity": float(tree.impurity[i]),
        }
        for i in range(len(tree.parent))
    ]
    for i, node in enumerate(nodes):
        if tree.kind[i] not in (THRESHOLD, TABLE):
            continue
        first = int(tree.first_child[i])
        node |= {
            "column": int(tree.column[i]),
            "gain": float(tree.gain[i]),
            "merit": float(tree.merit[i]),
            "missing_branch": int(tree.missing_branch[i]),
            "told_surrogates": surrogates_of(tree, i),
            "children": nodes[first : first + int(tree.n_children[i])],
        }
        if tree.kind[i] == THRESHOLD:
            node["threshold"] = float(tree.threshold[i])
        else:
            node["branch_of"] = branch_of(tree, i)
    return nodes[0]


def close(a: Sequence[float], b: Sequence[float], scale: float) -> bool:
    return len(a) == len(b) and all(abs(x - y) <= CLOSE * scale for x, y in zip(a, b, strict=True))


def node_difference(ours: Node, theirs: Node, *, scale: float, weights: float, stats: float) -> str:
    """What two nodes disagree on, apart from their children; empty when on nothing.

    The last three are what 1e-9 is multiplied by to compare most numbers, weights, and stats.
    """
    for key in ("count", "column", "threshold", "branch_of", "missing_branch"):
        if ours.get(key) != theirs.get(key):
            return key
    if len(ours.get("children", [])) != len(theirs.get("children", [])):
        return "children"
    if not close([ours["weight"]], [theirs["weight"]], weights):
        return "weight"
    if not close(ours["stats"], theirs["stats"], stats):
        return "stats"
    if not close(ours["value"], theirs["value"], scale):
        return "value"
    if theirs["impurity"] is not None and not close([ours["impurity"]], [theirs["impurity"]], scale):
        return "impurity"
    for key in ("gain", "merit"):
        if key in theirs and not close([ours[key]], [theirs[key]], scale):
            return key
    return "" if same_surrogates(ours, theirs) else "told_surrogates"


def same_surrogates(ours: Node, theirs: Node) -> bool:
    """The same tests in the same order, and the same figures."""
    if "children" not in theirs:
        return True
    theirs["told_surrogates"] = told_surrogates(theirs)
    a, b = ours["told_surrogates"], theirs["told_surrogates"]
    tests = [test for test, *_ in a] == [test for test, *_ in b]
    return tests and all(close(x[1:], y[1:], 1e-3) for x, y in zip(a, b, strict=True))


def difference(ours: Node, theirs: Node, table: Table, *, exact: bool = True) -> str:
    """The first place where two trees differ, from the root down, or an empty text.

    exact  whether the weights of nodes and classes are equal to the last digit; shares of rows are rounded
    """
    classes = table.n_classes > 0
    spread = max(table.target) - min(table.target)
    weight = math.fsum(table.weights) if table.weights else table.n_rows
    scale = 1.0 if classes else max(1.0, spread * spread * weight)
    weights = 0.0 if exact else weight
    pairs: list[tuple[str, Node, Node]] = [("root", ours, theirs)]
    while pairs:
        path, a, b = pairs.pop(0)
        key = node_difference(a, b, scale=scale, weights=weights, stats=weights if classes else scale)
        if key:
            return f"{path}: {key} is {a.get(key)!r}, the oracle says {b.get(key)!r}"
        below = zip(a.get("children", []), b.get("children", []), strict=True)
        pairs += [(f"{path}/{i}", x, y) for i, (x, y) in enumerate(below)]
    return ""


def show(node: Node, indent: int = 0) -> str:
    """A tree in a few lines."""
    pad, stats = "  " * indent, [round(float(s), 6) for s in node["stats"]]
    if "children" not in node:
        return f"{pad}{node['count']} rows {stats}"
    test: Any = node.get("threshold", node.get("branch_of"))
    tied = "".join(f" {key}" for key in ("tied_columns", "tied_cuts") if node.get(key))
    head = (
        f"{pad}c{node['column']} {test!r} {stats} gain {node['gain']:.12g} merit {node['merit']:.12g}{tied}"
        f" missing to {node['missing_branch']} {node.get('told_surrogates') or ''}"
    )
    return "\n".join([head, *(show(child, indent + 1) for child in node["children"])])


def check_same(seed: object, table: Table, options: Options) -> bool:
    """Fail with the seed, the table and both trees unless engine and oracle grow the same tree.

    A table that the rules decide by weights which are equal and have to be rounded is not compared: False.
    """
    theirs = oracle_tree(table, options)
    if theirs["doubts"]:
        return False
    ours = describe(engine_tree(table, options))
    where = difference(ours, theirs, table, exact=options.missing != "fractional")
    if where:
        raise AssertionError(
            f"seed {seed!r}: {where}\n{options}\n{table}\n--- engine\n{show(ours)}\n--- oracle\n{show(theirs)}"
        )
    return True
