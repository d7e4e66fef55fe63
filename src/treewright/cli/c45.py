"""c4.5: do as Quinlan's program does, with its flags, its files and its printing.

In: a stem, whose files are stem.names, stem.data and with -u stem.test. Out: the program's printout.
"""

import os
import time
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.output import GROUP, check_output
from treewright.cli.terminal import Terminal
from treewright.cli.verb import option, verb
from treewright.errors import ParameterError
from treewright.model.words import printable

if TYPE_CHECKING:
    from treewright.cli.c45_trees import Trees
    from treewright.data.dataset import Dataset

HEARD = "treewright.c45.heard"
WINDOWS = "draws samples of the rows, and there is no chance in Treewright; leave it out: one tree is made of all rows"
WORDS = {
    "stem": "File stem <{}>",
    "batch": "Windowing disabled (now the default)",
    "unseen": "Trees evaluated on unseen cases",
    "verbosity": "Verbosity level {}",
    "gain": "Gain criterion used",
    "subset": "Tests on discrete attribute groups",
    "min_cases": "Sensible test requires 2 branches with >={} cases",
    "confidence": "Pruning confidence level {:g}%",
}
"""What the head of the printout says of each option."""

NOT_DONE = {
    "trials": f"-t {WINDOWS}",
    "window": f"-w {WINDOWS}",
    "increment": f"-i {WINDOWS}",
    "soft": "-p (thresholds with a margin) is not offered; leave it out",
}


