"""Ledgers in model files: the candidates of many nodes as columns of numbers.

`Ledgers` stores the entries of nodes and makes them again, one at a time. What follows from the tree, its schema and
the numbers (names, conditions, most reasons) is not stored. `ledgers_document` and `read_ledgers` write and read the
document of the model file; every number is checked when it is read.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.ledger.candidate_numbers import KINDS
from treewright.ledger.entries import node_fields
from treewright.ledger.ledger_reasons import derived_reason, read_reason, stored_text
from treewright.ledger.lineage import Lineage
from treewright.ledger.record import (
    BELOW,
    CHOSEN,
    RANKED,
    REJECTED,
    TIED,
    Branch,
    Candidate,
    Cut,
    Entry,
    NamingCost,
)
from treewright.model.file.fields import Fields
from treewright.model.split import Split
from treewright.model.tree import Tree

VERDICTS = (CHOSEN, TIED, RANKED, BELOW, REJECTED)
RANKINGS = ("gain", "ratio")
"""What columns may be ranked by."""
ALWAYS_PRESENT = ("known", "missing", "rho", "before", "charge")
"""Numbers that every candidate has, by their names in the file."""
FIELDS = {"charge": "penalty"}
"""Fields of a `Candidate` that have another name in the file."""
OPTIONAL = ("after", "raw_gain", "gain", "split_info", "ratio", "gini_index", "merit", "threshold")
"""Numbers that a candidate may have; NaN where it has none."""
NAMING = ("naming_columns", "naming_rows", "naming_average_part")
"""For each node the cost of naming a column as a part of its floor; 0 columns if it is not."""
DERIVED = -1
"""Instead of the index of a text: it follows from the numbers."""


@dataclass(frozen=True, eq=False)
class Ledgers:
    """The ledgers of some nodes of a grown tree, as columns.

    grown      the grown tree
    node       the nodes, rising
    ranked_by  what columns were ranked by, "gain" or "ratio"
    words      sentences that do not follow from anything else, each once
    numbers    by name: of each node `leaf` (a word), `chosen`, `average`, `margin`, `naming_…`; of each node's columns,
               one after the other, the numbers of a `Candidate`, with `verdict` and `reason` (a word), `n_branches`,
               `n_told`; of the branches and cuts of all candidates, one after the other, their numbers as `branch_…`
               and `cut_…`
    """

    grown: Tree
    node: NDArray[np.int64]
    ranked_by: str
    words: tuple[str, ...]
    numbers: dict[str, NDArray[Any]]

    def has(self, node: int) -> bool:
        """Return whether the ledger of a node of the grown tree is stored."""
        place = int(np.searchsorted(self.node, node))
        return place < len(self.node) and int(self.node[place]) == node

    def entry(self, node: int) -> Entry:
        """Return the ledger of a node of the grown tree."""
        tree, kept = self.grown, self.numbers
        place, n = int(np.searchsorted(self.node, node)), self.grown.schema.n_columns
        average, chosen = _or_none(kept["average"][place]), int(kept["chosen"][place])
        drafts = tuple(self._candidate(place * n + f, f) for f in range(n))
        columns, rows, part = (kept[name][place] for name in NAMING)
        entry = Entry(
            **node_fields(tree, node),
            criterion=tree.criterion,
            ranked_by=self.ranked_by,
            average=average,
            candidates=drafts,
            chosen=None if chosen < 0 else chosen,
            margin=_or_none(kept["margin"][place]),
            leaf=None if tree.n_children[node] else read_reason(self.words[kept["leaf"][place]]),
            naming=NamingCost(int(columns), float(rows), float(part)) if columns else None,
        )
        candidates = tuple(
            replace(one, reason=derived_reason(one, entry) if word == DERIVED else read_reason(self.words[word]))
            for one, word in zip(drafts, kept["reason"][place * n :][:n].tolist(), strict=True)
        )
        return replace(entry, candidates=candidates)

    def entries(self, nodes: Iterable[int]) -> Iterator[Entry]:
        """Return the ledgers of nodes of the grown tree."""
        return map(self.entry, nodes)

    def only(self, nodes: Sequence[int]) -> "Ledgers":
        """Return the ledgers of these nodes alone."""
        if nodes == self.node.tolist():
            return self
        return ledgers_of(self.grown, map(self.entry, nodes))

    def _candidate(self, at: int, position: int) -> Candidate:
        """Return the candidate at an index, without its reason."""
        column, kept = self.grown.schema.columns[position], self.numbers
        always: dict[str, Any] = {FIELDS.get(name, name): float(kept[name][at]) for name in ALWAYS_PRESENT}
        maybe: dict[str, Any] = {name: _or_none(kept[name][at]) for name in OPTIONAL}
        return Candidate(
            column=position,
            name=column.name,
            kind=KINDS[column.kind],
            verdict=VERDICTS[kept["verdict"][at]],
            reason="",
            branches=self._branches(at, position, maybe["threshold"]),
            n_cuts=int(kept["n_cuts"][at]),
            cuts=self._cuts(at, position),
            tied_cuts=int(kept["tied_cuts"][at]),
            n_values=int(kept["n_values"][at]),
            **always,
            **maybe,
        )

    def _branches(self, at: int, position: int, threshold: float | None) -> tuple[Branch, ...]:
        kept, found = self.numbers, []
        for i, place in enumerate(range(*self._first_branch[at : at + 2].tolist())):
            word = int(kept["branch_words"][place])
            words = side_words(self.grown, position, threshold, i) if word == DERIVED else self.words[word]
            weight, impurity = (float(kept[f"branch_{name}"][place]) for name in ("weight", "impurity"))
            found.append(Branch(words, weight, self._stats("branch_stats", place), impurity))
        return tuple(found)

    def _cuts(self, at: int, position: int) -> tuple[Cut, ...]:
        kept, found = self.numbers, []
        for place in range(*self._first_cut[at : at + 2].tolist()):
            threshold, missing = float(kept["cut_threshold"][place]), int(kept["cut_missing"][place])
            found.append(
                Cut(
                    threshold,
                    gain=float(kept["cut_gain"][place]),
                    low=self._stats("cut_low", place),
                    high=self._stats("cut_high", place),
                    tied=bool(kept["cut_tied"][place]),
                    missing=None if missing < 0 else missing,
                    words=side_words(self.grown, position, threshold, 0),
                )
            )
        return tuple(found)

    def _stats(self, name: str, place: int) -> tuple[float, ...]:
        n = self.grown.stats.shape[1]
        return tuple(self.numbers[name][place * n :][:n].tolist())

    @cached_property
    def _first_branch(self) -> NDArray[np.int64]:
        return np.append(0, np.cumsum(self.numbers["n_branches"]))

    @cached_property
    def _first_cut(self) -> NDArray[np.int64]:
        return np.append(0, np.cumsum(self.numbers["n_told"]))


def side_words(tree: Tree, position: int, threshold: float | None, side: int) -> str:
    """Return the condition of a side of a cut; empty for a category, whose branches are stored as text."""
    column = tree.schema.columns[position]
    if threshold is None or column.kind is Kind.CATEGORY:
        return ""
    return Split(column, position, max(2, side + 1), threshold=threshold).branch_words(side)


def ledgers_of(grown: Tree, entries: Iterable[Entry]) -> Ledgers:
    """Return the entries of some nodes of a grown tree as columns.

    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1, 7], [2, 7], [3, 7], [4, 8]], ["a", "a", "b", "b"])
    >>> ledgers_of(model.tree_, [model.why(0).entry]).entry(0) == model.why(0).entry
    True
    """
    every = sorted(entries, key=lambda entry: entry.node)
    pool: dict[str, int] = {}

    def word(text: str, follows: str = "") -> int:
        return DERIVED if text == follows else pool.setdefault(text, len(pool))

    of_nodes = {
        "leaf": [DERIVED if e.leaf is None else word(stored_text(e.leaf)) for e in every],
        "chosen": [-1 if e.chosen is None else e.chosen for e in every],
        "naming_columns": [0 if e.naming is None else e.naming.n_columns for e in every],
    }
    found = [(e, c) for e in every for c in e.candidates]
    reasons = [stored_text(c.reason) for _, c in found]
    derived = [stored_text(derived_reason(c, e)) for e, c in found]
    whole = of_nodes | {
        "verdict": [VERDICTS.index(c.verdict) for _, c in found],
        "reason": list(map(word, reasons, derived)),
        "n_cuts": [c.n_cuts for _, c in found],
        "tied_cuts": [c.tied_cuts for _, c in found],
        "n_values": [c.n_values for _, c in found],
        "n_branches": [len(c.branches) for _, c in found],
        "n_told": [len(c.cuts) for _, c in found],
        "branch_words": [
            word(branch.words, side_words(grown, c.column, c.threshold, i))
            for _, c in found
            for i, branch in enumerate(c.branches)
        ],
        "cut_tied": [int(cut.tied) for _, c in found for cut in c.cuts],
        "cut_missing": [-1 if cut.missing is None else cut.missing for _, c in found for cut in c.cuts],
    }
    floats = {name: [getattr(e, name) for e in every] for name in ("average", "margin")}
    floats["naming_rows"] = [0.0 if e.naming is None else e.naming.rows for e in every]
    floats["naming_average_part"] = [0.0 if e.naming is None else e.naming.average_part for e in every]
    floats |= {name: [getattr(c, FIELDS.get(name, name)) for _, c in found] for name in (*ALWAYS_PRESENT, *OPTIONAL)}
    branches = [branch for _, c in found for branch in c.branches]
    floats |= {f"branch_{name}": [getattr(branch, name) for branch in branches] for name in ("weight", "impurity")}
    floats["branch_stats"] = [number for branch in branches for number in branch.stats]
    cuts = [cut for _, c in found for cut in c.cuts]
    floats |= {f"cut_{name}": [getattr(cut, name) for cut in cuts] for name in ("threshold", "gain")}
    floats |= {f"cut_{name}": [n for cut in cuts for n in getattr(cut, name)] for name in ("low", "high")}
    numbers: dict[str, NDArray[Any]] = {name: np.array(given, np.int64) for name, given in whole.items()}
    numbers |= {name: np.array(given, np.float64) for name, given in floats.items()}
    ranked_by = every[0].ranked_by if every else "gain"
    return Ledgers(grown, np.array([e.node for e in every], np.int64), ranked_by, tuple(pool), numbers)


def _or_none(number: Any) -> float | None:
    return None if np.isnan(number) else float(number)


LARGEST = 2**62
ANY_NUMBER: dict[str, Any] = {"low": -np.inf, "high": np.inf}
"""Squares of large numbers are infinite, and so are losses and gains computed from them."""
Numbers = dict[str, NDArray[Any]]

FIELD_ORDER = (
    *("leaf", "chosen", "average", "margin", "verdict", "reason", *ALWAYS_PRESENT, *OPTIONAL, "n_cuts", "tied_cuts"),
    *("n_branches", "branch_words", "branch_weight", "branch_impurity", "branch_stats"),
    *("n_told", "cut_threshold", "cut_gain", "cut_low", "cut_high", "cut_tied", "cut_missing"),
)
"""The fields in the order of the file."""

LATER_FIELDS = (*NAMING, "n_values")
"""Fields that the first version did not have: in a file only if one of their numbers is not 0."""


def ledgers_document(ledgers: Ledgers) -> dict[str, Any]:
    """Return the document; it has no node numbers, because they follow from the tree.

    >>> from treewright import CARTClassifier
    >>> from treewright.store.ledgers import ledgers_of
    >>> model = CARTClassifier(pruning=None).fit([[1, 7], [2, 7], [3, 7], [4, 8]], ["a", "a", "b", "b"])
    >>> ledgers_document(ledgers_of(model.tree_, [model.why(0).entry]))["gain"]
    array([0.5       , 0.16666667])
    """
    numbers = ledgers.numbers
    names = [*FIELD_ORDER, *(name for name in LATER_FIELDS if numbers[_deciding_field(name)].any())]
    return {"ranked_by": ledgers.ranked_by, "words": list(ledgers.words)} | {name: numbers[name] for name in names}


def _deciding_field(name: str) -> str:
    """Return the field that decides whether a field is in the file: those about naming are there together."""
    return NAMING[0] if name in NAMING else name


def kept_nodes(lineage: Lineage) -> NDArray[np.int64]:
    """Return the nodes of the grown tree from which the nodes of the tree have their splits, in order.

    >>> from treewright.model.build import golf_example
    >>> kept_nodes(Lineage(golf_example(), golf_example())).tolist()
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    return np.unique(np.array([lineage.source(node) for node in range(lineage.tree.n_nodes)], np.int64))


