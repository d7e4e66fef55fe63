"""`python -m benchmarks.best_tree {mix,cross,ablation,page,smoothing}`; see `--help` of each."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.best_tree import ablation, cross, mix, page, smoothing

COMMANDS = {"mix": mix, "cross": cross, "ablation": ablation, "page": page, "smoothing": smoothing}


def main(words: Sequence[str] | None = None) -> None:
    """Read the command line and run one command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.best_tree", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, command in COMMANDS.items():
        help_text = (command.__doc__ or "").split("\n", 1)[0]
        child = commands.add_parser(name, help=help_text, description=command.__doc__)
        child.add_argument(
            "--shared", type=Path, default=Path("../shared/bench"), help="the folder of sets.py and mixed_table.py"
        )
        command.add_arguments(child)
    given = parser.parse_args(words)
    COMMANDS[given.command].main(given)


if __name__ == "__main__":
    main()
