"""One object of a file: what is asked for, or a sentence that names the field by its whole path."""

import numpy as np
import pytest

from treewright.errors import ModelFormatError
from treewright.model.file.fields import Fields


def fields(**members):
    return Fields(members, "trees[0]")


REFUSED = [
    ("is not there", lambda f: f.text("absent")),
    ("is 3, but has to be a text", lambda f: f.text("whole")),
    ("has to be one of 'a', 'b'", lambda f: f.one_of("text", ("a", "b"))),
    ("is true, but has to be a whole number", lambda f: f.whole("truth", 0, 9)),
    ("is 3, but has to be a whole number from 4 to 9", lambda f: f.whole("whole", 4, 9)),
    ("is 2.5, but has to be a whole number", lambda f: f.whole("number", 0, 9)),
    ("is 'x', but has to be a number", lambda f: f.number("text")),
    ("is inf, but has to be a number", lambda f: f.number("endless")),
    ("is null, but has to be a number", lambda f: f.number("nan")),
    ("is 1152921504606846976, but has to be a number", lambda f: f.number("large")),
    ("is 1, but has to be true or false", lambda f: f.truth("one")),
    ("is a list, but has to be an object", lambda f: f.inner("ints")),
    ("is 3, but has to be a list of numbers", lambda f: f.ints("whole", 1, 0, 9)),
    ("holds 3 values, but has to hold 4", lambda f: f.ints("ints", 4, 0, 9)),
    ("holds 7 at place 2, but its numbers are from 0 to 6", lambda f: f.ints("ints", 3, 0, 6)),
    ("holds something else than whole numbers", lambda f: f.ints("floats", 3, 0, 9)),
    ("holds null at place 2", lambda f: f.floats("floats", 3, high=np.inf)),
    ("holds inf at place 1", lambda f: f.floats("floats", 3, nan=True)),
    ("holds 0.5 at place 0, but its numbers are from 1 to inf", lambda f: f.floats("floats", 3, low=1, high=np.inf)),
    ("holds 1152921504606846976 at place 0", lambda f: f.floats("large_ints", 1)),
    ("holds 'x' at place 1, but has to hold numbers", lambda f: f.floats("mixed", 2)),
    ("holds 1 at place 0, but has to hold texts", lambda f: f.texts("mixed")),
    ("holds null at place 1, but has to hold texts, numbers", lambda f: f.values("holes")),
    ("holds an object at place 0", lambda f: f.values("objects")),
    ("holds 1 at place 0, but has to hold objects", lambda f: list(f.each("mixed"))),
    ("is 'x', but has to be a list of objects", lambda f: list(f.each("text"))),
    ("is a very large number, but has to be", lambda f: f.whole("huge", 0, 9)),
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
    assert str(caught.value).endswith("; the file is damaged and has to be made again.")


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
    with pytest.raises(ModelFormatError, match=r"^Field trees\[0\]\.un\\x1b\[31mknown is not known"):
        told.done()


def test_objects_within_know_their_path():
    told = Fields({"inner": {"list": [{"x": 1}, {"x": "no"}]}, "nothing": None})
    each = told.inner("inner").each("list")
    assert next(each).whole("x", 0, 1) == 1
    with pytest.raises(ModelFormatError, match=r"^Field inner\.list\[1\]\.x is 'no'"):
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
