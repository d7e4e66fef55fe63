"""What columns may do: stand in another order, be constant, come twice, be stretched or turned round."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.invariants.partitions import alike, judged, same_partitions, sent_tree
from tests.invariants.strategies import finite, options, tables, tables_and_options
from tests.oracles.compare import check_same, describe, engine_tree
from tests.oracles.options import CART, Column
from tests.oracles.tables import Table


@given(case=tables_and_options(collapse=False), data=st.data())
def test_any_order_of_columns(case, data):
    """The same tree up to the numbers of columns, as far as no two columns tie."""
    table, chosen = case
    order = data.draw(st.permutations(range(len(table.columns))))
    other = replace(table, columns=tuple(table.columns[i] for i in order))
    same_partitions(
        sent_tree(table, chosen),
        sent_tree(other, chosen),
        judged(table, chosen),
        tied=("tied_columns",),
        column=order.index,
    )


@given(case=tables_and_options(weights="eighths"), data=st.data())
def test_constant_column(case, data):
    """A column with one value changes nothing, wherever it stands."""
    table, chosen = case
    kind = data.draw(st.sampled_from(["number", "ordered", "category"]))
    constant = Column(kind, [1.0] * table.n_rows, 0 if kind == "number" else 3)
    place = data.draw(st.integers(0, len(table.columns)))
    other = replace(table, columns=(*table.columns[:place], constant, *table.columns[place:]))
    plain, wider = (describe(engine_tree(t, chosen)) for t in (table, other))
    alike(plain, wider, column=lambda c: c + (c >= place))


@given(case=tables_and_options(), data=st.data())
def test_a_column_twice(case, data):
    """Of two equal columns the first wins. An average over columns would count both, so none is taken."""
    table, chosen = case
    chosen = replace(chosen, floor="none")
    again = data.draw(st.integers(0, len(table.columns) - 1))
    other = replace(table, columns=(*table.columns, table.columns[again]))
    alike(describe(engine_tree(table, chosen)), describe(engine_tree(other, chosen)))


def stretched(column: Column, steps: list[float]) -> Column:
    """The column with its distinct values replaced by others in the same order."""
    new, height = {}, -3.0
    for value, step in zip(sorted(set(column.values)), steps, strict=False):
        height += step
        new[value] = height
    return replace(column, values=[new[v] for v in column.values])


@given(
    case=tables_and_options(weights="eighths"), steps=st.lists(st.floats(1e-3, 1e6), min_size=20, max_size=20)
)
def test_monotone_transform(case, steps):
    """Only the order of a number matters: everything but thresholds stays, ties included."""
    table, chosen = case
    columns = tuple(stretched(c, steps) if c.kind == "number" else c for c in table.columns)
    one, two = sent_tree(table, chosen), sent_tree(replace(table, columns=columns), chosen)
    alike(one, two, keys=("rows", "stats", "branch_of"))


@given(table=tables(), chosen=options(collapse=False))
def test_numbers_turned_round(table, chosen):
    """-x parts the rows as x does, as far as nothing ties."""
    columns = tuple(
        replace(c, values=[-v for v in c.values]) if c.kind == "number" else c for c in table.columns
    )
    other = replace(table, columns=columns)
    same_partitions(
        sent_tree(table, chosen),
        sent_tree(other, chosen),
        judged(table, chosen),
        tied=("tied_columns", "tied_cuts"),
    )


@given(table=tables(kinds=("number",), numbers=finite), threshold=st.sampled_from(["midpoint", "value"]))
def test_thresholds_part_their_rows(table, threshold):
    """a <= t < b at every node, for any finite floats."""
    tree = sent_tree(table, replace(CART, threshold=threshold))
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        assert node["count"] == len(node["rows"])
        if "children" not in node:
            continue
        values = sorted({table.columns[node["column"]].values[r] for r in node["rows"]})
        assert any(a <= node["threshold"] < b for a, b in pairwise(values))
        if threshold == "value":
            assert node["threshold"] in table.columns[node["column"]].values
        nodes += node["children"]


@given(table=tables(kinds=("number",), weights="eighths"), chosen=options())
def test_cuts_at_class_boundaries_are_enough(table, chosen):
    """The oracle scores every cut; the engine may leave out those inside a run of one class."""
    check_same("drawn", table, chosen)


@given(labels=st.lists(st.integers(0, 2), min_size=2, max_size=30), min_leaf=st.integers(1, 6))
def test_cuts_inside_a_run(labels, min_leaf):
    """With a leaf minimum the best admissible cut may lie inside a run of one class."""
    table = Table((Column("number", [float(i) for i in range(len(labels))]),), tuple(labels), 3)
    for criterion in ("gini", "entropy", "twoing"):
        check_same(labels, table, replace(CART, criterion=criterion, min_leaf=min_leaf))
