"""The reader of C4.5's printouts."""

from tests.golden.c45_print import differences, unpruned

TEXT = """Decision Tree:

thal <= 3 :
|   sex = v0: absent (49.0/1.0)
|   sex = v1:[S1]
thal > 3 : present (2.0)


Subtree [S1]

age <= 52.5 : present (4.0)
age > 52.5 :
|   oldpeak <= -0.5 : absent (3.0/1.0)
|   oldpeak > -0.5 : present (0.0)


Simplified Decision Tree:

thal <= 3 : absent (9.0/1.0)
thal > 3 : present (2.0)
"""

PARSED = {
    ("thal", "<=", "3"): {
        ("sex", "=", "v0"): ({"absent"}, "49.0", "1.0"),
        ("sex", "=", "v1"): {
            ("age", "<=", "52.5"): ({"present"}, "4.0", "0.0"),
            ("age", ">", "52.5"): {
                ("oldpeak", "<=", "-0.5"): ({"absent"}, "3.0", "1.0"),
                ("oldpeak", ">", "-0.5"): ({"present"}, "0.0", "0.0"),
            },
        },
    },
    ("thal", ">", "3"): ({"present"}, "2.0", "0.0"),
}


def test_the_first_tree_is_read_with_its_subtrees():
    assert unpruned(TEXT) == PARSED


def test_a_tree_of_one_leaf():
    assert unpruned("Decision Tree:\n No (10.0/4.6)\n") == ({"No"}, "10.0", "4.6")


def test_no_differences_with_itself():
    assert differences(PARSED, PARSED) == []


def test_differences_name_the_place():
    changed = {**PARSED, ("thal", ">", "3"): ({"absent"}, "2.0", "0.0")}
    assert differences(changed, PARSED) == [(("thal > 3",), "absent (2.0/0.0)", "present (2.0/0.0)")]
    assert differences({("sex", "=", "v0"): {}}, PARSED) == [((), "sex = v0", "thal <= 3, thal > 3")]
    assert differences(({"absent"}, "5.0", "1.0"), PARSED) == [
        ((), "absent (5.0/1.0)", "thal <= 3, thal > 3")
    ]


def test_the_comparison_goes_on_below_another_threshold():
    low, high = PARSED.values()
    moved = {("thal", "<=", "4"): low, ("thal", ">", "4"): high}
    assert differences(moved, PARSED) == [((), "thal <= 4, thal > 4", "thal <= 3, thal > 3")]
    moved["thal", ">", "4"] = ({"present"}, "3.0", "0.0")
    assert [path for path, *_ in differences(moved, PARSED)] == [(), ("thal > 4",)]


def test_of_tied_classes_any_may_be_printed():
    tied = {**PARSED, ("thal", ">", "3"): ({"absent", "present"}, "2.0", "0.0")}
    assert differences(tied, PARSED) == []
