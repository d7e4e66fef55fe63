"""Column names that polars would read as patterns: every command does the same as with plain names."""

import polars as pl
import pytest

from tests.cli.running import GOLF, run

NAMES = {"outlook": "*", "temperature": "^h.*$", "humidity": "^x$", "windy": "h", "play": "^.*$"}


@pytest.fixture
def pair(folder, capsys):
    """The golf table with plain names and with patterns, and a model of each."""
    head, rest = GOLF.split("\n", 1)
    (folder / "odd.csv").write_text(",".join(NAMES[name] for name in head.split(",")) + "\n" + rest)
    for name, target in (("golf", "play"), ("odd", "^.*$")):
        pl.read_csv(f"{name}.csv").write_parquet(f"{name}.parquet")
        said = run(capsys, "fit", f"{name}.csv", "-t", target, "-o", f"{name}.json", "--no-cv", "-q")
        assert said.code == 0, said.err
    return folder


def test_predict(pair, capsys):
    for words in ((), ("--safe-formulas",), ("--columns", "none", "--proba"), ("--batch-rows", "3")):
        for end in ("csv", "parquet"):
            plain = run(capsys, "predict", "golf.json", f"golf.{end}", *words, "-q")
            odd = run(capsys, "predict", "odd.json", f"odd.{end}", *words, "-q")
            assert odd.code == 0, odd.err
            assert odd.out.split("\n")[1:] == plain.out.split("\n")[1:]
            assert odd.out.count("\n") == 15
    said = run(capsys, "predict", "odd.json", "odd.csv", "--columns", "^x$,*", "-q")
    assert said.out.startswith("^x$,*,prediction\n85,sunny,")


def test_other_commands(pair, capsys):
    for words in (
        ("evaluate", "odd.json", "odd.csv"),
        ("explain", "odd.json", "--data", "odd.csv", "--row", "3"),
        ("fit", "odd.csv", "-t", "^.*$", "--validation", "odd.csv", "-o", "new.json", "--no-cv"),
    ):
        said = run(capsys, *words)
        assert said.code == 0, said.err


def test_convert(pair, capsys):
    for name in ("golf", "odd"):
        for there, here in ((f"{name}.csv", "2.arff"), (f"{name}-2.arff", "3.parquet"), (f"{name}-2.arff", "3.csv")):
            said = run(capsys, "convert", there, f"{name}-{here}")
            assert said.code == 0, said.err
    assert pl.read_parquet("odd-3.parquet").rows() == pl.read_parquet("golf-3.parquet").rows()
    odd, plain = ((pair / f"{name}-3.csv").read_text().split("\n") for name in ("odd", "golf"))
    assert odd[1:] == plain[1:]


def test_a_column_of_identifiers_is_left_out(folder, capsys):
    rows = [f"id-{i},{i},{'yes' if i < 30 else 'no'}\n" for i in range(60)]
    (folder / "ids.csv").write_text("*,^n$,play\n" + "".join(rows))
    said = run(capsys, "fit", "ids.csv", "-t", "play", "-o", "ids.json", "--no-cv")
    assert said.code == 0, said.err
    assert "^n$" in run(capsys, "show", "ids.json").out
