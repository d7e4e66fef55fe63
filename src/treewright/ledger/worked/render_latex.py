r"""Render a worked solution as a LaTeX fragment, and its formulas for other formats.

The fragment needs amsmath. Names and categories of the user are escaped, and in formulas they are put in \text{...}.
"""

import re

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

HEAD = (
    "% \\usepackage{amsmath} is needed; for names in other alphabets xelatex or lualatex, with a font that has "
    "them\n% (Chinese: \\usepackage{ctex})"
)

ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "`": r"\textasciigrave{}",
    # At the start of a table row, LaTeX would read these two as arguments of the preceding "\\".
    "[": "{[}", "*": "{*}",
    # Signs in our own sentences, for LaTeX engines without Unicode support.
    "≤": r"$\le$", "≥": r"$\ge$", "−": "$-$", "·": r"$\cdot$", "∈": r"$\in$", "α": r"$\alpha$", "χ": r"$\chi$",
    "²": "$^2$", "₂": "$_2$", "…": r"\ldots{}", "–": "--",
}  # fmt: skip
_SPECIAL = re.compile("[" + re.escape("".join(ESCAPES)) + "]")
# Two of these in a row form a ligature.
_JOINED = re.compile(r"([-',])(?=\1)")

SIGNS = {"|": r"\mid", "≈": r"\approx", "≤": r"\le", "≥": r"\ge", "∞": r"\infty", "−∞": r"-\infty", "?": r"\text{?}"}
LETTERS = {"D̃": r"\tilde{D}", "Φ": r"\Phi", "ρ": r"\rho", "α": r"\alpha", "π": r"\pi", "Γ": r"\Gamma"}
FUNCTIONS = {"log2": r"\log_2", "ln": r"\ln"}


def escape_latex(text: str) -> str:
    r"""Escape text for LaTeX.

    >>> print(escape_latex("50% of $x_1$"))
    50\% of \$x\_1\$
    """
    # printable() replaces control characters by escapes; their backslashes are then escaped like any other.
    return _JOINED.sub(r"\1{}", _SPECIAL.sub(lambda found: ESCAPES[found[0]], printable(text)))


def to_latex(document: Document, digits: int) -> str:
    """Render the document as a LaTeX fragment."""
    page = LatexRenderer(digits)
    lines = [HEAD, rf"\section*{{{page.sentence(document.title)}}}"]
    for section in document.sections:
        lines += ["", rf"\subsection*{{{page.sentence(section.heading)}}}"]
        for part in section.parts:
            lines += ["", *page.part(part)]
    return "\n".join([*lines, "", rf"{{\footnotesize {page.sentence(document.note)}\par}}"]) + "\n"


