"""The verb `treewright c4.5`: the same trees and tables as Quinlan's C4.5 Release 8 printed, line by line.

The stems golf, labor, vote, crx, hypo and monks, as the program came with them (r8_...) and as UCI has them (crx is
credit_a there). Where the engine is known to differ the difference is written out, with its cause.
"""

import json
import re

import pytest

from tests.golden.pruned import TRACED
from tests.golden.release8 import printed_names, reference
from tests.golden.stems import write_stem
from tests.golden.test_release8_missing import TRACED_SIZES
from treewright.cli.main import main

STEMS = [
    "golf",
    "labor",
    "r8_labor_train",
    "vote",
    "r8_vote_train",
    "credit_a",
    "hypothyroid",
    "r8_hypo_train",
    "monks1_train",
    "monks3_train",
]

LABOR = """\
|   education-allowance = v0:
|   |   wage-increase-first-year > 2.1 : bad (2.0/0.0)
|   |   wage-increase-first-year <= 2.1 :
|   |   |   pension = v0: bad (2.4/0.4)
|   |   |   pension = v1: bad (0.0)
|   |   |   pension = v2: good (3.2/1.5)
|   education-allowance = v1:
"""
THEIR_LABOR = """\
|   education-allowance = v0: bad (7.6/2.1)
|   education-allowance = v1:
"""
DIFFERENT = {"labor": (THEIR_LABOR, LABOR)}
"""Set: (theirs, ours). Four halves on the high side of a cut are 2 rows, 1.9999995 in the program's 32-bit floats."""


def printout(capsys, *arguments):
    assert main(["c4.5", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def trees_of(text):
    """What stands between the lines about the cases read and the tables."""
    _, _, rest = text.partition("attributes) from ")
    return rest.partition("\n\n")[2].partition("\n\n\nEvaluation on training data")[0] + "\n"


def table_of(text, kind):
    """The line of figures on training or test data."""
    return re.search(rf"Evaluation on {kind} data .*?\n\n.*?\n.*?\n.*?\n\n(.*?)\n", text)[1]


def line(rows, before, after, estimate):
    """The line of figures as the program prints it."""
    cells = [f"{size:4d}  {wrong:3d}({100 * wrong / rows:4.1f}%)" for size, wrong in (before, after)]
    return f"\t{cells[0]}   {cells[1]}    ({float(estimate):4.1f}%)   <<"


@pytest.mark.parametrize("name", STEMS)
def test_trees_line_by_line(name, shared, tmp_path, capsys):
    assert name in printed_names(shared)
    stem = write_stem(shared, name, tmp_path)
    golden = (shared / "reference" / "golden" / "c45-trees" / f"{name}.txt").read_text(encoding="utf-8")
    theirs, ours = DIFFERENT.get(name, ("", ""))
    assert golden.count(theirs) == 1 or not theirs
    text = printout(capsys, "-f", stem)
    assert trees_of(text).splitlines() == golden.replace(theirs, ours).splitlines()
    assert table_of(text, "training") == figures(shared, name, "default")


@pytest.mark.parametrize("option", ["g", "s"])
@pytest.mark.parametrize("name", STEMS)
def test_table_with_options(name, option, shared, tmp_path, capsys):
    text = printout(capsys, "-f", write_stem(shared, name, tmp_path), f"-{option}")
    assert table_of(text, "training") == figures(shared, name, option)


def figures(shared, name, option):
    """The line of figures that the program printed, or ours where they are known to differ."""
    row = reference(shared)[name, option]
    before = TRACED_SIZES.get((name, option), (int(row["raw_size"]), int(row["raw_errors"])))
    usual = int(row["pruned_size"]), int(row["pruned_errors"]), row["estimate_percent"]
    *after, estimate = TRACED.get((name, option), (usual, ""))[0]
    return line(int(row["rows"]), before, after, estimate)


def test_only_known_differences(shared):
    """Of these stems only labor differs, with the usual options, and only before pruning."""
    assert {key for key in TRACED_SIZES if key[0] in STEMS} == {("labor", "default")}
    assert not {key for key in TRACED if key[0] in STEMS}


def test_whole_printout_of_golf(shared, tmp_path, capsys, monkeypatch):
    """As a run of the program from 2018 printed it, blank for blank; the words are those of golf.names."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1530184071")
    monkeypatch.chdir(tmp_path)
    write_stem(shared, "golf", tmp_path, words=True)
    assert printout(capsys, "-f", "golf", "-o", "golf.json") == (
        "\n"
        "C4.5 [release 8] decision tree generator\tThu Jun 28 11:07:51 2018\n"
        "----------------------------------------\n"
        "\n"
        "    Options:\n"
        "\tFile stem <golf>\n"
        "\n"
        "Read 14 cases (4 attributes) from golf.data\n"
        "\n"
        "Decision Tree:\n"
        "\n"
        "outlook = overcast: Play (4.0)\n"
        "outlook = sunny:\n"
        "|   humidity <= 75 : Play (2.0)\n"
        "|   humidity > 75 : Don't Play (3.0)\n"
        "outlook = rain:\n"
        "|   windy = true: Don't Play (2.0)\n"
        "|   windy = false: Play (3.0)\n"
        "\n"
        "\n"
        "Tree saved\n"
        "\n"
        "\n"
        "Evaluation on training data (14 items):\n"
        "\n"
        "\t Before Pruning           After Pruning\n"
        "\t----------------   ---------------------------\n"
        "\tSize      Errors   Size      Errors   Estimate\n"
        "\n"
        "\t   8    0( 0.0%)      8    0( 0.0%)    (38.5%)   <<\n"
    )


def test_vote_on_unseen_cases(shared, tmp_path, capsys):
    """As the first chapter of C4.5: Programs for Machine Learning has them."""
    stem = write_stem(shared, "r8_vote_train", tmp_path, test="r8_vote_test", words=True)
    text = printout(capsys, "-f", stem, "-u")
    assert table_of(text, "training") == line(300, (25, 8), (7, 13), 6.9)
    assert table_of(text, "test") == line(135, (25, 7), (7, 4), 6.9)
    assert text.endswith(
        "<<\n"
        "\n"
        "\n"
        "\t  (a)  (b)\t<-classified as\n"
        "\t ---- ----\n"
        "\t   80    3\t(a): class democrat\n"
        "\t    1   51\t(b): class republican\n"
        "\n"
    )


@pytest.mark.parametrize("name", ["r8_crx", "r8_hypo", "r8_labor", "monks2"])
def test_unseen_cases_are_counted_once(name, shared, tmp_path, capsys):
    """The confusion matrix holds every test row, and its errors are those of the table."""
    stem = write_stem(shared, f"{name}_train", tmp_path, test=f"{name}_test")
    found = json.loads(printout(capsys, "-f", stem, "-u", "--json"))["test"]
    counts = found["confusion"]
    assert (
        sum(map(sum, counts)) == found["cases"] == len((stem.with_suffix(".test")).read_text().splitlines())
    )
    wrong = sum(n for i, row in enumerate(counts) for j, n in enumerate(row) if i != j)
    assert wrong == found["after_pruning"]["errors"]
