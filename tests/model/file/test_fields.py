"""One object of a file: what is asked for, or a sentence that names the field by its whole path."""

import numpy as np
import pytest

from treewright.errors import ModelFormatError
from treewright.model.file.fields import Fields


def fields(**members):
    return Fields(members, "trees[0]")


REFUSED = [
    ("is missing", lambda f: f.text("absent")),
    ("must be a string, got 3", lambda f: f.text("whole")),
    ("must be one of 'a', 'b', got 'x'", lambda f: f.one_of("text", ("a", "b"))),
    ("must be an integer from 0 to 9, got true", lambda f: f.whole("truth", 0, 9)),
    ("must be an integer from 4 to 9, got 3", lambda f: f.whole("whole", 4, 9)),
    ("must be an integer from 0 to 9, got 2.5", lambda f: f.whole("number", 0, 9)),
    ("must be a number from -1.8e+308 to 1.8e+308, got 'x'", lambda f: f.number("text")),
    ("must be a number from -1.8e+308 to 1.8e+308, got inf", lambda f: f.number("endless")),
    ("must be a number from -1.8e+308 to 1.8e+308, got null", lambda f: f.number("nan")),
    ("must be a number from -1.8e+308 to 1.8e+308, got 1152921504606846976", lambda f: f.number("large")),
    ("must be true or false, got 1", lambda f: f.truth("one")),
    ("must be an object, got a list", lambda f: f.inner("ints")),
    ("must be a list of numbers, got 3", lambda f: f.ints("whole", 1, 0, 9)),
    ("must hold 4 values, got 3", lambda f: f.ints("ints", 4, 0, 9)),
    ("must hold numbers from 0 to 6, got 7 at index 2", lambda f: f.ints("ints", 3, 0, 6)),
    ("must hold 64-bit integers", lambda f: f.ints("floats", 3, 0, 9)),
    ("got null at index 2", lambda f: f.floats("floats", 3, high=np.inf)),
    ("got inf at index 1", lambda f: f.floats("floats", 3, nan=True)),
    ("must hold numbers from 1 to inf, got 0.5 at index 0", lambda f: f.floats("floats", 3, low=1, high=np.inf)),
    ("are integers, got 1152921504606846976 at index 0", lambda f: f.floats("large_ints", 1)),
    ("must hold numbers, got 'x' at index 1", lambda f: f.floats("mixed", 2)),
    ("must hold strings, got 1 at index 0", lambda f: f.texts("mixed")),
    ("must hold strings, numbers or booleans, got null at index 1", lambda f: f.values("holes")),
    ("got an object at index 0", lambda f: f.values("objects")),
    ("must hold objects, got 1 at index 0", lambda f: list(f.each("mixed"))),
    ("must be a list of objects, got 'x'", lambda f: list(f.each("text"))),
    ("must be an integer from 0 to 9, got a very large number", lambda f: f.whole("huge", 0, 9)),
]


@pytest.mark.parametrize(("why", "ask"), REFUSED, ids=[why for why, _ in REFUSED])
def test_what_is_wrong_is_said_with_the_path(why, ask):
    told = fields(
        text="x", whole=3, number=2.5, truth=True, one=1, nan=float("nan"), endless=float("inf"), large=2**60,
        huge=10**300, ints=np.array([1, 2, 7]), floats=np.array([0.5, np.inf, np.nan]), mixed=[1, "x"],
        holes=["x", None], objects=[{}], large_ints=np.array([2**60]),
    )  # fmt: skip
    with pytest.raises(ModelFormatError, match=r"^Field trees\[0\]\.\w+ ") as caught:
        ask(told)
    assert why in str(caught.value)
    assert str(caught.value).endswith("; the file is damaged: fit and save the model again.")


def test_what_other_programs_write_is_read():
    told = fields(floats=np.array([1, 2]), mixed=[1, 2.5, None], empty=[], values=np.array([1.0, 2.5]))
    assert told.floats("floats", 2).tolist() == [1.0, 2.0]
    assert told.floats("mixed", 3, nan=True).tolist()[:2] == [1.0, 2.5]
    assert told.floats("empty", 0).dtype == np.float64
    assert told.values("values") == [1.0, 2.5]
    told.done()


def test_what_nobody_asked_for_is_refused_by_name():
    told = fields(known=1, **{"un\x1b[31mknown": 2})
    told.whole("known", 0, 9)
    with pytest.raises(ModelFormatError, match=r"^Field trees\[0\]\.un\\x1b\[31mknown is unknown"):
        told.done()


def test_objects_within_know_their_path():
    told = Fields({"inner": {"list": [{"x": 1}, {"x": "no"}]}, "nothing": None})
    each = told.inner("inner").each("list")
    assert next(each).whole("x", 0, 1) == 1
    with pytest.raises(ModelFormatError, match=r"^Field inner\.list\[1\]\.x must be an integer from 0 to 1, got 'no'"):
        next(each).whole("x", 0, 1)
    assert told.maybe("nothing") is None
    assert told.maybe("absent") is None
    told.done()


def test_what_is_read_is_no_longer_held():
    import sys

    array = np.zeros(1000)
    told = fields(array=array)
    before = sys.getrefcount(array)
    read = told.floats("array", 1000)
    assert sys.getrefcount(array) == before
    assert read is array
