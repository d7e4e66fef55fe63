"""Rules in a model file: loaded, they answer, explain, print and write as before."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from tests.store.mutation.seeds import MAKERS
from tests.store.mutation.tables import alphabets, classes, mixed, numbers
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    InputError,
    ModelFormatError,
    TreeClassifier,
    UnseenCategoryWarning,
    load,
)

SETS = [name for name in MAKERS if name.startswith("rules")]


def stored(rules, folder, name="rules.json"):
    """The rules, saved and loaded."""
    path = folder / name
    rules.save(path, overwrite=True)
    return load(path)


@pytest.mark.parametrize("name", SETS)
def test_loaded_rules_say_and_write_what_they_did(name, tmp_path):
    rules = MAKERS[name]()[0]
    again = stored(rules, tmp_path)
    assert (again.form, again.target, again.default) == (rules.form, rules.target, rules.default)
    assert again.classes.tolist() == rules.classes.tolist()
    assert again.classes.dtype.kind == rules.classes.dtype.kind
    assert (again.default_probabilities, again.training_errors) == (rules.default_probabilities, rules.training_errors)
    for told in ("to_text", "to_markdown", "to_html", "to_json", "__repr__", "_repr_html_"):
        assert getattr(again, told)() == getattr(rules, told)()
    pd.testing.assert_frame_equal(again.to_frame(), rules.to_frame())
    assert [str(rule) for rule in again.dropped] == [str(rule) for rule in rules.dropped]
    assert [rule.to_dict() for rule in again.dropped] == [rule.to_dict() for rule in rules.dropped]


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("form", ["leaves", "generalised"])
def test_loaded_rules_answer_and_explain_the_same_rows(form, missing, tmp_path):
    rules = TreeClassifier(missing="branch").fit(mixed(True), classes()).rules(form)
    again, rows = stored(rules, tmp_path), mixed(missing)
    assert again.predict(rows).tolist() == rules.predict(rows).tolist()
    assert again.predict(rows).dtype == rules.predict(rows).dtype
    assert np.array_equal(again.predict_proba(rows), rules.predict_proba(rows))
    for i in range(len(rows)):
        assert str(again.explain(rows.iloc[[i]])) == str(rules.explain(rows.iloc[[i]]))


def test_numbers_are_answered_too(tmp_path):
    rules = CARTRegressor(max_depth=3).fit(mixed(True), numbers()).rules()
    again = stored(rules, tmp_path, "rules.json.gz")
    assert np.array_equal(again.predict(mixed(True)), rules.predict(mixed(True)))
    assert again.is_number


def test_unseen_categories_are_warned_of_in_the_same_words(tmp_path):
    rows = mixed()
    rows["colour"] = "violet"
    for how in ("missing", "majority", "stop", "error"):
        model = C45Classifier(unseen_category=how).fit(mixed(), classes())
        for form in ("leaves", "generalised"):
            rules = model.rules(form)
            again = stored(rules, tmp_path)
            if how == "error":
                with pytest.raises(InputError) as first:
                    rules.predict(rows)
                with pytest.raises(InputError) as second:
                    again.predict(rows)
                assert str(first.value) == str(second.value)
                continue
            with pytest.warns(UnseenCategoryWarning) as first:
                found = rules.predict(rows)
            with pytest.warns(UnseenCategoryWarning) as second:
                assert again.predict(rows).tolist() == found.tolist()
            assert str(first[0].message) == str(second[0].message)


def test_other_names_and_missing_values_are_refused_as_before(tmp_path):
    rules = TreeClassifier(missing="error", max_depth=3).fit(mixed(), classes()).rules()
    again = stored(rules, tmp_path)
    with pytest.raises(InputError, match="where the rules expect 'age'"):
        again.predict(mixed().rename(columns={"age": "years"}))
    with pytest.raises(InputError, match="missing"):
        again.predict(mixed(True))


def test_hard_names_and_every_kind_of_file(tmp_path):
    rules = C45Classifier(min_samples_leaf=1).fit(*alphabets()).rules("generalised")
    for name in ("rules.json", "rules.json.gz", "rules.json.zst"):
        again = stored(rules, tmp_path, name)
        assert again.to_text() == rules.to_text()
        assert again.predict(alphabets()[0]).tolist() == rules.predict(alphabets()[0]).tolist()


def test_the_same_rules_give_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        TreeClassifier(max_depth=4).fit(mixed(), classes()).rules("generalised").save(tmp_path / f"{name}.json")
    load(tmp_path / "a.json").save(tmp_path / "c.json")
    assert len({(tmp_path / f"{name}.json").read_bytes() for name in "abc"}) == 1
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["kind"] == "rules"


def test_classes_that_are_not_of_their_declared_type_are_refused(tmp_path):
    path = tmp_path / "rules.json"
    X, y = mixed(), classes()
    C45Classifier(min_samples_leaf=1).fit(X, y == y[0]).rules("generalised").save(path)
    text = path.read_text(encoding="utf-8")
    assert '"class_type": "|b1"' in text
    path.write_text(text.replace('"class_type": "|b1"', '"class_type": "<U5"'), encoding="utf-8")
    with pytest.raises(ModelFormatError, match=r"Field rules.class_type must be the type of the classes, got '<U5'"):
        load(path)


def test_a_file_is_not_replaced_without_being_told(tmp_path):
    rules = CARTClassifier(max_depth=2).fit(mixed(), classes()).rules()
    path = tmp_path / "rules.json"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="already exists"):
        rules.save(path)
    assert path.read_text(encoding="utf-8") == "mine"
    rules.save(path, overwrite=True)
    assert load(path).to_text() == rules.to_text()


def test_rules_are_loaded_and_asked_without_training_code(tmp_path):
    path = tmp_path / "rules.json"
    X, y = mixed()[["age", "income"]].to_numpy(), classes()
    C45Classifier(min_samples_leaf=1).fit(X, y).rules("generalised").save(path)
    code = (
        "import sys, treewright\n"
        f"rules = treewright.load({str(path)!r})\n"
        "rules.predict([[30.0, 2.0]]); rules.explain([30.0, 2.0])\n"
        "print([m for m in sys.modules if m.startswith(('sklearn', 'treewright.grow', 'treewright.estimators'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
