"""A rule set in a model file: writing it as bytes, and reading it back.

Rules of leaves are stored as their tree and its missing-value policy, and are made from it again. Generalised rules are
stored as columns of numbers: one entry for each rule, and one for each condition. Rules that were dropped as harmful
come after the others. Every number is checked when a file is read.
"""

from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import UNSEEN_EFFECTS
from treewright.data.schema import Kind, Schema, Target
from treewright.errors import ModelFormatError, ParameterError
from treewright.model.check_schema import check_schema
from treewright.model.file.fields import LARGEST, Fields
from treewright.model.file.json_writer import dump
from treewright.model.file.model_file import FIRST_VERSION, file_header, open_schema
from treewright.model.file.stored_schema import class_array, class_type_of, schema_document
from treewright.model.file.stored_tree import check_fingerprint, read_tree, tree_document, version_for
from treewright.model.strategies import PREDICTION_STRATEGIES
from treewright.model.tree_columns import schema_lines
from treewright.predict.missing_policy import UNSEEN, MissingPolicy, resolve_missing
from treewright.rules.leaf_rules import LeafRules, leaves_in_print_order
from treewright.rules.rule import Condition, Rule
from treewright.rules.rule_prediction import RowReader, RuleListPredictor, TreePredictor
from treewright.rules.ruleset import FORMS, NO_CONDITION, RuleSet

UNSEEN_CELLS = ("error", "missing", "mark")
"""What an unseen category may become when a row is encoded."""

ONE = 1.0 + 1e-6
"""The highest value of a proportion, with what rounding adds."""
MAX_INT = 2**31 - 1
STATISTICS = ("weight", "support", "confidence", "lift", "error")


def rules_bytes(rules: RuleSet) -> bytes:
    """Return the bytes of a file that holds rules.

    >>> from treewright import CARTClassifier
    >>> rules = CARTClassifier(pruning=None).fit([[1], [2], [3]], ["a", "a", "b"]).rules()
    >>> rules_bytes(rules).decode().splitlines()[4]
    ' "kind": "rules",'
    """
    predictor, reader = rules._predictor, rules._reader
    document: dict[str, Any] = {"form": rules.form}
    document["class_type"] = None if rules.is_number else class_type_of(rules.classes)
    document["reading"] = {"named": reader.names is not None, "unseen": reader.unseen, "complete": reader.complete}
    fingerprint: dict[str, Any] = {}
    version = FIRST_VERSION
    if isinstance(predictor, TreePredictor):
        schema, fingerprint = predictor.tree.schema, {"fingerprint": predictor.tree.fingerprint()}
        document["asking"] = {"missing": predictor.policy.missing, "unseen": predictor.policy.unseen}
        document["tree"] = tree_document(predictor.tree)
        version = version_for(predictor.tree)
    else:
        schema = _generalised_schema(rules)
        document |= _generalised_document(rules)
    return dump(file_header("rules", version) | fingerprint | {"schema": schema_document(schema), "rules": document})


def rules_fingerprint(rules: RuleSet) -> str:
    """Return the fingerprint of the tree of rules of leaves, or a SHA-256 of the schema and all generalised rules.

    >>> from treewright import C45Classifier
    >>> rules = C45Classifier().fit([[1], [2], [3], [4]] * 5, ["a", "a", "b", "b"] * 5).rules("generalised")
    >>> rules_fingerprint(rules) == rules_fingerprint(rules)
    True
    """
    if isinstance(rules._predictor, TreePredictor):
        return rules._predictor.tree.fingerprint()
    digest = sha256(b"treewright rules 1\n")
    for line in schema_lines(_generalised_schema(rules)):
        digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    digest.update(dump(_generalised_document(rules)))
    return digest.hexdigest()


def _generalised_schema(rules: RuleSet) -> Schema:
    return Schema(rules._reader.columns, Target(rules.target, tuple(rules.classes.tolist())))


def _generalised_document(rules: RuleSet) -> dict[str, Any]:
    every = (*rules.rules, *rules.dropped)
    conditions = [condition for rule in every for condition in rule.conditions]
    code_of = {label: code for code, label in enumerate(rules.classes.tolist())}
    codes = [() if one.codes is None else one.codes.tolist() for one in conditions]
    return {
        "default": code_of[rules.default],
        "default_shares": np.array(rules.default_probabilities, np.float64),
        "training_errors": rules.training_errors,
        "n_dropped": len(rules.dropped),
        "number": np.array([rule.number for rule in every], np.int64),
        "answer": np.array([code_of[rule.prediction] for rule in every], np.int64),
        **{name: np.array([getattr(rule, name) for rule in every], np.float64) for name in STATISTICS},
        "shares": np.array([rule.probabilities for rule in every], np.float64),
        "n_conditions": np.array([len(rule.conditions) for rule in every], np.int64),
        "conditions": {
            "column": np.array([one.position for one in conditions], np.int64),
            "low": np.array([one.low for one in conditions], np.float64),
            "high": np.array([one.high for one in conditions], np.float64),
            "missing": np.array([one.missing for one in conditions], np.int64),
            "known": np.array([one.known for one in conditions], np.int64),
            "n_codes": np.array([-1 if one.codes is None else len(one.codes) for one in conditions], np.int64),
            "codes": np.array([code for some in codes for code in some], np.int64),
        },
    }


