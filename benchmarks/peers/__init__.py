"""Who takes part: one small file per program.

In: a table and a setting. Out: a function that fits once and returns the number of leaves. What only converts
the table into the form a program likes best is done before the clock starts.
"""

from benchmarks.peers import ours, scikit_learn
from benchmarks.peers.seam import Fit, Peer, Setting

OURS: Peer = ours
OTHERS: tuple[Peer, ...] = (scikit_learn,)

__all__ = ["OTHERS", "OURS", "Fit", "Peer", "Setting"]
