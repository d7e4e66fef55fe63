"""Cases: small tables and fitted trees for the tests of ledgers.

In: nothing. Out: golf, a table of every kind of column, and names that no output may trust.
"""

import numpy as np
import pandas as pd

GOLF = pd.DataFrame(
    {
        "outlook": ["sunny"] * 5 + ["overcast"] * 4 + ["rain"] * 5,
        "temperature": [75, 80, 85, 72, 69, 72, 83, 64, 81, 71, 65, 75, 68, 70],
        "humidity": [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96],
        "windy": [True, True, False, False, False, True, False, True, False, True, True, False, False, False],
    }
)
PLAY = ["yes", "no", "no", "no", "yes", "yes", "yes", "yes", "yes", "no", "no", "yes", "yes", "yes"]

HOSTILE = [
    "</script><script>alert(1)</script>",
    "\" ' & < >",
    "line\nbreak\r\ttab",
    "\u2028\u2029\u202e right to left",
    "\x1b[31mred\x00",
    "🙂 表",
    "",
    "\ud800 lone",
    "long " * 2000,
]


def mixed(n_rows=300, seed=0, holes=0.0):
    """Numbers, words, ordered words and a column that says nothing; classes and a number to answer."""
    rng = np.random.default_rng(seed)
    size = pd.Categorical(rng.choice(["S", "M", "L", "XL"], n_rows), categories=["S", "M", "L", "XL"], ordered=True)
    table = pd.DataFrame(
        {
            "length": rng.normal(size=n_rows).round(2),
            "colour": pd.Categorical(rng.choice(["red", "green", "blue", "grey"], n_rows)),
            "size": size,
            "same": np.full(n_rows, 7.0),
            "width": rng.integers(0, 20, n_rows).astype(float),
        }
    )
    signal = table["length"] + 2.0 * (table["colour"] == "red") + 0.3 * size.codes + rng.normal(size=n_rows)
    if holes:
        for name in ("length", "colour", "width"):
            table.loc[rng.random(n_rows) < holes, name] = None
    return table, np.digitize(signal, [0.0, 1.5]).astype(str), signal.round(3).to_numpy()
