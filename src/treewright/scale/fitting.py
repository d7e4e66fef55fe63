"""`fit` on a source: the steps from the parameters of an estimator to a fitted tree, without the rows in memory.

The tree is that of growth in memory with the same `max_bins` (255 unless given). What pruning and probabilities cannot
do without the rows is done otherwise, or refused; the attribute `notes_` of the estimator says so.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import prune
from treewright.data.categorical_features import declared_categories
from treewright.data.dataset import Dataset
from treewright.data.schema import Target
from treewright.errors import InputError, ParameterError
from treewright.estimators.class_probabilities import DEFAULT_M
from treewright.estimators.fitting import PruningUsed, keep_attributes, prune_tree, read_settings
from treewright.estimators.mdl_tuning import informative_missing, informative_missing_number
from treewright.estimators.monotonic_constraints import with_constraints
from treewright.estimators.parameters import count_threads
from treewright.estimators.pruning import PruningSettings
from treewright.estimators.shape_warnings import warn_about_shape
from treewright.estimators.shrunken_means import LAMBDA_WITHOUT_ROWS
from treewright.estimators.training_data import LabelledRows
from treewright.grow.plan import MOST_BINS, Plan
from treewright.model.prediction_rule import DEFAULT_RULE
from treewright.model.tree import Tree
from treewright.prune.method import GROWTH, TRAINING, Method, PruningInput
from treewright.scale.cells import lay_out_cells
from treewright.scale.class_weights import (
    ClassFactors,
    TableWeights,
    weigh_classes,
    weigh_numbers,
    weigh_table,
)
from treewright.scale.engine import (
    ALL_ROWS,
    BOOLEAN,
    NUMBER,
    TEXT,
    CodingRequest,
    Engine,
    SlotScales,
    SurveyRequest,
)
from treewright.scale.folds import PartGrowth, PartSize, SourceFolds
from treewright.scale.growth import LevelReport, Resources, missing_code
from treewright.scale.kept_counts import KeptCounts
from treewright.scale.node_ledgers import NodeLedgers
from treewright.scale.raising import CountedRaising
from treewright.scale.source import find_column, open_engine
from treewright.scale.survey import Survey, make_survey
from treewright.scale.validation import HeldOutRows, ValidationSource, hold_out, open_validation

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator

KINDS = (NUMBER, TEXT, BOOLEAN)
AUTO = "auto"
KEPT_BYTES = 2**25
"""Memory for what is kept for `why`: as much as a table in memory that is kept has at most."""


class SourceOptions(NamedTuple):
    """What `fit` does with a source.

    memory      bytes for counts and fetched rows
    progress    called with a `LevelReport` after each level
    checkpoint  a file that is written after each level; a fit that finds it goes on from there
    ignore      columns that are not used
    validation  validation rows: a source and names of its columns, or rows in memory
    keep        bytes for counts and rows of nodes, from which `why` finds their candidates
    """

    memory: int = 2**30
    progress: Callable[[LevelReport], None] | None = None
    checkpoint: object = None
    ignore: tuple[str, ...] = ()
    validation: LabelledRows | None = None
    keep: int = KEPT_BYTES


def fit_source(
    model: "BaseTreeEstimator", source: Any, y: object, sample_weight: object, options: SourceOptions | None = None
) -> Any:
    """Fit an estimator on a source; `y` and `sample_weight` are names of columns."""
    options = options or SourceOptions()
    settings = read_settings(model, has_validation=options.validation is not None)
    _refuse_parameters(model, settings.growth.plan)
    pruning, notes = pruning_without_rows(settings.pruning, is_number=model._is_regressor)
    engine = open_engine(source)
    opened: list[Any] = [engine]
    try:
        kinds = without_ignored(engine.kinds(), options.ignore)
        request = read_request(model, kinds, y, sample_weight, settings.growth.plan)
        survey = survey_source(model, engine, request)
        plan = with_constraints(settings.growth.plan, model.monotonic_cst, survey.schema)
        plan = replace(plan, max_bins=request.max_bins)
        factors, rule = ClassFactors((), DEFAULT_RULE) if request.is_number else weigh_classes(model, survey)
        weights = encode_source(engine, survey, plan, request, factors)
        chosen = choose_missing(model, engine, survey, plan, weights)
        if chosen != plan:  # whose rows are not divided, so weights have another unit
            plan = chosen
            weights = encode_source(engine, survey, plan, request, factors)
        kept = KeptCounts(options.keep)
        resources = Resources(options.memory, options.progress, options.checkpoint, kept)
        fraction = settings.growth.min_weight_fraction
        part_growth = PartGrowth(survey, plan, fraction, rule, weights, resources)
        whole, within = PartSize(survey.n_rows, weights), ALL_ROWS
        validation: Dataset | HeldOutRows | ValidationSource | None = None
        if pruning.fraction is not None:
            validation, within, whole = hold_out(engine, part_growth, pruning.fraction)
            notes.append(NOTE_ABOUT_HELD_OUT)
        tree = part_growth.grow(engine, whole)
        found = _attributes(model, survey, tree)
        if options.validation is not None:
            validation = open_validation(model, options.validation, request.target, tree, found)
            opened.append(validation)

        growth, unit = settings.growth._replace(plan=plan), whole.weights.row
        probability, more = probability_without_rows(model)
        folds = SourceFolds(engine, part_growth, whole, within, n_at_once=count_threads(model.n_jobs))
        raising = CountedRaising(engine, survey, whole.weights, options.memory)
        inputs = PruningInput(
            tree, validation=validation, unit=unit, raise_branches=raising, cross_validation=folds
        )
        outcome = prune_tree(probability, growth, pruning, inputs)
    finally:
        for one in opened:
            if not isinstance(one, Dataset):
                one.close()
    notes += [note_about_folds(n) for n in folds.n_used]
    used = PruningUsed(pruning.method, has_validation=validation is not None)
    found |= outcome.attributes() | {"_grown_by": growth, "_pruned_by": used, "_row_weight": unit, "_kept": None}
    found["_counts"] = NodeLedgers(outcome.grown, kept, part_growth.grown_on(whole), unit)
    keep_attributes(model, found | {"_spread": _spread(survey), "notes_": (*notes, *more)})
    warn_about_shape(model, survey.n_rows)
    return model


# --- what is asked of the source ---


def read_request(
    model: "BaseTreeEstimator", kinds: dict[str, str], y: object, sample_weight: object, plan: Plan
) -> SurveyRequest:
    """Which columns are used, and how."""
    target, weight = find_column("y", y, kinds), None
    if sample_weight is not None:
        weight = find_column("sample_weight", sample_weight, kinds)
        if kinds[weight] != NUMBER:
            raise InputError(f"The weights {weight!r} have the type {kinds[weight]}; pass a column of numbers.")
    names = [name for name in kinds if name not in (target, weight)]
    if not names:
        raise InputError(f"The source has no column besides {target!r}; pass a table with at least one more.")
    for name in (*names, target):
        if kinds[name] not in KINDS:
            raise InputError(
                f"Column {name!r} has the type {kinds[name]}, which is not supported on a source; convert it to "
                "numbers or text, or leave it out."
            )
    declared = declared_categories(model.categorical_features, names)
    categories = frozenset(name for name, one in zip(names, declared, strict=True) if one)
    if model._is_regressor and kinds[target] == TEXT:
        raise InputError(f"The target {target!r} has the type {TEXT}; convert it to numbers, or use a classifier.")
    max_bins = plan.max_bins or MOST_BINS
    return SurveyRequest(tuple(names), categories, target, weight, max_bins, model._is_regressor)


def without_ignored(kinds: dict[str, str], ignore: tuple[str, ...]) -> dict[str, str]:
    """The columns that are used.

    >>> without_ignored({"age": NUMBER, "name": TEXT}, ("name",))
    {'age': 'number'}
    """
    for name in ignore:
        find_column("ignore", name, kinds)
    return {name: kind for name, kind in kinds.items() if name not in ignore}


def _refuse_parameters(model: "BaseTreeEstimator", plan: Plan) -> None:
    """Raise an error for parameters that need the rows in memory."""
    if plan.criterion in ("absolute_error", "poisson"):
        raise ParameterError(
            f"criterion={plan.criterion!r} cannot be used on a source, where losses are found from sums; use "
            "criterion='squared_error', or fit a sample in memory."
        )
    if getattr(model, "tune", False):
        raise ParameterError("tune=True cannot be used on a source; tune on a sample in memory and set the parameters.")


# --- survey and codes ---


def survey_source(model: "BaseTreeEstimator", engine: Engine, request: SurveyRequest) -> Survey:
    """Find out what the source holds."""
    facts = engine.survey(request)
    labels, target = list(facts.classes), Target()
    if not request.is_number:
        target = model._read_target(np.array(labels, None if all_of_one_type(labels) else object))[0]
    declared = zip(request.columns, declared_categories(model.categorical_features, request.columns), strict=True)
    orders = {name: one for name, one in declared if isinstance(one, tuple)}
    return make_survey(facts, replace(target, name=request.target), orders)


def all_of_one_type(labels: list[Any]) -> bool:
    """Whether numpy keeps the type of these values.

    >>> all_of_one_type(["a", "b"]), all_of_one_type([1, "b"])
    (True, False)
    """
    return len({type(label) for label in labels}) == 1


def encode_source(
    engine: Engine, survey: Survey, plan: Plan, request: SurveyRequest, factors: tuple[NDArray[np.float64], ...]
) -> TableWeights:
    """Replace the cells of the source by codes; the weights that they have."""
    weights = weigh_table(survey, missing_code(survey, plan), factors)
    columns: dict[str, Any] = {}
    for one in survey.columns:
        categories = {value: code for code, value in enumerate(one.column.categories)}
        columns[one.column.name] = categories if one.is_category else one.values
    labels = survey.schema.target.classes
    classes = None if labels is None else {label: code for code, label in enumerate(labels)}
    coding = CodingRequest(columns, request.target, classes, request.weight, weights.rows)
    engine.encode(coding, lay_out_cells(survey))
    return weights if classes is not None else weigh_numbers(engine, survey, weights, plan.criterion)


def choose_missing(
    model: "BaseTreeEstimator", engine: Engine, survey: Survey, plan: Plan, weights: TableWeights
) -> Plan:
    """The plan with the strategy for missing values that missing="auto" stands for: see MDLTreeClassifier."""
    if getattr(model, "missing", None) != AUTO or not survey.has_missing:
        return plan
    counts = engine.count([], 0, 1)[:, 0]
    layout, n_classes = lay_out_cells(survey), survey.n_classes
    if survey.schema.target.is_number:
        parts = counts[:2, layout.offset[1:] - 1].astype(np.float64)
        informative = _informative_number(engine, parts, weights, survey.n_rows)
    else:
        missing = np.array([counts[0, end - n_classes : end] for end in layout.offset[1:]], np.float64)
        whole = weights.by_class.astype(np.float64)
        row = whole.sum() / survey.n_rows  # a row is 1 on average
        informative = informative_missing(whole / row, missing / row)
    return plan if informative is None else replace(plan, missing="learned")


def _informative_number(
    engine: Engine, missing: NDArray[np.float64], weights: TableWeights, n_rows: int
) -> int | None:
    """The column whose missing values tell most about a number; `missing` has the moments and the weights of the rows
    that are missing on each column.
    """
    assert weights.moments is not None
    total, units = engine.total([], 1), weights.moments
    weight, moment = float(total.weight[0]), float(total.moment[0])
    low, high, mean = total.low, total.high, units.centre + moment / weight * units.unit
    if low[0] == high[0]:
        return None
    scale = np.exp2(np.floor(30.0 - (np.log2(weight) + 2.0 * np.log2(high - low)) / 2.0))
    sums = engine.sum_losses([], SlotScales(low, scale * 0.0, np.array([mean]), scale))
    whole = float(sums[2, 0]) / weight  # in units, for each unit of weight
    parts = []
    for lost, w in missing.T.tolist():
        apart = 0.0
        if 0 < w < weight:
            off = (lost / w - (moment - lost) / (weight - w)) * units.unit * float(scale[0])
            apart = w / weight * (1.0 - w / weight) * off * off
        parts.append(whole - apart)
    return informative_missing_number(whole, parts, float(n_rows))


# --- what is done without the rows ---


def pruning_without_rows(settings: PruningSettings, *, is_number: bool) -> tuple[PruningSettings, list[str]]:
    """How a tree is pruned whose rows are not in memory, and notes about what is otherwise than in memory."""
    notes: list[str] = []
    method = settings.method
    possible = "'global'" if is_number else "'pessimistic', 'error_based', 'minimum_error', 'mdl'"

    def without(one: Method) -> Method:
        if isinstance(one, prune.ErrorBased):
            return one  # raises branches by further counting passes
        if isinstance(one, prune.CostComplexity) and one.choose != "validation":
            return one  # cross-validation is done where the rows are
        if one.needs & {TRAINING, GROWTH}:
            raise ParameterError(
                f"pruning={one.name!r} as set needs the training rows, which are not in memory on a source; use "
                f"pruning=None, {possible} or ccp_alpha, or prune later by pruned(X=..., y=...)."
            )
        return one

    if isinstance(method, prune.Steps):
        method = prune.Steps(tuple(map(without, method.methods)))
    elif method is not None:
        method = without(method)
    return replace(settings, method=method), notes


NOTE_ABOUT_HELD_OUT = (
    "Validation rows were held out by a hash of each row; in memory they are stratified, so that another tree may be "
    "grown and pruned."
)


def note_about_folds(n_folds: int) -> str:
    """The note about the folds of cross-validation."""
    return (
        f"Cost-complexity pruning chose alpha by {n_folds}-fold cross-validation in which the fold of a row is a hash "
        "of it; in memory the folds are stratified, so that another alpha may be chosen."
    )


def probability_without_rows(model: "BaseTreeEstimator") -> tuple["BaseTreeEstimator", list[str]]:
    """The estimator with an amount of shrinkage, which in memory is chosen by cross-validation; and a note about it."""
    is_number, smoothing = model._is_regressor, model.smoothing
    by_rows = smoothing == AUTO if is_number else smoothing is None or smoothing == AUTO
    if not by_rows or (not is_number and getattr(model, "probability", None) != "shrinkage"):
        return model, []
    from copy import copy

    other = copy(model)
    amount, what = (LAMBDA_WITHOUT_ROWS, "Predictions") if is_number else (DEFAULT_M, "Probabilities")
    other.smoothing = amount
    note = f"{what} were shrunk with smoothing={amount:g}; to choose it by cross-validation needs the rows."
    return other, [note]


# --- fitted attributes ---


def _attributes(model: "BaseTreeEstimator", survey: Survey, tree: Tree) -> dict[str, Any]:
    labels = survey.schema.target.classes or ()
    found = {
        "tree_": tree,
        "n_features_in_": len(survey.columns),
        "feature_names_in_": np.array([one.column.name for one in survey.columns], dtype=object),
    }
    y = np.array(labels, None if all_of_one_type(list(labels)) else object)
    return found | model._target_attributes(tree, y)


def _spread(survey: Survey) -> Any:
    """Highest minus lowest value of each column."""
    return np.array([one.values[-1] - one.values[0] if len(one.values) else np.nan for one in survey.columns])

