"""A rule set as text, Markdown, HTML, a data frame and JSON.

Names, categories and classes come from the user's table. They are escaped for each format, whatever they hold.
"""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from treewright.deprecation import with_old_keys
from treewright.language import messages
from treewright.model.formatting import format_category, format_weight, printable, read_limit
from treewright.model.json_values import to_json_value
from treewright.rules.rule import Rule
from treewright.text_table import Grid, new_frame

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet

OLD_KEYS = {"default_probabilities": "default_shares"}
"""Keys of `RuleSet.to_dict` that had another name."""

# Characters that direct an editor, that no encoding takes, or that end a script block. JSON can write any character by
# its code; it writes control characters so anyway.
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSAFE_IN_JSON = re.compile("[<\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

# Characters that Markdown interprets within a line: emphasis, code, links, table cells, tags, and those of common
# extensions: mathematics, highlighted text, emoji by name, addresses and mentions. "x <= 3" needs none of them.
_MARKS = re.compile(r"[\\`*_\[\]|~^$]|=(?==)|(?<==)=|:(?=\S)|@(?=\w)")
_TAG, _ENTITY = re.compile(r"<(?=[A-Za-z/!?])"), re.compile(r"&(?=[#\w])")


def as_text(rules: "RuleSet", n_rules: int | None = None) -> str:
    """Return the first `n_rules` rules one below the other, as c4.5rules prints them; None: all."""
    _ = messages(rules.language)
    shown = _first_rules(rules, n_rules)
    blocks = []
    for rule in shown:
        conditions = [condition.words(rules.language) for condition in rule.conditions] or [_("always")]
        # An expected accuracy for a generalised rule, and the statistics of the training rows for a leaf.
        figures = rule.figures(rules.language) if rule.error is None else f"{1.0 - rule.error:.1%}"
        lines = [_("Rule {number}:", number=rule.number), *(f"    {condition}" for condition in conditions)]
        lines.append(f"    ->  {_prediction_words(rules, rule)}  [{figures}]")
        blocks.append("\n".join(printable(line) for line in lines))
    return "\n\n".join(blocks + _notes(rules, len(shown)))


def as_markdown(rules: "RuleSet", n_rules: int | None = None) -> str:
    """Return the first `n_rules` rules as a Markdown table."""
    shown = _first_rules(rules, n_rules)
    columns = _table_columns(rules, shown)
    lines = markdown_table(
        [column.name for column in columns],
        [list(row) for row in zip(*(column.cells for column in columns), strict=True)],
        [column.on_right for column in columns],
    )
    lines += [line for note in _notes(rules, len(shown)) for line in ("", markdown_text(note))]
    return "\n".join(lines)


def as_html(rules: "RuleSet", n_rules: int | None = None) -> str:
    """Return the first `n_rules` rules as an HTML table for a notebook."""
    shown = _first_rules(rules, n_rules)
    columns = _table_columns(rules, shown)
    grid = Grid(
        [column.name for column in columns],
        [list(row) for row in zip(*(column.cells for column in columns), strict=True)],
        [column.on_right for column in columns],
        _notes(rules, len(shown)),
    )
    return f"<div>{grid.html()}</div>"


def _first_rules(rules: "RuleSet", n_rules: int | None) -> tuple[Rule, ...]:
    return tuple(rules.rules[: read_limit("n_rules", n_rules)])


def _prediction_words(rules: "RuleSet", rule: Rule) -> str:
    if rule.probabilities is None:
        return f"{rules.target} = {rule.prediction_words}"
    _ = messages(rules.language)
    return _("class {label}", label=rule.prediction_words)


def _notes(rules: "RuleSet", n_shown: int) -> list[str]:
    """Return the text after the rules: how many more there are, and the default class."""
    _ = messages(rules.language)
    n_more = len(rules) - n_shown
    notes = [_.plural("… {n} more rule", "… {n} more rules", n_more)] if n_more else []
    if rules.form == "generalised":
        notes.append(printable(_("Default class: {label}", label=format_category(rules.default))))
    return notes


class _TableColumn(NamedTuple):
    name: str
    cells: list[str]
    on_right: bool


def _table_columns(rules: "RuleSet", shown: Sequence[Rule]) -> list[_TableColumn]:
    _ = messages(rules.language)
    columns = [
        _TableColumn(_("rule"), [str(rule.number) for rule in shown], True),
        _TableColumn(_.context("rule", "if"), [printable(rule.words(rules.language)) for rule in shown], False),
        _TableColumn(_.context("rule", "then"), [printable(_prediction_words(rules, rule)) for rule in shown], False),
        _TableColumn(_("rows"), [format_weight(rule.weight) for rule in shown], True),
        _TableColumn(_("support"), [f"{rule.support:.1%}" for rule in shown], True),
    ]
    if rules.is_number:
        columns.append(_TableColumn(_("deviation"), [f"{rule.deviation:.4g}" for rule in shown], True))
    else:
        columns.append(_TableColumn(_("confidence"), [_percent(rule.confidence) for rule in shown], True))
        lifts = ["" if rule.lift is None else f"{rule.lift:.2f}" for rule in shown]
        columns.append(_TableColumn(_("lift"), lifts, True))
    if rules.form == "generalised":
        expected = [_percent(None if rule.error is None else 1.0 - rule.error) for rule in shown]
        columns.append(_TableColumn(_("expected"), expected, True))
    return columns


def _percent(proportion: float | None) -> str:
    return "" if proportion is None else f"{proportion:.1%}"


def as_frame(rules: "RuleSet") -> Any:
    """Return the rules as a data frame, one rule in a row."""
    columns: dict[str, list[Any]] = {
        "number": [rule.number for rule in rules.rules],
        "conditions": [printable(rule.words(rules.language)) for rule in rules.rules],
        "n_conditions": [len(rule.conditions) for rule in rules.rules],
        "value" if rules.is_number else "class": [_encodable(rule.prediction) for rule in rules.rules],
        "weight": [rule.weight for rule in rules.rules],
        "support": [rule.support for rule in rules.rules],
    }
    others = ("deviation",) if rules.is_number else ("confidence", "lift")
    last = "error" if rules.form == "generalised" else "node"
    return new_frame(columns | {name: [getattr(rule, name) for rule in rules.rules] for name in (*others, last)})


def _encodable(label: Any) -> Any:
    """Return a label unchanged, unless it is text that a data frame cannot hold because it has no encoding."""
    return printable(label) if isinstance(label, str) and _LONE_SURROGATE.search(label) else label


def as_document(rules: "RuleSet") -> dict[str, Any]:
    """Return the rules as values that JSON can hold."""
    document: dict[str, Any] = {"form": rules.form, "target": rules.target}
    if not rules.is_number:
        document["classes"] = [to_json_value(label) for label in rules.classes]
    document["rules"] = [rule.to_dict(rules.language) for rule in rules.rules]
    if rules.form == "generalised":
        document["default"] = to_json_value(rules.default)
        document["default_probabilities"] = list(rules.default_probabilities)
        document["training_errors"] = rules.training_errors
    return with_old_keys(document, OLD_KEYS)


def as_json(document: Any, indent: int | None = None) -> str:
    """Return a document as JSON that is valid UTF-8 and safe inside an HTML page, whatever its strings hold.

    >>> print(as_json({"name": "</script>"}))
    {"name": "\\u003c/script>"}
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=indent)
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def markdown_text(text: str) -> str:
    """Escape text, so that Markdown shows it unchanged.

    >>> print(markdown_text("a|b <b> *c* <= 3"))
    a\\|b &lt;b> \\*c\\* <= 3
    """
    text = _ENTITY.sub("&amp;", printable(text))
    return _TAG.sub("&lt;", _MARKS.sub(r"\\\g<0>", text))


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """Return the lines of a Markdown table; the cells of the rows are escaped.

    >>> markdown_table(["rule", "if"], [["1", "x <= 3"]], [True, False])
    ['| rule | if |', '|---:|---|', '| 1 | x <= 3 |']
    """
    lines = [f"| {' | '.join(head)} |", "|" + "|".join("---:" if one else "---" for one in right) + "|"]
    return lines + [f"| {' | '.join(map(markdown_text, cells))} |" for cells in rows]
