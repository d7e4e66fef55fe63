"""Every number of every candidate at every node is what the slow grower works out, for all algorithms and strategies.

In: seeds. Out: the same candidates, thresholds, verdicts and ties; gains, impurities, penalties, ratios and averages to
1e-9; the best cuts and how many tie, found by scoring every cut. Tables that rounding decides are left out, as in
test_missing.py.
"""

from dataclasses import replace
from random import Random

import pytest

from tests.oracles import ledgers
from tests.oracles.compare import dataset, engine_tree, plan
from tests.oracles.ledgers import check_entries, check_ledgers
from tests.oracles.missing_tables import make_holed
from tests.oracles.options import Options
from tests.oracles.plans import NAMED, STRATEGIES, random_limits, random_missing, random_options
from tests.oracles.tables import make_table
from treewright.ledger.entries import entries

BLOCK = 50


def check_named(name: str, numbers: range) -> int:
    nodes = 0
    for number in numbers:
        seed = ("ledger", name, number)
        options: Options = NAMED[name]
        if number % 2:
            options = random_limits(Random(f"limits {seed}"), options)
        nodes += check_ledgers(seed, make_table(seed, regression=options.is_regression), options)
    return nodes


def check_random(numbers: range) -> int:
    nodes = 0
    for number in numbers:
        regression, seed = number % 4 == 0, ("ledger", number)
        options = random_options(seed, regression=regression)
        nodes += check_ledgers(seed, make_table(seed, regression=regression), options)
    return nodes


def check_holed(missing: str, numbers: range) -> int:
    nodes = 0
    for number in numbers:
        regression, seed = number % 4 == 0, ("ledger", missing, number)
        options = random_missing(seed, missing=missing, regression=regression)
        nodes += check_ledgers(seed, make_holed(seed, regression=regression), options)
    return nodes


@pytest.mark.parametrize("name", NAMED)
def test_named_algorithms(name):
    assert check_named(name, range(6)) > 6


def test_random_options():
    assert check_random(range(40)) > 150


def check_heavy(numbers: range) -> dict[str, int]:
    """Rows that stand for many: the floor is the price of a name, the average, or a part of each."""
    nodes = dict.fromkeys(("nodes", "named", "both", "below", "grouped", "eaten"), 0)
    for number in numbers:
        seed, rng = ("heavy", number), Random(f"heavy {number}")
        table, options = make_table(seed), random_options(seed, regression=False)
        grouping = "subset" if options.criterion == "twoing" else rng.choice(["binary", "least-loss", "greedy"])
        options = replace(options, floor="description", penalty="description", grouping=grouping)
        rows_a_class = rng.choice([0, 0, 0, 750, 3000])
        times = round(rows_a_class * table.n_classes / (2 * len(table.target)))
        if times:  # otherwise the table is as small as it is, and penalties are high
            table = replace(table, weights=tuple(float(times * rng.randint(1, 3)) for _ in table.target))
        tree = engine_tree(table, options)
        found = list(entries(dataset(table), plan(options), tree, range(tree.n_nodes)))
        nodes["nodes"] += check_entries(seed, tree, found, table, options)
        for entry in found:
            nodes["named"] += entry.naming is not None and entry.average is None
            nodes["both"] += entry.naming is not None and entry.average is not None
            nodes["below"] += any(c.verdict == "below" for c in entry.candidates) and entry.naming is not None
            nodes["grouped"] += any(c.n_values > 2 for c in entry.candidates)
            nodes["eaten"] += any("for describing it" in c.reason for c in entry.candidates)
    return nodes


def test_the_price_of_a_name():
    seen = check_heavy(range(90))
    assert {what: n >= 3 for what, n in seen.items()} == dict.fromkeys(seen, True), seen


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_the_price_of_a_name_long(block):
    assert check_heavy(range(100 + BLOCK * block, 100 + BLOCK * (block + 1)))["nodes"] > BLOCK


@pytest.mark.parametrize("missing", STRATEGIES)
def test_missing_values(missing):
    assert check_holed(missing, range(16)) > 40


@pytest.mark.long
@pytest.mark.parametrize("block", range(8))
@pytest.mark.parametrize("name", NAMED)
def test_named_algorithms_long(name, block):
    assert check_named(name, range(BLOCK * block, BLOCK * (block + 1))) > BLOCK


@pytest.mark.long
@pytest.mark.parametrize("block", range(40))
def test_random_options_long(block):
    assert check_random(range(BLOCK * block, BLOCK * (block + 1))) > BLOCK


