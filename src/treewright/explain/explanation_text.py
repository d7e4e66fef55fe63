"""An explanation as text, HTML and JSON values.

Names, categories and classes come from the user's table. They are shown as text, whatever they hold.
"""

from collections.abc import Mapping
from math import sqrt
from typing import TYPE_CHECKING, Any

from treewright.criteria.registry import CRITERIA
from treewright.deprecation import with_old_keys
from treewright.explain.leaf_probability import CAVEAT
from treewright.explain.row_path import heaviest_branches
from treewright.explain.text_wrapping import shorten_text, wrap_lines, wrap_table
from treewright.language import N_, messages
from treewright.model.formatting import format_category, format_weight, printable, truncate
from treewright.model.json_values import to_json_value
from treewright.model.strategies import STRATEGIES
from treewright.text_table import Grid, element, text_width

if TYPE_CHECKING:
    from treewright.explain.explanation import EndNode, Explanation
    from treewright.explain.row_path import BeforePruning, Step

N_STEPS, N_ENDS, N_CUTS = 20, 10, 3
"""Nodes, end nodes and pruned nodes listed, those with the largest fraction of the row."""

N_CLASSES, CLASS_WIDTH = 4, 60
"""Classes that are listed, those with the highest probabilities; and the width that their columns may take."""

MAX_NAME, MAX_BRANCH, MAX_TEXT = 40, 40, 110
"""Characters shown of a name or class, of one of several branches, and of a condition; attributes have all of it."""

METHODS = {
    "cost_complexity": N_("cost-complexity"),
    "error_based": N_("error-based"),
    "pessimistic": N_("pessimistic"),
    "reduced_error": N_("reduced-error"),
    "minimum_error": N_("minimum-error"),
    "critical_value": N_("critical-value"),
    "mdl": N_("minimum description length"),
    "global": N_("global"),
    "same_decision": N_("same decision"),
    "max_leaves": N_("max-leaves"),
}
"""Names of pruning methods in a sentence."""

OLD_KEYS = {
    "prediction": "answer",
    "probabilities": "shares",
    "probability": "answer_share",
    "fraction": "share",
    "branches": "takes",
    "total_weight": "of",
    "agreement": "agree",
    "own_branch": "own",
    "value_words": "has",
    "goes_to": "goes",
    "arithmetic": "reckoned",
    "before_pruning": "before",
    "changes_searched": "looked",
}
"""Keys of `Explanation.to_dict` that had other names."""

Part = str | Grid


def as_text(found: "Explanation") -> str:
    """Return the explanation as text."""
    parts = (
        wrap_table(part) if isinstance(part, Grid) else wrap_lines(part.splitlines()) for part in _Writer(found).parts()
    )
    return "\n\n".join("\n".join(lines) for lines in parts)


def as_html(found: "Explanation") -> str:
    """Return the explanation as HTML."""
    blocks = []
    for part in _Writer(found).parts():
        blocks += [part.html()] if isinstance(part, Grid) else [element("p", line) for line in part.splitlines()]
    return "<div>" + "".join(blocks) + "</div>"


def as_dict(found: "Explanation") -> dict[str, Any]:
    """Return the explanation as values that JSON can hold."""
    document: dict[str, Any] = to_json_value(found)
    del document["language"]
    for step, written in zip(found.steps, document["steps"], strict=True):
        del written["language"]
        written |= {"goes_to": step.goes_to, "words": step.words}
    _ = messages(found.language)
    document = with_old_keys(document, OLD_KEYS)
    return document | {"row": {name: to_json_value(value) for name, value in found.row.items()}, "caveat": _(CAVEAT)}


