"""What names may do: categories and classes in other words or another order, tables grow the same tree."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import treewright
from tests.invariants.partitions import alike, full_branches, judged, same_partitions, sent_tree
from tests.invariants.strategies import options, tables, tables_and_options
from tests.oracles.compare import dataset, describe, plan
from tests.oracles.options import CART, TEXTBOOK
from tests.oracles.tables import Table
from treewright.grow.grower import grow

WORDS = ["ash", "beech", "cedar", "oak", "pine", "yew"]
LATER_WORDS = ["一", "丁", "七", "万", "丈", "三"]


def recoded(table: Table, orders: list[list[int]]) -> Table:
    """The table with code k of category column i written as orders[i][k]."""
    columns = tuple(
        replace(c, values=[float([o for o in order if o < c.n_categories][int(v)]) for v in c.values])
        if c.kind == "category"
        else c
        for c, order in zip(table.columns, orders, strict=False)
    )
    return replace(table, columns=columns)


@given(case=tables_and_options(collapse=False), data=st.data())
def test_any_order_of_categories(case, data):
    """Another order of the categories parts the rows alike, as far as nothing ties.

    The smallest minimums, because a tie among groups could decide whether a column has a candidate at all.
    """
    table, chosen = case
    chosen = replace(chosen, min_leaf=1, min_split=2)
    orders = [data.draw(st.permutations(range(6))) for _ in table.columns]
    other = recoded(table, orders)
    same_partitions(
        sent_tree(table, chosen),
        sent_tree(other, chosen),
        judged(table, chosen),
        tied=("tied_columns", "tied_cuts"),
    )


@given(table=tables(weights="eighths"), chosen=options(collapse=False), data=st.data())
def test_any_order_of_classes(table, chosen, data):
    """Another order of the classes parts the rows alike, as far as nothing ties."""
    order = data.draw(st.permutations(range(table.n_classes)))
    other = replace(table, target=tuple(order[c] for c in table.target))
    same_partitions(
        sent_tree(table, chosen),
        sent_tree(other, chosen),
        judged(table, chosen),
        tied=("tied_columns", "tied_cuts"),
    )


@given(table=tables(), grouping=st.sampled_from(["subset", "greedy", "least-loss", "binary"]))
def test_categories_that_never_occur(table, grouping):
    """Categories between the others that no row has, in columns where absent ones have no branch of their own."""
    chosen = replace(CART if grouping in ("subset", "binary") else TEXTBOOK, grouping=grouping)
    columns = tuple(
        replace(c, values=[2 * v + 1 for v in c.values], n_categories=2 * c.n_categories + 1)
        if c.kind == "category" and c.n_categories > 2
        else c
        for c in table.columns
    )
    one, two = sent_tree(table, chosen), sent_tree(replace(table, columns=columns), chosen)
    alike(full_branches(one), full_branches(two), keys=("rows", "stats", "threshold"))


def frame(table: Table, words: list[str]) -> pd.DataFrame:
    """The table as people write it: words for categories, and ordered ones with their order."""
    cells = {}
    for i, column in enumerate(table.columns):
        if column.kind == "number":
            cells[f"c{i}"] = np.array(column.values)
            continue
        ordered, known = column.kind == "ordered", words[: column.n_categories]
        written = [words[int(v)] for v in column.values]
        cells[f"c{i}"] = pd.Categorical(written, categories=known, ordered=ordered)
    return pd.DataFrame(cells)


@pytest.mark.parametrize(
    "make",
    [
        lambda: treewright.ID3Classifier(numeric="bisect"),
        treewright.C45Classifier,
        lambda: treewright.C45Classifier(pruning=None, variant="textbook", grouping="greedy"),
        treewright.CARTClassifier,
        treewright.MDLTreeClassifier,
    ],
    ids=["id3", "release8", "groups", "cart", "mdl"],
)
@given(table=tables())
def test_other_words_in_the_same_order(make, table):
    """Renaming categories and classes without changing their order changes words and nothing else."""
    assume(len(set(table.target)) > 1)
    trees = []
    for words in (WORDS, LATER_WORDS):
        labels = [words[int(c)] for c in table.target]
        trees.append(describe(make().fit(frame(table, words), labels).tree_))
    alike(*trees)


@given(case=tables_and_options())
def test_names_leave_no_trace_in_the_numbers(case):
    """The same arrays under other names: the same numbers in the tree."""
    table, chosen = case
    plain = dataset(table)
    columns = [
        replace(c, name=f"列{i}", categories=tuple(("x", k) for k in range(c.n_categories)))
        for i, c in enumerate(plain.schema.columns)
    ]
    target = replace(plain.schema.target, name="目标", classes=tuple(range(table.n_classes)) or None)
    renamed = replace(plain, schema=replace(plain.schema, columns=tuple(columns), target=target))
    one, two = (describe(grow(d, plan(chosen))) for d in (plain, renamed))
    alike(one, two, keys=("count", "stats", "threshold", "branch_of", "gain", "merit"))
