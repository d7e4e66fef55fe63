"""Formulas: text that a spreadsheet would run, made harmless.

In: a table that is to be written as CSV or TSV. Out: the same table, with an apostrophe before every text and name
that begins like a formula; spreadsheets show such a cell as text. Numbers are left as they are, negative ones too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

LEADING = ("=", "+", "-", "@", "\t", "\r")
"""The characters that make a spreadsheet read a cell as a formula, or that hide one."""


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may run the text.

    >>> is_formula("=1+1"), is_formula("a=1")
    (True, False)
    """
    return text.startswith(LEADING)


def safe_text(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet may run it.

    >>> safe_text("@SUM(A1)"), safe_text("plain")
    ("'@SUM(A1)", 'plain')
    """
    return f"'{text}" if is_formula(text) else text


def safe_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """The table with harmless texts and names.

    >>> import polars
    >>> safe_formulas(polars.DataFrame({"=name": ["-2+3", "red"], "n": [-1, 2]})).rows(named=True)
    [{"'=name": "'-2+3", 'n': -1}, {"'=name": 'red', 'n': 2}]
    """
    import polars as pl

    columns = [
        _safe(pl.col(name).cast(pl.String) if dtype in (pl.Categorical, pl.Enum) else pl.col(name), name)
        for name, dtype in frame.schema.items()
        if dtype in (pl.String, pl.Categorical, pl.Enum)
    ]
    return frame.with_columns(columns).rename({name: safe_text(name) for name in frame.columns})


def _safe(cell: pl.Expr, name: str) -> pl.Expr:
    import polars as pl

    leads = pl.any_horizontal([cell.str.starts_with(leading) for leading in LEADING])
    return pl.when(leads).then("'" + cell).otherwise(cell).alias(name)