@pytest.mark.long
@pytest.mark.parametrize("block", range(16))
@pytest.mark.parametrize("missing", STRATEGIES)
def test_missing_values_long(missing, block):
    assert check_holed(missing, range(BLOCK * block, BLOCK * (block + 1))) > BLOCK


CHANGES = {
    "gain": lambda c: replace(c, gain=c.gain + 1e-6),
    "split_info": lambda c: replace(c, split_info=c.split_info * 1.001),
    "verdict": lambda c: replace(c, verdict="ranked"),
    "merit": lambda c: replace(c, merit=None),
    "before": lambda c: replace(c, before=c.before + 1e-6),
    "after": lambda c: replace(c, after=c.after + 1e-6),
    "charge": lambda c: replace(c, penalty=c.penalty + 1e-6),
    "threshold": lambda c: replace(c, threshold=1e9),
    "branches": lambda c: replace(c, branches=c.branches[::-1]),
    "cuts": lambda c: replace(c, cuts=(*c.cuts[1:], c.cuts[0])),
    "tied_cuts": lambda c: replace(c, tied_cuts=c.tied_cuts + 1),
    "gini_index": lambda c: replace(c, gini_index=c.gini_index + 1e-6),
    "rho": lambda c: replace(c, rho=0.5),
}


def test_the_comparison_sees_a_wrong_number():
    """A comparison is worth what it can find: one number changed at one node."""
    seed, options = 23, replace(NAMED["c45 release8"], max_depth=1)
    table = make_table(seed)
    tree = engine_tree(table, options)
    found = list(entries(dataset(table), plan(options), tree, range(tree.n_nodes)))
    assert check_entries(seed, tree, found, table, options)
    root = next(e for e in found if e.node == 0)
    assert root.chosen is not None
    assert root.candidates[root.chosen].n_cuts > 3
    for change in CHANGES.values():
        changed = tuple(change(c) if c.column == root.chosen else c for c in root.candidates)
        wrong = [replace(e, candidates=changed) if e.node == 0 else e for e in found]
        with pytest.raises(AssertionError, match="node 0"):
            check_entries(seed, tree, wrong, table, options)


def test_the_comparison_has_all_kinds_of_cases():
    """Ties of columns and of cuts, columns below the average, gains eaten by their penalty, cuts that are too small."""
    seen = {"tied": 0, "below": 0, "eaten": 0, "tied cuts": 0, "too small": 0, "asked above": 0, "no value": 0}
    for number in range(150):
        table, name = make_holed(number), list(NAMED)[number % 11]
        options = replace(NAMED[name], missing="fractional", min_leaf=2)
        tree = engine_tree(table, options)
        for entry in entries(dataset(table), plan(options), tree, range(tree.n_nodes)):
            for one in entry.candidates:
                seen["tied"] += one.verdict == "tied"
                seen["below"] += one.verdict == "below"
                seen["eaten"] += "penalty" in one.reason
                seen["tied cuts"] += one.tied_cuts > 0
                seen["too small"] += "at least" in one.reason
                seen["asked above"] += "a node above splits on" in one.reason
                seen["no value"] += "the value is missing in every row" in one.reason
    assert {what: n >= 10 for what, n in seen.items()} == dict.fromkeys(seen, True), seen
    assert ledgers.N_CUTS == 6


WRONG = {
    "columns": lambda e: replace(e, naming=replace(e.naming, n_columns=e.naming.n_columns + 1)),
    "rows": lambda e: replace(e, naming=replace(e.naming, rows=e.naming.rows * 1.001)),
    "part": lambda e: replace(e, naming=replace(e.naming, average_part=e.naming.average_part + 1e-6)),
    "no price": lambda e: replace(e, naming=None),
    "no average": lambda e: replace(e, average=None),
    "values": lambda e: replace(e, candidates=tuple(replace(c, n_values=2 * c.n_values) for c in e.candidates)),
}


@pytest.mark.parametrize("what", WRONG)
def test_the_comparison_sees_a_wrong_floor(what):
    """The same for a floor that is a part of the average and a part of the price of a name: 750 rows a class."""
    options = replace(NAMED["described in two"], max_depth=1)
    table = make_table(0)
    times = round(750 * table.n_classes / len(table.target))
    table = replace(table, weights=(float(times),) * len(table.target))
    tree = engine_tree(table, options)
    found = list(entries(dataset(table), plan(options), tree, range(tree.n_nodes)))
    assert check_entries("floor", tree, found, table, options)
    assert found[0].naming is not None
    assert found[0].naming.n_columns > 1
    assert any(c.n_values for c in found[0].candidates)
    with pytest.raises(AssertionError, match="node 0"):
        check_entries("floor", tree, [WRONG[what](found[0]), *found[1:]], table, options)
