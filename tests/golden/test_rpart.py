"""R's rpart 4.1.19 on the reference sets: every node of its frames is a node of ours, with or without missing values.

Column, number of rows and deviance of each node are compared, so surrogates have sent every row the same way.
"""

import pytest

from tests.golden.rpart import CONTROL, compare, frame, load_known, results
from treewright import CARTClassifier, CARTRegressor

SETS = [
    *(
        "anneal",
        "anneal_orig",
        "audiology",
        "auto_price",
        "autompg",
        "autompg_raw",
        "balance_scale",
        "bike_hour",
    ),
    *("breast_cancer", "breast_w", "california", "car", "cholesterol", "colic", "colic_orig", "cpu_vendor"),
    *("credit_a", "credit_data", "diabetes_reg", "digits", "ecoli", "fishcatch", "haberman", "heart_c"),
    *(
        "heart_statlog",
        "hepatitis",
        "hypothyroid",
        "ionosphere",
        "iris",
        "letter",
        "machine_cpu",
        "monks1_test",
    ),
    *(
        "monks1_train",
        "monks2_test",
        "monks3_test",
        "monks3_train",
        "mushroom",
        "page_blocks",
        "postoperative",
    ),
    *(
        "r8_crx_test",
        "r8_hypo_test",
        "r8_hypo_train",
        "r8_vote_test",
        "r8_vote_train",
        "rpart_car_test_frame",
    ),
    *(
        "rpart_kyphosis",
        "rpart_solder",
        "rpart_solder_balance",
        "satimage",
        "sensory",
        "tic_tac_toe",
        "titanic",
    ),
    *("vehicle", "vote", "wine", "winequality_white", "zoo"),
]

TRACED = {
    # Length1, Length2 and Length3 part these 28 fish alike (improve 525666.96); we take the first, rpart the last.
    "fishcatch": [(7, "Length1", "Length3")],
}
"""set: (node number, our column, rpart's) at each place that differs, with its cause in a comment."""


@pytest.mark.parametrize("name", SETS)
def test_frame(name, shared):
    one = results(shared)[name]
    estimator = CARTClassifier if one["task"] == "classification" else CARTRegressor
    tree = estimator(pruning=None, **CONTROL).fit(*load_known(shared, name)).tree_
    _, found = compare(tree, frame(one["frame"]))
    places = [(number, ours.column, theirs.column) for number, ours, theirs in found]
    assert places == TRACED.get(name, []), found


def test_no_set_is_left_out(shared):
    assert results(shared).keys() == set(SETS)
