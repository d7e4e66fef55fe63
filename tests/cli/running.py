"""Running the command line in this process, and the small tables that its tests use."""

from pathlib import Path
from typing import NamedTuple

from treewright.cli.main import main

GOLF = """outlook,temperature,humidity,windy,play
sunny,85,85,false,no
sunny,80,90,true,no
overcast,83,86,false,yes
rain,70,96,false,yes
rain,68,80,false,yes
rain,65,70,true,no
overcast,64,65,true,yes
sunny,72,95,false,no
sunny,69,70,false,yes
rain,75,80,false,yes
sunny,75,70,true,yes
overcast,72,90,true,yes
overcast,81,75,false,yes
rain,71,91,true,no
"""


class Said(NamedTuple):
    """What a run gave: its exit code, stdout and stderr."""

    code: int
    out: str
    err: str


def iris() -> str:
    """A table like Anderson's irises: three kinds in four measures, 30 of each."""
    centres = {"setosa": (50, 34, 15, 2), "versicolor": (59, 28, 43, 13), "virginica": (66, 30, 56, 20)}
    lines = ["sepal_length,sepal_width,petal_length,petal_width,species"]
    for name, centre in centres.items():
        for i in range(30):
            cells = [(measure + i * (7 + 2 * j) % 11 - 4) / 10 for j, measure in enumerate(centre)]
            lines.append(",".join(f"{abs(cell):.1f}" for cell in cells) + f",{name}")
    return "\n".join(lines) + "\n"


def write_tables(folder: Path) -> Path:
    """The tables in a folder."""
    (folder / "golf.csv").write_text(GOLF, encoding="utf-8")
    (folder / "iris.csv").write_text(iris(), encoding="utf-8")
    return folder


def run(capsys, *arguments: str) -> Said:
    """Run the command line, and take what it says."""
    capsys.readouterr()
    code = main([str(one) for one in arguments])
    said = capsys.readouterr()
    return Said(code, said.out, said.err)
