"""Stored: a set of rules as the bytes of a model file, and back.

In: a `RuleSet`; or the fields of a file. Out: the other. Rules of leaves keep their tree and how it is asked, and are
made of it again; generalised rules keep their conditions and what the training rows say, as columns of numbers that are
checked one by one.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Schema
from treewright.data.unseen import BECOMES
from treewright.errors import ModelFormatError, ParameterError
from treewright.model.check_schema import check_schema
from treewright.model.file.alone import refuse_other
from treewright.model.file.fields import Fields
from treewright.model.file.labels import class_array, class_type_of
from treewright.model.file.load import open_schema
from treewright.model.file.save import head
from treewright.model.file.schema import schema_document
from treewright.model.file.text import dump
from treewright.model.file.tree import read_tree, tree_document
from treewright.model.strategies import PREDICTED
from treewright.predict.rule import UNSEEN, Rule, missing_rule
from treewright.rules.answering import ByTree
from treewright.rules.leaves import LeafRules, leaves_in_order
from treewright.rules.reading import Reader
from treewright.rules.ruleset import FORMS, NO_CONDITION, RuleSet
from treewright.rules.stored_turns import read_turns, turns_document, turns_schema

CELLS = ("error", "missing", "mark")
"""What a category becomes that training never showed."""


def rules_bytes(rules: RuleSet) -> bytes:
    """The bytes of a file that holds rules.

    >>> from treewright import CARTClassifier
    >>> rules = CARTClassifier(pruning=None).fit([[1], [2], [3]], ["a", "a", "b"]).rules()
    >>> rules_bytes(rules).decode().splitlines()[4]
    ' "kind": "rules",'
    """
    asked, reader = rules._answering, rules._reader
    told: dict[str, Any] = {"form": rules.form}
    told["class_type"] = None if rules.is_number else class_type_of(rules.classes)
    told["reading"] = {"named": reader.names is not None, "unseen": reader.unseen, "complete": reader.complete}
    marked: dict[str, Any] = {}
    if isinstance(asked, ByTree):
        schema, marked = asked.tree.schema, {"fingerprint": asked.tree.fingerprint()}
        told["asking"] = {"missing": asked.asked.missing, "unseen": asked.asked.unseen}
        told["tree"] = tree_document(asked.tree)
    else:
        schema = turns_schema(rules)
        told |= turns_document(rules)
    return dump(head("rules") | marked | {"schema": schema_document(schema), "rules": told})


def read_rules_file(fields: Fields) -> RuleSet:
    """The rules of a file.

    >>> from treewright import CARTClassifier
    >>> from treewright.model.file.load import open_document
    >>> rules = CARTClassifier(pruning=None).fit([[1], [2], [3]], ["a", "a", "b"]).rules()
    >>> read_rules_file(open_document(rules_bytes(rules))[1]).predict([[1], [9]])
    array(['a', 'b'], dtype='<U1')
    """
    schema, mark = open_schema(fields)
    check_schema(schema)
    told = fields.inner("rules")
    fields.done()
    form = told.one_of("form", FORMS)
    rules = _read_leaves(told, schema, mark) if form == "leaves" else _read_generalised(told, schema, mark)
    told.done()
    return rules


def _read_leaves(told: Fields, schema: Schema, mark: str | None) -> RuleSet:
    classes, asking = _read_classes(told, schema), told.inner("asking")
    missing = None if asking.is_null("missing") else asking.one_of("missing", PREDICTED)
    rule = Rule(missing, asking.one_of("unseen", UNSEEN))
    asking.done()
    tree = read_tree(told.inner("tree"), schema)
    refuse_other(tree, mark)
    try:
        missing_rule(tree, rule)
    except ParameterError as error:
        raise ModelFormatError(f"Field rules.asking.missing cannot be: {error}") from None
    if not tree.weight[0] > 0:
        told.refuse("tree", "has a root of no weight, so that no rule has a support")
    reader, place = _read_reader(told, schema, rule.unseen), {n: i for i, n in enumerate(leaves_in_order(tree))}
    rules, answering = LeafRules(tree, rule), ByTree(tree, rule, place)
    return RuleSet("leaves", schema.target.name, classes, rules, _reader=reader, _answering=answering)


def _read_generalised(told: Fields, schema: Schema, mark: str | None) -> RuleSet:
    if mark is not None:
        raise ModelFormatError("Field fingerprint is that of a tree, but generalised rules have none; make them again.")
    if schema.target.is_number:
        told.refuse("form", "is 'generalised', but the target is a number")
    return read_turns(told, schema, _read_reader(told, schema, None), _read_classes(told, schema))


def _read_reader(told: Fields, schema: Schema, asked: str | None) -> Reader:
    """How rows are read; `asked` is what rules of leaves do with a category that training never showed."""
    reading = told.inner("reading")
    named, unseen = reading.truth("named"), reading.one_of("unseen", CELLS)
    complete = reading.truth("complete")
    reading.done()
    becomes = NO_CONDITION if asked is None else BECOMES[asked if unseen == "mark" else unseen]
    return Reader(schema.columns, schema.names if named else None, unseen, becomes, complete)


def _read_classes(told: Fields, schema: Schema) -> NDArray[Any]:
    """The classes as answers hold them; none for numbers."""
    if told.is_null("class_type"):
        if not schema.target.is_number:
            told.refuse("class_type", "is not there, but the target has classes")
        return np.zeros(0)
    if schema.target.is_number:
        told.refuse("class_type", "is there, but the target is a number")
    return class_array(schema.target, told.text("class_type"))
