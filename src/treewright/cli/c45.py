"""`treewright c4.5`: Quinlan's C4.5 with its flags, its files and its printout.

The files are STEM.names, STEM.data and with -u STEM.test.
"""

import os
import time
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import OUTPUT, check_output, option, subcommand
from treewright.cli.terminal import Terminal
from treewright.errors import ParameterError
from treewright.model.formatting import printable

if TYPE_CHECKING:
    from treewright.cli.c45_trees import Trees
    from treewright.data.dataset import Dataset

GIVEN = "treewright.c45.given"
WINDOWING = "is not supported: windowing draws random samples of the rows; leave it out to use all rows"
OPTION_LINES = {
    "stem": "File stem <{}>",
    "batch": "Windowing disabled (now the default)",
    "unseen": "Trees evaluated on unseen cases",
    "verbosity": "Verbosity level {}",
    "gain": "Gain criterion used",
    "subset": "Tests on discrete attribute groups",
    "min_cases": "Sensible test requires 2 branches with >={} cases",
    "confidence": "Pruning confidence level {:g}%",
}
"""The line of each option in the header of the printout."""

UNSUPPORTED = {
    "trials": f"-t {WINDOWING}",
    "window": f"-w {WINDOWING}",
    "increment": f"-i {WINDOWING}",
    "soft": "-p (soft thresholds) is not supported; leave it out",
}


def _record_option(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Record the header line of an option, in the order of the command line, as the program does."""
    name = param.name or ""
    if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
        if name in UNSUPPORTED:
            raise click.UsageError(UNSUPPORTED[name], ctx)
        ctx.meta.setdefault(GIVEN, []).append(printable(OPTION_LINES[name].format(value)))
    return value


def _flag(letter: str, name: str, words: str, **settings: Any) -> Any:
    kind = settings or {"is_flag": True}
    return option(f"-{letter}", name, callback=_record_option, group="Flags of C4.5", help=words, **kind)


@subcommand(
    examples=[
        "treewright c4.5 -f golf                  # golf.names and golf.data",
        "treewright c4.5 -f vote -u               # the same, and vote.test",
        "treewright c4.5 -f crx -s -m 5 -c 10     # grouped values, hard pruning",
        "treewright c4.5 -f golf -o golf.json     # save the tree for other commands",
    ]
)
@_flag("f", "stem", "Stem of the files STEM.names, STEM.data and STEM.test.", required=True, metavar="STEM")
@_flag("u", "unseen", "Also evaluate on the rows of STEM.test.")
@_flag("s", "subset", "Group the values of discrete attributes.")
@_flag(
    "m",
    "min_cases",
    "Minimum number of rows in at least two branches of a split.",
    type=click.IntRange(1),
    default=2,
    metavar="N",
)
@_flag("c", "confidence", "Confidence of pruning, in percent.", type=float, default=25.0, metavar="CF")
@_flag("g", "gain", "Use the gain criterion instead of gain ratio.")
@_flag(
    "v", "verbosity", "Ignored; see `treewright why` for details of a tree.", type=int, default=0, metavar="N"
)
@_flag("b", "batch", "Ignored; all rows are always used.")
@_flag("t", "trials", "Not supported: trials with windowing.", type=int, metavar="N")
@_flag("w", "window", "Not supported, as -t.", type=int, metavar="N")
@_flag("i", "increment", "Not supported, as -t.", type=int, metavar="N")
@_flag("p", "soft", "Not supported: soft thresholds.")
@option("-o", "--output", metavar="MODEL", group=OUTPUT, help="Save the pruned tree as a model file.")
@option("--force", is_flag=True, group=OUTPUT, help="Overwrite an existing file.")
def command(
    terminal: Terminal, stem: str, unseen: bool, output: str | None, force: bool, **options: Any
) -> None:
    """Run Quinlan's C4.5 (Release 8) with its own flags and output.

    Flags, input files and printed trees and tables are those of the program. The files STEM.tree and STEM.unpruned are
    not written.
    """
    from treewright.cli.c45_trees import Options, cases, make_trees, schema_of
    from treewright.data.files.names_reader import read_names
    from treewright.export.c45_text import head_text

    wanted = Options(**{name: options[name] for name in ("gain", "subset", "min_cases", "confidence")})
    if not 0.0 < wanted.confidence < 100.0:
        raise ParameterError(f"-c must be a percentage above 0 and below 100, got {wanted.confidence:g}.")
    path = check_output(output, force)
    given = click.get_current_context().meta.get(GIVEN, [])
    terminal.print(head_text(_date(), given))
    table = read_names(stem, part="data")
    test = read_names(stem, part="test") if unseen else None
    schema = schema_of(table)
    rows = cases(table, schema)
    unseen_rows = None if test is None else cases(test, schema)
    n_attributes = len(table.frame.columns) - 1 + (table.weights is not None)
    terminal.print(f"Read {rows.n_rows} cases ({n_attributes} attributes) from {printable(stem)}.data\n")
    if options["verbosity"]:
        terminal.note(f"-v {options['verbosity']} is ignored; see `treewright why`.")
    trees = make_trees(rows, wanted)
    _print_trees(terminal, trees)
    if path is not None:
        trees.pruned.save(path, overwrite=force)
        terminal.print("\n\nTree saved")
    _print_figures(terminal, trees, rows, unseen_rows)
    terminal.print_json(_document(stem, n_attributes, trees, rows, unseen_rows))


def _date() -> str:
    """Return the date of the header; SOURCE_DATE_EPOCH fixes it, so that a printout can be reproduced."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return time.asctime(time.gmtime(int(fixed))) if fixed.isdigit() else time.ctime()


def _print_trees(terminal: Terminal, trees: "Trees") -> None:
    """Print both trees; the pruned one only if pruning changed something."""
    from treewright.export.c45_text import to_c45_text

    def show(title: str, text: str) -> None:
        # A tree of a single leaf is printed right below its title.
        gap = "" if text.startswith(" ") else "\n"
        terminal.print(f"{title}:\n{gap}{text}".removesuffix("\n"))

    show("Decision Tree", to_c45_text(trees.grown))
    if trees.pruned != trees.grown:
        terminal.print("\n")
        show("Simplified Decision Tree", to_c45_text(trees.pruned, trees.estimated))


def _print_figures(terminal: Terminal, trees: "Trees", rows: "Dataset", unseen: "Dataset | None") -> None:
    """Print the tables of errors, and the confusion matrix of the test rows."""
    from treewright.export.c45_text import confusion_text, evaluation_text

    terminal.print("\n")
    terminal.print(evaluation_text("training", *trees.figures(rows), trees.estimate).removesuffix("\n"))
    if unseen is not None:
        terminal.print()
        terminal.print(evaluation_text("test", *trees.figures(unseen), trees.estimate))
        classes = trees.pruned.schema.target.classes or ()
        terminal.print("\n" + confusion_text(classes, trees.confusion(unseen)))


def _document(
    stem: str, n_attributes: int, trees: "Trees", rows: "Dataset", unseen: "Dataset | None"
) -> dict[str, Any]:
    """Return the result as data that JSON can hold."""
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
