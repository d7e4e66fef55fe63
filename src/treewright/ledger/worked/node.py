"""Node: the worked solution of one node, from its rows to the choice, and to what pruning made of it.

In: how a tree came to be, the rows it was grown on, and a node. Out: a `WorkedSolution`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treewright.data.dataset import Dataset
from treewright.errors import InputError, ParameterError, one_of
from treewright.grow.candidates import PURE, Walk
from treewright.grow.plan import Plan
from treewright.ledger.entries import entries, entries_of
from treewright.ledger.lineage import Lineage
from treewright.ledger.record import Candidate, Entry
from treewright.ledger.worked.case import Case
from treewright.ledger.worked.choice import choice_section, in_order, missing_section
from treewright.ledger.worked.close_up import close_up
from treewright.ledger.worked.column import column_section
from treewright.ledger.worked.desk import Desk
from treewright.ledger.worked.document import Document, Formula, Part, Section, Sentence, sentence
from treewright.ledger.worked.expressions import Symbol, Words
from treewright.ledger.worked.pruning import pruning_sections
from treewright.ledger.worked.say import LANGUAGES, Say
from treewright.ledger.worked.shapes import REASON
from treewright.ledger.worked.solution import WorkedSolution
from treewright.ledger.worked.way import way_to
from treewright.model.tree import Tree
from treewright.prune.method import Method
from treewright.prune.report import PruningReport

N_COLUMNS = 12
"""Columns that are worked out where no others are asked for: all, or of more the best ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is asked for.

    node      its number
    grown     whether it is one of the grown tree
    columns   the columns to be worked out, by name; None: the best ones
    language  of the words between the numbers
    method    how the tree was pruned; None where that is not known
    """

    node: int
    grown: bool = False
    columns: Sequence[str] | None = None
    language: str = "en"
    method: Method | None = None


def worked_solution(rows: Dataset, plan: Plan, lineage: Lineage, asked: Asked) -> WorkedSolution:
    """The arithmetic of a node.

    rows     what the tree was grown on
    plan     what it was grown by, its minimums settled for these rows
    lineage  the tree and how it came to be
    """
    say = Say(one_of("language", asked.language, LANGUAGES))
    tree = lineage.grown if asked.grown else lineage.tree
    number = tree.node(asked.node).id
    wanted = _wanted(tree, asked.columns)
    if asked.grown:
        entry, source = next(entries(rows, plan, lineage.grown, [number], lineage)), number
    else:
        entry, source = next(entries_of(rows, plan, lineage, [number])), lineage.source(number)
    walk = Walk(rows, plan)
    seen = next(walk.visit(lineage.grown, [source]))
    desk = Desk(entry, tree.schema.target.classes, plan, close_up(walk, seen), say)
    place = number if asked.grown else lineage.place(number)
    sections = [_rows_section(desk)]
    if seen.candidates:
        sections += [column_section(desk, one) for one in _columns(entry, wanted)]
        sections.append(_chosen(desk, lineage, place))
    missing = missing_section(desk)
    sections += [] if missing is None else [missing]
    sections += _pruned(lineage, place, say, asked.method)
    title = say("title.grown" if asked.grown else "title", node=str(number), where=way_to(tree, number, say))
    return WorkedSolution(number, say.language, Document(title, tuple(sections), say("note")))


def worked_pruning(
    report: PruningReport,
    node: int,
    *,
    method: Method | None = None,
    pruned: Tree | None = None,
    language: str = "en",
) -> WorkedSolution:
    """The arithmetic of one decision of a pruning, by its report alone.

    report    of any method
    node      by its number in the grown tree
    method    with the parameters it had; without it the usual ones are tried
    pruned    the tree that was left; with it nodes are worked out that other rows came to, when a branch was raised

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
    say = Say(one_of("language", language, LANGUAGES))
    number = report.tree.node(node).id
    sections = pruning_sections(Case(report, number, say, method, pruned))
    title = say("title.grown", node=str(number), where=way_to(report.tree, number, say))
    return WorkedSolution(number, say.language, Document(title, tuple(sections), say("note")))


def _wanted(tree: Tree, columns: Sequence[str] | None) -> list[int] | None:
    """The places of the columns that are asked for."""
    if columns is None:
        return None
    if not isinstance(columns, Iterable):
        raise ParameterError(f"columns={columns!r} cannot be used; give a list of column names, or None.")
    names = [columns] if isinstance(columns, str) else list(columns)
    place = {name: i for i, name in enumerate(tree.schema.names)}
    for name in names:
        if not isinstance(name, str) or name not in place:
            known = ", ".join(map(repr, list(place)[:N_COLUMNS])) + (", …" if len(place) > N_COLUMNS else "")
            raise InputError(f"columns names {name!r}, which is no column of the table; its columns are {known}.")
    return [place[name] for name in dict.fromkeys(names)]


def _columns(entry: Entry, wanted: list[int] | None) -> list[Candidate]:
    """The columns to be worked out, in the order of the table or as they are asked for."""
    if wanted is not None:
        return [entry.candidates[i] for i in wanted]
    if len(entry.candidates) <= N_COLUMNS:
        return list(entry.candidates)
    best = in_order(entry.candidates)[:N_COLUMNS]
    return sorted(best, key=lambda one: one.column)


def _rows_section(desk: Desk) -> Section:
    """The rows of the node and how mixed they are."""
    say, entry, measure = desk.say, desk.entry, desk.measure
    if entry.weight <= 0:
        return Section(say("the.rows"), (say("empty"),))
    rows = desk.rows_said(entry.weight)
    parts: list[Part] = []
    if entry.note is not None:
        parts.append(sentence(Words(entry.note, REASON)) if say.language == "en" else say("raised"))
    if measure.for_numbers:
        parts += [say("rows.numbers", rows=rows), say(f"impurity.{entry.criterion}")]
        parts += measure.loss_written(Symbol("D"), entry.stats, desk.view.numbers())
    else:
        parts += [say("rows.are", rows=rows, counts=desk.counts(entry.stats)), say(f"impurity.{entry.criterion}")]
    parts.append(Formula(measure.written(Symbol("D"), entry.stats, entry.impurity)))
    if desk.view.seen.closed == PURE:
        parts.append(_leaf_words(desk))
    return Section(say("the.rows"), tuple(parts))


def _leaf_words(desk: Desk) -> Sentence:
    """Why the node asks nothing."""
    say, closed = desk.say, desk.view.seen.closed
    if say.language == "en" and desk.entry.leaf is not None:
        return sentence(Words(desk.entry.leaf, REASON))
    return say("leaf.stopped" if closed is None else f"leaf.{closed}")


def _chosen(desk: Desk, lineage: Lineage, place: int) -> Section:
    """The choice; where no split came of it, or not for long, that is said."""
    section = choice_section(desk)
    if desk.entry.leaf is None:
        return section
    said = _leaf_words(desk)
    if lineage.grown.n_children[place]:
        said = desk.say("leaf.pruned")
    return Section(section.heading, (*section.parts, said))


def _pruned(lineage: Lineage, place: int, say: Say, method: Method | None) -> list[Section]:
    """What pruning, before and after growth, decided at a node of the grown tree."""
    sections: list[Section] = []
    stopped, report = lineage.stopped, lineage.pruned
    if stopped is not None and stopped.tree.n_children[stopped.origin[place]]:
        sections += pruning_sections(Case(stopped, int(stopped.origin[place]), say))
    if report is not None and lineage.grown.n_children[place]:
        sections += pruning_sections(Case(report, place, say, method, lineage.tree))
    return sections

