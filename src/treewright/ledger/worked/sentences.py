"""Sentences: the texts of a worked solution in the reader's language.

`Sentences` translates a message and puts pieces into it: numbers, formulas, and names and categories of the user, which
are never translated. The result is a `Sentence`, whose pieces each renderer writes in its own way.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

from treewright.language import messages
from treewright.ledger.worked.document import Label, Piece, Sentence, sentence
from treewright.model.tree import Tree

MAX_CONDITIONS = 3
"""Conditions of the path to a node that are shown."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """Makes sentences in one language; used like the function of `treewright.language.messages`.

    >>> _ = Sentences("zh")
    >>> _.plural("{n} row", "{n} rows", 17, n="17").pieces
    ('17', ' 个样本')
    """

    language: str = "en"

    def __call__(self, message: str, /, **pieces: Piece | Sentence) -> Sentence:
        """Translate a message and fill in its pieces."""
        return _fill(messages(self.language)(message), pieces)

    def plural(self, one: str, many: str, n: float, /, **pieces: Piece | Sentence) -> Sentence:
        """Translate a message that depends on a count; `pieces` has the count as it is shown."""
        places = {name: "{" + name + "}" for name in pieces}
        return _fill(messages(self.language).plural(one, many, n, **places), pieces)

    def context(self, context: str, message: str, /, **pieces: Piece | Sentence) -> Sentence:
        """Translate a message whose English words have another translation elsewhere."""
        return _fill(messages(self.language).context(context, message), pieces)

    def label(self, message: str) -> Label:
        """Translate a message that is a part of a formula.

        >>> Sentences("en").label("average gain")
        Label(text='average gain', most=60)
        """
        return Label(messages(self.language)(message))

    def listed(self, parts: list[Sentence]) -> Sentence:
        """Several items in a row.

        >>> Sentences("en").listed([sentence("a"), sentence("b")]).pieces
        ('a', ', ', 'b')
        """
        comma = messages(self.language).context("between items of a list", ", ")
        joined: list[Piece | Sentence] = []
        for i, part in enumerate(parts):
            joined += [comma, part] if i else [part]
        return sentence(*joined)


def path_sentence(tree: Tree, node: int, _: Sentences) -> Sentence:
    """The last conditions of the path to a node; "root" for the root.

    >>> from treewright.model.build import golf_example
    >>> [piece for piece in path_sentence(golf_example(), 5, Sentences("zh")).pieces if isinstance(piece, str)]
    [' 且 ']
    """
    conditions: list[Label] = []
    at = tree.node(node)
    while at.parent is not None and len(conditions) < MAX_CONDITIONS:
        conditions.append(Label(at.condition(_.language) or ""))
        at = at.parent
    if not conditions:
        return _("root")
    path = None if at.parent is None else sentence("…")
    for condition in reversed(conditions):
        path = sentence(condition) if path is None else _("{left} and {right}", left=path, right=condition)
    assert path is not None
    return path


def more_branches(n_more: int, _: Sentences) -> list[Sentence]:
    """The line below a table that does not list all branches."""
    return [_.plural("… {n} more branch", "… {n} more branches", n_more, n=str(n_more))] if n_more > 0 else []


def _fill(template: str, pieces: Mapping[str, Piece | Sentence]) -> Sentence:
    """The text of a message with its pieces at the {named} places."""
    found: list[Piece | Sentence] = []
    for text, name, _, _ in Formatter().parse(template):
        found.append(text)
        if name is not None:
            found.append(pieces[name])
    return sentence(*found)
