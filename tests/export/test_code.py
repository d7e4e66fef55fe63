"""Trees as Python, JavaScript, C and SAS: what the code predicts is compared with what the tree predicts."""

import shutil
import subprocess
from math import nextafter

import numpy as np
import pandas as pd
import pytest

from tests.export.execute import read_sas
from tests.export.hostile import HOSTILE, hostile_tree, tree_of_all
from tests.export.walk import models
from treewright import CARTClassifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ExportError, ParameterError
from treewright.export import code_c, code_javascript, code_python, code_sas
from treewright.export.check import compare
from treewright.export.probe_rows import make_probes, predict_probes
from treewright.export.scoring import scoring, scoring_of
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.model.prediction_rule import PredictionRule, with_prediction_rule

WRITERS = {"python": code_python, "javascript": code_javascript, "c": code_c, "sas": code_sas}
NODE = pytest.param("javascript", marks=pytest.mark.skipif(not shutil.which("node"), reason="node is not installed"))
COMPILER = shutil.which("cc") or shutil.which("gcc")
CC = pytest.param("c", marks=pytest.mark.skipif(not COMPILER, reason="no C compiler is installed"))
LANGUAGES = ["python", NODE, CC, "sas"]

languages = pytest.mark.parametrize("language", LANGUAGES)
executed = pytest.mark.parametrize("language", LANGUAGES[:3])


def check_all(language, pairs, header=()):
    """Compare the code of scorings with what they predict for probes; one process for all. How many rows."""
    names = [f"predict_{i}" for i in range(len(pairs))] if language in ("javascript", "c") else ["predict"] * len(pairs)
    write = WRITERS[language].write
    named = zip(pairs, names, strict=True)
    jobs = [(write(one, header=header, name=name), probes, name) for (one, probes), name in named]
    if language == "python":
        answers = [code_python.run(*job) for job in jobs]
    elif language == "sas":
        answers = [read_sas(text, probes) for text, probes, _ in jobs]
    else:
        answers = WRITERS[language].run_all(jobs)
    for found, (_, probes) in zip(answers, pairs, strict=True):
        compare(probes, found, language)
    return sum(len(probes.values) for _, probes in pairs)


def with_probes(*scorings):
    return [(one, make_probes(one)) for one in scorings]


@pytest.fixture(scope="module")
def fitted():
    found = models()
    scorings = {name: scoring_of(model) for name, model in found.items()}
    return [(one, make_probes(one, found[name]._kept.values)) for name, one in scorings.items()]


@languages
def test_models_of_every_kind_predict_the_same(fitted, language):
    assert len(fitted) == 16
    assert check_all(language, fitted) > 5000


@executed
def test_run_takes_one_text(language):
    (one, probes), writer = with_probes(scoring(golf_example(), "fractional"))[0], WRITERS[language]
    compare(probes, writer.run(writer.write(one), probes), language)
    assert code_sas.run("", probes) is None


NAMES = [
    "*/", "/* x", "//", "??/", "*/ }; exit(1); /*", "'; drop", "a;b", "%let x=1;", "&amp", "w1", "predict",
    "row", "ends", "node", "branch_0", "class", "None", "True", "null", "undefined", "NaN", "NAN", "isnan",
    "unix", "linux", "float", "max", "_number", "_w", "_n_", "p_1", "predicted", "__proto__", "constructor",
    "toString", "arguments", "await", "let", "int", "double", "a_categories", "x" * 300, "2nd", "ä", "ﬁ", "ſ",
    "９", "K", "naïve", "${x}", "`", "\\", '\\"', "\\'", '"""', "'''", "coding: utf-7", "coding=x",
]  # fmt: skip


def check_hostile(language, trees):
    """Check those trees that the language takes; how many there were."""
    pairs = []
    for tree in trees:
        one = scoring(tree, "stop")
        try:
            WRITERS[language].write(one)
        except ExportError:
            continue
        pairs.append((one, make_probes(one)))
    check_all(language, pairs, header=[*HOSTILE, *NAMES, "\n*/ }\nraise SystemExit()\n'''\"\"\"\n"])
    return len(pairs)


@languages
def test_hostile_names_and_categories_are_only_names(language):
    trees = [hostile_tree(evil) for evil in [*HOSTILE, *NAMES]]
    taken = check_hostile(language, trees)
    refused = {"python": 0, "javascript": 0, "c": 3, "sas": 25}[language]  # texts with NUL or half a surrogate pair
    assert len(trees) - taken <= refused


@pytest.mark.parametrize("language", ["python", NODE])
def test_all_hostile_names_at_once(language):
    assert check_hostile(language, [tree_of_all()]) == 1


