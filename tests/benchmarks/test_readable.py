"""The benchmark of readable trees: what it says without its tables, and what it measures."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.readable import main, measure
from treewright import MDLTreeRegressor


def test_without_the_tables_it_says_so(tmp_path, capsys):
    main(["--shared", str(tmp_path)])
    assert capsys.readouterr().out.count("has no sets.py") == 1


def test_both_trees_meet_the_same_rows():
    """Thirty steps of ten rows: the whole tree finds each of them, a readable one cannot."""
    X, y = pd.DataFrame({"x": np.arange(300.0)}), pd.Series(np.arange(300) // 10 * 1.0)
    test = np.arange(300) % 10 == 5
    found = measure("stairs", MDLTreeRegressor(), (X, y), [(np.flatnonzero(~test), np.flatnonzero(test))])
    assert found.scores[0] == pytest.approx(1.0)
    assert found.scores[1] < 1.0
    assert found.leaves[1] <= 20 < found.leaves[0] == 30
    assert found.is_smaller
    assert found.gain == found.scores[1] - found.scores[0]
