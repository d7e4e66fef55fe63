"""ONNX: models are valid and predict what the tree predicts, in ONNX Runtime and in the evaluator of the standard."""

import subprocess
import sys
import warnings
from contextlib import suppress
from itertools import product
from math import inf, nan, nextafter

import numpy as np
import pandas as pd
import pytest

from tests.cli.running import GOLF
from tests.cli.running import run as run_cli
from tests.export.fuzz import random_model
from tests.export.hostile import HOSTILE, hostile_tree, tree_of_all
from tests.export.test_code import NAMES as NAMES_IN_CODE
from tests.export.test_code import chain
from tests.export.test_pmml import KINDS, UNSEEN, surrogate_tree, tree_of
from tests.export.walk import mixed, models
from tests.model.samples import every_kind, regression
from treewright import CARTClassifier, CARTRegressor, TreeClassifier, TreewrightError
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ExportError
from treewright.export import onnx_ensemble, onnx_model
from treewright.export.check import Predicted, compare
from treewright.export.onnx_model import make_inputs, run, write
from treewright.export.probe_rows import make_probes, predict_probes
from treewright.export.scoring import REFUSE, scoring, scoring_of
from treewright.model.build import build, golf_example, is_missing, leaf, number, surrogate, table
from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
from treewright.model.strategies import PREDICTION_STRATEGIES

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
evaluator = pytest.importorskip("onnx.reference")
op_run = pytest.importorskip("onnx.reference.op_run")

NAMES = list(models())
REFUSED = {
    "cart refused": r"Node 0 .* missing value in column 'city' .*; set missing_predict to 'majority' or 'stop'\.",
    "cart unseen refused": r"Node 0 .* unseen category in column 'city' .*; set unseen_category to 'missing', ",
}


class TreeEnsembleRegressor(op_run.OpRun):
    """One tree, read slowly; that of the evaluator does not take thresholds of 64 bits."""

    op_domain = "ai.onnx.ml"

    def _run(self, x, **node):
        ends = dict(zip(node["target_nodeids"], node["target_weights_as_tensor"].tolist(), strict=True))
        thresholds, missing_below = node["nodes_values_as_tensor"], node["nodes_missing_value_tracks_true"]
        found = []
        for row in x:
            i = 0
            while node["nodes_modes"][i] == "BRANCH_LEQ":
                value = row[node["nodes_featureids"][i]]
                is_below = value <= thresholds[i] or (np.isnan(value) and missing_below[i])
                i = node["nodes_truenodeids" if is_below else "nodes_falsenodeids"][i]
            found.append(ends[i])
        return (np.array(found, np.float32)[:, None],)


def read(model, probes):
    """The predictions of the evaluator of the standard."""
    found = evaluator.ReferenceEvaluator(model, new_ops=[TreeEnsembleRegressor]).run(None, make_inputs(probes))
    return Predicted(None, found[0]) if probes.scoring.is_regression else Predicted(found[0].tolist(), found[1])