def read_ledgers(fields: Fields, lineage: Lineage) -> Ledgers:
    """Read and check the ledgers of the nodes of a tree."""
    tree, node = lineage.grown, kept_nodes(lineage)
    if len(node) and node[0] < 0:
        fields.refuse("ranked_by", "cannot be: the pruning report lets a split come from nowhere")
    ranked_by, words = fields.one_of("ranked_by", RANKINGS), tuple(fields.texts("words"))
    numbers = _read_nodes(fields, tree, node, len(words)) | _read_candidates(fields, tree, len(node), len(words))
    numbers |= _read_branches(fields, tree, numbers, len(words)) | _read_cuts(fields, tree, numbers)
    fields.done()
    _check_verdicts(fields, tree, numbers)
    return Ledgers(tree, node, ranked_by, words, numbers)


def _read_nodes(fields: Fields, tree: Tree, node: NDArray[np.int64], n_words: int) -> Numbers:
    n = len(node)
    numbers: Numbers = {
        "leaf": fields.ints("leaf", n, DERIVED, n_words - 1),
        "chosen": fields.ints("chosen", n, -1, tree.schema.n_columns - 1),
        **{name: fields.floats(name, n, **ANY_NUMBER, nan=True) for name in ("average", "margin")},
    }
    numbers |= _read_naming(fields, tree.schema.n_columns, n)
    wrong = (tree.n_children[node] == 0) != (numbers["leaf"] >= 0)
    _refuse_first(fields, "leaf", wrong, "a leaf has a reason, every other node none (-1)")
    return numbers


