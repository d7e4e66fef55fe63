"""Pipelines of scikit-learn with trees of Treewright, converted by skl2onnx, predict the same in ONNX Runtime."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import BaggingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from tests.export.test_onnx import REFUSED, columns_of, execute, onnx
from tests.export.walk import mixed, models
from treewright import CARTClassifier, CARTRegressor, MDLTreeClassifier, TreewrightError, estimators
from treewright.errors import ExportError
from treewright.export.onnx_graph import LEAST_OPSET
from treewright.skl2onnx_converter import register


@pytest.fixture(scope="module")
def fitted():
    return models()


@pytest.fixture
def skl2onnx():
    """skl2onnx with the estimators of Treewright."""
    found = pytest.importorskip("skl2onnx", reason="skl2onnx is not installed")
    register()
    return found


def numeric():
    """Numbers, classes and a numeric target."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3))
    return X, np.where(X[:, 0] + X[:, 1] > 0, "a", np.where(X[:, 2] > 0, "b", "c")), X[:, 0] * 3 + X[:, 2]


def convert(skl2onnx, model, X, **options):
    """The valid model of ONNX of a fitted estimator."""
    if hasattr(model, "classes_"):
        options = {"options": {"zipmap": False}} | options
    found = skl2onnx.to_onnx(model, X[:1], **options)
    onnx.checker.check_model(found, full_check=True)
    return found


@pytest.mark.parametrize("name", [name for name in estimators.MODULES if name.endswith("Classifier")])
def test_a_pipeline_with_a_classifier(name, skl2onnx):
    X, y, _ = numeric()
    model = estimators.estimator_class(name)(**({"numeric": "bisect"} if name == "ID3Classifier" else {}))
    pipeline = make_pipeline(StandardScaler(), model).fit(X, y)
    for opset in (LEAST_OPSET, None):
        classes, probabilities = execute(convert(skl2onnx, pipeline, X, target_opset=opset), {"X": X})
        assert classes.tolist() == pipeline.predict(X).tolist()
        assert probabilities == pytest.approx(pipeline.predict_proba(X), rel=0, abs=1e-12)


@pytest.mark.parametrize("name", [name for name in estimators.MODULES if name.endswith("Regressor")])
def test_a_pipeline_with_a_regressor(name, skl2onnx):
    X, _, z = numeric()
    pipeline = make_pipeline(StandardScaler(), estimators.estimator_class(name)()).fit(X, z)
    (numbers,) = execute(convert(skl2onnx, pipeline, X), {"X": X})
    assert numbers == pytest.approx(pipeline.predict(X)[:, None], rel=0, abs=1e-12)


def test_a_pipeline_with_a_table_of_numbers_and_categories(skl2onnx):
    from skl2onnx.common.data_types import DoubleTensorType, StringTensorType

    X, y, _ = mixed(missing=0)
    types = {"age": DoubleTensorType, "income": DoubleTensorType, "city": StringTensorType, "grade": StringTensorType}
    inputs = [(name, kind([None, 1])) for name, kind in types.items()]
    encode = OneHotEncoder(handle_unknown="ignore")
    steps = ColumnTransformer([("n", StandardScaler(), ["age", "income"]), ("c", encode, ["city", "grade"])])
    pipeline = make_pipeline(steps, MDLTreeClassifier()).fit(X, y)
    found = skl2onnx.convert_sklearn(pipeline, initial_types=inputs, options={"zipmap": False})
    classes, probabilities = execute(found, columns_of(X))
    assert classes.tolist() == pipeline.predict(X).tolist()
    assert probabilities == pytest.approx(pipeline.predict_proba(X), rel=0, abs=1e-12)


def test_a_tree_alone_with_an_input_for_each_column(fitted, skl2onnx):
    from skl2onnx.common.data_types import DoubleTensorType, StringTensorType

    X, _, _ = mixed(n=200, seed=9)
    feed = columns_of(X)
    for name in set(fitted) - set(REFUSED):
        model = fitted[name]
        table = X[list(model.feature_names_in_)]
        kinds = {one: DoubleTensorType if one in ("age", "income") else StringTensorType for one in table}
        given = {"options": {"zipmap": False}} if hasattr(model, "classes_") else {}
        inputs = [(one, kind([None, 1])) for one, kind in kinds.items()]
        found = execute(
            skl2onnx.convert_sklearn(model, initial_types=inputs, **given), {one: feed[one] for one in table}
        )
        if given:
            assert found[0].tolist() == model.predict(table).tolist()
            room = 1e-12 if "age" in table else 2**-24  # texts alone: skl2onnx declares 32-bit probabilities
            assert found[1] == pytest.approx(model.predict_proba(table), rel=0, abs=room)
        else:
            assert found[0][:, 0] == pytest.approx(model.predict(table), rel=1e-12)