def check(probes, tolerance=1e-12):
    """Compare both ways to execute a model with the tree; return the model."""
    model = write(probes.scoring)
    assert write(probes.scoring).SerializeToString() == model.SerializeToString()
    onnx.checker.check_model(model, full_check=True)
    compare(probes, run(model, probes), "ONNX Runtime", tolerance)
    some = predict_probes(probes.scoring, probes.values[:: max(1, len(probes.values) // 100)])
    compare(some, read(model, some), "the evaluator", tolerance)
    return model


def check_tree(tree, missing="stop", unseen="missing", **options):
    return check(make_probes(scoring(tree, missing, unseen)), **options)


def refuses(found):
    return any(one is not None and REFUSE in (one.missing, one.unseen) for one in found.tests)


@pytest.fixture(scope="module")
def fitted():
    return models()


@pytest.fixture(scope="module")
def random_probes():
    """Random trees with their own strategies or, where these refuse rows, with others."""
    found = []
    for seed in range(150):
        with warnings.catch_warnings(action="ignore"):
            model = random_model(seed)
        one = scoring_of(model)
        if refuses(one):
            missing = "majority" if one.missing == "error" else one.missing
            one = scoring(model.tree_, missing, "missing" if one.unseen == "error" else one.unseen)
        with suppress(ExportError):  # of a name or a value
            write(one)
            found.append(make_probes(one, model._kept.values))
    assert len(found) > 100
    assert {one.scoring.missing for one in found} == set(PREDICTION_STRATEGIES) - {"error"}
    return found


@pytest.mark.parametrize("name", [name for name in NAMES if name not in REFUSED])
def test_models_of_every_kind_predict_the_same(fitted, name):
    probes = make_probes(scoring_of(fitted[name]), fitted[name]._kept.values)
    assert len(probes.values) > 300
    check(probes)


@pytest.mark.parametrize("name", REFUSED)
def test_refusing_rows_is_refused_with_the_node_and_a_setting_that_works(fitted, name):
    with pytest.raises(ExportError, match=REFUSED[name]):
        fitted[name].to_onnx()
    check_tree(fitted[name].tree_, "majority", "missing")


def test_random_trees_predict_the_same(random_probes):
    for probes in random_probes:
        check(probes)
    assert sum(len(probes.values) for probes in random_probes) > 9_000


@pytest.mark.parametrize("limit", ["MAX_DEPTH", "MAX_TABLES", "MAX_NODES"])
def test_trees_that_are_too_large_for_an_ensemble_predict_the_same(limit, monkeypatch, random_probes):
    monkeypatch.setattr(onnx_ensemble, limit, 0)
    for probes in random_probes[::2]:
        model = write(probes.scoring)
        compare(probes, run(model, probes), "ONNX Runtime")
    assert "Loop" in {one.op_type for one in model.graph.node}


@pytest.mark.parametrize("missing", ["fractional", "majority", "stop", "error"])
@pytest.mark.parametrize("unseen", UNSEEN)
def test_every_strategy_with_every_one_for_unseen_categories(missing, unseen):
    for tree in (golf_example(), every_kind()):
        found = scoring(tree, missing, unseen)
        if refuses(found):
            with pytest.raises(ExportError, match=r"Node [01] refuses a row .*; set (missing|unseen)_\w+ to '"):
                write(found)
        else:
            check(make_probes(found))
    assert refuses(found) == ("error" in (missing, unseen))


@pytest.mark.parametrize("unseen", UNSEEN[:3])
def test_surrogates_that_know_only_some_categories(unseen):
    values = [[nan, 1, 9], [nan, -inf, 0, 1, 2, 3], [nan, -inf, 0, 2], [nan, 1, 2, 9]]
    check(predict_probes(scoring(surrogate_tree(), "surrogate", unseen), np.array(list(product(*values)), float)))
    columns = Column("c", Kind.CATEGORY, ("p", "q")), Column("o", Kind.ORDERED, ("S", "L")), Column("n", Kind.NUMBER)
    surrogates = [surrogate("o", "S", low=1), surrogate("n", 2.5)]
    spec = table("c", {"p": leaf({"a": 2, "b": 1}), "q": leaf({"b": 9})}, surrogates=surrogates)
    tree = build(Schema(columns, Target("t", ("a", "b"))), spec, missing="surrogate")
    values = [[nan, -inf, 0, 1], [nan, -inf, 0, 1], [nan, 1, 9]]
    check(predict_probes(scoring(tree, "surrogate", unseen), np.array(list(product(*values)), float)))


@pytest.mark.parametrize("missing", [None, "fractional", "majority", "stop"])
def test_splits_on_whether_a_value_is_missing(missing):
    schema = Schema((Column("x", Kind.NUMBER), Column("c", Kind.CATEGORY, ("p", "q"))), Target("t", ("a", "b")))
    inner = number("x", 1.0, leaf({"a": 2, "b": 1}), leaf("b"))
    for column in ("x", "c"):
        tree = build(schema, is_missing(column, inner, leaf({"a": 1, "b": 3})), missing="branch")
        check_tree(tree, missing)


def test_a_tree_whose_rows_all_end_at_one_node_that_is_not_the_root():
    schema = Schema((Column("c", Kind.CATEGORY, ("p", "q")),), Target("t", ("a", "b")))
    tree = build(schema, is_missing("c", leaf({"a": 1, "b": 5}), leaf({"a": 2, "b": 1})), missing="branch")
    model = check_tree(tree, "majority")
    assert "TreeEnsembleRegressor" not in {one.op_type for one in model.graph.node}


@pytest.mark.parametrize("categories", KINDS, ids=str)
def test_categories_and_classes_of_every_type(categories):
    tree = tree_of(categories)
    if categories[0] == 2**53 + 1:
        with pytest.raises(ExportError, match=r"'c' has the category 9007199254740993, .*; convert it to text"):
            write(scoring(tree, "stop"))
        return
    if categories == ("a", 1, 2.5):
        with pytest.raises(ExportError, match=r"'c' has categories of different types, .*; convert them to text"):
            write(scoring(tree, "stop"))
        return
    for missing, unseen in product(("fractional", "majority", "stop"), UNSEEN[:3]):
        if categories[0] == "" and unseen != "missing":
            with pytest.raises(ExportError, match=r"'c' has the category '', .* or set unseen_category='missing'\."):
                write(scoring(tree, missing, unseen))
        else:
            check_tree(tree, missing, unseen)


def classes(*values):
    schema = Schema((Column("x", Kind.NUMBER),), Target("t", values))
    return build(schema, number("x", 0.5, leaf({values[0]: 2, values[1]: 1}), leaf({values[1]: 1})))


def test_large_integers():
    check_tree(classes(2**53 + 1, -(2**63)))
    check_tree(tree_of((2**53, 2**60, 5)))
    for values in [(2**70, 1), (2**2000, 1), (2**63, 1)]:
        with pytest.raises(ExportError, match="more than 64 bits"):
            write(scoring(classes(*values), "stop"))
    for values in [(2**53 + 1, 0.5), (2**2000, 0.5)]:
        with pytest.raises(ExportError, match=r"The target has the class \d*, which is not a 64-bit float"):
            write(scoring(classes(*values), "stop"))
    with pytest.raises(ExportError, match="'c' has the category 1148130695"):
        write(scoring(tree_of((2**2000, 1, 2)), "stop"))
    with pytest.raises(ExportError, match="classes have different types"):
        write(scoring(classes("a", 1), "stop"))


def test_numbers_survive():
    cuts = [-0.0, 0.1, 1e-308, 5e-324, 2.0**53 + 2, 1.7976931348623157e308, -1e22, 0.1 + 0.2, 1 / 3, 16777217.0]
    columns = tuple(Column(f"x{i}", Kind.NUMBER) for i in range(len(cuts)))
    spec = leaf(1 / 3)
    for column, cut in zip(columns, cuts, strict=True):
        spec = number(column.name, cut, leaf(-cut if abs(cut) < 1e100 else 0.7), spec)
    one = scoring(build(Schema(columns, Target("t")), spec), "stop")
    beside = np.array([[nextafter(cut, way) for cut in cuts] for way in (-inf, inf)] + [cuts])
    check(make_probes(one), tolerance=0.0)
    check(predict_probes(one, np.where(np.isinf(beside), 1.0, beside)), tolerance=0.0)
    check(make_probes(scoring(regression(), "fractional")))


def test_a_threshold_that_is_off_by_one_bit_is_an_error_with_the_row_and_both_predictions(monkeypatch):
    model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])

    def write_wrongly(*given, **options):
        written = write(*given, **options)
        (ensemble,) = (one for one in written.graph.node if one.op_type == "TreeEnsembleRegressor")
        (values,) = (one for one in ensemble.attribute if one.name == "nodes_values_as_tensor")
        wrong = np.nextafter(onnx.numpy_helper.to_array(values.t), inf)
        values.t.CopyFrom(onnx.numpy_helper.from_array(wrong))
        return written

    monkeypatch.setattr(onnx_model, "write", write_wrongly)
    with pytest.raises(ExportError, match=r"predicts .a. \[1\.0, 0\.0\] for {.x0.: 2\.5000000000000004}, .* .b. \[0"):
        model.to_onnx()
    assert "Not executed." in model.to_onnx(check=False).doc_string


TAKEN = ["label", "probabilities", "treewright/constant_0", "treewright/Gather_0", "label_"]
UNWRITABLE = ["nul\x00", "\ud800", "\udfff", ""]


def test_hostile_names_are_only_names():
    for evil, unseen in product([*HOSTILE, *NAMES_IN_CODE, *TAKEN], ("missing", "majority")):
        found = scoring(hostile_tree(evil), "stop", unseen)
        if evil in UNWRITABLE:
            with pytest.raises(ExportError, match="rename"):
                write(found)
            continue
        probes = make_probes(found)
        model = write(found, header=[evil])
        compare(probes, run(model, probes), "ONNX Runtime")
        assert {one.name for one in model.graph.input} == {evil, "x" + evil}


def test_only_names_that_are_used_matter():
    columns = Column("\ud800", Kind.CATEGORY, ("\ud800", 1)), Column("x", Kind.NUMBER)
    schema = Schema(columns, Target("t", ("a", "b")))
    check_tree(build(schema, number("x", 1, leaf("a"), leaf("b"))))
    with pytest.raises(ExportError, match=r"The category 'nul\\x00' of column 'name' has U\+0000"):
        write(scoring(tree_of_all(), "stop"))
    with pytest.raises(ExportError, match=r"The class 'nul\\x00' has U\+0000, .*; rename it before fit"):
        write(scoring(classes("nul\x00", "ok"), "stop"))
    with pytest.raises(ExportError, match=r"The class '\\ud800' cannot be written as UTF-8"):
        write(scoring(classes("\ud800", "ok"), "stop"))


def test_dates_are_refused():
    X = pd.DataFrame({"sold": pd.to_datetime(["2020-01-01", "2021-01-01", "2022-01-01", "2023-01-01"] * 5)})
    with pytest.raises(ExportError, match=r"'sold' has dates, .*; convert it to a number before fit"):
        CARTClassifier().fit(X, ["n", "n", "y", "y"] * 5).to_onnx()


@pytest.mark.parametrize("depth", [250, 3000])
def test_deep_trees(depth):
    one = scoring(chain(depth), "stop")
    numbers = [-1.0, nan, *(nextafter(i / 7, way) for i in (1, depth // 2, depth - 1) for way in (-inf, inf)), 1e9]
    probes = predict_probes(one, np.array(list(product(numbers, [0, 1, nan, -inf]))))
    assert len({*map(tuple, probes.probabilities.tolist())}) > 4
    model = write(one)
    kinds = {node.op_type for node in model.graph.node}
    assert ("TreeEnsembleRegressor" in kinds, "Loop" in kinds) == ((True, False) if depth == 250 else (False, True))
    compare(probes, run(model, probes), "ONNX Runtime")


def test_the_deepest_ensemble_needs_a_stack_of_512_kb(tmp_path):
    tree = chain(250)
    assert onnx_ensemble.Ensemble(scoring(tree, "stop")).depth == onnx_ensemble.MAX_DEPTH
    onnx.save(write(scoring(tree, "stop")), tmp_path / "deep.onnx")
    program = (
        "import threading, onnxruntime\n"
        "threading.stack_size(512 * 1024)\n"
        "found = []\n"
        "thread = threading.Thread(target=lambda: found.append(onnxruntime.InferenceSession('deep.onnx')))\n"
        "thread.start(); thread.join(); assert found\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_deep_tree_with_fractions():
    one = scoring(chain(300), "fractional")
    probes = predict_probes(one, make_probes(one).values[::20])
    compare(probes, run(write(one), probes), "ONNX Runtime")


@pytest.mark.parametrize("missing", ["stop", "fractional"])
def test_splits_with_many_branches(missing):
    words = tuple(f"word {i}" for i in range(600))
    columns = (Column("word", Kind.CATEGORY, words), Column("x", Kind.NUMBER))
    inner = number("x", 0.5, leaf({"no": 1}), leaf({"yes": 2}))
    spec = table("word", {word: inner if i % 200 == 7 else leaf({"no": i, "yes": 300}) for i, word in enumerate(words)})
    one = scoring(build(Schema(columns, Target("t", ("no", "yes"))), spec), missing)
    probes = make_probes(one)
    compare(probes, run(write(one), probes), "ONNX Runtime")


def test_many_different_splits_on_one_column():
    words = tuple(f"word {i}" for i in range(300))
    spec = leaf({"yes": 3})
    for i in range(290):
        spec = table("word", {words[: i + 1]: spec, words[i + 1 :]: leaf({"no": i + 1, "yes": 2})})
    one = scoring(build(Schema((Column("word", Kind.CATEGORY, words),), Target("t", ("no", "yes"))), spec), "stop")
    assert len(onnx_ensemble.Ensemble(one).tables) > onnx_ensemble.MAX_TABLES
    probes = make_probes(one)
    compare(probes, run(write(one), probes), "ONNX Runtime")


def test_the_class_of_one_leaf_is_its_own_and_that_of_a_mean_ignores_rounding():
    schema = Schema((Column("x", Kind.NUMBER),), Target("t", ("no", "yes")))
    spec = number("x", 0, leaf({"no": 0.3, "yes": 0.1 + 0.2}), leaf({"no": 0.1 + 0.2, "yes": 0.3}))
    tree = build(schema, spec)
    costs = PredictionRule(costs=((0.0, 1.0), (1.0, 0.0)))
    for one in (tree, with_prediction_rule(tree, costs)):
        check_tree(one, "fractional")
    # A row with a missing value that comes to one leaf only.
    schema = Schema((Column("x", Kind.NUMBER), Column("y", Kind.NUMBER)), Target("t", ("no", "yes")))
    spec = number("x", 0, number("y", 0, leaf("no"), leaf("yes")), leaf({"no": 0.3, "yes": 0.1 + 0.2}))
    probes = predict_probes(scoring(build(schema, spec), "fractional"), np.array([[1.0, nan], [-1.0, nan]]))
    assert probes.classes.tolist() == [1, 0]
    check(probes)


OPTIONS = [
    {"probability": "laplace"},
    {"probability": "m-estimate", "smoothing": 3.0},
    {"probability": "shrinkage", "smoothing": 20.0},
    {"priors": {"a": 0.2, "b": 0.3, "c": 0.5}},
    {"class_weight": "balanced"},
    {"monotonic_cst": {"age": 1}},
    {"cost_matrix": [[0, 9, 1], [1, 0, 1], [2, 1, 0]]},
    {"cost_matrix": [[0, 1, 1], [1, 0, 1], [1, 1, 0]], "class_weight": "balanced"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options_that_change_probabilities_or_classes(options):
    X, y, _ = mixed(seed=5)
    y = np.where(y == "a", "a", "b") if "monotonic_cst" in options else y
    model = TreeClassifier(missing="fractional", min_samples_leaf=5, **options).fit(X, y)
    check(make_probes(scoring_of(model), model._kept.values))


def execute(model, feed):
    """The outputs of a model in ONNX Runtime."""
    return onnxruntime.InferenceSession(model.SerializeToString()).run(None, feed)


def columns_of(X):
    """A table as inputs: NaN and the empty string are missing."""
    numbers = {name: X[[name]].to_numpy(float) for name in ("age", "income")}
    return numbers | {name: X[[name]].astype(object).fillna("").to_numpy(object) for name in ("city", "grade")}


def test_a_table_of_the_user_of_any_length(fitted):
    X, _, _ = mixed(n=200, seed=9)
    for name in ("c45", "cart", "costs", "cart stop", "mdl"):
        exported, model = fitted[name].to_onnx(), fitted[name]
        wanted = {one.name for one in exported.graph.input}
        for n_rows in (200, 1, 0):
            feed = {name: cells[:n_rows] for name, cells in columns_of(X).items() if name in wanted}
            classes, probabilities = execute(exported, feed)
            assert (classes.shape, probabilities.shape) == ((n_rows,), (n_rows, 3))
            if n_rows:
                assert classes.tolist() == model.predict(X[:n_rows]).tolist()
                assert probabilities == pytest.approx(model.predict_proba(X[:n_rows]), rel=0, abs=1e-12)


def test_the_model_says_what_was_checked():
    X, y, _ = mixed()
    model = TreeClassifier(min_samples_leaf=9).fit(X, y)
    exported = model.to_onnx()
    assert exported.SerializeToString() == model.to_onnx().SerializeToString()
    n_rows = len(make_probes(scoring_of(model), model._kept.values).values)
    about, done = exported.doc_string.splitlines()
    assert model.tree_.fingerprint() in about
    assert done == f"Executed for {n_rows:,} rows that try every decision of the tree: the same predictions."
    meta = onnxruntime.InferenceSession(exported.SerializeToString()).get_modelmeta()
    assert meta.description == exported.doc_string
    assert meta.custom_metadata_map == {"fingerprint": model.tree_.fingerprint()}


@pytest.mark.parametrize("package", ["onnx", "onnxruntime"])
def test_a_package_that_is_not_installed_is_named(package, monkeypatch):
    model = CARTRegressor(pruning=None).fit([[1.0], [2.0], [3.0]], [0.0, 1.0, 5.0])
    monkeypatch.setattr("treewright.extras.find_spec", lambda name: None if name == package else name)
    with pytest.raises(TreewrightError, match=rf"requires {package}, which is not installed; run `pip install 'treew"):
        model.to_onnx()
    if package == "onnxruntime":
        assert model.to_onnx(check=False).graph.output[0].name == "variable"


def test_a_model_that_onnx_runtime_cannot_read_is_an_error():
    probes = make_probes(scoring(golf_example(), "stop"))
    model = write(probes.scoring)
    model.graph.node[0].op_type = "Unknown"
    with pytest.raises(ExportError, match=r"ONNX Runtime .* cannot execute the model: .*Unknown"):
        run(model, probes)


def test_the_command_line_writes_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "golf.csv").write_text(GOLF)
    assert run_cli(capsys, "fit", "golf.csv", "--target", "play", "-o", "golf.json").code == 0
    said = run_cli(capsys, "export", "golf.json", "--to", "onnx")
    assert (said.code, said.out, " -o" in said.err) == (1, "", True)
    assert run_cli(capsys, "export", "golf.json", "--to", "onnx", "-o", "golf.onnx").code == 0
    assert "Executed for" in onnx.load("golf.onnx").doc_string
