"""The document of a page: it keeps the contract, and every number in it is that of the tree."""

import numpy as np
import pytest

from tests.page.contract import check
from tests.page.document_tree import DocumentTree
from tests.page.reading import document
from tests.page.tables import (
    CLASSIFIERS,
    ESTIMATORS,
    GOLF,
    PLAY,
    SOME,
    document_of,
    fitted,
    mixed,
    page_of,
    rows_for,
)
from treewright import C45Classifier, CARTClassifier, CARTRegressor, InputError, TreeClassifier, __version__
from treewright.model.formatting import format_category, format_number
from treewright.model.prediction_rule import with_prediction_rule

every = pytest.mark.parametrize("name", ESTIMATORS)
EXACT = ("first_child", "n_children", "column", "other", "missing_branch", "weight", "count", "stats")


@every
def test_the_contract_is_kept(name):
    check(document_of(name))


@pytest.mark.parametrize(
    "name", [*SOME, *(pytest.param(name, marks=pytest.mark.long) for name in ESTIMATORS if name not in SOME)]
)
def test_the_contract_is_kept_with_the_rows_of_the_fit(name):
    check(document_of(name, given=False))


@every
def test_every_column_of_the_tree_is_there(name):
    tree, nodes = fitted(name).grown_tree_, document_of(name)["nodes"]
    for column in EXACT:
        assert np.array_equal(np.array(nodes[column], float), getattr(tree, column)), column
    assert np.array_equal(nodes["share"], tree.branch_fractions)
    assert np.array_equal(nodes["heaviest"], tree.heaviest_branch)
    for column in ("impurity", "gain", "merit"):
        shown = np.array([np.nan if x is None else x for x in nodes[column]])
        np.testing.assert_allclose(shown, getattr(tree, column), rtol=1e-6, atol=0)


@every
def test_thresholds_have_every_digit(name):
    tree, nodes = fitted(name).grown_tree_, document_of(name)["nodes"]
    shown = [np.nan if x is None else float(x) for x in nodes["threshold"]]
    assert np.array_equal(shown, tree.threshold, equal_nan=True)
    for i, words in enumerate(nodes["threshold_words"]):
        column = tree.schema.columns[tree.column[i]]
        if np.isnan(tree.threshold[i]) or np.isinf(tree.threshold[i]):
            assert words is None
        elif column.categories:
            assert words == format_category(column.categories[int(np.floor(tree.threshold[i]))])
        else:
            assert words == format_number(tree.threshold[i])
            assert float(words) == pytest.approx(tree.threshold[i], rel=1e-15)


@every
def test_values_are_those_of_the_tree_bit_by_bit(name):
    tree, nodes = (
        with_prediction_rule(fitted(name).grown_tree_, fitted(name).tree_.prediction_rule),
        document_of(name)["nodes"],
    )
    for i, given in enumerate(nodes["value"]):
        value = [w / nodes["weight"][i] for w in nodes["stats"][i]] if given is None else given
        assert value == tree.value[i].tolist()


@every
def test_tables_are_those_of_the_tree(name):
    tree, nodes = fitted(name).grown_tree_, document_of(name)["nodes"]
    for i, table in enumerate(nodes["table"]):
        split = tree.node(i).split
        shown = None if table is None else tuple(map(tuple, table))
        assert shown == (None if split is None else split.table)


@pytest.mark.parametrize("name", ["cart", "cart numbers"])
def test_surrogates_are_those_of_the_tree(name):
    tree, shown = fitted(name).grown_tree_, document_of(name)["nodes"]["surrogates"]
    assert {i for i in range(tree.n_nodes) if tree.node(i).surrogates} == set(map(int, shown))
    assert len(shown) > 10
    for i, own in shown.items():
        for one, surrogate in zip(own, tree.node(int(i)).surrogates, strict=True):
            split = surrogate.split
            assert (one["column"], one.get("threshold")) == (split.position, split.threshold)
            assert one.get("low_branch", 0) == surrogate.low
            assert tuple(map(tuple, one["table"])) == split.table if "table" in one else split.table is None
            assert one["agree"] == pytest.approx(surrogate.agree, rel=1e-4)
            assert one["adjusted"] == pytest.approx(surrogate.adjusted, rel=1e-4)


@every
def test_the_head_of_the_document(name):
    model, shown = fitted(name), document_of(name)
    target = model.tree_.schema.target
    assert (shown["treewright"], shown["estimator"]) == (__version__, type(model).__name__)
    assert shown["parameters"].split() == repr(model).split()  # scikit-learn breaks long lines
    assert shown["title"] == f"{type(model).__name__}: {target.name}"
    assert shown["target"]["classes"] == (None if target.is_number else list(map(format_category, model.classes_)))
    assert [column["name"] for column in shown["columns"]] == rows_for(name)[0].columns.tolist()
    assert shown["criterion"] == model.tree_.criterion
    assert shown["missing"]["name"] == (model.missing_predict or model.missing)
    assert shown["unseen"] == model.unseen_category


def test_categories_of_columns_that_are_not_asked_for_stay_at_home():
    X = [["a", "secret 1"], ["a", "secret 2"], ["b", "secret 1"], ["b", "secret 2"]]
    html = CARTClassifier().fit(X, [0, 0, 1, 1]).to_html()
    assert document(html)["columns"][1] == {"name": "x1", "kind": "category", "categories": []}
    assert "secret" not in html


