"""The page says how a probability came about and what each answer costs, and answers as the estimator does."""

import pytest
from sklearn.base import clone

from tests.page.tables import GOLF, PLAY
from tests.page.test_browser_routes import assert_same
from treewright import C45Classifier

WAYS = {
    "laplace": {"probability": "laplace"},
    "m-estimate": {"probability": "m-estimate", "smoothing": 3},
    "shrinkage": {"probability": "shrinkage", "smoothing": 14},
    "costs": {"cost_matrix": {"stay": {"play": 3}}},
}


@pytest.fixture(scope="module")
def models():
    golf = C45Classifier(min_samples_leaf=1, pruning=None)
    return {name: clone(golf).set_params(**way).fit(GOLF, PLAY) for name, way in WAYS.items()}


@pytest.mark.parametrize(
    ("way", "said"),
    [
        # Overcast: 4 days, all of them play; at the root 9 of 14 are.
        ("laplace", "Probability of play: (4 + 1) / (4 + 2) = 83.3\u202f%."),
        ("m-estimate", "Probability of play: (4 + 1.929) / (4 + 3) = 84.7\u202f%."),
        (
            "shrinkage",
            "Probability of play: 100\u202f% at this node, shrunk towards its ancestors (λ = 14) to 82.1\u202f%.",
        ),
        # 0 of 4 stay: to say stay costs 1 each time, to say play nothing.
        ("costs", "The prediction with the lowest expected cost. Expected cost of each class: play 0, stay 1."),
    ],
)
def test_the_page_answers_as_the_estimator_and_a_node_says_how(visit, models, way, said):
    page = visit(models[way].to_html(language="en"))
    assert_same(page, models[way], GOLF)
    tree = models[way].tree_
    (node,) = (one.id for one in tree.walk() if one.branch_words == "outlook = overcast")
    page.ask("node => treewright.select(node)", node)
    page.settle()
    assert said in page.page.locator("body").inner_text()
