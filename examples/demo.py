"""ID3, C4.5, CART and MDLTree on Quinlan's golf table, side by side, with the candidates of each root; then pruning,
an explanation, rules, an interactive page, and the same on the command line.

It prints to the terminal and writes a page, a report and a model file to build/. `make demo` runs it.
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
    "treewright fit golf.csv --target PlayGolf? --algorithm c4.5 --quiet -o golf.json --force",
    "treewright explain golf.json Outlook=rainy Windy=TRUE",
)
"""Commands that are run in build/."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An estimator, its title, and the numbers of its candidates with their headings."""

    title: str
    estimator: Any
    numbers: tuple[tuple[str, str], ...]


ALGORITHMS = (
    Algorithm("ID3: highest information gain", ID3Classifier(numeric="bisect"), (("gain", "gain"),)),
    Algorithm(
        "C4.5: highest gain ratio",
        C45Classifier(),
        (("gain", "gain"), ("split_info", "info"), ("merit", "ratio")),
    ),
    # Not pruned: with fourteen rows cross-validation would prune everything.
    Algorithm("CART: largest decrease of Gini", CARTClassifier(pruning=None), (("gain", "decrease"),)),
    Algorithm(
        "MDLTree: ratio of the penalised gain",
        MDLTreeClassifier(pruning=None),
        (("penalty", "penalty"), ("gain", "gain"), ("merit", "ratio")),
    ),
)
CART = 2

PRUNING = ("error_based", "minimum_error", "pessimistic", "mdl", "cost_complexity")
HUMID = 4
"""The node of CART's tree whose pruning decisions are printed."""


def in_columns(cells: Sequence[str], widths: Sequence[int], gap: str) -> str:
    """Return the cells on one line, padded to the widths of their columns."""
    return gap.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def side_by_side(panels: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return as many panels next to each other as fit into the width, the others below."""

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
    """Return the golf table, its first and second half next to each other."""
    columns = [[name, *map(str, golf[name])] for name in golf.columns]
    widths = [max(map(len, column)) for column in columns]
    lines = [in_columns(row, widths, " ") for row in zip(*columns, strict=True)]
    middle = 1 + len(golf) // 2
    head = [lines[0], "─" * len(lines[0])]
    return side_by_side([head + lines[1:middle], head + lines[middle:]], width)


def number_table(numbers: Sequence[tuple[str, str]], model: Any) -> list[str]:
    """Return the candidates of the root; a dash if a column is not compared."""
    ledger = model.why()
    candidates = [c for c in ledger.entry.candidates if c.verdict != "rejected"]
    with_cuts = any(c.threshold is not None for c in candidates)
    lines = [f"{'column':<12}" + f"{'cut':<8}" * with_cuts + "".join(f"{head:>8}" for _, head in numbers)]
    for c in ledger.entry.candidates:
        compared = c in candidates
        cut = f"<= {c.threshold:g}" if compared and c.threshold is not None else ""
        cells = [getattr(c, field) if compared else None for field, _ in numbers]
        shown = "".join(f"{'-':>8}" if cell is None else f"{cell:>8.3f}" for cell in cells)
        mark = "  <-" if c is ledger.chosen else ""
        lines.append(f"{c.name:<12}" + f"{cut:<8}" * with_cuts + shown + mark)
    return lines


def panel(algorithm: Algorithm, model: Any) -> list[str]:
    """Return one algorithm: the candidates of its root, then its tree."""
    table = number_table(algorithm.numbers, model)
    tree = model.tree_.to_text().splitlines()
    rule = "─" * max(map(len, [*table, *tree]))
    size = f"{model.get_n_leaves()} leaves, depth {model.get_depth()}"
    return [algorithm.title, rule, *table, "", *tree, "", size]


def pruning_table(model: Any, golf: pl.DataFrame, play: pl.Series) -> list[str]:
    """Return the leaves of the tree of each pruning method, and its decision at one node."""
    views = {name: model.pruned(name, golf, play) for name in PRUNING}
    node = model.tree_.node(HUMID)
    where = " and ".join(words for _, words in node.path())
    lines = [f"CART's tree above is not pruned and has {model.get_n_leaves()} leaves. Pruning it, with the decision at"]
    lines += [f"{where}: {node.prediction_words()}.", ""]
    lines.append(f"{'method':<16}{'leaves':>7}  decision")
    for name, view in views.items():
        decision = view.pruning_report_.of(HUMID).words.split("): ", 1)[1]
        lines.append(f"{name:<16}{view.get_n_leaves():>7}  {decision}")
    return lines


def explain(model: Any, golf: pl.DataFrame, play: pl.Series) -> None:
    """Print the explanation of a prediction of C4.5 and its rules, and write its page."""
    print("\nWhy C4.5 predicts this:\n")
    print(model.explain(NEW_DAY))
    print("\nIts rules, each with its estimated accuracy:\n")
    print(model.rules("generalised"))
    BUILD.mkdir(exist_ok=True)
    page = model.to_html(PAGE, golf, play, title="Golf", overwrite=True)
    print(f"\nThe interactive page: {page}. Open it in a browser.")
    print("For the arithmetic of a node step by step, use model.worked_solution(0).")


def on_the_command_line() -> None:
    """Run the commands in this process, where everything is already loaded."""
    (BUILD / "golf.csv").write_text(GOLF, encoding="utf-8")
    os.chdir(BUILD)
    print(f"\nThe same on the command line, in {BUILD}:")
    for command in COMMANDS:
        print(f"\n$ {command}\n", flush=True)
        treewright(shlex.split(command)[1:])


def main() -> None:
    """Fit the trees, print them, prune one and explain another."""
    golf = pl.read_csv(StringIO(GOLF))
    width = shutil.get_terminal_size((120, 40)).columns
    print("Quinlan's golf table: is this a day to play?\n")
    print(*show_table(golf, width), sep="\n")

    play = golf["PlayGolf?"]
    golf = golf.drop("PlayGolf?")
    models = [algorithm.estimator.fit(golf, play) for algorithm in ALGORITHMS]
    panels = [panel(algorithm, model) for algorithm, model in zip(ALGORITHMS, models, strict=True)]
    print("Above each tree: the candidates of the root, and the chosen one (<-).\n")
    print(*side_by_side(panels, width), sep="\n")
    print("-  not compared. C4.5 (Release 8) subtracts a penalty of log2(cuts) / weight from the gain of a numeric")
    print("   column, which leaves nothing here, and compares ratios only if the gain is at least the average gain.")
    print("   In MDLTree every split has a penalty: log2 of the number of cuts or groupings, divided by the weight.\n")

    predictions = [f"{type(model).__name__} {model.predict(pl.DataFrame([NEW_DAY]))[0]}" for model in models]
    print("A new day:", ", ".join(f"{name} = {value}" for name, value in NEW_DAY.items()) + ".")
    print("   Predictions: " + ", ".join(predictions) + ".\n")
    print(*pruning_table(models[CART], golf, play), sep="\n")
    explain(models[1], golf, play)
    on_the_command_line()


if __name__ == "__main__":
    main()