@languages
def test_names_that_collide_stay_apart(language):
    names = ["a b", "a_b", "a-b", "a  b", "a_b_2", "a.b", "西瓜", "甜瓜", "if", "if_"]
    spec = leaf({"yes": 3})
    for name in names:
        spec = number(name, 0.5, leaf({"no": 2, "yes": 1}), spec)
    columns = tuple(Column(name, Kind.NUMBER) for name in names)
    one = scoring(build(Schema(columns, Target("t", ("no", "yes"))), spec), "stop")
    values = np.eye(len(names))
    check_all(language, [(one, make_probes(one)), (one, predict_probes(one, values))])


@languages
def test_numbers_survive(language):
    cuts = [-0.0, 0.1, 1e-308, 5e-324, 2.0**53, 2.0**53 + 2, 1.7976931348623157e308, -1e22, 0.1 + 0.2, 1e-5, 1 / 3]
    columns = tuple(Column(f"x{i}", Kind.NUMBER) for i in range(len(cuts)))
    spec = leaf(1 / 3)
    for column, cut in zip(columns, cuts, strict=True):
        spec = number(column.name, cut, leaf(-cut if abs(cut) < 1e100 else 0.7), spec)
    one = scoring(build(Schema(columns, Target("t")), spec), "stop")
    values = np.array([[nextafter(cut, way) for cut in cuts] for way in (-np.inf, np.inf)] + [cuts])
    check_all(language, [(one, make_probes(one)), (one, predict_probes(one, np.where(np.isinf(values), 1.0, values)))])


def test_large_integers_as_categories_and_classes():
    ids = (2**53, 2**53 + 1, 2**70)
    schema = Schema((Column("id", Kind.CATEGORY, ids),), Target("t", ids))
    one = scoring(build(schema, table("id", {value: leaf({value: 1}) for value in ids})), "stop")
    check_all("python", with_probes(one))
    if shutil.which("node"):
        check_all("javascript", with_probes(one))
    for writer in (code_c, code_sas):
        with pytest.raises(ExportError, match="9007199254740993"):
            writer.write(one)


def test_python_compares_floats_as_predict_does():
    schema = Schema((Column("x", Kind.NUMBER),), Target("t", ("low", "high")))
    space = {}
    exec(code_python.write(scoring(build(schema, number("x", 2.0**53, leaf("low"), leaf("high"))), "stop")), space)
    assert space["predict"]({"x": 2**53 + 1}) == "low"  # 2**53 as a float
    exec(code_python.write(scoring(build(schema, number("x", 0.1, leaf("low"), leaf("high"))), "stop")), space)
    assert space["predict"]({"x": np.float32(0.1)}) == "high"
    assert space["predict_proba"]({"x": float("nan")}) == {"low": 0.5, "high": 0.5}
    with pytest.raises(KeyError):
        space["predict"]({})


def chain(depth):
    columns = (Column("x", Kind.NUMBER), Column("colour", Kind.CATEGORY, ("red", "blue")))
    spec = leaf({"yes": 3})
    for i in range(depth, 0, -1):
        end = leaf({"no": 1 + i % 3, "yes": 2})
        spec = number("x", i / 7, end, spec) if i % 2 else table("colour", {"red": spec, "blue": end})
    return build(Schema(columns, Target("t", ("no", "yes"))), spec)


@pytest.fixture(scope="module")
def deep():
    tree = chain(3000)
    return tree, make_probes(scoring(tree, "stop")).values[::100]


@languages
def test_a_tree_of_depth_3000(deep, language):
    tree, rows = deep
    one = scoring(tree, "stop")
    check_all(language, [(one, predict_probes(one, rows[::5] if language == "sas" else rows))])
    text = WRITERS[language].write(one)
    assert max(len(line) - len(line.lstrip()) for line in text.splitlines()) <= 4 * 30


@languages
def test_a_deep_tree_with_fractions(language):
    one = scoring(chain(1000 if language in ("python", "javascript") else 300), "fractional")
    check_all(language, [(one, predict_probes(one, make_probes(one).values[::50]))])


@languages
@pytest.mark.parametrize("missing", ["stop", "fractional"])
def test_splits_with_many_branches(language, missing):
    words = tuple(f"word {i}" for i in range(600))
    columns = (Column("word", Kind.CATEGORY, words), Column("x", Kind.NUMBER))
    inner = number("x", 0.5, leaf({"no": 1}), leaf({"yes": 2}))
    spec = table("word", {word: inner if i % 200 == 7 else leaf({"no": i, "yes": 300}) for i, word in enumerate(words)})
    one = scoring(build(Schema(columns, Target("t", ("no", "yes"))), spec), missing)
    rows = make_probes(one).values
    rows = rows[np.isnan(rows).any(axis=1) | (np.arange(len(rows)) % 40 == 0)]
    check_all(language, [(one, predict_probes(one, rows))])


