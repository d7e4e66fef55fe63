"""Layout: where the nodes of a tree stand, so that none overlap and every subtree keeps its shape.

In: the links of a tree, parents first and siblings side by side, and the size of each node along its level. Out: the
centre of each node along its level. The tidy drawing of Reingold and Tilford for any number of branches, in the linear
time of Buchheim, Jünger and Leipert (2002), for nodes of different sizes and without recursion.
"""

from collections.abc import Sequence
from dataclasses import dataclass

COUSINS = 1.8
"""How much farther apart neighbours of different parents stand than siblings."""


@dataclass(slots=True)
class _Walk:
    """The state of the drawing; one entry per node.

    place   centre, counted from the centre of the parent's first child's subtree
    moved   by how much all that is below is moved
    shift, change  moves of a node and its siblings that are still to be spread over them
    thread  where the outline of a subtree goes on, at its deepest node
    top     the sibling whose subtree this node's outline was joined to
    number  the place among the siblings
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

    def apart(self, a: int, b: int) -> float:
        """How far two neighbours of one level have to stand from each other."""
        gap = self.gap if self.parent[a] == self.parent[b] else self.gap * COUSINS
        return (self.size[a] + self.size[b]) / 2 + gap

    def low(self, node: int) -> int:
        """The next node of the outline on the side of the first children."""
        return self.first[node] if self.many[node] else self.thread[node]

    def high(self, node: int) -> int:
        """The next node of the outline on the side of the last children."""
        return self.first[node] + self.many[node] - 1 if self.many[node] else self.thread[node]


def tidy(
    parent: Sequence[int], first: Sequence[int], many: Sequence[int], size: Sequence[float], gap: float
) -> list[float]:
    """The centre of each node, the lowest edge of all being 0.

    parent, first, many  the parent, the first child and the number of children of each node
    size                 of each node along its level
    gap                  between siblings

    >>> tidy([-1, 0, 0], [1, -1, -1], [2, 0, 0], [10.0, 20.0, 40.0], 5.0)
    [27.5, 10.0, 45.0]
    """
    n = len(parent)
    zeros = [0.0] * n
    walk = _Walk(
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
    # Children come after their parent, so from the last node on all subtrees below a node are drawn already.
    for node in range(n - 1, -1, -1):
        if many[node]:
            _family(walk, node)
    place, moved = walk.place, walk.moved
    for node in range(1, n):
        above = moved[parent[node]]
        place[node] += above
        moved[node] += above
    edge = min(centre - width / 2 for centre, width in zip(place, size, strict=True))
    return [centre - edge for centre in place]


def _family(walk: _Walk, node: int) -> None:
    """Set the children of a node side by side, their subtrees being drawn, and the node over their middle."""
    children = range(walk.first[node], walk.first[node] + walk.many[node])
    joined = children[0]
    for number, child in enumerate(children):
        walk.number[child] = number
        if number:
            # Where the child stands over its own children is how they are moved when it is set elsewhere.
            over = walk.place[child]
            walk.place[child] = walk.place[child - 1] + walk.apart(child - 1, child)
            if walk.many[child]:
                walk.moved[child] = walk.place[child] - over
            joined = _push(walk, child, joined)
    _spread(walk, children)
    walk.place[node] = (walk.place[children[0]] + walk.place[children[-1]]) / 2


def _push(walk: _Walk, child: int, joined: int) -> int:
    """Move a subtree away from those of the siblings before it, as far as their outlines need it."""
    place, moved = walk.place, walk.moved
    # Two outlines face each other: that of the siblings before and that of the child; the outer ones are kept in step.
    before, own = child - 1, child
    outer_before, outer_own = walk.first[walk.parent[child]], child
    sums = [moved[outer_before], moved[before], moved[own], moved[outer_own]]
    while (following := walk.high(before)) >= 0 and (next_own := walk.low(own)) >= 0:
        before, own = following, next_own
        outer_before, outer_own = walk.low(outer_before), walk.high(outer_own)
        walk.top[outer_own] = child
        over = place[before] + sums[1] - place[own] - sums[2] + walk.apart(before, own)
        if over > 0:
            near = walk.top[before] if walk.parent[walk.top[before]] == walk.parent[child] else joined
            _move(walk, near, child, over)
            sums[2] += over
            sums[3] += over
        sums[0] += moved[outer_before]
        sums[1] += moved[before]
        sums[2] += moved[own]
        sums[3] += moved[outer_own]
    if walk.high(before) >= 0 and walk.high(outer_own) < 0:
        walk.thread[outer_own] = walk.high(before)
        moved[outer_own] += sums[1] - sums[3]
    if walk.low(own) >= 0 and walk.low(outer_before) < 0:
        walk.thread[outer_before] = walk.low(own)
        moved[outer_before] += sums[2] - sums[0]
        joined = child
    return joined


def _move(walk: _Walk, near: int, child: int, by: float) -> None:
    """Move the child's subtree; the siblings between the two share in it, once all are set."""
    part = by / (walk.number[child] - walk.number[near])
    walk.change[child] -= part
    walk.shift[child] += by
    walk.change[near] += part
    walk.place[child] += by
    walk.moved[child] += by


def _spread(walk: _Walk, children: range) -> None:
    """Let the siblings share in the moves of those behind them."""
    shift = change = 0.0
    for child in reversed(children):
        walk.place[child] += shift
        walk.moved[child] += shift
        change += walk.change[child]
        shift += walk.shift[child] + change
