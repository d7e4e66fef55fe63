"""Optional packages: errors that say which one is missing and how to install it."""

from importlib.util import find_spec

from treewright.errors import TreewrightError

EXTRAS = {
    "polars": "files",
    "zstandard": "files",
    "matplotlib": "plot",
    "pandas": "pandas",
    "pyarrow": "pyarrow",
    "onnx": "onnx",
    "onnxruntime": "onnx",
    "skl2onnx": "onnx",
    "pypmml": "pmml",
    "shap": "shap",
    "treelite": "treelite",
    "dtreeviz": "viewers",
    "supertree": "viewers",
    "mlflow-skinny": "mlflow",
    "dask": "dask",
    "distributed": "dask",
    "duckdb": "duckdb",
    "ibis-framework": "ibis",
    "pyspark": "spark",
}
"""The optional packages, and the extras of Treewright that install them, as in pyproject.toml."""


def require(package: str, use: str, otherwise: str = "") -> None:
    """Raise a TreewrightError if a package is not installed.

    use        what requires it, as the subject of the sentence
    otherwise  what can be done without it

    >>> require("numpy", "Everything")
    """
    if find_spec(package) is None:
        raise TreewrightError(missing_package_message(package, use, otherwise))


def missing_package_message(package: str, use: str, otherwise: str = "") -> str:
    """Return the message about a package that is not installed.

    >>> missing_package_message("polars", "Reading a table from a file")
    "Reading a table from a file requires polars, which is not installed; run `pip install 'treewright[files]'`."
    """
    command = f"pip install 'treewright[{EXTRAS[package]}]'" if package in EXTRAS else f"pip install {package}"
    return f"{use} requires {package}, which is not installed; run `{command}`{otherwise}."
