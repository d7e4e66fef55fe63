"""Zhou, Machine Learning (机器学习), chapter 4: data sets 2.0 and 3.0."""

import numpy as np
import pytest

from tests.golden.figures import agrees, as_printed
from tests.golden.tables import WATERMELON_20, WATERMELON_30, WATERMELON_30A
from treewright.criteria import (
    at_least_average,
    contingency,
    cut_penalty,
    entropy,
    gain_ratio,
    gini,
    gini_index,
    information_gain,
    intrinsic_value,
)
from treewright.criteria.split_scores import best_cut, candidate_cuts, one_against_rest, score_cuts

# column: counts (是, 否) of its values; Gain, IV, gain ratio, Gini index, each as printed to 4 digits and exact
ROOT = {
    "色泽": (
        {"青绿": (3, 3), "乌黑": (4, 2), "浅白": (1, 4)},
        ("0.1081", 0.10812516527),
        ("1.5799", 1.5798634011),
        ("0.0684", 0.068439565846),
        ("0.4275", 0.42745098039),
    ),
    "根蒂": (
        {"蜷缩": (5, 3), "稍蜷": (3, 4), "硬挺": (0, 2)},
        ("0.1427", 0.14267495957),
        ("1.4021", 1.4020814028),
        ("0.1018", 0.10175939805),
        ("0.4223", 0.42226890756),
    ),
    "敲声": (
        {"浊响": (6, 4), "沉闷": (2, 3), "清脆": (0, 2)},
        ("0.1408", 0.14078143361),
        ("1.3328", 1.3328204046),
        ("0.1056", 0.10562670944),
        ("0.4235", 0.42352941176),
    ),
    "纹理": (
        {"清晰": (7, 2), "稍糊": (1, 4), "模糊": (0, 3)},
        ("0.3806", 0.38059189737),
        ("1.4466", 1.4466479595),
        ("0.2631", 0.26308535872),
        ("0.2771", 0.27712418301),
    ),
    "脐部": (
        {"凹陷": (5, 2), "稍凹": (3, 3), "平坦": (0, 4)},
        ("0.2892", 0.28915878284),
        ("1.5486", 1.548565226),
        ("0.1867", 0.18672689918),
        ("0.3445", 0.34453781513),
    ),
    "触感": (
        {"硬滑": (6, 6), "软粘": (2, 3)},
        ("0.0060", 0.0060464891766),
        ("0.8740", 0.87398104813),
        ("0.0069", 0.0069183298534),
        ("0.4941", 0.49411764706),
    ),
}


def table_of(data, column):
    return contingency(data[column], data.y)


def gains(data, columns):
    return {c: information_gain(table_of(data, c)) for c in columns}


def test_entropies_of_section_4_2_1():
    assert agrees(entropy([8, 9]), "0.998", 0.99750254637)
    assert agrees(gini([8, 9]), "0.4983", 0.49826989619)
    assert agrees(entropy([3, 3]), "1.000", 1.0)
    assert agrees(entropy([4, 2]), "0.918", 0.91829583405)
    assert agrees(entropy([1, 4]), "0.722", 0.72192809489)


@pytest.mark.parametrize("column", ROOT)
def test_root_of_data_set_20(column):
    counts, gain, value, ratio, index = ROOT[column]
    table = table_of(WATERMELON_20, column)
    assert table.classes == ("是", "否")
    assert {b: tuple(table.row(b)) for b in table.branches} == counts
    assert agrees(information_gain(table), *gain)
    assert agrees(intrinsic_value(table), *value)
    assert agrees(gain_ratio(table), *ratio)
    assert agrees(gini_index(table), *index)


def test_gains_as_the_book_rounds_them():
    printed = {"根蒂": "0.143", "敲声": "0.141", "纹理": "0.381", "脐部": "0.289", "触感": "0.006"}
    found = gains(WATERMELON_20, WATERMELON_20.features)
    assert {c: as_printed(found[c], 3) for c in printed} == printed
    assert max(found, key=found.get) == "纹理"


