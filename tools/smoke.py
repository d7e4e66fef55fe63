"""A first use of an installed Treewright: fit, predict, why, save, load and the command line, all on compiled kernels.

In: the interpreter that runs this file. Out: one line, or the error that was met.
"""

import platform
import subprocess
import sysconfig
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import treewright
from treewright._core import _grow, _predict, _prune, _shared, _table

GOLF = """sunny no no, sunny yes no, overcast no yes, rainy no yes, rainy no yes, rainy yes no, overcast yes yes,
sunny no no, sunny no yes, rainy no yes, sunny yes yes, overcast yes yes, overcast no yes, rainy yes no"""
"""Outlook, whether it is windy, and whether one plays: two columns of Quinlan's table."""


def main() -> None:
    """Use what a user uses first; the gain of Outlook, 0.247 bits, is printed in Quinlan's books."""
    for kernel in (_grow, _predict, _prune, _shared, _table):
        assert kernel.__file__.endswith(tuple(EXTENSION_SUFFIXES)), f"{kernel.__file__} is not compiled."
    table = [line.split() for line in GOLF.split(",")]
    rows = [line[:2] for line in table]
    model = treewright.C45Classifier(pruning=None).fit(rows, [line[2] for line in table])
    predicted = list(model.predict(rows))
    assert model.predict([["overcast", "yes"]])[0] == "yes"
    assert "0.2467" in model.why(0).to_text(), model.why(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "golf.json"
        model.save(path)
        again = treewright.load(path)
        assert list(again.predict(rows)) == predicted
        assert again.tree_.fingerprint() == model.tree_.fingerprint()
    assert "</html>" in str(model.to_html())
    command = [str(Path(sysconfig.get_path("scripts")) / "treewright"), "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert said == f"treewright {treewright.__version__}", said
    print(f"{said} works with Python {platform.python_version()} in {Path(treewright.__file__).parent}")


if __name__ == "__main__":
    main()
