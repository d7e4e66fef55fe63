"""FittingTree: from a table to a fitted estimator.

In: a table, a target and weights as the user has them, and validation rows if there are any. Out: the grown tree, the
one that is left of it when it is pruned, and the reasons.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from treewright import prune
from treewright.data.dataset import Dataset
from treewright.data.encode import Encoded, Table, encode_table, read_table, refuse_missing
from treewright.data.frames import n_rows_of
from treewright.data.records import are_records
from treewright.data.schema import Schema, Target
from treewright.data.target import encode_like, same_length
from treewright.data.weights import Counted, counted_rows, read_weight
from treewright.errors import InputError, KindError, ParameterError
from treewright.estimators.costs import priced_growth, weighed_like
from treewright.estimators.given_parameters import call_words
from treewright.estimators.missing import Asking, Missing, asking
from treewright.estimators.monotonic import constrains, in_place, told_in_place, with_order
from treewright.estimators.parameters import count_cores, read_limits, settle, weight_share
from treewright.estimators.pruning import (
    Outcome,
    Pruning,
    apply,
    read_ccp_alpha,
    read_fraction,
    read_pre_pruning,
    refuse_half,
)
from treewright.grow.plan import Limits, Plan
from treewright.model.answering import PLAIN, Answering
from treewright.model.tree import Tree
from treewright.prune.method import Material, Method
from treewright.prune.registry import parts_of, read_method, read_steps
from treewright.prune.units import one_row

if TYPE_CHECKING:
    from treewright.prune.report import PruningReport

MOST_KEPT = 2**22
"""Cells of a training table (32 megabytes) that an estimator keeps, so that it can be asked about its nodes."""

N_SHOWN = 8
"""Columns listed in an error."""


class FittingTree:
    """Growing and pruning, shared by the classifiers and the regressors."""

    _fitted: ClassVar[tuple[str, ...]] = (
        "tree_",
        "grown_tree_",
        "pruning_report_",
        "pre_pruning_report_",
        "_row_weight",
        "_grown_by",
        "_pruned_by",
        "_kept",
        "_ledgers",
        "_spread",
        "n_features_in_",
        "feature_names_in_",
    )

    _is_regressor: ClassVar[bool] = False

    max_depth: int | None
    min_samples_split: float | None
    min_samples_leaf: float | None
    min_weight_fraction_leaf: float
    min_impurity_decrease: float
    max_leaf_nodes: int | None
    categorical_features: Any
    missing: str
    missing_predict: str | None
    unseen_category: str
    max_surrogates: int = 5
    surrogates: str = "needed"
    monotonic_cst: Any = None
    max_bins: int | None = None
    pruning: str | Method | Sequence[str | Method] | None
    pre_pruning: bool | None
    validation_fraction: float | None
    ccp_alpha: float | None = None
    n_jobs: int | None
    tree_: Tree
    grown_tree_: Tree
    pruning_report_: "PruningReport | None"
    pre_pruning_report_: "PruningReport | None"
    _row_weight: float
    _grown_by: tuple[Plan, float]
    _pruned_by: tuple[Method | None, bool]
    _kept: Dataset | None
    _spread: NDArray[np.float64] | None
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def __repr__(self) -> str:
        return call_words(self)

    @abstractmethod
    def plan(self) -> Plan:
        """The algorithm as data: what the parameters, once checked, stand for."""

    @abstractmethod
    def _read_target(self, y: object) -> tuple[Target, NDArray[Any]]:
        """The target's description and its encoded values."""

    def fit(
        self,
        X: object,
        y: object,
        sample_weight: object = None,
        *,
        X_val: object = None,
        y_val: object = None,
        sample_weight_val: object = None,
    ) -> Self:
        """Grow the tree, and prune it as `pruning` says.

        X              the table: array, list of rows, pandas, polars or pyarrow; any mix of numbers and categories
        y              the target, one entry per row
        sample_weight  the weight of each row; None is 1 each. Whole numbers count as copies of the row, others as
                       importances
        X_val, y_val, sample_weight_val
                       validation rows, which the tree is pruned by and not grown on; see `pruning` and `pre_pruning`

        When fit ends early, by an error or by Ctrl-C, the estimator is exactly as it was before.
        """
        if X_val is not None or y_val is not None or sample_weight_val is not None:
            refuse_half(X_val=X_val, y_val=y_val, sample_weight_val=sample_weight_val)
        pruning = self._pruning(given=X_val is not None)
        way = self._way_to_grow()
        self._check_answering()
        table, dataset, y = self._read_counted(X, y, sample_weight)
        way = (with_order(way[0], self.monotonic_cst, dataset.schema), way[1])
        dataset, answering = self._priced(dataset)
        rows, validation = _held_out(dataset, pruning.fraction)
        way, pruning, about_size = self._sized(rows, way, pruning, answering)
        grow_on = self._grower(way, answering)
        grown = grow_on(rows)
        results = self._results(table, grown, y)
        how = asking(grown, self.missing_predict, self.unseen_category)
        if X_val is not None:
            fitted = copy(self)
            fitted._keep(results)
            validation = fitted._validation(X_val, y_val, sample_weight_val, how)
        unit = one_row(rows)
        grow_fold, n_jobs = self._fold_grower(rows, way, answering)
        material = Material(grown, rows, validation, grow_fold, how.rule, unit, n_jobs)
        outcome = self._answering_as_asked(apply(pruning, material), pruning, material)
        outcome = _in_words(outcome, way[0])
        kept, spread = (rows.own(X), None) if rows.values.size <= MOST_KEPT else (None, rows.spread())
        made_by = {"_grown_by": way, "_pruned_by": (pruning.method, validation is not None)}
        about_rows = {"_row_weight": unit, "_kept": kept, "_spread": spread}
        self._keep({**results, **outcome.attributes(), **made_by, **about_rows, **about_size})
        return self

    def pruned(
        self,
        method: str | Method | Sequence[str | Method] | None,
        X: object = None,
        y: object = None,
        *,
        sample_weight: object = None,
        X_val: object = None,
        y_val: object = None,
        sample_weight_val: object = None,
        **parameters: object,
    ) -> Self:
        """A new fitted estimator: the same grown tree, pruned by another method.

        method         the name of a method, or one of `treewright.prune`; a list of them is applied one after the
                       other; None gives the grown tree itself
        X, y, sample_weight
                       the rows the tree was grown on, for methods that look at them again; they may be left out
                       where `fit` kept them
        X_val, y_val, sample_weight_val
                       validation rows, for methods that prune by them
        parameters     those of the method, when it is given by its name
        """
        self._tree()
        chosen = self._read_method(method, **parameters)
        if any(self._grown_by[0].monotonic):
            chosen = in_place(chosen)
        grown = self.grown_tree_
        how = asking(grown, self.missing_predict, self.unseen_category)
        validation = None
        refuse_half(X=X, y=y, sample_weight=sample_weight)
        refuse_half(X_val=X_val, y_val=y_val, sample_weight_val=sample_weight_val)
        if X is None:
            rows = self._kept
        else:
            rows, validation = self._rows_again(X, y, sample_weight)
        if X_val is not None:
            validation = self._validation(X_val, y_val, sample_weight_val, how)
        # What grew the tree also grows those of its folds, whatever the parameters have been set to since.
        grow_fold, n_jobs = self._fold_grower(rows, self._grown_by, grown.answering)
        material = Material(grown, rows, validation, grow_fold, how.rule, self._row_weight, n_jobs)
        pruning = Pruning(chosen, pre=False, fraction=None)
        outcome = self._answering_as_asked(apply(pruning, material), pruning, material)
        outcome = _in_words(outcome, self._grown_by[0])
        return self._with((chosen, validation is not None), outcome)

    def cost_complexity_pruning_path(self, X: object, y: object, sample_weight: object = None) -> Any:
        """What scikit-learn's method of this name gives, for the tree grown on these rows: a Bunch.

        ccp_alphas  the alphas at which the tree changes, each once, from 0 (the whole tree) to the root alone
        impurities  the impurity of the leaves of each of these trees
        """
        from treewright.prune.path import scikit_learn_path

        given = self._read(X, y, sample_weight)[1]
        rows, _ = self._priced(given)
        grow_on, _ = self._growth_of_size(given, rows, Pruning(None, None, None))
        return scikit_learn_path(grow_on(rows))

    def _pruning(self, *, given: bool) -> Pruning:
        """What is to be done after growth; `given` says whether validation rows are."""
        fraction = read_fraction(self.validation_fraction)
        if given and fraction is not None:
            raise ParameterError(
                f"validation_fraction={fraction} holds rows out, but validation rows are given as X_val and y_val; "
                "set validation_fraction=None, or leave them out."
            )
        pruning = Pruning(self._method(), read_pre_pruning(self.pre_pruning), fraction)
        if pruning.method is not None:
            pruning.method.check_target(self._is_regressor)
        has_validation = given or fraction is not None
        if pruning.pre and not has_validation:
            raise InputError(
                "pre_pruning=True needs validation rows; give X_val and y_val, or set validation_fraction."
            )
        if not has_validation and pruning.method is not None:
            pruning.method.refuse_without_validation()
        return pruning

    def _method(self) -> Method | None:
        """The method of pruning that the parameters name."""
        if self.ccp_alpha is None:
            return self._read_method(self.pruning)
        given = read_ccp_alpha(self.ccp_alpha)
        if self.pruning is not None and self._read_method(self.pruning) != prune.CostComplexity():
            raise ParameterError(
                f"ccp_alpha={self.ccp_alpha!r} prunes by cost and complexity, but pruning={self.pruning!r} says in "
                "which way; give one of the two."
            )
        return given

    def _read_method(self, given: object, **parameters: object) -> Method | None:
        """A method as it was given; one that is given by its name may have defaults of this estimator."""
        if given is None and not parameters:
            constrains(self.monotonic_cst)  # whose entries are checked
            return None
        parts = parts_of(given)
        if parts is not None:
            return read_steps(parts, self._read_method, parameters)
        method = read_method(given, **parameters)
        return in_place(method) if constrains(self.monotonic_cst) else method

    def _sized(
        self, rows: Dataset, way: tuple[Plan, float], pruning: Pruning, answering: Answering
    ) -> tuple[tuple[Plan, float], Pruning, dict[str, object]]:
        """How the tree of these rows is grown and pruned, and what is to be kept about that: as the parameters say."""
        return way, pruning, {}

    def _growth_of_size(
        self, rows: Dataset, training: Dataset, pruning: Pruning
    ) -> tuple[Callable[[Dataset], Tree], Pruning]:
        """Growth and pruning as `fit` would have them: of rows, and of those of them that it is to grow on."""
        answering = self._priced(rows)[1]
        plan, share = self._way_to_grow()
        way = with_order(plan, self.monotonic_cst, rows.schema), share
        way, pruning, _ = self._sized(training, way, pruning, answering)
        return self._grower(way, answering), pruning

    def _way_to_grow(self) -> tuple[Plan, float]:
        """The plan, and the least share of the weight in a branch, that the parameters say."""
        return self.plan(), weight_share(self.min_weight_fraction_leaf)

    def _fold_grower(
        self, rows: Dataset | None, way: tuple[Plan, float], answering: Answering
    ) -> tuple[Callable[[Dataset], Tree], int]:
        """What grows the trees of folds, in the same arrays one after the other; and how many are grown at a time, each
        on one thread, where that is faster.
        """
        n_threads = count_cores(self.n_jobs)
        n_jobs = 1 if rows is None else _growth().trees_at_once(rows, n_threads)
        return self._grower(way, answering, n_threads if n_jobs == 1 else 1, []), n_jobs

    def _grower(
        self,
        way: tuple[Plan, float] | None = None,
        answering: Answering = PLAIN,
        n_threads: int | None = None,
        drafts: list[Any] | None = None,
    ) -> Callable[[Dataset], Tree]:
        """Grows a tree in a way, or as the parameters say, once they are checked; it answers in the way given.

        n_threads  on so many threads; None: as the parameters say
        drafts     an empty list where several trees are to be grown in the same arrays, in turn
        """
        plan, share = self._way_to_grow() if way is None else way
        asked = self.monotonic_cst if way is None else None  # a way that is given has it already
        by = partial(_grown, asked, share, count_cores(self.n_jobs) if n_threads is None else n_threads, drafts)
        if answering.is_plain:
            return partial(by, plan)
        uncollapsed = partial(by, replace(plan, collapse=False)) if plan.collapse else None
        return priced_growth(partial(by, plan), uncollapsed, answering)

    def _growth_on(self, rows: Dataset) -> tuple[Dataset, Callable[[Dataset], Tree]]:
        """Rows as they are weighed for what their wrong answers cost, and growth on them as the parameters say."""
        rows, answering = self._priced(rows)
        return rows, self._grower(None, answering)

    def _check_answering(self) -> None:
        """Refuse parameters about answers that no fit would take."""

    def _priced(self, rows: Dataset) -> tuple[Dataset, Answering]:
        """Rows weighed by what their wrong answers cost, and how trees grown on them answer; numbers have no costs."""
        return rows, PLAIN

    def _answering_as_asked(self, outcome: Outcome, pruning: Pruning, material: Material) -> Outcome:
        """The outcome with the tree that gives probabilities as the parameters say."""
        return outcome

    def _read(self, X: object, y: object, sample_weight: object) -> tuple[Table, Dataset]:
        """The table described and encoded, without the rows of weight 0."""
        return self._read_counted(X, y, sample_weight)[:2]

    def _read_counted(self, X: object, y: object, sample_weight: object) -> tuple[Table, Dataset, object]:
        """The same, and the target as given, without these rows too."""
        if y is None:
            raise InputError(
                f"{type(self).__name__} requires y to be passed, but the target y is None; "
                "give the answer of each row as y."
            )
        given = counted_rows(X, y, sample_weight)
        with given.errors():
            table = read_table(given.X, self.categorical_features)
            target, answers = self._read_target(given.y)
            same_length(table.values.shape[0], y=answers)
            left, answers = self._weigh(given, target, answers)
        with left.errors():
            if left.X is not given.X:
                table = read_table(left.X, self.categorical_features)
            if self.missing == "error":
                refuse_missing(table.columns, table.values)
        schema, copies = Schema(table.columns, target), self._weighs_copies()
        return table, Dataset(schema, table.values, answers, left.sample_weight, copies, table.ends), given.y

    def _weigh(self, given: Counted, target: Target, answers: NDArray[Any]) -> tuple[Counted, NDArray[Any]]:
        """The rows with their weights, and their encoded answers; those of a class of weight 0 are left out.

        Such a class stays a class, as in scikit-learn: `class_weight` names it.
        """
        weight = self._read_weight(given.sample_weight, target, answers)
        if weight is None or weight.all() or n_rows_of(given.X) != len(weight):
            return replace(given, sample_weight=weight), answers
        kept = np.flatnonzero(weight)
        return given.take(kept, weight), answers[kept]

    def _weighs_copies(self) -> bool:
        """Whether whole weights are copies of rows; the weight of a class is an importance always."""
        return getattr(self, "class_weight", None) is None and getattr(self, "priors", None) is None

    def _rows(self, X: object, y: object, sample_weight: object, how: Asking) -> Dataset:
        """Rows with their answers, in the codes of the training table; without those of weight 0."""
        return self._rows_and_places(X, y, sample_weight, how)[0]

    def _rows_and_places(
        self, X: object, y: object, sample_weight: object, how: Asking
    ) -> tuple[Dataset, NDArray[np.intp] | None]:
        """The same, and the place of each row in the table that was given; None where every row is left."""
        given, schema = counted_rows(X, y, sample_weight), self.tree_.schema
        with given.errors():
            left, answers = self._weigh(given, schema.target, encode_like(given.y, schema.target))
        with left.errors():
            encoded = self._encode(left.X, how)
            same_length(len(encoded.values), y=answers)
        rows = Dataset(schema, encoded.values, answers, left.sample_weight, self._weighs_copies())
        return weighed_like(rows, self.tree_.answering), left.rows

    def _validation(self, X_val: object, y_val: object, sample_weight_val: object, how: Asking) -> Dataset:
        """Validation rows, in the codes of the training table; what is wrong with them is said to be so."""
        try:
            return self._rows(X_val, y_val, sample_weight_val, how)
        except (InputError, KindError) as error:
            raise type(error)(f"In the validation rows (X_val, y_val): {error}") from None

    def _rows_again(self, X: object, y: object, sample_weight: object) -> tuple[Dataset, Dataset | None]:
        """The rows the tree was grown on and those held out from them, from the table that `fit` was given."""
        from treewright.predict.origin import origin

        how = asking(self.grown_tree_, None, "error")
        fraction = read_fraction(self.validation_fraction)
        rows, held = _held_out(self._rows(X, y, sample_weight, how), fraction)
        found = origin(self.grown_tree_, rows)
        if found.n_rows != found.n_grown:
            raise InputError(
                f"The tree was grown on {found.n_grown} rows, but X and y have {found.n_rows} of them; give the same "
                "rows again."
            )
        if not found.same_weights:
            raise InputError(
                f"The tree was grown on rows of weight {found.grown.sum():g}, with other answers or weights than X and "
                f"y, whose weight is {found.weights.sum():g}; give the same rows, sample_weight, class_weight and "
                "priors again."
            )
        return rows, held

    def _read_weight(
        self, sample_weight: object, target: Target, answers: NDArray[Any]
    ) -> NDArray[np.float64] | None:
        return read_weight(sample_weight, len(answers))

    def _tree(self) -> Tree:
        if "tree_" not in vars(self):  # asked in full, the question is a good part of answering one row
            from sklearn.utils.validation import check_is_fitted

            check_is_fitted(self, "tree_")
        return self.tree_

    def _encode(self, X: object, how: Asking) -> Encoded:
        """The rows to be answered, in the codes of the training table."""
        self._check_names(X)
        return self._encode_named(X, how)

    def _encode_named(self, X: object, how: Asking) -> Encoded:
        """The same, once the names of the columns are checked."""
        columns = self.tree_.schema.columns
        encoded = encode_table(X, columns, how.cells)
        if how.rule.missing == "error":
            refuse_missing(columns, encoded.values)
        return encoded

    def _check_names(self, X: object) -> None:
        """Refuse a table with other column names than in training."""
        # scikit-learn's check is most of the time that one row takes: what it would say yes to is not asked.
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            passes = type(X) in (np.ndarray, list)
        else:
            passes = _string_names(X) == names.tolist() or are_records(X)
        if not passes:
            self._check_other_names(X)

    def _check_other_names(self, X: object) -> None:
        """Refuse a table whose names are others than in training; an estimator lets scikit-learn do that."""
        names: Any = getattr(self, "feature_names_in_", None)
        found = _string_names(X)
        if names is not None and found is not None:
            raise InputError(
                f"The table has the columns {_listed(found)}, but the model was fitted on {_listed(names.tolist())}; "
                "give the same columns in the same order."
            )

    def _results(self, table: Table, tree: Tree, y: object) -> dict[str, object]:
        """The fitted attributes."""
        results: dict[str, object] = {"tree_": tree, "n_features_in_": len(table.columns)}
        if table.feature_names is not None:
            results["feature_names_in_"] = np.array(table.feature_names, dtype=object)
        return results

    def _keep(self, results: dict[str, object]) -> None:
        """Replace the results of an earlier fit by these, all at once: one assignment cannot be interrupted."""
        found = dict(vars(self))
        for name in self._fitted:
            if name in found and name not in results:
                del found[name]
        found.update(results)
        self.__dict__ = found

    def _with(self, pruned_by: tuple[Method | None, bool], outcome: Outcome) -> Self:
        """A copy of this estimator that was pruned in another way: by a method, with validation rows or without."""
        other = copy(self)
        made_by = {"pruning": pruned_by[0], "_pruned_by": pruned_by}
        other.__dict__ |= outcome.attributes() | made_by | {"pre_pruning_report_": self.pre_pruning_report_}
        if self.ccp_alpha is not None:
            other.ccp_alpha = None
        return other

    def _limits(self) -> Limits:
        return read_limits(
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_impurity_decrease=self.min_impurity_decrease,
            max_leaf_nodes=self.max_leaf_nodes,
        )

    def _missing_in_growth(self) -> str:
        """What is done with missing values, as far as the parameters say."""
        return self.missing

    def _missing_parts(self, category: str, criterion: str = "entropy") -> dict[str, Any]:
        """The parts of the plan about missing values, checked against the others."""
        given = Missing(
            missing=self._missing_in_growth(),
            missing_predict=self.missing_predict,
            unseen_category=self.unseen_category,
            max_surrogates=self.max_surrogates,
            surrogates=self.surrogates,
        )
        two_ways = "set grouping='subset'" if hasattr(self, "minimum") else "use CARTClassifier"
        return given.plan_parts(category, criterion, two_ways)


