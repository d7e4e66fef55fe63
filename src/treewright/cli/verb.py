"""Verb: what every command has in common.

In: a function with its options, and examples. Out: a command with `--json`, `--quiet`, `--color` and `--debug`, a help
page whose options stand in groups and that ends in examples, and a `Terminal` as its context.
"""

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
from click.shell_completion import CompletionItem

from treewright.cli.terminal import COLOURS, Terminal, bold
from treewright.model.words import printable

SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

EVERY = "Every verb"
"""The group of the options that all verbs have."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class HelpPage(click.HelpFormatter):
    """A help page with bold headings."""

    def write_heading(self, heading: str) -> None:
        self.write(f"{'':>{self.current_indent}}{bold(heading + ':')}\n")


class HelpContext(click.Context):
    """The context of a command whose help page has bold headings."""

    formatter_class = HelpPage


class FileName(click.types.StringParamType):
    """The name of a file, which the shell completes; whether the file is there is said by who opens it."""

    name = "path"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class GroupedOption(click.Option):
    """An option with the heading it stands under on the help page."""

    def __init__(self, *args: Any, group: str = "Options", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.group = group


def option(*names: str, group: str = "Options", **settings: Any) -> Decorator:
    """An option of a verb, under a heading of the help page.

    >>> @verb(examples=[])
    ... @option("--folds", type=int, default=10, group="Errors", help="Folds of cross-validation.")
    ... def command(terminal, **options):
    ...     return options["folds"]
    >>> command.main(["--folds", "3"], standalone_mode=False)
    3
    """
    return click.option(*names, cls=GroupedOption, group=group, **settings)


def stacked(*options: Decorator) -> Decorator:
    """Several options as one decorator; the first one stands first on the help page."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for one in reversed(options):
            function = one(function)
        return function

    return decorate


class Verb(click.Command):
    """One verb of the command line."""

    context_class = HelpContext

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples
        self.context_settings = {**SETTINGS, **self.context_settings}
        self.params += [
            _every("--json", "as_json", is_flag=True, help="Give the result as one JSON document."),
            _every("-q", "--quiet", is_flag=True, help="No notes and no progress."),
            _every("--color", "colour", type=click.Choice(COLOURS), help="Colours: only on a terminal [auto]."),
            _every("--debug", is_flag=True, help="Show where an error comes from."),
        ]

    def invoke(self, ctx: click.Context) -> Any:
        ctx.params.pop("debug")
        above = ctx.parent.params if ctx.parent is not None else {}
        colour = ctx.params.pop("colour") or above.get("colour") or "auto"
        ctx.obj = terminal = Terminal(ctx.params.pop("as_json"), ctx.params.pop("quiet"), colour)
        with warnings_as_notes(terminal):
            return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                # A range such as [x>=2] tells a reader little that an error would not.
                words = re.sub(r"  \[x[^\]]*\]$", "", re.sub(r"; x[<>][^\]]*\]$", "]", record[1]))
                groups.setdefault(_group_of(param), []).append((record[0], words))
        last = groups.pop(EVERY, [])
        for heading, records in [*groups.items(), (EVERY, last)]:
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records, col_max=28)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"  {example}\n")


def verb(*, examples: Sequence[str], **settings: Any) -> Callable[[Callable[..., Any]], Verb]:
    """Make a verb of a function, which takes the `Terminal` first and then its options by name."""

    def make(function: Callable[..., Any]) -> Verb:
        return click.command(cls=Verb, examples=examples, **settings)(click.pass_obj(function))

    return make


@contextmanager
def warnings_as_notes(terminal: Terminal) -> Iterator[None]:
    """Say what is warned of as a note, each once, rather than with the line of code that warns."""
    said: set[str] = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        text = printable(" ".join(str(message).split()))
        if text not in said:
            said.add(text)
            terminal.note(f"note: {text}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.filterwarnings("ignore", "X has feature names, but")  # a table is named, and its model may not be
        warnings.showwarning = show
        yield


def _every(*names: str, **settings: Any) -> GroupedOption:
    return GroupedOption(list(names), group=EVERY, **settings)


def _group_of(param: click.Parameter) -> str:
    """The heading of an option; `--help` is made by click itself."""
    if isinstance(param, GroupedOption):
        return param.group
    return EVERY if "--help" in param.opts else "Options"
