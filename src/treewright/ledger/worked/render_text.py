"""Render a worked solution as Unicode text for a terminal.

A formula that is too long for a line is broken before its equals signs, and then between its terms.
"""

from treewright.ledger.worked.document import (
    Bars,
    Call,
    Chain,
    Count,
    Document,
    Expression,
    Formula,
    Fraction,
    Label,
    Part,
    Power,
    Product,
    Root,
    Section,
    Sentence,
    Sum,
    Symbol,
    Table,
    Value,
)
from treewright.ledger.worked.rendering import (
    ATOM,
    PRODUCT,
    SUM,
    format_figure,
    label_text,
    precedence,
    relation_of,
)
from treewright.model.formatting import printable
from treewright.text_table import Grid, text_width

WIDTH = 110
"""Largest width of a line, in terminal cells."""

RAISED = str.maketrans("0123456789-v", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵛ")
SIGNS = "=≈+−"
"""Signs before which a formula may be broken."""

LOWERED = str.maketrans("0123456789t", "₀₁₂₃₄₅₆₇₈₉ₜ")


def to_text(document: Document, digits: int) -> str:
    """Render the document as text."""
    page = TextRenderer(digits)
    lines = [page.sentence(document.title)]
    lines.append("=" * min(text_width(lines[0]), WIDTH))
    for section in document.sections:
        lines += ["", *page.section(section)]
    return "\n".join([*lines, "", *_wrapped(page.sentence(document.note), 0)])


class TextRenderer:
    """Renders sentences, tables and expressions with a given number of digits."""

    def __init__(self, digits: int) -> None:
        self.digits = digits

    def section(self, section: Section) -> list[str]:
        heading = self.sentence(section.heading)
        lines = [heading, "-" * min(text_width(heading), WIDTH)]
        for part in section.parts:
            said = self.part(part)
            # A table has a blank line before and after it; do not repeat one that is already there.
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
        """A formula on one line if it fits, otherwise with a line for each relation."""
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
        """Render an expression on one line."""
        match expression:
            case Label():
                return printable(label_text(expression))
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
        """An operand of another expression, in parentheses if its precedence is below `at_least`."""
        said = self.one(expression)
        return said if precedence(expression) >= at_least else f"({said})"

    def number(self, number: Value | Count) -> str:
        found = format_figure(number, self.digits)
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
    """Wrap a line at spaces or after Chinese punctuation.

    With `before`, break a formula before one of these signs, outside of parentheses, if possible.
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
    """The last position before one of these signs, outside of parentheses, at which the line fits."""
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
    """The last position at which the line can be broken and fits."""
    width, found = 0, None
    for i, character in enumerate(line):
        width += text_width(character)
        if width > WIDTH and found is not None:
            break
        if i > indent and (character == " " or (i and line[i - 1] in "，。；：、")):
            found = i
    return found if found and line[:found].strip() and line[found:].strip() else None

