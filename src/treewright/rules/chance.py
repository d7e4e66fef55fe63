"""Chance: the numbers of the C library's random(), as the GNU library makes them.

In: nothing; the seed is 1, as in a program that sets none. Out: one number from 0 to 1 after the other, the same ones
every time. Quinlan's program starts its search for rules with them, and its results can only be met with them.
"""

from collections import deque

LAG = 31
"""How many of the last numbers are kept."""
UNUSED = 310
"""Numbers that are made and thrown away before the first."""
LARGEST = 2**31


class Chance:
    """The stream.

    >>> chance = Chance()
    >>> [round(chance.following() * 2**31) for _ in range(3)]
    [1804289383, 846930886, 1681692777]
    """

    def __init__(self) -> None:
        first = [1]
        while len(first) < LAG:
            first.append(16807 * first[-1] % (LARGEST - 1))
        # The first 34 are these 31 and the first three of them again; from there on each is the sum of two.
        self._last = deque(first[3:] + first[:3], maxlen=LAG)
        for _ in range(UNUSED):
            self._make()

    def _make(self) -> int:
        made = (self._last[-3] + self._last[0]) % 2**32
        self._last.append(made)
        return made

    def following(self) -> float:
        """The next number: at least 0, below 1."""
        return (self._make() >> 1) / LARGEST
