"""The tree used for prediction as SQL, code and rules in the data of a page.

In: the tree and how it predicts. Out: for each format its text, compressed, or the sentence that refuses it. The texts
are those of `treewright.export`, but they are not executed: that would take longer than the rest of the page. Large
trees have no texts; the page says which call in Python returns them.
"""

import zlib
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treewright.errors import ExportError
from treewright.export.exported import write_export
from treewright.export.scoring import Scoring, scoring
from treewright.page.page_input import PageInput

MAX_NODES, MAX_NODES_RARE = 1000, 100
"""Nodes of a tree whose texts are in the page; the second is for formats that few readers need."""

MAX_LENGTH = 2_000_000
"""Characters of a text in the page; long names and categories can make it longer."""


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format that the page offers.

    key      of the format in the page
    group    its heading in the list: "sql", "code" or "text"
    name     what it is called
    call     the call in Python that returns the text
    ending   of the file that is saved
    target   of `treewright.export`; empty for rules
    options  of the target
    limit    on the nodes of a tree whose text is in the page
    """

    key: str
    group: str
    name: str
    call: str
    ending: str
    target: str = ""
    options: dict[str, str] = field(default_factory=dict)
    limit: int = MAX_NODES


def _sql(dialect: str, name: str, limit: int = MAX_NODES) -> ExportFormat:
    return ExportFormat(dialect, "sql", name, f'to_sql("{dialect}")', "sql", "sql", {"dialect": dialect}, limit)


def _code(language: str, name: str, ending: str) -> ExportFormat:
    return ExportFormat(language, "code", name, f'to_code("{language}")', ending, language)


FORMATS = (
    _sql("duckdb", "DuckDB"),
    _sql("sqlite", "SQLite"),
    _sql("postgres", "PostgreSQL"),
    _sql("mysql", "MySQL", MAX_NODES_RARE),
    _sql("mariadb", "MariaDB", MAX_NODES_RARE),
    _sql("sqlserver", "SQL Server", MAX_NODES_RARE),
    _sql("bigquery", "BigQuery", MAX_NODES_RARE),
    _sql("snowflake", "Snowflake", MAX_NODES_RARE),
    _sql("spark", "Spark", MAX_NODES_RARE),
    _code("python", "Python", "py"),
    _code("javascript", "JavaScript", "js"),
    _code("c", "C", "c"),
    _code("sas", "SAS", "sas"),
    ExportFormat("rules", "text", "", "rules()", "txt"),
)
"""The formats in the order of the list. A new format is one line here."""


def exports_part(given: PageInput) -> list[dict[str, Any]]:
    """Return the formats: `text` by language, compressed; `refused`, why there is none; neither for a large tree."""
    n_nodes, found = given.tree.n_nodes, []
    decisions = scoring(given.tree, given.material.rule.missing, given.unseen) if n_nodes <= MAX_NODES else None
    for one in FORMATS:
        texts, refused = None, None
        if decisions is not None and n_nodes <= one.limit:
            try:
                texts = _texts(one, decisions, given)
            except ExportError as error:
                refused = str(error)
        words = {name: getattr(one, name) for name in ("key", "group", "name", "call", "ending")}
        found.append(words | {"text": texts, "refused": refused})
    return found


def _texts(one: ExportFormat, decisions: Scoring, given: PageInput) -> dict[str, str] | None:
    """The compressed texts of a format by language; None if they are too long, or if there are no rules."""
    if one.target:
        texts: Mapping[str, str] = {"en": write_export(decisions, one.target, **one.options)}
    elif given.rules is not None:
        texts = given.rules()
    else:
        return None
    if max(map(len, texts.values())) > MAX_LENGTH:
        return None
    return {language: compressed(text) for language, text in texts.items()}


def compressed(text: str) -> str:
    """Return a text as zlib data in base64, which a browser decompresses.

    >>> compressed("SELECT 1;")
    'eJwLdvVxdQ5RMLQGAAxqAk0='
    """
    # What UTF-8 cannot encode is escaped, as in files that the command line writes.
    return b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"))).decode("ascii")
