"""Rules as Python, JavaScript, C and SAS: what the code predicts is compared with what the rules predict."""

import shutil
import subprocess
from itertools import product
from math import nan, nextafter

import numpy as np
import pandas as pd
import pytest

from tests.export.execute import EQUAL, REFUSED, predict, runners, try_all
from tests.export.hostile import HOSTILE, hostile_tree, tree_of_all
from tests.export.walk import mixed, models
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ExportError, TreeClassifier, load
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ParameterError, TreewrightError
from treewright.export import code_c, code_javascript, code_python, code_sas
from treewright.export.check import compare
from treewright.export.exported import LANGUAGES, export
from treewright.export.probe_rows import make_probes
from treewright.export.rule_probes import make_rule_probes
from treewright.export.rule_scoring import RuleScoring, rule_scoring
from treewright.export.scoring import scoring_of
from treewright.model.build import build, leaf, number, table
from treewright.model.strategies import PREDICTION_STRATEGIES
from treewright.predict.missing_policy import MissingPolicy
from treewright.rules.leaf_rules import make_leaf_rules
from treewright.rules.rule_prediction import RowReader

WRITERS = {"python": code_python, "javascript": code_javascript, "c": code_c, "sas": code_sas}
NODE = pytest.param("javascript", marks=pytest.mark.skipif(not shutil.which("node"), reason="node is not installed"))
HAS_COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
CC = pytest.param("c", marks=pytest.mark.skipif(not HAS_COMPILER, reason="no C compiler is installed"))
ALL = ["python", NODE, CC, "sas"]
languages = pytest.mark.parametrize("language", ALL)
executed = pytest.mark.parametrize("language", ALL[:3])
UNSEEN = ("missing", "majority", "stop", "error")


def outcomes(language, all_probes):
    """What becomes of the code of each of the probes."""
    (runner,) = [one for one in runners() if one.target == language]
    return try_all(runner, all_probes, header=["*/ //", "'''\"\"\"\n"])


def check(language, all_probes):
    """See that the code of each of the probes predicts the same."""
    for outcome in outcomes(language, all_probes):
        assert outcome.kind == EQUAL, outcome


def probes_of(rules, training=None):
    """The rows that try rules, or the tree that they are exported as."""
    scoring = rule_scoring(rules)
    return (make_rule_probes if isinstance(scoring, RuleScoring) else make_probes)(scoring, training)


def rules_of_tree(tree, missing="majority", unseen="mark"):
    """The rules of the leaves of a tree that was made by hand."""
    reader = RowReader(tree.schema.columns, None, unseen, "")
    classes = np.array(tree.schema.target.classes or (), dtype=object)
    return make_leaf_rules(tree, MissingPolicy(missing), reader, classes)


@pytest.fixture(scope="module")
def rule_sets():
    """The rules of all models: those of leaves, and the generalised ones of classifiers; with training rows."""
    found = {}
    for name, model in models().items():
        for form in ("leaves", "generalised"):
            if form == "leaves" or hasattr(model, "classes_"):
                found[f"{name}, {form}"] = model.rules(form), model._kept.values
    return found


@pytest.fixture(scope="module")
def all_probes(rule_sets):
    return {name: probes_of(rules, training) for name, (rules, training) in rule_sets.items()}


@languages
def test_rules_of_every_model_predict_the_same(all_probes, language):
    assert len(all_probes) == 2 * 16 - 2
    check(language, list(all_probes.values()))


def test_the_rules_that_are_exported_as_rules(all_probes):
    as_rules = {name for name, probes in all_probes.items() if isinstance(probes.scoring, RuleScoring)}
    assert as_rules == {name for name in all_probes if name.endswith("generalised")} | {
        "id3, leaves", "cart learned, leaves", "cart branch, leaves"
    }  # fmt: skip


def predicted(rules, probes, rows):
    """What `predict` and `predict_proba` return for a table of some of the rows."""
    columns = probes.scoring.tree.schema.columns
    cells = [[column[row] for row in rows] for column in probes.cells()]
    X = pd.DataFrame({one.name: pd.Series(c, dtype=object) for one, c in zip(columns, cells, strict=True)})
    for one in columns:
        if one.kind is Kind.NUMBER:
            X[one.name] = X[one.name].astype(float)
    if rules.is_number:
        return None, rules.predict(X)[:, None]
    return rules.predict(X).tolist(), rules.predict_proba(X)