@languages
def test_the_class_of_one_leaf_is_its_own_and_that_of_a_mean_ignores_rounding(language):
    schema = Schema((Column("x", Kind.NUMBER),), Target("t", ("no", "yes")))
    spec = number("x", 0, leaf({"no": 0.3, "yes": 0.1 + 0.2}), leaf({"no": 0.1 + 0.2, "yes": 0.3}))
    tree = build(schema, spec)
    costs = PredictionRule(costs=((0.0, 1.0), (1.0, 0.0)))
    pairs = with_probes(scoring(tree, "fractional"), scoring(with_prediction_rule(tree, costs), "fractional"))
    assert {0, 1} == set(pairs[0][1].classes.tolist())
    check_all(language, pairs)


@languages
def test_dates_are_refused(language):
    X = pd.DataFrame({"sold": pd.to_datetime(["2020-01-01", "2021-01-01", "2022-01-01", "2023-01-01"] * 5)})
    one = scoring_of(CARTClassifier().fit(X, ["n", "n", "y", "y"] * 5))
    with pytest.raises(ExportError, match=r"Column 'sold' is a date .*; convert dates to numbers before fit\."):
        WRITERS[language].write(one)


@pytest.mark.parametrize("name", ["", "a b", "1st", "if", "_x", "prédict", "x();", "a\nb"])
@pytest.mark.parametrize("language", list(WRITERS))
def test_a_name_that_is_not_one_is_refused(language, name):
    if language == "sas" and name == "if":
        return  # a variable may be called so
    with pytest.raises(ParameterError, match="`name` must be"):
        WRITERS[language].write(scoring(golf_example(), "stop"), name=name)


def categories(*values, name="x", classes=("no", "yes")):
    schema = Schema((Column(name, Kind.CATEGORY, values),), Target("t", classes))
    spec = table(name, {values[0]: leaf({classes[0]: 1}), values[1:]: leaf({classes[1]: 1})})
    return scoring(build(schema, spec), "stop")


def test_what_a_language_cannot_hold_is_refused():
    for writer in (code_c, code_sas):
        with pytest.raises(ExportError, match="both texts and numbers"):
            writer.write(categories("a", 1))
    check_all("python", with_probes(categories("a", 1)))
    with pytest.raises(ExportError, match="cannot hold"):
        code_c.write(categories("a\0", "b"))
    for values in [("a", "a "), ("", "b"), ("  ", "b")]:
        with pytest.raises(ExportError, match="does not tell"):
            code_sas.write(categories(*values))
    with pytest.raises(ExportError, match="32 bytes"):
        code_sas.write(categories("a", "b", name="ü" * 17))
    with pytest.raises(ExportError, match="finite numbers"):
        code_python.write(categories(float("inf"), 1.0))
    columns = (Column("Age", Kind.NUMBER), Column("age", Kind.NUMBER))
    spec = number("Age", 1, number("age", 2, leaf("a"), leaf("b")), leaf("a"))
    with pytest.raises(ExportError, match="ignores case"):
        code_sas.write(scoring(build(Schema(columns, Target("t", ("a", "b"))), spec), "stop"))


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")
def test_c_compiles_without_warnings(fitted, tmp_path):
    pairs = [pair for i, pair in enumerate(fitted) if i % 3 == 0] + with_probes(scoring(chain(100), "stop"))
    texts = [code_c.write(one, name=f"predict_{i}") for i, (one, _) in enumerate(pairs)]
    (tmp_path / "all.c").write_text("\n".join(texts), encoding="utf-8")
    order = ["gcc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-c", "all.c", "-o", "all.o"]
    done = subprocess.run(order, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_javascript_refuses_texts_as_numbers_and_reads_missing_values(tmp_path):
    text = code_javascript.write(scoring(golf_example(), "fractional"))
    text += """
    const rows = [{}, { outlook: null, humidity: NaN }, { outlook: "sunny", humidity: 70 }];
    console.log(JSON.stringify(rows.map(predict)), JSON.stringify(predictProba({ outlook: "overcast" })));
    try { predict({ outlook: "sunny", humidity: "70" }); } catch (error) { console.log(error.message); }
    """
    (tmp_path / "golf.js").write_text(text)
    done = subprocess.run(["node", "golf.js"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ['["Play","Play","Play"] [0,1]', "Column 'humidity' must be a number."]
