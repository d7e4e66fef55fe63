"""Render a worked solution as Markdown, with LaTeX formulas in $...$ and $$...$$.

Names and categories of the user are escaped, so that they cannot start a formula, a table cell or a tag. In formulas
each special character is escaped separately, in a form that MathJax and KaTeX both support.
"""

import re

from treewright.ledger.worked.document import (
    Chain,
    Count,
    Document,
    Formula,
    Label,
    Part,
    Sentence,
    Table,
    Value,
)
from treewright.ledger.worked.render_latex import LatexMath
from treewright.ledger.worked.rendering import label_text
from treewright.model.formatting import printable

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>|$~#&!^]|:(?=//)|(?<=www)\.")
# Characters that would start a list at the beginning of a line.
_LISTED = re.compile(r"^(\s*\d*)(?=[.)+=-])")

IN_FORMULA = {
    "\\": r"\backslash ", "{": r"\{", "}": r"\}", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_", "~": r"\sim ",
    "|": r"\vert ", "<": r"\lt ", ">": r"\gt ", "^": r"\wedge ",
    # Renderers disagree on how to escape $ and ` in a formula; their full-width forms have no meaning in Markdown.
    "$": r"\text{＄}", "`": r"\text{｀}", "*": r"\ast ",
}  # fmt: skip
_SIGN = re.compile("([" + re.escape("".join(IN_FORMULA)) + "])")


def escape_markdown(text: str) -> str:
    r"""Escape text for Markdown.

    >>> print(escape_markdown("a|b *c* $d$"))
    a\|b \*c\* \$d\$
    """
    return _LISTED.sub(r"\1\\", _SPECIAL.sub(lambda found: "\\" + found[0], printable(text)))


def to_markdown(document: Document, digits: int) -> str:
    """Render the document as Markdown."""
    page = MarkdownRenderer(digits)
    lines = [f"# {page.sentence(document.title)}"]
    for section in document.sections:
        lines += ["", f"## {page.sentence(section.heading)}"]
        for part in section.parts:
            lines += ["", *page.part(part)]
    return "\n".join([*lines, "", f"*{page.sentence(document.note)}*"]) + "\n"


class MarkdownRenderer(LatexMath):
    """Renders the parts of a document as Markdown."""

    def words(self, words: Label) -> str:
        r"""A name or category of the user in a formula: plain text in \text{...}, special characters as commands.

        >>> print(MarkdownRenderer(4).words(Label("credit_rating")))
        \text{credit}\_\text{rating}
        """
        parts = _SIGN.split(printable(label_text(words)))
        return "".join(IN_FORMULA.get(part, rf"\text{{{part}}}") for part in parts if part) or r"\text{}"

    def sentence(self, said: Sentence) -> str:
        pieces = []
        for piece in said.pieces:
            if isinstance(piece, str):
                pieces.append(escape_markdown(piece))
            elif isinstance(piece, Label):
                pieces.append(escape_markdown(label_text(piece)))
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
        """One formula if it is short, otherwise one for each relation: Markdown may drop the line breaks of LaTeX."""
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
