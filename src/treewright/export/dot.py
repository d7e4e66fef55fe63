"""DOT: a tree for Graphviz and the programs that read its language.

In: a fitted estimator or a tree. Out: a digraph with a box per node and the words of the branches on its edges.
"""

import os
from typing import Any

from treewright.disk.write import write_file
from treewright.export.colours import class_colour, mixed, number_colour
from treewright.export.labels import Labels, clipped, counted_leaves
from treewright.export.outline import Outline, outline
from treewright.export.source import tree_of

LONGEST = 40
"""Characters of a name in a box; the rest is in the tooltip."""

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
) -> str:
    """The tree in the DOT language; written to `path` too, where one is given.

    given      a fitted estimator, or a Tree
    max_depth  nodes deeper than this are left out; a dashed box says how many leaves are below
    max_nodes  about how many nodes are written at most, those of most weight

    >>> from treewright.model.build import golf_example
    >>> print(to_dot(golf_example(), max_depth=0).splitlines()[-2])
        0 -> "0 more" [style=dashed, tooltip="not shown"]
    """
    tree = tree_of(given)
    shown = outline(tree, max_depth, max_nodes)
    labels = Labels(tree, nodes=shown.nodes())
    lines = [HEAD]
    for place in range(len(shown)):
        lines += _node(shown, labels, place)
    lines += ["}", ""]
    text = "\n".join(lines)
    if path is not None:
        write_file(path, text)
    return text


def quoted(*lines: str) -> str:
    """A string of DOT that shows these lines, whatever they hold.

    A backslash begins an escape there, and & begins a character of HTML.

    >>> print(quoted('say "a"', "b & c"))
    "say \\"a\\"\\nb &amp; c"
    """
    safe = (line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for line in lines)
    return '"' + "\\n".join(safe) + '"'


def _node(shown: Outline, labels: Labels, place: int) -> list[str]:
    """The lines of a node, of the edge that leads to it, and of the box for what is left out below it."""
    node, above = shown.node[place], shown.parent[place]
    up = str(shown.node[above]) if above >= 0 else ""
    if node < 0:
        words = f"… {shown.n_rest[place]:,} more branches"
        name = quoted(f"{up} rest")
        return [
            f'    {name} [label={quoted(words, counted_leaves(shown.n_hidden[place]))}, style="dashed,rounded"]',
            f"    {up} -> {name} [style=dashed]",
        ]
    lines = [f"    {node} [{_box(labels, node)}]"]
    if up:
        lines.append(f"    {up} -> {node} [{_edge(shown, labels, place)}]")
    if shown.n_hidden[place]:
        name = quoted(f"{node} more")
        label = quoted(f"… {counted_leaves(shown.n_hidden[place])}")
        lines.append(f'    {name} [label={label}, style="dashed,rounded"]')
        lines.append(f'    {node} -> {name} [style=dashed, tooltip="not shown"]')
    return lines


def _box(labels: Labels, node: int) -> str:
    sure, weight = labels.facts(node)
    label = quoted(f"#{node}  {clipped(labels.headline(node), LONGEST)}", f"{clipped(sure, LONGEST)}  {weight}")
    # A tint of the answer: strong enough to be told apart, light enough to be read on.
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
    label = quoted(f" {clipped(edge.short, LONGEST)} ")  # spaces keep it off the line
    return f"label={label}, tooltip={quoted(edge.full)}, penwidth={width:.2f}"
