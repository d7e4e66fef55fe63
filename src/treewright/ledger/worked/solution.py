"""Solution: a worked solution, to be printed, shown and put into a script or a page.

In: a document. Out: the same as text, Markdown, LaTeX, HTML or plain data, with as many digits as the reader wants.
"""

from dataclasses import dataclass
from math import isfinite
from typing import Any

from treewright.ledger.worked.document import Document, Formula, Part, Piece, Sentence
from treewright.ledger.worked.expressions import Chain, Count, Value
from treewright.ledger.worked.figures import DIGITS, read_digits
from treewright.ledger.worked.html import to_html
from treewright.ledger.worked.latex import LatexMath, to_latex
from treewright.ledger.worked.markdown import to_markdown
from treewright.ledger.worked.text import TextPage, to_text


@dataclass(frozen=True, slots=True, eq=False)
class WorkedSolution:
    """The arithmetic of a node, written out as a textbook does.

    Print it, or show it in a notebook. `digits` are those behind the point, 4 unless given; books have 3. The numbers
    themselves are worked out with all their digits.

    node      the number that was asked for
    language  "en" or "zh"
    document  what is said, before it is text, Markdown, LaTeX or HTML

    >>> from treewright.ledger.worked.node import worked_pruning
    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import MinimumError
    >>> solution = worked_pruning(MinimumError().prune(golf_example()).report, 1)
    >>> print(solution.to_text(digits=3).splitlines()[8])
      E(t) = (5 − 3 + 2 − 1)/(5 + 2) ≈ 0.429
    >>> print(solution.to_markdown(digits=3).splitlines()[8])
    $$E\\left(t\\right) = \\frac{5 - 3 + 2 - 1}{5 + 2} \\approx 0.429$$
    """

    node: int
    language: str
    document: Document

    def to_text(self, digits: int = DIGITS) -> str:
        """For a terminal."""
        return to_text(self.document, read_digits(digits))

    def to_markdown(self, digits: int = DIGITS) -> str:
        """As Markdown, formulas as LaTeX between dollar signs."""
        return to_markdown(self.document, read_digits(digits))

    def to_latex(self, digits: int = DIGITS) -> str:
        """As a fragment for a document with amsmath."""
        return to_latex(self.document, read_digits(digits))

    def to_html(self, digits: int = DIGITS) -> str:
        """As an element of a page, formulas in MathML; without scripts and links."""
        return to_html(self.document, read_digits(digits))

    def to_dict(self, digits: int = DIGITS) -> dict[str, Any]:
        """As plain data: titles, sentences, tables and formulas as text, formulas as LaTeX too.

        "value" of a formula and "values" of a table have the exact numbers behind those that are shown.
        """
        shown = read_digits(digits)
        page, math = TextPage(shown), LatexMath(shown)
        sections = [
            {"heading": page.sentence(section.heading), "parts": [_part(part, page, math) for part in section.parts]}
            for section in self.document.sections
        ]
        return {
            "node": self.node,
            "language": self.language,
            "title": page.sentence(self.document.title),
            "sections": sections,
            "note": page.sentence(self.document.note),
        }

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<WorkedSolution of node {self.node}: {len(self.document.sections)} sections>"

    def _repr_html_(self) -> str:
        return self.to_html()


def _part(part: Part, page: TextPage, math: LatexMath) -> dict[str, Any]:
    if isinstance(part, Sentence):
        return {"sentence": page.sentence(part)}
    if isinstance(part, Formula):
        return {"formula": page.one(part.chain), "latex": math.one(part.chain), "value": _number(part.chain)}
    return {
        "head": [page.sentence(cell) for cell in part.head],
        "rows": [[page.sentence(cell) for cell in line] for line in part.rows],
        "values": [[_number(cell.pieces[-1]) if cell.pieces else None for cell in line] for line in part.rows],
        "below": [page.sentence(said) for said in part.below],
    }


def _number(piece: Piece) -> float | None:
    """The exact value behind a number that is shown; of a chain that behind its last one."""
    last = piece.rest[-1][1] if isinstance(piece, Chain) else piece
    return float(last.value) if isinstance(last, Value | Count) and isfinite(last.value) else None
