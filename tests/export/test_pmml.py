"""PMML: files are valid, and predict what the tree predicts, in a slow reader of the standard and in pypmml."""

import sys
from itertools import product
from math import nan

import numpy as np
import pandas as pd
import pytest

from tests.export.execute import check_pmml, read_pmml
from tests.export.hostile import HOSTILE, hostile_tree, tree_of_all
from tests.export.pmml_reader import Reader
from tests.export.walk import models
from tests.model.samples import chain, every_kind
from treewright import C45Classifier, CARTClassifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ExportError
from treewright.export.check import compare
from treewright.export.pmml import execute, run, write
from treewright.export.probe_rows import make_probes, predict_probes
from treewright.export.scoring import EVERY, scoring, scoring_of
from treewright.model.build import build, golf_example, is_missing, leaf, number, surrogate, table

REFUSED = {
    "costs": 'at node 0, but this tree .* lowest expected cost; use missing_predict="majority"',
    "regression fractional": 'node 0 of this regression tree .*; use missing_predict="majority"',
}
NAMES = list(models())


@pytest.fixture(scope="module")
def fitted():
    return models()


@pytest.fixture(scope="module")
def has_pypmml():
    """Whether pypmml is installed and can start Java."""
    found = scoring(golf_example(), "stop")
    return execute(write(found), make_probes(found)) is not None


@pytest.fixture
def pypmml(has_pypmml):
    """Skips where pypmml cannot be used."""
    if not has_pypmml:
        pytest.skip("pypmml is not installed, or it cannot start Java")


@pytest.fixture(scope="module")
def validate(shared):
    """A function that checks a text against the schema of PMML 4.4."""
    etree = pytest.importorskip("lxml.etree", reason="lxml is not installed")
    schema = etree.XMLSchema(etree.parse(str(shared / "reference" / "pmml-4-4.xsd")))
    parser = etree.XMLParser(huge_tree=True)
    return lambda text: schema.assertValid(etree.fromstring(text.encode(), parser))


@pytest.fixture
def check_all(has_pypmml):
    """A function that compares the slow reader and, where it can be used, pypmml with the tree; returns the text."""

    def compare_both(probes):
        text = check(probes)
        answers = run(text, probes) if has_pypmml else None
        if answers is not None:
            compare(probes, answers, "pypmml")
        return text

    return compare_both


def check(probes):
    """Compare every reading of the standard with the tree; returns the text."""
    text = write(probes.scoring)
    compare(probes, check_pmml(text, probes), "the slow reader")
    return text


@pytest.mark.parametrize("name", [name for name in NAMES if name not in REFUSED])
def test_the_slow_reader_predicts_as_the_tree(fitted, name):
    check(make_probes(scoring_of(fitted[name]), fitted[name]._kept.values))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in REFUSED])
def test_the_file_is_valid(fitted, name, validate):
    validate(write(scoring_of(fitted[name]), header=["one", "two <b> & ]]>"]))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in REFUSED])
def test_pypmml_predicts_as_the_tree(fitted, name, pypmml):
    found = scoring_of(fitted[name])
    probes, text = make_probes(found, fitted[name]._kept.values), write(found)
    if not found.is_fractional:
        compare(probes, run(text, probes), "pypmml")
        return
    # pypmml does not apply weightedConfidence recursively: only rows without missing values can be compared.
    assert run(text, probes) is None
    known = probes.values[np.isfinite(probes.values[:, found.used]).all(axis=1)]
    assert len(known) > 100
    probes = predict_probes(found, known)
    compare(probes, execute(text, probes), "pypmml")


@pytest.mark.parametrize("name", REFUSED)
def test_what_pmml_cannot_express_is_refused_with_the_node_and_a_setting_that_works(fitted, name):
    with pytest.raises(ExportError, match=REFUSED[name]):
        write(scoring_of(fitted[name]))
    check(make_probes(scoring(fitted[name].tree_, "majority")))


def test_a_refused_category_is_refused_where_rows_go_down_several_branches():
    with pytest.raises(ExportError, match=r'node 3.*did not occur.*unseen_category="stop"'):
        write(scoring(golf_example(), "fractional", "error"))
    check(make_probes(scoring(golf_example(), "fractional", "stop")))


