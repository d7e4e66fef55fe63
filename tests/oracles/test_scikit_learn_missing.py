"""Missing values that go where they gain most: scikit-learn's tree again, in growth and in prediction.

In: generated numeric tables with holes, and the numbers of the reference sets that have some. Out: no split that
differs for another reason than those named in peers.py, and rows with holes that end in the same leaf.

Where training met no missing value at a node, both programs send one to the larger branch, but scikit-learn counts
rows and takes the right one of two equal branches, while the rules of growth weigh rows and take the first. Rows that
meet such a node are left out, after it is checked that the node is one.
"""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from tests.oracles.peer_tables import CRITERIA, N_ROWS, generated, load_table
from tests.oracles.peers import ASKS_WHETHER_MISSING, Peers, Walk, grow_both, walk_both
from treewright import CARTClassifier
from treewright.predict.predictions import decision_paths, find_leaves

# Sets with missing cells in columns of numbers; only these columns are used.
SETS = [
    *("autompg", "autompg_raw", "autos", "breast_w", "cholesterol", "colic", "colic_orig", "credit_a"),
    *("credit_data", "cylinder_bands", "dermatology", "diabetes_missing", "heart_c"),
    *("heart_cleveland", "heart_h", "hepatitis", "hypothyroid", "labor", "ozone", "penguins", "rpart_car90"),
    *("rpart_car_test_frame", "rpart_stagec", "sick", "titanic_passengers"),
]


def with_holes(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A copy with holes: none in some columns, few or many in others, and more of them where the value is high."""
    holed = values.copy()
    for cells in holed.T:
        share = rng.choice([0.0, 0.05, 0.3, 0.8])
        high = cells > np.median(cells)
        cells[rng.random(len(cells)) < share * np.where(high, 1.5, 0.5)] = np.nan
    if rng.random() < 0.2:  # a column of one value or none
        at = rng.integers(holed.shape[1])
        holed[:, at] = np.where(rng.random(len(holed)) < 0.3, np.nan, 1.0)
    return holed


def turned_nodes(peers: Peers, walk: Walk) -> list[int]:
    """Our nodes whose missing values go the other way in scikit-learn's tree, each for the reason above."""
    ours, theirs = peers.ours, peers.theirs
    reached = decision_paths(ours, peers.values).toarray() > 0
    turned = []
    for i, j in walk.pairs.items():
        if int(ours.first_child[i]) not in walk.pairs:  # a leaf, or the two part here
            continue
        if (ours.missing_branch[i] == 0) == (theirs.missing_go_to_left[j] == 1):
            continue
        rows = reached[:, i] & (peers.weight > 0)
        low, high = int(ours.first_child[i]), int(ours.first_child[i]) + 1
        assert not np.isnan(peers.values[rows, ours.column[i]]).any(), (
            f"node {i} met missing values in training"
        )
        assert (ours.weight[low] >= ours.weight[high]) == (ours.missing_branch[i] == 0)
        assert (ours.count[low] > ours.count[high]) == (theirs.missing_go_to_left[j] == 1)
        turned.append(i)
    return turned


def compare_answers(peers: Peers, walk: Walk, asked: np.ndarray) -> int:
    """Check that rows end in the same leaf where the trees are the same; how many rows were compared."""
    asked = asked.astype(np.float32).astype(np.float64)
    passed = decision_paths(peers.ours, asked).toarray() > 0
    fair = np.ones(len(asked), dtype=bool)
    for i in turned_nodes(peers, walk):
        fair &= ~(passed[:, i] & np.isnan(asked[:, peers.ours.column[i]]))
    ours, theirs = find_leaves(peers.ours, asked), peers.theirs.apply(asked.astype(np.float32))
    compared = 0
    for row in np.flatnonzero(fair):
        paired = walk.pairs.get(int(ours[row]))
        if paired is None or peers.theirs.children_left[paired] != -1:
            continue  # below a tie, or where one of the two rounds
        assert paired == theirs[row], f"row {row} ends in {ours[row]}, scikit-learn's in {theirs[row]}"
        compared += 1
    return compared


def check_generated(seeds: range, criterion: str) -> tuple[int, int, int]:
    """Compare the trees and answers of generated tables; how many splits, ties and rows were met."""
    same = ties = compared = 0
    for seed in seeds:
        values, target, weight = generated(seed, criterion == "squared_error")
        rng = np.random.default_rng([seed, 1])
        peers = grow_both(with_holes(values, rng), target, criterion, weight)
        walk = walk_both(peers)
        assert not walk.faults, f"seed {seed}: {walk.faults}"
        holed = np.where(rng.random(values.shape) < 0.3, np.nan, values)  # in any column, full ones too
        compared += compare_answers(peers, walk, holed)
        same, ties = same + walk.same, ties + walk.ties
    return same, ties, compared


@pytest.mark.parametrize("criterion", CRITERIA)
def test_generated_tables(criterion):
    same, ties, compared = check_generated(range(150), criterion)
    assert same > 1000
    assert same > ties
    assert compared > 5000


@pytest.mark.long
@pytest.mark.parametrize("criterion", CRITERIA)
def test_many_generated_tables(criterion):
    check_generated(range(150, 5000), criterion)


@pytest.mark.parametrize("name", SETS)
def test_sets(shared, name):
    X, y = load_table(shared, name)
    X = X.select_dtypes("number")
    values = X.to_numpy(dtype=np.float64)
    assert np.isnan(values).any()
    if len(X) > N_ROWS:
        rows = np.sort(np.random.default_rng(0).permutation(len(X))[:N_ROWS])
        values, y = values[rows], y.iloc[rows]
    regression = y.dtype.kind in "fi"
    target = y.to_numpy(dtype=np.float64) if regression else np.unique(y, return_inverse=True)[1]
    holes = np.random.default_rng(1).random(values.shape) < 0.2
    for criterion in CRITERIA[2:] if regression else CRITERIA[:2]:
        peers = grow_both(values, target, criterion)
        walk = walk_both(peers)
        assert not walk.faults, f"{criterion}: {walk.faults[:3]} of {len(walk.faults)}"
        assert walk.same or walk.ties, walk
        compare_answers(peers, walk, values)
        compare_answers(peers, walk, np.where(holes, np.nan, values))


def test_whether_a_value_of_a_constant_column_is_missing():
    # Before version 1.8 scikit-learn takes such a column for constant and makes a leaf.
    values, target = np.array([[1.0], [1.0], [np.nan], [np.nan]]), np.array([0, 0, 1, 1])
    peers = grow_both(values, target, "gini")
    assert (peers.ours.n_nodes, peers.ours.threshold[0], peers.ours.missing_branch[0]) == (3, np.inf, 1)
    walk = walk_both(peers)
    assert (walk.same, walk.unseen, walk.faults) == (
        int(ASKS_WHETHER_MISSING),
        int(not ASKS_WHETHER_MISSING),
        [],
    )


def test_the_estimators_answer_alike(shared):
    X, y = load_table(shared, "breast_w")
    asked = X.mask(np.random.default_rng(2).random(X.shape) < 0.1)
    for depth in (1, 2, 3):  # no tie and no equal branches down to here
        ours = CARTClassifier(pruning=None, missing="learned", max_depth=depth).fit(X, y)
        theirs = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(asked), theirs.predict_proba(asked), rtol=1e-12)