def _read_naming(fields: Fields, n_columns: int, n: int) -> Numbers:
    """Read the cost of naming a column as a part of each node's floor; 0 without these fields."""
    columns, rows, part = NAMING
    if not any(fields.has(name) for name in NAMING):
        return {columns: np.zeros(n, np.int64), rows: np.zeros(n), part: np.zeros(n)}
    numbers: Numbers = {
        columns: fields.ints(columns, n, 0, n_columns),
        rows: fields.floats(rows, n, low=0.0),
        part: fields.floats(part, n, low=0.0, high=1.0),
    }
    without_rows = (numbers[columns] > 0) & (numbers[rows] <= 0.0)
    _refuse_first(fields, rows, without_rows, "columns are named there, so it is above 0")
    return numbers


def _read_candidates(fields: Fields, tree: Tree, n_nodes: int, n_words: int) -> Numbers:
    n = n_nodes * tree.schema.n_columns
    numbers: Numbers = {
        "verdict": fields.ints("verdict", n, 0, len(VERDICTS) - 1),
        "reason": fields.ints("reason", n, DERIVED, n_words - 1),
        **{name: fields.ints(name, n, 0, LARGEST) for name in ("n_cuts", "tied_cuts")},
        **{name: fields.ints(name, n, 0, 2**31) for name in ("n_branches", "n_told")},
        "n_values": fields.ints("n_values", n, 0, 2**31) if fields.has("n_values") else np.zeros(n, np.int64),
        **{name: fields.floats(name, n, **ANY_NUMBER) for name in ALWAYS_PRESENT},
        **{name: fields.floats(name, n, **ANY_NUMBER, nan=True) for name in OPTIONAL},
    }
    _refuse_first(fields, "threshold", np.isneginf(numbers["threshold"]), "it is not minus infinity")
    column = np.tile(np.arange(tree.schema.n_columns), n_nodes)
    _check_thresholds(fields, "threshold", tree, column, numbers["threshold"])
    return numbers


