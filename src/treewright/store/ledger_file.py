"""Ledger file: kept ledgers as a document of the model file, and back.

In: `Ledgers`; or the fields of a document, and where the nodes of its tree come from. Out: the document; or the
ledgers, every number of them checked, so that they can be told without another test.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.ledger.lineage import Lineage
from treewright.ledger.record import BELOW, CHOSEN, RANKED, REJECTED
from treewright.model.file.fields import Fields
from treewright.model.tree import Tree
from treewright.store.ledgers import FOLLOWS, KNOWN, MAYBE, NAMING, RANKS, VERDICTS, Ledgers

LARGEST = 2**62
ENDLESS: dict[str, Any] = {"low": -np.inf, "high": np.inf}
"""Squares of large numbers are infinite, and so are losses and gains made of them."""
Numbers = dict[str, NDArray[Any]]

NAMES = (
    *("leaf", "chosen", "average", "margin", "verdict", "reason", *KNOWN, *MAYBE, "n_cuts", "tied_cuts"),
    *("n_branches", "branch_words", "branch_weight", "branch_impurity", "branch_stats"),
    *("n_told", "cut_threshold", "cut_gain", "cut_low", "cut_high", "cut_tied", "cut_missing"),
)
"""The numbers in the order of the file."""

SINCE = (*NAMING, "n_values")
"""Numbers that the first release did not have: in a file only where one of them is not 0."""


def ledgers_document(ledgers: Ledgers) -> dict[str, Any]:
    """The document; the nodes are those at which the splits of the tree were chosen, so they are not in it.

    >>> from treewright import CARTClassifier
    >>> from treewright.store.ledgers import ledgers_of
    >>> model = CARTClassifier(pruning=None).fit([[1, 7], [2, 7], [3, 7], [4, 8]], ["a", "a", "b", "b"])
    >>> ledgers_document(ledgers_of(model.tree_, [model.why(0).entry]))["gain"]
    array([0.5       , 0.16666667])
    """
    numbers = ledgers.numbers
    names = [*NAMES, *(name for name in SINCE if numbers[_decides(name)].any())]
    return {"ranked_by": ledgers.ranked_by, "words": list(ledgers.words)} | {name: numbers[name] for name in names}


def _decides(name: str) -> str:
    """The number that says whether a number is in the file: those about naming are there together."""
    return NAMING[0] if name in NAMING else name


def kept_nodes(lineage: Lineage) -> NDArray[np.int64]:
    """The nodes of the grown tree at which the splits of the tree's nodes were chosen, rising.

    >>> from treewright.model.build import golf_example
    >>> kept_nodes(Lineage(golf_example(), golf_example())).tolist()
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    return np.unique(np.array([lineage.source(node) for node in range(lineage.tree.n_nodes)], np.int64))


def read_ledgers(fields: Fields, lineage: Lineage) -> Ledgers:
    """The ledgers of the nodes of a tree, checked."""
    tree, node = lineage.grown, kept_nodes(lineage)
    if len(node) and node[0] < 0:
        fields.refuse("ranked_by", "cannot be: the pruning report lets a split come from nowhere")
    ranked_by, words = fields.one_of("ranked_by", RANKS), tuple(fields.texts("words"))
    numbers = _read_nodes(fields, tree, node, len(words)) | _read_candidates(fields, tree, len(node), len(words))
    numbers |= _read_branches(fields, tree, numbers, len(words)) | _read_cuts(fields, tree, numbers)
    fields.done()
    _check_verdicts(fields, tree, numbers)
    return Ledgers(tree, node, ranked_by, words, numbers)


def _read_nodes(fields: Fields, tree: Tree, node: NDArray[np.int64], n_words: int) -> Numbers:
    n = len(node)
    numbers: Numbers = {
        "leaf": fields.ints("leaf", n, FOLLOWS, n_words - 1),
        "chosen": fields.ints("chosen", n, -1, tree.schema.n_columns - 1),
        **{name: fields.floats(name, n, **ENDLESS, nan=True) for name in ("average", "margin")},
    }
    numbers |= _read_naming(fields, tree.schema.n_columns, n)
    wrong = (tree.n_children[node] == 0) != (numbers["leaf"] >= 0)
    _refuse_first(fields, "leaf", wrong, "a leaf has a reason, every other node none (-1)")
    return numbers


def _read_naming(fields: Fields, n_columns: int, n: int) -> Numbers:
    """The price of a name as a part of each node's floor; without these fields it is part of none."""
    columns, rows, part = NAMING
    if not any(fields.has(name) for name in NAMING):
        return {columns: np.zeros(n, np.int64), rows: np.zeros(n), part: np.zeros(n)}
    numbers: Numbers = {
        columns: fields.ints(columns, n, 0, n_columns),
        rows: fields.floats(rows, n, low=0.0),
        part: fields.floats(part, n, low=0.0, high=1.0),
    }
    nobody = (numbers[columns] > 0) & (numbers[rows] <= 0.0)
    _refuse_first(fields, rows, nobody, "columns are named there, so it is above 0")
    return numbers


