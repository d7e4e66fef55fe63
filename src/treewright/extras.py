"""Extras: packages that are installed only where they are wanted.

In: the name of a package, and what needs it. Out: nothing; or one sentence with the command that installs it.
"""

from importlib.util import find_spec

from treewright.errors import TreewrightError

EXTRAS = {"polars": "files", "zstandard": "files", "matplotlib": "plot", "pandas": "pandas", "pyarrow": "pyarrow"}
"""The packages and the extras of Treewright that bring them along, as pyproject.toml has them."""


def require(package: str, use: str, otherwise: str = "") -> None:
    """Refuse to go on without a package.

    use        what needs it, as the subject of the sentence
    otherwise  what can be done without it

    >>> require("numpy", "Everything")
    """
    if find_spec(package) is None:
        raise TreewrightError(missing_words(package, use, otherwise))


def missing_words(package: str, use: str, otherwise: str = "") -> str:
    """The sentence about a package that is not installed.

    >>> missing_words("polars", "Reading a table from a file")
    "Reading a table from a file needs polars, which is not installed; run `pip install 'treewright[files]'`."
    """
    command = f"pip install 'treewright[{EXTRAS[package]}]'" if package in EXTRAS else f"pip install {package}"
    return f"{use} needs {package}, which is not installed; run `{command}`{otherwise}."
