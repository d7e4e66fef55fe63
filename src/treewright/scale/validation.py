"""Validation rows on a source: what they do in a tree, from one pass over them.

In: an engine with validation rows, or the held-out part of an engine with all rows. Out: the sums of the rows at every
node of a tree, by which methods of pruning find losses, as they do with rows in memory.

Further rows have values that the codes of training rows do not distinguish. So they have codes of their own: a number
is coded by the thresholds that the tree compares it with; a category by its code in training, with further
codes for those that did not occur there. When a tree has other thresholds, the rows are encoded again.
"""

from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.data.dataset import Dataset
from treewright.data.schema import Kind
from treewright.data.sources import library_of
from treewright.errors import InputError, KindError
from treewright.estimators.fitting import keep_attributes
from treewright.estimators.prediction import prediction_policy
from treewright.estimators.pruning import require_pair
from treewright.estimators.training_data import LabelledRows, encode_validation_rows
from treewright.model.prediction_rule import PredictionRule
from treewright.model.strategies import STRATEGIES, TO_ALL
from treewright.model.tree import THRESHOLD, Tree
from treewright.predict.missing_policy import MissingPolicy, resolve_missing
from treewright.prune.cross_validation import SumSettings
from treewright.prune.losses import NodeSums, RowTotal, TargetScale
from treewright.scale.cells import lay_out_cells
from treewright.scale.class_weights import class_weights_and_priors, weigh_table
from treewright.scale.engine import (
    NUMBER,
    CodingRequest,
    Engine,
    RowPart,
    SurveyFacts,
    SurveyRequest,
    WeightCounts,
)
from treewright.scale.folds import PartGrowth, PartSize, measure_part
from treewright.scale.row_parts import PRIME
from treewright.scale.source import find_column, open_engine
from treewright.scale.survey import ColumnCodes, Survey
from treewright.scale.tree_levels import CodedColumns, RowUnits, sum_at_nodes

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator

HIGHEST = float(np.finfo(np.float64).max)
"""The highest value of the last code."""
Thresholds = dict[int, NDArray[np.float64]]
"""The thresholds of the numbers that a tree tests, rising; and the categories that it tests, without any."""


