"""The binary view: its arrays predict as the tree, rows that it cannot route are refused with node and setting."""

import re

import numpy as np
import pandas as pd
import pytest

from tests.export.walk import mixed, models
from treewright import C45Classifier, CARTClassifier, ID3Classifier, TreeRegressor
from treewright.errors import ExportError, InputError, ParameterError, UnseenCategoryWarning
from treewright.export.binary_view import MISSING, SET, UNSEEN, VALUE, as_binary, binary_probes
from treewright.export.check import Predicted, compare
from treewright.export.probe_rows import make_probes
from treewright.export.scoring import scoring_of

NAMES = list(models())
EXPRESSED = {"id3", "c45 majority", "cart", "cart stop", "cart learned", "cart branch", "single leaf"}
"""Models whose missing values and unseen categories a binary tree routes as the model does."""


@pytest.fixture(scope="module")
def fitted():
    return models()


def answers(binary, values):
    found = binary.value[binary.apply(binary.encode_codes(values)), 0]
    nodes = binary.node[binary.apply(binary.encode_codes(values))]
    if binary.scoring.is_regression:
        return Predicted(None, found)
    codes = binary.scoring.tree.predicted_class[nodes]
    return Predicted([binary.scoring.classes[code] for code in codes], found)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("missing", ["auto", "refuse"])
def test_it_predicts_as_the_tree(fitted, name, missing):
    binary = as_binary(scoring_of(fitted[name]), missing)
    probes = binary_probes(binary, fitted[name]._kept.values)
    assert len(probes.values) > 150
    compare(probes, answers(binary, probes.values), "binary view", tolerance=0.0)


@pytest.mark.parametrize("name", NAMES)
def test_which_missing_values_it_can_express(fitted, name):
    scoring = scoring_of(fitted[name])
    if name in EXPRESSED:
        binary, probes = as_binary(scoring, "keep"), make_probes(scoring)
        assert not binary.obstacles
        compare(probes, answers(binary, probes.values), "binary view", tolerance=0.0)
    elif name == "cart refused":  # it refuses what the model refuses
        assert as_binary(scoring, "keep").obstacles
    else:
        with pytest.raises(ExportError, match=r"^Node \d+ sends a row .*; pass rows .* missing_predict='majority'"):
            as_binary(scoring, "keep")


@pytest.mark.parametrize("name", NAMES)
def test_the_arrays_are_those_of_a_binary_tree(fitted, name):
    binary = as_binary(scoring_of(fitted[name]))
    inner = np.flatnonzero(binary.children_left >= 0)
    assert sorted([0, *binary.children_left[inner], *binary.children_right[inner]]) == list(range(binary.node_count))
    assert (binary.children_left[inner] == inner + 1).all()
    assert (binary.children_right[inner] > inner + 1).all()
    assert binary.node_count == 2 * binary.n_leaves - 1
    assert (binary.feature[inner] >= 0).all()
    assert (np.delete(binary.feature, inner) == -2).all()
    assert binary.value.shape == (binary.node_count, 1, binary.n_classes[0])
    depth = {0: 0}
    for i in inner.tolist():
        depth[binary.children_left[i]] = depth[binary.children_right[i]] = depth[i] + 1
    assert max(depth.values()) == binary.max_depth
    weight = binary.weighted_n_node_samples
    below = weight[binary.children_left] + weight[binary.children_right]
    assert below[inner] == pytest.approx(weight[inner], rel=1e-9)
    if not binary.scoring.is_regression:
        assert binary.value.sum(axis=2) == pytest.approx(1)


def test_a_chain_for_three_branches_keeps_the_order_of_the_leaves():
    rows = [["r"], ["s"], ["t"]] * 4
    model = ID3Classifier(pruning=None).fit(rows, [1, 2, 3] * 4)
    binary = as_binary(scoring_of(model))
    assert binary.feature_names == ["x0 = s", "x0 = t"]
    leaves = binary.children_left == -1
    assert binary.value[leaves, 0].argmax(axis=1).tolist() == [0, 1, 2]
    assert binary.threshold[~leaves].tolist() == [0.5, 0.5]
    assert binary.n_node_samples.tolist() == [12, 8, 4, 4, 4]
    assert binary.impurity == pytest.approx([np.log2(3), 1, 0, 0, 0])