def _check_thresholds(fields: Fields, name: str, tree: Tree, column: NDArray[Any], found: NDArray[np.float64]) -> None:
    """Check that categories have no threshold, and that those of ordered columns are among their codes."""
    kind = np.array([int(c.kind) for c in tree.schema.columns])[column]
    n_codes = np.array([c.n_categories for c in tree.schema.columns])[column]
    _refuse_first(fields, name, (kind == Kind.CATEGORY) & ~np.isnan(found), "a category has none (null)")
    outside = (kind == Kind.ORDERED) & ((found < 0) | ((found >= n_codes) & (found < np.inf)))
    _refuse_first(fields, name, outside, "it lies outside the codes of the ordered column")


def _read_branches(fields: Fields, tree: Tree, of: Numbers, n_words: int) -> Numbers:
    n = int(of["n_branches"].sum())
    numbers: Numbers = {
        "branch_words": fields.ints("branch_words", n, DERIVED, n_words - 1),
        "branch_weight": fields.floats("branch_weight", n, low=0),
        "branch_impurity": fields.floats("branch_impurity", n, **ANY_NUMBER),
        "branch_stats": fields.floats("branch_stats", n * tree.stats.shape[1], **ANY_NUMBER),
    }
    place = np.arange(n) - np.repeat(np.cumsum(of["n_branches"]) - of["n_branches"], of["n_branches"])
    unknown = np.isnan(of["threshold"])[np.repeat(np.arange(len(of["n_branches"])), of["n_branches"])]
    follows = numbers["branch_words"] == DERIVED
    _refuse_first(fields, "branch_words", follows & (unknown | (place > 2)), "it follows from no threshold")
    return numbers


