"""Rule sets as Quinlan's c4.5rules prints them, ours in the same form, and trees made of printed ones.

In: the folder of reference data and the name of a set. Out: (number, conditions, class, percentage) of each rule in
order, and the default class.

The program numbers classes as they are declared, and its order of classes and its random numbers follow that order; our
estimators sort classes. So the sets are fitted with the place of each class in the declaration as its label.
"""

import csv
import re
from functools import cache

import numpy as np

from tests.golden.c45_print import cleaned
from tests.golden.release8 import printed_tree
from tests.golden.sets import load, schema_of
from treewright import C45Classifier
from treewright.model.build import build, leaf, number, table

CONCLUSION = re.compile(r"\s*->\s+class (.+?)\s+\[([\d.]+)%\]")


@cache
def reference(shared):
    """How many rules the program printed for each set, its training errors and default class."""
    with (shared / "reference" / "golden" / "c45-rules.csv").open(encoding="utf-8") as file:
        return {
            row["name"]: (int(row["rules"]), int(row["training_errors"]), row["default_class"])
            for row in csv.DictReader(file)
        }


def printed_names(shared):
    """The sets whose rules are stored as printed."""
    return {file.stem for file in (shared / "reference" / "golden" / "c45-rules").glob("*.txt")}


def printed(shared, name):
    """The rules as printed, and the default class."""
    text = (shared / "reference" / "golden" / "c45-rules" / f"{name}.txt").read_text(encoding="utf-8")
    rules = []
    for block in re.split(r"^Rule ", text, flags=re.MULTILINE)[1:]:
        head, *lines = block.split("Default class:")[0].strip().splitlines()
        *conditions, last = (line.strip() for line in lines)
        label, percentage = CONCLUSION.match(last).groups()
        rules.append((int(head.rstrip(":")), tuple(conditions), label, percentage))
    return rules, re.search(r"^Default class: (.+)$", text, re.MULTILINE)[1]


@cache
def declared(shared, name):
    """The table, the place of each row's class in the declaration, and the classes as the program spells them."""
    X, y = load(shared, name)
    about = schema_of(shared)[name]
    column = next(c for c in about["columns"] if c["name"] == about["target"])
    levels = column.get("levels") or sorted(y.unique())
    return X, y.map({level: place for place, level in enumerate(levels)}).to_numpy(), [cleaned(c) for c in levels]


@cache
def grown(shared, name):
    """Our tree of a set, unpruned, as Release 8 grows it."""
    X, y, _ = declared(shared, name)
    return C45Classifier(variant="release8", pruning=None).fit(X, y)


def as_printed(rules, labels):
    """Our rules in the same form, and the default class."""
    found = []
    for rule in rules:
        conditions = tuple(map(condition_words, rule.conditions))
        found.append((rule.number, conditions, labels[rule.prediction], f"{100 - 100 * rule.error:.1f}"))
    return found, labels[rules.default]


def condition_words(condition):
    """A condition as printed: categories by level, numbers in six digits of a 32-bit float."""
    name = cleaned(condition.name)
    if condition.codes is not None:
        return f"{name} = v{condition.codes[0]}"
    sign, cut = (">", condition.low) if np.isfinite(condition.low) else ("<=", condition.high)
    return f"{name} {sign} {np.float32(cut):g}"


def tree_as_printed(shared, name):
    """The tree of our training rows' schema that the program printed."""
    schema = grown(shared, name).tree_.schema
    _, _, labels = declared(shared, name)
    columns = {cleaned(column.name): column for column in schema.columns}

    def spec(printed):
        if not isinstance(printed, dict):
            (label,), weight, _ = printed
            return leaf({labels.index(label): float(weight)}) if float(weight) else leaf()
        (column, sign, cut), *_ = printed
        name = columns[column].name
        if sign != "=":
            low, high = (spec(printed[column, sign, cut]) for sign in ("<=", ">"))
            return number(name, float(cut), low, high)
        # Leaves are printed before their siblings, but numbered with them.
        categories = enumerate(columns[column].categories)
        return table(name, {category: spec(printed[column, "=", f"v{k}"]) for k, category in categories})

    return build(schema, spec(printed_tree(shared, name)))
