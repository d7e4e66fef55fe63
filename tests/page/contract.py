"""The contract of a document: which keys there are, and of what kind.

In: a document. Out: nothing, or an AssertionError that names the place. Written down as data, so that it can be read.
"""

from treewright.criteria import CRITERIA
from treewright.model.strategies import PREDICTION_STRATEGIES

TEXT, FLAG = "text", "flag"
WHOLE, NUMBER = "whole", "number"


def maybe(kind):
    return ("maybe", kind)


def one_of(*values):
    return ("one of", values)


def each(kind):
    return ("each", kind)


def by_node(kind):
    return ("by node", kind)


def by_key(kind):
    return ("by key", kind)


def over_nodes(kind):
    return ("over nodes", kind)


TABLE = ("table", None)
WORDS = {"en": TEXT, "zh": TEXT}
COUNTED = {"weight": NUMBER, "stats": each(maybe(NUMBER)), "error": NUMBER}
SURROGATE = {
    "column": WHOLE, "threshold?": maybe(NUMBER), "threshold_words?": maybe(TEXT), "low_branch?": maybe(WHOLE),
    "table?": maybe(TABLE), "agree": NUMBER, "adjusted": NUMBER,
}  # fmt: skip
CONTENTS = {
    "count?": WHOLE, "weight?": NUMBER, "stats?": each(NUMBER), "value?": each(NUMBER), "impurity?": NUMBER,
    "share?": NUMBER, "heaviest?": WHOLE, "missing_branch?": WHOLE, "other?": WHOLE, "validation?": COUNTED,
}  # fmt: skip
VIEW = {
    "key": TEXT, "method": maybe(TEXT), "title": TEXT, "changes": each(each(WHOLE)), "gone": each(WHOLE),
    "n_leaves": WHOLE, "training_error": maybe(NUMBER), "validation_error": maybe(NUMBER), "used_validation": FLAG,
    "cv_error": maybe(NUMBER), "cv_se": maybe(NUMBER), "stats": maybe(by_node(CONTENTS)),
}  # fmt: skip
CANDIDATE = {
    "column": WHOLE, "verdict": one_of("chosen", "tied", "ranked", "below", "rejected"), "reason": WORDS,
    "rho": NUMBER, "before": NUMBER, "penalty": NUMBER,
    **{f"{name}?": maybe(NUMBER) for name in ("after", "gain", "split_info", "ratio", "gini_index", "merit")},
    "threshold_words?": maybe(TEXT), "cuts?": each(("cut", None)),
}  # fmt: skip
DECISION = {
    "leaf": maybe(NUMBER), "subtree": maybe(NUMBER), "allowance": maybe(NUMBER), "unit": WORDS,
    "verdict": one_of("kept", "pruned", "raised"), "words": maybe(WORDS), "branch?": maybe(NUMBER),
}  # fmt: skip
DOCUMENT = {
    "format": one_of(1), "treewright": TEXT, "title": TEXT, "language": maybe(one_of("en", "zh")),
    "estimator": TEXT, "parameters": TEXT, "target": {"name": TEXT, "classes": maybe(each(TEXT))},
    "columns": each({"name": TEXT, "kind": one_of("number", "ordered", "category"), "categories": each(TEXT)}),
    "criterion": one_of(*CRITERIA), "criterion_words": WORDS, "by_median": FLAG, "by_deviance": FLAG,
    "ranked_by": one_of("ratio", "gain"), "row_weight": NUMBER,
    "prediction_rule": maybe({
        "probability": one_of("frequency", "laplace", "m-estimate", "shrinkage"), "amount": NUMBER,
        "added": each(NUMBER), "costs": maybe(each(each(NUMBER))), "factors": maybe(each(NUMBER)), "row_weight": NUMBER,
    }),
    "missing": {
        "name": one_of(*PREDICTION_STRATEGIES), "surrogates": FLAG, "adds_branch": FLAG, "words": WORDS, "why": WORDS,
        "goes": one_of("shares", "missing branch", "heaviest branch", "stays", "refused"),
    },
    "unseen": one_of("missing", "majority", "stop", "error"),
    "nodes": {
        **{name: over_nodes(WHOLE) for name in (
            "first_child", "n_children", "column", "other", "missing_branch", "heaviest", "count"
        )},
        "threshold": over_nodes(("threshold", None)), "threshold_words": over_nodes(maybe(TEXT)),
        "table": over_nodes(maybe(TABLE)), "share": over_nodes(NUMBER), "weight": over_nodes(NUMBER),
        "stats": over_nodes(each(NUMBER)), "value": over_nodes(maybe(each(NUMBER))), "impurity": over_nodes(NUMBER),
        "gain": over_nodes(maybe(NUMBER)), "merit": over_nodes(maybe(NUMBER)),
        "surrogates": maybe(by_node(each(SURROGATE))),
        "validation": maybe({name: over_nodes(kind) for name, kind in COUNTED.items()}),
    },
    "views": each(VIEW), "own": one_of(0),
    "path": maybe({
        "node_alpha": over_nodes(NUMBER), "alphas": each(NUMBER), "leaves": each(WHOLE), "chosen": maybe(WHOLE),
        **{name: maybe(each(NUMBER)) for name in ("training_error", "validation_error", "cv_error", "cv_se")},
    }),
    "decisions": by_node(DECISION), "decision_method": maybe(TEXT), "from_rows": FLAG,
    "ledgers": by_node({
        "average": maybe(NUMBER), "margin": maybe(NUMBER), "leaf": maybe(WORDS), "n_candidates": WHOLE,
        "candidates": each(CANDIDATE),
        "naming?": {"columns": WHOLE, "rows": NUMBER, "price": NUMBER, "average_part": NUMBER, "floor": NUMBER},
    }),
    "distributions": by_node({"edges": each(NUMBER), "counts": each(each(maybe(NUMBER)))}),
    "target_distribution": maybe({"edges": each(NUMBER), "counts": over_nodes(each(NUMBER))}),
    "rows": maybe({
        "cells": each(each(maybe(TEXT))), "leaf": each(WHOLE), "number": each(WHOLE), "n_rows": WHOLE,
    }),
    "exports": each({
        "key": TEXT, "group": one_of("sql", "code", "text"), "name": TEXT, "call": TEXT, "ending": TEXT,
        "text": maybe(by_key(TEXT)), "refused": maybe(TEXT),
    }),
    "notes": each(WORDS), "messages": {"en": by_key(TEXT), "zh": by_key(TEXT)},
}  # fmt: skip