def _read_candidates(fields: Fields, tree: Tree, n_nodes: int, n_words: int) -> Numbers:
    n = n_nodes * tree.schema.n_columns
    numbers: Numbers = {
        "verdict": fields.ints("verdict", n, 0, len(VERDICTS) - 1),
        "reason": fields.ints("reason", n, FOLLOWS, n_words - 1),
        **{name: fields.ints(name, n, 0, LARGEST) for name in ("n_cuts", "tied_cuts")},
        **{name: fields.ints(name, n, 0, 2**31) for name in ("n_branches", "n_told")},
        "n_values": fields.ints("n_values", n, 0, 2**31) if fields.has("n_values") else np.zeros(n, np.int64),
        **{name: fields.floats(name, n, **ENDLESS) for name in KNOWN},
        **{name: fields.floats(name, n, **ENDLESS, nan=True) for name in MAYBE},
    }
    _refuse_first(fields, "threshold", np.isneginf(numbers["threshold"]), "it is not minus infinity")
    column = np.tile(np.arange(tree.schema.n_columns), n_nodes)
    _check_thresholds(fields, "threshold", tree, column, numbers["threshold"])
    return numbers


def _check_thresholds(fields: Fields, name: str, tree: Tree, column: NDArray[Any], found: NDArray[np.float64]) -> None:
    """Categories have no threshold, and that of an ordered category is one of its codes; both can be put in words."""
    kind = np.array([int(c.kind) for c in tree.schema.columns])[column]
    n_codes = np.array([c.n_categories for c in tree.schema.columns])[column]
    _refuse_first(fields, name, (kind == Kind.CATEGORY) & ~np.isnan(found), "a category has none (null)")
    outside = (kind == Kind.ORDERED) & ((found < 0) | ((found >= n_codes) & (found < np.inf)))
    _refuse_first(fields, name, outside, "it lies outside the codes of the ordered column")


def _read_branches(fields: Fields, tree: Tree, of: Numbers, n_words: int) -> Numbers:
    n = int(of["n_branches"].sum())
    numbers: Numbers = {
        "branch_words": fields.ints("branch_words", n, FOLLOWS, n_words - 1),
        "branch_weight": fields.floats("branch_weight", n, low=0),
        "branch_impurity": fields.floats("branch_impurity", n, **ENDLESS),
        "branch_stats": fields.floats("branch_stats", n * tree.stats.shape[1], **ENDLESS),
    }
    place = np.arange(n) - np.repeat(np.cumsum(of["n_branches"]) - of["n_branches"], of["n_branches"])
    untold = np.isnan(of["threshold"])[np.repeat(np.arange(len(of["n_branches"])), of["n_branches"])]
    follows = numbers["branch_words"] == FOLLOWS
    _refuse_first(fields, "branch_words", follows & (untold | (place > 2)), "it follows from no threshold")
    return numbers


def _read_cuts(fields: Fields, tree: Tree, of: Numbers) -> Numbers:
    n, width = int(of["n_told"].sum()), tree.stats.shape[1]
    numbers: Numbers = {
        "cut_threshold": fields.floats("cut_threshold", n, high=np.inf),
        "cut_gain": fields.floats("cut_gain", n, **ENDLESS),
        "cut_low": fields.floats("cut_low", n * width, **ENDLESS),
        "cut_high": fields.floats("cut_high", n * width, **ENDLESS),
        "cut_tied": fields.ints("cut_tied", n, 0, 1),
        "cut_missing": fields.ints("cut_missing", n, -1, 1),
    }
    owner = np.repeat(np.arange(len(of["n_told"])), of["n_told"])
    _check_thresholds(fields, "cut_threshold", tree, owner % tree.schema.n_columns, numbers["cut_threshold"])
    return numbers


def _check_verdicts(fields: Fields, tree: Tree, of: Numbers) -> None:
    """The winner is where it is said to be, and every verdict has the numbers that its reason tells."""
    n = tree.schema.n_columns
    verdict, column = of["verdict"], np.tile(np.arange(n), len(of["chosen"]))
    chosen = np.repeat(of["chosen"], n) == column
    won, below, rejected = (verdict == VERDICTS.index(name) for name in (CHOSEN, BELOW, REJECTED))
    _refuse_first(fields, "verdict", chosen != won, "the column that was chosen, and no other, has the verdict 0")
    ranked, has = verdict <= VERDICTS.index(RANKED), {name: ~np.isnan(of[name]) for name in (*MAYBE, "average")}
    _refuse_first(fields, "reason", rejected & (of["reason"] == FOLLOWS), "a rejected column has a reason in words")
    _refuse_first(fields, "merit", ranked != has["merit"], "a column that is ranked has one, others none (null)")
    _refuse_first(fields, "gain", ~rejected & ~has["gain"], "a column that is not rejected has one")
    _refuse_first(fields, "n_branches", ~rejected & (of["n_branches"] == 0), "a column that is not rejected has some")
    no_floor = below & np.repeat(~has["average"] & (of["naming_columns"] == 0), n)
    _refuse_first(fields, "average", no_floor, "a column is below it, so there is one")
    spread = (of["n_branches"] > 0) | (of["n_told"] > 0)
    if tree.schema.target.is_number:
        _refuse_first(fields, "gini_index", has["gini_index"], "numbers have none (null)")
    else:
        _refuse_first(fields, "gini_index", spread & ~has["gini_index"], "a column with branches has one")


def _refuse_first(fields: Fields, name: str, wrong: NDArray[np.bool_], why: str) -> None:
    if np.count_nonzero(wrong):
        fields.refuse(name, f"is wrong at place {int(wrong.argmax())}: {why}")
