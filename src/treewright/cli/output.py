"""Output: where a result is written, and never over what is there.

In: the path given by -o, --force, and text or bytes. Out: the file, wholly or not at all.
"""

from pathlib import Path

from treewright.cli.verb import Decorator, FileName, option, stacked

GROUP = "Output"


def output_to(words: str, *, required: bool = False) -> Decorator:
    """Adds -o/--output PATH and --force to a verb, which gets them as `output` and `force`.

    words  what the help page says of -o
    """
    return stacked(
        option("-o", "--output", type=FileName(), metavar="PATH", required=required, group=GROUP, help=words),
        option("--force", is_flag=True, group=GROUP, help="Replace a file that is there already."),
    )


output_option = output_to("Write the result to this file.")
"""-o/--output PATH and --force, where the result is plain."""


def check_output(output: str | None, force: bool) -> Path | None:
    """The path of the result, refused before any work is done where nothing may be written there."""
    from treewright.disk.write import read_path, refuse_existing

    if output is None:
        return None
    path = read_path(output)
    if not force:
        refuse_existing(path)
    return path


def write_output(path: Path, data: str | bytes, force: bool) -> None:
    """Write the result; text as UTF-8, what cannot be encoded escaped, and compressed where the name ends so."""
    from treewright.disk.squeeze import squeezed
    from treewright.disk.write import write_bytes

    found = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    write_bytes(path, squeezed(path.name, found), overwrite=force)
