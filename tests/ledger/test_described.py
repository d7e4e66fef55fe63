"""Ledgers of trees whose splits pay for their description: groupings, charges and the price of a name, by hand."""

import json
from math import log2

import numpy as np
import pandas as pd
import pytest

from tests.ledger.arithmetic import chains, value_of, wrong_steps
from tests.ledger.cases import GOLF, PLAY
from tests.page.reading import document
from treewright import ModelFormatError, TreeClassifier, load
from treewright.criteria import information_gain
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.grow.grower import grow
from treewright.grow.plan import Plan
from treewright.ledger.entries import entries
from treewright.ledger.lineage import Lineage
from treewright.ledger.record import NamingCost, floor_of
from treewright.ledger.worked.document import Formula
from treewright.ledger.worked.penalty_formulas import stirling
from treewright.ledger.worked.solution import SolutionRequest, worked_solution

PARTS = {"criterion": "entropy", "merit": "ratio", "floor": "description", "penalty": "description"}
OUTLOOK = [[5, 5], [0, 4]]
"""Rain and sunny against overcast: no, yes."""


def described(grouping="binary", **others):
    return TreeClassifier(**PARTS | {"grouping": grouping} | others)


def heavy(times, grouping="binary"):
    """Golf, every day so many times: the floor leaves the average behind."""
    return described(grouping, max_depth=1).fit(GOLF, PLAY, sample_weight=np.full(14, float(times)))


def faint():
    """A column that says much, and one that gains less than its name costs: 4000 rows, half of them yes."""
    rows = [("a", "p", "yes", 800), ("a", "q", "yes", 225), ("a", "p", "no", 200), ("a", "q", "no", 775),
            ("b", "p", "yes", 800), ("b", "q", "yes", 175), ("b", "p", "no", 200), ("b", "q", "no", 825)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["faint", "good", "y", "weight"])
    model = described("each", max_depth=1).fit(
        table[["faint", "good"]], table["y"], sample_weight=table["weight"]
    )
    return model, table


def test_golf_in_two_groups():
    """14 rows: the floor is the average, and a split pays for its grouping alone: log2(2^2 - 1) / 14."""
    ledger = described().fit(GOLF, PLAY).why()
    outlook = ledger["outlook"]
    assert [branch.stats for branch in outlook.branches] == [tuple(side) for side in OUTLOOK]
    assert outlook.penalty == pytest.approx(log2(3) / 14)
    assert outlook.gain == pytest.approx(information_gain(OUTLOOK) - log2(3) / 14)
    assert (outlook.n_values, ledger["windy"].n_values, ledger["windy"].penalty) == (3, 0, 0.0)
    assert ledger["temperature"].penalty == pytest.approx(log2(11) / 14)
    assert ledger.entry.average == pytest.approx((outlook.gain + ledger["windy"].gain) / 2)
    assert (ledger.entry.naming, ledger.entry.floor) == (None, ledger.entry.average)
    assert "in {rain, sunny} (2 groups of 3 values)" in str(ledger)


