"""`python -m benchmarks.page build/speed.json`: puts the figures of a run into docs/speed.md and draws its picture.

In: the file that `python -m benchmarks --json` has written. Out: the same page with new tables between its markers,
`<!-- figures: NAME -->` and `<!-- /figures -->`. What the run did not measure stays as it is.
"""

import argparse
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from benchmarks.page_tables import TABLES, Entry
from benchmarks.picture import draw

BLOCK = re.compile(r"(<!-- figures: ([\w.]+) -->\n).*?(<!-- /figures -->)", re.DOTALL)


def fill(text: str, made: Mapping[str, Sequence[str]]) -> str:
    """The page with these lines in the blocks of these names.

    >>> print(fill("a\\n<!-- figures: x -->\\nold\\n<!-- /figures -->\\nb", {"x": ["new"]}))
    a
    <!-- figures: x -->
    new
    <!-- /figures -->
    b
    """
    places = {found[2] for found in BLOCK.finditer(text)}
    homeless = sorted(set(made) - places)
    if homeless:
        raise SystemExit(f"The page has no place for {', '.join(homeless)}; it has {', '.join(sorted(places))}.")

    def block(found: re.Match[str]) -> str:
        if found[2] not in made:
            return found[0]
        return found[1] + "\n".join(made[found[2]]) + "\n" + found[3]

    return BLOCK.sub(block, text)


def lines_of(figures: Mapping[str, Any]) -> dict[str, list[str]]:
    """The lines of every block that the run has figures for."""
    about = figures["made_with"]
    by_section: dict[str, list[Entry]] = {}
    for row in figures["rows"]:
        by_section.setdefault(row["section"], []).append(row)
    made = {"about": wrap(about_words(about), 120, break_on_hyphens=False, break_long_words=False)}
    for section, rows in by_section.items():
        words = f"Measured on {about['date']} by `{command(about['command'], section)}`."
        made[section] = ["", *TABLES[section](rows), "", *wrap(words, 120, break_on_hyphens=False), ""]
    return made


def command(text: str, section: str) -> str:
    """What to type to measure a section again: without other sections and the file that was written.

    >>> command("python -m benchmarks --json build/speed.json --rounds 3 real bins", "bins")
    'python -m benchmarks --rounds 3 bins'
    """
    words = [word for word in shlex.split(text) if word == section or word not in TABLES]
    if "--json" in words:
        at = words.index("--json")
        del words[at : at + 2]
    return shlex.join(words)


def about_words(about: Mapping[str, str]) -> str:
    """The machine and the versions in one sentence."""
    rest = {name: value for name, value in about.items() if name not in ("date", "command", "machine", "treewright")}
    versions = ", ".join(f"{name} {value}" for name, value in rest.items())
    return f"Last run: {about['date']}, {about['machine']}; {versions}."


def main(words: Sequence[str] | None = None) -> int:
    """Read, fill, write, draw."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("figures", type=Path, help="what `python -m benchmarks --json` has written")
    parser.add_argument("--out", type=Path, default=Path("docs/speed.md"), help="the page (default docs/speed.md)")
    given = parser.parse_args(words)
    figures = json.loads(given.figures.read_text(encoding="utf-8"))
    page = given.out.read_text(encoding="utf-8")
    given.out.write_text(fill(page, lines_of(figures)), encoding="utf-8")
    growth = [row for row in figures["rows"] if row["section"] == "growth"]
    if growth:
        draw(growth, given.out.parent / "pictures" / "speed-growth.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