def check(document):
    """Hold a document to the contract."""
    n_nodes = len(document["nodes"]["first_child"])
    # (value, kind, place), so that a long document is no deep recursion
    waiting = [(document, DOCUMENT, "document")]
    while waiting:
        value, kind, place = waiting.pop()
        waiting += _parts(value, kind, place, n_nodes)


def _parts(value, kind, place, n_nodes):
    """What is left to be checked below a value."""
    if isinstance(kind, dict):
        return _record(value, kind, place)
    if isinstance(kind, str):
        assert _is(value, kind), f"{place} is {value!r}, no {kind}"
        return []
    name, inner = kind
    if name == "maybe":
        return [] if value is None else [(value, inner, place)]
    if name == "one of":
        assert value in inner, f"{place} is {value!r}"
        return []
    if name in ("each", "over nodes"):
        assert isinstance(value, list), place
        assert name == "each" or len(value) == n_nodes, f"{place} has {len(value)} entries of {n_nodes}"
        return [(one, inner, f"{place}[{i}]") for i, one in enumerate(value)]
    if name == "by key":
        return [(one, inner, f"{place}.{key}") for key, one in value.items()]
    if name == "by node":
        assert all(key == str(int(key)) and 0 <= int(key) < n_nodes for key in value), place
        return [(one, inner, f"{place}.{key}") for key, one in value.items()]
    _odd(name, value, place)
    return []


def _odd(name, value, place):
    if name == "threshold":
        assert value is None or value == "inf" or _is(value, NUMBER), place
    elif name == "table":
        codes, branches = value
        assert len(codes) == len(branches), place
        assert all(_is(one, WHOLE) and one >= 0 for one in codes + branches), place
        assert codes == sorted(set(codes)), place
    else:
        words, gain, tied = value
        assert words is None or _is(words, TEXT), place
        assert _is(gain, NUMBER), place
        assert _is(tied, FLAG), place


def _record(value, kind, place):
    assert isinstance(value, dict), place
    names = {name.rstrip("?") for name in kind}
    assert set(value) <= names, f"{place} has {set(value) - names}"
    needed = {name for name in kind if not name.endswith("?")}
    assert needed <= set(value), f"{place} lacks {needed - set(value)}"
    return [(value[n.rstrip("?")], inner, f"{place}.{n}") for n, inner in kind.items() if n.rstrip("?") in value]


def _is(value, kind):
    if kind == FLAG:
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    return isinstance(value, {TEXT: str, WHOLE: int, NUMBER: (int, float)}[kind])