def test_a_grouping_that_its_charge_eats_up_is_shown():
    """Ten values that tell nothing much: groups, gain and charge are there, but no candidate."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"ten": rng.choice(list("abcdefghij"), 60), "half": np.arange(60) < 30})
    y = np.where(rng.random(60) < 0.5, "yes", "no")
    y[:30] = np.where(np.arange(30) < 27, "yes", "no")
    for grouping in ("binary", "subset"):
        ten = described(grouping).fit(table, y).why()["ten"]
        counts = [
            [int(np.sum(y[np.isin(table["ten"], group)] == c)) for c in ("no", "yes")]
            for group in groups(ten)
        ]
        assert [branch.stats for branch in ten.branches] == [tuple(map(float, side)) for side in counts]
        assert ten.penalty == pytest.approx(log2(2**9 - 1) / 60)
        assert ten.gain == pytest.approx(information_gain(counts) - ten.penalty)
        assert (ten.verdict, ten.n_values) == ("rejected", 10)
        assert ten.gain < 0
        raw, cost = ten.gain + ten.penalty, ten.penalty
        assert ten.reason == (
            f"its best grouping of 10 values gains {raw:.3g}, not more than the penalty of {cost:.3g} for describing it"
        )


def groups(one):
    """The categories of each branch, read from its words."""
    return [branch.words.partition("{")[2].strip("}").split(", ") for branch in one.branches]


@pytest.mark.parametrize(("times", "part"), [(1, 1.0), (100, 0.6), (200, 0.0)])
def test_the_floor_is_the_average_the_price_of_a_name_or_both(times, part):
    """Two classes: up to 500 rows a class the average, from 1000 on 0.9 log2(columns) / rows."""
    ledger = heavy(times).why()
    entry, rows = ledger.entry, 14 * times
    offered = [c.gain for c in entry.candidates if c.verdict != "rejected"]
    bit = 1.0 - part
    assert ledger["outlook"].penalty == pytest.approx((bit + log2(3)) / rows)
    assert ledger["windy"].penalty == pytest.approx(bit / rows, abs=1e-15)
    price = 0.9 * log2(len(offered)) / rows
    assert entry.floor == pytest.approx(part * sum(offered) / len(offered) + (1.0 - part) * price)
    assert (entry.average is None) == (part == 0.0)
    assert entry.naming == (None if part == 1.0 else NamingCost(len(offered), float(rows), part))


def test_what_the_floor_is_called():
    average, both, named = (" ".join(str(heavy(times).why()).split()) for times in (1, 100, 200))
    assert "Only columns with a gain of at least the average, 0.0805, are ranked." in average
    assert (
        "Only columns with a gain of at least 0.0729 are ranked: 0.6 of the average, 0.1207, and 0.4 of the cost of "
        "naming one of 4 columns, 0.9 log2(4) / 1400 = 0.00129." in both
    )
    assert (
        "Only columns with a gain of at least the cost of naming one of 4 columns, 0.9 log2(4) / 2800 = 0.000643, are "
        "ranked." in named
    )
    assert "*: chosen; -: below the floor" in both
    assert "the cost of naming one of 4 columns, 0.9 log2(4) / 2800" in heavy(200).why().to_html()


def test_a_column_below_the_price_of_its_name():
    """It gains 0.00045 - 1 / 4000, and one of two columns costs 0.9 / 4000."""
    model, table = faint()
    ledger = model.why()
    counts = pd.crosstab(table["faint"], table["y"], table["weight"], aggfunc="sum").to_numpy()
    one = ledger["faint"]
    assert one.gain == pytest.approx(information_gain(counts) - 1 / 4000)
    assert 0 < one.gain < 0.9 / 4000
    assert (one.verdict, one.merit, ledger["good"].verdict) == ("below", None, "chosen")
    assert one.reason == f"the gain {one.gain:.3g} is below 0.000225, the cost of naming one of 2 columns"
    assert "-: below the cost of naming a column" in str(ledger)
    solution = model.worked_solution()
    assert "faint" in solution.to_text()
    assert "below the naming cost" in solution.to_text()
    assert "naming cost = 0.9·log₂(2)/4000 ≈ 0.0002" in solution.to_text()
    assert "指明属性的代价 = 0.9·log₂(2)/4000 ≈ 0.0002" in model.worked_solution(language="zh").to_text()
    assert "低于指明属性的代价" in model.worked_solution(language="zh").to_text()


def test_names_of_rows_are_one_value():
    table = GOLF.assign(day=[f"day {i}" for i in range(14)])
    for grouping in ("binary", "least-loss"):
        day = described(grouping).fit(table, PLAY).why()["day"]
        assert (day.verdict, day.branches) == ("rejected", ())
        assert day.reason == "each value occurs in a single row, and such values count as one"
        chinese = (
            described(grouping).fit(table, PLAY).worked_solution(language="zh", columns=["day"]).to_text()
        )
        assert "每个取值只出现在一个样本中，这样的取值合计为一个。" in chinese
    assert described("each").fit(table, PLAY).why()["day"].verdict != "rejected"


def test_why_there_are_no_groups():
    """Values too rare for the leaf minimum, in each way to group them."""
    table = pd.DataFrame({"v": ["a"] * 10 + ["b"] * 2 + ["c"] * 2, "w": GOLF["windy"]})
    y, three = PLAY, ["no", "yes", "maybe"] * 4 + ["no", "yes"]
    said = {
        ("binary", 2): "ordered by their proportion of yes, those of a single row as one, no cut between two "
        "different values leaves at least 5 rows on both sides",
        ("binary", 3): "merged at the least loss, its values make no two groups of at least 5 rows",
        ("least-loss", 2): "however far its values are merged, no two groups have at least 5 rows",
        ("subset", 3): "no division of its values into two groups leaves at least 5 rows on both sides",
    }
    for (grouping, n_classes), words in said.items():
        model = described(grouping, min_samples_leaf=5, max_depth=1).fit(
            table, y if n_classes == 2 else three
        )
        assert model.why()["v"].reason == words


def formulas(solution):
    return [
        part.chain
        for section in solution.document.sections
        for part in section.parts
        if isinstance(part, Formula)
    ]


@pytest.mark.parametrize("times", [1, 100, 200])
@pytest.mark.parametrize("grouping", ["binary", "least-loss", "greedy", "subset", "each"])
def test_every_equation_holds_and_ends_with_the_charge(grouping, times):
    model = heavy(times, grouping)
    for language in ("en", "zh"):
        solution = model.worked_solution(language=language)
        assert [wrong_steps(chain) for chain in chains(solution) if wrong_steps(chain)] == []
        ends = [value_of(chain.rest[-1][1]) for chain in formulas(solution)]
        for one in model.why().candidates:
            assert one.penalty == 0 or one.penalty in ends
        floor = model.why().entry.floor
        assert floor in ends
    text = model.worked_solution(columns=["outlook"]).to_text()
    if grouping in ("binary", "subset"):
        bit = {1: "log₂(2² − 1)", 100: "(0.4000 + log₂(2² − 1))", 200: "(1 + log₂(2² − 1))"}[times]
        assert f"penalty = {bit}/{14 * times} ≈" in text


def test_stirling_numbers_are_written_out():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"v": rng.choice(list("abcdef"), 400)})
    y = np.where(rng.random(400) < np.where(table["v"] < "d", 0.9, 0.1), "yes", "no")
    model = described("least-loss", max_depth=1).fit(table, y)
    k = len(model.why()["v"].branches)
    assert 2 <= k < 6
    ways = {2: 31, 3: 90, 4: 65, 5: 15}[k]
    assert stirling(6, k) == ways
    assert model.why()["v"].penalty == pytest.approx(log2(ways) / 400)
    assert f"penalty = log₂(S(6, {k}))/400 = log₂({ways})/400 ≈" in model.worked_solution().to_text()


@pytest.mark.parametrize(("criterion", "base"), [("squared_error", 4.0), ("absolute_error", 2.0)])
def test_numbers_pay_a_part_of_the_loss_that_is_left(criterion, base):
    """b bits for each row are worth 4^b - 1 (2^b - 1) times the loss for each row that the split leaves."""
    rng = np.random.default_rng(1)
    values = np.column_stack([rng.normal(size=40), rng.integers(0, 4, 40)])
    y = 3.0 * (values[:, 1] < 2) + (values[:, 0] > 0) + rng.normal(size=40)
    columns = Column("x", Kind.NUMBER), Column("v", Kind.CATEGORY, tuple("abcd"))
    rows = Dataset(Schema(columns, Target("y", None)), values, y)
    plan = Plan(criterion=criterion, floor="description", penalty="description", grouping="binary")
    tree = grow(rows, plan)
    x, v = next(entries(rows, plan, tree, [0])).candidates
    more = 1 + log2(40) / 2  # a split, and one more answer
    for one, ways in ((x, 39), (v, 2**3 - 1)):
        assert one.penalty == pytest.approx(one.after * (base ** ((more + log2(ways)) / 40) - 1))
        assert one.gain == pytest.approx(one.raw_gain - one.penalty)
    for cut in x.cuts:
        left = (cut.low[2] + cut.high[2]) / 40
        assert cut.gain == pytest.approx(x.before - left - left * (base ** ((more + log2(39)) / 40) - 1))
    solution = worked_solution(rows, plan, Lineage(tree, tree), SolutionRequest(0))
    assert [wrong_steps(chain) for chain in chains(solution) if wrong_steps(chain)] == []
    assert {x.penalty, v.penalty} <= {value_of(chain.rest[-1][1]) for chain in formulas(solution)}
    assert "bits = (1 + 0.5·log₂(40) + log₂(39))/40 ≈" in solution.to_text()
    chinese = worked_solution(rows, plan, Lineage(tree, tree), SolutionRequest(0, language="zh"))
    assert "比特 = (1 + 0.5·log₂(40) + log₂(39))/40 ≈" in chinese.to_text()


def test_files_keep_it_and_the_first_release_did_not_have_it(tmp_path):
    path = tmp_path / "model.json"
    for times in (1, 100, 200):
        model = heavy(times)
        model.save(path, ledgers=True, overwrite=True)
        again, nodes = load(path), range(model.tree_.n_nodes)
        assert [again.why(node) for node in nodes] == [model.why(node) for node in nodes]
        assert [str(again.why(node)) for node in nodes] == [str(model.why(node)) for node in nodes]
        kept = json.loads(path.read_text("utf-8"))["ledgers"]
        assert ("naming_columns" in kept) == (times > 1)
        assert max(kept["n_values"]) == 3
    plain = described("each", penalty="cuts", floor="average").fit(GOLF, PLAY)
    plain.save(path, ledgers=True, overwrite=True)
    kept = json.loads(path.read_text("utf-8"))["ledgers"]
    assert not [name for name in kept if name.startswith("naming") or name == "n_values"]


def without(name):
    return lambda kept: kept.pop(name)


def changed(name, value):
    return lambda kept: kept.update({name: [value, *kept[name][1:]]})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without("naming_rows"), "naming_rows is missing"),
        (without("naming_columns"), "naming_columns is missing"),
        (changed("naming_columns", 5), "naming_columns must hold numbers from 0 to 4, got 5 at index 0"),
        (changed("naming_columns", 1.5), "naming_columns"),
        (changed("naming_rows", 0.0), "naming_rows is wrong at index 0: columns are named there"),
        (
            changed("naming_average_part", 1.5),
            r"naming_average_part must hold numbers from 0 to 1, got 1\.5 at index 0",
        ),
        (changed("n_values", -1), "n_values must hold numbers from 0 to 2147483648, got -1 at index 0"),
    ],
)
def test_damaged_files_are_refused(tmp_path, change, said):
    path = tmp_path / "model.json"
    heavy(100).save(path, ledgers=True)
    file = json.loads(path.read_text("utf-8"))
    change(file["ledgers"])
    path.write_text(json.dumps(file), "utf-8")
    with pytest.raises(ModelFormatError, match=said):
        load(path)


def test_the_page_has_the_price():
    ledger = document(heavy(100).to_html())["ledgers"]["0"]
    entry = heavy(100).why().entry
    assert ledger["naming"] == {
        "columns": 4,
        "rows": 1400,
        "price": pytest.approx(entry.naming.cost, rel=1e-6),
        "average_part": 0.6,
        "floor": pytest.approx(entry.floor, rel=1e-6),
    }
    assert "naming" not in document(heavy(1).to_html())["ledgers"]["0"]


def test_floors_add_up():
    assert floor_of(None, None) is None
    assert floor_of(0.2, NamingCost(4, 10.0, 0.25)) == pytest.approx(0.25 * 0.2 + 0.75 * 0.9 * 2 / 10)
