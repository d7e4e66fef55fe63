"""What is run: the command line as one value that every section is handed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Choice:
    """Which cases, and how thoroughly.

    names    sections, or parts of the names of cases; none for all
    depths   None for full
    share    the part of the rows of every table
    budget   seconds that one fit may take over all its rounds
    data     the folder of the real tables
    is_long  whether the cases are run that take minutes each
    """

    names: Sequence[str] = ()
    depths: Sequence[int | None] = (8, None)
    threads: Sequence[int] = (1, 2)
    rounds: int = 4
    repeats: int = 300
    share: float = 1.0
    budget: float = 5.0
    data: Path = Path("../shared/data")
    is_long: bool = False

    def wants(self, section: str, case: str = "") -> bool:
        """Whether a case is asked for; the name of a section asks for all its cases."""
        return not self.names or any(part == section or part in case for part in self.names)
