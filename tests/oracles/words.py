"""Reading published tables for the slow grower, and its trees in words.

In: text of a CSV file, or the folder of reference tables. Out: `Words`, which holds columns, target and all names,
and turns a grown tree into nested dicts of the user's words, so that a test reads like the book.
"""

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracles.grower import Node
from tests.oracles.options import Cell, Column


@dataclass(frozen=True)
class Words:
    """A table with the names it was written in; `classes` is empty when the target is a number."""

    names: list[str]
    columns: list[Column]
    categories: list[list[str]]
    target: list[float]
    classes: list[str]

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    def tell(self, node: Node) -> Any:
        """A leaf is its majority class (or rounded value); a split is {column: {branch: subtree}}."""
        if "children" not in node:
            if not self.classes:
                return round(node["value"][0], 3)
            return self.classes[max(range(self.n_classes), key=lambda c: (node["value"][c], -c))]
        column = node["column"]
        if "threshold" in node:
            labels = [f"<= {node['threshold']:g}", f"> {node['threshold']:g}", "missing"]
            labels = labels[: len(node["children"])]
        else:
            labels = [
                "|".join(
                    w for w, b in zip(self.categories[column], node["branch_of"], strict=True) if b == branch
                )
                or "missing"
                for branch in range(len(node["children"]))
            ]
        told = [self.tell(child) for child in node["children"]]
        return {self.names[column]: dict(zip(labels, told, strict=True))}


def read(text: str, numbers: Sequence[str] = (), levels: dict[str, list[str]] | None = None) -> Words:
    """A CSV text whose last column is the target; categories are in order of appearance unless `levels` says.

    An empty cell is a missing one.

    >>> read("x,y\\n1,a\\n2,b\\n", numbers=["x"]).classes
    ['a', 'b']
    """
    header, *lines = [line for line in csv.reader(text.strip().splitlines()) if line]
    cells = list(zip(*lines, strict=True))
    known = levels or {}

    def categories(name: str, words: Sequence[str]) -> list[str]:
        return [] if name in numbers else known.get(name) or list(dict.fromkeys(w for w in words if w))

    def codes(words: Sequence[str], of: list[str]) -> list[Cell]:
        return [None if w == "" else float(of.index(w) if of else w) for w in words]

    *inputs, (target_name, target_words) = zip(header, cells, strict=True)
    listed = [categories(name, words) for name, words in inputs]
    columns = [
        Column("category" if of else "number", codes(words, of), len(of))
        for (_, words), of in zip(inputs, listed, strict=True)
    ]
    classes = [] if target_name in numbers else sorted(categories(target_name, target_words))
    target = [float(y) for y in codes(target_words, classes) if y is not None]
    return Words(header[:-1], columns, listed, target, classes)


def read_shared(shared: Path, name: str) -> Words:
    """A reference table with the levels and the target of its schema."""
    schema = json.loads((shared / "data" / "schema.json").read_text(encoding="utf-8"))[name]
    with (shared / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    fields = [c for c in schema["columns"] if c["name"] != schema["target"]]
    fields += [c for c in schema["columns"] if c["name"] == schema["target"]]
    lines = [[c["name"] for c in fields]] + [[record[c["name"]] for c in fields] for record in records]
    text = "\n".join(",".join(f'"{cell}"' for cell in line) for line in lines)
    numbers = [c["name"] for c in fields if c["type"] == "numeric"]
    return read(text, numbers, {c["name"]: c["levels"] for c in fields if c.get("levels")})
