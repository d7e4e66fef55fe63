"""Asked: a model that answers frame by frame.

In: an estimator, a tree or a set of rules, and frames as they are read from a file. Out: for each frame the columns of
the answer: class or number, class shares, leaf, and the reason in words. Categories that training never showed are
counted over all frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.cli.reasons import leaf_reasons, rule_reasons, stop_reason
from treewright.data.encode import Unseen, refuse_missing
from treewright.data.files.coded import Coder
from treewright.data.frames import unnamed
from treewright.data.unseen import BECOMES
from treewright.errors import InputError, KindError
from treewright.model.plain import plain
from treewright.model.tree import Tree
from treewright.predict.asked import unseen_in
from treewright.predict.ends import ends, parts, readable
from treewright.predict.route import leaves
from treewright.predict.rule import Rule
from treewright.rules.answering import ByTree, InTurn
from treewright.rules.reading import Reader
from treewright.rules.ruleset import RuleSet

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

MOST_UNSEEN = 1000
"""Different unseen categories that are counted one by one; what comes later only adds to their number."""

N_SHARES = 4
"""Leaves that the reason of a row names, where a missing value shares it among several."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """How a model is asked.

    target     the name of the target
    reader     what its columns are, and what becomes of unseen categories
    answering  a tree, or rules that are asked in turn
    classes    its classes; none for numbers
    rules      the rules, where the model is a set of them
    """

    target: str
    reader: Reader
    answering: ByTree | InTurn
    classes: Sequence[Any]
    rules: RuleSet | None = None

    @property
    def is_number(self) -> bool:
        return len(self.classes) == 0

    @property
    def place_name(self) -> str:
        """What the number of a row's place is called: that of a leaf, or of a rule."""
        return "leaf" if isinstance(self.answering, ByTree) else "rule"


def asked(model: Any) -> Asked:
    """How the model is asked, whatever it is."""
    if isinstance(model, RuleSet):
        return Asked(model.target, model._reader, model._answering, _plain(model.classes), model)
    if isinstance(model, Tree):
        return _of_tree(model)
    tree, how = model._tree(), model._asking()
    classes = _plain(getattr(model, "classes_", ()))
    return Asked(tree.schema.target.name, model._reader(), ByTree(tree, how.rule, {}), classes)


def _of_tree(tree: Tree) -> Asked:
    """A tree alone is asked as it was grown: an unseen category counts as missing, where missing values may be."""
    names = tree.schema.names
    given = None if names == unnamed(len(names)) else names
    reader = Reader(tree.schema.columns, given, unseen_in(tree), BECOMES["missing"])
    return Asked(tree.schema.target.name, reader, ByTree(tree, Rule(), {}), tree.schema.target.classes or ())


def _plain(classes: Any) -> tuple[Any, ...]:
    return tuple(plain(label) for label in classes)


