"""Who takes part: one small file per program.

In: a table and a setting. Out: a function that fits once and returns its model. What only converts the table into the
form a program likes best is done before the clock starts.
"""

from benchmarks.peers import lightgbm, ours, rpart, scikit_learn, snap_ml, weka, xgboost, xgboost_exact, ydf
from benchmarks.peers.seam import Peer, Setting

OURS: Peer = ours
SCIKIT_LEARN: Peer = scikit_learn
OTHERS: tuple[Peer, ...] = (ydf, snap_ml, xgboost_exact, xgboost, lightgbm, rpart, weka)
"""Optional: each is left out with a word where it is not installed."""

__all__ = ["OTHERS", "OURS", "SCIKIT_LEARN", "Peer", "Setting"]
