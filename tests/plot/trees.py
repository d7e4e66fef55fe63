"""Trees as lists of links, for tests of the layout; and pictures read back from their SVG."""

import xml.etree.ElementTree as ET
from dataclasses import dataclass

from hypothesis import strategies as st

SVG = "{http://www.w3.org/2000/svg}"


@dataclass
class Links:
    """A tree level by level: parent, first child and number of children of each node, and its size."""

    parent: list
    first: list
    many: list
    size: list

    def children(self, node):
        return range(self.first[node], self.first[node] + self.many[node])

    def levels(self):
        depth, found = [0] * len(self.parent), {}
        for i, above in enumerate(self.parent):
            if above >= 0:
                depth[i] = depth[above] + 1
            found.setdefault(depth[i], []).append(i)
        return list(found.values())


def links(shape, sizes):
    """The links of a tree that is written as nested lists, with sizes in turn."""
    queue, parent, first, many = [shape], [-1], [], []
    for i, node in enumerate(queue):
        first.append(len(queue) if node else -1)
        many.append(len(node))
        queue.extend(node)
        parent.extend([i] * len(node))
    return Links(parent, first, many, [float(sizes[i % len(sizes)]) for i in range(len(queue))])


SHAPES = st.recursive(st.just([]), lambda below: st.lists(below, max_size=5), max_leaves=40)
TWOFOLD = st.recursive(st.just([]), lambda below: st.lists(below, min_size=2, max_size=2), max_leaves=30)
SIZES = st.lists(st.integers(1, 100), min_size=1, max_size=60)


def read_svg(text):
    """The picture as a tree of XML; an error where it is none."""
    return ET.fromstring(text)


def boxes(root):
    """The cards of a picture: {node: (x, y, width, height)}, by the words on their hover."""
    found = {}
    for group in root.iter(SVG + "g"):
        title = group.find(SVG + "title")
        cards = [r for r in group.findall(SVG + "rect") if r.get("rx") == "7"]
        if title is not None and cards and title.text.startswith("node "):
            card = cards[-1]
            place = tuple(float(card.get(name)) for name in ("x", "y", "width", "height"))
            found[int(title.text.split()[1].rstrip(":"))] = place
    return found


def texts(root):
    """All texts that are drawn."""
    return [text.text or "" for text in root.iter(SVG + "text")]


def overlap(a, b):
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
