"""The layout of a picture: the box of each node, the label of its branch, and a position for both without overlaps.

A tree is drawn from top to bottom ("down") or from left to right ("across"). The positions along a level are those of
the tidy tree drawing of Reingold and Tilford for any number of branches, in the linear time of Buchheim, Jünger and
Leipert (2002), for nodes of different sizes and without recursion.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from treewright.export.labels import Labels, compact
from treewright.export.outline import Outline
from treewright.plot.node_box import BranchLabel, NodeBox, fit_branch_label, make_node_box, make_rest_box
from treewright.plot.shapes import Chart

DIRECTIONS = ("auto", "down", "across")
"""Root at the top, or on the left; "auto" chooses."""

WIDE = 1250.0
"""A picture wider than this is drawn across instead of down, unless that is wider still."""

MAX_LABEL_WIDTH = 170.0
"""Width of the label of a branch."""

LABEL_HEIGHT = 17.0
GAP = 14.0
"""Space between siblings."""

LEVEL_GAP = 34.0
"""Space between a level and the labels of the next one."""

COUSIN_GAP = 1.8
"""Space between neighbours with different parents, relative to the space between siblings."""


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Boxes, and the labels of the branches that lead to them; one entry per node of the outline."""

    shown: Outline
    labels: Labels
    boxes: list[NodeBox]
    labels_above: list[BranchLabel]


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """The positions of the boxes, and the size of the whole.

    x, y      the upper left corner of each box
    label_x   where the label before it starts
    bends_to  where the curve to it stops bending, in y for "down" and in x for "across"; after that it is straight
    """

    x: list[float]
    y: list[float]
    label_x: list[float]
    bends_to: list[float]
    width: float
    height: float
    down: bool

    def moved(self, dx: float, dy: float) -> "Positions":
        """The same at another place."""
        x, y = [at + dx for at in self.x], [at + dy for at in self.y]
        bends_to = [at + (dy if self.down else dx) for at in self.bends_to]
        return replace(self, x=x, y=y, label_x=[at + dx for at in self.label_x], bends_to=bends_to)


def make_boxes(shown: Outline, labels: Labels, charts: Mapping[int, Chart] | None = None) -> Boxes:
    """Return the boxes of the nodes that are shown, some with charts, and the labels of their branches."""
    tree = shown.tree
    boxes: list[NodeBox] = []
    labels_above: list[BranchLabel] = []
    first_child = tree.first_child.tolist()
    for place, node in enumerate(shown.node):
        above = shown.parent[place]
        if node < 0:
            weight = f"n={compact(rest_weight(shown, place))}"
            boxes.append(make_rest_box(shown.n_rest[place], shown.n_hidden[place], weight, labels.language))
            labels_above.append(BranchLabel("", "", 0.0))
            continue
        boxes.append(make_node_box(labels, node, shown.n_hidden[place], (charts or {}).get(node)))
        if above < 0:
            labels_above.append(BranchLabel("", "", 0.0))
            continue
        parent = shown.node[above]
        edge = labels.edge(parent, node - first_child[parent])
        labels_above.append(fit_branch_label(edge, MAX_LABEL_WIDTH, labels.language))
    return Boxes(shown, labels, boxes, labels_above)


def rest_weight(shown: Outline, place: int) -> float:
    """Return the weight of the branches that share one box."""
    tree, above = shown.tree, shown.parent[place]
    parent = shown.node[above]
    first, many = int(tree.first_child[parent]), int(tree.n_children[parent])
    drawn = shown.node[shown.first[above] : place]
    return max(0.0, float(tree.weight[first : first + many].sum() - tree.weight[drawn].sum()))


def arrange_boxes(boxes: Boxes, direction: str) -> tuple[Boxes, Positions]:
    """Return the positions of the boxes; boxes in one column of a picture across are made equally wide."""
    if direction == "across":
        return _arrange_across(boxes)
    down = _arrange_down(boxes)
    if direction == "down" or down.width <= WIDE:
        return boxes, down
    widened, across = _arrange_across(boxes)
    return (widened, across) if across.width < down.width else (boxes, down)