@every
def test_the_twin_of_the_page_answers_as_the_estimator(name):
    """The document is enough to answer every row, also one with holes and unseen categories."""
    model, tree_in_page = fitted(name), DocumentTree(document_of(name), document_of(name)["views"][0]["key"])
    rows = rows_for(name, "validation")[0].astype(object).copy()
    rows.iloc[:20, 2] = "unseen"
    for i in range(20, 60):
        rows.iloc[i, [i % 6, (i // 6) % 6]] = None
    with pytest.warns(UserWarning, match="Unseen categor"):
        answers, paths = model.predict(rows), model.decision_path(rows).toarray()
    is_leaf = np.asarray(model.tree_.is_leaf)
    numbers = {origin: k for k, origin in enumerate(tree_in_page.present())}
    for given, answer, path in zip(rows.itertuples(index=False), answers, paths, strict=True):
        row = [None if cell != cell else cell for cell in given]
        found = tree_in_page.predict(row)
        assert found == (pytest.approx(answer, rel=1e-12) if name not in CLASSIFIERS else format_category(answer))
        ends = {numbers[node]: weight for node, weight in tree_in_page.ends(row)}
        met = path[list(ends)]
        np.testing.assert_allclose(list(ends.values()), met, rtol=1e-9)
        assert path[is_leaf].sum() == pytest.approx(sum(w for k, w in ends.items() if is_leaf[k]))


@pytest.mark.parametrize("name", SOME)
def test_a_page_is_the_same_twice(name):
    X_val, y_val = rows_for(name, "validation")
    again = fitted(name).to_html(None, *rows_for(name), X_val=X_val, y_val=y_val)
    assert again == page_of(name)


@pytest.mark.parametrize("name", SOME)
def test_the_order_of_rows_does_not_matter(name):
    X, y = rows_for(name)
    order = np.random.default_rng(3).permutation(len(y))
    model = type(fitted(name))(**fitted(name).get_params()).fit(X.iloc[order], y.iloc[order])
    assert model.to_html() == page_of(name, given=False)


def test_a_tree_that_is_a_single_leaf():
    shown = document(CARTClassifier().fit([[1], [2]], ["a", "a"]).to_html())
    check(shown)
    assert shown["nodes"]["stats"] == [[2]]
    assert (shown["path"], shown["ledgers"], shown["distributions"]) == (None, {}, {})
    assert [view["key"] for view in shown["views"]] == ["own", "grown"]


def test_classes_of_any_kind_are_words():
    rows = [[1], [2], [3], [4]]
    for y, words in [
        ([1, 2, 1, 2], ["1", "2"]),
        ([True, False, True, False], ["False", "True"]),
        ([1.0, -3.0, 1.0, -3.0], ["-3.0", "1.0"]),
        (["", " ", "", " "], ["''", "' '"]),
    ]:
        shown = document(TreeClassifier().fit(rows, y).to_html())
        assert shown["target"]["classes"] == words


def test_a_column_of_a_thousand_categories():
    words = [f"w{i}" for i in range(1000)]
    X = np.array([words, words[::-1]], dtype=object).T
    y = np.arange(1000) % 3
    for model in (C45Classifier(), CARTClassifier()):
        shown = document(model.fit(X, y).to_html(None, X, y))
        check(shown)
        tree_in_page = DocumentTree(shown, shown["views"][0]["key"])
        assert [tree_in_page.predict(row) for row in X[:40]] == list(map(str, model.predict(X[:40])))


def test_a_deep_chain():
    n = 2000  # far more levels than Python lets functions call themselves
    X, y = np.arange(n, dtype=float)[:, None] ** 2, np.arange(n) % 2
    model = CARTClassifier(pruning=None).fit(X, y)
    assert model.get_depth() == n - 1
    shown = document(model.to_html(methods=()))
    check(shown)
    assert len(shown["nodes"]["count"]) == model.tree_.n_nodes


@pytest.mark.parametrize("kind", ["numpy", "lists", "polars", "pyarrow"])
def test_any_table_gives_the_same_document(kind):
    import polars as pl

    table, cells = pl.DataFrame(GOLF.to_dict("list")), GOLF.to_numpy()
    X = {"numpy": cells, "lists": cells.tolist(), "polars": table, "pyarrow": table.to_arrow()}[kind]
    shown = document(C45Classifier().fit(X, PLAY.to_list()).to_html(None, X, PLAY.to_list()))
    usual = document(C45Classifier().fit(GOLF, PLAY.to_list()).to_html(None, GOLF, PLAY.to_list()))
    for part in ("nodes", "path", "distributions", "rows"):
        assert shown[part] == usual[part]


def test_weights_are_counted():
    X, y, _ = mixed()
    weight = np.random.default_rng(1).integers(0, 4, len(y)).astype(float)
    model = C45Classifier().fit(X, y, weight)
    shown = document(model.to_html(None, X, y, sample_weight=weight))
    check(shown)
    assert shown["nodes"]["weight"][0] == weight.sum()
    assert shown["nodes"]["count"][0] == np.count_nonzero(weight)
    assert shown["views"][0]["training_error"] == pytest.approx(1 - model.score(X, y, weight), abs=1e-8)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("size", [1e-140, 1e-100, 1e100, 1e130])
def test_a_regression_of_very_large_and_very_small_numbers(criterion, size):
    X = np.arange(40.0)[:, None] * 1e150
    y = np.linspace(-size, size, 40)
    model = CARTRegressor(pruning=None, max_depth=3, criterion=criterion).fit(X, y)
    check(document(model.to_html(None, X, y, X_val=X, y_val=y)))


def test_numbers_that_cannot_be_squared_are_refused():
    X = np.arange(40.0)[:, None]
    model = CARTRegressor(pruning=None, criterion="absolute_error").fit(X, np.linspace(-1e200, 1e200, 40))
    with pytest.raises(InputError, match=r"too large for sums of squares\. Divide it by a constant"):
        model.to_html()
