"""C45Report: what Quinlan's C4.5 prints around its trees: the head, the table of errors, the confusion matrix.

In: figures. Out: text with the program's own blanks and tabs, so that what reads its printouts reads these.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from treewright.model.words import category_words, printable

TITLE = "C4.5 [release 8] decision tree generator"


@dataclass(frozen=True, slots=True)
class Figures:
    """How a tree does on rows: its nodes, the rows it gives another class, and all rows."""

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
    after     the tree after it
    estimate  the errors estimated for new rows, in percent

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
    """The confusion matrix: a row for each class that rows have, a column for each that they are given.

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
        lines.append(f"\t{cells}\t{mark}: class {printable(category_words(name))}")
    return "\n".join(lines) + "\n"


def letters(place: int) -> str:
    """The letters of a class by its place.

    >>> letters(0), letters(25), letters(26)
    ('a', 'z', 'aa')
    """
    found = ""
    while place >= 0:
        place, rest = divmod(place, 26)
        found = ascii_lowercase[rest] + found
        place -= 1
    return found
