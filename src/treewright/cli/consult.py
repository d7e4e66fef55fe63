"""`treewright consult`: predict interactively, asking only for values that matter.

Answers are typed in a terminal, come line by line from stdin, or are in a JSON file.
"""

import sys
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import language_option, option, subcommand
from treewright.cli.models import model_argument, open_tree
from treewright.cli.terminal import Terminal, bold, faint
from treewright.errors import InputError
from treewright.language import N_, messages
from treewright.model.formatting import format_category, printable
from treewright.model.json_values import to_json_value
from treewright.model.strategies import REFUSED, STRATEGIES

if TYPE_CHECKING:
    from treewright.explain.consult import Consultation, Question

STRATEGY_NAMES = tuple(name for name, strategy in STRATEGIES.items() if strategy.goes != REFUSED)

HELP = N_(
    "Type a value; for a number also a range such as 70-80, < 75 or >= 3; for a category its name, its beginning or "
    "its number in the list, or several with probabilities, such as 'sunny: 0.7, rain: 0.3'. Type ? if it is unknown. "
    "Commands: why (why this is asked), back (take the last answer back), change COLUMN, again (start over), quit, "
    "help. If a category has the name of a command, put a colon before the command: ':back'."
)

PROMPT = "> "
COMMANDS = ("why", "back", "change", "again", "quit", "help")


@subcommand(
    examples=[
        "treewright consult golf.json",
        "printf 'sunny\\n70-80\\n' | treewright consult golf.json",
        "treewright consult golf.json --answers case.json --json",
    ]
)
@model_argument
@option(
    "--answers", metavar="FILE", help="JSON object with answers by column; columns not in it are unknown."
)
@option(
    "--missing",
    type=click.Choice(STRATEGY_NAMES),
    help="Strategy for unknown values; by default that of the model.",
)
@language_option
def command(terminal: Terminal, model: str, answers: str | None, missing: str | None, language: str) -> None:
    """Predict interactively, asking only for values that matter.

    Asks for one column after another, as long as different answers lead to different predictions. An answer is a
    number, a range (70-80, < 75), a category by its name, its beginning or its number in the list, several with
    probabilities (sunny: 0.7, rain: 0.3), or ? if it is unknown. `why` explains the question, `back` takes the last
    answer back, `quit` ends.
    """
    from treewright.explain.consult import consult
    from treewright.predict.missing_policy import MissingPolicy

    found, tree = open_tree(model, "consult")
    policy = found._prediction_policy().rule if hasattr(found, "_prediction_policy") else MissingPolicy()
    if missing is not None:
        policy = MissingPolicy(missing, policy.unseen)
    case = consult(tree, policy, getattr(found, "_row_weight", 1.0), language)
    if answers is None:
        Session(terminal, case).run()
        return
    case = answer_from_file(case, answers, terminal)
    terminal.print_json(result_document(case))
    terminal.print(case.result.to_text(bold))


def answer_from_file(case: "Consultation", path: str, terminal: Terminal) -> "Consultation":
    """Return the case with the answers of a file; questions that it does not answer are unknown."""
    from treewright.cli.option_values import read_object
    from treewright.disk.atomic_write import path_text
    from treewright.disk.compression import open_decompressed

    with open_decompressed(path_text(path, "case.json")) as stream:
        text = stream.read()
    case = case.with_answers(
        read_object(text, repr(path), 'expected answers by column, as {"outlook": "sunny"}.')
    )
    _ = messages(terminal.language)
    while case.question is not None:
        name = printable(repr(case.question.column.name))
        terminal.note(_("{column} is not in the file and is treated as unknown.", column=name))
        case = case.with_answer("?")
    return case


class SessionEnd(Exception):
    """The person quits, or the input ends."""

    def __init__(self, wanted: bool) -> None:
        super().__init__()
        self.wanted = wanted


