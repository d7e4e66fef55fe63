"""Names and categories as nobody wants them, and rules made of them."""

from dataclasses import replace

import numpy as np

from treewright import CARTClassifier
from treewright.data.schema import Schema
from treewright.predict.missing_policy import MissingPolicy
from treewright.rules.generalise import GeneraliseOptions, make_generalised_rules
from treewright.rules.leaf_rules import make_leaf_rules
from treewright.rules.rule_prediction import RowReader

HOSTILE = [
    "</script><script>alert(1)</script>",
    "quote \" and ' and `",
    "line\nbreak\r\ttab",
    "\u2028\u2029 separators",
    "\u202egnirts desrever",
    "emoji 🎾 and 西瓜",
    "x" * 10_000,
    "",
    "lone \ud800 surrogate",
    "| pipe | *star* _under_ [link](http://a.b) $x$ &amp; <b> ~~no~~ :smile: ==mark==",
    "\x1b[31mred\x07",
    "{braces} \\backslash % # @user",
]


def hostile_rules(form):
    """Rules in which every hostile string is a column, a category and a class; tables cannot hold some as names."""
    n = len(HOSTILE)
    # A number for each class but the first, which some categories tell.
    rows = []
    for k in range(9 * n):
        category = HOSTILE[k % 3 if k % n == 0 else 3 + k % 9]
        rows.append([int(0 < k % n == i) for i in range(n)] + [category])
    model = CARTClassifier(pruning=None).fit(rows, [HOSTILE[k % n] for k in range(9 * n)])
    names = [*HOSTILE, "category"]
    columns = tuple(replace(c, name=name) for c, name in zip(model.tree_.schema.columns, names, strict=True))
    tree = replace(model.tree_, schema=Schema(columns, model.tree_.schema.target))
    reader = RowReader(columns, None, "mark", "")
    if form == "leaves":
        return make_leaf_rules(tree, MissingPolicy("majority"), reader, np.array(model.classes_))
    data = replace(model._training_rows(), schema=tree.schema)
    return make_generalised_rules(tree, data, GeneraliseOptions(), reader, np.array(model.classes_))