class ValidationSource:
    """Validation rows of an engine of their own.

    model    the estimator, for its parameters
    target, weight  the names of columns; the weight may be None
    tree     the grown tree
    """

    def __init__(self, model: "BaseTreeEstimator", engine: Engine, target: str, weight: str | None, tree: Tree) -> None:
        self.engine, self.schema = engine, tree.schema
        self.target, self.weight = target, weight
        self.policy = prediction_policy(tree, model.missing_predict, model.unseen_category)
        self.facts = self._survey(model)
        labels: tuple[object, ...] = (None,) if tree.schema.target.classes is None else tree.schema.target.classes
        none = WeightCounts(np.zeros(0), np.zeros(0, np.int64))
        counts = tuple(self.facts.classes.get(label, none) for label in labels)
        self.survey = Survey(self.schema, (), counts, self.facts.n_rows, self.facts.ends)
        self.factors = factors_of_validation(model, self.survey, tree.prediction_rule)
        self.new = self._unseen_categories()
        self._coded: Thresholds | None = None
        self._is_divided = False

    @property
    def total(self) -> RowTotal:
        """The weight and the number of the rows."""
        weights = weigh_table(self.survey, codes.WHOLE, self.factors)
        return RowTotal(weights.given, weights.given if weights.counts_rows else float(self.facts.n_rows))

    def sum_at_nodes(self, tree: Tree, rule: MissingPolicy, scale: TargetScale, n_powers: int) -> NodeSums:
        """The sums of the rows at every node of a tree."""
        wanted = thresholds_of(tree)
        is_divided = STRATEGIES[resolve_missing(tree, rule)].goes == TO_ALL
        if self._coded is None or is_divided != self._is_divided or not are_among(wanted, self._coded):
            self._encode(wanted, is_divided)
        units = RowUnits(self.weights.unit, int(self.weights.by_class.sum()), self.facts.ends)
        return sum_at_nodes(self.engine, tree, self.columns, SumSettings(rule, scale, n_powers), units)

    def close(self) -> None:
        """Remove what the engine keeps."""
        self.engine.close()

    # --- what the rows hold ---

    def _survey(self, model: "BaseTreeEstimator") -> SurveyFacts:
        """The categories, classes and weights of the rows."""
        kinds, is_number = self.engine.kinds(), self.schema.target.is_number
        for column in self.schema.columns:
            kind = kinds.get(column.name)
            if kind is None:
                raise InputError(f"The column {column.name!r} is not found; pass rows with the columns of training.")
            if column.kind is Kind.NUMBER and kind != NUMBER:
                raise InputError(
                    f"Column {column.name!r} has the type {kind}, but numbers in training; convert it to numbers."
                )
        categories = tuple(one.name for one in self.schema.columns if one.kind is not Kind.NUMBER)
        request = SurveyRequest(categories, frozenset(categories), self.target, self.weight, 2, is_number)
        facts = self.engine.survey(request)
        known = self.schema.target.classes or ()
        new = [label for label in facts.classes if label not in known] if not is_number else []
        if new:
            raise InputError(
                f"The target {self.target!r} has the class {new[0]!r}, which does not occur in training; leave its "
                f"rows out, or use one of {', '.join(map(repr, known))}."
            )
        return facts

    def _unseen_categories(self) -> dict[str, list[object]]:
        """By column, the categories that did not occur in training, if they are not treated as missing values."""
        found = {}
        for column in self.schema.columns:
            values = self.facts.columns[column.name].categories if column.kind is not Kind.NUMBER else ()
            new = [value for value in values or () if value not in column.categories]
            if new:
                found[column.name] = new
        if found and self.policy.cells == "error":
            name, new = next(iter(found.items()))
            raise InputError(
                f"Column {name!r} has the value {new[0]!r}, which does not occur in training; leave its rows out, or "
                "use unseen_category='missing' to treat it as a missing value."
            )
        return found if self.policy.cells == "mark" else {}

    # --- codes ---

    def _encode(self, wanted: Thresholds, is_divided: bool) -> None:
        """Encode the columns that a tree tests, by its thresholds."""
        used = sorted(wanted)
        columns, coding = [], dict[str, Any]()
        for f, column in enumerate(self.schema.columns):
            values = np.zeros(0)
            if f in wanted and column.kind is Kind.NUMBER:
                values = coding[column.name] = np.append(wanted[f], HIGHEST)
            elif f in wanted:
                known = [*column.categories, *self.new.get(column.name, ())]
                coding[column.name] = {value: code for code, value in enumerate(known)}
                values = np.arange(len(known), dtype=np.float64)
                values[column.n_categories :] = np.nan
            columns.append(ColumnCodes(column, values, None, codes.SOME_MISSING))
        places = np.zeros(len(columns), np.int64)
        places[used] = np.arange(len(used))
        self.columns = CodedColumns(tuple(columns), places)
        self.weights = weigh_table(self.survey, codes.FRACTIONAL if is_divided else codes.WHOLE, self.factors)
        survey = replace(self.survey, columns=tuple(columns[f] for f in used))
        labels = self.schema.target.classes
        classes = None if labels is None else {label: code for code, label in enumerate(labels)}
        request = CodingRequest(coding, self.target, classes, self.weight, self.weights.rows)
        self.engine.encode(request, lay_out_cells(survey))
        self._coded, self._is_divided = wanted, is_divided


def factors_of_validation(
    model: "BaseTreeEstimator", survey: Survey, rule: PredictionRule
) -> tuple[NDArray[np.float64], ...]:
    """What multiplies the weights of validation rows: class weights and priors, and the costs of the tree."""
    if survey.schema.target.is_number:
        return ()
    factors = class_weights_and_priors(model, survey)
    if rule.factors is not None:
        factors.append(np.array(rule.factors))
    return tuple(one for one in factors if (one != 1).any())


