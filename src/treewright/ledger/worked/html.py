"""HTML: a worked solution for a notebook or a page, with formulas in MathML.

In: a document and the number of digits. Out: one element without scripts, styles or links. Words of the user are text:
escaped, kept from reordering what stands beside them, and without characters that no document may hold.
"""

from html import escape

from treewright.ledger.worked.document import Document, Formula, Part, Sentence, Table
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
from treewright.ledger.worked.shapes import ATOM, LONG, PRODUCT, SUM, level, relation_of, shortened
from treewright.ledger.worked.text import TextPage
from treewright.model.grid import element
from treewright.model.words import printable

FUNCTIONS = {"log2": "<msub><mi>log</mi><mn>2</mn></msub>", "ln": "<mi>ln</mi>"}
APPLY = "<mo>&#x2061;</mo>"
TIMES = "<mo>·</mo>"
INDENT = '<mspace width="2em"/>'
TILDE = '<mover accent="true"><mi>D</mi><mo>~</mo></mover>'

FORMULA, TABLE = "margin:0.5em 0 0.5em 2em", "margin:0.5em 0"
"""Where a formula and a table stand on the page."""


def to_html(document: Document, digits: int) -> str:
    """The document as one element."""
    page = HtmlPage(digits)
    parts = [f"<h3>{page.sentence(document.title)}</h3>"]
    for section in document.sections:
        parts.append(f"<h4>{page.sentence(section.heading)}</h4>")
        parts += map(page.part, section.parts)
    parts.append(f"<p><small>{page.sentence(document.note)}</small></p>")
    return '<div class="treewright-worked">' + "\n".join(parts) + "</div>"


def user_words(words: Words) -> str:
    """The user's words, whatever they hold.

    >>> user_words(Words("a < b"))
    'a &lt; b'
    """
    return escape(printable(shortened(words)))


