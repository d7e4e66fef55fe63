"""Predictions frame by frame, for `predict` and `evaluate`.

A `Predictor` holds what prediction needs of an estimator, a tree or a rule set; a `FramePredictor` turns frames, as
they are read from a file, into columns: prediction, probabilities, leaf and the reason as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.data.encode import N_WARNED, UNSEEN_EFFECTS, Unseen, refuse_missing, similar_category
from treewright.data.files.model_rows import RowEncoder
from treewright.data.frames import default_names
from treewright.errors import InputError, KindError
from treewright.language import messages
from treewright.model.formatting import format_category, printable, truncate
from treewright.model.json_values import to_json_value
from treewright.model.tree import Tree
from treewright.model.tree_text import path_texts
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import find_leaves
from treewright.predict.routing import prepare_values, route_fractional_rows, route_rows
from treewright.predict.table_prediction import unseen_handling
from treewright.rules.leaf_rules import leaf_rules
from treewright.rules.rule import Rule
from treewright.rules.rule_prediction import RowReader, RuleListPredictor, TreePredictor
from treewright.rules.ruleset import RuleSet

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

MAX_UNSEEN = 1000
"""Distinct unseen categories that are counted one by one; later ones are only counted together."""

MAX_LEAVES = 4
"""Leaves that the reason of a row names, if missing values divide it among several."""

MAX_REASON = 1000
"""Characters of a reason: the path to a leaf may have thousands of steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Predictor:
    """What prediction needs of a model.

    target     name of the target
    reader     its columns, and what happens to unseen categories
    encoded_predictor  predicts encoded rows: by a tree, or by an ordered list of rules
    classes    its classes; empty for regression
    rules      the rules, if the model is a rule set
    """

    target: str
    reader: RowReader
    encoded_predictor: TreePredictor | RuleListPredictor
    classes: Sequence[Any]
    rules: RuleSet | None = None

    @property
    def is_number(self) -> bool:
        return len(self.classes) == 0

    @property
    def leaf_column(self) -> str:
        """Name of the column with the number of the leaf, or of the rule."""
        return "leaf" if isinstance(self.encoded_predictor, TreePredictor) else "rule"


def make_predictor(model: Any) -> Predictor:
    """Return the predictor of an estimator, a tree or a rule set."""
    if isinstance(model, RuleSet):
        return Predictor(model.target, model._reader, model._predictor, _plain_labels(model.classes), model)
    if isinstance(model, Tree):
        return _tree_predictor(model)
    from treewright.estimators.explanations import row_reader

    tree, policy = model._tree(), model._prediction_policy()
    classes = _plain_labels(getattr(model, "classes_", ()))
    return Predictor(
        tree.schema.target.name, row_reader(model), TreePredictor(tree, policy.rule, {}), classes
    )


def _tree_predictor(tree: Tree) -> Predictor:
    """Return the predictor of a bare tree: an unseen category counts as missing, if the tree allows missing values."""
    names = tree.schema.names
    given = None if names == default_names(len(names)) else names
    reader = RowReader(tree.schema.columns, given, unseen_handling(tree), UNSEEN_EFFECTS["missing"])
    return Predictor(
        tree.schema.target.name,
        reader,
        TreePredictor(tree, MissingPolicy(), {}),
        tree.schema.target.classes or (),
    )


def _plain_labels(classes: Any) -> tuple[Any, ...]:
    return tuple(to_json_value(label) for label in classes)


