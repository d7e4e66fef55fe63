"""Collect the messages of the source into the gettext catalogues, and compile them.

In: the calls of `_`, `N_`, `plural` and `context` in src/treewright. Out: for each language its catalogue
src/treewright/locale/<language>/LC_MESSAGES/treewright.po, with new messages to translate and without those that are
gone, and treewright.mo beside it, which is what the package reads. With --check nothing is written: the exit code is 1
when a catalogue is not up to date or a message has no translation.

    python tools/catalogue.py            make catalogue
    python tools/catalogue.py --add fr   an empty catalogue for another language
"""

import argparse
import ast
import io
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "treewright"
LOCALE = PACKAGE / "locale"
SINCE = datetime(2026, 11, 18, tzinfo=UTC)
"""The date in the header: a fixed one, so that a catalogue changes only with its messages."""


def calls(source: str) -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    """Go through the messages of a module in the order of its lines, each with its context.

    The syntax tree has the calls inside f-strings, too. Babel's own reader sees them from Python 3.12 on only.
    """
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(found, key=lambda node: (node.lineno, node.col_offset)):
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        n_texts = {"_": 1, "N_": 1, "plural": 2, "context": 2}.get(name, 0)
        constants = [one.value for one in call.args[:n_texts] if isinstance(one, ast.Constant)]
        texts = [value for value in constants if isinstance(value, str)]
        if n_texts and len(texts) == n_texts:
            yield (texts[1], texts[0]) if name == "context" else (texts[0] if n_texts == 1 else tuple(texts), None)


def collected() -> Catalog:
    """Return the messages of the source, without translations."""
    found = Catalog(project="treewright", charset="utf-8")
    for path in sorted(PACKAGE.rglob("*.py")):
        for message, context in calls(path.read_text(encoding="utf-8")):
            found.add(message, locations=[(path.relative_to(PACKAGE).as_posix(), 0)], context=context)
    return found


def catalogue(language: str, template: Catalog) -> Catalog:
    """Return the catalogue of a language with the messages of the template and the translations that it had."""
    path = LOCALE / language / "LC_MESSAGES" / "treewright.po"
    with path.open("rb") as file:
        found = read_po(file, locale=language)
    found.update(template, no_fuzzy_matching=True, update_header_comment=False)
    found.obsolete.clear()
    found.project, found.version, found.header_comment = "treewright", "", f"# Treewright's messages: {language}."
    found.creation_date = found.revision_date = SINCE
    found.fuzzy = False
    return found


def text_of(found: Catalog) -> bytes:
    """Return the catalogue as the text of a .po file."""
    file = io.BytesIO()
    write_po(file, found, width=110, sort_by_file=True, include_lineno=False, ignore_obsolete=True)
    return file.getvalue()


def compiled(found: Catalog) -> bytes:
    """Return the catalogue as a .mo file."""
    file = io.BytesIO()
    write_mo(file, found)
    return file.getvalue()


def forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the forms of a message or of its translation: one, or one for each plural; a new message has none yet."""
    if text is None:
        return ("",)
    return (text,) if isinstance(text, str) else tuple(text)


def entries(found: Catalog) -> dict[tuple[tuple[str, ...], str | None], tuple[str, ...]]:
    """Return the translations by message and context, without the header, which names the version of Babel."""
    return {(forms(message.id), _text(message.context)): forms(message.string) for message in found if message.id}


def _text(context: str | bytes | None) -> str | None:
    """Return a context as text: Babel's reader of .mo files leaves it as bytes."""
    return context.decode() if isinstance(context, bytes) else context


def is_up_to_date(path: Path, found: Catalog) -> bool:
    """Whether a .po or .mo file has these messages and translations."""
    if not path.exists():
        return False
    with path.open("rb") as file:
        if path.suffix == ".po":
            return entries(read_po(file, locale=found.locale)) == entries(found)
        translated = {key: string for key, string in entries(found).items() if all(string)}
        return entries(read_mo(file)) == translated


def untranslated(found: Catalog) -> Iterator[Message]:
    """Go through the messages without a translation."""
    for message in found:
        if message.id and not all(forms(message.string)):
            yield message


def main() -> int:
    """Bring every catalogue up to date, or check that they are."""
    options = argparse.ArgumentParser(description="Collect the messages of the source into the gettext catalogues.")
    options.add_argument("--check", action="store_true", help="write nothing; fail when a catalogue is not complete")
    options.add_argument("--add", metavar="LANGUAGE", help="add an empty catalogue for a language, such as fr")
    given = options.parse_args()
    if given.add:
        folder = LOCALE / given.add / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "treewright.po").write_bytes(text_of(Catalog(locale=given.add)))
    template = collected()
    complete = True
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/treewright.po")):
        language = path.parent.parent.name
        found = catalogue(language, template)
        missing = list(untranslated(found))
        for message in missing:
            print(f"{language}: no translation of {message.id!r}")
        complete &= not missing
        for target, written in ((path, text_of), (path.with_suffix(".mo"), compiled)):
            if not given.check:
                target.write_bytes(written(found))
            elif not is_up_to_date(target, found):
                print(f"{target.relative_to(PACKAGE.parent.parent)} is not up to date: run make catalogue")
                complete = False
        print(f"{language}: {len(found)} messages, {len(missing)} without a translation")
    return int(given.check and not complete)


if __name__ == "__main__":
    sys.exit(main())
