"""Stored turns: generalised rules as columns of numbers in a model file, and back.

In: generalised rules; or the fields of a file. Out: the other. A rule has a class, what the training rows say of it,
and some of the conditions; a condition has a column, an interval or some codes. Rules that were taken out at last
stand behind the others.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind, Schema, Target
from treewright.model.file.fields import LARGEST, Fields
from treewright.rules.answering import InTurn
from treewright.rules.condition import Condition
from treewright.rules.reading import Reader
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet

ONE = 1.0 + 1e-6
"""The most that a share may be, with what rounding adds."""
MOST = 2**31 - 1
FIGURES = ("weight", "support", "confidence", "lift", "error")


def turns_schema(rules: RuleSet) -> Schema:
    """The schema of generalised rules, which have no tree."""
    return Schema(rules._reader.columns, Target(rules.target, tuple(rules.classes.tolist())))


def turns_document(rules: RuleSet) -> dict[str, Any]:
    """The rules as fields of a file."""
    every = (*rules.rules, *rules.dropped)
    asked = [condition for rule in every for condition in rule.conditions]
    place = {label: code for code, label in enumerate(rules.classes.tolist())}
    codes = [() if one.codes is None else one.codes.tolist() for one in asked]
    return {
        "default": place[rules.default],
        "default_shares": np.array(rules.default_shares, np.float64),
        "training_errors": rules.training_errors,
        "n_dropped": len(rules.dropped),
        "number": np.array([rule.number for rule in every], np.int64),
        "answer": np.array([place[rule.answer] for rule in every], np.int64),
        **{name: np.array([getattr(rule, name) for rule in every], np.float64) for name in FIGURES},
        "shares": np.array([rule.shares for rule in every], np.float64),
        "n_conditions": np.array([len(rule.conditions) for rule in every], np.int64),
        "conditions": {
            "column": np.array([one.position for one in asked], np.int64),
            "low": np.array([one.low for one in asked], np.float64),
            "high": np.array([one.high for one in asked], np.float64),
            "missing": np.array([one.missing for one in asked], np.int64),
            "known": np.array([one.known for one in asked], np.int64),
            "n_codes": np.array([-1 if one.codes is None else len(one.codes) for one in asked], np.int64),
            "codes": np.array([code for some in codes for code in some], np.int64),
        },
    }


def read_turns(fields: Fields, schema: Schema, reader: Reader, classes: NDArray[Any]) -> RuleSet:
    """The rules that the fields hold, every number of them checked."""
    labels = schema.target.classes or ()
    n_classes = len(labels)
    number = fields.ints("number", None, 1, MOST)
    n = len(number)
    answer, shares = fields.ints("answer", n, 0, n_classes - 1), _read_shares(fields, "shares", n, n_classes)
    weight = fields.floats("weight", n, low=0)
    told = {name: fields.floats(name, n, low=0, high=ONE).tolist() for name in ("support", "confidence", "error")}
    lift = fields.floats("lift", n, low=0, nan=True).tolist()
    n_conditions = fields.ints("n_conditions", n, 0, MOST)
    conditions = _read_conditions(fields.inner("conditions"), schema)
    if n_conditions.sum() != len(conditions):
        fields.refuse("n_conditions", f"sums to {n_conditions.sum()}, but there are {len(conditions)} conditions")
    default, n_dropped = fields.whole("default", 0, n_classes - 1), fields.whole("n_dropped", 0, n)
    default_shares = _read_shares(fields, "default_shares", 1, n_classes)[0]
    wrong = fields.number("training_errors", low=0)
    rules = [
        Rule(
            int(number[i]),
            tuple(conditions[first:last]),
            labels[answer[i]],
            float(weight[i]),
            lift=None if np.isnan(lift[i]) else lift[i],
            shares=tuple(shares[i].tolist()),
            **{name: given[i] for name, given in told.items()},
        )
        for i, (first, last) in enumerate(pairwise([0, *np.cumsum(n_conditions).tolist()]))
    ]
    kept = n - n_dropped
    answering = InTurn(
        tuple(rule.conditions for rule in rules[:kept]),
        np.array([*answer[:kept], default], np.intp),
        np.concatenate([shares[:kept], default_shares[None, :]]),
    )
    return RuleSet(
        "generalised",
        schema.target.name,
        classes,
        tuple(rules[:kept]),
        labels[default],
        tuple(default_shares.tolist()),
        tuple(rules[kept:]),
        wrong,
        _reader=reader,
        _answering=answering,
    )


def _read_shares(fields: Fields, name: str, n: int, n_classes: int) -> NDArray[np.float64]:
    """Class shares, a row for each of n; every row sums to 1."""
    shares = fields.floats(name, n * n_classes, low=0, high=ONE).reshape(n, n_classes)
    off = np.abs(shares.sum(axis=1) - 1.0) > ONE - 1.0
    if np.count_nonzero(off):
        fields.refuse(name, f"is wrong at row {int(off.argmax())}: the shares of all classes together are 1")
    return shares


def _read_conditions(fields: Fields, schema: Schema) -> list[Condition]:
    """The conditions of all rules, one after the other."""
    column = fields.ints("column", None, 0, schema.n_columns - 1)
    n = len(column)
    low, high = fields.floats("low", n, low=-np.inf), fields.floats("high", n, high=np.inf)
    missing, known = fields.ints("missing", n, 0, 1), fields.ints("known", n, 0, 1)
    codes = fields.ints("codes", None, 0, MOST).astype(np.int32)
    n_codes = fields.ints("n_codes", n, -1, len(codes))
    fields.done()
    is_category = np.array([one.kind is Kind.CATEGORY for one in schema.columns], bool)[column]
    _refuse_first(fields, "low", is_category & (low > -LARGEST), "a category has no limits")
    _refuse_first(fields, "high", is_category & (high < LARGEST), "a category has no limits")
    _refuse_first(fields, "n_codes", ~is_category & (n_codes >= 0), "only a category has codes (others -1)")
    _refuse_first(fields, "n_codes", is_category & (known == 1) & (n_codes < 0), "a category that is known has codes")
    owned = np.maximum(n_codes, 0)
    if owned.sum() != len(codes):
        fields.refuse("n_codes", f"sums to {owned.sum()}, but there are {len(codes)} codes")
    _check_codes(fields, schema, column, owned, codes)
    end = np.cumsum(owned)
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
    """The codes of a condition are some of its column's, and rise."""
    owner = np.repeat(np.arange(len(column)), n_codes)
    most = np.array([one.n_categories for one in schema.columns], np.int64)[column[owner]]
    _refuse_first(fields, "codes", codes >= most, "the column has no such category")
    falling = np.zeros(len(codes), bool)
    falling[1:] = (owner[1:] == owner[:-1]) & (codes[1:] <= codes[:-1])
    _refuse_first(fields, "codes", falling, "the codes of a condition rise")


def _refuse_first(fields: Fields, name: str, wrong: NDArray[np.bool_], why: str) -> None:
    if np.count_nonzero(wrong):
        fields.refuse(name, f"is wrong at place {int(wrong.argmax())}: {why}")
