"""How easy the source is to walk through: sizes of files and functions, calls from file to file, imports and names.

In: the package that `import treewright` finds. Out: a table on standard output, a line for each figure, with those of
house_before.json beside them: the package before its modules were merged and renamed, on 2026-11-18. With --json also a
file, with --against the figures of another such file, with --names the small modules that only one module of their
folder imports.

    python -m benchmarks.house --json today.json
    python -m benchmarks.house --against today.json

A call of Python counts where it enters a function of the package, a resumed generator too. A comprehension is a part of
the function that it is written in, compiled kernels are not seen, and neither are other threads. A hop is a call whose
file is not that of the call before it. Every call is made once before it is counted, so no import is counted.
"""

import argparse
import ast
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import FrameType

import treewright
from benchmarks.tables import golf_rows
from treewright.cli.main import main as command_line

BEFORE = Path(__file__).with_name("house_before.json")
"""The figures that new ones are compared with."""
INIT = "__init__"
LONG_FUNCTION = 60
"""A function of more lines is long."""
SMALL_MODULE = 110
"""A module of fewer lines is small."""
OFTEN = 2
"""A basename of more modules than that is named in the table."""
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""Frames of their own before Python 3.12, and those of generator expressions still."""
GOLF_COLUMNS = ("outlook", "temperature", "humidity", "windy", "play")

Value = int | float | str
Action = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Module:
    """A source file: its dotted name, its path, its number of lines and its syntax tree."""

    name: str
    path: Path
    n_lines: int
    syntax: ast.Module

    @property
    def is_init(self) -> bool:
        return self.path.stem == INIT


@dataclass(slots=True)
class Calls:
    """The files of the package that were entered, and how often a call was in another file than the one before."""

    files: set[str] = field(default_factory=set)
    hops: int = 0


def main(words: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.house", description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file")
    parser.add_argument(
        "--against", type=Path, default=BEFORE, metavar="FILE", help="figures of an earlier run, written with --json"
    )
    parser.add_argument("--names", action="store_true", help="name the small modules of one importer")
    given = parser.parse_args(words)
    root = Path(treewright.__file__).parent
    modules = read_modules(root)
    found = {**size_figures(modules, root), **call_figures(root), **name_figures(modules), **mro_figures()}
    before = json.loads(given.against.read_text(encoding="utf-8"))
    print("\n".join(table_lines(found, before)))
    if given.names:
        print()
        for name, importer in single_importers(modules).items():
            print(f"{name}, imported by {importer}")
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def read_modules(root: Path) -> list[Module]:
    """Every source file of the package in this folder, in the order of their paths."""
    found = []
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root.parent).with_suffix("").parts
        text = path.read_text(encoding="utf-8")
        name = ".".join(parts[:-1] if parts[-1] == INIT else parts)
        found.append(Module(name, path, len(text.splitlines()), ast.parse(text)))
    return found


def function_lengths(modules: Sequence[Module]) -> list[int]:
    """The lines of each function and method, from `def` to its end; a nested one counts in the outer one too."""
    return [
        (node.end_lineno or node.lineno) - node.lineno + 1
        for module in modules
        for node in ast.walk(module.syntax)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def importers(modules: Sequence[Module]) -> dict[str, set[Module]]:
    """For each module the modules that import it, at the top of the file or inside a function."""
    found: dict[str, set[Module]] = {module.name: set() for module in modules}
    for module in modules:
        for name in _imported(module, found.keys()):
            if name != module.name:
                found[name].add(module)
    return found


def _imported(module: Module, known: Set[str]) -> set[str]:
    """The names of the known modules that a module imports; `from a import b` is module a.b or a name in module a."""
    found: set[str] = set()
    for node in ast.walk(module.syntax):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            found.update(name if name in known else node.module for name in inner)
    return found & known


def single_importers(modules: Sequence[Module]) -> dict[str, str]:
    """Small modules that exactly one module imports, which is in the same folder; the name of that one."""
    by_name = importers(modules)
    found = {}
    for module in modules:
        if module.is_init or module.n_lines >= SMALL_MODULE or len(by_name[module.name]) != 1:
            continue
        (importer,) = by_name[module.name]
        if importer.path.parent == module.path.parent:
            found[module.name] = f"{importer.name}.{INIT}" if importer.is_init else importer.name
    return found


def repeated_basenames(modules: Sequence[Module]) -> dict[str, int]:
    """The names of files that are used often, and how often."""
    counts = Counter(module.path.stem for module in modules if not module.is_init)
    return {name: n for name, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if n > OFTEN}


def count_calls(action: Action, root: Path) -> Calls:
    """Run an action and follow its calls through the source files in this folder."""
    inside, calls, last = f"{root}{os.sep}", Calls(), ""

    def follow(frame: FrameType, event: str, _: object) -> None:
        nonlocal last
        file = frame.f_code.co_filename
        if event != "call" or frame.f_code.co_name in COMPREHENSIONS or not file.startswith(inside):
            return
        calls.files.add(file)
        calls.hops += last not in ("", file)
        last = file

    earlier = sys.getprofile()
    sys.setprofile(follow)
    try:
        action()
    finally:
        sys.setprofile(earlier)
    return calls


def actions(folder: Path) -> dict[str, Action]:
    """What is followed: tasks on the golf table, with a newly fitted model; the folder is for files."""
    rows = golf_rows()
    X, y = [[row[0], int(row[1]), int(row[2]), row[3] == "TRUE"] for row in rows], [row[4] for row in rows]
    model = treewright.C45Classifier().fit(X, y)
    saved, table = folder / "saved.json", folder / "golf.csv"
    model.save(saved, overwrite=True)
    table.write_text("\n".join(map(",".join, [GOLF_COLUMNS, *rows])) + "\n", encoding="utf-8")
    command = ["fit", str(table), "-t", "play", "-a", "c4.5", "--no-cv", "-o", str(folder / "golf.json"), "--force"]
    return {
        "C4.5 fit": lambda: treewright.C45Classifier().fit(X, y),
        "predict": lambda: model.predict(X),
        "why() of the root": model.why,
        "load": lambda: treewright.load(saved),
        "treewright fit": lambda: _run_silently(command),
    }


def _run_silently(command: list[str]) -> None:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as complaint:
        code = command_line(command)
    if code:
        raise RuntimeError(f"treewright {' '.join(command)} ends with {code}: {complaint.getvalue()}")


def size_figures(modules: Sequence[Module], root: Path) -> dict[str, Value]:
    """Files, lines and functions."""
    plain = [module for module in modules if not module.is_init]
    longest = max(plain, key=lambda module: module.n_lines)
    lengths = function_lengths(modules)
    return {
        f"source files without {INIT}.py": len(plain),
        f"{INIT}.py files": len(modules) - len(plain),
        "lines in all": sum(module.n_lines for module in modules),
        "median file, lines": median(module.n_lines for module in plain),
        "longest file, lines": f"{longest.n_lines} ({longest.path.relative_to(root).as_posix()})",
        "functions": len(lengths),
        "median function, lines": median(lengths),
        f"functions over {LONG_FUNCTION} lines": sum(n > LONG_FUNCTION for n in lengths),
    }


def call_figures(root: Path) -> dict[str, Value]:
    """Modules and hops of each action; the warm-up has a model of its own, so that nothing is kept from it."""
    found: dict[str, Value] = {}
    with TemporaryDirectory() as folder:
        for warm_up in actions(Path(folder)).values():
            warm_up()
        for name, action in actions(Path(folder)).items():
            calls = count_calls(action, root)
            found |= {f"{name}: modules": len(calls.files), f"{name}: hops": calls.hops}
    return found


def name_figures(modules: Sequence[Module]) -> dict[str, Value]:
    """Small modules of one importer, and basenames that are used often."""
    single, often = single_importers(modules), repeated_basenames(modules)
    return {
        f"modules under {SMALL_MODULE} lines with one importer, in their folder": len(single),
        f"of these, imported by {INIT}.py": sum(importer.endswith(INIT) for importer in single.values()),
        f"basenames used more than {OFTEN} times": len(often),
        **{f"basename {name}": n for name, n in often.items()},
    }


def mro_figures() -> dict[str, Value]:
    """The number of classes in the method resolution order of each public estimator, itself and `object` included."""
    public = {name: getattr(treewright, name) for name in treewright.__all__}
    estimators = {name: cls for name, cls in public.items() if isinstance(cls, type) and hasattr(cls, "fit")}
    return {f"MRO of {name}": len(cls.__mro__) for name, cls in estimators.items()}


def table_lines(found: Mapping[str, Value], before: Mapping[str, Value]) -> list[str]:
    """The table, with the figures of an earlier run; a dash where one of them has no such figure."""
    names = dict.fromkeys([*found, *before])
    pairs = ([name, str(before.get(name, "-")), str(found.get(name, "-"))] for name in names)
    rows = [["figure", "before", "after"], *pairs]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


if __name__ == "__main__":
    main()