@dataclass(slots=True, eq=False)
class FramePredictor:
    """Predicts frame by frame, and counts unseen categories over all frames.

    predictor  the model
    encoder    how frames are encoded for it
    names      names of the result columns, by what they hold: "prediction", "probability 0" and so on, "leaf" (or
               rule), "explanation"; only the first is always there
    language   language of explanations
    unseen     number of cells with each unseen category; `more_unseen` is that of all later ones
    n_rows     rows predicted so far
    """

    predictor: Predictor
    encoder: RowEncoder
    names: dict[str, str]
    language: str = "en"
    unseen: dict[tuple[str, object], int] = field(default_factory=dict)
    more_unseen: int = 0
    n_rows: int = 0
    _bare: bool | None = None
    _labels: Any = None
    _texts: Any = None

    def predict(self, frame: pl.DataFrame) -> list[pl.Series]:
        """Return the result columns for the rows of a frame."""
        try:
            values = self._values(frame)
        except (InputError, KindError) as error:
            if not self.n_rows:
                raise
            where = f" (rows are counted from row {self.n_rows} of the data)."
            raise error.reworded(lambda text: text.rstrip(".") + where) from None
        self.n_rows += len(frame)
        makers = {"prediction": self._prediction, "leaf": self._leaves, "explanation": self._explanations}
        made = {part: make(values) for part, make in makers.items() if part in self.names}
        made |= self._probabilities(values)
        return [made[part].alias(name) for part, name in self.names.items()]

    def types(self) -> dict[str, Any]:
        """Return the result columns and their types."""
        import polars as pl

        kinds = {"prediction": self._label_column().dtype, "leaf": pl.Int64, "explanation": pl.String}
        return {name: kinds.get(part, pl.Float64) for part, name in self.names.items()}

    def is_bare(self, delimiter: str) -> bool:
        """Return whether no result text has a quote, a line break or the delimiter."""
        if self._bare is None:
            labels = [str(label) for label in self.predictor.classes]
            special = set("".join(labels)) & {'"', "\r", "\n", delimiter}
            self._bare = "explanation" not in self.names and not special and all(labels)
        return self._bare

    def unseen_categories(self) -> list[Unseen]:
        """Return the unseen categories, the most frequent first, with suggestions for those that are shown."""
        found = [Unseen(column, value, n) for (column, value), n in self.unseen.items()]
        found.sort(key=lambda one: -one.n_rows)
        known = {column.name: column.categories for column in self.predictor.reader.columns}
        warned = [replace(one, similar=similar_category(one.value, known[one.column])) for one in found[:N_WARNED]]
        return warned + found[N_WARNED:]

    def _values(self, frame: pl.DataFrame) -> NDArray[np.float64]:
        encoded = self.encoder.encode(frame)
        if self.predictor.reader.complete:
            refuse_missing(self.predictor.reader.columns, encoded.values)
        for one in encoded.unseen:
            key = (one.column, one.value)
            if key in self.unseen or len(self.unseen) < MAX_UNSEEN:
                self.unseen[key] = self.unseen.get(key, 0) + one.n_rows
            else:
                self.more_unseen += one.n_rows
        return encoded.values

    def _prediction(self, values: NDArray[np.float64]) -> pl.Series:
        import polars as pl

        if self.predictor.is_number:
            return pl.Series(self.predictor.encoded_predictor.numbers(values))
        return self._label_column().gather(self.predictor.encoded_predictor.class_codes(values))

    def _label_column(self) -> pl.Series:
        if self._labels is None:
            self._labels = label_series(self.predictor.classes)
        return self._labels

    def _probabilities(self, values: NDArray[np.float64]) -> dict[str, pl.Series]:
        import polars as pl

        if "probability 0" not in self.names:
            return {}
        found = np.asfortranarray(self.predictor.encoded_predictor.probabilities(values))
        return {f"probability {i}": pl.Series(found[:, i]) for i in range(found.shape[1])}

    def _leaves(self, values: NDArray[np.float64]) -> pl.Series:
        """Return the leaf of each row, or the number of its rule; null for the default rule."""
        import polars as pl

        encoded_predictor = self.predictor.encoded_predictor
        if isinstance(encoded_predictor, TreePredictor):
            return pl.Series(find_leaves(encoded_predictor.tree, values, encoded_predictor.policy))
        rules = self.predictor.rules
        numbers = [rule.number for rule in rules] if rules is not None else []
        return pl.Series([*numbers, None], dtype=pl.Int64).gather(encoded_predictor.first_match(values))

    def _explanations(self, values: NDArray[np.float64]) -> pl.Series:
        """Return the reason of each row: of its leaf or rule, or of the leaves with the largest weights."""
        import polars as pl

        encoded_predictor = self.predictor.encoded_predictor
        if isinstance(encoded_predictor, RuleListPredictor):
            if self._texts is None and self.predictor.rules is not None:
                self._texts = pl.Series(rule_reasons(self.predictor.rules, self.language))
            return self._texts.gather(encoded_predictor.first_match(values))
        if self._texts is None:
            self._texts = pl.Series(leaf_reasons(encoded_predictor.tree, encoded_predictor.policy, self.language))
        values = prepare_values(encoded_predictor.tree, values)
        nodes, several = route_rows(encoded_predictor.tree, values, encoded_predictor.policy)
        found = self._texts.gather(nodes)
        rows: list[int] = []
        texts: list[str] = []
        for part in route_fractional_rows(
            encoded_predictor.tree, values, encoded_predictor.policy.unseen, several, nodes[several]
        ):
            for k, row in enumerate(part.rows.tolist()):
                own = slice(part.starts[k], part.starts[k + 1])
                rows.append(row)
                texts.append(self._reason_of_parts(encoded_predictor.tree, part.nodes[own], part.weights[own]))
        rest = np.setdiff1d(np.flatnonzero(found.is_null().to_numpy()), rows)
        rows += rest.tolist()
        texts += [self._reason_of_node(encoded_predictor.tree, int(node)) for node in nodes[rest]]
        return found.scatter(rows, texts) if rows else found

    def _reason_of_node(self, tree: Tree, node: int) -> str:
        known: str | None = self._texts[node]
        return stop_reason(tree, node, self.language) if known is None else known

    def _reason_of_parts(self, tree: Tree, nodes: NDArray[np.int64], weights: NDArray[np.float64]) -> str:
        order = np.lexsort((nodes, -weights))
        shown = order[:MAX_LEAVES]
        _ = messages(self.language)
        parts = [
            _(
                "weight {weight}: {reason}",
                weight=f"{weights[i]:.3g}",
                reason=self._reason_of_node(tree, int(nodes[i])),
            )
            for i in shown
        ]
        more = [_("… {n} more", n=len(order) - MAX_LEAVES)] if len(order) > MAX_LEAVES else []
        return "; ".join(parts + more)