def _read_cuts(fields: Fields, tree: Tree, of: Numbers) -> Numbers:
    n, width = int(of["n_told"].sum()), tree.stats.shape[1]
    numbers: Numbers = {
        "cut_threshold": fields.floats("cut_threshold", n, high=np.inf),
        "cut_gain": fields.floats("cut_gain", n, **ANY_NUMBER),
        "cut_low": fields.floats("cut_low", n * width, **ANY_NUMBER),
        "cut_high": fields.floats("cut_high", n * width, **ANY_NUMBER),
        "cut_tied": fields.ints("cut_tied", n, 0, 1),
        "cut_missing": fields.ints("cut_missing", n, -1, 1),
    }
    owner = np.repeat(np.arange(len(of["n_told"])), of["n_told"])
    _check_thresholds(fields, "cut_threshold", tree, owner % tree.schema.n_columns, numbers["cut_threshold"])
    return numbers


def _check_verdicts(fields: Fields, tree: Tree, of: Numbers) -> None:
    """Check that the chosen column is the stored one, and that every verdict has the numbers of its reason."""
    n = tree.schema.n_columns
    verdict, column = of["verdict"], np.tile(np.arange(n), len(of["chosen"]))
    chosen = np.repeat(of["chosen"], n) == column
    won, below, rejected = (verdict == VERDICTS.index(name) for name in (CHOSEN, BELOW, REJECTED))
    _refuse_first(fields, "verdict", chosen != won, "the column that was chosen, and no other, has the verdict 0")
    ranked, has = verdict <= VERDICTS.index(RANKED), {name: ~np.isnan(of[name]) for name in (*OPTIONAL, "average")}
    _refuse_first(fields, "reason", rejected & (of["reason"] == DERIVED), "a rejected column has a reason in words")
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
        fields.refuse(name, f"is wrong at index {int(wrong.argmax())}: {why}")
