"""Rules as written down, read by plain Python: the dict of a rule set against rows of a table.

In: what `to_dict()` gives, and rows of a pandas table. Out: which rules apply. Nothing else is used.
"""

import json
from math import isnan

import numpy as np


def known(cell):
    return None if cell is None or (isinstance(cell, float) and isnan(cell)) else cell


def satisfied(condition, cell):
    """Whether a cell satisfies a condition."""
    if cell is None:
        return condition["missing"]
    if not condition["known"]:
        return False
    if "in" in condition:
        return cell in condition["in"]
    above, at_most = condition["above"], condition["at_most"]
    return (above is None or cell > above) and (at_most is None or cell <= at_most)


def owners(rules, X, at):
    """For some rows of a table, how many rules apply to each, and the node of the last of them; no rule is left out.

    A condition that many rules have is tried once, and a value that many rows have is tried once.
    """
    columns = {}
    for name in X.columns:
        met = {}
        places = np.array([met.setdefault(known(cell), len(met)) for cell in X[name].iloc[at].tolist()])
        columns[name] = list(met), places
    tried = {}

    def rows_of_condition(condition):
        key = json.dumps({name: part for name, part in condition.items() if name != "words"})
        if key not in tried:
            cells, places = columns[condition["column"]]
            asked = condition | {"in": set(condition["in"])} if "in" in condition else condition
            tried[key] = np.array([satisfied(asked, cell) for cell in cells])[places]
        return tried[key]

    n_rules, node = np.zeros(len(at), int), np.full(len(at), -1)
    for rule in rules:
        holds = np.ones(len(at), bool)
        for condition in rule["conditions"]:
            holds &= rows_of_condition(condition)
        n_rules += holds
        node[holds] = rule["node"]
    return n_rules, node