@pytest.mark.filterwarnings("ignore")
def test_the_rows_of_a_check_have_the_predictions_of_the_rules(rule_sets, all_probes):
    for name, (rules, _) in rule_sets.items():
        probes = all_probes[name]
        if rules._reader.complete or rules._reader.unseen == "error":
            for row in np.flatnonzero(probes.refused)[:20]:
                with pytest.raises(TreewrightError):
                    predicted(rules, probes, [row])
            rows = np.flatnonzero(np.isfinite(probes.values).all(axis=1))
        else:
            assert not probes.refused.any()
            rows = np.arange(len(probes.values))
        classes, values = predicted(rules, probes, rows)
        assert (values == probes.probabilities[rows]).all(), name
        if classes is not None:
            names = probes.scoring.classes
            assert [names[code] for code in probes.classes[rows]] == classes, name


def holds(condition, cell):
    """Whether an encoded cell satisfies a condition, read from its definition."""
    if np.isnan(cell):
        return condition.missing
    if not condition.known:
        return False
    if condition.column.kind is Kind.NUMBER:
        return condition.low < cell <= condition.high or (condition.low == cell == -np.inf)
    if cell == -np.inf:
        return False
    if condition.codes is not None:
        return cell in condition.codes
    return condition.low < cell <= condition.high


def test_the_first_rule_that_applies_predicts(all_probes):
    n_rows = 0
    for name, probes in all_probes.items():
        scoring = probes.scoring
        if not isinstance(scoring, RuleScoring):
            continue
        for row, values, refused in zip(probes.values, probes.probabilities, probes.refused, strict=True):
            row = np.where(np.isneginf(row), nan, row) if scoring.unseen == "missing" else row  # noqa: PLW2901
            applies = (all(holds(one, row[one.position]) for one in rule) for rule in scoring.rules)
            first = next((i for i, one in enumerate(applies) if one), len(scoring.rules))
            assert refused or (scoring.tree.value[first] == values).all(), name
            n_rows += 1
    assert n_rows > 5_000


@pytest.fixture(scope="module")
def strategies():
    """Rules for every strategy with every way to handle unseen categories."""
    X, y, _ = mixed(n=200, seed=3)
    found = []
    for missing, unseen in product(PREDICTION_STRATEGIES, UNSEEN):
        key = "missing_predict" if missing in ("majority", "error") else "missing"
        model = CARTClassifier(**{key: missing}, unseen_category=unseen, min_samples_leaf=5, pruning=None).fit(X, y)
        found += [(model.rules(form), missing, unseen) for form in ("leaves", "generalised")]
    return [(probes_of(rules), *names) for rules, *names in found]


@languages
def test_every_strategy_with_every_way_to_handle_unseen_categories(strategies, language):
    check(language, [probes for probes, _, _ in strategies])


@languages
def test_missing_values_that_had_a_branch_of_their_own_in_growth_and_have_none_now(language):
    X, y = pd.DataFrame({"x": ["a"] * 6 + [None] * 4}), ["yes"] * 6 + ["no"] * 4
    grown = CARTClassifier(missing="learned", pruning=None).fit(X, y)
    assert [str(rule) for rule in grown.rules()] == ["x is missing -> no", "x is known -> yes"]
    now = CARTClassifier(missing="learned", missing_predict="majority", pruning=None).fit(X, y)
    assert now.predict(X[-1:]).tolist() == ["yes"]
    check(language, [probes_of(grown.rules()), probes_of(now.rules())])
    assert set(probes_of(now.rules()).classes) == {1}


def test_rows_with_missing_values_and_unseen_categories_are_tried(strategies):
    for probes, missing, unseen in strategies:
        scoring = probes.scoring
        used = [i for i in scoring.used if scoring.tree.schema.columns[i].kind is not Kind.NUMBER]
        assert np.isnan(probes.values).any()
        if unseen != "missing" or isinstance(scoring, RuleScoring):
            assert np.isneginf(probes.values[:, used]).any()
        refuses = unseen == "error" or (missing == "error" and not isinstance(scoring, RuleScoring))
        assert probes.refused.any() == refuses, (missing, unseen)


