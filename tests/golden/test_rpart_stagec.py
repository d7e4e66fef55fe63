"""rpart's summary of stagec: every printed split, surrogate, count and share of the nodes it lists.

The figures are rpart 4.1.19's, with the call of its vignette: progstat ~ age + eet + g2 + grade + gleason + ploidy.
Where rpart prints "to the left" its first branch is that of the low values; our branch 0 always is.
"""

import numpy as np
import pandas as pd
import pytest

from tests.golden.figures import as_printed
from tests.golden.rpart import CONTROL, compare, frame, importance, inner, surrogates
from tests.golden.shapes import branch_categories
from treewright import CARTClassifier, CARTRegressor
from treewright.data.dataset import Dataset
from treewright.data.encode import read_table
from treewright.data.schema import Schema
from treewright.data.target import encode_classes
from treewright.grow.candidates import root_candidates

COLUMNS = ["age", "eet", "g2", "grade", "gleason", "ploidy"]
PLOIDY = ["diploid", "tetraploid", "aneuploid"]

# node: (rows, classes No and Prog), then the primary splits: column, cut (categories of one side), improve to seven
# digits, missing
PRIMARY = {
    1: (
        (146, [92, 54]),
        [("grade", 2.5, 10.35759, 0), ("gleason", 5.5, 8.399574, 3), ("ploidy", {"diploid"}, 7.656533, 0),
         ("g2", 13.2, 7.186766, 7), ("age", 58.5, 1.388128, 0)],
    ),
    3: (
        (85, [40, 45]),
        [("g2", 13.2, 2.178136, 6), ("ploidy", {"diploid"}, 1.983483, 0), ("age", 56.5, 1.659608, 0),
         ("gleason", 8.5, 1.638655, 0), ("eet", 1.5, 0.1086108, 1)],
    ),
    7: (
        (45, [17, 28]),
        [("g2", 17.91, 5.241483, 1), ("age", 62.5, 0.8640576, 0), ("gleason", 7.5, 0.21159, 0),
         ("eet", 1.5, 0.1280042, 1)],
    ),
}  # fmt: skip

# node: surrogates: column, (cut, branch of the low side) or the branch of each category, agree, adj
SURROGATES = {
    1: [("gleason", (5.5, 0), "0.863", "0.672"),
        ("ploidy", {"diploid": 0, "tetraploid": 1, "aneuploid": 1}, "0.644", "0.148"),
        ("g2", (9.945, 0), "0.630", "0.115"), ("age", (66.5, 1), "0.589", "0.016")],
    3: [("ploidy", {"diploid": 0, "tetraploid": 1, "aneuploid": 0}, "0.962", "0.914"),
        ("age", (68.5, 1), "0.608", "0.114"), ("gleason", (6.5, 0), "0.582", "0.057")],
    7: [("age", (61.5, 0), "0.614", "0.190"), ("eet", (1.5, 0), "0.591", "0.143"),
        ("grade", (3.5, 0), "0.545", "0.048"), ("gleason", (6.5, 0), "0.545", "0.048")],
}  # fmt: skip

FRAME = """
    1|grade|146|54; 2|<leaf>|61|9; 3|g2|85|40; 6|ploidy|40|17; 12|g2|31|11; 24|<leaf>|7|1; 25|g2|24|10;
    50|<leaf>|17|5; 51|<leaf>|7|2; 13|<leaf>|9|3; 7|g2|45|17; 14|age|22|8; 28|<leaf>|15|4; 29|<leaf>|7|3;
    15|<leaf>|23|3"""

ANOVA = """
    1|grade|146|34.0274; 2|g2|61|7.672131; 4|<leaf>|40|1.9; 5|<leaf>|21|4.666667; 3|g2|85|21.17647;
    6|<leaf>|40|9.775; 7|g2|45|10.57778; 14|<leaf>|22|5.090909; 15|<leaf>|23|2.608696"""


