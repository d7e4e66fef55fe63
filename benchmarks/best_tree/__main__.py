"""`python -m benchmarks.best_tree {mix,cross,ablation,page}`; see `--help` of each."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.best_tree import ablation, cross, mix, page

VERBS = {"mix": mix, "cross": cross, "ablation": ablation, "page": page}


def main(words: Sequence[str] | None = None) -> None:
    """Read the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.best_tree", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name, verb in VERBS.items():
        words_of_verb = (verb.__doc__ or "").split("\n", 1)[0]
        child = verbs.add_parser(name, help=words_of_verb, description=verb.__doc__)
        child.add_argument(
            "--shared", type=Path, default=Path("../shared/bench"), help="the folder of sets.py and mixed_table.py"
        )
        verb.add_arguments(child)
    given = parser.parse_args(words)
    VERBS[given.verb].main(given)


if __name__ == "__main__":
    main()
