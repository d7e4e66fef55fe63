"""Main: from the words of a command line to a verb, and from what goes wrong to one sentence and an exit code.

In: arguments. Out: an exit code: 0 done; 1 the data, model or file cannot be used; 2 the command is not understood;
3 a fault of Treewright itself; 130 stopped by Ctrl-C.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

import click

from treewright import __version__
from treewright.cli.terminal import COLOURS, bold, red, wants_colour
from treewright.cli.verb import SETTINGS, HelpContext
from treewright.errors import TreewrightError
from treewright.model.words import printable

DONE, REFUSED, NOT_UNDERSTOOD, FAULT, STOPPED = 0, 1, 2, 3, 130

VERBS = {
    "fit": "Grow a tree on a table, prune it, and keep it as a model file.",
    "predict": "Answer the rows of a table, however large.",
    "evaluate": "How right a model is on a table.",
    "cv": "Cross-validate algorithms side by side.",
    "compare": "ID3, C4.5, CART, MDLTree and all prunings on your table, in one report.",
    "show": "Print a tree, or a part of it.",
    "why": "Why a node asks what it asks, and why it was pruned.",
    "explain": "Why a row is answered as it is.",
    "rules": "A tree as rules.",
    "consult": "Be asked only what still matters, and get the answer.",
    "plot": "A tree as a picture or as an interactive page.",
    "prune": "Prune a model in another way.",
    "diff": "Which rows two models answer differently.",
    "export": "A model as text, DOT, JSON and more.",
    "convert": "A table or a model from one file format to another.",
    "c4.5": "Do as Quinlan's C4.5 does, with its flags and its printing.",
}
"""The verbs in the order of the help page. Each is a module of this room, read when it is used."""


class ReaderGone(Exception):
    """The reader of a pipe has seen enough; click would make an error of it."""


class Verbs(click.Group):
    """All verbs; only the one that is used is loaded."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        found: click.Command = import_module(f"treewright.cli.{module_of(cmd_name)}").command
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in VERBS:
            raise click.UsageError(f"There is no verb {args[0]!r}{did_you_mean(args[0], VERBS)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderGone from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def module_of(verb: str) -> str:
    """The module of a verb.

    >>> module_of("c4.5")
    'c45'
    """
    return verb.replace(".", "")


def did_you_mean(word: str, known: Sequence[str] | dict[str, str]) -> str:
    """The end of a sentence about a word that is not known.

    >>> did_you_mean("fitt", VERBS), did_you_mean("xyz", VERBS)
    ("; did you mean 'fit'?", '')
    """
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), known, n=2, cutoff=0.55)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""


@click.command(
    cls=Verbs,
    context_settings=SETTINGS,
    options_metavar="[--help] [--version]",
    subcommand_metavar="VERB ...",
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="treewright", message="%(prog)s %(version)s")
@click.option("--color", "colour", type=click.Choice(COLOURS), help="Colours: only on a terminal [auto].")
@click.option("--debug", is_flag=True, help="Show where an error comes from.")
@click.pass_context
def treewright(ctx: click.Context, /, **_: object) -> None:
    """Decision trees you can read, check by hand and trust.

    Begin with `treewright compare TABLE.csv --target COLUMN`; `treewright VERB --help` says all about a verb.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit code.

    >>> main(["--version"])
    treewright 0.1.0
    0
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    _print_anything()
    colour = asked_colour(given)
    try:
        result = treewright.main(
            given, prog_name="treewright", standalone_mode=False, color=wants_colour(sys.stdout, colour)
        )
        sys.stdout.flush()
    except (KeyboardInterrupt, click.Abort):
        code = _end("stopped.", STOPPED, colour)
        return code if arguments is not None else _leave(code)
    except (ReaderGone, BrokenPipeError):
        _forget_stdout()
        return DONE
    except click.ClickException as error:
        return _end(_misunderstood(error), NOT_UNDERSTOOD, colour)
    except Exception as error:
        if "--debug" in given:
            import traceback

            traceback.print_exc()
        return _end(*_said(error), colour)
    return result if isinstance(result, int) else DONE


def asked_colour(given: Sequence[str]) -> str:
    """When colours are wanted, read before anything else is: an error may want them too.

    >>> asked_colour(["fit", "--color", "never"]), asked_colour(["--color=always", "fit"]), asked_colour([])
    ('never', 'always', 'auto')
    """
    for word, behind in zip(given, [*given[1:], ""], strict=False):
        value = behind if word == "--color" else word.removeprefix("--color=")
        if value != word and value in COLOURS:
            return value
    return "auto"


def _misunderstood(error: click.ClickException) -> str:
    """The sentence about a command line that is not understood, with the way to help."""
    said = " ".join(error.format_message().split())
    for theirs, plain in {"valid integer range": "whole number", "valid integer": "whole number"}.items():
        said = said.replace(theirs, plain)
    if isinstance(error, click.NoSuchOption):
        said = f"There is no option {error.option_name!r}"
        if error.possibilities:
            said += f"; did you mean {' or '.join(map(repr, error.possibilities[:2]))}?"
    end = "" if said.endswith("?") else "."
    if not isinstance(error, click.UsageError):
        return said.rstrip(".") + "."
    where = error.ctx.command_path if error.ctx else "treewright"
    return f"{said.rstrip('.')}{end} (See `{where} --help`.)"


def _said(error: Exception) -> tuple[str, int]:
    """The sentence and the exit code for an error."""
    if isinstance(error, TreewrightError):
        from treewright.cli.advice import on_the_command_line

        return on_the_command_line(str(error)), REFUSED
    if isinstance(error, OSError):
        said = error.strerror or str(error)
        what = f"{error.filename!r}: {said}" if error.filename else f"What is said could not be written: {said}"
        return f"{what}.", REFUSED
    if isinstance(error, MemoryError):
        return "there is not enough memory for this.", REFUSED
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("treewright"):
        from treewright.extras import missing_words

        return missing_words((error.name or "").partition(".")[0], "This command"), REFUSED
    return f"{type(error).__name__}: {error} (a fault of Treewright; --debug shows where it is).", FAULT


def _end(sentence: str, code: int, colour: str) -> int:
    """Say why it ends, in one line that cannot steer the terminal."""
    with suppress(BrokenPipeError):
        head = red(bold("treewright:"))
        click.echo(f"{head} {printable(' '.join(sentence.split()))}", err=True, color=wants_colour(sys.stderr, colour))
    return code


def _leave(code: int) -> NoReturn:
    """End the program at once: who pressed Ctrl-C does not wait for a hundred modules to be taken down in order."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _print_anything() -> None:
    """Let a terminal that lacks a character show its code rather than end the program."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _forget_stdout() -> None:
    """Send what is still to be written nowhere, so that the end of the program does not stumble over it."""
    with suppress(AttributeError, ValueError, OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