def test_columns_derived_from_dates_are_refused():
    dates = pd.DataFrame({"sold": pd.date_range("2024-01-01", periods=20)})
    model = CARTClassifier(pruning=None).fit(dates, ["a"] * 10 + ["b"] * 10)
    with pytest.raises(
        ExportError, match=r"'sold.*' of node 0 from the dates or times in 'sold'; replace the dates"
    ):
        write(scoring_of(model))


UNIVERSAL = ("fractional", "majority", "stop", "error")
UNSEEN = ("missing", "majority", "stop", "error")


def is_refused(found):
    return found.is_fractional and (found.is_regression or found.unseen == "error")


def test_every_strategy_for_missing_values_with_every_one_for_unseen_categories(check_all):
    for missing, unseen in product(UNIVERSAL, UNSEEN):
        for tree in (golf_example(), every_kind()):
            found = scoring(tree, missing, unseen)
            if not is_refused(found):
                check_all(make_probes(found))


BIG = 2**53 + 1
KINDS = [
    ("", "b", "c"), (1, 2, 3), (BIG, BIG - 1, 5), (0.1, -2.5, 1e-300), (1, 2.5, 4), (True, False), ("a", 1, 2.5),
    ("a b", "c  d", 'e"f'), ("x\\y", "z", "ab"), (" a", "a", "a "), ("A", "a", "é"), ("1", "01", "1.0"),
]  # fmt: skip


def tree_of(categories):
    """A tree that splits on these categories, and has them as classes."""
    schema = Schema((Column("c", Kind.CATEGORY, categories),), Target("t", categories))
    spec = {c: leaf({c: 2}) for c in categories}
    if len(categories) > 2:
        spec = {
            categories[:2]: leaf({categories[0]: 2, categories[1]: 1}),
            categories[2]: leaf({categories[2]: 3}),
        }
    return build(schema, table("c", spec))


@pytest.mark.parametrize("categories", KINDS, ids=str)
def test_categories_and_classes_of_every_type(categories, check_all):
    for missing, unseen in product(UNIVERSAL[1:], UNSEEN):
        check_all(make_probes(scoring(tree_of(categories), missing, unseen)))


def test_integers_of_more_than_64_bits_are_refused(check_all):
    check_all(make_probes(scoring(tree_of((2**63 - 1, -(2**63), 0)), "stop")))
    with pytest.raises(ExportError, match="integers of 64 bits, but 'c' has a larger one; convert its categories"):
        write(scoring(tree_of((2**63, 1, 2)), "stop"))


def test_two_categories_with_the_same_text_are_refused():
    with pytest.raises(ExportError, match="two categories of 'c' as '1'; convert"):
        write(scoring(tree_of((1, "1"))))


@pytest.mark.parametrize("cut", [0.1, 1e-308, 5e-324, float(2**53), 2.0**53 + 2, -0.0, -1.7976931348623157e308, 1 / 3])
def test_numbers_are_read_as_they_are(cut, has_pypmml):
    schema = Schema((Column("x", Kind.NUMBER),), Target("t"))
    probes = make_probes(scoring(build(schema, number("x", cut, leaf(0.1 + 0.2), leaf(BIG * 1.0))), "stop"))
    finite = probes.values[np.isfinite(probes.values).all(axis=1) | np.isnan(probes.values).any(axis=1)]
    probes = predict_probes(probes.scoring, finite)
    text = check(probes)
    assert Reader(text).score({"x": cut})[0] == 0.1 + 0.2
    compare(probes, read_pmml(text, probes), "the slow reader", tolerance=0.0)
    if has_pypmml:
        compare(probes, run(text, probes), "pypmml", tolerance=0.0)


UNWRITABLE = ["nul\x00", "\x1b[31m", "\ud800", "\udfff", "\ufffe", "\uffff", ""]


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_names_are_read_as_they_are(evil, check_all):
    for unseen in ("missing", "majority"):
        probes = make_probes(scoring(hostile_tree(evil), "majority", unseen))
        if evil in UNWRITABLE:
            with pytest.raises(ExportError, match="rename it"):
                write(probes.scoring)
            continue
        text = check_all(probes)
        assert write(probes.scoring) == text


