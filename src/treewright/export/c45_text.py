"""The output of Quinlan's C4.5, character by character: trees, evaluation and confusion matrix.

In: a classification tree and, if it was pruned, the estimated errors of its nodes. Out: the lines below
"Decision Tree:".

The rules were derived from the output of the program: branches that end in a leaf come first; (N/E) has one decimal,
and no /E if E is 0; a number has six digits and a space before its colon; a node whose own lines would be longer than
80 characters is named [S1], [S2] ... and printed below. `Tree.to_text` is easier to read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.errors import KindError
from treewright.model.formatting import format_category, printable
from treewright.model.split import Split, split_of
from treewright.model.tree import Tree

WIDTH = 80
BAR = "|   "
SPARE = 13
"""Characters that the program counts for a line besides bars, name, value and class: " = ", ": ", " (12.0)"."""
CUT = 4
"""Characters that the program counts for a threshold, however long it is."""


def to_c45_text(tree: Tree, errors: NDArray[np.float64] | None = None) -> str:
    """The tree as C4.5 prints it, with a line break at the end.

    errors  E of each node: in the simplified tree of the program the estimated errors. None: the weight of the
            training rows of other classes, as in its unpruned tree

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
        raise KindError("C4.5 requires a classification tree, but this tree predicts numbers; use to_text().")
    if errors is None:
        errors = tree.weight - tree.stats[np.arange(tree.n_nodes), tree.predicted_class]
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
    """The text of each node as a leaf, such as " Play (4.0/1.2)"."""
    classes = [printable(format_category(c)) for c in tree.schema.target.classes or ()]
    best = tree.predicted_class.tolist()
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
    children.sort(key=lambda child: bool(tree.n_children[child]))  # a stable sort keeps the order of the branches
    return [(child, _words(split, child - first, BAR * depth)) for child in children]


def _words(split: Split, branch: int, bars: str) -> str:
    """The beginning of a line, up to the colon; a long group of categories continues on the next lines."""
    name = printable(split.name)
    if split.threshold is not None and split.kind is Kind.NUMBER and branch != split.only_missing:
        return f"{bars}{name} {'<=' if branch == 0 else '>'} {split.threshold:g} :"
    values = [printable(format_category(value)) for value in split.categories(branch)]
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
    """Whether the lines of the node itself are too long; deeper nodes are not considered."""
    split = split_of(tree, node)
    assert split is not None
    used = len(BAR) * depth + len(printable(split.name)) + SPARE
    classes = [len(printable(format_category(c))) for c in tree.schema.target.classes or ()]
    first = int(tree.first_child[node])
    for branch in range(split.n_branches):
        child = first + branch
        value = CUT if split.threshold is not None else _value_length(split, branch)
        label = 0 if tree.n_children[child] else classes[tree.predicted_class[child]]
        if used + value + label > WIDTH:
            return True
    return False


def _value_length(split: Split, branch: int) -> int:
    """The length of the longest single category of a branch; a long group is broken into lines."""
    return max((len(printable(format_category(value))) for value in split.categories(branch)), default=CUT)


TITLE = "C4.5 [release 8] decision tree generator"


@dataclass(frozen=True, slots=True)
class Figures:
    """The evaluation of a tree: its number of nodes, the number of rows it misclassifies, and the number of rows."""

    size: int
    errors: int
    n_rows: int

    @property
    def percent(self) -> float:
        return 100.0 * self.errors / self.n_rows if self.n_rows else 0.0


def head_text(date: str, options: Sequence[str]) -> str:
    """The first lines: the name of the program, the date, and the options as they were given.

    >>> print(head_text("Thu Jun 28 11:07:51 2018", ["File stem <golf>"]).expandtabs(4))
    <BLANKLINE>
    C4.5 [release 8] decision tree generator    Thu Jun 28 11:07:51 2018
    ----------------------------------------
    <BLANKLINE>
        Options:
        File stem <golf>
    <BLANKLINE>
    """
    lines = [
        "",
        f"{TITLE}\t{date}",
        "-" * len(TITLE),
        "",
        "    Options:",
        *(f"\t{words}" for words in options),
    ]
    return "\n".join(lines) + "\n"


def evaluation_text(kind: str, before: Figures, after: Figures, estimate: float) -> str:
    """The table of errors on training or test rows.

    kind      "training" or "test"
    before    the tree before pruning
    after     the tree after pruning
    estimate  the estimated error rate on new rows, in percent

    >>> print(evaluation_text("training", Figures(8, 0, 14), Figures(8, 0, 14), 38.5).expandtabs(4))
    Evaluation on training data (14 items):
    <BLANKLINE>
         Before Pruning           After Pruning
        ----------------   ---------------------------
        Size      Errors   Size      Errors   Estimate
    <BLANKLINE>
           8    0( 0.0%)      8    0( 0.0%)    (38.5%)   <<
    <BLANKLINE>
    """
    first, second = (f"{f.size:4d}  {f.errors:3d}({f.percent:4.1f}%)" for f in (before, after))
    return (
        f"Evaluation on {kind} data ({after.n_rows} items):\n"
        "\n\t Before Pruning           After Pruning\n"
        "\t----------------   ---------------------------\n"
        "\tSize      Errors   Size      Errors   Estimate\n\n"
        f"\t{first}   {second}    ({estimate:4.1f}%)   <<\n"
    )


def confusion_text(classes: Sequence[object], counts: Sequence[Sequence[int]]) -> str:
    """The confusion matrix: a row for each true class, a column for each predicted class.

    >>> print(confusion_text(["Play", "Don't Play"], [[9, 0], [0, 5]]).expandtabs(4), end="")
          (a)  (b)  <-classified as
         ---- ----
            9       (a): class Play
                 5  (b): class Don't Play
    """
    marks = [f"({letters(i)})" for i in range(len(classes))]
    lines = [
        "\t" + "".join(f"{mark:>5}" for mark in marks) + "\t<-classified as",
        "\t" + " ----" * len(classes),
    ]
    for mark, name, row in zip(marks, classes, counts, strict=True):
        cells = "".join(f"{n:5d}" if n else "     " for n in row)
        lines.append(f"\t{cells}\t{mark}: class {printable(format_category(name))}")
    return "\n".join(lines) + "\n"


def letters(place: int) -> str:
    """The letters of a class by its position.

    >>> letters(0), letters(25), letters(26)
    ('a', 'z', 'aa')
    """
    found = ""
    while place >= 0:
        place, rest = divmod(place, 26)
        found = ascii_lowercase[rest] + found
        place -= 1
    return found
