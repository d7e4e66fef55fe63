"""ID3, C4.5, CART and MDLTree on Quinlan's golf table, side by side, with the numbers that chose each root; then one of
them pruned, another explained, turned into rules and into a page; and the same on the command line.

In: nothing. Out: text on the terminal, panels next to each other where they fit; and in build/ a page, a report
and a model file. `make demo` runs it.
"""

import os
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from typing import Any

import polars as pl

from treewright import C45Classifier, CARTClassifier, ID3Classifier, MDLTreeClassifier
from treewright.cli.main import main as treewright

GOLF = """\
Outlook,Temperature,Humidity,Windy,PlayGolf?
sunny,85,85,FALSE,no
sunny,80,90,TRUE,no
overcast,83,86,FALSE,yes
rainy,70,96,FALSE,yes
rainy,68,80,FALSE,yes
rainy,65,70,TRUE,no
overcast,64,65,TRUE,yes
sunny,72,95,FALSE,no
sunny,69,70,FALSE,yes
rainy,75,80,FALSE,yes
sunny,75,70,TRUE,yes
overcast,72,90,TRUE,yes
overcast,81,75,FALSE,yes
rainy,71,91,TRUE,no
"""

NEW_DAY = {"Outlook": "sunny", "Temperature": 72, "Humidity": 70, "Windy": True}

GAP = "   "
BUILD = Path(__file__).resolve().parent.parent / "build"
PAGE = BUILD / "golf.html"

COMMANDS = (
    "treewright compare golf.csv --target PlayGolf? -o report.html --force",
    "treewright fit golf.csv --target PlayGolf? --quiet -o golf.json --force",
    "treewright explain golf.json Outlook=rainy Windy=TRUE",
)
"""The same on the command line, in the folder of the page."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An estimator, what it is called here, and the numbers it looks at, each with its heading."""

    title: str
    estimator: Any
    numbers: tuple[tuple[str, str], ...]


ALGORITHMS = (
    Algorithm("ID3: most information gain", ID3Classifier(numeric="bisect"), (("gain", "gain"),)),
    Algorithm(
        "C4.5: best gain ratio",
        C45Classifier(),
        (("gain", "gain"), ("split_info", "info"), ("merit", "ratio")),
    ),
    # As it grows: cross-validation finds nothing in fourteen rows that is worth keeping.
    Algorithm("CART: most decrease of Gini", CARTClassifier(pruning=None), (("gain", "decrease"),)),
    Algorithm(
        "MDLTree: best ratio of the gain left",
        MDLTreeClassifier(pruning=None),
        (("charge", "charge"), ("gain", "gain"), ("merit", "ratio")),
    ),
)
CART = 2

PRUNING = ("error_based", "minimum_error", "pessimistic", "mdl", "cost_complexity")
HUMID = 4
"""The node of CART's tree that the methods are asked about."""


def in_columns(cells: Sequence[str], widths: Sequence[int], gap: str) -> str:
    """The cells on one line, each as wide as its column."""
    return gap.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def side_by_side(panels: Sequence[Sequence[str]], width: int) -> list[str]:
    """As many panels next to each other as fit into the width, the others below."""

    def full_width(row: Sequence[tuple[Sequence[str], int]]) -> int:
        return sum(w for _, w in row) + len(GAP) * (len(row) - 1)

    lines: list[str] = []
    waiting = [(panel, max(map(len, panel))) for panel in panels]
    while waiting:
        n_fitting = 1
        while n_fitting < len(waiting) and full_width(waiting[: n_fitting + 1]) <= width:
            n_fitting += 1
        row, waiting = waiting[:n_fitting], waiting[n_fitting:]
        widths = [w for _, w in row]
        lines += [in_columns(cells, widths, GAP) for cells in zip_longest(*(p for p, _ in row), fillvalue="")]
        lines.append("")
    return lines


def show_table(golf: pl.DataFrame, width: int) -> list[str]:
    """The golf table, its first and second half next to each other."""
    columns = [[name, *map(str, golf[name])] for name in golf.columns]
    widths = [max(map(len, column)) for column in columns]
    lines = [in_columns(row, widths, " ") for row in zip(*columns, strict=True)]
    middle = 1 + len(golf) // 2
    head = [lines[0], "─" * len(lines[0])]
    return side_by_side([head + lines[1:middle], head + lines[middle:]], width)