def label_series(labels: Sequence[Any]) -> pl.Series:
    """Return the classes as a series: of their own type if they share one, otherwise as text."""
    import polars as pl

    if not labels:
        return pl.Series([], dtype=pl.Float64)
    one_kind = len({type(label) for label in labels}) == 1 and isinstance(labels[0], str | bool | int | float)
    return pl.Series(list(labels) if one_kind else [str(label) for label in labels])


def leaf_reasons(tree: Tree, policy: MissingPolicy, language: str = "en") -> list[str | None]:
    """Return the reason of each leaf, by node; None for an inner node.

    >>> from treewright.model.build import golf_example
    >>> leaf_reasons(golf_example(), MissingPolicy())[4]
    'outlook = sunny and humidity <= 75 -> Play [support 2 (14.3%), confidence 100.0%, lift 1.56]'
    """
    found: list[str | None] = [None] * tree.n_nodes
    for rule in leaf_rules(tree, policy):
        if rule.node is not None:
            found[rule.node] = _rule_reason(rule, language)
    return found


def rule_reasons(rules: RuleSet, language: str = "en") -> list[str]:
    """Return the reason of each rule, and then that of the default."""
    _ = messages(language)
    found = [
        _("rule {number}: {reason}", number=rule.number, reason=_rule_reason(rule, language))
        for rule in rules
    ]
    default = format_category(rules.default)
    return [*found, printable(_("no rule applies -> {prediction}", prediction=default))]


def stop_reason(tree: Tree, node: int, language: str = "en") -> str:
    """Return the reason of a row whose path ends at an inner node.

    >>> from treewright.model.build import golf_example
    >>> stop_reason(golf_example(), 1)
    'outlook = sunny; stopped because humidity is missing'
    """
    _ = messages(language)
    split = tree.node(node).split
    name = "" if split is None else split.name
    path = path_texts(tree, [node], language)[0] if node else ""
    if path:
        text = _("{path}; stopped because {column} is missing", path=truncate(path, MAX_REASON), column=name)
    else:
        text = _("stopped because {column} is missing", column=name)
    return printable(text)


def _rule_reason(rule: Rule, language: str) -> str:
    words = truncate(rule.words(language), MAX_REASON)
    return printable(f"{words} -> {rule.prediction_words} [{rule.figures(language)}]")
