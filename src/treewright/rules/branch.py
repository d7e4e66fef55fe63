"""Branch: the branches of a split as conditions.

In: a tree and one of its inner nodes. Out: for each branch the condition that a row has to satisfy to take it, exactly:
also categories that training did not show at this node are in it.
"""

from math import inf

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import THRESHOLD, Tree
from treewright.rules.condition import Condition


def branch_conditions(tree: Tree, node: int, to_missing: int = -1) -> list[Condition]:
    """The condition of each branch of a node.

    to_missing  the branch whose condition holds for missing values too; -1: none. A branch that no other value takes
                holds for them in any case.

    >>> from treewright.model.build import golf_example
    >>> [condition.words() for condition in branch_conditions(golf_example(), 1)]
    ['humidity <= 75', 'humidity > 75']
    >>> [condition.words() for condition in branch_conditions(golf_example(), 0, to_missing=2)]
    ['outlook = sunny', 'outlook = overcast', 'outlook = rain or is missing']
    """
    position = int(tree.column[node])
    column = tree.schema.columns[position]
    n_branches = int(tree.n_children[node])
    joined = [branch == to_missing for branch in range(n_branches)]
    only_missing = Condition(column, position, missing=True, known=False)
    if tree.kind[node] == THRESHOLD:
        threshold = float(tree.threshold[node])
        found = [Condition(column, position, high=threshold, missing=joined[0])]
        if threshold < inf:
            found.append(Condition(column, position, low=threshold, missing=joined[1]))
        return [*found, only_missing][:n_branches]
    own = own_branch(tree, node)
    return [
        only_missing if branch == own else Condition(column, position, codes=codes, missing=joined[branch])
        for branch, codes in enumerate(branch_codes(tree, node))
    ]


def branch_codes(tree: Tree, node: int) -> list[NDArray[np.int32]]:
    """The codes of all categories of the schema by the branch they take at a node with a table.

    >>> from treewright.model.build import golf_example
    >>> [codes.tolist() for codes in branch_codes(golf_example(), 0)]
    [[0], [1], [2]]
    """
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    taken = np.full(tree.schema.columns[tree.column[node]].n_categories, tree.other[node], np.int32)
    taken[tree.table_code[own]] = tree.table_branch[own]
    # Stable, so that the codes of a branch rise; all branches in one sort, because there may be thousands.
    order = np.argsort(taken, kind="stable").astype(np.int32)
    ends = np.searchsorted(taken[order], np.arange(1, tree.n_children[node]))
    return np.split(order, ends)


def own_branch(tree: Tree, node: int) -> int:
    """The branch of a node with a table that only missing values take; -1 when there is none.

    >>> from treewright.model.build import golf_example
    >>> own_branch(golf_example(), 0)
    -1
    """
    branch = int(tree.missing_branch[node])
    met = tree.table_branch[tree.table_start[node] : tree.table_start[node + 1]]
    return -1 if branch == tree.other[node] or bool((met == branch).any()) else branch
