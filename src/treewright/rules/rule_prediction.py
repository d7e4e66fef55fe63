"""Predictions of a rule set, and the rules that match a row.

`RowReader` encodes the rows of a table. Rules of leaves predict what their tree predicts (`TreePredictor`): where a
value is missing, the tree decides where the row goes. Generalised rules are tried in order, and the first one that
matches predicts (`RuleListPredictor`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import Unseen, encode_table, refuse_missing, warn_unseen
from treewright.data.frames import as_records, open_table
from treewright.data.schema import Column, input_names
from treewright.errors import InputError
from treewright.explain.single_row import read_row, refuse_several
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import predict_class_codes, predict_numbers, predict_probabilities
from treewright.predict.routing import prepare_values, route_fractional_rows, route_rows
from treewright.rules.rule import Condition, matching_rows

BLOCK = 2**16
"""Rows that are matched together, so that their columns stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class RowReader:
    """How the rows of a table are encoded.

    columns  the columns of the training table
    names    their names; None if the training table had no names
    unseen   what a category becomes that the training data do not have: "error", "missing" or "mark"
    words    what the warning says about such a category
    complete whether a row with a missing value is an error
    """

    columns: tuple[Column, ...]
    names: tuple[str, ...] | None
    unseen: str
    words: str
    complete: bool = False

    def table(self, X: Any) -> NDArray[np.float64]:
        """Encode the rows of a table; unseen categories cause a warning.

        >>> from treewright.data.schema import Kind
        >>> RowReader((Column("colour", Kind.CATEGORY, ("blue", "red")),), None, "mark", "").table([["red"]])
        array([[1.]])
        """
        self._check_names(X)
        values, unseen = self._encode(X)
        if unseen:
            warn_unseen(unseen, f"such a value {self.words}")
        return values

    def row(self, row: Any) -> NDArray[np.float64]:
        """Encode one row: a dict by column name, a list, a Series, or a table of one row."""
        cells = read_row(row, input_names(self.columns), self.names is not None)
        if cells is not None:
            return self._encode(cells)[0]
        self._check_names(row)
        values = self._encode(row)[0]
        refuse_several(len(values))
        return values

    def _encode(self, X: Any) -> tuple[NDArray[np.float64], tuple[Unseen, ...]]:
        encoded = encode_table(X, self.columns, self.unseen)
        if self.complete:
            refuse_missing(self.columns, encoded.values)
        return encoded.values, encoded.unseen

    def _check_names(self, X: Any) -> None:
        """Refuse a table with other column names than in training; `encode_table` checks those of records."""
        if self.names is None or type(X) is np.ndarray or as_records(X, input_names(self.columns)) is not None:
            return
        given = open_table(X).feature_names
        if given is None or tuple(given) == self.names or given == input_names(self.columns):
            return
        pairs = zip(given, self.names or (), strict=False)
        different = next(((name, expected) for name, expected in pairs if name != expected), None)
        if different is not None:
            raise InputError(
                f"X has column {different[0]!r} where the rules expect {different[1]!r}; pass the columns of the "
                "training table in the same order."
            )


class RuleMatch(NamedTuple):
    """A rule that predicts for a row: its index in the set, and the fraction of the row it predicts for."""

    rule: int
    fraction: float


class NodeStop(NamedTuple):
    """An inner node where a missing value stops the row, and the fraction of the row that stops there."""

    node: int
    fraction: float


@dataclass(frozen=True, slots=True)
class MatchedRules:
    """The rules that match one row.

    rules   the rules that predict; several if a missing value sends the row down several branches
    others  indices of rules that match too, but come later in the list
    stops   the inner nodes that predict, because a missing value stops the row there
    """

    rules: tuple[RuleMatch, ...]
    others: tuple[int, ...] = ()
    stops: tuple[NodeStop, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TreePredictor:
    """Predicts by the tree whose leaves the rules are; `rule_of_leaf` has the index of each leaf's rule, by node."""

    tree: Tree
    policy: MissingPolicy
    rule_of_leaf: dict[int, int]

    def class_codes(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        return predict_class_codes(self.tree, values, self.policy)

    def probabilities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return predict_probabilities(self.tree, values, self.policy)

    def numbers(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return predict_numbers(self.tree, values, self.policy)

    def match(self, values: NDArray[np.float64]) -> MatchedRules:
        """Find the rules of the leaves that the one row comes to."""
        values = prepare_values(self.tree, values)
        nodes, several = route_rows(self.tree, values, self.policy)
        reached = [(int(nodes[0]), 1.0)]
        for part in route_fractional_rows(self.tree, values, self.policy.unseen, several, nodes[several]):
            reached = list(zip(part.nodes.tolist(), part.weights.tolist(), strict=True))
        reached.sort(key=lambda one: (-one[1], one[0]))
        rule_of_leaf = self.rule_of_leaf
        return MatchedRules(
            tuple(RuleMatch(rule_of_leaf[node], fraction) for node, fraction in reached if node in rule_of_leaf),
            stops=tuple(NodeStop(node, fraction) for node, fraction in reached if node not in rule_of_leaf),
        )


@dataclass(frozen=True, slots=True, eq=False)
class RuleListPredictor:
    """Predicts by generalised rules: the first rule that matches, else the default class.

    conditions           of each rule, in order
    rule_codes           the class code of each rule, and last that of the default class
    rule_probabilities   (n_rules + 1, n_classes): the class frequencies of the training rows that match each rule,
                         and last of those that match none
    """

    conditions: tuple[Sequence[Condition], ...]
    rule_codes: NDArray[np.intp]
    rule_probabilities: NDArray[np.float64]

    def class_codes(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        return self.rule_codes[self.first_match(values)]

    def probabilities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.rule_probabilities[self.first_match(values)]

    def numbers(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        raise NotImplementedError("Generalised rules predict classes.")

    def first_match(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the index of the first rule that matches each row; the number of rules if none does."""
        found = np.full(len(values), len(self.conditions), np.intp)
        for start in range(0, len(values), BLOCK):
            block = values[start : start + BLOCK]
            columns = [np.ascontiguousarray(column) for column in block.T]
            unmatched = np.arange(len(block), dtype=np.int32)
            for i, conditions in enumerate(self.conditions):
                rows = matching_rows(conditions, columns, unmatched)
                if len(rows):
                    found[start + rows] = i
                    unmatched = unmatched[found[start + unmatched] > i]
                    if not len(unmatched):
                        break
        return found

    def match(self, values: NDArray[np.float64]) -> MatchedRules:
        """Find all rules that match the one row; the first of them predicts."""
        columns, only_row = list(values.T), np.zeros(1, np.int32)
        matching = [i for i, rule in enumerate(self.conditions) if len(matching_rows(rule, columns, only_row))]
        return MatchedRules(tuple(RuleMatch(i, 1.0) for i in matching[:1]), tuple(matching[1:]))