@languages
def test_hostile_names_and_categories_are_only_names(language):
    evil = dict.fromkeys(HOSTILE)
    trees = [probes_of(rules_of_tree(hostile_tree(name))) for name in evil]
    found = outcomes(language, trees)
    # What has NUL or half a surrogate pair; in SAS also long names, control characters and blanks.
    refused = {"python": 0, "javascript": 0, "c": 3, "sas": 21}[language]
    assert {one.kind for one in found} <= {EQUAL, REFUSED}, [one for one in found if one.kind not in (EQUAL, REFUSED)]
    assert sum(one.kind == REFUSED for one in found) <= refused
    rng, listed = np.random.default_rng(1), list(evil)
    generalised = []
    for i, name in enumerate(listed):
        other = listed[i - 1]
        frame = pd.DataFrame(
            {0: pd.Series(rng.choice([other, name, "plain"], 60), dtype=object), 1: rng.random(60)}
        )
        frame.columns = pd.Index([name, other + "2"], dtype=object)
        y = np.where((frame[name] == other) ^ (frame[other + "2"] > 0.5), name, other).astype(object)
        generalised.append(probes_of(C45Classifier(min_samples_leaf=3).fit(frame, y).rules("generalised")))
    found = outcomes(language, generalised)
    assert {one.kind for one in found} <= {EQUAL, REFUSED}, [one for one in found if one.kind not in (EQUAL, REFUSED)]
    assert sum(one.kind == EQUAL for one in found) > len(found) / 3


@languages
def test_conditions_on_several_lines_stay_together(language):
    long, others = tuple(f"{'x' * 70} {k}" for k in range(4)), tuple(f"{'y' * 70} {k}" for k in range(4))
    columns = (Column("a", Kind.CATEGORY, long), Column("b", Kind.CATEGORY, others), Column("n", Kind.NUMBER))
    inner = table("b", {others[:2]: number("n", 1, leaf("p"), leaf("q")), others[2:]: leaf("r")})
    spec = table("a", {long[:2]: inner, long[2:]: leaf({"q": 1, "r": 2})})
    tree = build(Schema(columns, Target("t", ("p", "q", "r"))), spec)
    values = [[nan, 0.0, 1.0, 2.0, 3.0], [nan, 0.0, 1.0, 2.0, 3.0], [nan, 0.0, 1.0, 2.0]]
    for missing in ("majority", "stop"):
        scoring = rule_scoring(rules_of_tree(tree, missing, "missing"))
        check(language, [predict(scoring, np.array(list(product(*values))))])


@pytest.mark.parametrize("language", ["python", NODE])
def test_all_hostile_names_at_once(language):
    check(language, [probes_of(rules_of_tree(tree_of_all()))])


@languages
def test_numbers_survive(language):
    cuts = [0.1, 1e-308, 5e-324, 2.0**53, 2.0**53 + 2, -0.0, 0.1 + 0.2, 1 / 3, 1e300, 123456789.123456789, -1e22]
    found = []
    for cut in cuts:
        inner = number("x", nextafter(cut, np.inf), leaf(-cut if abs(cut) < 1e100 else 0.7), leaf(1e-308))
        spec = number("x", cut, leaf(1 / 3), number("y", 1.5, inner, leaf(2.0**53 + 2)))
        tree = build(Schema((Column("x", Kind.NUMBER), Column("y", Kind.NUMBER)), Target("t")), spec)
        probes = probes_of(rules_of_tree(tree))
        limits = {limit for rule in probes.scoring.rules for one in rule for limit in (one.low, one.high)}
        assert {cut, nextafter(cut, np.inf)} <= limits
        found.append(probes)
    check(language, found)
    if language == "python":  # the others are compared by the same function
        for probes in found:
            compare(probes, code_python.run(code_python.write(probes.scoring), probes), "python", tolerance=0.0)


def test_large_integers_as_categories_and_classes():
    ids = (2**53, 2**53 + 1, 2**70)
    schema = Schema((Column("id", Kind.CATEGORY, ids),), Target("t", ids))
    probes = probes_of(rules_of_tree(build(schema, table("id", {value: leaf({value: 1}) for value in ids}))))
    check("python", [probes])
    if shutil.which("node"):
        check("javascript", [probes])
    for language in ("c", "sas"):
        (outcome,) = outcomes(language, [probes])
        assert outcome.kind == REFUSED
        assert "9007199254740993" in outcome.sentence


@languages
def test_a_thousand_rules(language):
    x = np.arange(1000.0)
    rules = CARTRegressor(missing="learned", pruning=None).fit(x[:, None], (x * 7919) % 1000).rules()
    probes = probes_of(rules)
    assert len(probes.scoring.rules) == 999
    check(language, [predict(probes.scoring, probes.values[::10])])


@executed
def test_a_default_class_alone(language):
    X, y, _ = mixed(n=60, seed=2)
    rules = TreeClassifier(min_samples_leaf=60).fit(X, y).rules("generalised")
    probes = probes_of(rules)
    assert probes.scoring.rules == ()
    check(language, [probes])


