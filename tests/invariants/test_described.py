"""What holds where splits pay for their description: penalties, names of categories, columns that name their rows."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.invariants.partitions import alike, pairs_of_children, same_numbers, sent_tree
from tests.invariants.strategies import codes, with_holes
from tests.oracles.compare import dataset, describe, engine_tree, plan
from tests.oracles.grower import Node
from tests.oracles.options import DESCRIBED, Column, Options
from tests.oracles.plans import GROUPINGS, STRATEGIES
from tests.oracles.tables import Table
from treewright import MDLTreeClassifier, TreeClassifier
from treewright.grow.candidates import GrowthReplay
from treewright.grow.grower import grow


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """4 to 40 rows of one or two categories with many values and perhaps a number; two to four classes."""
    n_rows = draw(st.integers(4, 40))
    columns = []
    for _ in range(draw(st.integers(1, 2))):
        n_categories = draw(st.integers(3, 12))
        columns.append(Column("category", list(map(float, draw(codes(n_rows, n_categories)))), n_categories))
    if draw(st.booleans()):
        columns.append(Column("number", list(map(float, draw(codes(n_rows, 6))))))
    n_classes = draw(st.integers(2, 4))
    return Table(tuple(columns), tuple(draw(codes(n_rows, n_classes))), n_classes)


@st.composite
def described(draw: st.DrawFn, groupings: tuple[str, ...] = GROUPINGS) -> Options:
    """Every grouping, by gain or by ratio, with any floor and small or larger leaves."""
    return replace(
        DESCRIBED,
        grouping=draw(st.sampled_from(groupings)),
        merit=draw(st.sampled_from(["decrease", "ratio"])),
        floor=draw(st.sampled_from(["none", "average", "description"])),
        penalty=draw(st.sampled_from(["description", "description", "none"])),
        min_leaf=draw(st.sampled_from([1, 1, 2, 3])),
    )


def entropy(labels: np.ndarray) -> float:
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-(shares * np.log2(shares)).sum())


@given(table=tables(), chosen=described())
def test_a_penalty_is_taken_off_the_gain(table, chosen):
    """No penalty is below 0, so no gain after the penalty is above the gain of the branches, counted here by hand."""
    rows = dataset(table)
    tree = grow(rows, plan(chosen))
    for seen in GrowthReplay(rows, plan(chosen)).visit(tree, range(tree.n_nodes)):
        labels = rows.target[seen.rows]
        for one in seen.candidates:
            assert one.penalty >= 0
            if not one.ok:
                continue
            cells = rows.values[seen.rows, one.column]
            side = cells > one.threshold if not one.codes else [one.branches[one.codes.index(v)] for v in cells]
            branches = [labels[np.asarray(side) == b] for b in np.unique(side)]
            raw = entropy(labels) - sum(len(b) / len(labels) * entropy(b) for b in branches)
            assert one.gain + one.penalty == pytest.approx(raw, abs=1e-9)
            assert one.gain <= raw + 1e-9
            assert one.penalty == 0 or chosen.penalty == "description"


def twins(table: Table, node: Node) -> bool:
    """Whether two values of the column that a node tests have the same class weights: only codes tell them apart."""
    column = table.columns[node["column"]]
    weights = Counter((column.values[r], table.target[r]) for r in node["rows"])
    told = [tuple(weights[v, k] for k in range(table.n_classes)) for v in {column.values[r] for r in node["rows"]}]
    return column.kind == "category" and max(Counter(told).values()) > 1


@given(table=tables(), chosen=described(("each", "least-loss", "binary")), data=st.data())
def test_names_of_categories_decide_nothing(table, chosen, data):
    """Whatever the codes are, ties included, the rows are parted alike; values that only codes tell apart may change
    places, but what is gained is the same then, too."""
    columns = list(table.columns)
    for i, column in enumerate(columns):
        if column.kind == "category":
            order = data.draw(st.permutations(range(column.n_categories)))
            columns[i] = replace(column, values=[float(order[int(v)]) for v in column.values])
    walk = [(sent_tree(table, chosen), sent_tree(replace(table, columns=tuple(columns)), chosen))]
    while walk:
        x, y = walk.pop()
        assert x["rows"] == y["rows"]
        assert x.get("column") == y.get("column")
        if "children" not in x:
            continue
        assert same_numbers(x, y)
        if (chosen.grouping == "least-loss" or table.n_classes > 2) and twins(table, x):
            continue
        pairs = pairs_of_children(x, y)
        assert pairs is not None, "the rows are parted differently"
        walk += pairs


@given(table=tables(), chosen=described(("binary", "least-loss")), data=st.data())
def test_a_column_that_names_its_rows_is_never_used(table, chosen, data):
    """And nothing else changes, wherever it stands; where it is the only column there is no split."""
    order = data.draw(st.permutations(range(table.n_rows)))
    ids = Column("category", list(map(float, order)), table.n_rows)
    place = data.draw(st.integers(0, len(table.columns)))
    wider = replace(table, columns=(*table.columns[:place], ids, *table.columns[place:]))
    plain, more = (describe(engine_tree(t, chosen)) for t in (table, wider))
    alike(plain, more, column=lambda c: c + (c >= place))
    assert "children" not in describe(engine_tree(replace(table, columns=(ids,)), chosen))


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("n_rows", [12, 511, 512, 513, 1200])
def test_words_that_name_their_rows(n_classes, n_rows):
    """However many there are: beyond 512 values another search is made, but not of values of single rows."""
    rng = np.random.default_rng(n_rows)
    y = np.where(rng.random(n_rows) < 0.5, 0, rng.integers(1, n_classes, n_rows))
    X = pd.DataFrame({"id": [f"row {i}" for i in rng.permutation(n_rows)]})
    for penalty in ("none", "description"):
        model = TreeClassifier(criterion="entropy", grouping="binary", penalty=penalty).fit(X, y)
        assert model.get_n_leaves() == 1
    X["x"] = y
    assert set(model.fit(X, y).tree_.column.tolist()) == {-1, 1}


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("n_rows", [12, 600])
def test_words_that_name_their_rows_in_regression(criterion, n_rows):
    """Two heaps of targets, which a split by names would part without any error."""
    rng = np.random.default_rng(n_rows)
    y = np.where(rng.random(n_rows) < 0.5, 0.0, 100.0)
    ids = Column("category", list(map(float, rng.permutation(n_rows))), n_rows)
    table = Table((ids,), tuple(y), 0)
    for penalty in ("none", "description"):
        chosen = replace(DESCRIBED, criterion=criterion, floor="none", penalty=penalty)
        assert "children" not in describe(engine_tree(table, chosen))
        both = replace(table, columns=(ids, Column("number", list(y))))
        assert describe(engine_tree(both, chosen))["column"] == 1


@given(table=tables(), chosen=described(), missing=st.sampled_from(["error", *STRATEGIES]), data=st.data())
def test_any_order_of_rows(table, chosen, missing, data):
    """With holes and without, by every strategy."""
    if missing == "surrogate":
        chosen = replace(chosen, grouping="binary")
    if missing != "error":
        table, chosen = data.draw(with_holes(table)), replace(chosen, missing=missing)
    other = table.take(data.draw(st.permutations(range(table.n_rows))))
    assert engine_tree(table, chosen).fingerprint() == engine_tree(other, chosen).fingerprint()


@pytest.mark.parametrize(
    "weighed",
    [
        {"class_weight": "balanced"},
        {"class_weight": {0: 1, 1: 5}},
        {"cost_matrix": [[0, 1], [5, 0]]},
        {"priors": "equal"},
    ],
)
def test_names_of_rows_are_not_split_whatever_the_rows_weigh(weighed):
    """Where weights are importances, a heavy row is still a single one."""
    draw = np.random.default_rng(5)
    names = np.array([[f"row {i}"] for i in range(300)], dtype=object)
    target = (draw.random(300) < 0.2).astype(int)
    assert MDLTreeClassifier(pruning=None, **weighed).fit(names, target).get_n_leaves() == 1
