"""Consult: be asked only what still matters, and get the answer.

In: a model, and answers: typed in a terminal, line by line on stdin, or in a JSON file. Out: the answer with its
probabilities and their ranges, and the way that led there.
"""

from typing import TYPE_CHECKING

import click

from treewright.cli.models import model_argument, open_tree
from treewright.cli.terminal import Terminal
from treewright.cli.verb import option, verb
from treewright.model.strategies import REFUSED, STRATEGIES
from treewright.model.words import printable

if TYPE_CHECKING:
    from treewright.explain.consult import Consultation

WAYS = tuple(name for name, strategy in STRATEGIES.items() if strategy.goes != REFUSED)


@verb(
    examples=[
        "treewright consult golf.json",
        "printf 'sunny\\n70-80\\n' | treewright consult golf.json",
        "treewright consult golf.json --answers case.json --json",
    ]
)
@model_argument
@option("--answers", metavar="FILE", help="A JSON object of answers by column; what is not in it is unknown.")
@option("--missing", type=click.Choice(WAYS), help="Where an unknown value goes; otherwise as the model does it.")
def command(terminal: Terminal, model: str, answers: str | None, missing: str | None) -> None:
    """Be asked only what still matters, and get the answer.

    Asks for one column after the other, and only where different answers still lead to different results. An answer
    is a number, a range (70-80, < 75), a category by its name, its beginning or its number in the list, several with
    probabilities (sunny: 0.7, rain: 0.3), or ? where it is not known. `why` tells why it is asked, `back` takes the
    last answer back, `quit` ends.
    """
    from treewright.cli.consult_talk import Session, document, verdict_lines
    from treewright.explain.consult import consult
    from treewright.predict.rule import Rule

    asked, tree = open_tree(model, "consult")
    rule = asked._asking().rule if hasattr(asked, "_asking") else Rule()
    if missing is not None:
        rule = Rule(missing, rule.unseen)
    case = consult(tree, rule, getattr(asked, "_row_weight", 1.0))
    if answers is None:
        Session(terminal, case).run()
        return
    case = from_file(case, answers, terminal)
    terminal.give(document(case))
    for line in verdict_lines(case):
        terminal.say(line)


def from_file(case: "Consultation", path: str, terminal: Terminal) -> "Consultation":
    """The case with the answers of a file; what is asked and not in it is not known."""
    from treewright.cli.values import read_object
    from treewright.disk.squeeze import open_plain
    from treewright.disk.write import file_name

    with open_plain(file_name(path, "case.json")) as stream:
        text = stream.read()
    case = case.given(read_object(text, repr(path), 'write the answers by column, as in {"outlook": "sunny"}.'))
    while case.question is not None:
        name = printable(repr(case.question.column.name))
        terminal.note(f"note: {name} is asked for, not in the file, and taken as unknown.")
        case = case.answered("?")
    return case
