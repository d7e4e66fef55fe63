"""Reasons: why a row gets its answer, in one line for each leaf or rule.

In: a tree or a set of rules. Out: texts on one line each, made once and shared by all rows that come to the leaf or
rule.
"""

from treewright.model.tree import Tree
from treewright.model.words import beginning, category_words, printable
from treewright.predict.rule import Rule as How
from treewright.rules.leaves import leaf_rules
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet

LONGEST = 1000
"""Characters of a reason: the way to a leaf may be thousands of steps long."""


def leaf_reasons(tree: Tree, how: How) -> list[str | None]:
    """The reason of each leaf, by node; None for a node that is none.

    >>> from treewright.model.build import golf_example
    >>> leaf_reasons(golf_example(), How())[4]
    'outlook = sunny and humidity <= 75 -> Play [support 2 (14.3%), confidence 100.0%, lift 1.56]'
    """
    found: list[str | None] = [None] * tree.n_nodes
    for rule in leaf_rules(tree, how):
        if rule.node is not None:
            found[rule.node] = _line(rule)
    return found


def rule_reasons(rules: RuleSet) -> list[str]:
    """The reason of each rule, and behind them that of the default."""
    found = [f"rule {rule.number}: {_line(rule)}" for rule in rules]
    return [*found, printable(f"no rule applies -> {category_words(rules.default)}")]


def stop_reason(tree: Tree, node: int) -> str:
    """The reason of a row whose way ends at a node that is no leaf.

    >>> from treewright.model.build import golf_example
    >>> stop_reason(golf_example(), 1)
    'outlook = sunny, and no further: humidity is not known'
    """
    steps: list[str] = []
    at = tree.node(node)
    split = at.split
    asks = "" if split is None else f"{split.name} is not known"
    while at.parent is not None and at.branch_words is not None:
        steps.append(at.branch_words)
        at = at.parent
    way = " and ".join(reversed(steps))
    return printable(beginning(f"{way}, and no further: {asks}" if way else asks, LONGEST))


def _line(rule: Rule) -> str:
    words = beginning(rule.words(), LONGEST)
    return printable(f"{words} -> {rule.answer_words} [{rule.figures()}]")
