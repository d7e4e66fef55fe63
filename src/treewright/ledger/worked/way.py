"""Way: where in a tree a node stands, in the reader's language.

In: a tree and a node. Out: the last steps from the root, as a sentence whose names are the user's.
"""

from treewright.ledger.worked.document import Sentence, sentence
from treewright.ledger.worked.expressions import Words
from treewright.ledger.worked.say import Say
from treewright.model.node import Node
from treewright.model.split import Split
from treewright.model.tree import Tree

N_STEPS = 3
"""Steps of the way to a node that are named."""

CHINESE = ((" is missing", " 缺失"), (" is known", " 已知"), (" in {", " ∈ {"))
"""How what holds in a branch is put, where it is more than signs."""


def way_to(tree: Tree, node: int, say: Say) -> Sentence:
    """The last steps of the way to a node; the root is called so.

    >>> from treewright.model.build import golf_example
    >>> [piece for piece in way_to(golf_example(), 5, Say("zh")).pieces if isinstance(piece, str)]
    [' 且 ']
    """
    words: list[Words] = []
    at: Node | None = tree.node(node)
    while at is not None and at.parent is not None and len(words) < N_STEPS:
        split = at.parent.split
        words.append(_step(split, at, say))
        at = at.parent
    if not words:
        return say("root")
    steps = [sentence("…", say("and"))] if at is not None and at.parent is not None else []
    for i, step in enumerate(reversed(words)):
        steps.append(sentence(say("and") if i else None, step))
    return sentence(*steps)


def branch_words(name: str, words: str, say: Say) -> Words:
    """What holds in a branch of a column: what is ours between the user's words is put in the reader's language.

    >>> branch_words("色泽", "色泽 is missing", Say("zh")).text
    '色泽 缺失'
    """
    if say.language == "zh" and words.startswith(name):
        rest = words.removeprefix(name)
        for ours, theirs in CHINESE:
            if rest.startswith(ours):
                return Words(name + theirs + rest.removeprefix(ours))
    return Words(words)


def _step(split: Split | None, node: Node, say: Say) -> Words:
    return branch_words("" if split is None else split.name, node.branch_words or "", say)
