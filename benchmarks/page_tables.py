"""The tables of docs/speed.md.

In: the rows of one section, as the file has them. Out: lines of Markdown.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from benchmarks.best_tree.report import table
from benchmarks.growth_axes import AXES

Entry = Mapping[str, Any]


def groups(rows: Iterable[Entry], *names: str) -> dict[tuple[Any, ...], list[Entry]]:
    """The rows by the values of some fields, in the order in which they come."""
    found: dict[tuple[Any, ...], list[Entry]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


def seconds(timed: Mapping[str, float] | None, unit: str = "cpu") -> str:
    """A time in seconds, to three digits."""
    return "" if timed is None else f"{timed[unit]:.3g}"


def ratio(value: float | None) -> str:
    """A ratio to two or three digits.

    >>> ratio(0.0312), ratio(0.31), ratio(11.3), ratio(None)
    ('0.031', '0.310', '11.3', '')
    """
    return "" if value is None else f"{value:.3f}" if value < 10 else f"{value:.3g}"


def _of(rows: Sequence[Entry], threads: int) -> Entry | None:
    return next((row for row in rows if row["threads"] == threads), None)


def _both(rows: Sequence[Entry]) -> tuple[str, str]:
    """The ratio of CPU time on one thread, and that of time on the clock on two."""
    one, two = _of(rows, 1), _of(rows, 2)
    return ratio(None if one is None else one["cpu_ratio"]), ratio(None if two is None else two["wall_ratio"])


def fits(rows: Sequence[Entry]) -> list[str]:
    """Fits and predictions compared with scikit-learn."""
    head = ("table", "rows x columns", "depth", "ours s", "scikit-learn s", "1 thread", "2 threads", "check")
    lines = []
    for (case, shape, depth), found in groups(rows, "case", "shape", "depth").items():
        first = found[0]
        times = seconds(first["ours"]), seconds(first["theirs"])
        lines.append((case, shape, depth, *times, *_both(found), first["check"]))
    return table(head, lines)


def small(rows: Sequence[Entry]) -> list[str]:
    """Golf and iris, in microseconds."""
    head = ("what", "rows x columns", "ours µs", "scikit-learn µs", "ratio", "check")
    return table(
        head,
        [
            (
                row["case"],
                row["shape"],
                *(f"{row[who]['cpu'] * 1e6:.0f}" for who in ("ours", "theirs")),
                ratio(row["cpu_ratio"]),
                row["check"],
            )
            for row in rows
        ],
    )


def imports(rows: Sequence[Entry]) -> list[str]:
    """Statements and milliseconds."""
    return table(("statement", "ms"), [(f"`{row['case']}`", f"{row['figures']['ms']:.1f}") for row in rows])


def peers(rows: Sequence[Entry]) -> list[str]:
    """One row for each table and program."""
    head = ("tree", "rows x columns", "program", "ours s", "theirs s", "ratio", "our leaves", "their leaves")
    return table(head, [(*_peer(row), *_leaves(row)) for row in rows])


def bins(rows: Sequence[Entry]) -> list[str]:
    """The same, with how good our tree is."""
    head = ("tree of 255 leaves", "rows x columns", "program", "ours s", "theirs s", "ratio", "ours on held-out rows")
    return table(head, [(*_peer(row), _score(row)) for row in rows])


def _peer(row: Entry) -> tuple[str, ...]:
    times = seconds(row["ours"]), seconds(row["theirs"])
    return row["case"], row["shape"], row["peer"], *times, ratio(row["cpu_ratio"])


def _leaves(row: Entry) -> tuple[str, str]:
    ours, theirs = (row["figures"].get(name) for name in ("leaves", "theirs"))
    return f"{ours:,.0f}" if ours else "", f"{theirs:,.0f}" if theirs else ""


def _score(row: Entry) -> str:
    return ", ".join(f"{name} {row['figures'][name]:.4f}" for name in ("accuracy", "R^2") if name in row["figures"])


def memory(rows: Sequence[Entry]) -> list[str]:
    """Megabytes above what the process held before."""
    head = ("tree", "rows x columns", "input MB", "fit MB", "scikit-learn MB")
    lines = []
    for row in rows:
        figures = dict(row["figures"])
        size, theirs = figures.pop("input MB"), figures.pop("scikit-learn MB", None)
        (ours,) = figures.values()
        other = "" if theirs is None else f"{theirs:.0f}"
        lines.append((row["case"], row["shape"], f"{size:.0f}", f"{ours:.0f}", other))
    return table(head, lines)


def limit(rows: Sequence[Entry]) -> list[str]:
    """Growth in passes over the data."""
    names = ("pass ms", "levels", "passes a level", "of the fit", "of reading")
    head = ("table", "rows x columns", "growth s", "pass ms", "levels", "growth", "whole fit", "growth, 32-bit sum")
    return table(
        head,
        [
            (row["case"], row["shape"], seconds(row["ours"]), *(f"{row['figures'][name]:.3g}" for name in names))
            for row in rows
        ],
    )


def threads(rows: Sequence[Entry]) -> list[str]:
    """The ratio of two threads to one, a column for each table."""
    by_case = groups(rows, "case")
    sizes = list(groups(({"n": row["shape"].split(" ")[0]} for row in rows), "n"))
    found = {(row["case"], row["shape"].split(" ")[0]): ratio(row["wall_ratio"]) for row in rows}
    lines = [(size, *(found.get((case, size), "") for (case,) in by_case)) for (size,) in sizes]
    return table(("rows", *(case for (case,) in by_case)), lines)


def growth(rows: Sequence[Entry]) -> list[str]:
    """The exponents; the points are in the picture."""
    words = {axis.name: axis.words for axis in AXES}
    sizes = {axis.name: f"{axis.sizes[0]:,} to {axis.sizes[-1]:,}" for axis in AXES}
    head = ("what grows", "from, to", "what stays", "exponent", "of the last step", "scikit-learn's exponent")
    lines = []
    for row in rows:
        name, _, rest = row["case"].partition(":")
        if rest:
            numbers = [row["figures"].get(key) for key in ("exponent", "last", "scikit-learn")]
            lines.append((name, sizes[name], words[name], *("" if x is None else f"{x:.2f}" for x in numbers)))
    return table(head, lines)


def missing(rows: Sequence[Entry]) -> list[str]:
    """A row for each strategy, a column for each algorithm and depth."""
    columns: list[tuple[str, str]] = []
    found: dict[str, dict[tuple[str, str], str]] = {}
    for row in rows:
        algorithm, strategy = row["case"].split(", ")
        column = algorithm, row["depth"]
        if column not in columns:
            columns.append(column)
        found.setdefault(strategy, {})[column] = f"{row['cpu_ratio']:.2f}"
    head = ("strategy", *(f"{name}, {'full' if depth == 'full' else f'depth {depth}'}" for name, depth in columns))
    return table(head, [(name, *(given.get(column, "") for column in columns)) for name, given in found.items()])


def pruning(rows: Sequence[Entry]) -> list[str]:
    """What each method takes of the time of growth; then what is beside scikit-learn."""
    parts: dict[str, dict[str, str]] = {}
    others = []
    for row in rows:
        if row["peer"] == "growth":
            family, method = row["case"].split(", ")
            parts.setdefault(method, {})[family] = ratio(row["cpu_ratio"])
        else:
            times = seconds(row["ours"], "wall"), seconds(row["theirs"], "wall")
            others.append((row["case"], row["peer"], *times, ratio(row["reached"])))
    lines = [(method, given.get("CART", ""), given.get("C4.5", "")) for method, given in parts.items()]
    first = table(("method", "CART: part of growth", "C4.5: part of growth"), lines)
    return [*first, "", *table(("what", "beside", "ours s", "theirs s", "ratio"), others)]


TABLES: dict[str, Callable[[Sequence[Entry]], list[str]]] = {
    **dict.fromkeys(("numbers", "C4.5", "mixed", "real", "predict"), fits),
    "small": small,
    "import": imports,
    "beside": peers,
    "bins": bins,
    "memory": memory,
    "limit": limit,
    "threads": threads,
    "growth": growth,
    "missing": missing,
    "pruning": pruning,
}
"""By section."""
