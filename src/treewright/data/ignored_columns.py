"""Columns that the command line leaves out of a tree, and the reasons, as notes and model files have them."""

from dataclasses import dataclass

from treewright.language import N_

IGNORED = {
    "row_number": N_("consecutive integers, like row numbers"),
    "identifier": N_("a different value in nearly every row, like an identifier"),
    "free_text": N_("free text, different in most rows"),
    "constant": N_("the same value in every row"),
    "empty": N_("only missing values"),
}
"""The reasons by the name that they have in a model file."""


@dataclass(frozen=True, slots=True)
class IgnoredColumn:
    """A column that was left out, and why: one of IGNORED."""

    name: str
    reason: str
