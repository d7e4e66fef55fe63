"""The explanation of one prediction by rules: which rule predicts, and the values that its conditions tested.

What comes in: a rule set and one encoded row. What goes out: a `RuleExplanation`, as text, HTML or JSON values.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.deprecation import DeprecatedAlias, with_old_keys
from treewright.language import messages
from treewright.model.formatting import format_category, printable
from treewright.model.json_values import to_json_value
from treewright.model.tree_text import path_texts
from treewright.rules.rule import Rule
from treewright.rules.rule_prediction import NodeStop, RuleListPredictor, TreePredictor
from treewright.text_table import element

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet

N_SHOWN = 10
"""Rules that the text lists."""

OLD_KEYS = {"prediction": "answer", "probabilities": "shares", "fraction": "share"}
"""Keys of `RuleExplanation.to_dict` that had other names."""


@dataclass(frozen=True, slots=True, eq=False)
class AppliedRule:
    """A rule that applies to the row.

    rule      the rule
    fraction  the part of the row it predicts for: 1, or less if a missing value sends the row down several branches
    seen      the value of the row as text, for each condition
    """

    rule: Rule
    fraction: float
    seen: tuple[str, ...]

    share = DeprecatedAlias("fraction")


@dataclass(frozen=True, slots=True, eq=False)
class RuleExplanation:
    """Which rule predicts for a row, and why; print it, or read its attributes.

    Attributes
    ----------
    target : str
        Name of the target.
    prediction : object
        The predicted class or number.
    probabilities : dict
        Probability of each class; empty for regression.
    applied : tuple of AppliedRule
        The rules that predict: one; several if a missing value sends the row down several branches; none if the default
        class is predicted, or a node of the tree predicts.
    others : tuple of AppliedRule
        Generalised rules that also apply, but come later.
    why : str or None
        Sentence that says what predicts where no rule does; else None.
    language : str
        Language of the text: "en" or "zh".
    """

    target: str
    prediction: Any
    probabilities: dict[Any, float]
    applied: tuple[AppliedRule, ...]
    others: tuple[AppliedRule, ...]
    why: str | None
    language: str = "en"

    answer = DeprecatedAlias("prediction")
    shares = DeprecatedAlias("probabilities")

    def to_text(self) -> str:
        """Return the explanation as text.

        >>> from treewright import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0])
        >>> print(model.rules().explain([2]).to_text())
        target = 5, by rule 1:
            x0 <= 2.5  (x0 is 2)
        """
        return "\n".join(_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as values that JSON can hold.

        >>> from treewright import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0])
        >>> model.rules().explain([2]).to_dict()["applied"][0]["seen"]
        ['2']
        """
        return with_old_keys(
            {
                "target": self.target,
                "prediction": to_json_value(self.prediction),
                "probabilities": [[to_json_value(label), p] for label, p in self.probabilities.items()],
                "applied": [_applied_document(one, self.language) for one in self.applied],
                "others": [_applied_document(one, self.language) for one in self.others],
                "why": self.why,
            },
            OLD_KEYS,
        )

    def to_html(self) -> str:
        """Return the explanation as HTML for a notebook.

        >>> from treewright import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0])
        >>> model.rules().explain([2]).to_html()
        '<div><pre>target = 5, by rule 1:\\n    x0 &lt;= 2.5  (x0 is 2)</pre></div>'
        """
        return f"<div>{element('pre', self.to_text())}</div>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()


def explain_by_rules(
    rules: "RuleSet", values: NDArray[np.float64], predictor: TreePredictor | RuleListPredictor
) -> RuleExplanation:
    """Explain the prediction for the one row of `values`."""
    matched = predictor.match(values)
    probabilities: dict[Any, float] = {}
    if rules.is_number:
        prediction: Any = float(predictor.numbers(values)[0])
    else:
        prediction = rules.classes[predictor.class_codes(values)[0]]
        by_class = predictor.probabilities(values)[0].tolist()
        probabilities = dict(zip(rules.classes.tolist(), by_class, strict=True))
    return RuleExplanation(
        rules.target,
        prediction.item() if isinstance(prediction, np.generic) else prediction,
        probabilities,
        tuple(_applied(rules.rules[one.rule], one.fraction, values, rules.language) for one in matched.rules),
        tuple(_applied(rules.rules[i], 0.0, values, rules.language) for i in matched.others),
        _why_no_rule(matched.stops, predictor, rules.language),
        rules.language,
    )