def _heard(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Note what the head says of an option, in the order of the command line, as the program does."""
    name = param.name or ""
    if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
        if name in NOT_DONE:
            raise click.UsageError(NOT_DONE[name], ctx)
        ctx.meta.setdefault(HEARD, []).append(printable(WORDS[name].format(value)))
    return value


def _flag(letter: str, name: str, words: str, **settings: Any) -> Any:
    kind = settings or {"is_flag": True}
    return option(f"-{letter}", name, callback=_heard, group="C4.5's own", help=words, **kind)


@verb(
    examples=[
        "treewright c4.5 -f golf                  # golf.names and golf.data",
        "treewright c4.5 -f vote -u               # the same, and vote.test",
        "treewright c4.5 -f crx -s -m 5 -c 10     # grouped values, hard pruning",
        "treewright c4.5 -f golf -o golf.json     # keep the tree for other verbs",
    ]
)
@_flag("f", "stem", "The stem of the files: STEM.names, STEM.data, STEM.test.", required=True, metavar="STEM")
@_flag("u", "unseen", "Evaluate on the rows of STEM.test too.")
@_flag("s", "subset", "Group the values of an attribute.")
@_flag("m", "min_cases", "Rows that two branches must have.", type=click.IntRange(1), default=2, metavar="N")
@_flag("c", "confidence", "Confidence of pruning, in percent.", type=float, default=25.0, metavar="CF")
@_flag("g", "gain", "Rank attributes by gain, not by gain ratio.")
@_flag(
    "v", "verbosity", "Accepted; details of a tree tells `treewright why`.", type=int, default=0, metavar="N"
)
@_flag("b", "batch", "Accepted; all rows are used at once in any case.")
@_flag("t", "trials", "Refused: trials on samples of the rows.", type=int, metavar="N")
@_flag("w", "window", "Refused, as -t.", type=int, metavar="N")
@_flag("i", "increment", "Refused, as -t.", type=int, metavar="N")
@_flag("p", "soft", "Refused: thresholds with a margin.")
@option("-o", "--output", metavar="MODEL", group=GROUP, help="Keep the pruned tree as a model file.")
@option("--force", is_flag=True, group=GROUP, help="Replace a file that is there already.")
def command(
    terminal: Terminal, stem: str, unseen: bool, output: str | None, force: bool, **options: Any
) -> None:
    """Do as Quinlan's C4.5 Release 8 does.

    The flags, the files and the printed trees and tables are those of the program. Its own files STEM.tree and
    STEM.unpruned are not written.
    """
    from treewright.cli.c45_trees import Options, cases, make_trees, schema_of
    from treewright.data.files.names import read_names
    from treewright.export.c45_report import head_text

    wanted = Options(**{name: options[name] for name in ("gain", "subset", "min_cases", "confidence")})
    if not 0.0 < wanted.confidence < 100.0:
        raise ParameterError(
            f"-c {wanted.confidence:g} cannot be used; give a percentage above 0 and below 100."
        )
    path = check_output(output, force)
    heard = click.get_current_context().meta.get(HEARD, [])
    terminal.say(head_text(_date(), heard))
    table = read_names(stem, part="data")
    test = read_names(stem, part="test") if unseen else None
    schema = schema_of(table)
    rows = cases(table, schema)
    unseen_rows = None if test is None else cases(test, schema)
    n_attributes = len(table.frame.columns) - 1 + (table.weights is not None)
    terminal.say(f"Read {rows.n_rows} cases ({n_attributes} attributes) from {printable(stem)}.data\n")
    if options["verbosity"]:
        terminal.note(f"note: -v {options['verbosity']} prints nothing more; see `treewright why`.")
    trees = make_trees(rows, wanted)
    _print_trees(terminal, trees)
    if path is not None:
        trees.pruned.save(path, overwrite=force)
        terminal.say("\n\nTree saved")
    _print_figures(terminal, trees, rows, unseen_rows)
    terminal.give(_document(stem, n_attributes, trees, rows, unseen_rows))


def _date() -> str:
    """The date of the head; the environment may fix it, so that a printout can be made again."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return time.asctime(time.gmtime(int(fixed))) if fixed.isdigit() else time.ctime()


def _print_trees(terminal: Terminal, trees: "Trees") -> None:
    """Both trees; the pruned one where pruning altered something."""
    from treewright.export.c45_text import to_c45_text

    def show(title: str, text: str) -> None:
        # A tree that is a single leaf stands right under its title.
        gap = "" if text.startswith(" ") else "\n"
        terminal.say(f"{title}:\n{gap}{text}".removesuffix("\n"))

    show("Decision Tree", to_c45_text(trees.grown))
    if trees.pruned != trees.grown:
        terminal.say("\n")
        show("Simplified Decision Tree", to_c45_text(trees.pruned, trees.estimated))


def _print_figures(terminal: Terminal, trees: "Trees", rows: "Dataset", unseen: "Dataset | None") -> None:
    """The tables of errors, and the confusion matrix of test rows."""
    from treewright.export.c45_report import confusion_text, evaluation_text

    terminal.say("\n")
    terminal.say(evaluation_text("training", *trees.figures(rows), trees.estimate).removesuffix("\n"))
    if unseen is not None:
        terminal.say()
        terminal.say(evaluation_text("test", *trees.figures(unseen), trees.estimate))
        classes = trees.pruned.schema.target.classes or ()
        terminal.say("\n" + confusion_text(classes, trees.confusion(unseen)))


def _document(
    stem: str, n_attributes: int, trees: "Trees", rows: "Dataset", unseen: "Dataset | None"
) -> dict[str, Any]:
    """The result as JSON."""
    from treewright.export.c45_text import to_c45_text

    def figures(of: "Dataset") -> dict[str, Any]:
        before, after = trees.figures(of)
        return {
            "cases": of.n_rows,
            "before_pruning": {"size": before.size, "errors": before.errors},
            "after_pruning": {"size": after.size, "errors": after.errors, "estimate_percent": trees.estimate},
        }

    document: dict[str, Any] = {
        "stem": stem,
        "attributes": n_attributes,
        "decision_tree": to_c45_text(trees.grown),
        "simplified_decision_tree": to_c45_text(trees.pruned, trees.estimated),
        "fingerprint": trees.pruned.fingerprint(),
        "training": figures(rows),
    }
    if unseen is not None:
        document["test"] = figures(unseen) | {
            "classes": [str(name) for name in trees.pruned.schema.target.classes or ()],
            "confusion": trees.confusion(unseen),
        }
    return document
