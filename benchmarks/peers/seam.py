"""The seam between the runner and a peer."""

from dataclasses import dataclass
from typing import Any, Protocol

from benchmarks.tables import Table
from benchmarks.timing import Fit


@dataclass(frozen=True, slots=True)
class Setting:
    """How a tree is grown.

    algorithm  "CART" or "C4.5"
    max_depth  None for full
    missing    what is done with missing cells; None for what the algorithm does by default
    pruned     whether it is pruned as the estimator does by default
    grouping   how the values of a category are grouped; None for what the algorithm does by default
    max_leaves, max_bins  None for no bound, and for every value as it is
    """

    algorithm: str = "CART"
    max_depth: int | None = None
    n_jobs: int = 1
    missing: str | None = None
    pruned: bool = False
    grouping: str | None = None
    max_leaves: int | None = None
    max_bins: int | None = None

    @property
    def depth(self) -> str:
        return "full" if self.max_depth is None else str(self.max_depth)


class Peer(Protocol):
    """A module with a name and four functions."""

    NAME: str

    def missing(self) -> str | None:
        """Why this peer cannot take part, or None."""

    def version(self) -> str:
        """What was measured."""

    def prepare(self, table: Table, setting: Setting) -> Fit | None:
        """The fit to be timed, which returns its model, or None when this peer has no such tree."""

    def n_leaves(self, model: Any) -> int | None:
        """The leaves of what was fitted; None where the program does not say."""
