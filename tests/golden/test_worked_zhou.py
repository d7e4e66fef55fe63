"""Every figure of Zhou's chapter on trees (机器学习, 第 4 章) in a worked solution.

A line of a table says under which heading the figure stands and beside which symbol, or in which row and column.
`book` is what is printed where it differs: the book rounds entropies to three digits before it goes on.
"""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from tests.golden.tables import WATERMELON_20, WATERMELON_20A, WATERMELON_30
from tests.golden.test_pruning_textbook import NAMES, TRAINING, VALIDATION
from tests.golden.worked_page import figures, page_of, printed
from treewright import C45Classifier, CARTClassifier, ID3Classifier

D, CHOICE = "The rows", "The choice"


def by_ratio(**parameters):
    return C45Classifier(variant="textbook", pruning=None, **parameters)


@cache
def solution(name, node=0):
    """The worked solution of a node of one of the trees below."""
    return MODELS[name]().worked_solution(node)


def melons_with_numbers():
    frame = WATERMELON_20.frame()
    frame.insert(0, "编号", pd.Categorical([str(i) for i in range(1, 18)], categories=[str(i) for i in range(1, 18)]))
    return frame


MODELS = {
    "2.0": lambda: by_ratio().fit(WATERMELON_20.frame(), WATERMELON_20.y),
    "2.0 with 编号": lambda: by_ratio().fit(melons_with_numbers(), WATERMELON_20.y),
    "2.0 by gain": lambda: ID3Classifier().fit(WATERMELON_20.frame(), WATERMELON_20.y),
    "2.0 in two": lambda: CARTClassifier(pruning=None).fit(WATERMELON_20.frame(), WATERMELON_20.y),
    "3.0": lambda: by_ratio().fit(WATERMELON_30.frame(), WATERMELON_30.y),
    "3.0 by gain": lambda: ID3Classifier(numeric="bisect").fit(WATERMELON_30.frame(), WATERMELON_30.y),
    "3.0 charged": lambda: C45Classifier(min_samples_leaf=1).fit(WATERMELON_30.frame(), WATERMELON_30.y),
    "2.0α": lambda: ID3Classifier(missing="fractional").fit(WATERMELON_20A.frame(), WATERMELON_20A.y),
}


def column(name, gain, info, ratio, index, *, book=()):
    """The four numbers of a column of 2.0; the first of each tuple is the exact figure to four digits."""
    return [
        figures(name, f"Gain(D, {name})", *gain, book=book),
        figures(name, f"IV({name})", *info),
        figures(name, f"GainRatio(D, {name})", ratio),
        figures(CHOICE, (name, "gain"), *gain, book=book),
        figures(CHOICE, (name, "IV"), *info),
        figures(CHOICE, (name, "gain ratio"), ratio),
        figures(CHOICE, (name, "Gini index"), index),
    ]


