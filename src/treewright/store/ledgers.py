"""Ledgers: the candidates of many nodes, kept as columns of numbers.

In: the entries of nodes of a grown tree. Out: the same entries, one at a time, made again from few words: what follows
from the tree, its schema and the numbers (names, questions, most reasons) is not kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.ledger.entries import told_by_tree
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
    Naming,
)
from treewright.ledger.spread import KINDS
from treewright.ledger.verdicts import why_beaten, why_chosen, why_tied
from treewright.ledger.words import why_below
from treewright.model.split import Split
from treewright.model.tree import Tree

VERDICTS = (CHOSEN, TIED, RANKED, BELOW, REJECTED)
RANKS = {"gain": "gain", "ratio": "gain ratio"}
"""What columns may be ranked by, and how a reason calls it."""
KNOWN = ("known", "missing", "rho", "before", "charge")
"""Numbers that every candidate has."""
MAYBE = ("after", "raw_gain", "gain", "split_info", "ratio", "gini_index", "merit", "threshold")
"""Numbers that a candidate may have; NaN where it has none."""
NAMING = ("naming_columns", "naming_rows", "naming_average_part")
"""Of each node the price of a name as a part of its floor; no columns where there is none."""
FOLLOWS = -1
"""In place of a word: it follows from the numbers."""


@dataclass(frozen=True, eq=False)
class Ledgers:
    """What is kept of the ledgers of some nodes of a grown tree.

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
        """Whether the ledger of a node of the grown tree is kept."""
        place = int(np.searchsorted(self.node, node))
        return place < len(self.node) and int(self.node[place]) == node

    def entry(self, node: int) -> Entry:
        """The ledger of a node of the grown tree that is kept."""
        tree, kept = self.grown, self.numbers
        place, n = int(np.searchsorted(self.node, node)), self.grown.schema.n_columns
        average, chosen = _or_none(kept["average"][place]), int(kept["chosen"][place])
        drafts = tuple(self._candidate(place * n + f, f) for f in range(n))
        columns, rows, part = (kept[name][place] for name in NAMING)
        entry = Entry(
            **told_by_tree(tree, node),
            criterion=tree.criterion,
            ranked_by=self.ranked_by,
            average=average,
            candidates=drafts,
            chosen=None if chosen < 0 else chosen,
            margin=_or_none(kept["margin"][place]),
            leaf=None if tree.n_children[node] else self.words[kept["leaf"][place]],
            naming=Naming(int(columns), float(rows), float(part)) if columns else None,
        )
        told = tuple(
            replace(one, reason=reason(one, entry) if word == FOLLOWS else self.words[word])
            for one, word in zip(drafts, kept["reason"][place * n :][:n].tolist(), strict=True)
        )
        return replace(entry, candidates=told)

    def only(self, nodes: Sequence[int]) -> "Ledgers":
        """What is kept of these nodes alone."""
        if nodes == self.node.tolist():
            return self
        return ledgers_of(self.grown, map(self.entry, nodes))

    def _candidate(self, at: int, position: int) -> Candidate:
        """The candidate at a place, its reason left out."""
        column, kept = self.grown.schema.columns[position], self.numbers
        told: dict[str, Any] = {name: float(kept[name][at]) for name in KNOWN}
        maybe: dict[str, Any] = {name: _or_none(kept[name][at]) for name in MAYBE}
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
            **told,
            **maybe,
        )

    def _branches(self, at: int, position: int, threshold: float | None) -> tuple[Branch, ...]:
        kept, found = self.numbers, []
        for i, place in enumerate(range(*self._first_branch[at : at + 2].tolist())):
            word = int(kept["branch_words"][place])
            words = side_words(self.grown, position, threshold, i) if word == FOLLOWS else self.words[word]
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


def reason(one: Candidate, entry: Entry) -> str:
    """The reason of a verdict, as it follows from the numbers of a node; nothing where a column was rejected."""
    candidates, ranked_by = entry.candidates, entry.ranked_by
    merits = [c.merit for c in candidates if c.merit is not None]
    if one.verdict == CHOSEN:
        n_near = sum(c.verdict in (CHOSEN, TIED) for c in candidates)
        return why_chosen(RANKS[ranked_by], n_near, len(merits))
    if one.verdict == TIED:
        return why_tied(next((c.name for c in candidates if c.verdict == CHOSEN), ""))
    if one.verdict == RANKED and one.merit is not None:
        return why_beaten(RANKS[ranked_by], one.merit, max(merits))
    if one.verdict == BELOW and one.gain is not None and entry.floor is not None:
        return why_below(one.gain, entry.average, entry.naming)
    return ""


def side_words(tree: Tree, position: int, threshold: float | None, side: int) -> str:
    """What holds on a side of a cut; nothing for a category, whose branches are told by words."""
    column = tree.schema.columns[position]
    if threshold is None or column.kind is Kind.CATEGORY:
        return ""
    return Split(column, position, max(2, side + 1), threshold=threshold).branch_words(side)


def ledgers_of(grown: Tree, entries: Iterable[Entry]) -> Ledgers:
    """What is to be kept of the entries of some nodes of a grown tree.

    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1, 7], [2, 7], [3, 7], [4, 8]], ["a", "a", "b", "b"])
    >>> ledgers_of(model.tree_, [model.why(0).entry]).entry(0) == model.why(0).entry
    True
    """
    every = sorted(entries, key=lambda entry: entry.node)
    pool: dict[str, int] = {}

    def word(text: str, follows: str = "") -> int:
        return FOLLOWS if text == follows else pool.setdefault(text, len(pool))

    of_nodes = {
        "leaf": [FOLLOWS if e.leaf is None else word(e.leaf) for e in every],
        "chosen": [-1 if e.chosen is None else e.chosen for e in every],
        "naming_columns": [0 if e.naming is None else e.naming.n_columns for e in every],
    }
    found = [(e, c) for e in every for c in e.candidates]
    whole = of_nodes | {
        "verdict": [VERDICTS.index(c.verdict) for _, c in found],
        "reason": [word(c.reason, reason(c, e)) for e, c in found],
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
    floats |= {name: [getattr(c, name) for _, c in found] for name in (*KNOWN, *MAYBE)}
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