def _arrange_down(boxes: Boxes) -> Positions:
    """The root at the top; the label of a branch is above its box."""
    shown, all_boxes = boxes.shown, boxes.boxes
    sizes = [max(box.width, label.width + 8) for box, label in zip(all_boxes, boxes.labels_above, strict=True)]
    centres = tidy(shown.parent, shown.first, shown.n_shown, sizes, GAP)
    depths = shown.depths()
    tallest = [0.0] * (max(depths) + 1)
    for depth, box in zip(depths, all_boxes, strict=True):
        tallest[depth] = max(tallest[depth], box.height)
    tops, y = [0.0] * len(tallest), 0.0
    for depth, height in enumerate(tallest):
        tops[depth] = y
        y += height + LEVEL_GAP + LABEL_HEIGHT + 4
    x = [centre - box.width / 2 for centre, box in zip(centres, all_boxes, strict=True)]
    tops_of = [tops[depth] for depth in depths]
    width = max(centre + size / 2 for centre, size in zip(centres, sizes, strict=True))
    label_x = [centre - label.width / 2 for centre, label in zip(centres, boxes.labels_above, strict=True)]
    bends_to = [top - LABEL_HEIGHT - 4 for top in tops_of]
    return Positions(x, tops_of, label_x, bends_to, width, tops[-1] + tallest[-1], down=True)


def _arrange_across(boxes: Boxes) -> tuple[Boxes, Positions]:
    """The root on the left; the label of a branch is before its box."""
    shown, all_boxes = boxes.shown, boxes.boxes
    sizes = [box.height for box in all_boxes]
    centres = tidy(shown.parent, shown.first, shown.n_shown, sizes, GAP * 0.75)
    depths = shown.depths()
    widest, longest = [0.0] * (max(depths) + 1), [0.0] * (max(depths) + 1)
    for depth, box, label in zip(depths, all_boxes, boxes.labels_above, strict=True):
        widest[depth] = max(widest[depth], box.width)
        longest[depth] = max(longest[depth], label.width)
    starts, x = [0.0] * len(widest), 0.0
    for depth, (width, label_width) in enumerate(zip(widest, longest, strict=True)):
        x += label_width + 12 if depth else 0.0
        starts[depth] = x
        x += width + LEVEL_GAP * 1.4
    y = [centre - box.height / 2 for centre, box in zip(centres, all_boxes, strict=True)]
    starts_of = [starts[depth] for depth in depths]
    label_x = [start - 8 - label.width for start, label in zip(starts_of, boxes.labels_above, strict=True)]
    height = max(centre + size / 2 for centre, size in zip(centres, sizes, strict=True))
    bends_to = [starts[depth] - 12 - longest[depth] for depth in depths]
    positions = Positions(starts_of, y, label_x, bends_to, starts[-1] + widest[-1], height, down=False)
    widened = [replace(box, width=widest[depth]) for depth, box in zip(depths, all_boxes, strict=True)]
    return replace(boxes, boxes=widened), positions


@dataclass(slots=True)
class _TidyState:
    """The state of the tidy layout; one entry per node. The names in brackets are those of Buchheim et al.

    place   centre, relative to the subtree of the parent's first child (prelim)
    moved   by how much all descendants are moved (mod)
    shift, change  moves of a node and its siblings that have yet to be distributed
    thread  the next node of the contour of a subtree, at its deepest node
    top     the sibling whose subtree contains this node's contour (ancestor)
    number  the index among the siblings
    """

    parent: Sequence[int]
    first: Sequence[int]
    many: Sequence[int]
    size: Sequence[float]
    gap: float
    place: list[float]
    moved: list[float]
    shift: list[float]
    change: list[float]
    thread: list[int]
    top: list[int]
    number: list[int]

    def distance(self, a: int, b: int) -> float:
        """The distance of two neighbours of a level."""
        gap = self.gap if self.parent[a] == self.parent[b] else self.gap * COUSIN_GAP
        return (self.size[a] + self.size[b]) / 2 + gap

    def next_low(self, node: int) -> int:
        """The next node of the contour on the side of the first children."""
        return self.first[node] if self.many[node] else self.thread[node]

    def next_high(self, node: int) -> int:
        """The next node of the contour on the side of the last children."""
        return self.first[node] + self.many[node] - 1 if self.many[node] else self.thread[node]