def test_the_printed_gain_of_colour_comes_from_rounded_entropies():
    # The book prints 0.109; the exact gain is 0.1081. Its own three-digit entropies give 0.109.
    assert as_printed(information_gain(table_of(WATERMELON_20, "色泽")), 3) == "0.108"
    book = 0.998 - (6 / 17 * 1.000 + 6 / 17 * 0.918 + 5 / 17 * 0.722)
    assert as_printed(book, 3) == "0.109"


def test_intrinsic_values_as_printed():
    for column, printed in (("触感", "0.874"), ("色泽", "1.580")):
        assert as_printed(intrinsic_value(table_of(WATERMELON_20, column)), 3) == printed
    # 脐部 is printed as 1.549.
    assert as_printed(intrinsic_value(table_of(WATERMELON_20, "脐部")), 3) == "1.549"


def test_the_number_column_shows_why_gain_alone_is_not_enough():
    table = contingency(range(1, 18), WATERMELON_20.y)
    assert agrees(information_gain(table), "0.998", 0.99750254637)
    # The book prints 4.088; log2(17) is 4.0875 to four digits and 4.087 to three.
    assert agrees(intrinsic_value(table), "4.0875", 4.0874628413)
    assert agrees(gain_ratio(table), "0.2440", 0.24403953873)
    assert gini_index(table) == 0.0


def test_columns_of_at_least_average_gain():
    found = gains(WATERMELON_20, WATERMELON_20.features)
    ranked = at_least_average(list(found.values()))
    assert [c for c, kept in zip(found, ranked, strict=True) if kept] == ["纹理", "脐部"]


def test_node_of_clear_texture():
    node = WATERMELON_20.where("纹理", "清晰")
    assert agrees(entropy([7, 2]), "0.7642", 0.76420450651)
    found = gains(node, node.features)
    assert agrees(found["色泽"], "0.043", 0.043068395878)
    assert agrees(found["敲声"], "0.331", 0.33085622541)
    for column in ("根蒂", "脐部", "触感"):  # three columns tie; the book goes on with 根蒂
        assert agrees(found[column], "0.458", 0.45810589516)
    assert agrees(gain_ratio(table_of(node, "根蒂")), "0.3389", 0.33892493595)
    assert agrees(gain_ratio(table_of(node, "脐部")), "0.3389", 0.33892493595)
    assert agrees(gain_ratio(table_of(node, "触感")), "0.4989", 0.4988652656)


def test_node_of_slightly_blurred_texture():
    node = WATERMELON_20.where("纹理", "稍糊")
    assert agrees(entropy([1, 4]), "0.7219", 0.72192809489)
    found = gains(node, node.features)
    assert agrees(found["触感"], "0.7219", 0.72192809489)
    assert agrees(found["色泽"], "0.3219", 0.32192809489)
    assert agrees(found["敲声"], "0.3219", 0.32192809489)
    assert agrees(found["脐部"], "0.1710", 0.17095059445)
    assert agrees(found["根蒂"], "0.0729", 0.07290559532)


def test_gini_of_each_value_against_the_rest():
    expected = {
        ("纹理", "清晰"): ("0.2859", 0.28594771242),
        ("脐部", "平坦"): ("0.3620", 0.36199095023),
        ("纹理", "模糊"): ("0.4034", 0.40336134454),
        ("脐部", "凹陷"): ("0.4151", 0.41512605042),
        ("色泽", "浅白"): ("0.4373", 0.43725490196),
        ("纹理", "稍糊"): ("0.4373", 0.43725490196),
        ("根蒂", "硬挺"): ("0.4392", 0.43921568627),
        ("敲声", "清脆"): ("0.4392", 0.43921568627),
        ("敲声", "浊响"): ("0.4504", 0.45042016807),
        ("根蒂", "蜷缩"): ("0.4559", 0.45588235294),
        ("色泽", "乌黑"): ("0.4563", 0.45632798574),
        ("触感", "硬滑"): ("0.4941", 0.49411764706),
        ("触感", "软粘"): ("0.4941", 0.49411764706),
        ("敲声", "沉闷"): ("0.4941", 0.49411764706),
        ("根蒂", "稍蜷"): ("0.4958", 0.49579831933),
        ("色泽", "青绿"): ("0.4973", 0.49732620321),
        ("脐部", "稍凹"): ("0.4973", 0.49732620321),
    }
    found = {
        (column, split.branch0[0]): split.gini_index
        for column in WATERMELON_20.features
        for split in one_against_rest(WATERMELON_20[column], WATERMELON_20.y)
    }
    assert found.keys() == expected.keys()
    assert all(agrees(found[key], *expected[key]) for key in expected)
    assert min(found, key=found.get) == ("纹理", "清晰")