def read_rules_file(fields: Fields) -> RuleSet:
    """Read the rules of a file.

    >>> from treewright import CARTClassifier
    >>> from treewright.model.file.model_file import open_document
    >>> rules = CARTClassifier(pruning=None).fit([[1], [2], [3]], ["a", "a", "b"]).rules()
    >>> read_rules_file(open_document(rules_bytes(rules))[1]).predict([[1], [9]])
    array(['a', 'b'], dtype='<U1')
    """
    schema, fingerprint = open_schema(fields)
    check_schema(schema)
    stored = fields.inner("rules")
    fields.done()
    read = _read_leaf_rules if stored.one_of("form", FORMS) == "leaves" else _read_generalised_rules
    rules = read(stored, schema, fingerprint)
    stored.done()
    return rules


def _read_leaf_rules(stored: Fields, schema: Schema, fingerprint: str | None) -> RuleSet:
    classes, asking = _read_classes(stored, schema), stored.inner("asking")
    missing = None if asking.is_null("missing") else asking.one_of("missing", PREDICTION_STRATEGIES)
    policy = MissingPolicy(missing, asking.one_of("unseen", UNSEEN))
    asking.done()
    tree = read_tree(stored.inner("tree"), schema)
    check_fingerprint(tree, fingerprint)
    try:
        resolve_missing(tree, policy)
    except ParameterError as error:
        raise ModelFormatError(f"Field rules.asking.missing is invalid: {error}") from None
    if not tree.weight[0] > 0:
        stored.refuse("tree", "must have a root with a weight above 0")
    return RuleSet(
        "leaves",
        schema.target.name,
        classes,
        LeafRules(tree, policy),
        _reader=_read_reader(stored, schema, policy.unseen),
        _predictor=TreePredictor(tree, policy, {node: i for i, node in enumerate(leaves_in_print_order(tree))}),
    )


def _read_generalised_rules(stored: Fields, schema: Schema, fingerprint: str | None) -> RuleSet:
    if fingerprint is not None:
        raise ModelFormatError(
            "Field fingerprint must be absent, because generalised rules have no tree; make the rules again."
        )
    if schema.target.is_number:
        stored.refuse("form", "must be 'leaves', because the target is a number, got 'generalised'")
    reader, classes = _read_reader(stored, schema, None), _read_classes(stored, schema)
    labels = schema.target.classes or ()
    if classes.tolist() != list(labels):  # rules name their class, so that each label must be found again
        stored.refuse("class_type", f"must be the type of the classes, got {classes.dtype.str!r}")
    n_classes = len(labels)
    number = stored.ints("number", None, 1, MAX_INT)
    n = len(number)
    code = stored.ints("answer", n, 0, n_classes - 1)
    probabilities = _read_probabilities(stored, "shares", n, n_classes)
    weight = stored.floats("weight", n, low=0)
    proportions = ("support", "confidence", "error")
    statistics = {name: stored.floats(name, n, low=0, high=ONE).tolist() for name in proportions}
    lift = stored.floats("lift", n, low=0, nan=True).tolist()
    n_conditions = stored.ints("n_conditions", n, 0, MAX_INT)
    conditions = _read_conditions(stored.inner("conditions"), schema)
    if n_conditions.sum() != len(conditions):
        total = n_conditions.sum()
        stored.refuse("n_conditions", f"must sum to the number of conditions, {len(conditions)}, got {total}")
    default, n_dropped = stored.whole("default", 0, n_classes - 1), stored.whole("n_dropped", 0, n)
    default_probabilities = _read_probabilities(stored, "default_shares", 1, n_classes)[0]
    training_errors = stored.number("training_errors", low=0)
    rules = [
        Rule(
            int(number[i]),
            tuple(conditions[first:last]),
            labels[code[i]],
            float(weight[i]),
            lift=None if np.isnan(lift[i]) else lift[i],
            probabilities=tuple(probabilities[i].tolist()),
            **{name: column[i] for name, column in statistics.items()},
        )
        for i, (first, last) in enumerate(pairwise([0, *np.cumsum(n_conditions).tolist()]))
    ]
    n_kept = n - n_dropped
    predictor = RuleListPredictor(
        tuple(rule.conditions for rule in rules[:n_kept]),
        np.array([*code[:n_kept], default], np.intp),
        np.concatenate([probabilities[:n_kept], default_probabilities[None, :]]),
    )
    return RuleSet(
        "generalised",
        schema.target.name,
        classes,
        tuple(rules[:n_kept]),
        labels[default],
        tuple(default_probabilities.tolist()),
        tuple(rules[n_kept:]),
        training_errors,
        _reader=reader,
        _predictor=predictor,
    )


