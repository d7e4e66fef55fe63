"""Worked solutions: the arithmetic of a node, from its rows to the choice and to its pruning.

`worked_solution` and `worked_pruning` make the document; a `WorkedSolution` writes it as text, Markdown, LaTeX, HTML or
plain data, with as many digits as the reader wants.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from treewright.data.dataset import Dataset
from treewright.errors import InputError, ParameterError
from treewright.grow.candidates import PURE, GrowthReplay
from treewright.grow.plan import Plan
from treewright.language import messages
from treewright.ledger.entries import entries, entries_of
from treewright.ledger.ledger import sort_candidates
from treewright.ledger.lineage import Lineage
from treewright.ledger.record import Candidate, Entry
from treewright.ledger.worked.choice_section import choice_section, missing_section
from treewright.ledger.worked.column_section import column_section
from treewright.ledger.worked.document import (
    Chain,
    Count,
    Document,
    Formula,
    Label,
    Part,
    Piece,
    Section,
    Sentence,
    Symbol,
    Value,
    sentence,
)
from treewright.ledger.worked.pruning_case import PruningCase
from treewright.ledger.worked.pruning_section import pruning_sections
from treewright.ledger.worked.render_html import to_html
from treewright.ledger.worked.render_latex import LatexMath, to_latex
from treewright.ledger.worked.render_markdown import to_markdown
from treewright.ledger.worked.render_text import TextRenderer, to_text
from treewright.ledger.worked.rendering import DIGITS, MAX_SENTENCE, read_digits
from treewright.ledger.worked.sentences import Sentences, path_sentence
from treewright.ledger.worked.worksheet import Worksheet, node_details
from treewright.model.tree import Tree
from treewright.prune.method import Method
from treewright.prune.report import PruningReport


@dataclass(frozen=True, slots=True, eq=False)
class WorkedSolution:
    """The arithmetic of a node, written out as in a textbook.

    Print it, or show it in a notebook. `digits` is the number of decimals, 4 by default; books have 3. The numbers
    themselves are computed with all digits.

    Attributes
    ----------
    node : int
        The number of the node.
    language : str
        "en" or "zh".
    document : Document
        The sentences, formulas and tables, before they are rendered.

    Examples
    --------
    >>> from treewright.ledger.worked.solution import worked_pruning
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
        """Return the solution as plain text for a terminal.

        Parameters
        ----------
        digits : int, default=4
            Number of decimals, from 1 to 12.

        Returns
        -------
        str
        """
        return to_text(self.document, read_digits(digits))

    def to_markdown(self, digits: int = DIGITS) -> str:
        """Return the solution as Markdown, with formulas as LaTeX between dollar signs.

        Parameters
        ----------
        digits : int, default=4
            Number of decimals, from 1 to 12.

        Returns
        -------
        str
        """
        return to_markdown(self.document, read_digits(digits))

    def to_latex(self, digits: int = DIGITS) -> str:
        """Return the solution as a fragment for a LaTeX document with amsmath.

        Parameters
        ----------
        digits : int, default=4
            Number of decimals, from 1 to 12.

        Returns
        -------
        str
        """
        return to_latex(self.document, read_digits(digits))

    def to_html(self, digits: int = DIGITS) -> str:
        """Return the solution as an HTML element with formulas in MathML, without scripts and links.

        Parameters
        ----------
        digits : int, default=4
            Number of decimals, from 1 to 12.

        Returns
        -------
        str
        """
        return to_html(self.document, read_digits(digits))

    def to_dict(self, digits: int = DIGITS) -> dict[str, Any]:
        """Return the solution as JSON values.

        Titles, sentences, tables and formulas are text; formulas are also LaTeX.
        "value" of a formula and "values" of a table are the exact numbers behind those that are shown.

        Parameters
        ----------
        digits : int, default=4
            Number of decimals, from 1 to 12.

        Returns
        -------
        dict
            "node", "language", "title", "sections" and "note".
        """
        shown = read_digits(digits)
        page, math = TextRenderer(shown), LatexMath(shown)
        sections = [
            {
                "heading": page.sentence(section.heading),
                "parts": [_part(part, page, math) for part in section.parts],
            }
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


def _part(part: Part, page: TextRenderer, math: LatexMath) -> dict[str, Any]:
    if isinstance(part, Sentence):
        return {"sentence": page.sentence(part)}
    if isinstance(part, Formula):
        return {"formula": page.one(part.chain), "latex": math.one(part.chain), "value": _number(part.chain)}
    return {
        "head": [page.sentence(cell) for cell in part.head],
        "rows": [[page.sentence(cell) for cell in line] for line in part.rows],
        "values": [
            [_number(cell.pieces[-1]) if cell.pieces else None for cell in line] for line in part.rows
        ],
        "below": [page.sentence(said) for said in part.below],
    }


def _number(piece: Piece) -> float | None:
    """The exact value of a number that is shown; for a chain that of its last number."""
    last = piece.rest[-1][1] if isinstance(piece, Chain) else piece
    return float(last.value) if isinstance(last, Value | Count) and isfinite(last.value) else None


MAX_COLUMNS = 12
"""Columns that are written out by default; of more the best."""


@dataclass(frozen=True, slots=True, eq=False)
class SolutionRequest:
    """What a worked solution is about.

    node      its number
    grown     whether it is a node of the grown tree
    columns   the columns to write out, by name; None for the best ones
    language  of the text
    method    the pruning method; None where it is unknown
    """

    node: int
    grown: bool = False
    columns: Sequence[str] | None = None
    language: str = "en"
    method: Method | None = None


def worked_solution(rows: Dataset, plan: Plan, lineage: Lineage, request: SolutionRequest) -> WorkedSolution:
    """Write out the arithmetic of a node.

    rows     the training rows
    plan     of growth, with the minimums for these rows
    lineage  the tree and how it was made
    """
    _ = Sentences(messages(request.language).language)
    lineage = lineage.with_language(request.language)
    tree = lineage.grown if request.grown else lineage.tree
    number = tree.node(request.node).id
    positions = _column_positions(tree, request.columns)
    if request.grown:
        entry = lineage.grown_entry(next(entries(rows, plan, lineage.grown, [number], lineage)))
        source = place = number
    else:
        entry = next(entries_of(rows, plan, lineage, [number]))
        source, place = lineage.source(number), lineage.grown_node(number)
    replay = GrowthReplay(rows, plan)
    replayed = next(replay.visit(lineage.grown, [source]))
    sheet = Worksheet(entry, tree.schema.target.classes, plan, node_details(replay, replayed), _)
    sections = [_rows_section(sheet)]
    if replayed.candidates:
        sections += [column_section(sheet, one) for one in _columns(entry, positions)]
        sections.append(_choice_and_outcome(sheet, lineage, place))
    missing = missing_section(sheet)
    sections += [] if missing is None else [missing]
    sections += _pruning(lineage, place, _, request.method)
    path = path_sentence(tree, number, _)
    if request.grown:
        title = _("Node {node} of the grown tree: {path}", node=str(number), path=path)
    else:
        title = _("Node {node}: {path}", node=str(number), path=path)
    return _solution(number, title, sections, _)


def worked_pruning(
    report: PruningReport,
    node: int,
    *,
    method: Method | None = None,
    pruned: Tree | None = None,
    language: str = "en",
) -> WorkedSolution:
    """Write out the arithmetic of one decision of a pruning report.

    Parameters
    ----------
    report : PruningReport
        Of any method.
    node : int
        The node, by its number in the grown tree.
    method : Method, optional
        The method with its parameters; without it the default parameters are tried.
    pruned : Tree, optional
        The pruned tree; needed for nodes whose rows changed when a branch was raised.
    language : str, default="en"
        Language of the text: "en" or "zh".

    Returns
    -------
    WorkedSolution

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic
    >>> report = Pessimistic(standard_errors=2).prune(golf_example()).report
    >>> print(worked_pruning(report, 3).to_text(digits=3))  # doctest: +ELLIPSIS
    Node 3 of the grown tree: outlook = rain
    ========================================
    ...
      S = 0 + 0 + 2·0.5 = 1.000
      e = S/N = 1/5 = 0.200
      SE = √(N·e·(1 − e)) = √(5·0.200·(1 − 0.200)) ≈ 0.894
      2.500 ≤ 1.000 + 2·0.894 ≈ 2.789
    The node becomes a leaf.
    ...
    """
    _ = Sentences(messages(language).language)
    number = report.tree.node(node).id
    sections = pruning_sections(PruningCase(report, number, _, method, pruned))
    path = path_sentence(report.tree, number, _)
    return _solution(
        number, _("Node {node} of the grown tree: {path}", node=str(number), path=path), sections, _
    )


def _solution(node: int, title: Sentence, sections: list[Section], _: Sentences) -> WorkedSolution:
    note = _("Numbers are computed with all digits and shown rounded.")
    return WorkedSolution(node, _.language, Document(title, tuple(sections), note))


def _column_positions(tree: Tree, columns: Sequence[str] | None) -> list[int] | None:
    """The positions of the requested columns."""
    if columns is None:
        return None
    if not isinstance(columns, Iterable):
        raise ParameterError(f"`columns` must be a list of column names or None, got {columns!r}.")
    names = [columns] if isinstance(columns, str) else list(columns)
    position = {name: i for i, name in enumerate(tree.schema.names)}
    for name in names:
        if not isinstance(name, str) or name not in position:
            known = ", ".join(map(repr, list(position)[:MAX_COLUMNS])) + (
                ", …" if len(position) > MAX_COLUMNS else ""
            )
            raise InputError(f"Unknown column {name!r} in `columns`; the columns are {known}.")
    return [position[name] for name in dict.fromkeys(names)]


def _columns(entry: Entry, positions: list[int] | None) -> list[Candidate]:
    """The columns to write out, in the order of the table or of the request."""
    if positions is not None:
        return [entry.candidates[i] for i in positions]
    if len(entry.candidates) <= MAX_COLUMNS:
        return list(entry.candidates)
    best = sort_candidates(entry.candidates)[:MAX_COLUMNS]
    return sorted(best, key=lambda one: one.column)


def _rows_section(sheet: Worksheet) -> Section:
    """The rows of the node and their impurity."""
    _, entry, measure = sheet.sentences, sheet.entry, sheet.measure
    if entry.weight <= 0:
        return Section(_("The rows"), (_("No training row reaches this node; it predicts like its parent."),))
    rows = sheet.row_count(entry.weight)
    parts: list[Part] = []
    if entry.note is not None:
        parts.append(sentence(Label(entry.note, MAX_SENTENCE)))
    if measure.for_numbers:
        parts += [_("D has {rows}.", rows=rows), _(measure.record.heading)]
        parts += measure.loss_written(Symbol("D"), entry.stats, sheet.details.numbers())
    else:
        counts = sheet.class_counts(entry.stats)
        parts += [_("D has {rows} ({counts}).", rows=rows, counts=counts), _(measure.record.heading)]
    parts.append(Formula(measure.written(Symbol("D"), entry.stats, entry.impurity)))
    if sheet.details.replayed.closed == PURE and entry.leaf is not None:
        parts.append(sentence(Label(entry.leaf, MAX_SENTENCE)))
    return Section(_("The rows"), tuple(parts))


def _choice_and_outcome(sheet: Worksheet, lineage: Lineage, place: int) -> Section:
    """The choice and, for a leaf, why it is not split."""
    _, section = sheet.sentences, choice_section(sheet)
    if sheet.entry.leaf is None:
        return section
    outcome = sentence(Label(sheet.entry.leaf, MAX_SENTENCE))
    if lineage.grown.n_children[place]:
        outcome = _("The node is a leaf: its split was pruned.")
    return Section(section.heading, (*section.parts, outcome))


def _pruning(lineage: Lineage, place: int, _: Sentences, method: Method | None) -> list[Section]:
    """The sections of pre-pruning and pruning at a node of the grown tree."""
    sections: list[Section] = []
    stopped, report = lineage.stopped, lineage.pruned
    if stopped is not None and stopped.tree.n_children[stopped.origin[place]]:
        sections += pruning_sections(PruningCase(stopped, int(stopped.origin[place]), _))
    if report is not None and lineage.grown.n_children[place]:
        sections += pruning_sections(PruningCase(report, place, _, method, lineage.tree))
    return sections
