"""A tree in the DOT language of Graphviz: a box for each node, and the conditions of the branches on the edges."""

import os
from typing import Any

from treewright.disk.atomic_write import write_file
from treewright.export.colours import class_colour, mixed, number_colour
from treewright.export.labels import Labels, clipped, counted_leaves
from treewright.export.outline import Outline, outline, tree_of
from treewright.language import messages

LONGEST = 40
"""Characters of a name that a box shows; the tooltip shows all of it."""

HEAD = """digraph tree {
    graph [ordering=out, ranksep=0.45, nodesep=0.25, charset="UTF-8"]
    node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=11, color="#a9b6c2", fillcolor="#ffffff"]
    edge [fontname="Helvetica", fontsize=10, color="#bcc8d2", arrowhead=none]"""


def to_dot(
    given: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    max_depth: int | None = None,
    max_nodes: int | None = None,
    overwrite: bool = False,
    language: str = "en",
) -> str:
    """Return the tree in the DOT language, and write it to `path` if there is one.

    Parameters
    ----------
    given : estimator or Tree
        A fitted estimator, or a tree.
    path : path-like, optional
        The file to write.
    max_depth : int, optional
        Depth of the deepest nodes. A dashed box shows how many leaves below them are left out.
    max_nodes : int, optional
        About how many nodes are written, the heaviest ones; all by default.
    overwrite : bool, default=False
        Whether an existing file is replaced; otherwise it is an error.
    language : {"en", "zh"}, default="en"
        Language of the words between your names and categories.

    Returns
    -------
    str
        The text of a directed graph.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> print(to_dot(golf_example(), max_depth=0).splitlines()[-2])
        0 -> "0 more" [style=dashed, tooltip="not shown"]
    """
    tree = tree_of(given)
    shown = outline(tree, max_depth, max_nodes)
    labels = Labels(tree, nodes=shown.nodes(), language=language)
    lines = [HEAD]
    for place in range(len(shown)):
        lines += _node(shown, labels, place)
    lines += ["}", ""]
    text = "\n".join(lines)
    if path is not None:
        write_file(path, text, overwrite=overwrite)
    return text


def quoted(*lines: str) -> str:
    """Return these lines as one quoted string of DOT, with special characters escaped.

    A backslash starts an escape sequence, and & an HTML entity.

    >>> print(quoted('say "a"', "b & c"))
    "say \\"a\\"\\nb &amp; c"
    """
    safe = (line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for line in lines)
    return '"' + "\\n".join(safe) + '"'


def _node(shown: Outline, labels: Labels, place: int) -> list[str]:
    """The lines of a node, of the edge to it, and of the box for the leaves that are left out below it."""
    _ = messages(labels.language)
    node, above = shown.node[place], shown.parent[place]
    up = str(shown.node[above]) if above >= 0 else ""
    if node < 0:
        n = shown.n_rest[place]
        words = _.plural("… {n} more branch", "… {n} more branches", n, n=f"{n:,}")
        leaves = counted_leaves(shown.n_hidden[place], labels.language)
        name = quoted(f"{up} rest")
        return [
            f'    {name} [label={quoted(words, leaves)}, style="dashed,rounded"]',
            f"    {up} -> {name} [style=dashed]",
        ]
    lines = [f"    {node} [{_box(labels, node)}]"]
    if up:
        lines.append(f"    {up} -> {node} [{_edge(shown, labels, place)}]")
    if shown.n_hidden[place]:
        name = quoted(f"{node} more")
        label = quoted(f"… {counted_leaves(shown.n_hidden[place], labels.language)}")
        lines.append(f'    {name} [label={label}, style="dashed,rounded"]')
        tooltip = quoted(_("not shown"))
        lines.append(f"    {node} -> {name} [style=dashed, tooltip={tooltip}]")
    return lines


def _box(labels: Labels, node: int) -> str:
    sure, weight = labels.facts(node)
    label = quoted(f"#{node}  {clipped(labels.headline(node), LONGEST)}", f"{clipped(sure, LONGEST)}  {weight}")
    # A tint of the colour of the prediction: strong enough to differ from others, light enough for legible text.
    colour = number_colour(labels.position(node)) if labels.is_number else class_colour(labels.majority(node))
    is_leaf = labels.tree.column[node] < 0
    look = f'fillcolor="{mixed("#ffffff", colour, 0.3 if is_leaf else 0.1)}"'
    if is_leaf:
        look += f', color="{colour}", penwidth=2'
    return f"label={label}, tooltip={quoted(*labels.full(node))}, {look}"


def _edge(shown: Outline, labels: Labels, place: int) -> str:
    tree, node, parent = shown.tree, shown.node[place], shown.node[shown.parent[place]]
    edge = labels.edge(parent, node - int(tree.first_child[parent]))
    total = float(tree.weight[0])
    width = 1 + 7 * (float(tree.weight[node]) / total if total > 0 else 0.0)
    label = quoted(f" {clipped(edge.short, LONGEST)} ")  # the spaces separate it from the line
    return f"label={label}, tooltip={quoted(edge.full)}, penwidth={width:.2f}"
