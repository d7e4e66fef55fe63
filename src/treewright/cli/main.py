"""The command `treewright`: finds the subcommand, and turns errors into one line and an exit code.

Exit codes: 0 success; 1 the data, the model or a file cannot be used; 2 usage error; 3 internal error; 130 interrupted
by Ctrl-C.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

import click

from treewright import __version__
from treewright.cli.command import SETTINGS, HelpContext
from treewright.cli.terminal import COLOURS, bold, red, wants_colour
from treewright.errors import TreewrightError
from treewright.model.formatting import printable

SUCCESS, INPUT_ERROR, USAGE_ERROR, INTERNAL_ERROR, INTERRUPTED = 0, 1, 2, 3, 130

COMMANDS = {
    "inspect": "Report what is unusual about a table, and what is done about it.",
    "fit": "Train a decision tree on a table and save it as a model file.",
    "predict": "Add predictions to the rows of a table of any size.",
    "evaluate": "Score a model on a labelled table.",
    "cv": "Cross-validate several algorithms on the same folds.",
    "compare": "Compare ID3, C4.5, CART and MDLTree with every pruning method.",
    "show": "Print a tree, a node, or the importances of the columns.",
    "why": "Show why a node splits as it does, and why it was pruned or kept.",
    "explain": "Explain the prediction for one row.",
    "rules": "Convert a tree to rules.",
    "consult": "Predict interactively, asking only for values that matter.",
    "plot": "Draw a tree as a picture or an interactive page.",
    "prune": "Prune a model with another method.",
    "diff": "List the rows that two models predict differently.",
    "export": "Export a model as text, DOT, JSON and other formats.",
    "convert": "Convert a table or a model to another file format.",
    "c4.5": "Run Quinlan's C4.5 with its own flags and output.",
}
"""The commands in the order of the help page. Each is a module of this package, imported when it is used."""


class PipeClosed(Exception):
    """The reader of a pipe closed it; click would turn BrokenPipeError into an exit code of its own."""


class CommandGroup(click.Group):
    """All commands; only the one that is used is imported."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"treewright.cli.{module_name(cmd_name)}").command
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS:
            raise click.UsageError(f"Unknown command {args[0]!r}{did_you_mean(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise PipeClosed from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def module_name(command: str) -> str:
    """Return the module of a command.

    >>> module_name("c4.5")
    'c45'
    """
    return command.replace(".", "")


def did_you_mean(word: str, known: Sequence[str] | dict[str, str]) -> str:
    """Return the end of an error about an unknown word: similar known ones.

    >>> did_you_mean("fitt", COMMANDS), did_you_mean("xyz", COMMANDS)
    ("; did you mean 'fit'?", '')
    """
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), known, n=2, cutoff=0.55)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""


@click.command(
    cls=CommandGroup,
    context_settings=SETTINGS,
    options_metavar="[--help] [--version]",
    subcommand_metavar="COMMAND ...",
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="treewright", message="%(prog)s %(version)s")
@click.option(
    "--color", "colour", type=click.Choice(COLOURS), help="Use colors; auto: only on a terminal [auto]."
)
@click.option("--debug", is_flag=True, help="Print the traceback of an error.")
@click.pass_context
def treewright(ctx: click.Context, /, **_: object) -> None:
    """Decision trees that you can read and check by hand.

    Start with `treewright compare TABLE.csv --target COLUMN`. See `treewright COMMAND --help` for each command.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    >>> main(["--version"])
    treewright 0.1.0
    0
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    _escape_unprintable()
    colour = requested_colour(given)
    try:
        result = treewright.main(
            given, prog_name="treewright", standalone_mode=False, color=wants_colour(sys.stdout, colour)
        )
        sys.stdout.flush()
    except (KeyboardInterrupt, click.Abort):
        code = _print_error("interrupted.", INTERRUPTED, colour)
        return code if arguments is not None else _exit_now(code)
    except (PipeClosed, BrokenPipeError):
        _discard_stdout()
        return SUCCESS
    except click.ClickException as error:
        return _print_error(_usage_message(error), USAGE_ERROR, colour)
    except Exception as error:
        if "--debug" in given:
            import traceback

            traceback.print_exc()
        return _print_error(*_error_message(error), colour)
    return result if isinstance(result, int) else SUCCESS


def requested_colour(given: Sequence[str]) -> str:
    """Return the value of --color; it is read before anything else, for errors too.

    >>> requested_colour(["fit", "--color", "never"]), requested_colour(["--color=always", "fit"]), requested_colour([])
    ('never', 'always', 'auto')
    """
    for word, following in zip(given, [*given[1:], ""], strict=False):
        value = following if word == "--color" else word.removeprefix("--color=")
        if value != word and value in COLOURS:
            return value
    return "auto"


def _usage_message(error: click.ClickException) -> str:
    """Return the message for a usage error, with a hint at --help."""
    text = " ".join(error.format_message().split())
    text = text.replace("valid integer range", "whole number").replace("valid integer", "whole number")
    if isinstance(error, click.NoSuchOption):
        text = f"Unknown option {error.option_name!r}"
        if error.possibilities:
            text += f"; did you mean {' or '.join(map(repr, error.possibilities[:2]))}?"
    end = "" if text.endswith("?") else "."
    if not isinstance(error, click.UsageError):
        return text.rstrip(".") + "."
    where = error.ctx.command_path if error.ctx else "treewright"
    return f"{text.rstrip('.')}{end} See `{where} --help`."


def _error_message(error: Exception) -> tuple[str, int]:
    """Return the message and the exit code for an error."""
    if isinstance(error, TreewrightError):
        return error.cli_message, INPUT_ERROR
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        what = repr(error.filename) if error.filename else "Cannot write the output"
        return f"{what}: {reason}.", INPUT_ERROR
    if isinstance(error, MemoryError):
        return "Not enough memory.", INPUT_ERROR
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("treewright"):
        from treewright.extras import missing_package_message

        return missing_package_message((error.name or "").partition(".")[0], "This command"), INPUT_ERROR
    return f"{type(error).__name__}: {error} (internal error; --debug prints the traceback).", INTERNAL_ERROR


def _print_error(sentence: str, code: int, colour: str) -> int:
    """Print an error on one line, with control characters escaped, and return the exit code."""
    with suppress(BrokenPipeError):
        head = red(bold("treewright:"))
        click.echo(
            f"{head} {printable(' '.join(sentence.split()))}",
            err=True,
            color=wants_colour(sys.stderr, colour),
        )
    return code


def _exit_now(code: int) -> NoReturn:
    """End the program at once: after Ctrl-C nobody wants to wait for the interpreter to shut down."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _escape_unprintable() -> None:
    """Print characters that the terminal cannot show as escapes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _discard_stdout() -> None:
    """Send the remaining output nowhere, so that the shutdown does not fail on the closed pipe."""
    with suppress(AttributeError, ValueError, OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
