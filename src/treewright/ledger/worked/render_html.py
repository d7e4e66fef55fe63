"""Render a worked solution as HTML, with formulas in MathML.

The result is one element without scripts, style sheets or links. Names and categories of the user are escaped, isolated
by <bdi> so that right-to-left text does not reorder the sentence around it, and control characters are replaced by
visible escapes.
"""

from html import escape

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
    Sentence,
    Sum,
    Symbol,
    Table,
    Value,
)
from treewright.ledger.worked.render_text import TextRenderer
from treewright.ledger.worked.rendering import (
    ATOM,
    LONG,
    PRODUCT,
    SUM,
    format_figure,
    label_text,
    precedence,
    relation_of,
)
from treewright.model.formatting import printable
from treewright.text_table import element

FUNCTIONS = {"log2": "<msub><mi>log</mi><mn>2</mn></msub>", "ln": "<mi>ln</mi>"}
APPLY = "<mo>&#x2061;</mo>"
TIMES = "<mo>·</mo>"
INDENT = '<mspace width="2em"/>'
TILDE = '<mover accent="true"><mi>D</mi><mo>~</mo></mover>'

FORMULA, TABLE = "margin:0.5em 0 0.5em 2em", "margin:0.5em 0"
"""CSS margins of a formula and of a table."""


def to_html(document: Document, digits: int) -> str:
    """Render the document as one HTML element."""
    page = HtmlRenderer(digits)
    parts = [f"<h3>{page.sentence(document.title)}</h3>"]
    for section in document.sections:
        parts.append(f"<h4>{page.sentence(section.heading)}</h4>")
        parts += map(page.part, section.parts)
    parts.append(f"<p><small>{page.sentence(document.note)}</small></p>")
    return '<div class="treewright-worked">' + "\n".join(parts) + "</div>"


def user_words(words: Label) -> str:
    """Escape a name or category of the user.

    >>> user_words(Label("a < b"))
    'a &lt; b'
    """
    return escape(printable(label_text(words)))


class HtmlRenderer:
    """Renders sentences, tables and expressions with a given number of digits."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self._text = TextRenderer(digits)

    def sentence(self, said: Sentence) -> str:
        pieces = []
        for piece in said.pieces:
            if isinstance(piece, str):
                pieces.append(escape(piece))
            elif isinstance(piece, Label):
                pieces.append(f"<bdi>{user_words(piece)}</bdi>")
            elif isinstance(piece, Count) or (
                isinstance(piece, Value) and format_figure(piece, self.digits).exponent is None
            ):
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
        """A formula on one line if it is short, otherwise with a line for each relation."""
        behind = [self.related(relation, other) for relation, other in chain.rest]
        lines = [self.one(chain.first) + "".join(behind)]
        if len(self._text.one(chain)) > LONG and len(behind) > 1:
            lines = [self.one(chain.first) + behind[0], *(INDENT + said for said in behind[1:])]
        shown = "<br/>".join(f'<math displaystyle="true"><mrow>{line}</mrow></math>' for line in lines)
        return f'<p style="{FORMULA}">{shown}</p>'

    def related(self, relation: str, other: Expression) -> str:
        """A relation sign and its right-hand side."""
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
        """Render an expression in MathML."""
        match expression:
            case Label():
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
        """An operand of another expression, in parentheses if its precedence is below `at_least`."""
        said = self.one(expression)
        return said if precedence(expression) >= at_least else _bracketed(said)

    def number(self, number: Value | Count) -> str:
        found = format_figure(number, self.digits)
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
        return format_figure(number, self.digits).digits.replace("-", "−") + percent

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
            alone = isinstance(inside, Fraction) or precedence(inside) == ATOM
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
    """Render a number in MathML, with its sign as an operator."""
    negative = digits.startswith(("-", "−"))
    return ("<mo>−</mo>" if negative else "") + element("mn", digits.lstrip("-−"))