def _applied(rule: Rule, fraction: float, values: NDArray[np.float64], language: str) -> AppliedRule:
    seen = tuple(c.cell_words(float(values[0, c.position]), language) for c in rule.conditions)
    return AppliedRule(rule, fraction, seen)


def _why_no_rule(
    stops: tuple[NodeStop, ...], predictor: TreePredictor | RuleListPredictor, language: str
) -> str | None:
    if not stops or isinstance(predictor, RuleListPredictor):
        return None
    _ = messages(language)
    tree, node = predictor.tree, stops[0].node
    values = {
        "node": node,
        "path": path_texts(tree, [node], language)[0],
        "column": tree.schema.names[tree.column[node]],
    }
    if len(stops) == 1:
        return _(
            "The row stops at node {node} ({path}), which splits on {column}; this node predicts.",
            **values,
        )
    return _.plural(
        "The row stops at node {node} ({path}), which splits on {column}, and at {n} more node; these nodes predict.",
        "The row stops at node {node} ({path}), which splits on {column}, and at {n} more nodes; these nodes predict.",
        len(stops) - 1,
        **values,
    )


def _applied_document(one: AppliedRule, language: str) -> dict[str, Any]:
    return {"rule": one.rule.to_dict(language), "fraction": one.fraction, "seen": list(one.seen)}


def _lines(found: RuleExplanation) -> list[str]:
    _ = messages(found.language)
    lines = [_opening(found)]
    if not found.applied:
        return [printable(line) for line in lines]
    several = _is_divided(found)
    for one in found.applied[:N_SHOWN]:
        if several:
            values = {"number": one.rule.number, "fraction": f"{one.fraction:.3g}"}
            prediction = one.rule.prediction_words
            lines.append(_("rule {number}, fraction {fraction}: {prediction}", **values, prediction=prediction))
        lines += [f"    {line}" for line in _condition_lines(one, found.language)]
    n_more = len(found.applied) - N_SHOWN
    if n_more > 0:
        lines.append(
            _.plural("… {n} more rule with a smaller fraction", "… {n} more rules with smaller fractions", n_more)
        )
    if found.why is not None:
        lines.append(found.why)
    if found.others:
        lines.append(_("Rules that also apply, but come later:"))
        for one in found.others[:N_SHOWN]:
            text = f"{one.rule.words(found.language)} -> {one.rule.prediction_words}"
            lines.append("    " + _("rule {number}: {rule}", number=one.rule.number, rule=text))
        n_more = len(found.others) - N_SHOWN
        if n_more > 0:
            lines.append("    " + _.plural("… {n} more rule", "… {n} more rules", n_more))
    return [printable(line) for line in lines]


def _is_divided(found: RuleExplanation) -> bool:
    """Whether several rules, or rules and nodes, predict for fractions of the row."""
    return len(found.applied) > 1 or found.why is not None


def _opening(found: RuleExplanation) -> str:
    _ = messages(found.language)
    if found.probabilities:
        prediction = _("class {label}", label=format_category(found.prediction))
    else:
        prediction = f"{found.target} = {found.prediction:.6g}"
    if not found.applied and found.why is None:
        return _("{prediction}, by default: no rule applies.", prediction=prediction)
    if not found.applied:
        return _("{prediction}, not by a rule. {reason}", prediction=prediction, reason=found.why)
    if _is_divided(found):
        return _("{prediction}, by several rules, each for a fraction of the row:", prediction=prediction)
    return _("{prediction}, by rule {number}:", prediction=prediction, number=found.applied[0].rule.number)


def _condition_lines(one: AppliedRule, language: str) -> list[str]:
    _ = messages(language)
    return [
        _(
            "{condition}  ({column} is {value})",
            condition=condition.words(language),
            column=condition.name,
            value=seen,
        )
        for condition, seen in zip(one.rule.conditions, one.seen, strict=True)
    ] or [_("always")]
