"""The picture of time on a source: `python -m benchmarks.scale_picture FIGURES PICTURE`.

In: the figures that `python -m benchmarks.scale --save FIGURES` appends, one run a line. Out: two panels: time against
rows of one file with a line of exponent 1, and time against the number of files of one table.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

COLOURS = {"local": "#0072B2", "dask": "#D55E00"}
QUIET = "#767676"


def draw(runs: list[dict[str, Any]], path: Path) -> None:
    """Write the picture."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "treewright"
    from matplotlib import pyplot as plt

    figure, (by_rows, by_files) = plt.subplots(1, 2, figsize=(8.4, 3.4), facecolor="white")
    same = Counter(run["rows"] for run in runs if run["files"] > 1).most_common(1)[0][0]
    _panel(by_rows, [run for run in runs if run["files"] == 1], "rows", "one file")
    _panel(by_files, [run for run in runs if run["rows"] == same], "files", f"{same:,} rows")
    by_rows.set_xlabel("rows")
    by_files.set_xlabel("files, the partitions of Dask")
    local = sorted((run["rows"], run["cpu"]) for run in runs if run["files"] == 1 and run["engine"] == "local")
    (first, _), (last, end) = local[0], local[-1]
    by_rows.plot([first, last], [end * first / last, end], ":", color=QUIET, linewidth=1, label="exponent 1")
    by_files.set_ylim(bottom=1)
    by_rows.set_ylabel("seconds of CPU, with start and imports")
    for place in (by_rows, by_files):
        place.legend(frameon=False, fontsize=9)
    figure.tight_layout()
    figure.savefig(path, facecolor="white", metadata={"Date": None} if path.suffix == ".svg" else {"Software": None})
    plt.close(figure)


def _panel(place: Any, runs: list[dict[str, Any]], what: str, title: str) -> None:
    place.set(xscale="log", yscale="log", title=title)
    place.grid(color="#e4e4e4", linewidth=0.6)
    place.set_axisbelow(True)
    for side in ("top", "right"):
        place.spines[side].set_visible(False)
    for engine, colour in COLOURS.items():
        found = sorted((run[what], run["cpu"]) for run in runs if run["engine"] == engine)
        if len(found) > 1:
            place.plot(*zip(*found, strict=True), "o-" if engine == "local" else "s-", color=colour, label=engine)


def main() -> int:
    """Draw the figures of a file."""
    options = argparse.ArgumentParser(description="The picture of time on a source.")
    options.add_argument("figures", type=Path)
    options.add_argument("picture", type=Path)
    given = options.parse_args()
    draw([json.loads(line) for line in given.figures.read_text(encoding="utf-8").splitlines()], given.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
