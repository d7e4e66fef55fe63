"""C45Text: a tree as Quinlan's C4.5 prints it, to the character.

In: a tree of classes and, for a pruned one, the errors estimated for its nodes. Out: the lines under "Decision Tree:".

The rules were read off the program's printouts: branches that end in a leaf come first; (N/E) has one decimal, and no
/E where E is 0; a number has six digits and a blank before its colon; a node whose own lines would not fit into 80
characters is named [S1], [S2] ... and printed below. `Tree.to_text` is the more readable text of the house.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.errors import KindError
from treewright.model.split import Split, split_of
from treewright.model.tree import Tree
from treewright.model.words import category_words, printable

WIDTH = 80
BAR = "|   "
SPARE = 13
"""What a line has besides bars, name, value and class: " = ", ": ", " (12.0)"; so the program counts it."""
CUT = 4
"""Characters that the program counts for a threshold, however long it is."""


def to_c45_text(tree: Tree, errors: NDArray[np.float64] | None = None) -> str:
    """The tree as C4.5 prints it, with a line break at the end.

    errors  what stands behind the weight of each node when it is a leaf; None is the weight of its training rows that
            have another class, as in the program's unpruned tree. Its simplified tree has the estimated errors there.

    >>> from treewright.model.build import golf_example
    >>> print(to_c45_text(golf_example()), end="")
    outlook = overcast: Play (4.0)
    outlook = sunny:
    |   humidity <= 75 : Play (2.0)
    |   humidity > 75 : Don't Play (3.0)
    outlook = rain:
    |   windy = False: Play (3.0)
    |   windy = True: Don't Play (2.0)
    """
    if tree.schema.target.is_number:
        raise KindError("C4.5 prints classes, and this tree answers with numbers; print it by to_text().")
    if errors is None:
        errors = tree.weight - tree.stats[np.arange(tree.n_nodes), tree.answers]
    leaves = _leaf_words(tree, errors)
    if not tree.n_children[0]:
        return f"{leaves[0]}\n"
    lines: list[str] = []
    subtrees = [0]
    for number, top in enumerate(subtrees):
        lines += ["", "", f"Subtree [S{number}]", ""] if number else [""]
        lines += _lines_below(tree, top, leaves, subtrees)
    return "\n".join(lines[1:]) + "\n"


def _leaf_words(tree: Tree, errors: NDArray[np.float64]) -> list[str]:
    """What is printed for each node when it is a leaf: " Play (4.0/1.2)"."""
    classes = [printable(category_words(c)) for c in tree.schema.target.classes or ()]
    best = tree.answers.tolist()
    return [
        f" {classes[c]} ({weight:.1f}{f'/{wrong:.1f}' if wrong > 0 else ''})"
        for c, weight, wrong in zip(best, tree.weight.tolist(), errors.tolist(), strict=True)
    ]


def _lines_below(tree: Tree, top: int, leaves: list[str], subtrees: list[int]) -> Iterator[str]:
    """The lines of the branches below `top`; a node that is too wide is added to `subtrees`."""
    waiting = [(child, 0, words) for child, words in reversed(_branches(tree, top, 0))]
    while waiting:
        node, depth, words = waiting.pop()
        if not tree.n_children[node]:
            yield words + leaves[node]
        elif _is_too_wide(tree, node, depth + 1):
            yield f"{words}[S{len(subtrees)}]"
            subtrees.append(node)
        else:
            yield words
            waiting += [(child, depth + 1, w) for child, w in reversed(_branches(tree, node, depth + 1))]


def _branches(tree: Tree, node: int, depth: int) -> list[tuple[int, str]]:
    """The children of a node and the beginnings of their lines, leaves first."""
    split = split_of(tree, node)
    assert split is not None
    first = int(tree.first_child[node])
    children = [first + b for b in range(split.n_branches)]
    children.sort(key=lambda child: bool(tree.n_children[child]))  # stable: the order of the branches stays
    return [(child, _words(split, child - first, BAR * depth)) for child in children]


def _words(split: Split, branch: int, bars: str) -> str:
    """The beginning of a line, up to the colon; a long group of categories goes on below its first one."""
    name = printable(split.name)
    if split.threshold is not None and split.kind is Kind.NUMBER and branch != split.only_missing:
        return f"{bars}{name} {'<=' if branch == 0 else '>'} {split.threshold:g} :"
    values = [printable(category_words(value)) for value in split.categories(branch)]
    if len(values) < 2 or split.threshold is not None:
        words = f"{name} = {values[0]}" if len(values) == 1 else printable(split.branch_words(branch))
        return f"{bars}{words}:"
    lines = [f"{bars}{name} in {{{values[0]}"]
    for value in values[1:]:
        if len(lines[-1]) + len(value) + 2 > WIDTH:
            lines[-1] += ","
            lines.append(bars + " " * (len(name) + 5) + value)
        else:
            lines[-1] += f",{value}"
    return "\n".join(lines) + "}:"


def _is_too_wide(tree: Tree, node: int, depth: int) -> bool:
    """Whether the lines of the node itself would not fit; those further below are not looked at."""
    split = split_of(tree, node)
    assert split is not None
    used = len(BAR) * depth + len(printable(split.name)) + SPARE
    classes = [len(printable(category_words(c))) for c in tree.schema.target.classes or ()]
    first = int(tree.first_child[node])
    for branch in range(split.n_branches):
        child = first + branch
        value = CUT if split.threshold is not None else _value_length(split, branch)
        answer = 0 if tree.n_children[child] else classes[tree.answers[child]]
        if used + value + answer > WIDTH:
            return True
    return False


def _value_length(split: Split, branch: int) -> int:
    """The length of the longest single category of a branch; a long group is broken into lines."""
    return max((len(printable(category_words(value))) for value in split.categories(branch)), default=CUT)