def test_hostile_names_are_valid(validate):
    for evil in set(HOSTILE) - set(UNWRITABLE):
        validate(write(scoring(hostile_tree(evil), "majority"), header=[evil]))


def test_only_names_that_are_used_matter():
    schema = Schema((Column("nul\0", Kind.NUMBER), Column("x", Kind.NUMBER)), Target("t", ("a", "b")))
    text = write(scoring(build(schema, number("x", 1, leaf("a"), leaf("b")))))
    assert "\0" not in text
    with pytest.raises(ExportError, match=r"The category of 'name' 'nul\\x00' has the character U\+0000"):
        write(scoring(tree_of_all()))


def surrogate_tree():
    """A tree with surrogates that know only some categories."""
    columns = (
        Column("x", Kind.NUMBER),
        Column("c", Kind.CATEGORY, ("p", "q", "r", "s")),
        Column("o", Kind.ORDERED, ("S", "M", "L")),
        Column("n", Kind.NUMBER),
    )
    others = [surrogate("c", {("p", "q"): 1, "r": 0}), surrogate("o", "S", low=1), surrogate("n", 2.5)]
    low = table(
        "c",
        {("p", "r"): leaf({"a": 2, "b": 1}), "q": leaf({"b": 2})},
        surrogates=[surrogate("n", 1.5, low=1)],
    )
    spec = number("x", 1.5, low, leaf({"b": 2}), surrogates=others)
    return build(Schema(columns, Target("t", ("a", "b"))), spec, missing="surrogate")


@pytest.mark.parametrize("unseen", UNSEEN)
def test_surrogates_that_know_only_some_categories(unseen, check_all):
    found = scoring(surrogate_tree(), "surrogate", unseen)
    values = [
        [nan, 1.0, 9.0],
        [nan, -np.inf, 0.0, 1.0, 2.0, 3.0],
        [nan, -np.inf, 0.0, 2.0],
        [nan, 1.0, 2.0, 9.0],
    ]
    probes = predict_probes(found, np.array(list(product(*values))))
    assert 'booleanOperator="surrogate"' in check_all(probes)


@pytest.mark.parametrize("missing", [None, *UNIVERSAL])
def test_a_split_on_whether_a_value_is_missing(missing, check_all):
    schema = Schema((Column("x", Kind.NUMBER),), Target("t", ("a", "b")))
    tree = build(schema, is_missing("x", leaf({"a": 2, "b": 1}), leaf("b")), missing="branch")
    check_all(make_probes(scoring(tree, missing)))


def test_record_counts_divide_a_row_as_the_tree_does_whatever_its_strategy_in_growth():
    X = pd.DataFrame({"x": [1.0, 2, 3, 4, None, None, None, 8]})
    tree = CARTClassifier(missing="stop", pruning=None).fit(X, list("aaabbbba")).tree_
    probes = make_probes(scoring(tree, "fractional"))
    assert any(one is not None and one.missing == EVERY for one in probes.scoring.tests)
    check(probes)


def test_a_deep_tree_is_written(validate):
    text = write(scoring(chain(2000), "majority"))
    assert text.count("<Node ") == 4001
    assert text.count("\n") < 40_000
    assert len(text) < 4_000_000
    validate(text)


def test_the_header_has_the_program_and_the_lines():
    text = write(scoring(golf_example()), header=["checked on 25 rows", "a < b\nc"])
    assert '<Application name="Treewright" version="' in text
    assert "<Annotation>checked on 25 rows</Annotation>\n" in text
    assert "<Annotation>a &lt; b&#10;c</Annotation>" in text


def test_without_pypmml_nothing_is_executed(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypmml", None)
    probes = make_probes(scoring(golf_example(), "stop"))
    assert run(write(probes.scoring), probes) is None


def test_a_file_that_pypmml_cannot_read_is_an_error(pypmml):
    with pytest.raises(ExportError, match="pypmml cannot execute the file"):
        run("<PMML/>", make_probes(scoring(golf_example(), "stop")))


def test_a_boolean_column_of_a_table(check_all):
    X = pd.DataFrame({"windy": [True, False, True, None], "x": [1, 2, 3, 4]})
    model = C45Classifier(missing_predict="majority", min_samples_leaf=1).fit(X, ["a", "b", "a", "b"])
    check_all(make_probes(scoring_of(model)))
