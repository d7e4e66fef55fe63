"""Consult talk: a consultation in a terminal.

In: a `Consultation`, and a person (or a pipe) that answers. Out: questions, advice, and the verdict in words.
"""

import sys
from collections.abc import Sequence
from typing import Any

import click

from treewright.cli.terminal import Terminal, bold, faint
from treewright.data.schema import Kind
from treewright.errors import InputError
from treewright.evaluate.page import percent
from treewright.explain.consult import Consultation, Question
from treewright.explain.lines import wrapped
from treewright.model.plain import plain
from treewright.model.words import beginning, category_words, number_words, printable

MOST_CATEGORIES = 20
"""Categories that a question lists."""

MOST_CLASSES, MOST_WAYS = 10, 8
"""Classes and ways that a verdict lists, the most probable ones."""

LONGEST = 60

HELP = (
    "Type a value; for a number also a range such as 70-80, < 75 or >= 3; for a category its name, its beginning or "
    "its number in the list, or several with probabilities, such as 'sunny: 0.7, rain: 0.3'. Type ? if it is not "
    "known. Further: why (why this is asked), back (take the last answer back), change COLUMN, again (start anew), "
    "quit, help. Where a category is called like one of these words, a colon makes it a command: ':back'."
)

PROMPT = "> "
COMMANDS = ("why", "back", "change", "again", "quit", "help")


class Ended(Exception):
    """Nothing more is said: the person quits, or the answers of a pipe end."""

    def __init__(self, wanted: bool) -> None:
        super().__init__()
        self.wanted = wanted


class Session:
    """A person and a case."""

    def __init__(self, terminal: Terminal, case: Consultation) -> None:
        self.terminal, self.first, self.case = terminal, case, case
        self.by_hand = sys.stdin.isatty()

    def run(self) -> None:
        """Ask until the verdict is given and nothing more is wanted."""
        if self.by_hand:
            self._say(faint("? if it is not known; why, back, change, quit, help"))
        try:
            while True:
                self._ask_all()
                self.terminal.give(document(self.case))
                self.terminal.say()
                for line in verdict_lines(self.case):
                    self.terminal.say(line)
                if self.terminal.as_json:
                    return
                self._afterwards()
        except Ended as end:
            question = self.case.question
            if not end.wanted and question is not None:
                raise InputError(
                    f"The answers end where {question.column.name!r} is asked for; give one more, or ? if it is not "
                    "known."
                ) from None

    def _ask_all(self) -> None:
        """Ask until nothing matters any more."""
        while (question := self.case.question) is not None:
            text = self._hear(question_line(question))
            try:
                if not self._obeyed(text, question):
                    self.case = self.case.answered(text)
            except InputError as error:
                self._say(printable(str(error)))

    def _afterwards(self) -> None:
        """Once the verdict is given: another case, another answer, or the end."""
        while True:
            text = self._hear("\nagain, change COLUMN, back or quit?").strip()
            word, _, rest = text.lstrip(":").partition(" ")
            if word.lower() in ("", "q"):
                raise Ended(wanted=True)
            word = {"a": "again", "r": "again", "retry": "again", "c": "change", "b": "back"}.get(word.lower(), word)
            try:
                if word.lower() in COMMANDS:
                    self._do(word.lower(), rest.strip(), None)
                    if word.lower() in ("back", "change", "again"):
                        return
            except InputError as error:
                self._say(printable(str(error)))

    def _obeyed(self, text: str, question: Question) -> bool:
        """Do what a command says; whether it was one. A category of the same name is an answer."""
        text = text.strip()
        word, _, rest = text.lstrip(":").partition(" ")
        word = word.lower()
        names = {category_words(one).casefold() for one in question.column.categories}
        is_answer = text.casefold() in names
        if word not in COMMANDS or is_answer or (rest and word != "change"):
            return False
        self._do(word, rest.strip(), question)
        return True

    def _do(self, word: str, rest: str, question: Question | None) -> None:
        if word == "quit":
            raise Ended(wanted=True)
        if word == "help":
            for line in wrapped([HELP], self.terminal.width):
                self._say(line)
        elif word == "why":
            for line in why_lines(self.case, question):
                self._say(line)
        elif word == "back":
            self.case = self.case.back()
        elif word == "again":
            self.case = self.first
        else:
            self._change(rest)

    def _change(self, name: str) -> None:
        told = [self.case.tree.schema.names[one.position] for one in self.case.told]
        if not told:
            raise InputError("There is no answer to change yet.")
        if not name:
            name = self._hear(f"Which answer? {', '.join(map(printable, told))}").strip()
        close = [one for one in told if one.casefold().startswith(name.casefold())]
        self.case = self.case.without(close[0] if len(close) == 1 else name)

    def _say(self, text: str) -> None:
        """What belongs to the talk: on stdout, unless the result there is JSON."""
        if not self.terminal.as_json:
            self.terminal.say(text)
        elif self.by_hand:
            self.terminal.note(text)

    def _hear(self, question: str) -> str:
        """A line of the person, or of a pipe; that is repeated, so that the talk can be read."""
        if not self.by_hand:
            line = sys.stdin.readline()
            if not line:
                raise Ended(wanted=False)
            self._say(question)
            self._say(printable(PROMPT + line.rstrip("\r\n")))
            return line
        self._say(question)
        click.echo(PROMPT, nl=False, err=self.terminal.as_json)
        try:
            return input()
        except EOFError:
            self._say("")
            raise Ended(wanted=True) from None


