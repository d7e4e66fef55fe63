"""Trees as C4.5 Release 8 prints them, and ours in the same form.

In: the printed text, or a grown tree. Out: nested dicts {(column, sign, value): what is below}, with the leaves
(classes, weight, errors) as printed; `differences` names the places where two of them differ.

The program prints categories by level (`v0` is the first), numbers in six digits of a 32-bit float, names with
letters in place of characters that its files cannot hold, and deep subtrees apart, under a name.
"""

import re

import numpy as np

from tests.golden.shapes import branch_categories
from treewright.model.tree import LEAF, THRESHOLD

BRANCH = re.compile(r"((?:\|   )*)(.+?) (<=|>|=) (\S+?) ?:(.*)$")
ANSWER = re.compile(r"\s*(.+) \(([\d.]+)(?:/([\d.]+))?\)$")
REFERENCE = re.compile(r"\[(S\d+)\]$")


def unpruned(text):
    """The first tree of a printout, the unpruned one."""
    first = text.split("Simplified Decision Tree:")[0].removeprefix("Decision Tree:")
    main, *rest = re.split(r"^Subtree \[(S\d+)\]$", first, flags=re.MULTILINE)
    subtrees = {name: _parsed(block) for name, block in zip(rest[::2], rest[1::2], strict=True)}
    tree = _parsed(main)
    waiting = [tree, *subtrees.values()]
    while waiting:
        node = waiting.pop()
        for test, below in node.items() if isinstance(node, dict) else ():
            if isinstance(below, str):
                node[test] = subtrees[below]
            elif isinstance(below, dict):
                waiting.append(below)
    return tree


def _parsed(block):
    """The nested dicts of one block of lines; a subtree printed apart stands as its name."""
    lines = [line for line in block.splitlines() if line.strip()]
    if len(lines) == 1 and not BRANCH.match(lines[0]):
        return _leaf(lines[0])
    levels = [{}]
    for line in lines:
        bars, name, sign, value, rest = BRANCH.match(line).groups()
        depth = len(bars) // 4
        del levels[depth + 1 :]
        reference = REFERENCE.match(rest.strip())
        if reference:
            below = reference[1]
        elif rest.strip():
            below = _leaf(rest)
        else:
            below = {}
            levels.append(below)
        levels[depth][name, sign, value] = below
    return levels[0]


def _leaf(text):
    label, weight, errors = ANSWER.match(text).groups()
    return frozenset({label}), weight, errors or "0.0"


def cleaned(name):
    """A name as the program's files spell it.

    >>> cleaned("PR.AXIS ASPECT RATIO"), cleaned("Don't Play")
    ('PRpAXIS_ASPECT_RATIO', 'Don_t_Play')
    """
    return re.sub(r"[ ',:|?]", "_", str(name)).replace(".", "p")


def as_printed(tree):
    """A grown tree in the same form; a leaf names every class of most weight."""
    below = {}
    for i in reversed(range(len(tree.parent))):
        children = [below.pop(int(tree.first_child[i] + b)) for b in range(tree.n_children[i])]
        below[i] = (
            _our_leaf(tree, i) if tree.kind[i] == LEAF else dict(zip(_tests(tree, i), children, strict=True))
        )
    return below[0]


def _tests(tree, i):
    column = tree.schema.columns[tree.column[i]]
    name = cleaned(column.name)
    if tree.kind[i] == THRESHOLD:
        value = f"{np.float32(tree.threshold[i]):g}"
        return [(name, "<=", value), (name, ">", value)]
    level = {category: f"v{code}" for code, category in enumerate(column.categories)}
    return [(name, "=", ",".join(level[c] for c in branch)) for branch in branch_categories(tree, i)]


def _our_leaf(tree, i):
    share, stats = tree.value[i], tree.stats[i]
    labels = frozenset(
        cleaned(c) for c, s in zip(tree.schema.target.classes, share, strict=True) if s == share.max()
    )
    return labels, f"{stats.sum():.1f}", f"{stats.sum() - stats[share.argmax()]:.1f}"


def differences(ours, theirs):
    """Where two trees differ, as (path, ours, theirs); of tied classes any may be printed.

    Below cuts of one number at two thresholds the comparison goes on, so the rest of the tree counts as well.
    """
    found = []
    waiting = [((), ours, theirs)]
    while waiting:
        path, a, b = waiting.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            if a.keys() != b.keys():
                found.append((path, _words(a), _words(b)))
            pairs = _pairs(a, b)
            waiting.extend(((*path, " ".join(one)), a[one], b[other]) for one, other in pairs)
        elif isinstance(a, dict) or isinstance(b, dict) or a[1:] != b[1:] or not b[0] <= a[0]:
            found.append((path, _words(a), _words(b)))
    return found


def _pairs(a, b):
    """Tests of two nodes that stand for the same branch: equal, or of one number with one sign."""
    if a.keys() == b.keys():
        return [(test, test) for test in a]
    by_sign = {test[:2]: test for test in b}
    if [test[:2] for test in a] == sorted(by_sign, key=lambda t: t[1] == ">") and all(t[1] != "=" for t in a):
        return [(test, by_sign[test[:2]]) for test in a]
    return []


def _words(node):
    """The head of what differs, in one line."""
    if isinstance(node, dict):
        return ", ".join(sorted(" ".join(test) for test in node))
    labels, weight, errors = node
    return f"{' or '.join(sorted(labels))} ({weight}/{errors})"
