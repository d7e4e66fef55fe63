"""The seam between the runner and a peer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from benchmarks.tables import Table

Fit = Callable[[], int]
"""Fits once and returns the number of leaves."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How a tree is grown: an algorithm, a depth (None for full), a number of threads, and what is done with missing
    cells (None for what the algorithm does by default).
    """

    algorithm: str = "CART"
    max_depth: int | None = None
    n_jobs: int = 1
    missing: str | None = None


class Peer(Protocol):
    """A module with a name and two functions."""

    NAME: str

    def missing(self) -> str | None:
        """Why this peer cannot take part, or None."""

    def prepare(self, table: Table, setting: Setting) -> Fit | None:
        """The fit to be timed, or None when this peer has no such tree."""
