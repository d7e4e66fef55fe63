"""About: what a model is, in a few lines.

In: an estimator or a tree. Out: its algorithm, the parameters that were chosen, its size, and the beginning of its text
where all of it would be too long.
"""

from typing import TYPE_CHECKING, Any

from treewright.model.grid import Grid, counted
from treewright.model.words import beginning, printable

if TYPE_CHECKING:
    from treewright.model.tree import Tree

ALGORITHM = {
    "ID3Classifier": "ID3",
    "C45Classifier": "C4.5",
    "CARTClassifier": "CART",
    "CARTRegressor": "CART for numbers",
    "MDLTreeClassifier": "MDLTree",
    "MDLTreeRegressor": "MDLTree for numbers",
    "TreeClassifier": "a tree of chosen parts",
    "TreeRegressor": "a tree of chosen parts, for numbers",
}

MOST_LINES = 60
"""Lines of a tree that are printed where nobody asked for more."""

LONGEST = 400
"""Characters of one of these lines."""


def algorithm_words(estimator: Any) -> str:
    """The algorithm and how it was pruned.

    >>> from treewright import C45Classifier
    >>> algorithm_words(C45Classifier(variant="j48"))
    'C4.5 (j48), pruned by error_based'
    """
    from treewright.prune.registry import label_of

    name = type(estimator).__name__
    variant = getattr(estimator, "variant", None)
    words = ALGORITHM.get(name, name) + (f" ({variant})" if variant is not None else "")
    given = estimator.pruning
    method = label_of(estimator._method() if isinstance(given, str) and given == "auto" else given)
    if getattr(estimator, "ccp_alpha", None) is not None:
        method = "cost_complexity"
    return printable(f"{words}, not pruned" if method is None else f"{words}, pruned by {method}")


def chosen_parameters(estimator: Any) -> dict[str, str]:
    """The parameters that differ from the defaults, in words.

    >>> from treewright import CARTClassifier
    >>> chosen_parameters(CARTClassifier(max_depth=3))
    {'max_depth': '3'}
    """
    from treewright.estimators.given_parameters import defaults_of, parameters_of

    usual, given = defaults_of(estimator), parameters_of(estimator)
    return {name: _short(value) for name, value in given.items() if not _same(value, usual.get(name))}


def size_words(tree: "Tree") -> str:
    """How large a tree is.

    >>> from treewright.model.build import golf_example
    >>> size_words(golf_example())
    '8 nodes, 5 leaves, depth 2'
    """
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    return f"{tree.n_nodes:,} node{'s' * (tree.n_nodes != 1)}, {leaves}, depth {tree.depth}"


def size_dict(tree: "Tree") -> dict[str, int]:
    """The same as data."""
    return {"nodes": tree.n_nodes, "leaves": tree.n_leaves, "depth": tree.depth}


def schema_dict(tree: "Tree") -> dict[str, Any]:
    """The columns and the target of a model, as data."""
    from treewright.model.words import category_words

    target = tree.schema.target
    classes = None if target.classes is None else [category_words(c) for c in target.classes]
    columns = [{"name": c.name, "kind": c.kind.name.lower(), "categories": c.n_categories} for c in tree.schema.columns]
    return {"target": target.name, "classes": classes, "columns": columns}


def tree_lines(tree: "Tree", depth: int | None = None, most: int | None = MOST_LINES) -> list[str]:
    """The text of a tree: to a depth, if given, otherwise as deep as so many lines allow; a word says what is left out.

    >>> from treewright.model.build import golf_example
    >>> tree_lines(golf_example(), most=4)
    ['outlook = sunny: ... (2 leaves)', 'outlook = overcast: Play (4)', 'outlook = rain: ... (2 leaves)',
     '(to depth 1 of 2)']
    """
    if depth is not None or most is None:
        return tree.to_text(depth).splitlines()
    from numpy import bincount

    lines_to = bincount(tree.depths).cumsum() - 1
    fits = [d for d in range(1, tree.depth + 1) if lines_to[d] <= most]
    shown = fits[-1] if fits else min(tree.depth, 1)
    lines = tree.to_text(shown).splitlines()
    below = [f"(to depth {shown} of {tree.depth})"] if shown < tree.depth else []
    if len(lines) > 2 * most:
        below.insert(0, f"… {counted(len(lines) - most, 'more branch').replace('branchs', 'branches')}")
        lines = lines[:most]
    return [*(beginning(line, LONGEST) for line in lines), *below]


def pairs(lines: list[tuple[str, str]]) -> list[str]:
    """Names and what they are, aligned.

    >>> pairs([("target", "play"), ("size", "8 nodes")])
    ['target  play', 'size    8 nodes']
    """
    cells = [[name, value] for name, value in lines]
    return Grid(cells[0], cells[1:], [False, False], []).lines() if cells else []


def _short(value: object) -> str:
    return beginning(printable(value if isinstance(value, str) else repr(value)), 120)


def _same(value: object, usual: object) -> bool:
    try:
        return type(value) is type(usual) and bool(value == usual)
    except ValueError:  # an array among the parameters
        return False