class Session:
    """A consultation in a terminal or over a pipe."""

    def __init__(self, terminal: Terminal, case: "Consultation") -> None:
        self.terminal, self.first, self.case = terminal, case, case
        self.interactive = sys.stdin.isatty()
        self._ = messages(case.language)

    def run(self) -> None:
        """Ask until the result is printed and nothing more is wanted."""
        if self.interactive:
            self._print(
                faint(self._("? if it is unknown; commands: {commands}", commands=", ".join(COMMANDS)))
            )
        try:
            while True:
                self._ask_all()
                self.terminal.print_json(result_document(self.case))
                self.terminal.print()
                self.terminal.print(self.case.result.to_text(bold))
                if self.terminal.as_json:
                    return
                self._ask_what_next()
        except SessionEnd as end:
            question = self.case.question
            if not end.wanted and question is not None:
                raise InputError(
                    f"The input ended before the answer to {question.column.name!r}; add a line, ? if it is unknown."
                ) from None

    def _ask_all(self) -> None:
        """Ask until no question matters any more."""
        while (question := self.case.question) is not None:
            text = self._read_line(question.to_text(bold))
            try:
                if not self._run_command(text, question):
                    self.case = self.case.with_answer(text)
            except InputError as error:
                self._print(printable(str(error)))

    def _ask_what_next(self) -> None:
        """After the result: another case, another answer, or the end."""
        while True:
            prompt = self._("{commands}?", commands="again, change COLUMN, back, quit")
            text = self._read_line(f"\n{prompt}").strip()
            word, _, rest = text.lstrip(":").partition(" ")
            word = word.lower()
            if word in ("", "q"):
                raise SessionEnd(wanted=True)
            word = {"a": "again", "r": "again", "retry": "again", "c": "change", "b": "back"}.get(word, word)
            try:
                if word in COMMANDS:
                    self._execute(word, rest.strip())
                    if word in ("back", "change", "again"):
                        return
            except InputError as error:
                self._print(printable(str(error)))

    def _run_command(self, text: str, question: "Question") -> bool:
        """Run a command and return whether the text was one; a category of the same name is an answer."""
        text = text.strip()
        word, _, rest = text.lstrip(":").partition(" ")
        word = word.lower()
        names = {format_category(one).casefold() for one in question.column.categories}
        if word not in COMMANDS or text.casefold() in names or (rest and word != "change"):
            return False
        self._execute(word, rest.strip())
        return True

    def _execute(self, word: str, rest: str) -> None:
        if word == "quit":
            raise SessionEnd(wanted=True)
        if word == "help":
            from treewright.explain.text_wrapping import wrap_lines

            for line in wrap_lines([self._(HELP)], self.terminal.width):
                self._print(line)
        elif word == "why":
            self._print(self.case.why())
        elif word == "back":
            self.case = self.case.back()
        elif word == "again":
            self.case = self.first
        else:
            self._change_answer(rest)

    def _change_answer(self, name: str) -> None:
        names = [self.case.tree.schema.names[one.position] for one in self.case.answers]
        if not names:
            raise InputError(self._("There is no answer to change yet."))
        if not name:
            listed = ", ".join(map(printable, names))
            name = self._read_line(self._("Which answer? {columns}", columns=listed)).strip()
        close = [one for one in names if one.casefold().startswith(name.casefold())]
        self.case = self.case.without_answer(close[0] if len(close) == 1 else name)

    def _print(self, text: str) -> None:
        """Print a line of the dialog: on stdout, unless the result there is JSON."""
        if not self.terminal.as_json:
            self.terminal.print(text)
        elif self.interactive:
            self.terminal.status(text)

    def _read_line(self, question: str) -> str:
        """Read a line; one from a pipe is echoed, so that the dialog can be read."""
        if not self.interactive:
            line = sys.stdin.readline()
            if not line:
                raise SessionEnd(wanted=False)
            self._print(question)
            self._print(printable(PROMPT + line.rstrip("\r\n")))
            return line
        self._print(question)
        click.echo(PROMPT, nl=False, err=self.terminal.as_json)
        try:
            return input()
        except EOFError:
            self._print("")
            raise SessionEnd(wanted=True) from None


def result_document(case: "Consultation") -> dict[str, Any]:
    """Return the result as data that JSON can hold."""
    result, names = case.result, case.tree.schema.names
    ranges = [None if limits is None else list(limits) for limits in result.intervals.values()]
    classes = None
    if result.probabilities is not None:
        classes = [
            {"class": to_json_value(one), "probability": probability, "range": limits}
            for (one, probability), limits in zip(result.probabilities.items(), ranges, strict=True)
        ]
    costs = (
        None if result.costs is None else [[to_json_value(one), cost] for one, cost in result.costs.items()]
    )
    return {
        "target": case.tree.schema.target.name,
        "prediction": to_json_value(result.prediction),
        "classes": classes,
        "range": ranges[0] if classes is None else None,
        "costs": costs,
        "answers": {names[one.position]: one.words for one in case.answers},
        "ends": [
            {
                "node": end.node,
                "fraction": end.fraction,
                "path": list(end.path),
                "prediction": end.prediction,
                "rows": end.count,
            }
            for end in result.ends
        ],
    }
