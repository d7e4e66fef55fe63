"""A tree as a TreeModel of PMML 4.4, the model format of the Data Mining Group; and its execution by pypmml.

In: a `Scoring`. Out: the text of a file. Each strategy for missing values is one of PMML's:

    fractional                               weightedConfidence: each child counts by its recordCount
    majority, learned, surrogate, branch     defaultChild; before it the surrogates; isMissing where missing values
                                             have a branch of their own
    stop, error                              lastPrediction, nullPrediction

A category that did not occur in training is a missing value by invalidValueTreatment="asMissing". If it must not be
one, the fields do not list their categories, so that every category is valid; the predicates then decide:
noTrueChildStrategy stops or refuses the row, and isNotIn takes it down the heaviest branch. (By the standard,
invalidValueTreatment="asIs" would do with a list as well, but pypmml takes values outside of the list as missing.)
If missing values are refused and other categories stop, an extra child takes the latter: pypmml would return the last
prediction for both.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import isclose, nan
from typing import Any

import numpy as np

from treewright.data.schema import Column, Kind
from treewright.errors import ExportError
from treewright.export.check import Predicted
from treewright.export.pmml_predicates import (
    attribute,
    child_predicate,
    data_type,
    number_text,
    predicate_lines,
    unseen_predicate,
    value_text,
)
from treewright.export.probe_rows import Probes
from treewright.export.rule_scoring import Scored
from treewright.export.scoring import EVERY, REFUSE, STOP, NodeTest, Scoring
from treewright.model.prediction_rule import without_cost_factors

NAMESPACE = "http://www.dmg.org/PMML-4_4"
MOST_SPACES = 60
"""Spaces before the lines of a deep node; more would make the file of a deep tree large."""
WORKS = 'use missing_predict="majority"'


@dataclass(frozen=True, slots=True)
class FieldNames:
    """The names of the target and of the outputs in the file: no two fields of a file have the same name."""

    target: str
    predicted: str
    probabilities: tuple[str, ...]


def write(scoring: Scoring, *, header: Sequence[str] = ()) -> str:
    """Return a tree as PMML 4.4.

    header  lines for people, each an annotation of the file

    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> text = write(scoring(golf_example(), "majority"))
    >>> print("\\n".join(line for line in text.splitlines() if "humidity" in line))
        <DataField name="humidity" optype="continuous" dataType="double"/>
          <MiningField name="humidity"/>
            <SimplePredicate field="humidity" operator="lessOrEqual" value="75"/>
            <SimplePredicate field="humidity" operator="greaterThan" value="75"/>
    """
    _refuse_what_pmml_lacks(scoring)
    names = _field_names(scoring)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<PMML xmlns="{NAMESPACE}" version="4.4">']
    lines += _header_lines(header)
    lines += _dictionary_lines(scoring, names)
    lines += [f"  <TreeModel {_model_attributes(scoring)}>"]
    lines += _schema_lines(scoring, names)
    lines += _node_lines(scoring)
    lines += ["  </TreeModel>", "</PMML>", ""]
    return "\n".join(lines)


def _refuse_what_pmml_lacks(scoring: Scoring) -> None:
    """Raise an ExportError for the first thing that PMML cannot express."""
    inner = [one for one in scoring.tests if one is not None]
    for one in inner:
        for column in (one.test.column, *(test.column for test in one.surrogates)):
            if column.source is not None:
                raise ExportError(
                    f"PMML cannot compute the column {column.name!r} of node {one.node} from the dates or times in "
                    f"{column.source!r}",
                    advice="replace the dates by numbers before fit",
                )
    weighted = next((one for one in inner if EVERY in (one.missing, one.unseen)), None)
    if weighted is None:
        return
    if scoring.is_regression:
        raise ExportError(
            f"PMML sends a row down every branch only if it predicts classes, but node {weighted.node} of this "
            "regression tree does so with a missing value",
            advice=WORKS,
        )
    if scoring.tree.prediction_rule.costs is not None:
        raise ExportError(
            "PMML predicts the most probable class where a row goes down every branch, as with a missing value at "
            f"node {weighted.node}, but this tree predicts the class with the lowest expected cost",
            advice=WORKS,
        )
    refusing = next((one for one in inner if one.unseen == REFUSE and one.node > 0), None)
    if refusing is not None:
        raise ExportError(
            f"PMML cannot refuse a row that goes down several branches, as node {refusing.node} does with a category "
            "that did not occur in training",
            advice=f'{WORKS} or unseen_category="stop"',
        )


def _field_names(scoring: Scored) -> FieldNames:
    """Names of target and outputs that differ from those of the columns and of each other."""
    schema = scoring.tree.schema
    taken = set(schema.names)
    if len(taken) < schema.n_columns:
        raise ExportError(
            "PMML requires columns with different names, but two columns have the same name; rename one."
        )

    def unique(name: str) -> str:
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    target = unique(schema.target.name)
    predicted = unique(f"predicted_{schema.target.name}")
    return FieldNames(
        target, predicted, tuple(unique(f"probability_{value_text(c)}") for c in scoring.classes)
    )


def _header_lines(header: Sequence[str]) -> Iterator[str]:
    version = import_module("treewright").__version__
    yield "  <Header>"
    yield f'    <Application name="Treewright" version="{version}"/>'
    for line in header:
        text = attribute(line, "The header line")[1:-1]
        yield f"    <Annotation>{text}</Annotation>"
    yield "  </Header>"


def _dictionary_lines(scoring: Scoring, names: FieldNames) -> Iterator[str]:
    """The fields that a test looks at, and the target."""
    columns = [scoring.tree.schema.columns[position] for position in scoring.used]
    yield f'  <DataDictionary numberOfFields="{len(columns) + 1}">'
    for column in columns:
        yield from _data_field(column, column.name, scoring.unseen == "missing")
    target = scoring.tree.schema.target
    kind = Kind.NUMBER if target.is_number else Kind.CATEGORY
    yield from _data_field(Column(target.name, kind, scoring.classes), names.target, True)
    yield "  </DataDictionary>"


def _data_field(column: Column, name: str, lists_values: bool) -> Iterator[str]:
    """A field; `lists_values`: with its categories, so that any other is invalid."""
    optype = {Kind.NUMBER: "continuous", Kind.ORDERED: "ordinal"}.get(column.kind, "categorical")
    kind = "double" if column.kind is Kind.NUMBER else data_type(column.categories)
    words = f'name={attribute(name, "The column name")} optype="{optype}" dataType="{kind}"'
    if not name:
        raise ExportError("PMML requires names, but a column or the target has the empty name; rename it.")
    texts = [value_text(value) for value in column.categories]
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ExportError(
            f"PMML writes two categories of {column.name!r} as {twice!r}",
            advice="convert its categories to text before fit",
        )
    if kind == "integer" and any(not -(2**63) <= value < 2**63 for value in column.categories):  # type: ignore[operator]
        raise ExportError(
            f"Programs that read PMML take integers of 64 bits, but {column.name!r} has a larger one",
            advice="convert its categories to text before fit",
        )
    if not texts or not lists_values:
        yield f"    <DataField {words}/>"
        return
    yield f"    <DataField {words}>"
    for text in texts:
        yield f"      <Value value={attribute(text, f'The category of {column.name!r}')}/>"
    yield "    </DataField>"


def _model_attributes(scoring: Scoring) -> str:
    inner = [one for one in scoring.tests if one is not None]
    missing = {EVERY: "weightedConfidence", STOP: "lastPrediction", REFUSE: "nullPrediction"}
    strategy = missing.get(inner[0].missing, "defaultChild") if inner else "none"
    stops, extra = any(one.unseen == STOP for one in inner), any(_has_extra_child(one) for one in inner)
    no_child = "returnLastPrediction" if stops and not extra else "returnNullPrediction"
    split = "binarySplit" if all(len(one.children) == 2 for one in inner) and not extra else "multiSplit"
    function = "regression" if scoring.is_regression else "classification"
    return (
        f'modelName="Treewright" functionName="{function}" algorithmName="decision tree" '
        f'missingValueStrategy="{strategy}" noTrueChildStrategy="{no_child}" splitCharacteristic="{split}"'
    )


def _has_extra_child(one: NodeTest) -> bool:
    """Whether a node has a child, with its own prediction, for categories that did not occur in training."""
    return one.unseen == STOP and one.missing == REFUSE


def _schema_lines(scoring: Scoring, names: FieldNames) -> Iterator[str]:
    """The inputs, the target and the outputs of the model."""
    target = attribute(names.target, "The target name")
    yield "    <MiningSchema>"
    for position in scoring.used:
        column = scoring.tree.schema.columns[position]
        name = attribute(column.name, "The column name")
        closed = column.kind is not Kind.NUMBER and scoring.unseen == "missing"
        treatment = ' invalidValueTreatment="asMissing"' if closed else ""
        yield f"      <MiningField name={name}{treatment}/>"
    yield f'      <MiningField name={target} usageType="target"/>'
    yield "    </MiningSchema>"
    kind = "double" if scoring.is_regression else data_type(scoring.classes)
    optype = "continuous" if scoring.is_regression else "categorical"
    predicted = attribute(names.predicted, "The target name")
    yield "    <Output>"
    yield f'      <OutputField name={predicted} optype="{optype}" dataType="{kind}" feature="predictedValue"/>'
    for name, value in zip(names.probabilities, scoring.classes, strict=True):
        words = f'name={attribute(name, "The class")} optype="continuous" dataType="double"'
        yield f'      <OutputField {words} feature="probability" value={attribute(value_text(value), "The class")}/>'
    yield "    </Output>"


def record_counts(scoring: Scoring) -> list[float]:
    """The recordCount of each node: the weight of its training rows.

    Where rows go down every branch, recordCount is what divides them: then that of siblings is their fraction of that
    of the parent, which is the weight wherever the weights of siblings sum to that of the parent.
    """
    tree = scoring.tree
    counts: list[float] = tree.weight.tolist()
    if not scoring.is_regression:
        counts = without_cost_factors(tree.prediction_rule, tree.stats).sum(axis=1).tolist()
    if not scoring.is_fractional:
        return counts
    counts[0] = counts[0] or 1.0
    for one in scoring.tests:
        for child, fraction in () if one is None else zip(one.children, one.fractions, strict=True):
            part = counts[one.node] * fraction  # type: ignore[union-attr]
            if not isclose(counts[child], part, rel_tol=1e-14):
                counts[child] = part
    return counts


def _node_lines(scoring: Scoring) -> Iterator[str]:
    """The nodes from the root down, each with its predicate, its class probabilities and its children."""
    counts, tree, closed = record_counts(scoring), scoring.tree, scoring.unseen == "missing"
    distributions = _Distributions(scoring)
    waiting: list[tuple[int, int, int]] = [
        (0, -1, 0)
    ]  # node, or its complement if it is done; parent; branch
    while waiting:
        node, parent, branch = waiting.pop()
        is_done, node = node < 0, node if node >= 0 else ~node
        indent = " " * min(2 * int(tree.depths[node]) + 4, MOST_SPACES)
        one, above = scoring.tests[node], scoring.tests[parent] if parent >= 0 else None
        if is_done:
            if one is not None and _has_extra_child(one):
                yield f'{indent}  <Node id="{node} unseen" score={distributions.score(node)}>'
                yield from predicate_lines(unseen_predicate(one), indent + "    ")
                yield from distributions.lines(node, indent + "    ")
                yield f"{indent}  </Node>"
            yield f"{indent}</Node>"
            continue
        words = f'id="{node}" score={distributions.score(node)} recordCount="{number_text(counts[node])}"'
        if one is not None and one.missing >= 0:
            words += f' defaultChild="{one.children[one.missing]}"'
        yield f"{indent}<Node {words}>"
        predicate = None if above is None else child_predicate(above, branch, closed)
        yield from predicate_lines(predicate, indent + "  ")
        yield from distributions.lines(node, indent + "  ")
        waiting.append((~node, parent, branch))
        if one is not None:
            waiting += reversed([(child, node, at) for at, child in enumerate(one.children)])


class _Distributions:
    """The prediction of each node, and the ScoreDistribution elements of its classes."""

    def __init__(self, scoring: Scoring) -> None:
        tree = scoring.tree
        self._value, self._is_fractional = tree.value, scoring.is_fractional
        self._classes = [attribute(value_text(one), "The class") for one in scoring.classes]
        if self._classes:
            self._predicted = tree.predicted_class
            self._weight = without_cost_factors(tree.prediction_rule, tree.stats)

    def score(self, node: int) -> str:
        """The predicted class or number, as an attribute."""
        return (
            self._classes[self._predicted[node]]
            if self._classes
            else f'"{number_text(self._value[node, 0])}"'
        )

    def lines(self, node: int, indent: str) -> Iterator[str]:
        """An element for each class."""
        if not self._classes:
            return
        for value, weight, likely in zip(self._classes, self._weight[node], self._value[node], strict=True):
            words = f'value={value} recordCount="{number_text(weight)}" probability="{number_text(likely)}"'
            if self._is_fractional:
                words += f' confidence="{number_text(likely)}"'
            yield f"{indent}<ScoreDistribution {words}/>"


def run(text: str, probes: Probes) -> Predicted | None:
    """Predict the probes with pypmml; None where pypmml or Java is not installed, or where it does not suffice.

    pypmml 1.5.8 does not apply weightedConfidence recursively, as the standard says: it looks only at the children of
    the node with the missing value. So files with this strategy are not executed.

    >>> from treewright.export.probe_rows import make_probes
    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> found = scoring(golf_example(), "fractional")
    >>> print(run(write(found), make_probes(found)))
    None
    """
    return None if probes.scoring.is_fractional else execute(text, probes)


def execute(text: str, probes: Probes) -> Predicted | None:
    """Predict the probes with pypmml, whatever the strategy for missing values; None where it cannot be started."""
    try:
        model_class = import_module("pypmml").Model
        import_module("pypmml.base").PMMLContext.getOrCreate()
    except Exception:  # pypmml is not installed, or it finds no Java; it raises different errors for that
        return None
    try:
        rows = json.loads(model_class.fromString(text).predict(_records(probes)))
    except Exception as error:
        raise ExportError(f"pypmml cannot execute the file: {error}") from error
    names = _field_names(probes.scoring)
    if probes.scoring.is_regression:
        return Predicted(None, np.array([[_float(row.get(names.predicted))] for row in rows]))
    known = {value_text(one): one for one in probes.scoring.classes} | {
        one: one for one in probes.scoring.classes
    }
    values = np.array([[_float(row.get(name)) for name in names.probabilities] for row in rows])
    # Without a prediction pypmml returns no probabilities, but as class the smallest integer or false.
    refused = np.isnan(values).all(axis=1)
    predicted = [row.get(names.predicted) for row in rows]
    return Predicted(
        [None if no else known.get(one, one) for one, no in zip(predicted, refused, strict=True)], values
    )


def _records(probes: Probes) -> str:
    """The rows as JSON without missing values: pypmml reads a null as false or as the smallest integer."""
    names, cells, used = probes.scoring.tree.schema.names, probes.cells(), probes.scoring.used
    rows = range(len(probes.values))
    return json.dumps(
        [{names[i]: _plain(cells[i][row]) for i in used if cells[i][row] is not None} for row in rows]
    )


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str) else value_text(value)


def _float(value: Any) -> float:
    return nan if value is None else float(value)