def stagec(shared):
    table = pd.read_csv(shared / "data" / "rpart_stagec.csv")
    X = table[COLUMNS].assign(ploidy=pd.Categorical(table["ploidy"], categories=PLOIDY))
    return X, table["pgstat"]


@pytest.fixture(scope="module")
def grown(shared):
    """The table, its classes, the model, and our node of each of rpart's."""
    X, status = stagec(shared)
    y = np.where(status == 1, "Prog", "No")
    model = CARTClassifier(pruning=None, **CONTROL).fit(X, y)
    nodes, found = compare(model.tree_, frame(FRAME))
    assert not found, found
    return X, y, model, nodes


@pytest.mark.parametrize("number", PRIMARY)
def test_primary_splits(number, grown):
    X, y, model, nodes = grown
    (n_rows, counts), printed = PRIMARY[number]
    rows = model.decision_path(X)[:, nodes[number]].toarray().ravel() == 1
    assert rows.sum() == n_rows == model.tree_.count[nodes[number]]
    assert model.tree_.stats[nodes[number]].tolist() == counts
    table = read_table(X[rows])
    target, codes = encode_classes(y[rows])
    dataset = Dataset(Schema(table.columns, target), table.values, codes)
    # eet has a split of the root too, but rpart prints five.
    found = sorted(root_candidates(dataset, model.plan()), key=lambda c: -c.gain)[:5]
    assert [c.name for c in found] == [name for name, *_ in printed]
    for candidate, (name, cut, improve, n_missing) in zip(found, printed, strict=True):
        assert float(f"{n_rows * candidate.gain:.7g}") == improve
        assert X[rows][name].isna().sum() == n_missing
        if isinstance(cut, float):
            assert candidate.threshold == pytest.approx(cut, rel=1e-12)
        else:
            alone = CARTClassifier(pruning=None, max_depth=1, **CONTROL).fit(X[rows][[name]], y[rows]).tree_
            assert set(branch_categories(alone, 0)[0]) == cut
    assert found[0].chosen


@pytest.mark.parametrize("number", SURROGATES)
def test_surrogate_splits(number, grown):
    *_, model, nodes = grown
    found = surrogates(model.tree_, nodes[number])
    printed = [(name, test) for name, test, *_ in SURROGATES[number]]
    assert [(name, test) for name, test, *_ in found] == [
        (name, pytest.approx(test, rel=1e-12) if isinstance(test, tuple) else test) for name, test in printed
    ]
    shares = [(as_printed(agree, 3), as_printed(adjusted, 3)) for *_, agree, adjusted in found]
    assert shares == [(agree, adjusted) for *_, agree, adjusted in SURROGATES[number]]


def test_rows_sent_by_surrogates(grown):
    # Six rows without g2 are sent by ploidy at node 3, and one by age at node 7.
    X, _, model, nodes = grown
    paths = model.decision_path(X).toarray()
    for number, column, n_sent in ((3, "ploidy", 6), (7, "age", 1)):
        node = nodes[number]
        first = model.tree_.first_child[node]
        sent = np.flatnonzero((paths[:, node] == 1) & X["g2"].isna())
        assert len(sent) == n_sent
        for row in sent:
            value = X[column].iloc[row]
            to = int(value == "tetraploid") if column == "ploidy" else int(value > 61.5)
            assert paths[row, first : first + 2].tolist() == [1 - to, to]


def test_importance(grown):
    # rpart prints shares of a hundred.
    tree = grown[2].tree_
    found = importance(tree, inner(tree, FRAME))
    shares = {name: round(100 * value / sum(found.values())) for name, value in found.items()}
    assert shares == {"g2": 30, "grade": 28, "gleason": 20, "ploidy": 13, "age": 7, "eet": 2}


def test_anova(shared):
    X, status = stagec(shared)
    tree = CARTRegressor(pruning=None, **CONTROL).fit(X, status).tree_
    assert compare(tree, frame(ANOVA))[1] == []
    assert tree.value[0, 0] == pytest.approx(0.3698630, abs=5e-8)
