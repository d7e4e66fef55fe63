"""Text: a worked solution on a terminal.

In: a document and the number of digits. Out: lines of Unicode. A formula that is too long is broken before its
equals signs, and then between its terms.
"""

from treewright.ledger.worked.document import Document, Formula, Part, Section, Sentence, Table
from treewright.ledger.worked.expressions import (
    Bars,
    Call,
    Chain,
    Count,
    Expression,
    Fraction,
    Power,
    Product,
    Root,
    Sum,
    Symbol,
    Value,
    Words,
)
from treewright.ledger.worked.figures import figure
from treewright.ledger.worked.shapes import ATOM, PRODUCT, SUM, level, relation_of, shortened
from treewright.model.grid import Grid, text_width
from treewright.model.words import printable

WIDTH = 110
"""Cells of a terminal that a line may take."""

RAISED = str.maketrans("0123456789-v", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵛ")
SIGNS = "=≈+−"
"""Signs before which a formula can be broken."""

LOWERED = str.maketrans("0123456789t", "₀₁₂₃₄₅₆₇₈₉ₜ")


def to_text(document: Document, digits: int) -> str:
    """The document for a terminal."""
    page = TextPage(digits)
    lines = [page.sentence(document.title)]
    lines.append("=" * min(text_width(lines[0]), WIDTH))
    for section in document.sections:
        lines += ["", *page.section(section)]
    return "\n".join([*lines, "", *_wrapped(page.sentence(document.note), 0)])


class TextPage:
    """Renders with so many digits."""

    def __init__(self, digits: int) -> None:
        self.digits = digits

    def section(self, section: Section) -> list[str]:
        heading = self.sentence(section.heading)
        lines = [heading, "-" * min(text_width(heading), WIDTH)]
        for part in section.parts:
            said = self.part(part)
            # Tables have air around them, but not twice.
            lines += said[1:] if not said[0] and (len(lines) == 2 or not lines[-1]) else said
        return lines if lines[-1] else lines[:-1]

    def part(self, part: Part) -> list[str]:
        if isinstance(part, Sentence):
            return _wrapped(self.sentence(part), 0)
        if isinstance(part, Formula):
            return self.formula(part.chain)
        return self.table(part)

    def table(self, part: Table) -> list[str]:
        cells = [[self.sentence(cell) for cell in line] for line in part.rows]
        below = [self.sentence(said) for said in part.below]
        grid = Grid([self.sentence(cell) for cell in part.head], cells, list(part.right), below)
        return ["", *("  " + line for line in grid.lines()), ""]

    def sentence(self, said: Sentence) -> str:
        return "".join(piece if isinstance(piece, str) else self.one(piece) for piece in said.pieces)

    def formula(self, chain: Chain) -> list[str]:
        """The chain on one line if it fits, otherwise a line for each relation."""
        whole = "  " + self.one(chain)
        if text_width(whole) <= WIDTH:
            return [whole]
        head = "  " + self.one(chain.first)
        if text_width(head) > WIDTH // 2:
            lines, indent = _wrapped(head, 4, SIGNS), 4
        else:
            lines, indent = [], text_width(head) + 1
        for relation, other in chain.rest:
            said = f"{relation_of(relation, other, self.digits)} {self.one(other)}"
            start = " " * indent if lines else head + " "
            lines += _wrapped(start + said, indent + 4, SIGNS)
        return lines

    def one(self, expression: Expression) -> str:  # noqa: PLR0911
        """An expression on one line."""
        match expression:
            case Words():
                return printable(shortened(expression))
            case Value() | Count():
                return self.number(expression)
            case Symbol(name, below, above):
                return name + self._lowered(below) + self._raised(above)
            case Fraction(top, bottom):
                return f"{self.within(top, PRODUCT)}/{self.within(bottom, ATOM)}"
            case Sum(terms, n_more):
                return self._sum(terms, n_more)
            case Product(factors):
                return "·".join(self.within(factor, PRODUCT) for factor in factors)
            case Power(base, exponent):
                return self.within(base, ATOM) + self._raised(exponent)
            case Root(inside):
                return f"√({self.one(inside)})"
            case Bars(inside):
                return f"|{self.one(inside)}|"
            case Call(name, arguments):
                said = ", ".join(self.one(argument) for argument in arguments)
                return f"{'log₂' if name.name == 'log2' else self.one(name)}({said})"
            case Chain(first, rest):
                behind = (f" {relation_of(r, other, self.digits)} {self.one(other)}" for r, other in rest)
                return self.one(first) + "".join(behind)

    def within(self, expression: Expression, at_least: int) -> str:
        """An expression as a part of another one: in brackets where it would be read wrongly."""
        said = self.one(expression)
        return said if level(expression) >= at_least else f"({said})"

    def number(self, number: Value | Count) -> str:
        found = figure(number, self.digits)
        said = found.digits.replace("-", "−")
        if found.exponent is not None:
            said += f"·10{str(found.exponent).translate(RAISED)}"
        return said + ("%" if isinstance(number, Value) and number.percent else "")

    def _sum(self, terms: tuple[tuple[int, Expression], ...], n_more: int) -> str:
        said = ""
        for sign, term in terms:
            words = self.within(term, PRODUCT if sign < 0 else SUM)
            if said and sign > 0 and words.startswith("−"):
                words = f"({words})"
            joint = (" − " if sign < 0 else " + ") if said else ("−" if sign < 0 else "")
            said += joint + words
        return said + (" + …" if n_more else "")

    def _raised(self, exponent: Expression | None) -> str:
        if exponent is None:
            return ""
        said = self.one(exponent)
        if (isinstance(exponent, Count) and set(said) <= set("0123456789−")) or exponent == Symbol("v"):
            return said.replace("−", "-").translate(RAISED)
        return f"^{self.within(exponent, ATOM)}"

    def _lowered(self, index: Expression | None) -> str:
        if index is None:
            return ""
        said = self.one(index)
        plain = (isinstance(index, Count) and said.isdigit()) or index == Symbol("t")
        return said.translate(LOWERED) if plain else f"_{said}"


def _wrapped(line: str, indent: int, before: str = "") -> list[str]:
    """The line broken where it gets too long: at spaces, or behind Chinese punctuation; a formula outside of brackets
    and before one of the signs in `before`, where it can be.
    """
    lines: list[str] = []
    while text_width(line) > WIDTH:
        at = _sign(line, indent, before) or _break(line, indent)
        if at is None:
            break
        lines.append(line[:at].rstrip())
        line = " " * indent + line[at:].lstrip()
    return [*lines, line]


def _sign(line: str, indent: int, before: str) -> int | None:
    """The last place that fits before one of these signs, outside of brackets."""
    width, depth, found = 0, 0, None
    for i, character in enumerate(line):
        width += text_width(character)
        if width > WIDTH:
            break
        depth += (character == "(") - (character == ")")
        if depth == 0 and character in before and i > indent + 2 and line[i - 1] == " ":
            found = i
    return found


def _break(line: str, indent: int) -> int | None:
    """Where the line is broken: at the last place that fits."""
    width, found = 0, None
    for i, character in enumerate(line):
        width += text_width(character)
        if width > WIDTH and found is not None:
            break
        if i > indent and (character == " " or (i and line[i - 1] in "，。；：、")):
            found = i
    return found if found and line[:found].strip() and line[found:].strip() else None

