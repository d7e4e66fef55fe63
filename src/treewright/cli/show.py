"""Show: print a tree, or a part of it.

In: a model. Out: what it is, and its text; or its rules, or the importances of its columns.
"""

from typing import TYPE_CHECKING, Any

import click

from treewright.cli.about import algorithm_words, chosen_parameters, pairs, schema_dict, size_dict, size_words
from treewright.cli.models import kind_of, made_by, model_argument, open_model, tree_in
from treewright.cli.rules import open_rules
from treewright.cli.terminal import Terminal, bold
from treewright.cli.verb import option, verb
from treewright.model.words import beginning, category_words, printable, weight_words

if TYPE_CHECKING:
    from treewright.model.node import Node
    from treewright.model.tree import Tree


@verb(
    examples=[
        "treewright show golf.json",
        "treewright show golf.json --depth 1",
        "treewright show golf.json --node 3",
        "treewright show golf.json --importances",
    ]
)
@model_argument
@option("--depth", type=click.IntRange(0), metavar="N", help="Print the tree to this depth.")
@option("--node", type=click.IntRange(0), metavar="N", help="A node and what is below it.")
@option("--rules", is_flag=True, help="The leaves as rules instead of the tree.")
@option("--importances", is_flag=True, help="What the splits of each column gained instead of the tree.")
def command(
    terminal: Terminal, model: str, depth: int | None, node: int | None, rules: bool, importances: bool
) -> None:
    """Print a tree, or a part of it.

    The head says how the model was made, how large it is, and its fingerprint: the same for the same tree and columns,
    on every machine. Behind a leaf stand the weight of its training rows and that of those answered wrong.
    """
    found = open_model(model)
    tree = tree_in(found)
    if tree is None:
        terminal.give(found.to_dict())
        terminal.say(found.to_text())
        return
    if terminal.as_json:
        terminal.give({"made_by": made_by(model)} | document(found, tree, node))
        return
    if node is not None:
        terminal.say("\n".join(node_lines(tree.node(node), depth)))
        return
    terminal.say("\n".join(pairs(head(found, tree, made_by(model)))))
    terminal.say()
    if importances:
        from treewright.explain.importance import importances as gains

        terminal.say(str(gains(tree)))
    elif rules:
        terminal.say(open_rules(found, model).to_text())
    else:
        terminal.say(tree.to_text(depth))


def head(model: Any, tree: "Tree", maker: str | None) -> list[tuple[str, str]]:
    """What a model is, and which program made it."""
    target = tree.schema.target
    classes = target.classes or ()
    shown = ", ".join(beginning(printable(category_words(c)), 30) for c in classes[:8])
    more = f" and {len(classes) - 8} more" if len(classes) > 8 else ""
    lines = [("model", algorithm_words(model) if hasattr(model, "grown_tree_") else kind_of(model))]
    if maker is not None:
        lines.append(("made by", maker))
    lines += [(f"  {name}", value) for name, value in chosen(model).items()]
    lines.append(("target", printable(target.name) + (f": {shown}{more}" if classes else ", a number")))
    lines.append(("columns", f"{tree.schema.n_columns:,}"))
    lines.append(("rows", f"{int(tree.count[0]):,}"))
    lines.append(("size", size_words(tree)))
    grown = getattr(model, "grown_tree_", tree)
    if grown.n_nodes != tree.n_nodes:
        lines.append(("grown", size_words(grown)))
    lines.append(("fingerprint", tree.fingerprint()))
    return lines


def chosen(model: Any) -> dict[str, str]:
    """The parameters that differ from the defaults."""
    return chosen_parameters(model) if hasattr(model, "grown_tree_") else {}


def document(model: Any, tree: "Tree", node: int | None) -> dict[str, Any]:
    """The model as data: what it is, and its nodes, or one of them."""
    from treewright.explain.importance import importances

    if node is not None:
        return node_dict(tree.node(node))
    return {
        "kind": kind_of(model) if not hasattr(model, "grown_tree_") else type(model).__name__,
        "parameters": chosen(model),
        **schema_dict(tree),
        "rows": int(tree.count[0]),
        "tree": size_dict(tree),
        "grown": size_dict(getattr(model, "grown_tree_", tree)),
        "fingerprint": tree.fingerprint(),
        "importances": importances(tree).to_dict()["rows"],
        "text": tree.to_text(),
        "nodes": [node_dict(one) for one in tree.walk()],
    }


def node_dict(node: "Node") -> dict[str, Any]:
    """A node as data."""
    split, parent = node.split, node.parent
    found: dict[str, Any] = {
        "node": node.id,
        "parent": None if parent is None else parent.id,
        "depth": node.depth,
        "branch": node.branch_words,
        "column": None if split is None else split.name,
        "children": [child.id for child in node.children],
        "rows": node.count,
        "weight": node.weight,
        "impurity": node.impurity,
        "gain": None if split is None else node.gain,
    }
    if node.tree.schema.target.is_number:
        return found | {"answer": node.value, "class_weights": None, "probabilities": None}
    weights, shares = (
        [[category_words(name), one] for name, one in by_class.items()]
        for by_class in (node.class_weights, node.shares)
    )
    return found | {"answer": category_words(node.majority), "class_weights": weights, "probabilities": shares}


def node_lines(node: "Node", depth: int | None) -> list[str]:
    """A node in words, and the text of what is below it."""
    from treewright.model.text import text_below

    tree, split = node.tree, node.split
    way = [printable(words) for _, words in node.path()]
    lines = [("node", f"{node.id}, depth {node.depth}"), ("where", " and ".join(way) or "root")]
    lines.append(("answer", printable(node.answer_words())))
    if not tree.schema.target.is_number:
        shown = list(node.class_weights.items())[:12]
        lines.append(("rows", ", ".join(f"{printable(category_words(c))} {weight_words(w)}" for c, w in shown)))
        if not tree.answering.is_plain:
            chances = ", ".join(f"{printable(category_words(c))} {node.shares[c]:.1%}" for c, _ in shown)
            lines.append(("probability", chances))
    lines.append(("impurity", f"{tree.criterion} {node.impurity:.6g}"))
    if split is not None:
        lines.append(("asks for", f"{printable(split.name)}, gain {node.gain:.6g}"))
        children = ", ".join(f"{child.id}" for child in node.children[:20])
        lines.append(("children", children + (" …" if len(node.children) > 20 else "")))
    lines += [("surrogate", printable(one.words())) for one in node.surrogates]
    text = [] if split is None else ["", bold("Below"), *text_below(tree, node.id, depth).splitlines()]
    return [*pairs(lines), *text]