def number_table(numbers: Sequence[tuple[str, str]], model: Any) -> list[str]:
    """What each column offers at the root; a dash where it is not ranked."""
    ledger = model.why()
    candidates = [c for c in ledger.entry.candidates if c.verdict != "rejected"]
    with_cuts = any(c.threshold is not None for c in candidates)
    lines = [f"{'column':<12}" + f"{'cut':<8}" * with_cuts + "".join(f"{head:>8}" for _, head in numbers)]
    for c in ledger.entry.candidates:
        offers = c in candidates
        cut = f"<= {c.threshold:g}" if offers and c.threshold is not None else ""
        cells = [getattr(c, field) if offers else None for field, _ in numbers]
        shown = "".join(f"{'-':>8}" if cell is None else f"{cell:>8.3f}" for cell in cells)
        mark = "  <-" if c is ledger.chosen else ""
        lines.append(f"{c.name:<12}" + f"{cut:<8}" * with_cuts + shown + mark)
    return lines


def panel(algorithm: Algorithm, model: Any) -> list[str]:
    """One algorithm: the numbers that chose its root, then its tree."""
    table = number_table(algorithm.numbers, model)
    tree = model.tree_.to_text().splitlines()
    rule = "─" * max(map(len, [*table, *tree]))
    size = f"{model.get_n_leaves()} leaves, depth {model.get_depth()}"
    return [algorithm.title, rule, *table, "", *tree, "", size]


def pruning_table(model: Any, golf: pl.DataFrame, play: pl.Series) -> list[str]:
    """What each method leaves of the grown tree, and what it says of one node."""
    views = {name: model.pruned(name, golf, play) for name in PRUNING}
    node = model.tree_.node(HUMID)
    where = " and ".join(words for _, words in node.path())
    lines = [f"CART's tree is shown as it grew. What pruning leaves of its {model.get_n_leaves()} leaves, and why, at"]
    lines += [f"{where}: {node.answer_words()}.", ""]
    lines.append(f"{'method':<16}{'leaves':>7}  that node")
    for name, view in views.items():
        said = view.pruning_report_.of(HUMID).words.split("): ", 1)[1]
        lines.append(f"{name:<16}{view.get_n_leaves():>7}  {said}")
    return lines


def explain(model: Any, golf: pl.DataFrame, play: pl.Series) -> None:
    """Why C4.5 answers as it does, its tree as rules, and all of it as a page."""
    print("\nWhy C4.5 says so:\n")
    print(model.explain(NEW_DAY))
    print("\nIts tree as rules, each with its estimated accuracy:\n")
    print(model.rules("generalised"))
    BUILD.mkdir(exist_ok=True)
    print(f"\nThe tree as a page: {model.to_html(PAGE, golf, play, title='Golf')}. Open it in a browser.")
    print("The arithmetic of any node, digit by digit: model.worked_solution(0).")


def on_the_command_line() -> None:
    """A table of one's own, as a newcomer would begin; run in this process, where everything is loaded already."""
    (BUILD / "golf.csv").write_text(GOLF, encoding="utf-8")
    os.chdir(BUILD)
    print(f"\nThe same on the command line, in {BUILD}:")
    for command in COMMANDS:
        print(f"\n$ {command}\n", flush=True)
        treewright(shlex.split(command)[1:])


def main() -> None:
    """Grow the trees, print them, prune one and explain another."""
    golf = pl.read_csv(StringIO(GOLF))
    width = shutil.get_terminal_size((120, 40)).columns
    print("Quinlan's golf table: is this a day to play?\n")
    print(*show_table(golf, width), sep="\n")

    play = golf["PlayGolf?"]
    golf = golf.drop("PlayGolf?")
    models = [algorithm.estimator.fit(golf, play) for algorithm in ALGORITHMS]
    panels = [panel(algorithm, model) for algorithm, model in zip(ALGORITHMS, models, strict=True)]
    print("Above each tree: what every column offers at the root, and which one is taken (<-).\n")
    print(*side_by_side(panels, width), sep="\n")
    print("-  not ranked. C4.5 (Release 8) takes log2(cuts) / weight off the gain of a number, which leaves")
    print("   nothing here, and it ranks by ratio only where the gain is at least the average gain. In MDLTree")
    print("   every split pays: log2 of the cuts, or of the ways to group the values, over the weight.\n")

    answers = [f"{type(model).__name__} says {model.predict(pl.DataFrame([NEW_DAY]))[0]}" for model in models]
    print("A new day:", ", ".join(f"{name} = {value}" for name, value in NEW_DAY.items()) + ". Play?")
    print("   " + ", ".join(answers) + ".\n")
    print(*pruning_table(models[CART], golf, play), sep="\n")
    explain(models[1], golf, play)
    on_the_command_line()


if __name__ == "__main__":
    main()
