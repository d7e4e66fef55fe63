"""The interactive page and the pictures of a fitted tree: `to_html`, `show`, `to_svg`, `plot_tree`, `to_dot`.

They are functions of a fitted estimator, which `BaseTreeEstimator` has as methods. `to_html` gathers what the
page shows: the trees before and after pruning, training and validation rows, and pruning methods to compare.
The packages `treewright.page`, `treewright.plot` and `treewright.export` are imported on first use.
"""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import KindError, one_of
from treewright.estimators.explanations import stored_ledgers
from treewright.estimators.fitting import make_grower
from treewright.estimators.parameters import constructor_call, read_integer, resolve_limits
from treewright.estimators.prediction import prediction_policy
from treewright.estimators.pruning import read_validation_fraction, require_pair
from treewright.estimators.training_data import (
    LabelledRows,
    encode_labelled_rows,
    encode_training_rows_again,
    encode_validation_rows,
)
from treewright.language import LANGUAGES
from treewright.prune.method import Method, PruningInput
from treewright.prune.registry import select_methods

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator
    from treewright.page.inline import InlinePage
    from treewright.page.page_input import PageInput

MAX_NODES_SVG, MAX_NODES_AXES = 500, 120
"""Nodes of a picture by default: matplotlib takes some milliseconds for each."""


def to_html(
    self: "BaseTreeEstimator",
    path: Any = None,
    X: object = None,
    y: object = None,
    *,
    sample_weight: object = None,
    X_val: object = None,
    y_val: object = None,
    sample_weight_val: object = None,
    title: str | None = None,
    language: str | None = None,
    methods: Iterable[str | Method] | None = None,
    overwrite: bool = False,
) -> str | Path:
    """Write the tree as an interactive page: one HTML file that works offline.

    Parameters
    ----------
    path : str, path or None, default=None
        The file to write. None returns the HTML as text.
    X, y, sample_weight : default=None
        The training rows again. Some rows of each leaf are then shown in the page: do not pass them if the
        readers of the page must not see them. Without them the rows that `fit` kept are counted, but not
        shown.
    X_val, y_val, sample_weight_val : default=None
        Validation rows, counted in every node beside the training rows, and used by the pruning methods that
        need them; they are not shown.
    title : str or None, default=None
        Title of the page; None: the estimator and the target.
    language : {"en", "zh"} or None, default=None
        None: that of the browser. It can be changed in the page.
    methods : iterable or None, default=None
        Pruning methods to compare, as in `compare_pruning`; None: all that can be applied.
    overwrite : bool, default=False
        Whether an existing file is replaced, once the new one is complete; otherwise it is an error.

    Returns
    -------
    Path or str
        The path of the file, or the HTML itself if `path` is None.

    Examples
    --------
    >>> from treewright import C45Classifier
    >>> X = [["sunny", 85], ["sunny", 70], ["rain", 80], ["rain", 70]]
    >>> model = C45Classifier(min_samples_leaf=1).fit(X, ["stay", "play", "stay", "play"])
    >>> model.to_html()[:15]
    '<!doctype html>'
    """
    from treewright.disk.atomic_write import check_output_path, write_file
    from treewright.page.document import make_document
    from treewright.page.html import page_html

    self._tree()
    file = None if path is None else check_output_path(path, overwrite=overwrite)
    if title is not None and not isinstance(title, str):
        raise KindError(f"title must be a string or None, got {type(title).__name__}.")
    if language is not None:
        one_of("language", language, LANGUAGES)
    training, validation = LabelledRows(X, y, sample_weight), LabelledRows(X_val, y_val, sample_weight_val)
    rows = _page_rows(self, training, validation)
    numbers = None if X is None else _row_numbers(self, training)
    text = page_html(make_document(_page_input(self, rows, title, language, methods, numbers)))
    if file is None:
        return text
    write_file(file, text, overwrite=overwrite)
    return file