@executed
def test_a_difference_is_an_error(language, monkeypatch, rule_sets):
    rules, writer = rule_sets["c45, generalised"][0], WRITERS[language]
    original = writer.write
    assert " <= " in original(rule_scoring(rules))
    monkeypatch.setattr(writer, "write", lambda *given, **more: original(*given, **more).replace(" <= ", " < "))
    with pytest.raises(ExportError, match=f"The export to {language} predicts .* but the model predicts"):
        rules.to_code(language)
    assert " < " in rules.to_code(language, check=False)


def test_a_difference_of_probabilities_is_an_error(monkeypatch, rule_sets):
    rules, original = rule_sets["c45, generalised"][0], code_python.run

    def run(*given, **more):
        found = original(*given, **more)
        found.values[-1, 0] += 1e-11
        return found

    monkeypatch.setattr(code_python, "run", run)
    with pytest.raises(ExportError, match="but the model predicts"):
        rules.to_code("python")


@languages
def test_the_header_says_what_was_done(rule_sets, language):
    rules = rule_sets["c45, generalised"][0]
    lines = rules.to_code(language).splitlines()
    assert f"{len(rules)} rules of Treewright" in lines[0]
    assert lines[0].removesuffix(" */").removesuffix(";").endswith(f"fingerprint {rules.fingerprint()}.")
    done = "Not executed, because nothing" if language == "sas" else "rows that try every condition of the rules: the"
    assert done in "".join(lines[:2])
    assert "Not executed." in "".join(rules.to_code(language, check=False).splitlines()[:3])


def test_what_a_language_cannot_express_is_refused_in_a_sentence():
    days = pd.DataFrame({"sold": pd.date_range("2024-01-01", periods=40)})
    for form in ("leaves", "generalised"):
        rules = CARTClassifier(missing="learned", pruning=None).fit(days, [i > 20 for i in range(40)]).rules(form)
        for language in LANGUAGES:
            with pytest.raises(ExportError, match=r"Column 'sold' is a date .*; convert dates to numbers before fit\."):
                rules.to_code(language)
    mixed_types = pd.DataFrame({"code": pd.Series([1, "a"] * 20, dtype=object)})
    rules = C45Classifier(categorical_features=["code"]).fit(mixed_types, [0, 1] * 20).rules("generalised")
    for language in ("c", "sas"):
        with pytest.raises(ExportError, match=f"Column 'code' has both texts and numbers, and {language} takes one"):
            rules.to_code(language)
    with pytest.raises(ParameterError, match=r"`?language`? must be .*python"):
        rules.to_code("cobol")
    with pytest.raises(ParameterError, match="`name` must be"):
        rules.to_code("python", name="a b")


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")
def test_c_compiles_without_warnings(all_probes, tmp_path):
    texts = [code_c.write(probes.scoring, name=f"predict_{i}") for i, probes in enumerate(all_probes.values())]
    (tmp_path / "all.c").write_text("\n".join(texts), encoding="utf-8")
    order = ["gcc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-c", "all.c", "-o", "all.o"]
    done = subprocess.run(order, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]


def test_rules_that_were_saved_are_exported_alike(rule_sets, tmp_path):
    for name in ("c45, generalised", "cart branch, leaves", "regression, leaves"):
        rules = rule_sets[name][0]
        rules.save(tmp_path / f"{name}.json")
        assert load(tmp_path / f"{name}.json").to_code("python") == rules.to_code("python")


def test_rules_of_a_tree_with_surrogates_are_its_tree():
    X = pd.DataFrame({"x": [1.0, 2, 3, 4, None, 6, 7, 8], "y": [1.0, 1, 1, 1, 1, 1, 1, None]})
    model = CARTClassifier(missing="surrogate", pruning=None, min_samples_leaf=2).fit(X, list("aaabbbba"))
    assert not any(one.surrogates for one in scoring_of(model).tests if one is not None)
    text = export(model.rules(), "python")
    assert "surrogate" in model.missing
    assert text.splitlines()[0].startswith("# A decision tree of Treewright")


def test_the_fingerprint_is_that_of_the_tree_or_of_the_generalised_rules(rule_sets, tmp_path):
    found = {name: rules for name, (rules, *_) in rule_sets.items()}
    for name, rules in found.items():
        rules.save(tmp_path / "rules.json", overwrite=True)
        assert load(tmp_path / "rules.json").fingerprint() == rules.fingerprint(), name
        if rules.form == "leaves":
            assert rules.fingerprint() == rules._predictor.tree.fingerprint()
    texts = {rules.fingerprint(): str(rules) for rules in found.values() if rules.form == "generalised"}
    assert len(set(texts.values())) == len(texts) > 1  # other rules have another fingerprint, equal ones have the same
