"""Critical value pruning of the degree tree, as John Mingers prints it (J. Opl Res. Soc. 38, 1987, 39-47).

112 students by class of degree: first, upper and lower second, third; nobody failed. Figure 1 is the tree at the
critical value 8, with the G of each split and the classes of each leaf; table 2 has leaves, degrees of freedom and G
of the tree at rising cut-offs. Where each leaf hangs follows from the G values: no other tree over these leaves in
this order has them. Cuts and names of categories do not matter, and stand in for those of the figure.
"""

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

from tests.golden.figures import as_printed
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import build, leaf, number, table
from treewright.prune.critical_value import CriticalValue, g_values

DEGREES = ("first", "upper second", "lower second", "third", "fail")
LEAVES = [
    [1, 0, 3, 0, 0],
    [0, 0, 14, 0, 0],
    [0, 3, 8, 2, 0],
    [0, 3, 18, 2, 0],
    [0, 1, 0, 2, 0],
    [0, 0, 3, 0, 0],
    [1, 9, 15, 0, 0],
    [0, 7, 2, 1, 0],
    [0, 1, 11, 2, 0],
    [1, 0, 2, 0, 0],
]
SCHEMA = Schema(
    (
        Column("qualification", Kind.CATEGORY, ("A-levels", "OND", "other")),
        Column("A-level score", Kind.NUMBER),
        Column("sex", Kind.CATEGORY, ("male", "female")),
        Column("O'maths", Kind.CATEGORY, ("a", "b", "c")),
        Column("O'levels", Kind.NUMBER),
    ),
    Target("degree", DEGREES),
)
# The splits as they are numbered, with G as printed and as it is.
QUALIFICATION, SCORE, SEX, MATHS, LEVELS_B, LEVELS_C, LEVELS = range(7)
PRINTED = {
    QUALIFICATION: ("8.84", 8.8440),
    SCORE: ("12.19", 12.1896),
    SEX: ("10.23", 10.2328),
    MATHS: ("7.99", 7.9862),
    LEVELS_B: ("8.55", 8.5517),
    LEVELS_C: ("2.30", 2.3006),
    LEVELS: ("8.32", 8.3178),
}


def degree_tree():
    hang = [leaf(dict(zip(DEGREES, counts, strict=True))) for counts in LEAVES]
    levels_b = number("O'levels", 6, hang[1], hang[2])
    levels_c = number("O'levels", 7, hang[3], number("O'levels", 8, hang[4], hang[5]))
    maths = table("O'maths", {"a": hang[0], "b": levels_b, "c": levels_c})
    sex = table("sex", {"male": maths, "female": hang[6]})
    score = number("A-level score", 9, sex, hang[7])
    return build(SCHEMA, table("qualification", {"A-levels": score, "OND": hang[8], "other": hang[9]}))


def inner(tree):
    """The splits in the order of PRINTED: level by level, and the two tests of O'levels under O'maths b and c."""
    return np.flatnonzero(tree.n_children).tolist()


@pytest.mark.parametrize("split", PRINTED)
def test_the_g_of_each_split(split):
    tree = degree_tree()
    assert tree.weight[0] == 112
    printed, exact = PRINTED[split]
    found = g_values(tree)[inner(tree)[split]]
    assert as_printed(found, 2) == printed
    assert as_printed(found, 4) == f"{exact:.4f}"


def test_the_g_of_the_tree_is_that_of_its_leaves_by_classes():
    found = g_values(degree_tree()).sum()
    assert as_printed(found, 4) == "58.4227"
    contingency = np.array(LEAVES)[:, :4]
    assert found == pytest.approx(chi2_contingency(contingency, lambda_="log-likelihood").statistic, rel=1e-13)


def test_at_8_a_weak_split_stays_on_the_way_to_a_strong_one():
    tree = degree_tree()
    pruned = CriticalValue(critical_value=8).prune(tree)
    assert pruned.tree == tree
    weak = pruned.report.of(inner(tree)[LEVELS_C])
    assert weak.verdict == "kept"
    assert as_printed(weak.details["own split"], 2) == "2.30"
    assert as_printed(weak.leaf, 2) == "8.32"
    # Both of what O'maths leads to are stronger than itself, which is below 8 too.
    assert pruned.report.of(inner(tree)[MATHS]).verdict == "kept"


@pytest.mark.parametrize(
    ("cut_off", "left", "leaves", "degrees", "g"),
    [
        (8, [QUALIFICATION, SCORE, SEX, MATHS, LEVELS_B, LEVELS_C, LEVELS], 10, 27, 58),
        (10, [QUALIFICATION, SCORE, SEX], 5, 12, 31),
        (12, [QUALIFICATION, SCORE], 4, 9, 21),
    ],
)
def test_table_2(cut_off, left, leaves, degrees, g):
    tree = degree_tree()
    pruned = CriticalValue(critical_value=cut_off).prune(tree)
    kept = [inner(tree)[split] for split in left]
    assert [d.node for d in pruned.report if d.verdict == "kept"] == sorted(kept, key=lambda i: (-tree.depths[i], i))
    assert pruned.tree.n_leaves == leaves
    assert as_printed(g_values(pruned.tree).sum(), 0) == str(g)
    path = CriticalValue().prune(tree).report.path
    line = int(np.searchsorted(path.cut_off, cut_off))
    assert (path.n_leaves[line], path.degrees[line]) == (leaves, degrees)
    assert as_printed(path.g[line], 0) == str(g)


def test_the_series_and_the_most_significant_tree():
    tree = degree_tree()
    report = CriticalValue(choose="significance").prune(tree).report
    path = report.path
    # 8.3178 takes O'levels under (c) and what follows, 8.5517 takes O'levels under (b) and with it O'maths, ...
    assert [as_printed(c, 4) for c in path.cut_off[:-1]] == ["8.3178", "8.5517", "10.2328", "12.1896"]
    assert path.n_leaves.tolist() == [10, 8, 5, 4, 1]
    assert path.degrees.tolist() == [27, 21, 12, 9, 0]
    assert path.log_p == pytest.approx([*chi2.logsf(path.g[:-1], path.degrees[:-1]), 0.0], rel=1e-12)
    assert path.chosen == 0
