"""Fitted trees for other programs: `to_sql`, `to_code`, `to_pmml`, `to_onnx`, `to_sklearn`, `to_treelite`, `to_shap`.

They are functions of a fitted estimator, which `BaseTreeEstimator` has as methods. An export is executed, where an
interpreter is at hand, for rows that try every decision of the tree; if it predicts otherwise than the model, it is not
returned. The package `treewright.export` is imported on first use; its `target_features` has what each target can
express.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treewright.errors import one_of

if TYPE_CHECKING:
    from onnx import ModelProto

    from treewright.estimators.base import BaseTreeEstimator
    from treewright.export.binary_view import BinaryTree
    from treewright.export.shap_values import ShapValues


def to_sql(
    self: "BaseTreeEstimator",
    dialect: str = "duckdb",
    *,
    table: str | Sequence[str] = "data",
    probabilities: bool = True,
    check: bool = True,
) -> str:
    """Return a SELECT statement that predicts the rows of a table in a database.

    The statement returns all columns of the table, the number of the leaf (`treewright_leaf`), the column `prediction`,
    and for classes a column such as `probability_yes` for each. NULL and NaN are missing values; they and categories
    that did not occur in training are treated as by `predict`. A row that `predict` refuses has the prediction NULL.

    Parameters
    ----------
    dialect : str, default="duckdb"
        "sqlite", "duckdb", "postgres", "spark", "bigquery", "snowflake", "sqlserver", "mysql" or "mariadb".
    table : str or sequence of str, default="data"
        The table; "schema.table", or its parts as a sequence, for one in a schema.
    probabilities : bool, default=True
        Whether there is a column for the probability of each class.
    check : bool, default=True
        Whether the statement is executed before it is returned: in SQLite by Python itself, in DuckDB if it is
        installed. Statements in other dialects are not executed. The comment at the top says what was done.

    Returns
    -------
    str
        The statement.

    Raises
    ------
    ExportError
        If the tree cannot be written in SQL, or if the statement predicts otherwise than the model.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> statement = model.to_sql("sqlite", table="points")
    >>> statement.splitlines()[-2:]
    ['FROM routed', 'LEFT JOIN leaves ON leaves.treewright_leaf = routed.treewright_leaf;']
    """
    from treewright.export.exported import export

    return export(self, "sql", check, dialect=dialect, table=table, probabilities=probabilities)


def to_pmml(self: "BaseTreeEstimator", *, check: bool = True) -> str:
    """Return the tree as PMML 4.4, the XML format of the Data Mining Group.

    Parameters
    ----------
    check : bool, default=True
        Whether the file is executed before it is returned, if pypmml and Java are installed. A model that divides rows
        with missing values ("fractional") is not executed, because pypmml does not.

    Returns
    -------
    str
        The text of the file; see docs/export-pmml.md.

    Raises
    ------
    ExportError
        If the tree cannot be written in PMML, or if the file predicts otherwise than the model.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> '<SimplePredicate field="x0" operator="lessOrEqual" value="2.5"/>' in model.to_pmml()
    True
    """
    from treewright.export.exported import export

    return export(self, "pmml", check)


def to_onnx(self: "BaseTreeEstimator", *, check: bool = True) -> "ModelProto":
    """Return the tree as a model of ONNX, which must be installed: `pip install 'treewright[onnx]'`.

    The model has an input for each column that the tree uses, a tensor of the shape (n_rows, 1): strings for categories
    that are texts, and 64-bit floats for everything else. NaN and the empty string are missing values. The outputs are
    `label` and `probabilities`, or `variable` for a regression tree.

    Parameters
    ----------
    check : bool, default=True
        Whether the model is executed before it is returned; this requires onnxruntime.

    Returns
    -------
    onnx.ModelProto
        The model; `onnx.save` writes it to a file. See docs/export-onnx.md.

    Raises
    ------
    ExportError
        If the tree cannot be written in ONNX, or if the model of ONNX predicts otherwise.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> [one.name for one in model.to_onnx().graph.output]
    ['label', 'probabilities']
    """
    from treewright.export.exported import export

    return export(self, "onnx", check)


def to_code(self: "BaseTreeEstimator", language: str, *, name: str = "predict", check: bool = True) -> str:
    """Return the tree as source code without dependencies.

    Parameters
    ----------
    language : {"python", "javascript", "c", "sas"}
        The programming language.
    name : str, default="predict"
        The name of the function.
    check : bool, default=True
        Whether the code is executed before it is returned, if its interpreter or compiler is on the machine.

    Returns
    -------
    str
        The source code; see docs/export-code.md.

    Raises
    ------
    ExportError
        If the tree cannot be written in the language, or if the code predicts otherwise than the model.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> "2.5" in model.to_code("python")
    True
    """
    from treewright.export.exported import LANGUAGES, export

    return export(self, one_of("language", language, LANGUAGES), check, name=name)


def as_binary(self: "BaseTreeEstimator", missing: str = "auto") -> "BinaryTree":
    """Return the tree as a binary tree on numbers, with the arrays of scikit-learn's `tree_`.

    Splits with several branches become chains of tests, and sets of categories become columns of 0 and 1.

    Parameters
    ----------
    missing : {"auto", "refuse", "keep"}, default="auto"
        Missing values and unseen categories. "auto": routed as by `predict`, and refused by `encode` in the columns
        where a binary tree cannot do that. "refuse": always refused. "keep": an error if the model divides rows among
        branches or follows surrogate splits.

    Returns
    -------
    BinaryTree
        The arrays, the coded columns, and `encode(X)`, which reads a table into them.

    Raises
    ------
    ExportError
        With missing="keep": the first node that cannot be expressed, and the setting that helps.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([["red"], ["blue"], ["red"]], ["no", "yes", "no"])
    >>> model.as_binary().feature_names
    ['x0 = blue']
    """
    from treewright.export.binary_view import as_binary as make
    from treewright.export.scoring import scoring_of

    return make(scoring_of(self), missing)


def to_sklearn(self: "BaseTreeEstimator", *, encoder: bool | None = None, check: bool = True) -> Any:
    """Return a fitted tree of scikit-learn with the same predictions.

    Parameters
    ----------
    encoder : bool or None, default=None
        Whether the result is a Pipeline with an encoder that takes the tables of the model. None: only if the tree
        alone would not do, because of categories, dates or missing values. False: the tree alone, which takes
        `as_binary().encode(X)`.
    check : bool, default=True
        Whether its predictions are compared with those of the model before it is returned.

    Returns
    -------
    DecisionTreeClassifier, DecisionTreeRegressor or Pipeline
        For `export_text`, `plot_tree` and code that reads `tree_`; of a Pipeline the tree is the last step.

    Raises
    ------
    ExportError
        If scikit-learn cannot express the tree: costs whose cheapest class is not the most probable one.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> model.to_sklearn().tree_.threshold.tolist()
    [2.5, -2.0, -2.0]
    """
    from treewright.export.exported import kept_rows
    from treewright.export.scoring import scoring_of
    from treewright.export.sklearn_tree import to_sklearn as make

    return make(scoring_of(self), encoder=encoder, check=check, training=kept_rows(self))


def to_treelite(self: "BaseTreeEstimator", *, check: bool = True) -> Any:
    """Return the tree as a model of Treelite, which must be installed.

    Parameters
    ----------
    check : bool, default=True
        Whether its predictions are compared with those of the model before it is returned.

    Returns
    -------
    treelite.Model
        Its rows are `as_binary().codes(X)`; see docs/export-bridges.md.

    Raises
    ------
    ExportError
        If it predicts otherwise than the model.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> found = model.to_treelite()
    >>> found.num_tree, found.num_feature
    (1, 1)
    """
    from treewright.export.exported import kept_rows
    from treewright.export.scoring import scoring_of
    from treewright.export.treelite_model import to_treelite as make

    return make(scoring_of(self), check=check, training=kept_rows(self))


def to_shap(self: "BaseTreeEstimator") -> dict[str, Any]:
    """Return the tree as the dict that `shap.TreeExplainer` takes; its rows are `as_binary().encode(X)`.

    `shap_values` computes SHAP values of your own columns, without the library.

    Returns
    -------
    dict
        The arrays of the binary tree.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> model.to_shap()["trees"][0]["thresholds"].tolist()
    [2.5, -2.0, -2.0]
    """
    from treewright.export.scoring import scoring_of
    from treewright.export.shap_values import to_shap as make

    return make(scoring_of(self))


def shap_values(self: "BaseTreeEstimator", X: object) -> "ShapValues":
    """Return the exact SHAP values of the columns of a table.

    Values of columns that are unknown are averaged over the training rows of each node (`tree_path_dependent` in shap).
    Missing values and unseen categories are routed as by `predict`.

    Parameters
    ----------
    X : array, list of rows, or table of pandas, polars or pyarrow
        Rows with the columns of the training table.

    Returns
    -------
    ShapValues
        `values`, (n_rows, n_columns) or (n_rows, n_columns, n_classes), and `base_values`; together they sum to the
        prediction, or to the class probabilities.

    Examples
    --------
    >>> from treewright import CARTRegressor
    >>> model = CARTRegressor(pruning=None).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0.0, 2.0, 8.0, 14.0])
    >>> model.shap_values([[1, 1]]).values.tolist()
    [[5.5, 2.5]]
    """
    from treewright.export.shap_values import shap_values as make

    return make(self, X)