def tidy(
    parent: Sequence[int], first: Sequence[int], many: Sequence[int], size: Sequence[float], gap: float
) -> list[float]:
    """Return the centre of each node along its level; the lowest edge of all nodes is 0.

    parent, first, many  the parent, the first child and the number of children of each node, parents first
    size                 of each node along its level
    gap                  between siblings

    >>> tidy([-1, 0, 0], [1, -1, -1], [2, 0, 0], [10.0, 20.0, 40.0], 5.0)
    [27.5, 10.0, 45.0]
    """
    n = len(parent)
    zeros = [0.0] * n
    state = _TidyState(
        parent=parent,
        first=first,
        many=many,
        size=size,
        gap=gap,
        place=zeros[:],
        moved=zeros[:],
        shift=zeros[:],
        change=zeros[:],
        thread=[-1] * n,
        top=list(range(n)),
        number=[0] * n,
    )
    # Children have higher numbers than their parent, so all subtrees below a node are placed before it.
    for node in range(n - 1, -1, -1):
        if many[node]:
            _place_children(state, node)
    place, moved = state.place, state.moved
    for node in range(1, n):
        above = moved[parent[node]]
        place[node] += above
        moved[node] += above
    edge = min(centre - width / 2 for centre, width in zip(place, size, strict=True))
    return [centre - edge for centre in place]


def _place_children(state: _TidyState, node: int) -> None:
    """Place the children of a node side by side, their subtrees being placed, and the node over their middle."""
    children = range(state.first[node], state.first[node] + state.many[node])
    joined = children[0]
    for number, child in enumerate(children):
        state.number[child] = number
        if number:
            # The position of the child over its own children determines how they move with it.
            over = state.place[child]
            state.place[child] = state.place[child - 1] + state.distance(child - 1, child)
            if state.many[child]:
                state.moved[child] = state.place[child] - over
            joined = _separate(state, child, joined)
    _distribute_moves(state, children)
    state.place[node] = (state.place[children[0]] + state.place[children[-1]]) / 2


def _separate(state: _TidyState, child: int, joined: int) -> int:
    """Move a subtree away from those of the siblings before it, as far as their contours require ("apportion")."""
    place, moved = state.place, state.moved
    # Two contours face each other: that of the siblings before and that of the child; the outer ones are kept in step.
    before, own = child - 1, child
    outer_before, outer_own = state.first[state.parent[child]], child
    sums = [moved[outer_before], moved[before], moved[own], moved[outer_own]]
    while (following := state.next_high(before)) >= 0 and (next_own := state.next_low(own)) >= 0:
        before, own = following, next_own
        outer_before, outer_own = state.next_low(outer_before), state.next_high(outer_own)
        state.top[outer_own] = child
        over = place[before] + sums[1] - place[own] - sums[2] + state.distance(before, own)
        if over > 0:
            near = state.top[before] if state.parent[state.top[before]] == state.parent[child] else joined
            _move_subtree(state, near, child, over)
            sums[2] += over
            sums[3] += over
        sums[0] += moved[outer_before]
        sums[1] += moved[before]
        sums[2] += moved[own]
        sums[3] += moved[outer_own]
    if state.next_high(before) >= 0 and state.next_high(outer_own) < 0:
        state.thread[outer_own] = state.next_high(before)
        moved[outer_own] += sums[1] - sums[3]
    if state.next_low(own) >= 0 and state.next_low(outer_before) < 0:
        state.thread[outer_before] = state.next_low(own)
        moved[outer_before] += sums[2] - sums[0]
        joined = child
    return joined


def _move_subtree(state: _TidyState, near: int, child: int, by: float) -> None:
    """Move the child's subtree; the siblings between the two share the move once all are placed."""
    part = by / (state.number[child] - state.number[near])
    state.change[child] -= part
    state.shift[child] += by
    state.change[near] += part
    state.place[child] += by
    state.moved[child] += by


def _distribute_moves(state: _TidyState, children: range) -> None:
    """Let siblings share the moves of those after them."""
    shift = change = 0.0
    for child in reversed(children):
        state.place[child] += shift
        state.moved[child] += shift
        change += state.change[child]
        shift += state.shift[child] + change
