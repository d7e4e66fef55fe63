"""Markdown: a worked solution for a notebook, an issue or a page of notes, with LaTeX between dollar signs.

In: a document and the number of digits. Out: Markdown with tables, $...$ and $$...$$. Words of the user never start a
formula, a table cell or a tag: what Markdown would take for its own is written with a backslash, and within formulas
letter by letter, so that MathJax and KaTeX read it alike.
"""

import re

from treewright.ledger.worked.document import Document, Formula, Part, Sentence, Table
from treewright.ledger.worked.expressions import Chain, Count, Value, Words
from treewright.ledger.worked.latex import LatexMath
from treewright.ledger.worked.shapes import shortened
from treewright.model.words import printable

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>|$~#&!^]|:(?=//)|(?<=www)\.")
# What would begin a list at the start of a line.
_LISTED = re.compile(r"^(\s*\d*)(?=[.)+=-])")

IN_FORMULA = {
    "\\": r"\backslash ", "{": r"\{", "}": r"\}", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_", "~": r"\sim ",
    "|": r"\vert ", "<": r"\lt ", ">": r"\gt ", "^": r"\wedge ",
    # No way of writing these within a formula is read alike everywhere; their wide forms are no signs of Markdown.
    "$": r"\text{＄}", "`": r"\text{｀}", "*": r"\ast ",
}  # fmt: skip
_SIGN = re.compile("([" + re.escape("".join(IN_FORMULA)) + "])")


def escaped(text: str) -> str:
    r"""Text that Markdown takes for what it is.

    >>> print(escaped("a|b *c* $d$"))
    a\|b \*c\* \$d\$
    """
    return _LISTED.sub(r"\1\\", _SPECIAL.sub(lambda found: "\\" + found[0], printable(text)))


def to_markdown(document: Document, digits: int) -> str:
    """The document as Markdown."""
    page = MarkdownPage(digits)
    lines = [f"# {page.sentence(document.title)}"]
    for section in document.sections:
        lines += ["", f"## {page.sentence(section.heading)}"]
        for part in section.parts:
            lines += ["", *page.part(part)]
    return "\n".join([*lines, "", f"*{page.sentence(document.note)}*"]) + "\n"


class MarkdownPage(LatexMath):
    """Renders the parts of a document."""

    def words(self, words: Words) -> str:
        r"""The user's words within a formula: letters as text, signs one by one.

        >>> print(MarkdownPage(4).words(Words("credit_rating")))
        \text{credit}\_\text{rating}
        """
        parts = _SIGN.split(printable(shortened(words)))
        return "".join(IN_FORMULA.get(part, rf"\text{{{part}}}") for part in parts if part) or r"\text{}"

    def sentence(self, said: Sentence) -> str:
        pieces = []
        for piece in said.pieces:
            if isinstance(piece, str):
                pieces.append(escaped(piece))
            elif isinstance(piece, Words):
                pieces.append(escaped(shortened(piece)))
            elif isinstance(piece, Value | Count) and "10^" not in self.one(piece):
                pieces.append(self.one(piece).replace("\\%", "%"))
            else:
                pieces.append(f"${self.one(piece)}$")
        return "".join(pieces)

    def part(self, part: Part) -> list[str]:
        if isinstance(part, Sentence):
            return [self.sentence(part).strip()]
        if isinstance(part, Formula):
            return self.formula(part.chain)
        return self.table(part)

    def formula(self, chain: Chain) -> list[str]:
        """One line if it is short, otherwise a line for each relation; line breaks of LaTeX get lost on the way."""
        if not self.is_long(chain):
            return [f"$${self.one(chain)}$$"]
        behind = [self.related(relation, other) for relation, other in chain.rest]
        lines = [f"$${self.one(chain.first)} {behind[0]}$$"]
        for said in behind[1:]:
            lines += ["", f"$${said}$$"]
        return lines

    def table(self, part: Table) -> list[str]:
        rows = ["| " + " | ".join(self.sentence(cell) for cell in line) + " |" for line in (part.head, *part.rows)]
        rule = "|" + "|".join(" ---: " if right else " --- " for right in part.right) + "|"
        lines = [rows[0], rule, *rows[1:]]
        for said in part.below:
            lines += ["", self.sentence(said)]
        return lines