DENSITY_CUTS = [
    0.244, 0.294, 0.3515, 0.3815, 0.420, 0.459, 0.5185, 0.5745,
    0.6005, 0.621, 0.6365, 0.648, 0.6615, 0.6815, 0.708, 0.7465,
]  # fmt: skip
SUGAR_CUTS = [
    0.0495, 0.074, 0.095, 0.101, 0.126, 0.155, 0.1795, 0.2045,
    0.213, 0.226, 0.2505, 0.2655, 0.2925, 0.344, 0.373, 0.418,
]  # fmt: skip


@pytest.mark.parametrize("data", [WATERMELON_30, WATERMELON_30A], ids=["3.0", "3.0 alpha"])
def test_candidate_cuts_of_data_set_30(data):
    np.testing.assert_allclose(candidate_cuts(data["密度"]), DENSITY_CUTS, rtol=1e-12)
    np.testing.assert_allclose(candidate_cuts(data["含糖率"]), SUGAR_CUTS, rtol=1e-12)


@pytest.mark.parametrize("data", [WATERMELON_30, WATERMELON_30A], ids=["3.0", "3.0 alpha"])
def test_best_cuts_of_data_set_30(data):
    density = score_cuts(data["密度"], data.y)
    at = density.best
    # The book prints the threshold as 0.381.
    assert density.threshold[at] == pytest.approx(0.3815, rel=1e-12)
    assert agrees(density.gain[at], "0.262", 0.2624392604)
    assert agrees(density.ratio[at], "0.3334", 0.33341430083)
    assert (density.low[at].sum(), density.high[at].sum()) == (4, 13)

    sugar = score_cuts(data["含糖率"], data.y)
    at = sugar.best
    assert sugar.threshold[at] == pytest.approx(0.126, rel=1e-12)
    assert agrees(sugar.gain[at], "0.349", 0.34929372233)
    assert agrees(sugar.ratio[at], "0.3997", 0.3996582341)
    assert (sugar.low[at].sum(), sugar.high[at].sum()) == (5, 12)

    by_gini = score_cuts(data["含糖率"], data.y, "gini_decrease")
    assert by_gini.threshold[by_gini.best] == pytest.approx(0.2045, rel=1e-12)
    assert agrees(by_gini.gini_index[by_gini.best], "0.2859", 0.28594771242)


def test_texture_is_the_root_of_data_set_30():
    words = gains(WATERMELON_30, WATERMELON_20.features)
    numbers = {c: best_cut(WATERMELON_30[c], WATERMELON_30.y)[1] for c in ("密度", "含糖率")}
    found = {**words, **numbers}
    assert {c: as_printed(g, 3) for c, g in found.items()} == {
        "色泽": "0.108",  # the book prints 0.109, see above
        "根蒂": "0.143",
        "敲声": "0.141",
        "纹理": "0.381",
        "脐部": "0.289",
        "触感": "0.006",
        "密度": "0.262",
        "含糖率": "0.349",
    }
    assert max(found, key=found.get) == "纹理"


def test_density_separates_the_clear_melons():
    node = WATERMELON_30.where("纹理", "清晰")
    threshold, gain = best_cut(node["密度"], node.y)
    assert threshold == pytest.approx(0.3815, rel=1e-12)
    assert agrees(gain, "0.7642", 0.76420450651)


def test_charge_of_release_8_on_data_set_30():
    charge = cut_penalty(len(DENSITY_CUTS), len(WATERMELON_30.y))
    assert agrees(charge, "0.2353", 0.23529411765)
    for column, printed, exact in (
        ("密度", "0.0271", 0.2624392604 - 4 / 17),
        ("含糖率", "0.1140", 0.34929372233 - 4 / 17),
    ):
        assert agrees(best_cut(WATERMELON_30[column], WATERMELON_30.y)[1] - charge, printed, exact)