def test_inputs_of_32_bits_are_routed_as_predict_routes_them(skl2onnx):
    X, y, z = numeric()
    rounded = X.astype(np.float32)
    model = CARTClassifier(pruning=None).fit(rounded, y)
    classes, probabilities = execute(convert(skl2onnx, model, rounded), {"X": rounded})
    assert probabilities.dtype == np.float32
    assert classes.tolist() == model.predict(rounded).tolist()
    assert (probabilities == model.predict_proba(rounded).astype(np.float32)).all()
    tree = CARTRegressor(pruning=None).fit(rounded, z)
    (numbers,) = execute(convert(skl2onnx, tree, rounded), {"X": rounded})
    assert (numbers[:, 0] == tree.predict(rounded).astype(np.float32)).all()
    whole = (X * 10).astype(np.int64)
    model = CARTClassifier(pruning=None).fit(whole, y)
    assert execute(convert(skl2onnx, model, whole), {"X": whole})[0].tolist() == model.predict(whole).tolist()


@pytest.mark.parametrize("labels", [("no", "yes"), (-7, 2**40), (False, True), (0.0, 1.0)], ids=str)
def test_the_options_of_skl2onnx_for_classes(labels, skl2onnx):
    X, y, _ = numeric()
    y = np.array(labels)[(y == "a").astype(int)]
    model = CARTClassifier().fit(X, y)
    expected, probabilities = model.predict(X), model.predict_proba(X)
    for given in (X, X.astype(np.float32)):
        found = execute(convert(skl2onnx, model, given, options={"zipmap": True}), {"X": given})
        assert (found[0] == expected).all()
        assert [list(row) for row in found[1][:3]] == [list(labels)] * 3
        assert [list(row.values()) for row in found[1]] == pytest.approx(probabilities, abs=2**-24)
        found = execute(convert(skl2onnx, model, given, options={"zipmap": "columns"}), {"X": given})
        assert (found[0] == expected).all()
        assert np.stack(found[1:], axis=1) == pytest.approx(probabilities, abs=2**-24)
        found = execute(convert(skl2onnx, model, given, options={"zipmap": False, "nocl": True}), {"X": given})
        assert (model.classes_[found[0]] == expected).all()


def test_trees_inside_an_ensemble_of_scikit_learn(skl2onnx):
    X, y, _ = numeric()
    model = BaggingClassifier(CARTClassifier(), n_estimators=3, random_state=0).fit(X, y)
    classes, probabilities = execute(convert(skl2onnx, model, X), {"X": X})
    assert classes.tolist() == model.predict(X).tolist()
    assert probabilities == pytest.approx(model.predict_proba(X), rel=0, abs=1e-12)


def test_what_cannot_be_converted_is_refused(fitted, skl2onnx, monkeypatch):
    X, y, _ = numeric()
    model = CARTClassifier().fit(X, y)
    with pytest.raises(ExportError, match="`target_opset` must be at least 16, got 15"):
        convert(skl2onnx, model, X, target_opset=15)
    with pytest.raises(ExportError, match="The inputs have 2 columns, but the tree was fitted on 3"):
        convert(skl2onnx, model, X[:, :2])
    with pytest.raises(ExportError, match="Column 'city' needs a tensor of strings, but the input 'X' has numbers"):
        convert(skl2onnx, fitted["c45"], np.zeros((1, 4)))
    with pytest.raises(ExportError, match="Node 0 refuses a row"):
        convert(skl2onnx, fitted["cart refused"], np.zeros((1, 4)))
    with pytest.raises(ExportError, match=r"The class 1\.5 is not an integer"):
        convert(skl2onnx, CARTClassifier().fit(X, pd.Series(pd.Categorical(np.where(y == "a", 1.5, 2.0)))), X)
    monkeypatch.setattr("treewright.extras.find_spec", lambda name: None)
    with pytest.raises(TreewrightError, match=r"requires skl2onnx.*run `pip install 'treewright\[onnx\]'`"):
        register()
