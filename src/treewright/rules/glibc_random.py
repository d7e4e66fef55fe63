"""The random numbers of the GNU C library's random().

c4.5rules draws the starting sets of its search with random() and sets no seed, so the numbers are always those of seed
1. The same rules can only be found with the same numbers.
"""

from collections import deque

LAG = 31
"""How many of the last numbers are kept."""
N_DISCARDED = 310
"""Numbers that are generated and thrown away before the first."""
MODULUS = 2**31


class GlibcRandom:
    """The sequence of random(), started with seed 1.

    >>> random = GlibcRandom()
    >>> [round(random.draw() * 2**31) for _ in range(3)]
    [1804289383, 846930886, 1681692777]
    """

    def __init__(self) -> None:
        first = [1]
        while len(first) < LAG:
            first.append(16807 * first[-1] % (MODULUS - 1))
        # The state is these 31 numbers and then the first three again; from there on each is the sum of two.
        self._last = deque(first[3:] + first[:3], maxlen=LAG)
        for _ in range(N_DISCARDED):
            self._next()

    def _next(self) -> int:
        number = (self._last[-3] + self._last[0]) % 2**32
        self._last.append(number)
        return number

    def draw(self) -> float:
        """Return the next number: at least 0, below 1."""
        return (self._next() >> 1) / MODULUS
