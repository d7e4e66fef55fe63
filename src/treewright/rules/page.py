"""Page: rules as text, Markdown, HTML, a data frame and a document.

In: a `RuleSet`. Out: its rules in the user's words, which are text everywhere, whatever they hold.
"""

import json
import re
from typing import TYPE_CHECKING, Any

from treewright.model.grid import Grid, counted, new_frame
from treewright.model.limit import read_limit
from treewright.model.plain import plain
from treewright.model.words import category_words, printable, weight_words
from treewright.rules.markdown import markdown_table, markdown_text
from treewright.rules.rule import Rule

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet

# What an editor would obey, what no encoding takes, and what ends a block of script: JSON can write every character by
# its code. Control characters are written so anyway.
_LONE = re.compile("[\ud800-\udfff]")
_BY_CODE = re.compile("[<\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def first_rules(rules: "RuleSet", n_rules: int | None) -> tuple[Rule, ...]:
    """The first rules, as many as were asked for; None is all."""
    return tuple(rules.rules[: read_limit("n_rules", n_rules, "number of rules")])


def as_text(rules: "RuleSet", n_rules: int | None = None) -> str:
    """The rules one below the other, as c4.5rules prints them; the first `n_rules`, None is all."""
    lines: list[str] = []
    shown = first_rules(rules, n_rules)
    for rule in shown:
        lines += [f"Rule {rule.number}:"]
        lines += [f"    {printable(condition.words())}" for condition in rule.conditions] or ["    always"]
        lines += [f"    ->  {printable(answer_words(rules, rule))}  [{_behind(rule)}]", ""]
    n_more = len(rules) - len(shown)
    if n_more:
        lines += [f"… {counted(n_more, 'more rule')}", ""]
    if rules.form == "generalised":
        lines += [printable(f"Default class: {category_words(rules.default)}"), ""]
    return "\n".join(lines[:-1])


def answer_words(rules: "RuleSet", rule: Rule) -> str:
    """What a rule answers: a class, or the target's number."""
    return f"{rules.target} = {rule.answer_words}" if rule.shares is None else f"class {rule.answer_words}"


def _behind(rule: Rule) -> str:
    """What stands behind an answer: what is expected of a generalised rule, and how a leaf's training rows are."""
    return rule.figures() if rule.error is None else f"{1.0 - rule.error:.1%}"


def as_markdown(rules: "RuleSet", n_rules: int | None = None) -> str:
    """The rules as a table of Markdown."""
    head, rows, right = _table(rules, n_rules)
    lines = markdown_table(head, rows, right)
    lines += [line for below in _below(rules, n_rules) for line in ("", markdown_text(below))]
    return "\n".join(lines)


def as_html(rules: "RuleSet", n_rules: int | None = None) -> str:
    """The rules as a table for a notebook."""
    head, rows, right = _table(rules, n_rules)
    return f"<div>{Grid(head, rows, right, _below(rules, n_rules)).html()}</div>"


def _table(rules: "RuleSet", n_rules: int | None) -> tuple[list[str], list[list[str]], list[bool]]:
    """The head, the rows and which columns stand on the right."""
    columns: dict[str, tuple[list[str], bool]] = {}
    shown = first_rules(rules, n_rules)
    columns["rule"] = [str(rule.number) for rule in shown], True
    columns["if"] = [printable(rule.words()) for rule in shown], False
    columns["then"] = [printable(answer_words(rules, rule)) for rule in shown], False
    columns["rows"] = [weight_words(rule.weight) for rule in shown], True
    columns["support"] = [f"{rule.support:.1%}" for rule in shown], True
    if rules.is_number:
        columns["deviation"] = [f"{rule.deviation:.4g}" for rule in shown], True
    else:
        columns["confidence"] = ["" if rule.confidence is None else f"{rule.confidence:.1%}" for rule in shown], True
        columns["lift"] = ["" if rule.lift is None else f"{rule.lift:.2f}" for rule in shown], True
    if rules.form == "generalised":
        columns["expected"] = ["" if rule.error is None else f"{1.0 - rule.error:.1%}" for rule in shown], True
    rows = [list(cells) for cells in zip(*(cells for cells, _ in columns.values()), strict=True)]
    return list(columns), rows, [on_right for _, on_right in columns.values()]


def _below(rules: "RuleSet", n_rules: int | None) -> list[str]:
    n_more = len(rules) - len(first_rules(rules, n_rules))
    lines = [f"… {counted(n_more, 'more rule')}"] if n_more else []
    if rules.form == "generalised":
        lines.append(printable(f"Default class: {category_words(rules.default)}"))
    return lines


def as_frame(rules: "RuleSet") -> Any:
    """The rules as a data frame, one in a row."""
    every = rules.rules
    columns: dict[str, list[Any]] = {
        "number": [rule.number for rule in every],
        "conditions": [printable(rule.words()) for rule in every],
        "n_conditions": [len(rule.conditions) for rule in every],
        "value" if rules.is_number else "class": [_encodable(rule.answer) for rule in every],
        "weight": [rule.weight for rule in every],
        "support": [rule.support for rule in every],
    }
    others = ("deviation",) if rules.is_number else ("confidence", "lift")
    last = "error" if rules.form == "generalised" else "node"
    return new_frame(columns | {name: [getattr(rule, name) for rule in every] for name in (*others, last)})


def _encodable(label: Any) -> Any:
    """A label as it is, unless it is a text that frames cannot hold because it has no encoding."""
    return printable(label) if isinstance(label, str) and _LONE.search(label) else label


def as_document(rules: "RuleSet") -> dict[str, Any]:
    """The rules as plain values."""
    said: dict[str, Any] = {"form": rules.form, "target": rules.target}
    if not rules.is_number:
        said["classes"] = [plain(label) for label in rules.classes]
    said["rules"] = [rule.to_dict() for rule in rules.rules]
    if rules.form == "generalised":
        said["default"] = plain(rules.default)
        said["default_shares"] = list(rules.default_shares)
        said["training_errors"] = rules.training_errors
    return said


def as_json(document: Any, indent: int | None = None) -> str:
    """A document as JSON that can be stored as UTF-8 and stand in a page, whatever its strings hold.

    >>> print(as_json({"name": "</script>"}))
    {"name": "\\u003c/script>"}
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=indent)
    return _BY_CODE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
