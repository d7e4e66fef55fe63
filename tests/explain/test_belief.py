"""Answers of a consultation: what a person types is read as it is meant, or refused with advice."""

from math import inf

import pytest

from treewright.data.schema import Column, Kind
from treewright.errors import InputError
from treewright.explain.consult.belief import UNKNOWN, Choice, Numbers, parse_answer, parse_json_answer

AGE = Column("age", Kind.NUMBER)
SKY = Column("sky", Kind.CATEGORY, ("clear", "cloudy", "fog", "Rain, heavy", "2"))
SIZE = Column("size", Kind.ORDERED, ("S", "M", "L", "XL"))
FLAG = Column("flag", Kind.CATEGORY, (False, True))


@pytest.mark.parametrize(
    ("text", "low", "high", "words"),
    [
        ("75", 75, 75, "75"),
        (" -7.5e1 ", -75, -75, "-75"),
        ("70-80", 70, 80, "70 to 80"),
        ("70 – 80", 70, 80, "70 to 80"),
        ("70..80", 70, 80, "70 to 80"),
        ("70 to 80", 70, 80, "70 to 80"),
        ("-5--3", -5, -3, "-5 to -3"),
        ("-5 - 3", -5, 3, "-5 to 3"),
        ("1e-3-2e-3", 0.001, 0.002, "0.001 to 0.002"),
        ("< 75", -inf, 75, "at most 75"),
        ("≤75", -inf, 75, "at most 75"),
        (">= 3", 3, inf, "at least 3"),
        (">3.", 3, inf, "at least 3"),
        ("-0", 0, 0, "0"),
    ],
)
def test_numbers_and_ranges(text, low, high, words):
    assert parse_answer(AGE, text) == (Numbers(low, high), words)


@pytest.mark.parametrize("text", ["?", "unknown", "NA", " ? "])
def test_not_known(text):
    assert parse_answer(AGE, text) == (UNKNOWN, "unknown")


@pytest.mark.parametrize("text", ["", "old", "7,5", "80-70", "1e999", "70-", "nan-3", "< old", "0x10", "١٢x"])
def test_what_is_no_number_is_refused_by_name(text):
    with pytest.raises(InputError, match="'age'"):
        parse_answer(AGE, text)


@pytest.mark.parametrize(
    ("text", "code"),
    [("clear", 0), ("CLOUDY", 1), ("f", 2), ("rain", 3), ("Rain, heavy", 3), ("1", 0), ("3", 2), ("2", 4), ("5", 4)],
)
def test_categories_by_name_beginning_or_number(text, code):
    """A category that is called 2 is meant by 2, not the second one."""
    assert parse_answer(SKY, text)[0] == Choice((code,), (1.0,))


@pytest.mark.parametrize(
    ("text", "codes", "shares"),
    [
        ("clear: 0.7, fog: 0.3", (0, 2), (0.7, 0.3)),
        ("fog:30%; clear : 70 %", (0, 2), (0.7, 0.3)),
        ("clear=1, fog=0", (0,), (1.0,)),
        ("clear, fog", (0, 2), (0.5, 0.5)),
        ("clear or fog", (0, 2), (0.5, 0.5)),
        ("clear: 0.33, cloudy: 0.33, fog: 0.33", (0, 1, 2), (1 / 3,) * 3),
    ],
)
def test_several_categories(text, codes, shares):
    found = parse_answer(SKY, text)[0]
    assert found.codes == codes
    assert found.probabilities == pytest.approx(shares)


@pytest.mark.parametrize(
    ("text", "codes"),
    [("<M", (0,)), ("<= M", (0, 1)), ("> M", (2, 3)), (">=L", (2, 3)), ("M..XL", (1, 2, 3)), ("S to M", (0, 1))],
)
def test_ranges_of_an_ordered_category(text, codes):
    assert parse_answer(SIZE, text)[0].codes == codes


@pytest.mark.parametrize(
    ("column", "text", "says"),
    [
        (SKY, "cler", "Did you mean clear"),
        (SKY, "cl", "several categories of 'sky': clear, cloudy"),
        (SKY, "", "The value for 'sky' is empty"),
        (SKY, "clear: 0.7, fog: 0.7", "sum to 1.4"),
        (SKY, "clear: 0.7, fog", "Some probabilities for 'sky' are missing"),
        (SKY, "clear: 0.7, frog: 0.3", "'frog' is not a category"),
        (SKY, "9", "'9' is not a category"),
        (SKY, "clear: 1.2.3", "not a category"),
        (SIZE, "< S", "'< S' contains no category of 'size'"),
        (SIZE, "XL..S", "'XL..S' contains no category of 'size'"),
        (SIZE, "< tiny", "'tiny' is not a category"),
    ],
)
def test_what_is_no_category_is_refused_with_advice(column, text, says):
    with pytest.raises(InputError, match=says):
        parse_answer(column, text)


@pytest.mark.parametrize(
    ("column", "given", "words"),
    [
        (AGE, 75, "75"),
        (AGE, "< 3", "at most 3"),
        (AGE, [1, 2.5], "1 to 2.5"),
        (AGE, None, "unknown"),
        (SKY, {"clear": 0.25, "fog": 0.75}, "25% clear, 75% fog"),
        (SKY, ["clear", "fog"], "50% clear, 50% fog"),
        (FLAG, True, "True"),
        (FLAG, "false", "False"),
    ],
)
def test_answers_as_json_has_them(column, given, words):
    assert parse_json_answer(column, given)[1] == words


@pytest.mark.parametrize("given", [{"clear": "much"}, {"clear": True}, [], {}, {"frog": 1}])
def test_json_that_says_nothing_is_refused_by_name(given):
    with pytest.raises(InputError, match="'sky'"):
        parse_json_answer(SKY, given)
