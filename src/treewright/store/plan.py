"""Plan: how a tree was grown, as a model file holds it.

In: a plan, or the object that was written of one. Out: the other, checked as a plan is.
"""

from dataclasses import asdict
from typing import Any

from treewright.errors import ParameterError
from treewright.grow.plan import MOST_BINS, NAMES, Limits, Plan
from treewright.model.file.fields import Fields

MOST = 2**53

WRITTEN: dict[str, tuple[str, dict[str, str]]] = {"grouping": ("category", {"greedy": "group"})}
"""Parts that are called otherwise in files, where they have the names of the first release: part -> name, and words
that are others. So a file is the same whichever release writes it."""


def plan_document(plan: Plan) -> dict[str, Any]:
    """The plan as an object of a file.

    >>> plan_document(Plan())["limits"]["min_leaf"]
    1.0
    """
    told = {WRITTEN[name][0] if name in WRITTEN else name: value for name, value in asdict(plan).items()}
    if told["max_bins"] is None:  # as it was before there were bins
        del told["max_bins"]
    senses = told.pop("monotonic")
    if senses:  # without constraints a file is as it was before there were any
        told["monotonic"] = list(senses)
    for name, words in WRITTEN.values():
        told[name] = words.get(told[name], told[name])
    limits = told["limits"]
    # A minimum is a number of rows or a share: 2 and 2.0 are the same one.
    told["limits"] = limits | {name: float(limits[name]) for name in limits if name.startswith("min_")}
    return told | {"slack": float(plan.slack), "min_info": float(plan.min_info)}


def read_plan(fields: Fields) -> Plan:
    """The plan that an object of a file holds.

    >>> read_plan(Fields(plan_document(Plan()), "plan")) == Plan()
    True
    """
    parts: dict[str, Any] = {name: _read_part(fields, name, valid) for name, valid in NAMES.items()}
    parts |= {name: fields.number(name, 0.0) for name in ("slack", "min_info")}
    parts["wide"] = None if fields.is_null("wide") else fields.number("wide", 0.0)
    parts |= {"max_surrogates": fields.whole("max_surrogates", 0, MOST), "collapse": fields.truth("collapse")}
    if fields.has("monotonic"):
        parts["monotonic"] = tuple(fields.ints("monotonic", None, -1, 1).tolist())
    if fields.has("max_bins"):
        parts["max_bins"] = fields.whole("max_bins", 2, MOST_BINS)
    parts["limits"] = _read_limits(fields.inner("limits"))
    fields.done()
    try:
        return Plan(**parts)
    except ParameterError as error:
        fields.refuse("limits", f"and its neighbours cannot be: {str(error).rstrip('.')}")


def _read_part(fields: Fields, part: str, valid: tuple[str, ...]) -> str:
    """A part of the plan, read by the name and the words it has in files."""
    name, words = WRITTEN.get(part, (part, {}))
    parts = {words.get(value, value): value for value in valid}
    return parts[fields.one_of(name, parts)]


def _read_limits(fields: Fields) -> Limits:
    found: dict[str, Any] = {
        name: None if fields.is_null(name) else fields.whole(name, least, MOST)
        for name, least in (("max_depth", 0), ("max_leaves", 2))
    }
    found |= {name: fields.number(name, 0.0) for name in ("min_split", "min_leaf", "min_leaf_weight", "min_gain")}
    fields.done()
    return Limits(**found)
