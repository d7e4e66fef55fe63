"""What is run: the command line as one value that every section is handed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Choice:
    """Which cases, and how thoroughly.

    names    parts of the names of cases, and
    sections names of sections; without any, everything is run
    depths   None for full
    fraction the part of the rows of every table
    budget   seconds of CPU that one fit may take over all its rounds
    data     the folder of the real tables
    is_long  whether the cases are run that take minutes each
    """

    names: Sequence[str] = ()
    depths: Sequence[int | None] = (8, None)
    threads: Sequence[int] = (1, 2)
    rounds: int = 4
    repeats: int = 300
    fraction: float = 1.0
    budget: float = 5.0
    data: Path = Path("../shared/data")
    is_long: bool = False
    sections: Sequence[str] = ()

    def wants(self, section: str, case: str = "") -> bool:
        """Whether a case is selected; the name of a section selects all its cases, and none of another section."""
        if not self.names and not self.sections:
            return True
        return section in self.sections or any(part in case for part in self.names)