@dataclass(slots=True, eq=False)
class Answerer:
    """Answers frames.

    asked    the model
    coder    how frames are coded for it
    names    the columns of the answer and what they are called: "prediction", "share 0" and so on, "place" (the leaf or
             the rule), "explanation"; only the first one is always there
    unseen   how often each unseen category was met; `more_unseen` in how many other cells there was one
    n_rows   rows that were answered so far
    """

    asked: Asked
    coder: Coder
    names: dict[str, str]
    unseen: dict[tuple[str, object], int] = field(default_factory=dict)
    more_unseen: int = 0
    n_rows: int = 0
    _bare: bool | None = None
    _labels: Any = None
    _texts: Any = None

    def answer(self, frame: pl.DataFrame) -> list[pl.Series]:
        """The columns of the answer for the rows of a frame."""
        try:
            values = self._values(frame)
        except (InputError, KindError) as error:
            if not self.n_rows:
                raise
            said = str(error).rstrip(".")
            raise type(error)(f"{said} (rows are counted from row {self.n_rows} of the data).") from None
        self.n_rows += len(frame)
        makers = {"prediction": self._prediction, "place": self._places, "explanation": self._explanations}
        made = {part: make(values) for part, make in makers.items() if part in self.names}
        made |= self._shares(values)
        return [made[part].alias(name) for part, name in self.names.items()]

    def types(self) -> dict[str, Any]:
        """The columns of the answer and their types."""
        import polars as pl

        kinds = {"prediction": self._label_column().dtype, "place": pl.Int64, "explanation": pl.String}
        return {name: kinds.get(part, pl.Float64) for part, name in self.names.items()}

    def is_bare(self, delimiter: str) -> bool:
        """Whether no text of the answers holds a quote, a line end or the delimiter."""
        if self._bare is None:
            labels = [str(label) for label in self.asked.classes]
            special = set("".join(labels)) & {'"', "\r", "\n", delimiter}
            self._bare = "explanation" not in self.names and not special and all(labels)
        return self._bare

    def met(self) -> list[Unseen]:
        """The unseen categories, those of most cells first."""
        found = [Unseen(column, value, n) for (column, value), n in self.unseen.items()]
        return sorted(found, key=lambda one: -one.n_rows)

    def _values(self, frame: pl.DataFrame) -> NDArray[np.float64]:
        encoded = self.coder.code(frame)
        if self.asked.reader.complete:
            refuse_missing(self.asked.reader.columns, encoded.values)
        for one in encoded.unseen:
            key = (one.column, one.value)
            if key in self.unseen or len(self.unseen) < MOST_UNSEEN:
                self.unseen[key] = self.unseen.get(key, 0) + one.n_rows
            else:
                self.more_unseen += one.n_rows
        return encoded.values

    def _prediction(self, values: NDArray[np.float64]) -> pl.Series:
        import polars as pl

        if self.asked.is_number:
            return pl.Series(self.asked.answering.numbers(values))
        return self._label_column().gather(self.asked.answering.codes(values))

    def _label_column(self) -> pl.Series:
        if self._labels is None:
            self._labels = label_series(self.asked.classes)
        return self._labels

    def _shares(self, values: NDArray[np.float64]) -> dict[str, pl.Series]:
        import polars as pl

        if "share 0" not in self.names:
            return {}
        found = np.asfortranarray(self.asked.answering.shares(values))
        return {f"share {i}": pl.Series(found[:, i]) for i in range(found.shape[1])}

    def _places(self, values: NDArray[np.float64]) -> pl.Series:
        """The leaf of each row, or the number of its rule; null where it is the default that answers."""
        import polars as pl

        asking = self.asked.answering
        if isinstance(asking, ByTree):
            return pl.Series(leaves(asking.tree, values, asking.asked))
        rules = self.asked.rules
        numbers = [rule.number for rule in rules] if rules is not None else []
        return pl.Series([*numbers, None], dtype=pl.Int64).gather(asking.first(values))

    def _explanations(self, values: NDArray[np.float64]) -> pl.Series:
        """The reason of each row, made once for each leaf or rule; for a row shared among leaves its largest shares."""
        import polars as pl

        asking = self.asked.answering
        if isinstance(asking, InTurn):
            if self._texts is None and self.asked.rules is not None:
                self._texts = pl.Series(rule_reasons(self.asked.rules))
            return self._texts.gather(asking.first(values))
        if self._texts is None:
            self._texts = pl.Series(leaf_reasons(asking.tree, asking.asked))
        values = readable(asking.tree, values)
        nodes, several = ends(asking.tree, values, asking.asked)
        found = self._texts.gather(nodes)
        rows: list[int] = []
        texts: list[str] = []
        for part in parts(asking.tree, values, asking.asked.unseen, several, nodes[several]):
            for k, row in enumerate(part.rows.tolist()):
                own = slice(part.starts[k], part.starts[k + 1])
                rows.append(row)
                texts.append(self._shared(asking.tree, part.nodes[own], part.weights[own]))
        rest = np.setdiff1d(np.flatnonzero(found.is_null().to_numpy()), rows)
        rows += rest.tolist()
        texts += [self._one(asking.tree, int(node)) for node in nodes[rest]]
        return found.scatter(rows, texts) if rows else found

    def _one(self, tree: Tree, node: int) -> str:
        known: str | None = self._texts[node]
        return stop_reason(tree, node) if known is None else known

    def _shared(self, tree: Tree, nodes: NDArray[np.int64], weights: NDArray[np.float64]) -> str:
        order = np.lexsort((nodes, -weights))
        said = [f"{weights[i]:.3g} of the row: {self._one(tree, int(nodes[i]))}" for i in order[:N_SHARES]]
        more = [f"{len(order) - N_SHARES} more"] if len(order) > N_SHARES else []
        return "; ".join(said + more)


def label_series(labels: Sequence[Any]) -> pl.Series:
    """The classes as a column: of their own type where they have one, otherwise as text; numbers have none."""
    import polars as pl

    if not labels:
        return pl.Series([], dtype=pl.Float64)
    one_kind = len({type(label) for label in labels}) == 1 and isinstance(labels[0], str | bool | int | float)
    return pl.Series(list(labels) if one_kind else [str(label) for label in labels])
