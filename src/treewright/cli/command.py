"""What every command has in common: its options in groups, examples, `--json`, `--quiet`, `-o` and `--language`.

A command is a function with `@subcommand`, decorated with `@option` and the options of `input_tables`, `models` and
`algorithms`. It takes the `Terminal` first, and then its options by name.
"""

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from treewright.cli.terminal import COLOURS, Terminal, bold
from treewright.errors import TreeShapeWarning, TreewrightError
from treewright.language import LANGUAGES
from treewright.model.formatting import printable

SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

COMMON, OUTPUT = "Common options", "Output"
"""Headings of a help page: the options of all commands, and where the result goes."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class HelpFormatter(click.HelpFormatter):
    """A help page with bold headings."""

    def write_heading(self, heading: str) -> None:
        self.write(f"{'':>{self.current_indent}}{bold(heading + ':')}\n")


class HelpContext(click.Context):
    """The context of a command whose help page has bold headings."""

    formatter_class = HelpFormatter


class FileName(click.types.StringParamType):
    """A file name that the shell completes; whether the file exists is checked when it is opened."""

    name = "path"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class GroupedOption(click.Option):
    """An option with its heading on the help page."""

    def __init__(self, *args: Any, group: str = "Options", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.group = group


def option(*names: str, group: str = "Options", **settings: Any) -> Decorator:
    """Add an option to a command, under a heading of its help page.

    >>> @subcommand(examples=[])
    ... @option("--folds", type=int, default=10, group="Errors", help="Number of folds.")
    ... def command(terminal, **options):
    ...     return options["folds"]
    >>> command.main(["--folds", "3"], standalone_mode=False)
    3
    """
    return click.option(*names, cls=GroupedOption, group=group, **settings)


def combine_options(*options: Decorator) -> Decorator:
    """Return several options as one decorator; the first is listed first on the help page."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for one in reversed(options):
            function = one(function)
        return function

    return decorate


_PARAMETER = re.compile(
    r"`(?P<quoted>\w+)`|(?<![\w.'(-])(?P<set>[a-z_]+)=(?P<value>'[^']*'|None|True|False)(?![\w'])"
    r"|^(?P<subject>[a-z_]+)(?= must )"
)
"""A parameter in an error of Python: `name`, name='value', or the first word before "must"."""


class Command(click.Command):
    """One command of the command line."""

    context_class = HelpContext

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples
        self.context_settings = {**SETTINGS, **self.context_settings}
        self.params += [
            _common_option("--json", "as_json", is_flag=True, help="Print the result as one JSON document."),
            _common_option("-q", "--quiet", is_flag=True, help="Print no notes and no progress."),
            _common_option(
                "--color",
                "colour",
                type=click.Choice(COLOURS),
                help="Use colors; auto: only on a terminal [auto].",
            ),
            _common_option("--debug", is_flag=True, help="Print the traceback of an error."),
        ]

    def invoke(self, ctx: click.Context) -> Any:
        ctx.params.pop("debug")
        above = ctx.parent.params if ctx.parent is not None else {}
        colour = ctx.params.pop("colour") or above.get("colour") or "auto"
        ctx.obj = terminal = Terminal(
            ctx.params.pop("as_json"), ctx.params.pop("quiet"), colour, ctx.params.get("language") or "en"
        )
        with warnings_as_notes(terminal):
            try:
                return super().invoke(ctx)
            except TreewrightError as error:
                error.cli_message = self.use_option_names(error.cli_message)
                raise

    def use_option_names(self, message: str) -> str:
        """Replace parameters of Python in an error by the options of this command that have their names.

        A parameter is recognised in backticks, with a value, or as the subject of a message. One that is not an option
        may have been given by `--set`.

        >>> from treewright.cli.fit import command
        >>> command.use_option_names("`max_depth` must be at least 0, got -3.")
        '--max-depth must be at least 0, got -3.'
        >>> command.use_option_names("Pruning needs weights; use missing='stop' or grouping='subset'.")
        'Pruning needs weights; use --missing stop or --set grouping=subset.'
        """
        options = {one.name: one for one in self.params if isinstance(one, click.Option)}

        def rename(found: re.Match[str]) -> str:
            name, value = found["quoted"] or found["set"] or found["subject"], found["value"]
            option = options.get(name)
            if value is None:
                return found[0] if option is None else option.opts[-1]
            text = value.strip("'").replace("None", "none")
            if option is not None and not option.multiple and not option.is_flag:
                return f"{option.opts[-1]} {text}"
            return f"--set {name}={text}" if "settings" in options else found[0]

        return _PARAMETER.sub(rename, message)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                # A range such as [x>=2] tells a reader little that an error would not.
                words = re.sub(r"  \[x[^\]]*\]$", "", re.sub(r"; x[<>][^\]]*\]$", "]", record[1]))
                groups.setdefault(_group_of(param), []).append((record[0], words))
        last = groups.pop(COMMON, [])
        for heading, records in [*groups.items(), (COMMON, last)]:
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records, col_max=28)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"  {example}\n")