def test_the_impurity_of_a_link_is_that_of_its_rows():
    rows = [["r"], ["s"], ["t"]] * 2
    model = TreeRegressor(grouping="each", missing="fractional", pruning=None).fit(rows, [1.0, 2.0, 6.0, 3.0, 4.0, 8.0])
    binary = as_binary(scoring_of(model))
    expected = [[1, 2, 6, 3, 4, 8], [1, 2, 3, 4], [1, 3], [2, 4], [6, 8]]
    assert binary.impurity == pytest.approx([np.var(y) for y in expected])
    assert binary.value.ravel() == pytest.approx([np.mean(y) for y in expected])


def test_ordered_categories_are_compared_by_code():
    X, _, _ = mixed(missing=0)
    model = CARTClassifier(min_samples_leaf=20, pruning=None).fit(X[["grade"]], X["grade"] == "low")
    binary = as_binary(scoring_of(model))
    assert [column.kind for column in binary.columns] == [VALUE]
    assert binary.threshold[0] == 0.5
    assert binary.encode(pd.DataFrame({"grade": ["high", "low"]})).tolist() == [[2.0], [0.0]]


def test_the_kinds_of_coded_columns(fitted):
    kinds = {name: {one.kind for one in as_binary(scoring_of(fitted[name])).columns} for name in NAMES}
    assert kinds["c45"] == {VALUE, SET}
    assert kinds["cart branch"] == {VALUE, SET, MISSING}
    assert kinds["c45 majority"] == {VALUE, SET, UNSEEN}
    assert kinds["cart stop"] == {VALUE, SET, MISSING}


def test_a_table_is_encoded_and_numbers_are_summed_by_column(fitted):
    X, _, _ = mixed(missing=0)
    binary = as_binary(scoring_of(fitted["c45"]))
    coded = binary.encode(X)
    assert coded.shape == (300, binary.n_features)
    city = [i for i, column in enumerate(binary.columns) if column.position == 2]
    assert (coded[:, city].sum(axis=1) <= 1).all()
    assert (coded[:, binary.feature_names.index("city = Oslo")] == (X.city == "Oslo")).all()
    sums = binary.decode_columns(np.ones((2, binary.n_features, 3)))
    assert sums.shape == (2, 4, 3)
    assert sums[0, :, 0].tolist() == [1, 1, len(city), 1]


def test_a_missing_value_that_cannot_be_routed_is_refused_by_row_and_column(fitted):
    X, _, _ = mixed(missing=0)
    X.loc[7, "city"] = None
    with pytest.raises(ExportError, match=r"^Row 7 has a missing value in column 'city'\. Node 0 .* every branch"):
        as_binary(scoring_of(fitted["c45"])).encode(X)
    with pytest.raises(ExportError, match="made with missing='refuse'"):
        as_binary(scoring_of(fitted["cart learned"]), "refuse").encode(X)
    with pytest.raises(InputError, match="'city' has a missing value"):
        as_binary(scoring_of(fitted["cart refused"])).encode(X)
    assert np.isnan(as_binary(scoring_of(fitted["cart"])).encode(X)[7]).any()


def test_unseen_categories():
    X, y, _ = mixed()
    model = C45Classifier(missing_predict="majority", unseen_category="stop", min_samples_leaf=5).fit(X, y)
    strange = mixed(n=1, missing=0)[0].assign(city="Paris")
    with pytest.warns(UnseenCategoryWarning, match="stops at the node"):
        coded = as_binary(scoring_of(model)).encode(strange)
    assert np.isnan(coded).any()
    learned = CARTClassifier(missing="learned", unseen_category="majority", min_samples_leaf=5, pruning=None).fit(X, y)
    with pytest.raises(ExportError, match=r"unseen category in column 'grade' down another branch.*; set unseen_"):
        as_binary(scoring_of(learned), "keep")


def test_columns_in_another_order_and_unknown_handlings_are_refused(fitted):
    X, _, _ = mixed(missing=0)
    with pytest.raises(InputError, match="Column 0 of the table is 'city'"):
        as_binary(scoring_of(fitted["c45"])).encode(X[["city", "age", "income", "grade"]])
    with pytest.raises(ParameterError, match="missing must be one of 'auto', 'refuse', 'keep'"):
        as_binary(scoring_of(fitted["c45"]), "skip")


def test_only_used_columns_can_be_an_obstacle(fitted):
    binary = as_binary(scoring_of(fitted["regression"]))
    assert list(binary.obstacles) == [(0, MISSING)]
    assert re.search(r"surrogate split \(missing_predict='surrogate'\)", binary.obstacles[0, MISSING])