def show(self: "BaseTreeEstimator", *, height: int = 600, language: str | None = "en") -> "InlinePage":
    """Show the interactive page of `to_html` in a notebook.

    The page is part of the output of the cell: it works offline and stays in a saved notebook. It contains no
    training rows; pass them to `to_html` for a page that shows some of them.

    Parameters
    ----------
    height : int, default=600
        Height in pixels; the page is as wide as the cell.
    language : {"en", "zh"} or None, default="en"
        Language of the page; None: that of the browser.

    Returns
    -------
    InlinePage
        What a notebook shows. Printed elsewhere, it says how to write the page to a file.

    Examples
    --------
    >>> from treewright import C45Classifier
    >>> X = [["sunny", 85], ["sunny", 70], ["rain", 80], ["rain", 70]]
    >>> model = C45Classifier(min_samples_leaf=1).fit(X, ["stay", "play", "stay", "play"])
    >>> model.show()
    The interactive page of a tree, which a notebook shows here.
    Elsewhere, write it with to_html("tree.html") and open the file in a browser.
    """
    from treewright.page.inline import InlinePage

    height = read_integer("height", height, low=100)
    return InlinePage(str(self.to_html(language=language)), height, f"{type(self).__name__}: {self._tree()!r}")


def _page_rows(model: "BaseTreeEstimator", training: LabelledRows, validation: LabelledRows) -> PruningInput:
    """The grown tree with its training and validation rows, as far as there are any."""
    require_pair(X=training.X, y=training.y, sample_weight=training.sample_weight)
    require_pair(X_val=validation.X, y_val=validation.y, sample_weight_val=validation.sample_weight)
    rows, held_out = model._kept, None
    if training.X is not None:
        rows, held_out = encode_training_rows_again(model, training)
    if validation.X is not None:
        held_out = encode_validation_rows(model, validation)
    grow = make_grower(model, model._grown_by, model.grown_tree_.prediction_rule)
    policy = model._prediction_policy()
    return PruningInput(model.grown_tree_, rows, held_out, grow, policy.rule, model._row_weight)


def _page_input(
    model: "BaseTreeEstimator",
    rows: PruningInput,
    title: str | None,
    language: str | None,
    methods: Iterable[str | Method] | None,
    numbers: NDArray[np.int64] | None,
) -> "PageInput":
    from treewright.page.page_input import PageInput

    tree, name = model._tree(), type(model).__name__
    tried, left_out = select_methods(
        methods,
        model._read_method,
        is_number=tree.schema.target.is_number,
        # A method that the user names raises its own error about what it lacks.
        has_validation=methods is not None or rows.validation is not None,
    )
    plan, fraction = model._grown_by
    return PageInput(
        estimator=name,
        parameters=constructor_call(model),
        title=f"{name}: {tree.schema.target.name}" if title is None else title,
        language=language,
        tree=tree,
        material=rows,
        report=model.pruning_report_,
        pre_report=model.pre_pruning_report_,
        method=model._pruned_by[0],
        plan=plan if rows.rows is None else resolve_limits(plan, rows.rows, fraction),
        unseen=model._prediction_policy().unseen,
        methods={key: method for key, method in tried.items() if method is not None},
        named=methods is not None,
        left_out=tuple(left_out),
        numbers=numbers,
        ledgers=stored_ledgers(model),
        rules=lambda: _rule_texts(model),
    )


def _rule_texts(model: "BaseTreeEstimator") -> dict[str, str]:
    """The rules of the leaves as text, by language."""
    rules = model.rules()
    return {language: replace(rules, language=language).to_text() for language in LANGUAGES}


def _row_numbers(model: "BaseTreeEstimator", training: LabelledRows) -> NDArray[np.int64]:
    """The position in the user's table of each training row."""
    from treewright.page.node_details import row_numbers

    rows, positions = encode_labelled_rows(model, training, prediction_policy(model.grown_tree_, None, "error"))
    fraction = read_validation_fraction(model.validation_fraction)
    numbers = np.arange(rows.n_rows) if fraction is None else row_numbers(rows, fraction)
    return numbers if positions is None else positions[numbers]


