"""Zhou, Machine Learning (机器学习), section 4.4.2: data set 2.0 alpha, with 13 missing cells.

The book scores a column on the rows that know it and multiplies by their share ρ; melons without the value go down all
branches with a share of their weight each.
"""

import numpy as np
import pytest

from tests.golden.figures import agrees
from tests.golden.tables import WATERMELON_20A
from treewright import C45Classifier, ID3Classifier, TreeClassifier
from treewright.criteria import contingency, entropy, gain_ratio, information_gain, intrinsic_value
from treewright.data.dataset import Dataset
from treewright.data.encode import read_table
from treewright.data.schema import Schema
from treewright.data.target import encode_classes
from treewright.grow.candidates import root_candidates

# column: known melons; counts (是, 否) of its values; gain among them; Gain(D, a) as the book prints it, and exact
ROOT = {
    "色泽": (14, {"乌黑": (4, 2), "青绿": (2, 2), "浅白": (0, 4)}, ("0.306", 0.30595849287), ("0.252", 0.25196581766)),
    "根蒂": (15, {"蜷缩": (5, 2), "稍蜷": (3, 3), "硬挺": (0, 2)}, ("0.1940", 0.19400203332), ("0.171", 0.17117826469)),
    "敲声": (15, {"浊响": (5, 3), "沉闷": (2, 3), "清脆": (0, 2)}, ("0.1641", 0.1641099656), ("0.145", 0.14480291083)),
    "纹理": (15, {"清晰": (6, 1), "稍糊": (1, 4), "模糊": (0, 3)}, ("0.4800", 0.48003497035), ("0.424", 0.42356026795)),
    "脐部": (15, {"凹陷": (5, 2), "稍凹": (2, 2), "平坦": (0, 4)}, ("0.3273", 0.32733536665), ("0.289", 0.28882532352)),
    "触感": (15, {"硬滑": (5, 5), "软粘": (2, 3)}, ("0.0065", 0.0064747671634), ("0.006", 0.0057130298501)),
}  # fmt: skip

X, Y = WATERMELON_20A.frame(), WATERMELON_20A.y
MISSING_TEXTURE = [7, 9]
"""Melons 8 and 10 of the book."""

BY_GAIN = [
    ID3Classifier(missing="fractional"),
    C45Classifier(pruning=None, variant="textbook", criterion="gain"),
    TreeClassifier(criterion="entropy", grouping="each"),
]
IDS = ["ID3", "C4.5", "general"]


def candidates(estimator):
    """The candidates of the root by name, as growth sees them."""
    table = read_table(X)
    target, codes = encode_classes(Y)
    dataset = Dataset(Schema(table.columns, target), table.values, codes)
    return {c.name: c for c in root_candidates(dataset, estimator.plan())}


def known(column):
    rows = WATERMELON_20A.known(column)
    return contingency(rows[column], rows.y)


def test_entropies_of_colour():
    assert agrees(14 / 17, "0.824", 14 / 17)
    assert agrees(entropy([6, 8]), "0.985", 0.98522813603)
    assert agrees(entropy([2, 2]), "1.000", 1.0)
    assert agrees(entropy([4, 2]), "0.918", 0.91829583405)
    assert agrees(entropy([0, 4]), "0.000", 0.0)


@pytest.mark.parametrize("column", ROOT)
def test_gain_among_the_known_times_their_share(column):
    n_known, counts, raw, gain = ROOT[column]
    table = known(column)
    assert len(WATERMELON_20A.known(column).rows) == n_known
    assert {b: tuple(table.row(b)) for b in table.branches} == counts
    assert agrees(information_gain(table), *raw)
    assert agrees(n_known / 17 * information_gain(table), *gain)


@pytest.mark.parametrize("estimator", BY_GAIN, ids=IDS)
def test_growth_sees_the_same_gains(estimator):
    found = candidates(estimator)
    assert found.keys() == ROOT.keys()
    assert all(agrees(found[column].gain, *gain) for column, (*_, gain) in ROOT.items())
    assert [column for column, c in found.items() if c.chosen] == ["纹理"]


def test_split_information_of_the_textbook_is_that_of_the_known():
    found = candidates(C45Classifier(pruning=None, variant="textbook"))
    for column, (n_known, *_) in ROOT.items():
        table = known(column)
        assert found[column].split_info == pytest.approx(intrinsic_value(table), rel=1e-12)
        if not np.isnan(found[column].merit):  # at least average gain
            assert found[column].merit == pytest.approx(n_known / 17 * gain_ratio(table), rel=1e-12)
    assert agrees(found["纹理"].merit, "0.2813", 0.28128155817)


def test_split_information_of_release_8_counts_the_missing_as_one_more_branch():
    found = candidates(C45Classifier(pruning=None))
    for column, (n_known, counts, *_) in ROOT.items():
        weights = [sum(pair) for pair in counts.values()]
        assert found[column].split_info == pytest.approx(entropy([*weights, 17 - n_known]), rel=1e-12)
    assert agrees(found["纹理"].merit, "0.2288", 0.22879976906)


@pytest.mark.parametrize("estimator", [*BY_GAIN, C45Classifier(pruning=None)], ids=[*IDS, "C4.5 release 8"])
def test_melons_without_texture_go_down_all_branches(estimator):
    model = estimator.fit(X, Y)
    tree = model.tree_
    assert tree.schema.columns[tree.column[0]].name == "纹理"
    assert tree.n_children[0] == 3
    clear, blurred, dim = range(tree.first_child[0], tree.first_child[0] + 3)
    shares = [7 / 15, 5 / 15, 3 / 15]
    path = model.decision_path(X.iloc[MISSING_TEXTURE]).toarray()
    np.testing.assert_allclose(path[:, [clear, blurred, dim]], [shares] * 2, rtol=1e-12)
    np.testing.assert_allclose(path[:, 0], 1)
    # Melon 8 is good and melon 10 is not: each branch has a share of both.
    known_counts = {clear: (6, 1), blurred: (1, 4), dim: (0, 3)}
    for node, share in zip(known_counts, shares, strict=True):
        bad, good = tree.stats[node]
        assert (good, bad) == pytest.approx([n + share for n in known_counts[node]], rel=1e-12)
        assert tree.count[node] == sum(known_counts[node]) + 2
        assert tree.weight[node] == pytest.approx(sum(known_counts[node]) + 2 * share, rel=1e-12)