def _read_reader(stored: Fields, schema: Schema, policy: str | None) -> RowReader:
    """Read how rows are encoded; `policy` is what rules of leaves do with an unseen category."""
    reading = stored.inner("reading")
    named, unseen = reading.truth("named"), reading.one_of("unseen", UNSEEN_CELLS)
    complete = reading.truth("complete")
    reading.done()
    effect = NO_CONDITION if policy is None else UNSEEN_EFFECTS[policy if unseen == "mark" else unseen]
    return RowReader(schema.columns, schema.names if named else None, unseen, effect, complete)


def _read_classes(stored: Fields, schema: Schema) -> NDArray[Any]:
    """Read the classes as `predict` returns them; empty for regression."""
    if stored.is_null("class_type"):
        if not schema.target.is_number:
            stored.refuse("class_type", "must not be null, because the target has classes")
        return np.zeros(0)
    if schema.target.is_number:
        stored.refuse("class_type", "must be null, because the target is a number")
    return class_array(schema.target, stored.text("class_type"))


def _read_probabilities(stored: Fields, name: str, n: int, n_classes: int) -> NDArray[np.float64]:
    """Read class probabilities, a row for each of n; every row must sum to 1."""
    probabilities = stored.floats(name, n * n_classes, low=0, high=ONE).reshape(n, n_classes)
    off = np.abs(probabilities.sum(axis=1) - 1.0) > ONE - 1.0
    if np.count_nonzero(off):
        stored.refuse(name, f"is invalid at row {int(off.argmax())}: the values of all classes must sum to 1")
    return probabilities


def _read_conditions(fields: Fields, schema: Schema) -> list[Condition]:
    """Read the conditions of all rules, one after the other."""
    column = fields.ints("column", None, 0, schema.n_columns - 1)
    n = len(column)
    low, high = fields.floats("low", n, low=-np.inf), fields.floats("high", n, high=np.inf)
    missing, known = fields.ints("missing", n, 0, 1), fields.ints("known", n, 0, 1)
    codes = fields.ints("codes", None, 0, MAX_INT).astype(np.int32)
    n_codes = fields.ints("n_codes", n, -1, len(codes))
    fields.done()
    is_category = np.array([one.kind is Kind.CATEGORY for one in schema.columns], bool)[column]
    _refuse_first(fields, "low", is_category & (low > -LARGEST), "a category must have no limits")
    _refuse_first(fields, "high", is_category & (high < LARGEST), "a category must have no limits")
    _refuse_first(fields, "n_codes", ~is_category & (n_codes >= 0), "only a category must have codes (others -1)")
    _refuse_first(fields, "n_codes", is_category & (known == 1) & (n_codes < 0), "a category must have codes")
    lengths = np.maximum(n_codes, 0)
    if lengths.sum() != len(codes):
        fields.refuse("n_codes", f"must sum to the number of codes, {len(codes)}, got {lengths.sum()}")
    _check_codes(fields, schema, column, lengths, codes)
    end = np.cumsum(lengths)
    return [
        Condition(
            schema.columns[column[i]],
            int(column[i]),
            float(low[i]),
            float(high[i]),
            codes[end[i] - n_codes[i] : end[i]] if n_codes[i] >= 0 else None,
            bool(missing[i]),
            bool(known[i]),
        )
        for i in range(n)
    ]


def _check_codes(
    fields: Fields, schema: Schema, column: NDArray[np.int64], n_codes: NDArray[np.int64], codes: NDArray[np.int32]
) -> None:
    """Check that the codes of a condition are codes of its column, in ascending order."""
    owner = np.repeat(np.arange(len(column)), n_codes)
    n_categories = np.array([one.n_categories for one in schema.columns], np.int64)[column[owner]]
    _refuse_first(fields, "codes", codes >= n_categories, "the column has no such category")
    falling = np.zeros(len(codes), bool)
    falling[1:] = (owner[1:] == owner[:-1]) & (codes[1:] <= codes[:-1])
    _refuse_first(fields, "codes", falling, "the codes of a condition must be ascending")


def _refuse_first(fields: Fields, name: str, wrong: NDArray[np.bool_], why: str) -> None:
    if np.count_nonzero(wrong):
        fields.refuse(name, f"is invalid at index {int(wrong.argmax())}: {why}")
