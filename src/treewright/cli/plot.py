"""`treewright plot`: a tree as a picture or an interactive page."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import check_output, option, output_to, subcommand, write_output
from treewright.cli.input_tables import open_rows, rows_options
from treewright.cli.models import model_argument, open_tree
from treewright.cli.terminal import Terminal
from treewright.errors import InputError, one_of
from treewright.language import LANGUAGES, messages

if TYPE_CHECKING:
    from treewright.model.tree import Tree

ENDS = (".svg", ".html", ".dot", ".png", ".pdf")
PICTURE = "Picture"


@subcommand(
    examples=[
        "treewright plot golf.json -o golf.svg",
        "treewright plot golf.json -o golf.html --data golf.csv",
        "treewright plot golf.json -o golf.png --depth 2 --title 'Play golf?'",
        "treewright plot golf.json -o rows.svg --nodes distribution --data golf.csv",
    ]
)
@model_argument
@output_to("Output file: .svg, .html (an interactive page), .png, .pdf or .dot.", required=True)
@option("--title", metavar="TEXT", help="Title of the picture or the page.")
@option(
    "--nodes",
    type=click.Choice(("summary", "distribution")),
    default="summary",
    group=PICTURE,
    help="What a box shows: a summary, or the training rows and the cut.",
)
@option("--depth", type=click.IntRange(0), metavar="N", group=PICTURE, help="Maximum depth to draw.")
@option(
    "--max-nodes",
    type=click.IntRange(1),
    metavar="N",
    group=PICTURE,
    help="Approximate maximum number of nodes to draw.",
)
@option(
    "--direction",
    type=click.Choice(("auto", "down", "across")),
    default="auto",
    group=PICTURE,
    help="Direction from the root to the leaves.",
)
@option(
    "--theme",
    type=click.Choice(("auto", "light", "dark")),
    default="auto",
    group=PICTURE,
    help="Colors of an .svg.",
)
@option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Language of a picture [en], or of an .html [that of the browser].",
)
@rows_options("Training rows; an .html shows some rows of each leaf, --nodes distribution draws them.")
def command(terminal: Terminal, model: str, output: str, force: bool, **options: Any) -> None:
    """Draw a tree as a picture or an interactive page.

    An .html is one file that works offline; it contains rows only if --data is given. .png and .pdf need matplotlib.
    --nodes distribution uses the rows of --data, or those in the model.
    """
    end = Path(output).suffix.lower()
    if end not in ENDS:
        raise click.UsageError(
            f"Unknown output format of {output!r}; use a name that ends in {', '.join(ENDS)}"
        )
    if options["nodes"] == "distribution" and end in (".html", ".dot"):
        raise click.UsageError(f"--nodes distribution draws .svg, .png and .pdf, not {end}")
    path = check_output(output, force)
    assert path is not None  # -o is required
    found, tree = open_tree(model, "plot")
    with terminal.clock("drawing"):
        data = draw(found, tree, end, options | {"model": model})
    write_output(path, data, force)
    terminal.print_json({"output": str(path), "kind": end[1:], "bytes": path.stat().st_size})
    _ = messages(terminal.language)
    terminal.note(_("written to {path}.", path=repr(path.name)))


def draw(model: Any, tree: "Tree", end: str, options: dict[str, Any]) -> str | bytes:
    """Return the picture, by the extension of its name."""
    limits = {"max_depth": options["depth"], "max_nodes": options["max_nodes"]}
    if end == ".html":
        return render_page(model, options)
    if end == ".dot":
        from treewright.export.dot import to_dot

        return to_dot(tree, **limits, language=options["language"] or "en")
    if limits["max_nodes"] is None:
        del limits["max_nodes"]
    shape = limits | {
        "direction": options["direction"],
        "title": options["title"],
        "language": options["language"] or "en",
        **read_rows(model, options),
    }
    if end == ".svg":
        from treewright.plot.svg import to_svg

        return to_svg(model, theme=options["theme"], **shape)
    return render_image(model, end[1:], shape)


def read_rows(model: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Return what the boxes show, with the training rows if they show them."""
    if options["nodes"] == "summary":
        return {}
    if not hasattr(model, "tree_"):
        raise InputError("This file holds only a tree; --nodes distribution needs a model saved by `treewright fit`.")
    rows = {}
    if options["data"] is not None:
        rows = open_rows(model.tree_.schema, options["data"], options).as_training()
    elif model._kept is None:
        raise InputError(
            f"{options['model']!r} has no training rows; use --data FILE with the training table, or fit again with "
            "--keep rows."
        )
    return {"nodes": options["nodes"], **rows}


def render_page(model: Any, options: dict[str, Any]) -> str:
    """Return the interactive page."""
    if not hasattr(model, "to_html"):
        raise InputError("This file contains only a tree; a page needs a model saved by `treewright fit`.")
    data, rows = options["data"], {}
    if data is not None:
        rows = open_rows(model.tree_.schema, data, options).as_training()
    text = model.to_html(None, **rows, title=options["title"], language=options["language"])
    return str(text)


def render_image(model: Any, kind: str, shape: dict[str, Any]) -> bytes:
    """Return the picture drawn by matplotlib; the same model gives the same bytes."""
    from io import BytesIO

    from treewright.plot.axes import require_matplotlib
    from treewright.plot.matplotlib_tree import plot_tree

    one_of("kind", kind, ("png", "pdf"))
    require_matplotlib()
    import matplotlib as mpl

    mpl.use("agg")
    figure = plot_tree(model, **shape).figure
    buffer = BytesIO()
    undated = {"png": {"Software": None}, "pdf": {"CreationDate": None}}
    figure.savefig(buffer, format=kind, dpi=150, metadata=undated[kind])
    return buffer.getvalue()