class HtmlPage:
    """Renders with so many digits."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self._text = TextPage(digits)

    def sentence(self, said: Sentence) -> str:
        pieces = []
        for piece in said.pieces:
            if isinstance(piece, str):
                pieces.append(escape(piece))
            elif isinstance(piece, Words):
                pieces.append(f"<bdi>{user_words(piece)}</bdi>")
            elif isinstance(piece, Count) or (isinstance(piece, Value) and figure(piece, self.digits).exponent is None):
                pieces.append(escape(self._digits(piece)))
            else:
                pieces.append(f"<math><mrow>{self.one(piece)}</mrow></math>")
        return "".join(pieces)

    def part(self, part: Part) -> str:
        if isinstance(part, Sentence):
            return f"<p>{self.sentence(part)}</p>"
        if isinstance(part, Formula):
            return self.formula(part.chain)
        return self.table(part)

    def formula(self, chain: Chain) -> str:
        """One line if it is short, otherwise a line for each relation."""
        behind = [self.related(relation, other) for relation, other in chain.rest]
        lines = [self.one(chain.first) + "".join(behind)]
        if len(self._text.one(chain)) > LONG and len(behind) > 1:
            lines = [self.one(chain.first) + behind[0], *(INDENT + said for said in behind[1:])]
        shown = "<br/>".join(f'<math displaystyle="true"><mrow>{line}</mrow></math>' for line in lines)
        return f'<p style="{FORMULA}">{shown}</p>'

    def related(self, relation: str, other: Expression) -> str:
        """A relation and what stands behind it."""
        return element("mo", relation_of(relation, other, self.digits)) + self.one(other)

    def table(self, part: Table) -> str:
        head, *rows = ("".join(self._cell(tag, *cell) for cell in zip(line, part.right, strict=True))
                       for tag, line in [("th", part.head), *(("td", line) for line in part.rows)])  # fmt: skip
        body = "".join(f"<tr>{cells}</tr>" for cells in rows)
        below = "".join(f"<p>{self.sentence(said)}</p>" for said in part.below)
        opened = f'<table cellpadding="4" style="{TABLE}">'
        return f"{opened}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"

    def _cell(self, tag: str, cell: Sentence, right: bool) -> str:
        return f'<{tag} align="{"right" if right else "left"}">{self.sentence(cell)}</{tag}>'

    def one(self, expression: Expression) -> str:  # noqa: PLR0911
        """An expression in MathML."""
        match expression:
            case Words():
                return f"<mtext>{user_words(expression)}</mtext>"
            case Value() | Count():
                return self.number(expression)
            case Symbol(name, below, above):
                return self._symbol(name, below, above)
            case Fraction(top, bottom):
                return f"<mfrac><mrow>{self.one(top)}</mrow><mrow>{self.one(bottom)}</mrow></mfrac>"
            case Sum(terms, n_more):
                return self._sum(terms, n_more)
            case Product(factors):
                return TIMES.join(self.within(factor, PRODUCT) for factor in factors)
            case Power(base, exponent):
                return f"<msup><mrow>{self.within(base, ATOM)}</mrow><mrow>{self.one(exponent)}</mrow></msup>"
            case Root(inside):
                return f"<msqrt>{self.one(inside)}</msqrt>"
            case Bars(inside):
                return f"<mo>|</mo>{self.one(inside)}<mo>|</mo>"
            case Call(name, arguments):
                return self._call(name, arguments)
            case Chain(first, rest):
                return self.one(first) + "".join(self.related(relation, other) for relation, other in rest)

    def within(self, expression: Expression, at_least: int) -> str:
        """An expression as a part of another one: in brackets where it would be read wrongly."""
        said = self.one(expression)
        return said if level(expression) >= at_least else _bracketed(said)

    def number(self, number: Value | Count) -> str:
        found = figure(number, self.digits)
        base, exponent = found.digits, found.exponent
        if exponent is None and "e" in base:
            base, behind = base.split("e")
            exponent = int(behind)
        said = _signed(base)
        if exponent is not None:
            said += f"{TIMES}<msup><mn>10</mn><mrow>{_signed(str(exponent))}</mrow></msup>"
        return said + ("<mo>%</mo>" if isinstance(number, Value) and number.percent else "")

    def _digits(self, number: Value | Count) -> str:
        percent = "%" if isinstance(number, Value) and number.percent else ""
        return figure(number, self.digits).digits.replace("-", "−") + percent

    def _symbol(self, name: str, below: Expression | None, above: Expression | None) -> str:
        base = TILDE if name == "D̃" else element("mi", name)
        parts = [f"<mrow>{self.one(part)}</mrow>" for part in (below, above) if part is not None]
        if len(parts) == 2:
            return f"<msubsup>{base}{''.join(parts)}</msubsup>"
        if not parts:
            return base
        tag = "msub" if above is None else "msup"
        return f"<{tag}>{base}{parts[0]}</{tag}>"

    def _call(self, name: Symbol, arguments: tuple[Expression, ...]) -> str:
        if name.name in FUNCTIONS:
            inside = arguments[0]
            alone = isinstance(inside, Fraction) or level(inside) == ATOM
            said = self.one(inside) if alone else _bracketed(self.one(inside))
            return FUNCTIONS[name.name] + APPLY + said
        said = "<mo>,</mo>".join(self.one(argument) for argument in arguments)
        return self.one(name) + APPLY + _bracketed(said)

    def _sum(self, terms: tuple[tuple[int, Expression], ...], n_more: int) -> str:
        said = ""
        for sign, term in terms:
            words = self.within(term, PRODUCT if sign < 0 else SUM)
            if said and sign > 0 and words.startswith("<mo>−"):
                words = _bracketed(words)
            joint = ("<mo>−</mo>" if sign < 0 else "<mo>+</mo>") if said else ("<mo>−</mo>" if sign < 0 else "")
            said += joint + words
        return said + ("<mo>+</mo><mo>⋯</mo>" if n_more else "")


def _bracketed(said: str) -> str:
    return f"<mrow><mo>(</mo>{said}<mo>)</mo></mrow>"


def _signed(digits: str) -> str:
    """A number, its sign as an operator."""
    negative = digits.startswith(("-", "−"))
    return ("<mo>−</mo>" if negative else "") + element("mn", digits.lstrip("-−"))