ROOT_20 = [
    figures(D, "Ent(D)", "0.9975", "0.998"),
    *column("色泽", ("0.1081",), ("1.5799", "1.580"), "0.0684", "0.4275", book="0.109"),
    *column("根蒂", ("0.1427", "0.143"), ("1.4021",), "0.1018", "0.4223"),
    *column("敲声", ("0.1408", "0.141"), ("1.3328",), "0.1056", "0.4235"),
    *column("纹理", ("0.3806", "0.381"), ("1.4466",), "0.2631", "0.2771"),
    *column("脐部", ("0.2892", "0.289"), ("1.5486", "1.549"), "0.1867", "0.3445"),
    *column("触感", ("0.0060", "0.006"), ("0.8740", "0.874"), "0.0069", "0.4941"),
    figures("色泽", "Ent(D¹)", "1.000"),
    figures("色泽", "Ent(D²)", "0.918"),
    figures("色泽", "Ent(D³)", "0.722"),
    figures("色泽", ("色泽 = 青绿", "Ent(Dᵛ)"), "1.000"),
    figures("色泽", ("色泽 = 乌黑", "Ent(Dᵛ)"), "0.918"),
    figures("色泽", ("色泽 = 浅白", "Ent(Dᵛ)"), "0.722"),
]
# log2 17 is 4.08746; the book's 4.088 is rounded twice.
NUMBERED = column("编号", ("0.9975", "0.998"), ("4.0875",), "0.2440", "0.0000", book="4.088")
CLEAR = [
    figures(D, "Ent(D)", "0.7642"),
    figures("色泽", "Gain(D, 色泽)", "0.043"),
    figures("根蒂", "Gain(D, 根蒂)", "0.458"),
    figures("敲声", "Gain(D, 敲声)", "0.331"),
    figures("脐部", "Gain(D, 脐部)", "0.458"),
    figures("触感", "Gain(D, 触感)", "0.458"),
    figures("根蒂", "GainRatio(D, 根蒂)", "0.3389"),
    figures("脐部", "GainRatio(D, 脐部)", "0.3389"),
    figures("触感", "GainRatio(D, 触感)", "0.4989"),
]
BLURRED = [
    figures(D, "Ent(D)", "0.7219"),
    figures("触感", "Gain(D, 触感)", "0.7219"),
    figures("色泽", "Gain(D, 色泽)", "0.3219"),
    figures("敲声", "Gain(D, 敲声)", "0.3219"),
    figures("脐部", "Gain(D, 脐部)", "0.1710"),
    figures("根蒂", "Gain(D, 根蒂)", "0.0729"),
]
IN_TWO = [
    figures(D, "Gini(D)", "0.4983"),
    *(
        figures(name, (value, f"Gini(D, {name} = v)"), shown)
        for name, value, shown in [
            ("纹理", "清晰", "0.2859"), ("脐部", "平坦", "0.3620"), ("纹理", "模糊", "0.4034"),
            ("脐部", "凹陷", "0.4151"), ("色泽", "浅白", "0.4373"), ("纹理", "稍糊", "0.4373"),
            ("根蒂", "硬挺", "0.4392"), ("敲声", "清脆", "0.4392"), ("敲声", "浊响", "0.4504"),
            ("根蒂", "蜷缩", "0.4559"), ("色泽", "乌黑", "0.4563"), ("触感", "硬滑", "0.4941"),
            ("触感", "软粘", "0.4941"), ("敲声", "沉闷", "0.4941"), ("根蒂", "稍蜷", "0.4958"),
            ("色泽", "青绿", "0.4973"), ("脐部", "稍凹", "0.4973"),
        ]
    ),
]  # fmt: skip
DENSITY = "0.244 0.294 0.3515 0.3815 0.42 0.459 0.5185 0.5745 0.6005 0.621 0.6365 0.648 0.6615 0.6815 0.708 0.7465"
SUGAR = "0.0495 0.074 0.095 0.101 0.126 0.155 0.1795 0.2045 0.213 0.226 0.2505 0.2655 0.2925 0.344 0.373 0.418"
ROOT_30 = [
    # The book writes the threshold as 0.381; the middle of 0.360 and 0.403 is 0.3815.
    figures("密度", "Gain(D, 密度, 0.3815)", "0.2624", "0.262", book="0.381"),
    figures("密度", "GainRatio(D, 密度, 0.3815)", "0.3334"),
    figures("密度", ("0.3815", "n₁"), "4"),
    figures("密度", ("0.3815", "n₂"), "13"),
    figures("密度", ("0.3815", "gain"), "0.2624"),
    figures("含糖率", "Gain(D, 含糖率, 0.126)", "0.3493", "0.349"),
    figures("含糖率", "GainRatio(D, 含糖率, 0.126)", "0.3997"),
    figures("含糖率", ("0.126", "n₁"), "5"),
    figures("含糖率", ("0.126", "n₂"), "12"),
    figures("含糖率", ("0.2045", "Gini index"), "0.2859"),
]
BY_GAIN_30 = [
    figures(CHOICE, (name, "gain"), *shown, book=book)
    for name, shown, book in [
        ("色泽", ("0.1081",), "0.109"), ("根蒂", ("0.143",), ()), ("敲声", ("0.141",), ()), ("纹理", ("0.381",), ()),
        ("脐部", ("0.289",), ()), ("触感", ("0.006",), ()), ("密度", ("0.262",), ()), ("含糖率", ("0.349",), ()),
    ]
]  # fmt: skip
CLEAR_30 = [figures("密度", "Gain(D, 密度, 0.3815)", "0.7642")]
CHARGED = [
    figures("密度", "penalty", "0.2353"),
    figures("含糖率", "penalty", "0.2353"),
    # Release 8 writes the largest value of the table below the middle as the threshold.
    figures("密度", "Gain_net(D, 密度, 0.36)", "0.0271"),
    figures("含糖率", "Gain_net(D, 含糖率, 0.103)", "0.1140"),
]
MISSING = [
    figures("色泽", "ρ", "0.8235"),
    figures("色泽", "Ent(D̃)", "0.9852", "0.985"),
    figures("色泽", ("色泽 = 青绿", "Ent(Dᵛ)"), "1.000"),
    figures("色泽", ("色泽 = 乌黑", "Ent(Dᵛ)"), "0.918"),
    figures("色泽", ("色泽 = 浅白", "Ent(Dᵛ)"), "0.000"),
    figures("色泽", "Gain(D̃, 色泽)", "0.3060", "0.306"),
    figures("色泽", "Gain(D, 色泽)", "0.2520", "0.252"),
    *(
        figures(name, f"{left}, {name})", *shown)
        for name, raw, all_rows in [
            ("根蒂", ("0.1940",), ("0.1712", "0.171")),
            ("敲声", ("0.1641",), ("0.1448", "0.145")),
            ("纹理", ("0.4800",), ("0.4236", "0.424")),
            ("脐部", ("0.3273",), ("0.2888", "0.289")),
            ("触感", ("0.0065",), ("0.0057", "0.006")),
        ]
        for left, shown in (("Gain(D̃", raw), ("Gain(D", all_rows))
    ),
]
TABLES = {
    ("2.0", 0): ROOT_20,
    ("2.0 with 编号", 0): NUMBERED,
    ("2.0", 1): CLEAR,
    ("2.0", 2): BLURRED,
    ("2.0 in two", 0): IN_TWO,
    ("3.0", 0): ROOT_30,
    ("3.0 by gain", 0): BY_GAIN_30,
    ("3.0 by gain", 1): CLEAR_30,
    ("3.0 charged", 0): CHARGED,
    ("2.0α", 0): MISSING,
}
LINES = [(key, line) for key, lines in TABLES.items() for line in lines]