def subcommand(*, examples: Sequence[str], **settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """Turn a function into a command; the function takes the `Terminal` first and then its options by name."""

    def make(function: Callable[..., Any]) -> Command:
        return click.command(cls=Command, examples=examples, **settings)(click.pass_obj(function))

    return make


@contextmanager
def warnings_as_notes(terminal: Terminal) -> Iterator[None]:
    """Print each warning once, as a note, instead of with the line of code that warns."""
    printed: set[str] = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if isinstance(message, TreeShapeWarning):
            message = message.cli_message(click.get_current_context().params.get("language", "en"))
        text = printable(" ".join(str(message).split()))
        if text not in printed:
            printed.add(text)
            terminal.note(text)

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.filterwarnings(
            "ignore", "X has feature names, but"
        )  # a table has names, its model may have none
        warnings.showwarning = show
        yield


def shown_text(text: str, language: str) -> str:
    """Return a note or a reason of the reader in a language, with options instead of parameters of Python."""
    from treewright.data.files.translatable import translated

    command = click.get_current_context().command
    assert isinstance(command, Command)
    return command.use_option_names(translated(text, language))


def _common_option(*names: str, **settings: Any) -> GroupedOption:
    return GroupedOption(list(names), group=COMMON, **settings)


def _group_of(param: click.Parameter) -> str:
    """Return the heading of an option; click itself makes `--help`."""
    if isinstance(param, GroupedOption):
        return param.group
    return COMMON if "--help" in param.opts else "Options"


language_option = option(
    "--language", type=click.Choice(LANGUAGES), default="en", help="Language of the output: en or zh [en]."
)
"""--language, for commands that print sentences; results take it as `language`."""


def output_to(words: str, *, required: bool = False) -> Decorator:
    """Add -o/--output PATH and --force to a command, which gets them as `output` and `force`.

    words  the help of -o
    """
    return combine_options(
        option(
            "-o", "--output", type=FileName(), metavar="PATH", required=required, group=OUTPUT, help=words
        ),
        force_option,
    )


force_option = option("--force", is_flag=True, group=OUTPUT, help="Overwrite an existing file.")

output_option = output_to("Write the result to this file.")
"""-o/--output PATH and --force with the usual help."""


def check_output(output: str | None, force: bool) -> Path | None:
    """Return the path of the result; an error before any work is done if it must not be written."""
    from treewright.disk.atomic_write import check_output_path

    return None if output is None else check_output_path(output, overwrite=force)


def write_output(path: Path, data: str | bytes, force: bool) -> None:
    """Write the result: text as UTF-8 with the rest escaped, compressed if the name ends in .gz or .zst."""
    from treewright.disk.atomic_write import write_bytes
    from treewright.disk.compression import compress

    encoded = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    write_bytes(path, compress(path.name, encoded), overwrite=force)