def _string_names(X: object) -> list[str] | None:
    """The column names of a pandas or polars table, where all of them are text."""
    columns: Any = getattr(X, "columns", None)
    names = columns.tolist() if hasattr(columns, "tolist") else columns
    return names if isinstance(names, list) and all(type(name) is str for name in names) else None


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - N_SHOWN} more" if len(names) > N_SHOWN else ""
    return ", ".join(map(repr, names[:N_SHOWN])) + more


def _grown(
    asked: object, share: float, n_threads: int, drafts: list[Any] | None, plan: Plan, rows: Dataset
) -> Tree:
    """The tree of a plan with these constraints, and this least share of the weight in a branch."""
    tree: Tree = _growth().grow(rows, settle(with_order(plan, asked, rows.schema), rows, share), n_threads, drafts)
    return tree


@cache
def _growth() -> Any:
    """The module that grows, with some forty kernels that nobody needs who only answers by a tree."""
    from treewright.grow import grower

    return grower


def _in_words(outcome: Outcome, plan: Plan) -> Outcome:
    """The outcome whose report says what a monotone plan forbids."""
    report = told_in_place(outcome.report, plan)
    return outcome if report is outcome.report else replace(outcome, report=report)


def _held_out(rows: Dataset, fraction: float | None) -> tuple[Dataset, Dataset | None]:
    """The rows to grow on, and those held out of them for validation, if any are."""
    if fraction is None:
        return rows, None
    from treewright.data.folds import hold_out

    return hold_out(rows, fraction)