class _Writer:
    """Writes the paragraphs and tables of one explanation."""

    def __init__(self, found: "Explanation") -> None:
        self.found = found
        self._ = messages(found.language)

    def parts(self) -> list[Part]:
        parts: list[Part] = [self._opening(), self._path_table()]
        parts += [self._single_end()] if len(self.found.ends) == 1 else [self._ends_table()]
        parts += [self._changes(), *(self._before_pruning(one) for one in self.found.before_pruning)]
        return [part for part in parts if part]

    def _opening(self) -> str:
        found, _ = self.found, self._
        if found.probabilities is None:
            return _("Prediction: {prediction}", prediction=format_value(found.prediction))
        listed = [f"{format_class(label)}: {p:.1%}" for label, p in _most_probable(found.probabilities).items()]
        listed += self._more_classes(len(found.probabilities) - len(listed))
        lines = [_("Prediction: {prediction}", prediction=format_class(found.prediction)), ", ".join(listed)]
        if found.costs is not None:
            cheapest = sorted(found.costs.items(), key=lambda pair: pair[1])[:N_CLASSES]
            costs = [f"{format_class(label)}: {format_value(cost)}" for label, cost in cheapest]
            costs += self._more_classes(len(found.costs) - len(costs))
            lines.append(
                _("Lowest expected cost. Expected cost of each prediction: {costs}", costs=", ".join(costs))
            )
        return "\n".join(lines)

    def _more_classes(self, n: int) -> list[str]:
        _ = self._
        return [_.plural("{n} more class", "{n} more classes", n)] if n else []

    def _more_nodes(self, n: int) -> list[str]:
        _ = self._
        return [_.plural("… {n} more node", "… {n} more nodes", n)] if n else []

    def _path_table(self) -> Grid:
        """The nodes that the row comes to."""
        found, _ = self.found, self._
        is_divided = len(found.ends) > 1
        classes = [] if found.probabilities is None else _classes_in_columns(found.probabilities)
        head = [_("node"), *[_("fraction")] * is_divided, _("rows")]
        head += [format_class(label) for label in classes] or [_("prediction")]
        n_numbers, rows, last = len(head), [], -1
        for i in self._shown_steps():
            if i > last + 1 and not is_divided:
                rows.append(["…", *[""] * (n_numbers + 1), *self._more_nodes(i - last - 1)])
            last = i
            rows.append(self._step_row(found.steps[i], classes, is_divided))
        below = []
        if is_divided:
            below += self._more_nodes(len(found.steps) - len(rows))
            below.append(_("fraction: the fraction of the row that reaches the node"))
        if found.probabilities is None:
            below.append(_("rows: training rows at the node"))
        elif all(end.arithmetic is None for end in found.ends):
            below.append(_("rows: training rows at the node, with the proportions of their classes"))
        else:
            below.append(_("rows: training rows at the node, with the probabilities of the classes"))
        below += [f"… {more}" for more in self._more_classes(len(found.probabilities or ()) - len(classes))]
        head += [_("splits on"), _("value"), _("goes to")]
        return Grid(head, rows, [*[True] * n_numbers, False, False, False], below)

    def _step_row(self, step: "Step", classes: list[Any], is_divided: bool) -> list[str]:
        if step.probabilities is None:
            numbers = [format_value(step.number)]
        else:
            numbers = [f"{step.probabilities[label]:.1%}" for label in classes]
        value = shorten(step.value_words, MAX_TEXT if step.unseen else MAX_NAME)  # an unseen one may have a suggestion
        words = [shorten(step.column or "", MAX_NAME), value, self._goes_to(step)]
        fraction = [f"{step.fraction:.1%}"] * is_divided
        return [str(step.node), *fraction, format_weight(step.weight), *numbers, *words]

    def _shown_steps(self) -> list[int]:
        """Both ends of a long path; of several paths the nodes with the largest fractions of the row."""
        n = len(self.found.steps)
        if len(self.found.ends) > 1:
            return sorted(sorted(range(n), key=lambda i: -self.found.steps[i].fraction)[:N_STEPS])
        return list(range(n)) if n <= 2 * N_STEPS else [*range(N_STEPS), *range(n - N_STEPS, n)]

    def _goes_to(self, step: "Step") -> str:
        """Where the row goes; the condition of a branch is shortened before the reason is."""
        text = step.goes_to
        if step.how in STRATEGIES and len(step.branches) > 1:
            text = self._all_branches(step)
        elif len(text) > MAX_TEXT and step.branches:
            condition = step.branches[0].words
            reason = text[len(condition) :]
            text = shorten(condition, max(MAX_BRANCH, MAX_TEXT - len(reason))) + reason
        return shorten(text, 2 * MAX_TEXT)

    def _all_branches(self, step: "Step") -> str:
        """A row that goes down every branch, without the name of the column, which is in the table already."""
        _ = self._
        listed = []
        for one in heaviest_branches(step.branches):
            condition = one.words.removeprefix(step.column or "").strip().removeprefix("= ")
            fraction = f"{format_weight(one.weight)}/{format_weight(one.total_weight)}"
            listed.append(f"{shorten(condition, MAX_BRANCH)} ({fraction})")
        n_more = len(step.branches) - len(listed)
        if n_more:
            listed.append(_("… {n} more", n=n_more))
        return _("every branch: {branches}", branches=", ".join(listed))

    def _single_end(self) -> str:
        """The training rows at the one node where the row ends, and their interval."""
        found, _ = self.found, self._
        end = found.ends[0]
        values = {"node": end.node, "path": shorten(end.where), "contents": self._contents(end)}
        if found.steps[-1].column is None:
            lines = [_("Leaf {node} ({path}): {contents}.", **values)]
        else:
            lines = [_("Node {node} ({path}): {contents}.", **values)]
        if end.arithmetic is not None:
            if found.probabilities is None:
                lines.append(
                    _("The prediction, shrunk towards the nodes above: {arithmetic}.", arithmetic=end.arithmetic)
                )
            else:
                label = format_class(found.prediction)
                lines.append(_("The probability of {label}: {arithmetic}.", label=label, arithmetic=end.arithmetic))
        if end.rows:
            listed = ", ".join(map(str, end.rows))
            if end.count > len(end.rows):
                listed += ", " + _("… {n} more", n=end.count - len(end.rows))
            lines.append(_("Its training rows, numbered from 0: {rows}.", rows=listed))
        return "\n".join([*lines, self._interval_sentence(end)])

    def _interval_sentence(self, end: "EndNode") -> str:
        found, _ = self.found, self._
        if end.interval is None:
            return self._no_interval(end)
        values = {"confidence": _percent(found.confidence), "limits": self._limits(end)}
        if found.probabilities is None:
            sentence = _("{confidence} confidence interval for the mean: {limits}.", **values)
        else:
            sentence = _(
                "{confidence} confidence interval for the proportion of {label}: {limits}.",
                **values,
                label=format_class(found.prediction),
            )
        return sentence if end.node == 0 else f"{sentence} {_(CAVEAT)}"  # the root was not chosen by its rows

    def _no_interval(self, end: "EndNode") -> str:
        found, _ = self.found, self._
        if end.weight == 0:
            return _("No confidence interval: no training row reaches this node.")
        if found.probabilities is None and CRITERIA[found.criterion].by_median:
            return _("No confidence interval: the prediction is a median.")
        if found.probabilities is None and CRITERIA[found.criterion].by_deviance:
            return _("No confidence interval: the prediction is a rate.")
        return _("No confidence interval: it needs more than one training row.")

    def _ends_table(self) -> Grid:
        """The nodes where the fractions of the row end."""
        found, _ = self.found, self._
        has_interval = any(end.interval is not None for end in found.ends)
        rows = []
        for end in found.ends[:N_ENDS]:
            number = format_value(end.prediction) if end.probability is None else f"{end.probability:.1%}"
            cells = [str(end.node), f"{end.fraction:.1%}", format_weight(end.weight), number]
            rows.append([*cells, *[self._limits(end)] * has_interval, shorten(end.where)])
        below = self._more_nodes(len(found.ends) - len(rows))
        if has_interval:
            below.append(
                _(
                    "interval: {confidence} confidence, for each leaf separately; there is none for their mean.",
                    confidence=_percent(found.confidence),
                )
                + f" {_(CAVEAT)}"
            )
        of = _("prediction") if found.probabilities is None else format_class(found.prediction)
        head = [_("node"), _("fraction"), _("rows"), of, *[_("interval")] * has_interval, _("path")]
        return Grid(head, rows, [True, True, True, True, *[False] * has_interval, False], below)

    def _contents(self, end: "EndNode") -> str:
        """How many training rows a node has, and their classes or their deviation."""
        found, _ = self.found, self._
        if end.weight == 0:
            return _("no training row reaches this node, so it predicts the same as its parent")
        weight = format_weight(end.weight)
        if weight == str(end.count):
            rows = _.plural("{n} training row", "{n} training rows", end.count)
        else:
            rows = _.plural(
                "{n} training row of weight {weight}",
                "{n} training rows of weight {weight}",
                end.count,
                weight=weight,
            )
        if found.probabilities is None:
            return self._deviation(end, rows)
        stats = {label: weight for label, weight in end.stats.items() if weight > 0}
        listed = [f"{format_class(label)}: {format_weight(weight)}" for label, weight in _most_probable(stats).items()]
        listed += self._more_classes(len(stats) - len(listed))
        return f"{rows}; {', '.join(listed)}"

    def _deviation(self, end: "EndNode", rows: str) -> str:
        _ = self._
        mean_loss, value = max(end.stats["loss"], 0.0) / end.weight, format_value(end.stats["value"])
        if CRITERIA[self.found.criterion].by_deviance:
            values = {"rows": rows, "value": value, "deviation": format_value(mean_loss)}
            return _("{rows}, rate {value}, half the mean Poisson deviance {deviation}", **values)
        if not CRITERIA[self.found.criterion].by_median:
            values = {"rows": rows, "value": value, "deviation": format_value(sqrt(mean_loss))}
            return _("{rows}, mean {value}, standard deviation {deviation}", **values)
        values = {"rows": rows, "value": value, "deviation": format_value(mean_loss)}
        return _("{rows}, median {value}, mean distance from it {deviation}", **values)

    def _changes(self) -> Part:
        found, _ = self.found, self._
        if not found.changes:
            return _("No change of a single value changes the prediction.") if found.changes_searched else ""
        rows = []
        for change in found.changes:
            if change.probabilities is None:
                cells = [format_value(change.prediction)]
            else:
                cells = [format_class(change.prediction), f"{change.probabilities[change.prediction]:.1%}"]
            rows.append([shorten(change.words), *cells, f"{change.distance:.3g}"])
        is_number = found.probabilities is None
        probability = [] if is_number else [_("probability")]
        head = [_("nearest changes of one value"), _("prediction"), *probability, _("distance")]
        return Grid(head, rows, [False, is_number, *[True] * (len(head) - 2)], [])

    def _before_pruning(self, one: "BeforePruning") -> str:
        _ = self._
        if one.probabilities is None:
            prediction = format_value(one.prediction)
        else:
            prediction = f"{format_class(one.prediction)} ({one.probabilities[one.prediction]:.1%})"
        values: dict[str, Any] = {"prediction": prediction}
        if one.method == "pre_pruning":
            same = N_("Prediction before pre-pruning: the same, {prediction}")
            other = N_("Prediction before pre-pruning: {prediction}")
        else:
            same = N_("Prediction before {method} pruning: the same, {prediction}")
            other = N_("Prediction before {method} pruning: {prediction}")
            names = [_(METHODS.get(name, name)) for name in one.method.split("+")]
            values["method"] = _.context("methods", "{left} and {right}", left="", right="").join(names)
        lines = [_(same if one.same else other, **values)]
        if not one.n_cuts:
            lines.append(_("Nothing was pruned on this path."))
        lines += [
            shorten_text(printable(_("Pruned in the grown tree: {sentence}", sentence=sentence)))
            for sentence in one.cuts[:N_CUTS]
        ]
        n_more = one.n_cuts - N_CUTS
        if n_more > 0:
            lines.append(_.plural("… pruned at {n} more node", "… pruned at {n} more nodes", n_more))
        return "\n".join(lines)

    def _limits(self, end: "EndNode") -> str:
        if end.interval is None:
            return ""
        low, high = end.interval.low, end.interval.high
        is_number, _ = self.found.probabilities is None, self._
        limits = [format_value(low), format_value(high)] if is_number else [f"{low:.1%}", f"{high:.1%}"]
        return _("{low} to {high}", low=limits[0], high=limits[1])


def _most_probable(by_class: Mapping[Any, float]) -> dict[Any, float]:
    """Return the classes with the highest values, highest first; all in their own order if they are few."""
    if len(by_class) <= N_CLASSES:
        return dict(by_class)
    return dict(sorted(by_class.items(), key=lambda pair: -pair[1])[:N_CLASSES])


def _classes_in_columns(probabilities: Mapping[Any, float]) -> list[Any]:
    """Return the classes that have a column: at least two, and no more than fit side by side."""
    classes = list(_most_probable(probabilities))
    while len(classes) > 2 and sum(text_width(format_class(label)) + 2 for label in classes) > CLASS_WIDTH:
        classes.remove(min(reversed(classes), key=lambda label: probabilities[label]))
    return classes


def _percent(proportion: float) -> str:
    return f"{100 * proportion:.6g}%"


def format_class(label: object) -> str:
    """Return a class as text."""
    return shorten(format_category(label), MAX_NAME)


def format_value(value: float | None) -> str:
    """Return a predicted number as text."""
    return "" if value is None else f"{value + 0.0:.6g}"


def shorten(text: str, most: int = MAX_TEXT) -> str:
    """Return the text on one line, shortened to what can be read."""
    return printable(truncate(text, most))