class LatexMath:
    """Renders expressions with a given number of digits."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self._text = TextRenderer(digits)

    def is_long(self, chain: Chain) -> bool:
        """Whether a formula must be broken before its equals signs."""
        return len(chain.rest) > 1 and len(self._text.one(chain)) > LONG

    def words(self, words: Label) -> str:
        """A name or category of the user in a formula."""
        return rf"\text{{{escape_latex(label_text(words))}}}"

    def one(self, expression: Expression) -> str:  # noqa: PLR0911
        """Render an expression, without math delimiters."""
        match expression:
            case Label():
                return self.words(expression)
            case Value() | Count():
                return self.number(expression)
            case Symbol(name, below, above):
                under = "" if below is None else f"_{{{self.one(below)}}}"
                return _name(name) + under + ("" if above is None else f"^{{{self.one(above)}}}")
            case Fraction(top, bottom):
                return rf"\frac{{{self.one(top)}}}{{{self.one(bottom)}}}"
            case Sum(terms, n_more):
                return self._sum(terms, n_more)
            case Product(factors):
                return r" \cdot ".join(self.within(factor, PRODUCT) for factor in factors)
            case Power(base, exponent):
                return f"{self.within(base, ATOM)}^{{{self.one(exponent)}}}"
            case Root(inside):
                return rf"\sqrt{{{self.one(inside)}}}"
            case Bars(inside):
                return rf"\lvert {self.one(inside)} \rvert"
            case Call(name, arguments):
                return self._call(name, arguments)
            case Chain(first, rest):
                return " ".join([self.one(first), *(self.related(relation, other) for relation, other in rest)])

    def related(self, relation: str, other: Expression) -> str:
        """A relation sign and its right-hand side."""
        sign = relation_of(relation, other, self.digits)
        return f"{SIGNS.get(sign, sign)} {self.one(other)}"

    def within(self, expression: Expression, at_least: int) -> str:
        """An operand of another expression, in parentheses if its precedence is below `at_least`."""
        said = self.one(expression)
        return said if precedence(expression) >= at_least else rf"\left({said}\right)"

    def number(self, number: Value | Count) -> str:
        found = format_figure(number, self.digits)
        said = SIGNS.get(found.digits, found.digits)
        if found.exponent is not None:
            said += rf" \cdot 10^{{{found.exponent}}}"
        elif "e" in said:
            base, exponent = said.split("e")
            said = rf"{base} \cdot 10^{{{int(exponent)}}}"
        return said + (r"\%" if isinstance(number, Value) and number.percent else "")

    def _call(self, name: Symbol, arguments: tuple[Expression, ...]) -> str:
        if name.name in FUNCTIONS:
            inside = arguments[0]
            alone = isinstance(inside, Fraction) or precedence(inside) == ATOM
            return f"{FUNCTIONS[name.name]} " + (self.one(inside) if alone else rf"\left({self.one(inside)}\right)")
        said = ", ".join(self.one(argument) for argument in arguments)
        return rf"{self.one(name)}\left({said}\right)"

    def _sum(self, terms: tuple[tuple[int, Expression], ...], n_more: int) -> str:
        said = ""
        for sign, term in terms:
            words = self.within(term, PRODUCT if sign < 0 else SUM)
            if said and sign > 0 and words.startswith("-"):
                words = rf"\left({words}\right)"
            joint = (" - " if sign < 0 else " + ") if said else ("-" if sign < 0 else "")
            said += joint + words
        return said + (r" + \cdots" if n_more else "")


class LatexRenderer(LatexMath):
    """Renders the parts of a document as LaTeX."""

    def sentence(self, said: Sentence) -> str:
        pieces = []
        for piece in said.pieces:
            if isinstance(piece, str):
                pieces.append(escape_latex(piece))
            elif isinstance(piece, Label):
                pieces.append(escape_latex(label_text(piece)))
            else:
                pieces.append(f"${self.one(piece)}$")
        return "".join(pieces)

    def part(self, part: Part) -> list[str]:
        if isinstance(part, Sentence):
            return [self.sentence(part)]
        if isinstance(part, Formula):
            return self.formula(part.chain)
        return self.table(part)

    def formula(self, chain: Chain) -> list[str]:
        if not self.is_long(chain):
            return [r"\[", f"  {self.one(chain)}", r"\]"]
        behind = [self.related(relation, other) for relation, other in chain.rest]
        lines = [rf"  {self.one(chain.first)} &{behind[0]} \\", *(rf"  &{said} \\" for said in behind[1:-1])]
        return [r"\[\begin{aligned}", *lines, f"  &{behind[-1]}", r"\end{aligned}\]"]

    def table(self, part: Table) -> list[str]:
        sides = "".join("r" if right else "l" for right in part.right)
        rows = [" & ".join(self.sentence(cell) for cell in line) + r" \\" for line in (part.head, *part.rows)]
        lines = [r"\begin{center}", rf"\begin{{tabular}}{{{sides}}}", r"\hline", rows[0], r"\hline", *rows[1:]]
        lines += [r"\hline", r"\end{tabular}", r"\end{center}"]
        return [*lines, *(self.sentence(said) for said in part.below)]


def _name(name: str) -> str:
    """One of our symbols: single letters are italic, words upright."""
    if name in LETTERS:
        return LETTERS[name]
    return name if len(name) == 1 else rf"\mathrm{{{escape_latex(name)}}}"
