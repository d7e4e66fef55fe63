"""`python -m benchmarks`: prints how long Treewright takes beside other programs. See `--help`."""

import argparse
import json
import platform
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.peers import OTHERS, OURS, Peer
from benchmarks.pruning import CASE, pruning_cases
from benchmarks.runner import HOLES, Choice, Line, big_cases, holed_cases, small_cases
from benchmarks.tables import BIG, SMALL

BIG_HEAD = (
    f"{'case':26}{'shape':>14} {'depth':>5} {'threads':>7} {'ours ms':>9} {'peer ms':>9} {'CPU ratio':>10}"
    f" {'wall ratio':>11}  leaves"
)
SMALL_HEAD = (
    f"{'case':26}{'shape':>14} {'ours us':>9} {'median':>8} {'peer us':>9} {'median':>8} {'CPU ratio':>10}"
    "  leaves"
)
HOLES_HEAD = (
    f"{'strategy':26}{'shape':>14} {'depth':>5} {'holes ms':>9} {'none ms':>9} {'CPU ratio':>10}"
    "  leaves"
)
PRUNING_HEAD = (
    f"{'pruning':28}{'shape':>14} {'ours ms':>9} {'other ms':>9} {'CPU ratio':>10} {'wall ratio':>11}"
    "  beside"
)
HOLED = "mixed, 2 classes"


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="run the cases whose name contains one of these words")
    parser.add_argument("--list", action="store_true", help="show the names of the cases and stop")
    parser.add_argument("--rounds", type=int, default=5, help="timed fits of each large case (default 5)")
    parser.add_argument("--repeats", type=int, default=500, help="timed fits of golf and iris (default 500)")
    parser.add_argument("--depth", choices=("8", "full", "both"), default="both")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, two rounds: a smoke test")
    parser.add_argument("--json", metavar="FILE", help="also write every figure to this file")
    return parser.parse_args(words)


def present(peers: Sequence[Peer]) -> list[Peer]:
    """The peers that can take part; a word about those that cannot."""
    found = []
    for peer in peers:
        reason = peer.missing()
        if reason is None:
            found.append(peer)
        else:
            print(f"{peer.NAME} is left out: {reason}")
    return found


def big_row(line: Line) -> str:
    """One line of the table of large cases."""
    return (
        f"{line.case:26}{line.shape:>14} {line.depth:>5} {line.threads:>7} {line.ours.cpu * 1e3:>9.1f}"
        f" {line.theirs.cpu * 1e3:>9.1f} {line.cpu_ratio:>10.3f} {line.wall_ratio:>11.3f}  {line.leaves}"
    )


def small_row(line: Line) -> str:
    """One line of the table of golf and iris."""
    return (
        f"{f'{line.case}, {line.algorithm}':26}{line.shape:>14} {line.ours.cpu * 1e6:>9.0f}"
        f" {line.ours.median * 1e6:>8.0f} {line.theirs.cpu * 1e6:>9.0f} {line.theirs.median * 1e6:>8.0f}"
        f" {line.cpu_ratio:>10.3f}  {line.leaves}"
    )


def holes_row(line: Line) -> str:
    """One line of the table of missing cells."""
    return (
        f"{line.algorithm:26}{line.shape:>14} {line.depth:>5} {line.ours.cpu * 1e3:>9.1f}"
        f" {line.theirs.cpu * 1e3:>9.1f} {line.cpu_ratio:>10.2f}  {line.ours.n_leaves} : {line.theirs.n_leaves}"
    )


def pruning_row(line: Line) -> str:
    """One line of the table of pruning."""
    return (
        f"{line.algorithm:28}{line.shape:>14} {line.ours.cpu * 1e3:>9.1f} {line.theirs.cpu * 1e3:>9.1f}"
        f" {line.cpu_ratio:>10.3f} {line.wall_ratio:>11.3f}  {line.peer}"
    )


def machine() -> dict[str, str]:
    """What the figures were made with."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "command": shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]]),
        "python": platform.python_version(),
        "machine": platform.machine(),
        **{name: version(name) for name in ("treewright", "scikit-learn", "numpy")},
    }


def chosen(asked: argparse.Namespace) -> Choice:
    """The command line as a choice of cases."""
    depths: dict[str, tuple[int | None, ...]] = {"8": (8,), "full": (None,), "both": (8, None)}
    choice = Choice(asked.names, depths[asked.depth], asked.threads, asked.rounds, asked.repeats)
    return replace(choice, rounds=2, repeats=50, share=0.1) if asked.quick else choice


def report(head: str, rows: Iterable[tuple[Line, str]]) -> list[Line]:
    """Print each row as it comes, under its head, and keep the figures."""
    lines: list[Line] = []
    for line, row in rows:
        if not lines:
            print(f"\n{head}")
        print(row, flush=True)
        lines.append(line)
    return lines


def main() -> int:
    """Run what was asked for, print as it goes."""
    asked = read_arguments()
    if asked.list:
        print("\n".join([*BIG, *SMALL, f"{HOLED}, holes", CASE]))
        return 0
    peers = present([OURS, *OTHERS])
    if OURS not in peers or len(peers) < 2:
        print("Nothing to compare.")
        return 1
    choice = chosen(asked)
    made_with = machine()
    print(", ".join(f"{name} {value}" for name, value in made_with.items()))
    print("Least CPU time of interleaved fits; below 1 Treewright is faster. Peers use one thread.")
    others = peers[1:]
    lines = report(BIG_HEAD, ((line, big_row(line)) for line in big_cases(choice, others)))
    lines += report(SMALL_HEAD, ((line, small_row(line)) for line in small_cases(choice, others)))
    holed = holed_cases(choice, HOLED)
    head = f"{HOLES:.0%} of the cells of every column missing, beside the same table without holes:\n{HOLES_HEAD}"
    lines += report(head, ((line, holes_row(line)) for line in holed))
    lines += report(PRUNING_HEAD, ((line, pruning_row(line)) for line in pruning_cases(choice)))
    if asked.json:
        figures = {"made_with": made_with, "lines": [asdict(line) for line in lines]}
        Path(asked.json).write_text(json.dumps(figures, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