def question_line(question: Question) -> str:
    """What is asked, and what can be answered."""
    column = question.column
    names = [beginning(printable(category_words(one)), LONGEST) for one in column.categories]
    if column.kind is Kind.NUMBER:
        hint = f"a number; the tree asks: {beginning(printable(question.words), LONGEST)}"
    elif len(names) <= MOST_CATEGORIES:
        hint = ", ".join(f"{i} {name}" for i, name in enumerate(names, 1))
    else:
        hint = f"one of {len(names):,}, such as {names[0]}, {names[1]}, {names[2]}; the beginning is enough"
    return f"{bold(printable(column.name))} ({hint})?"


def why_lines(case: Consultation, question: Question | None) -> list[str]:
    """Why it is asked: the way so far, and where the branches lead."""
    told = [f"{printable(case.tree.schema.names[one.position])}: {printable(one.words)}" for one in case.told]
    lines = [f"Known so far: {'; '.join(told) or 'nothing'}."]
    if question is None:
        return lines
    if question.way:
        lines.append(f"That leads to: {printable(' and '.join(question.way))}.")
    node = case.tree.node(question.node)
    part = "" if question.share > 0.9995 else f", where {100 * question.share:.3g}% of the case may be,"
    asks = "" if node.split is None else printable(node.split.name)
    lines.append(f"Node {node.id}{part} asks for {asks}; its branches lead to different answers:")
    shown = node.children[:MOST_WAYS]
    lines += [f"  {printable(f'{child.branch_words}: mostly {child.answer_words()}')}" for child in shown]
    more = len(node.children) - len(shown)
    return [*lines, *([f"  … {more} more branches"] if more > 0 else [])]


def verdict_lines(case: Consultation) -> list[str]:
    """The verdict in words: the answer, the probabilities with their ranges, and the ways."""
    verdict = case.verdict
    target = printable(case.tree.schema.target.name)
    if verdict.shares is None:
        range_words = _limits(next(iter(verdict.ranges.values())), number_words_short)
        lines = [f"{target}: {bold(number_words_short(verdict.answer))}{range_words}"]
    else:
        lines = [f"{target}: {bold(printable(category_words(verdict.answer)))}"]
        order = sorted(verdict.shares, key=lambda one: -verdict.shares[one])  # type: ignore[index]
        for one in order[:MOST_CLASSES]:
            share = percent(verdict.shares[one])
            lines.append(f"  {share:>6}  {printable(category_words(one))}{_limits(verdict.ranges[one], percent)}")
        if len(order) > MOST_CLASSES:
            lines.append(f"  … {len(order) - MOST_CLASSES} more classes")
    if verdict.costs is not None:
        cheapest = sorted(verdict.costs.items(), key=lambda one: one[1])[:MOST_CLASSES]
        said = ", ".join(f"{category_words(one)} {number_words_short(cost)}" for one, cost in cheapest)
        more = ", …" if len(verdict.costs) > MOST_CLASSES else ""
        lines.append(printable(f"the cheapest answer; what each one costs on average: {said}{more}"))
    return lines + _way_lines(verdict.ends)


def _way_lines(ends: Sequence[Any]) -> list[str]:
    if len(ends) == 1:
        return [printable(f"because {_way(ends[0])}: {ends[0].answer} of training, leaf {ends[0].node}")]
    lines = ["by several ways, as not everything is known:"]
    lines += [
        printable(f"  {percent(end.share):>6}  {_way(end)}: {end.answer}, leaf {end.node}")
        for end in ends[:MOST_WAYS]
    ]
    more = len(ends) - MOST_WAYS
    return [*lines, *([f"  … {more} more ways"] if more > 0 else [])]


def _way(end: Any) -> str:
    return " and ".join(end.way) or "the tree asks nothing"


def _limits(limits: tuple[float, float] | None, words: Any) -> str:
    return "" if limits is None else f"  ({words(limits[0])} to {words(limits[1])})"


def number_words_short(number: float) -> str:
    """A number with as many digits as people read."""
    return number_words(float(f"{number:.6g}"))


def document(case: Consultation) -> dict[str, Any]:
    """The verdict as data that JSON can hold."""
    verdict, names = case.verdict, case.tree.schema.names
    ranges = [None if limits is None else list(limits) for limits in verdict.ranges.values()]
    shares = None
    if verdict.shares is not None:
        shares = [
            {"class": plain(one), "probability": share, "range": limits}
            for (one, share), limits in zip(verdict.shares.items(), ranges, strict=True)
        ]
    return {
        "target": case.tree.schema.target.name,
        "answer": plain(verdict.answer),
        "classes": shares,
        "range": ranges[0] if shares is None else None,
        "costs": None if verdict.costs is None else [[plain(one), cost] for one, cost in verdict.costs.items()],
        "told": {names[one.position]: one.words for one in case.told},
        "ends": [
            {"node": end.node, "share": end.share, "way": list(end.way), "answer": end.answer, "rows": end.count}
            for end in verdict.ends
        ],
    }
