"""The published JSON Schema says what the code writes, and what it reads."""

import json

import jsonschema
import pytest

from tests.model.missing_trees import own_branches, prostate
from tests.model.samples import every_kind, regression
from tests.store.models import ESTIMATORS, PRUNING, STRATEGIES, file_of, fitted, targets
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.criteria.registry import CLASS_CRITERIA, CRITERIA, NUMBER_CRITERIA
from treewright.data.ignored_columns import IGNORED, IgnoredColumn
from treewright.estimators.saving import NAMES
from treewright.grow import plan
from treewright.model.build import golf_example
from treewright.model.file.model_file import FIRST_VERSION, FORMAT, MODEL_KINDS, VERSION
from treewright.model.file.stored_schema import CLASS_TYPES, COLUMN_KINDS
from treewright.model.file.stored_tree import tree_bytes
from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
from treewright.model.rule_faults import PROBABILITIES
from treewright.prune import Steps
from treewright.prune.registry import METHODS
from treewright.prune.report import VERDICTS
from treewright.rules.rule_file import rules_bytes
from treewright.store.json_schema import model_schema
from treewright.store.ledgers import LATER_FIELDS

PUBLISHED = model_schema()
PARTS = PUBLISHED["$defs"]
VALIDATOR = jsonschema.Draft202012Validator(PUBLISHED)


def check(data):
    told = json.loads(data)
    VALIDATOR.validate(told)
    return told


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(PUBLISHED)
    assert PUBLISHED["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("make", [golf_example, every_kind, regression, prostate, own_branches])
def test_trees_are_as_it_says(make):
    check(tree_bytes(make()))


@pytest.mark.parametrize(
    "how",
    [
        PredictionRule("laplace"),
        PredictionRule("m-estimate", 2.0, (0.25, 0.75)),
        PredictionRule("shrinkage", 5.0, factors=(0.5, 1.5), costs=((0.0, 1.0), (3.0, 0.0)), row_weight=0.5),
    ],
    ids=lambda how: how.probability,
)
def test_trees_that_answer_otherwise_are_as_it_says(how):
    told = check(tree_bytes(with_prediction_rule(golf_example(), how)))["tree"]["answering"]
    assert list(told) == list(PARTS["answering"]["properties"])
    assert PARTS["answering"]["properties"]["probability"]["enum"] == list(PROBABILITIES)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_estimators_are_as_it_says(kind):
    for missing in STRATEGIES:
        model = fitted(kind, missing, None)
        if model is not None:
            check(file_of(model))


@pytest.mark.parametrize("pruning", PRUNING, ids=str)
def test_pruned_estimators_are_as_it_says(pruning):
    model = fitted(CARTClassifier, "fractional", pruning, validation_fraction=0.3)
    check(file_of(model, rows=True, ledgers=True))


def test_targets_and_rules_are_as_it_says():
    for target in targets():
        check(file_of(fitted(CARTClassifier, "fractional", None, target)))
    check(file_of(fitted(CARTRegressor, "surrogate", "cost_complexity"), rows=True, ledgers=True))
    for model in (fitted(C45Classifier, "fractional", "error_based"), fitted(CARTRegressor, "branch", None)):
        check(rules_bytes(model.rules()))
    check(rules_bytes(fitted(C45Classifier, "fractional", "error_based").rules("generalised")))


def test_it_refuses_what_is_none():
    told = json.loads(tree_bytes(golf_example()))
    for change in ({"kind": "forest"}, {"version": 3}, {"extra": 1}, {"tree": None}, {"fingerprint": "x"}):
        assert not VALIDATOR.is_valid(told | change)
    told["schema"]["columns"][0]["kind"] = "number"
    assert not VALIDATOR.is_valid(told)


def test_its_names_are_those_of_the_code():
    heads = [form["properties"] for form in PUBLISHED["oneOf"]]
    assert {head["kind"]["const"] for head in heads} == set(MODEL_KINDS)
    assert {number for head in heads for number in head["version"]["enum"]} == {FIRST_VERSION, VERSION}
    assert {head["format"]["const"] for head in heads} == {FORMAT}
    whole = PARTS["plan"]["properties"]
    written = {
        "grouping": ("category", {"greedy": "group"}),
        "penalty": ("charge", {}),
    }  # as in files of the first release
    for part, valid in plan.NAMES.items():
        name, words = written.get(part, (part, {}))
        known = PARTS[name] if whole[name] == {"$ref": f"#/$defs/{name}"} else whole[name]
        assert tuple(known["enum"]) == tuple(words.get(value, value) for value in valid)
    node = PARTS["tree"]["properties"]
    assert {name: node[name]["$ref"] for name in ("missing", "criterion")} == {
        "missing": "#/$defs/missing", "criterion": "#/$defs/criterion"
    }
    assert tuple(PARTS["criterion"]["enum"]) == (*CLASS_CRITERIA, *NUMBER_CRITERIA) == tuple(CRITERIA)
    assert PARTS["missing"]["enum"] == ["fractional", "surrogate", "learned", "branch", "stop", "error"]
    assert set(PARTS["missing_predict"]["enum"]) - set(PARTS["missing"]["enum"]) == {"majority"}
    assert PARTS["method"]["properties"]["name"] == {"$ref": "#/$defs/method_name"}
    assert PARTS["method_name"]["enum"] == [*METHODS, Steps.name]
    assert PARTS["report_of_one"]["properties"]["verdict"]["items"]["maximum"] == len(VERDICTS) - 1
    columns = PARTS["schema"]["properties"]["columns"]["items"]["oneOf"]
    kinds = {columns[0]["properties"]["kind"]["const"], *columns[1]["properties"]["kind"]["enum"]}
    assert kinds == set(COLUMN_KINDS.values())
    assert PARTS["class_type"]["anyOf"][0]["pattern"] == f"^{CLASS_TYPES.pattern}$"


def test_its_estimators_and_fields_are_those_of_the_code():
    form = next(f for f in PUBLISHED["oneOf"] if f["properties"]["kind"]["const"] == "estimator")
    assert tuple(form["properties"]["estimator"]["enum"]) == NAMES
    model = fitted(CARTClassifier, "surrogate", "cost_complexity")
    model._ignored = (IgnoredColumn("row", "row_number"),)
    told = check(file_of(model, rows=True, ledgers=True))
    assert list(told) == list(form["properties"])
    assert form["properties"]["ignored"]["items"]["properties"]["reason"]["enum"] == list(IGNORED)
    for name, found in (("tree", told["trees"][0]), ("report_of_one", told["reports"][0]), ("plan", told["plan"])):
        # Only a tree that answers otherwise than by shares says how, and only the plan of a monotone one has senses.
        assert set(found) == set(PARTS[name]["properties"]) - {"answering", "monotonic"}
    assert list(told["trees"][0]["surrogates"]) == list(PARTS["surrogates"]["properties"])
    for name in ("rows", "ledgers"):
        # Numbers about charged groupings and the price of a name are there only where there are such.
        assert set(told[name]) == set(PARTS[name]["properties"]) - set(LATER_FIELDS)
