"""Parameters that had other names in the first release: files tell of them by those names, and are read by them."""

import json

import pytest

from tests.store.models import file_of
from treewright import C45Classifier, TreeClassifier, TreeRegressor
from treewright.errors import ModelFormatError
from treewright.loading import load_bytes

X = [["a"], ["a"], ["b"], ["b"], ["c"], ["c"]]
Y = [0, 0, 1, 1, 0, 1]

NAMES = [
    (C45Classifier(grouping="each"), "group_values", False),
    (C45Classifier(grouping="greedy"), "group_values", True),
    (C45Classifier(grouping="least-loss"), "grouping", "least-loss"),
    (TreeClassifier(grouping="each"), "categories", "each"),
    (TreeClassifier(grouping="subset"), "categories", "subset"),
    (TreeClassifier(grouping="greedy"), "categories", "group"),
    (TreeClassifier(grouping="binary"), "grouping", "binary"),
    (TreeRegressor(grouping="each"), "categories", "each"),
    (TreeRegressor(grouping="binary"), "grouping", "binary"),
]
IDS = [f"{type(model).__name__}-{model.grouping}" for model, *_ in NAMES]


@pytest.mark.parametrize(("model", "name", "value"), NAMES, ids=IDS)
def test_a_file_has_the_name_of_the_release_that_first_had_the_value(model, name, value):
    data = file_of(model.fit(X, Y))
    told = json.loads(data)
    assert {n: told["parameters"].get(n) for n in ("group_values", "categories", "grouping", name)} == {
        **dict.fromkeys(("group_values", "categories", "grouping")),
        name: value,
    }
    assert told["plan"]["category"] == {"greedy": "group"}.get(model.grouping, model.grouping)
    again = load_bytes(data)
    assert again.get_params() == model.get_params()
    assert again._grown_by == model._grown_by
    assert file_of(again) == data


@pytest.mark.parametrize(
    ("model", "wrong", "said"),
    [
        (C45Classifier(), {"group_values": 1}, "parameters.group_values must be one of False, True"),
        (C45Classifier(), {"group_values": "greedy"}, "parameters.group_values must be one of False, True"),
        (C45Classifier(), {"grouping": "each"}, "parameters.group_values is unknown"),
        (TreeClassifier(), {"categories": "binary"}, "parameters.categories .* 'each', 'subset', 'group'"),
        (TreeRegressor(), {"categories": "group"}, "parameters.categories must be one of 'each', 'subset'"),
        (TreeRegressor(), {"categories": ["each"]}, "parameters.categories must be one of 'each', 'subset'"),
    ],
)
def test_what_the_first_release_did_not_know_is_refused(model, wrong, said):
    told = json.loads(file_of(model.fit(X, Y)))
    told["parameters"] |= wrong
    with pytest.raises(ModelFormatError, match=said):
        load_bytes(json.dumps(told).encode())
