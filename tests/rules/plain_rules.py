"""Rules as written down, read by plain Python: the dict of a rule set against rows of a table.

In: what `to_dict()` gives, and rows as dicts of cells by column. Out: which rules apply. Nothing else is used.
"""

from math import isnan


def rows_of(X, at):
    """Some rows of a pandas table as dicts; a missing cell is None."""
    columns = {name: X[name].iloc[at].tolist() for name in X.columns}
    return [{name: known(cells[i]) for name, cells in columns.items()} for i in range(len(at))]


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


def applying(rules, row):
    """The rules, of those of a document, that apply to a row."""
    return [rule for rule in rules if all(satisfied(c, row[c["column"]]) for c in rule["conditions"])]