@pytest.mark.parametrize(("key", "line"), LINES, ids=[f"{k[0]} {k[1]} {v.where} {v.shown[0]}" for k, v in LINES])
def test_figures(key, line):
    assert printed(solution(*key), line) == line.shown


@pytest.mark.parametrize(("name", "thresholds"), [("密度", DENSITY), ("含糖率", SUGAR)])
def test_all_thresholds(name, thresholds):
    parts = page_of(solution("3.0"), 4).sections[name]
    (cuts,) = [part for part in parts if part.get("head", [""])[0] == "cut t"]
    assert [line[0] for line in cuts["rows"]] == thresholds.split()
    assert [line[0] for line in cuts["rows"] if line[-1] == "best"] == [{"密度": "0.3815", "含糖率": "0.126"}[name]]


def test_the_fractions_of_the_entropies():
    """The book's own line: Ent(D) = -(8/17 log2 8/17 + 9/17 log2 9/17) = 0.998."""
    said = page_of(solution("2.0 by gain"), 3).formula(D, "Ent(D)")
    assert said == "Ent(D) = −(9/17·log₂(9/17) + 8/17·log₂(8/17)) ≈ 0.998"


def test_the_price_of_sixteen_cuts():
    assert page_of(solution("3.0 charged"), 4).formula("密度", "penalty") == "penalty = log₂(16)/17 ≈ 0.2353"


def test_ties():
    """Three columns tie at 清晰, and the book takes 根蒂; at the root of the pruning example 脐部 ties with 色泽."""
    said = str(solution("2.0 by gain", 1))
    assert "根蒂 and 脐部, 触感 tie with the highest gain; the first in the table" in said
    assert "chosen: 根蒂." in said
    said = str(pruning_root())
    assert "脐部 and 色泽 tie with the highest gain; the first in the table is chosen: 脐部." in said


def test_known_shares_and_the_shares_of_melons_8_and_10():
    page = page_of(solution("2.0α"), 4)
    assert page.formula("色泽", "ρ").startswith("ρ = |D̃|/|D| = 14/17 ≈ ")
    for name in ("根蒂", "敲声", "纹理", "脐部", "触感"):
        assert page.formula(name, "ρ").startswith("ρ = |D̃|/|D| = 15/17 ≈ ")
    (rows,) = [part["rows"] for part in page.sections["Rows with a missing value"] if "rows" in part]
    shares = {line[0]: line[1].split()[0] for line in rows}
    assert shares == {"纹理 = 清晰": "7/15", "纹理 = 稍糊": "5/15", "纹理 = 模糊": "3/15"}


