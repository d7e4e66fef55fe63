"""Worked page: the figures of a worked solution, by what stands beside them.

In: a solution. Out: the last number of the formula with a given left side, or the cell of a table by its row and its
column, as they are printed; and the same for a whole table of (figure, where).
"""

import re
from dataclasses import dataclass, field
from functools import cache

SHOWN = re.compile(r"−?\d+(?:\.\d+)?%?$")


@dataclass(frozen=True)
class Figure:
    """A figure of a book.

    section  the heading it stands under
    where    the left side of its formula; or (row, column) of its table
    shown    the figure to as many digits as are printed; one entry for each number of digits
    book     what the book prints where that is not the exact figure
    """

    section: str
    where: str | tuple[str, str]
    shown: tuple[str, ...]
    book: tuple[str, ...] = field(default=())


def figures(section, where, *shown, book=()):
    """A line of a table of figures."""
    return Figure(section, where, shown, (book,) if isinstance(book, str) else tuple(book))


class Page:
    """A solution as it is printed with so many digits."""

    def __init__(self, solution, digits):
        self.sections = {}
        for section in solution.to_dict(digits)["sections"]:
            # A heading may say what kind of column it is about.
            self.sections[re.sub(r" \((number|ordered)\)$", "", section["heading"])] = section["parts"]
        self.text = _flat(solution.to_text(digits))

    def last(self, section, left):
        """The number that the formulas with this left side end with."""
        parts = self.sections[section]
        found = [p["formula"] for p in parts if re.split(" [=≈] ", p.get("formula", ""))[0] == left]
        assert found, f"no formula for {left} under {section}"
        assert all(_flat(formula) in self.text for formula in found)
        return [SHOWN.search(formula)[0] for formula in found]

    def cell(self, section, row, column):
        """The cells in rows that begin so, or are numbered and then begin so, and in this column."""
        found = []
        for part in self.sections[section]:
            if "rows" not in part or column not in part["head"]:
                continue
            at = part["head"].index(column)
            for line in part["rows"]:
                if row in line[:2]:
                    assert _flat(" ".join(line)) in self.text
                    found.append(line[at])
        assert found, f"no cell for {row} and {column} under {section}"
        return found

    def formula(self, section, left):
        """The whole of the formula with this left side."""
        (found,) = [
            p["formula"] for p in self.sections[section] if p.get("formula", "").startswith((left + " =", left + " ≈"))
        ]
        assert _flat(found) in self.text
        return found


@cache
def page_of(solution, digits=4):
    """The page of a solution, made once."""
    return Page(solution, digits)


def printed(solution, figure):
    """The figures of a line as the solution prints them, each with as many digits as are asked for."""
    found = []
    for shown in figure.shown:
        digits = len(shown.rstrip("%").partition(".")[2])
        page = page_of(solution, 4 if shown.endswith("%") else max(digits, 1))
        where = figure.where
        numbers = page.last(figure.section, where) if isinstance(where, str) else page.cell(figure.section, *where)
        numbers = [number.replace("−", "-") for number in numbers]
        found.append(shown if shown in numbers else numbers)
    return tuple(found)


def _flat(text):
    return re.sub(r"\s+", " ", text)
