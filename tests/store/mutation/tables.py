"""Small tables for the seed models: numbers, categories in order and without, texts of many alphabets, and gaps."""

import numpy as np
import pandas as pd

COLOURS = ("red", "green", "blue", "white")
SIZES = ("S", "M", "L", "XL")
N_ROWS = 36


def mixed(missing=False, n=N_ROWS):
    """Two numbers, an ordered category, a category and a truth; every eighth cell is missing where it is wanted."""
    i = np.arange(n)
    frame = pd.DataFrame(
        {
            "age": (20 + (i * 37) % 45).astype(float),
            "income": ((i * i * 7) % 101) / 3.0,
            "size": pd.Categorical([SIZES[(k * 3 + k // 5) % 4] for k in i], SIZES, ordered=True),
            "colour": [COLOURS[(k * 5 + k // 7) % 4] for k in i],
            "flag": [bool((k * 11 // 3) % 2) for k in i],
        }
    )
    if missing:
        for position, name in enumerate(("age", "income", "size", "colour")):
            frame.loc[i % 8 == position, name] = None
    return frame


def classes(names=("no", "yes"), n=N_ROWS):
    """Classes that follow from age, colour and income, but for a row here and there."""
    frame, k = mixed(n=n), len(names)
    code = np.where(frame["age"] > 42, 1, np.where(frame["colour"] == "red", k - 1, 0))
    code = np.where((frame["income"] > 24) & (frame["age"] > 50), 0, code)
    return np.array(names, dtype=object)[(code + (np.arange(n) % 13 == 3)) % k]


def numbers(n=N_ROWS):
    """Numbers that follow from the same columns."""
    frame = mixed(n=n)
    return (frame["age"] * 1.5 + (frame["colour"] == "blue") * 20 + np.arange(n) % 5 / 3).to_numpy()


def words(n=N_ROWS):
    """Categories alone, as ID3 likes them."""
    i = np.arange(n)
    return pd.DataFrame(
        {
            "outlook": [("sunny", "overcast", "rain")[(k * 7 + k // 4) % 3] for k in i],
            "windy": [("true", "false")[(k // 3) % 2] for k in i],
            "humidity": [("high", "normal")[(k * 5 // 2) % 2] for k in i],
        }
    )


def alphabets(n=24):
    """Names and categories that are hard to write down: quotes, breaks, other scripts."""
    i = np.arange(n)
    colours = [("青绿", "乌黑", "浅白")[k % 3] for k in i]
    frame = pd.DataFrame({"色泽": colours, 'a "b"\n\\c': (i * 7 % 11).astype(float)})
    frame["\u202ename"] = [("\U0001f333", "</script>", "", " ")[(k * 3) % 4] for k in i]
    return frame, np.array([("是", "否", "\u202emaybe")[(k % 3 + (k * 7 % 11 > 5)) % 3] for k in i], dtype=object)


def halves(n=16):
    """A category and a class that are half a character, which no encoding takes."""
    rows = [["\ud800" if k % 3 else "whole", float(k % 5)] for k in range(n)]
    return rows, ["\udfff" if k % 3 and k % 5 > 1 else "yes" for k in range(n)]


RAISED = (
    "1131 1321 0211 2221 2311 0221 1310 2211 3311 0231 0221 0210 "
    "0121 0121 0130 2310 3010 2321 2010 1310 2321 2211 1310 1121"
)


def raised():
    """A table whose tree has a branch raised when it is pruned: three numbers of one digit, and the class."""
    rows = [[*map(float, row[:3])] for row in RAISED.split()]
    return np.array(rows), np.array(["no", "yes"], dtype=object)[[int(row[3]) for row in RAISED.split()]]