# Section 4.3: ten melons grow the tree, seven prune it.
@cache
def pruning_tree():
    X, y = WATERMELON_20.frame()[list(NAMES)], np.where(np.array(WATERMELON_20.y) == "是", "1 是", "2 否")
    at = np.array(TRAINING) - 1
    return ID3Classifier().fit(X.iloc[at], y[at])


@cache
def pruned(method, **parameters):
    X, y = WATERMELON_20.frame()[list(NAMES)], np.where(np.array(WATERMELON_20.y) == "是", "1 是", "2 否")
    at = np.array(VALIDATION) - 1
    return pruning_tree().pruned(method, X_val=X.iloc[at], y_val=y[at], **dict(parameters))


TRAINING_GAINS = [
    figures(CHOICE, (name, "gain"), *shown)
    for name, shown in [
        ("脐部", ("0.2755",)), ("色泽", ("0.2755",)), ("敲声", ("0.1735",)), ("纹理", ("0.1735",)),
        ("根蒂", ("0.1145",)), ("触感", ("0.0000", "0.0")),
    ]
] + [figures(D, "Ent(D)", "1.0")]  # fmt: skip


@cache
def pruning_root():
    return pruning_tree().worked_solution()


@pytest.mark.parametrize("line", TRAINING_GAINS, ids=lambda line: f"{line.where} {line.shown[0]}")
def test_training_gains(line):
    assert printed(pruning_root(), line) == line.shown


PRE, POST = "Pruning: pre-pruning", "Pruning: reduced error"
# node of the grown tree: before, after, verdict
SPLITS = {0: ("42.9%", "71.4%", "split"), 1: ("71.4%", "57.1%", "do not split"), 2: ("71.4%", "71.4%", "do not split")}
LEAVES = {
    11: ("42.9%", "57.1%", "prune"),
    8: ("57.1%", "57.1%", "keep the split"),
    1: ("57.1%", "71.4%", "prune"),
    2: ("71.4%", "71.4%", "keep the split"),
    0: ("71.4%", "42.9%", "keep the split"),
}
FRACTIONS = {"42.9%": "3/7", "57.1%": "4/7", "71.4%": "5/7"}


@pytest.mark.parametrize("node", SPLITS)
def test_pre_pruning(node):
    model = pruned("pre_pruning")
    page = page_of(model.worked_solution(node, grown=True), 4)
    before, after, decision = SPLITS[node]
    for when, share in (("before", before), ("after", after)):
        left = f"validation accuracy {when} the split"
        assert page.formula(PRE, left) == f"{left} = {FRACTIONS[share]} ≈ {share}"
    assert f"Pre-pruning decision: {decision}." in page.text


@pytest.mark.parametrize("node", LEAVES)
def test_post_pruning(node):
    model = pruned("reduced_error", ties="keep")
    page = page_of(model.worked_solution(node, grown=True), 4)
    before, after, decision = LEAVES[node]
    for left, share in (("validation accuracy before pruning", before), ("validation accuracy after pruning", after)):
        assert page.formula(POST, left) == f"{left} = {FRACTIONS[share]} ≈ {share}"
    assert f"Post-pruning decision: {decision}." in page.text


@pytest.mark.parametrize(
    ("method", "parameters", "section", "walk", "training"),
    [
        ("pre_pruning", {}, PRE, "from 42.9%, the root as a leaf, to 71.4%", "70%"),
        ("reduced_error", {"ties": "keep"}, POST, "from 42.9% to 71.4%", "80%"),
        ("reduced_error", {}, POST, "from 42.9% to 71.4%", "70%"),
    ],
)
def test_the_whole_tree(method, parameters, section, walk, training):
    page = page_of(pruned(method, **parameters).worked_solution(), 4)
    assert walk in page.text
    assert page.last(section, "training accuracy of the grown tree") == ["100%"]
    assert page.last(section, "training accuracy of the pruned tree") == [training]


def test_the_walk_in_chinese():
    said = pruned("reduced_error", ties="keep").worked_solution(language="zh").to_text()
    assert "剪枝前验证集精度 = 5/7 ≈ 71.4%" in said
    assert "剪枝后验证集精度 = 3/7 ≈ 42.9%" in said
    assert "后剪枝决策：不剪枝。" in said
    assert "脐部 = 稍凹 且 根蒂 = 稍蜷 且 色泽 = 乌黑" in said
