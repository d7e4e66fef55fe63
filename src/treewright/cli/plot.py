"""Plot: a tree as a picture or as an interactive page.

In: a model and the name of a file. Out: SVG, PNG, PDF, DOT or a page, as the end of the name says.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.models import model_argument, open_tree
from treewright.cli.output import check_output, output_to, write_output
from treewright.cli.rows import open_rows
from treewright.cli.tables import rows_options
from treewright.cli.terminal import Terminal
from treewright.cli.verb import option, verb
from treewright.errors import InputError, one_of

if TYPE_CHECKING:
    from treewright.model.tree import Tree

ENDS = (".svg", ".html", ".dot", ".png", ".pdf")
PICTURE, PAGE = "Picture", "Page"


@verb(
    examples=[
        "treewright plot golf.json -o golf.svg",
        "treewright plot golf.json -o golf.html --data golf.csv",
        "treewright plot golf.json -o golf.png --depth 2 --title 'Play golf?'",
    ]
)
@model_argument
@output_to("The file; its name ends in .svg, .html (an interactive page), .png, .pdf or .dot.", required=True)
@option("--title", metavar="TEXT", help="A line above the picture, or the title of the page.")
@option("--depth", type=click.IntRange(0), metavar="N", group=PICTURE, help="Draw the tree to this depth.")
@option("--max-nodes", type=click.IntRange(1), metavar="N", group=PICTURE, help="Draw about so many nodes at most.")
@option("--direction", type=click.Choice(("auto", "down", "across")), default="auto", group=PICTURE, help="Of it.")
@option("--theme", type=click.Choice(("auto", "light", "dark")), default="auto", group=PICTURE, help="Of an .svg.")
@option("--language", type=click.Choice(("en", "zh")), group=PAGE, help="Of an .html; otherwise that of the browser.")
@rows_options("The training rows: some of each leaf are shown in an .html.")
def command(terminal: Terminal, model: str, output: str, force: bool, **options: Any) -> None:
    """A tree as a picture or as an interactive page.

    An .html is one file that works without a network. .svg, .html and .dot need no other package; .png and .pdf are
    drawn by matplotlib. Rows are in a page only when they are given with --data.
    """
    end = Path(output).suffix.lower()
    if end not in ENDS:
        raise click.UsageError(f"-o {output!r} does not say what to draw; let the name end in {', '.join(ENDS)}")
    path = check_output(output, force)
    assert path is not None  # -o is required
    found, tree = open_tree(model, "plot")
    with terminal.waiting("drawing"):
        data = drawn(found, tree, end, options)
    write_output(path, data, force)
    terminal.give({"output": str(path), "kind": end[1:], "bytes": path.stat().st_size})
    terminal.note(f"note: {path.name!r} written.")


def drawn(model: Any, tree: "Tree", end: str, options: dict[str, Any]) -> str | bytes:
    """The picture, by the end of its name."""
    limits = {"max_depth": options["depth"], "max_nodes": options["max_nodes"]}
    if end == ".html":
        return page(model, options)
    if end == ".dot":
        from treewright.export.dot import to_dot

        return to_dot(tree, **limits)
    if limits["max_nodes"] is None:
        del limits["max_nodes"]
    shape = limits | {"direction": options["direction"], "title": options["title"]}
    if end == ".svg":
        from treewright.plot.svg import to_svg

        return to_svg(tree, theme=options["theme"], **shape)
    return painted(tree, end[1:], shape)


def page(model: Any, options: dict[str, Any]) -> str:
    """The interactive page."""
    if not hasattr(model, "to_html"):
        raise InputError("A page needs a model as `treewright fit` keeps it, and this file holds a tree alone.")
    again = {} if options["data"] is None else open_rows(model.tree_.schema, options["data"], options).again()
    text = model.to_html(None, **again, title=options["title"], language=options["language"])
    return str(text)


def painted(tree: "Tree", kind: str, shape: dict[str, Any]) -> bytes:
    """The picture by matplotlib; the same bytes for the same tree."""
    from io import BytesIO

    from treewright.plot.axes import require_matplotlib
    from treewright.plot.canvas import plot_tree

    one_of("kind", kind, ("png", "pdf"))
    require_matplotlib()
    import matplotlib as mpl

    mpl.use("agg")
    figure = plot_tree(tree, **shape).figure
    buffer = BytesIO()
    undated = {"png": {"Software": None}, "pdf": {"CreationDate": None}}
    figure.savefig(buffer, format=kind, dpi=150, metadata=undated[kind])
    return buffer.getvalue()