def thresholds_of(tree: Tree) -> Thresholds:
    """The columns that a tree tests, and the finite thresholds of each, rising.

    >>> from treewright.model.build import golf_example
    >>> {f: values.tolist() for f, values in thresholds_of(golf_example()).items()}
    {0: [], 1: [75.0], 2: []}
    """
    inner = np.flatnonzero(tree.n_children)
    by_threshold = tree.kind[inner] == THRESHOLD
    column, threshold = tree.column[inner], np.where(by_threshold, tree.threshold[inner], np.nan)
    if tree.surrogates is not None:
        known = tree.surrogates
        column = np.append(column, known.column)
        threshold = np.append(threshold, np.where(known.low >= 0, known.threshold, np.nan))
    found = {}
    for f in np.unique(column).tolist():
        own = threshold[column == f]
        is_number = tree.schema.columns[f].kind is Kind.NUMBER
        found[f] = np.unique(own[np.isfinite(own)]) if is_number else np.zeros(0)
    return found


def are_among(wanted: Thresholds, coded: Thresholds) -> bool:
    """Whether all these columns and thresholds are among others."""
    return all(f in coded and bool(np.isin(own, coded[f]).all()) for f, own in wanted.items())


# --- rows held out of the training rows ---


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutRows:
    """A part of the rows of an engine that the tree is not grown on; they are known by the codes of all rows."""

    engine: Engine
    growth: PartGrowth
    part: RowPart
    size: PartSize

    @property
    def total(self) -> RowTotal:
        """The weight and the number of the rows."""
        return self.size.total

    def sum_at_nodes(self, tree: Tree, rule: MissingPolicy, scale: TargetScale, n_powers: int) -> NodeSums:
        """The sums of the rows at every node of a tree."""
        how, units = SumSettings(rule, scale, n_powers), self.growth.units
        shift = units.shift_for(tree, how)
        part = self.part._replace(shift=shift)
        return self.engine.on_parts(
            [part], lambda rows, _: sum_at_nodes(rows, tree, self.growth.survey, how, units, shift)
        )[0]

    def close(self) -> None:
        """The engine is that of the training rows."""


def hold_out(engine: Engine, growth: PartGrowth, fraction: float) -> tuple[HeldOutRows, RowPart, PartSize]:
    """Hold out a fraction of the rows of an engine, by their hash: these rows, and the training rows that are left, to
    which the engine is restricted.
    """
    cut = round(fraction * PRIME)
    inside, outside = (RowPart(((PRIME, 0, cut, is_in),)) for is_in in (True, False))
    held, left = engine.on_parts([inside, outside], lambda rows, _: measure_part(rows, growth.weights))
    if not held.n_rows or not left.n_rows:
        found = "all rows" if held.n_rows else "no row"
        raise InputError(
            f"validation_fraction={fraction:g} holds out {found} of {growth.survey.n_rows}, by a hash of each; use "
            "another fraction, or pass validation rows."
        )
    engine.restrict(outside)
    return HeldOutRows(engine, growth, inside, held), outside, left


# --- what `fit` is given ---


def open_validation(
    model: "BaseTreeEstimator", given: LabelledRows, target: str, tree: Tree, fitted: dict[str, object]
) -> ValidationSource | Dataset:
    """Validation rows that are passed to `fit` on a source: another source, or rows in memory.

    target  the name of the target in the training rows
    fitted  the attributes of the estimator that are known when the tree is grown
    """
    if library_of(given.X) is None:
        require_pair(X_val=given.X, y_val=given.y)
        other = copy(model)
        keep_attributes(other, fitted)
        return encode_validation_rows(other, given)
    engine = open_engine(given.X)
    try:
        kinds = engine.kinds()
        name = find_column("y_val", target if given.y is None else given.y, kinds)
        weight = None if given.sample_weight is None else find_column("sample_weight_val", given.sample_weight, kinds)
        return ValidationSource(model, engine, name, weight, tree)
    except (InputError, KindError) as error:
        engine.close()
        raise error.reworded("In the validation rows: {}".format) from None
    except BaseException:
        engine.close()
        raise
