"""Exports of many models, executed together: what each target says of each model.

A `Runner` is a target with something that executes it. Every entry of `TARGETS` has one, so a new target is executed
without a change here; SQL has one for each database at hand, PMML and SAS have the slow readers of these tests, and
scikit-learn and Treelite predict themselves. Start-up dominates with node and a compiler, so modules with `run_all` get
many texts at once. Rules are executed by the runners whose target is in `RULE_TARGETS`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from math import nan
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from tests.export import sas_reader
from tests.export.pmml_reader import Reader
from treewright.errors import ExportError
from treewright.export import pmml, sklearn_tree, treelite_model
from treewright.export.binary_view import as_binary
from treewright.export.check import TOLERANCE, Predicted, compare
from treewright.export.exported import RULE_TARGETS, TARGETS
from treewright.export.pmml_predicates import data_type, value_text
from treewright.export.probe_rows import Probes, predict_probes
from treewright.export.rule_probes import predict_rule_probes
from treewright.export.rule_scoring import RuleScoring, Scored
from treewright.export.scoring import Scoring

EQUAL, REFUSED, NOT_RUN, DIFFERENT = "equal", "refused", "not run", "different"
KINDS = (EQUAL, REFUSED, NOT_RUN, DIFFERENT)
BATCH = 60
"""Texts that one process executes."""
SLOW_ROWS = 60
"""Rows for the slow readers."""
LONGEST = 1_000_000
"""Characters of a text that is executed: DuckDB takes gigabytes of memory for longer statements."""
OTHER_WORDS = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\d[\d,.e+-]*")


class Outcome(NamedTuple):
    """What became of one export: EQUAL, REFUSED, NOT_RUN or DIFFERENT, the sentence about it, and the rows compared."""

    kind: str
    sentence: str = ""
    n_rows: int = 0


@dataclass(frozen=True)
class Runner:
    """A target, its options, and what executes its texts.

    target  a key of `TARGETS`, or another name if `make` is given
    make    writes a scoring, None: the module of the target does
    run     of a text and probes, None: that of the module; returns the probes that it predicts, and their predictions
    rows    rows at most
    """

    name: str
    target: str
    options: dict[str, Any] = field(default_factory=dict)
    make: Callable[[Scoring], Any] | None = None
    run: Callable[[Any, Probes], tuple[Probes, Predicted | None]] | None = None
    rows: int = 1_000_000

    def takes(self, scoring: Scored) -> bool:
        """Whether the target has a form for rules, if these are rules."""
        return not isinstance(scoring, RuleScoring) or self.target in RULE_TARGETS

    def module(self, scoring: Scored) -> Any:
        """The module that writes a tree or rules."""
        return import_module((RULE_TARGETS if isinstance(scoring, RuleScoring) else TARGETS)[self.target])

    def joins(self, scoring: Scored) -> bool:
        """Whether one process executes several texts."""
        return self.make is None and hasattr(self.module(scoring), "run_all")


class SelectReader(sas_reader.Reader):
    """The reader of SAS with the statement `select`, in which rules are written."""

    def statement(self) -> Any:
        if not self.peek("select"):
            return super().statement()
        self.take("select"), self.take(";")
        cases, otherwise = [], None
        while self.take("when", "otherwise")[1] == "when":
            self.take("(")
            test = self.either()
            self.take(")")
            cases.append((test, super().statement()))
        otherwise = super().statement()
        self.take("end"), self.take(";")
        return lambda env: next((step for test, step in cases if test(env)), otherwise)(env)


def read_sas(text: str, probes: Probes) -> Predicted:
    """The predictions of the slow reader of SAS."""
    with patch.object(sas_reader, "Reader", SelectReader):
        return sas_reader.run_sas(text, probes)


def read_pmml(text: str, probes: Probes, **how: bool) -> Predicted:
    """The predictions of the slow reader of PMML."""
    reader, cells = Reader(text, **how), probes.cells()
    columns = probes.scoring.tree.schema.columns
    for i, column in enumerate(columns):
        if column.categories and data_type(column.categories) == "string":  # true, not True, among texts
            cells[i] = [None if cell is None else value_text(cell) for cell in cells[i]]
    rows = ({columns[i].name: cells[i][row] for i in probes.scoring.used} for row in range(len(probes.values)))
    found = [reader.score(row) for row in rows]
    if probes.scoring.is_regression:
        return Predicted(None, np.array([[nan if one is None else one[0]] for one in found]))
    none, known = [nan] * len(reader.classes), dict(zip(reader.classes, probes.scoring.classes, strict=True))
    classes = [None if one is None else known[one[0]] for one in found]
    return Predicted(classes, np.array([none if one is None else one[1] for one in found]))


def check_pmml(text: str, probes: Probes) -> Predicted:
    """The predictions of the slow reader of PMML, after both readings of the standard were compared with the tree."""
    first = read_pmml(text, probes)
    second = read_pmml(text, probes, patient=True, by_parent=not probes.scoring.is_fractional)
    compare(probes, second, "the other reading of the standard")
    return first


def _pypmml(text: str, probes: Probes) -> tuple[Probes, Predicted | None]:
    """pypmml does not apply weightedConfidence recursively: with it only rows without missing values are compared."""
    if probes.scoring.is_fractional:
        known = np.isfinite(probes.values[:, probes.scoring.used]).all(axis=1)
        probes = predict_probes(probes.scoring, probes.values[known])
        if not known.any():
            return probes, None
    return probes, pmml.execute(text, probes)


def _make_sklearn(scoring: Scoring) -> Any:
    return as_binary(scoring), sklearn_tree.to_sklearn(scoring, check=False)


def _run_sklearn(written: Any, probes: Probes) -> tuple[Probes, Predicted]:
    binary, model = written
    probes = sklearn_tree.sklearn_probes(model, binary, probes.values)
    return probes, sklearn_tree.run(model, binary, probes)


def _make_treelite(scoring: Scoring) -> Any:
    return as_binary(scoring), treelite_model.to_treelite(scoring, check=False)


def _run_treelite(written: Any, probes: Probes) -> tuple[Probes, Predicted]:
    binary, model = written
    probes = treelite_model.treelite_probes(binary, probes.values)
    return probes, treelite_model.run(model, binary, probes)


def runners(options: dict[str, dict[str, Any]] | None = None) -> list[Runner]:
    """All runners; `options` of `write` and `run` by target."""
    found = []
    for target in TARGETS:
        given = (options or {}).get(target, {})
        if target == "sql":
            found += [Runner(dialect, "sql", given | {"dialect": dialect}) for dialect in ("sqlite", "duckdb")]
        elif target == "pmml":
            found.append(Runner("pypmml", "pmml", given, run=_pypmml))
            slow = lambda text, probes: (probes, check_pmml(text, probes))  # noqa: E731
            found.append(Runner("pmml reader", "pmml", given, run=slow, rows=SLOW_ROWS))
        elif target == "sas":
            slow = lambda text, probes: (probes, read_sas(text, probes))  # noqa: E731
            found.append(Runner("sas reader", "sas", given, run=slow, rows=SLOW_ROWS))
        else:
            found.append(Runner(target, target, given))
    found.append(Runner("scikit-learn", "sklearn", make=_make_sklearn, run=_run_sklearn))
    found.append(Runner("treelite", "treelite", make=_make_treelite, run=_run_treelite))
    return found


KNOWN = (*TARGETS, "sklearn", "treelite")
"""The targets of all runners."""


def try_all(
    runner: Runner, all_probes: Sequence[Probes], header: Sequence[str] = (), tolerance: float = TOLERANCE
) -> list[Outcome]:
    """Write, execute and compare the scoring of each of the probes."""
    found: list[Outcome] = [Outcome(NOT_RUN)] * len(all_probes)
    texts: dict[int, tuple[Any, Probes, dict[str, Any]]] = {}
    for i, probes in enumerate(all_probes):
        scoring = probes.scoring
        given = runner.options | ({"name": f"predict_{i % BATCH}"} if runner.joins(scoring) else {})
        try:
            if runner.make is not None:
                text = runner.make(scoring)
            else:
                text = runner.module(scoring).write(scoring, header=list(header), **given)
        except ExportError as error:
            found[i] = Outcome(REFUSED, str(error))
        except Exception as error:
            found[i] = Outcome(DIFFERENT, f"{runner.name} is not written: {type(error).__name__}: {error}")
        else:
            if isinstance(text, str) and len(text) > LONGEST:
                found[i] = Outcome(NOT_RUN, f"A text has {len(text):,} characters.")
            else:
                texts[i] = text, some_rows(probes, runner.rows), given
    places = list(texts)
    for start in range(0, len(places), BATCH):
        batch = places[start : start + BATCH]
        for i, outcome in zip(batch, _run_batch(runner, [texts[i] for i in batch], tolerance), strict=True):
            found[i] = outcome
    return found


def predict(scoring: Scored, values: Any) -> Probes:
    """The predictions of encoded rows by a tree or by rules."""
    if isinstance(scoring, RuleScoring):
        return predict_rule_probes(scoring, values)
    return predict_probes(scoring, values)


def some_rows(probes: Probes, most: int, seed: int = 0) -> Probes:
    """At most so many of the rows, chosen at random; evenly spaced ones would miss every missing value."""
    if len(probes.values) <= most:
        return probes
    chosen = np.sort(np.random.default_rng(seed).choice(len(probes.values), most, replace=False))
    return predict(probes.scoring, probes.values[chosen])


def _run_batch(runner: Runner, jobs: list[tuple[Any, Probes, dict[str, Any]]], tolerance: float) -> list[Outcome]:
    compared = partial(_compared, runner, tolerance)
    if runner.joins(jobs[0][1].scoring):
        module = runner.module(jobs[0][1].scoring)  # of rules and trees it is the same
        try:
            answers = module.run_all([(text, probes, given["name"]) for text, probes, given in jobs])
        except ExportError:
            pass  # one of them is not accepted: each by itself says which
        else:
            if answers is None:
                return [Outcome(NOT_RUN)] * len(jobs)
            return [compared(lambda j=job, a=a: (j[1], a)) for job, a in zip(jobs, answers, strict=True)]
    return [compared(partial(_run_one, runner, *job)) for job in jobs]


def _run_one(runner: Runner, text: Any, probes: Probes, given: dict[str, Any]) -> tuple[Probes, Predicted | None]:
    if runner.run is not None:
        return runner.run(text, probes)
    return probes, runner.module(probes.scoring).run(text, probes, **given)


def _compared(runner: Runner, tolerance: float, run: Callable[[], tuple[Probes, Predicted | None]]) -> Outcome:
    try:
        probes, predicted = run()
        if predicted is None:
            return Outcome(NOT_RUN)
        compare(probes, predicted, runner.name, tolerance)
    except ExportError as error:
        return Outcome(DIFFERENT, str(error))
    except Exception as error:
        return Outcome(DIFFERENT, f"{runner.name} fails: {type(error).__name__}: {error}")
    return Outcome(EQUAL, "", len(probes.values))


@dataclass
class Counts:
    """Outcomes by target, the sentences of refusals with their number, the rows compared, texts that are too long, and
    what differs.
    """

    by_target: dict[str, Counter[str]] = field(default_factory=dict)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    n_rows: int = 0
    too_long: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)

    def try_models(
        self, trees: Sequence[tuple[str, Probes]], rules: Sequence[tuple[str, Probes]] = (), targets: Any = ()
    ) -> None:
        """Execute trees with every runner, and rules with those that take them; each has a label for errors.

        targets  only these targets; empty: all
        """
        for runner in (one for one in runners() if not targets or one.target in targets):
            taken = [(label, probes) for label, probes in rules if runner.target in RULE_TARGETS]
            for name, pairs in ((runner.name, trees), (f"rules {runner.name}", taken)):
                for pair, outcome in zip(pairs, try_all(runner, [probes for _, probes in pairs]), strict=True):
                    self.add(name, pair[0], outcome)

    def add(self, target: str, model: str, outcome: Outcome) -> None:
        """Count an outcome."""
        self.by_target.setdefault(target, Counter())[outcome.kind] += 1
        self.n_rows += outcome.n_rows
        if outcome.kind == REFUSED:
            self.reasons[target, OTHER_WORDS.sub("_", outcome.sentence)] += 1
        elif outcome.kind == NOT_RUN and outcome.sentence:
            self.too_long.append(f"{target}, {model}: {outcome.sentence}")
        elif outcome.kind == DIFFERENT:
            self.differences.append(f"{target}, {model}: {outcome.sentence}")

    def update(self, other: "Counts") -> None:
        """Add other counts."""
        for target, found in other.by_target.items():
            self.by_target.setdefault(target, Counter()).update(found)
        self.reasons.update(other.reasons)
        self.n_rows += other.n_rows
        self.too_long += other.too_long
        self.differences += other.differences

    def table(self) -> Iterator[str]:
        """The outcomes by target."""
        names = sorted(self.by_target, key=lambda name: name.startswith("rules "))
        yield f"{'target':18}" + "".join(f"{kind:>11}" for kind in KINDS)
        for target in names:
            yield f"{target:18}" + "".join(f"{self.by_target[target][kind]:11,}" for kind in KINDS)
        totals = [sum(found[kind] for found in self.by_target.values()) for kind in KINDS]
        yield f"{'all':18}" + "".join(f"{total:11,}" for total in totals)
        yield f"{self.n_rows:,} rows predicted by exported models"

    def details(self, reasons: Iterable[tuple[str, str]] | None = None) -> Iterator[str]:
        """Why exports were refused, and what differs."""
        for target, sentence in sorted(self.reasons if reasons is None else reasons):
            yield f"refused by {target}, {self.reasons[target, sentence]}: {sentence}"
        yield from self.too_long
        yield from self.differences
