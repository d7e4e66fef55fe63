"""One row in every form that people have it in."""

from collections import OrderedDict, namedtuple
from types import MappingProxyType

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright import C45Classifier, CARTClassifier, InputError, KindError, TreeClassifier
from treewright.errors import TreewrightError
from treewright.explain.single_row import read_row

TABLE = pd.DataFrame(
    {
        "outlook": ["sunny", "rain", "rain", "sunny", "fog", "fog"],
        "humidity": [70, 80, 75, 90, 60, 95],
        "windy": [True, False, True, False, False, True],
        "size": pd.Categorical(["S", "M", "L", "S", "M", "L"], categories=["S", "M", "L"], ordered=True),
    }
)
PLAY = ["yes", "no", "no", "yes", "yes", "no"]


@pytest.fixture(scope="module")
def model():
    return TreeClassifier().fit(TABLE, PLAY)


def forms(i):
    """Row i of the table in every form."""
    one = TABLE.iloc[i]
    plain = {
        "outlook": one.outlook,
        "humidity": int(one.humidity),
        "windy": bool(one.windy),
        "size": one["size"],
    }
    row = namedtuple("Day", plain)
    return {
        "dict": plain,
        "another order": dict(reversed(plain.items())),
        "ordered dict": OrderedDict(plain),
        "mapping": MappingProxyType(plain),
        "list": list(plain.values()),
        "tuple": tuple(plain.values()),
        "named tuple": row(**plain),
        "itertuples": list(TABLE.itertuples())[i],
        "itertuples without index": list(TABLE.itertuples(index=False))[i],
        "array": np.array(list(plain.values()), dtype=object),
        "series": one,
        "series in another order": one[::-1],
        "frame": TABLE.iloc[[i]],
        "slice": TABLE[i : i + 1],
        "polars": pl.DataFrame({name: [cell] for name, cell in plain.items()}),
        "polars row": pl.DataFrame({name: [cell] for name, cell in plain.items()}).row(0),
        "polars named row": pl.DataFrame({name: [cell] for name, cell in plain.items()}).row(0, named=True),
        "arrow": pa.table({name: [cell] for name, cell in plain.items()}),
    }


@pytest.mark.parametrize("form", forms(0))
def test_every_form_of_a_row_gives_the_same_explanation(model, form):
    for i in range(len(TABLE)):
        assert model.explain(forms(i)[form]) == model.explain(forms(i)["dict"])
        assert model.explain(forms(i)[form]).prediction == model.predict(TABLE.iloc[[i]])[0]


@pytest.mark.parametrize("form", [[[1.0, 2.0]], np.array([[1.0, 2.0]]), np.array([1.0, 2.0]), [1, 2], (1.0, 2.0),
                                  pd.Series([1.0, 2.0]), pl.Series([1.0, 2.0]), {"x0": 1, "x1": 2}, {1: 2, 0: 1},
                                  pd.DataFrame([[1.0, 2.0]]), np.ma.array([1.0, 2.0])])  # fmt: skip
def test_rows_without_names(form):
    model = CARTClassifier(pruning=None).fit([[1, 2], [3, 4], [1, 4], [3, 1]], [0, 1, 1, 0])
    assert dict(model.explain(form).row) == {"x0": 1.0, "x1": 2.0}


def test_what_a_dict_leaves_out_is_missing(model):
    found = model.explain({"windy": True})
    assert found.row == {"outlook": None, "humidity": None, "windy": True, "size": None}
    assert found == model.explain(
        pd.DataFrame({"outlook": [None], "humidity": [None], "windy": [True], "size": [None]}, dtype=object)
    )
    for nothing in (None, float("nan"), pd.NA, np.nan):
        assert model.explain({"windy": True, "humidity": nothing, "outlook": None}) == found
    assert model.explain(pd.Series({"windy": True})) == found


def test_where_nothing_may_be_missing_a_column_left_out_is_refused():
    model = C45Classifier(missing="error").fit(TABLE, PLAY)
    with pytest.raises(InputError, match="'humidity' has a missing value"):
        model.explain({"outlook": "rain", "windy": True, "size": "S"})


def test_a_table_without_rows_is_refused(model):
    with pytest.raises(InputError, match="X has 0 sample"):
        model.explain(TABLE[:0])


def test_what_is_wrong_with_a_row_is_said(model):
    with pytest.raises(
        InputError,
        match=r"The row has a value for the unknown column 'humidty'; the closest names are 'humidity'\.$",
    ):
        model.explain({"humidty": 70})
    with pytest.raises(InputError, match="has 3 values, but the tree has 4 columns"):
        model.explain(["rain", 70, True])
    with pytest.raises(InputError, match="The row has several values for column 'windy'; pass one"):
        model.explain(pd.Series([True, False], index=["windy", "windy"]))
    with pytest.raises(KindError, match=r"for each column, or a table, got int\.$"):
        model.explain(3)
    with pytest.raises(KindError, match=r"for each column, or a table, got str\.$"):
        model.explain("rain")
    with pytest.raises(InputError, match="Column 'humidity' must contain numbers, got 'wet'"):
        model.explain({"humidity": "wet"})
    with pytest.raises(InputError, match="infinite value"):
        model.explain({"humidity": float("inf")})
    with pytest.raises(InputError, match="the first columns are"):
        model.explain({0: "rain"})


def test_a_cell_may_be_a_tuple():
    assert read_row([(1, 2), "a"], ["x", "y"], True).tolist() == [[(1, 2), "a"]]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (float("inf"), "infinite value"),
        (10**400, "has the value"),
        (1 + 2j, "complex numbers"),
        ([4], "of type list"),
    ],
)
def test_errors_call_a_column_by_its_name(cell, said):
    table = pd.DataFrame({"height": [1.0, 2.0, 3.0], "width": [1.0, 2.0, 2.0]})
    model = CARTClassifier(pruning=None).fit(table, ["a", "b", "b"])
    with pytest.raises(TreewrightError, match=f"Column 'width' .*{said}"):
        model.explain({"height": 1.0, "width": cell})
