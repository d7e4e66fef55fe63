"""A mixed table, and whether a Chinese text has English words besides the user's names."""

import re
from html import unescape

import pandas as pd

NAMES = {"outlook", "temperature", "humidity", "windy", "size", "play"}
CATEGORIES = {"sunny", "overcast", "rain", "S", "M", "L", "yes", "no", "True", "False"}


def mixed_table():
    """Return numbers, a category, an ordered category, a truth value and missing values; and their classes."""
    X = pd.DataFrame({
        "outlook": ["sunny", "sunny", "overcast", "rain", "rain", "rain", "overcast", "sunny", "sunny", None] * 4,
        "temperature": [85, 80, 83, 70, 68, 65, 64, 72, None, 75] * 4,
        "humidity": [85, 90, 78, 96, 80, 70, 65, 95, 70, None] * 4,
        "windy": [False, True, False, False, False, True, True, False, False, True] * 4,
        "size": pd.Categorical(["S", "M", "L", None, "M", "S", "L", "M", "S", "L"] * 4, ["S", "M", "L"], ordered=True),
    })  # fmt: skip
    y = pd.Series(["no", "no", "yes", "yes", "yes", "no", "yes", "no", "yes", "yes"] * 4, name="play")
    y.iloc[[3, 17, 31]] = ["no", "yes", "no"]
    return X, y


def english_words(text, *names):
    """Return the words of Latin letters in a text that are neither tags of HTML nor names of the mixed table."""
    text = unescape(re.sub(r"</?(div|table|tr|th|td|p|pre)( style=\"text-align:(left|right)\")?>", " ", text))
    return set(re.findall(r"[A-Za-z]+", text)) - NAMES - CATEGORIES - set(names)