def to_svg(
    self: "BaseTreeEstimator",
    path: str | os.PathLike[str] | None = None,
    *,
    nodes: str = "summary",
    X: object = None,
    y: object = None,
    sample_weight: object = None,
    max_depth: int | None = None,
    max_nodes: int | None = MAX_NODES_SVG,
    direction: str = "auto",
    theme: str = "auto",
    title: str | None = None,
    language: str = "en",
    overwrite: bool = False,
) -> str:
    """Return the tree as an SVG picture, and write it to `path` if given.

    Parameters
    ----------
    path : str, path or None, default=None
        The file to write.
    nodes : {"summary", "distribution"}, default="summary"
        What a box shows: the class proportions or the predicted value; or the training rows of the node: the column it
        splits on, by class or with the target, and the cut. More than 40 nodes are drawn as summaries.
    X, y, sample_weight : optional
        The training rows for `nodes="distribution"`, if the model has not kept them.
    max_depth : int or None, default=None
        Deeper nodes are not drawn; the box above them says how many leaves are below it.
    max_nodes : int or None, default=500
        About how many nodes are drawn, those of largest weight; None draws all.
    direction : {"down", "across", "auto"}, default="auto"
        Root at the top; root at the side, for many branches; or down unless that is very wide.
    theme : {"light", "dark", "auto"}, default="auto"
        Colours; "auto" follows the setting of the reader's screen.
    title : str or None, default=None
        A line above the picture.
    language : {"en", "zh"}, default="en"
        Language of the words between your names and categories.
    overwrite : bool, default=False
        Whether an existing file is replaced; otherwise it is an error.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> model.to_svg().count("<path")
    2
    """
    from treewright.plot.svg import to_svg

    return to_svg(
        self,
        path,
        nodes=nodes,
        X=X,
        y=y,
        sample_weight=sample_weight,
        max_depth=max_depth,
        max_nodes=max_nodes,
        direction=direction,
        theme=theme,
        title=title,
        language=language,
        overwrite=overwrite,
    )


def plot_tree(
    self: "BaseTreeEstimator",
    ax: Any = None,
    *,
    nodes: str = "summary",
    X: object = None,
    y: object = None,
    sample_weight: object = None,
    max_depth: int | None = None,
    max_nodes: int | None = MAX_NODES_AXES,
    direction: str = "auto",
    title: str | None = None,
    language: str = "en",
) -> Any:
    """Draw the tree with matplotlib, and return the axes.

    Parameters
    ----------
    ax : matplotlib Axes or None, default=None
        Where to draw; None makes a new figure, as large as the tree needs to be legible.
    nodes, X, y, sample_weight, max_depth, max_nodes, direction, title, language
        As in `to_svg`.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> ax = model.plot_tree()
    >>> plt.close(ax.figure)
    """
    from treewright.plot.matplotlib_tree import plot_tree

    options: dict[str, Any] = {"direction": direction, "title": title, "language": language}
    options |= {"nodes": nodes, "X": X, "y": y, "sample_weight": sample_weight}
    return plot_tree(self, ax, max_depth=max_depth, max_nodes=max_nodes, **options)


def to_dot(
    self: "BaseTreeEstimator",
    path: str | os.PathLike[str] | None = None,
    *,
    max_depth: int | None = None,
    max_nodes: int | None = None,
    overwrite: bool = False,
    language: str = "en",
) -> str:
    """Return the tree in the DOT language of Graphviz, and write it to `path` if given.

    Parameters
    ----------
    path : str, path or None, default=None
        The file to write.
    max_depth : int or None, default=None
        Nodes deeper than this are left out; a dashed box says how many leaves are below.
    max_nodes : int or None, default=None
        About how many nodes are written, those of largest weight; None writes all.
    overwrite : bool, default=False
        Whether an existing file is replaced; otherwise it is an error.
    language : {"en", "zh"}, default="en"
        Language of the words between your names and categories.

    Returns
    -------
    str
        The text of a directed graph.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> model.to_dot().startswith("digraph")
    True
    """
    from treewright.export.dot import to_dot

    limits = {"max_depth": max_depth, "max_nodes": max_nodes}
    return to_dot(self._tree(), path, **limits, overwrite=overwrite, language=language)
