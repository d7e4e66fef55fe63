"""A tree alone answers for tables of every library, as its estimator does, and without what trains trees."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright import CARTClassifier, CARTRegressor, TreeClassifier, load
from treewright.errors import InputError, KindError, UnseenCategoryWarning
from treewright.model.build import golf_example
from treewright.predict.table_prediction import class_labels

ROWS = {"size": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] * 5, "colour": ["red", "blue", "red", "green", "red", "blue"] * 5}
Y = [0, 1, 0, 1, 1, 1] * 5


@pytest.mark.parametrize("missing", ["fractional", "surrogate", "learned", "branch", "stop"])
def test_a_tree_answers_as_its_estimator_does(missing):
    model = TreeClassifier(missing=missing, max_depth=3).fit(pd.DataFrame(ROWS), Y)
    tree = model.tree_
    holed = pd.DataFrame(ROWS | {"size": [np.nan, *ROWS["size"][1:]], "colour": [None, *ROWS["colour"][:-2], None]})
    for frame in (pd.DataFrame(ROWS), holed):
        for table in (frame, pl.from_pandas(frame), frame.to_numpy(dtype=object)):
            assert tree.predict(table).tolist() == model.predict(frame).tolist()
            assert tree.predict_proba(table).tobytes() == model.predict_proba(frame).tobytes()
            assert tree.apply(table).tolist() == model.apply(frame).tolist()


def test_numbers_are_answered_too():
    model = CARTRegressor(pruning=None).fit(pd.DataFrame(ROWS), np.array(Y) / 3)
    assert model.tree_.predict(pd.DataFrame(ROWS)).tobytes() == model.predict(pd.DataFrame(ROWS)).tobytes()
    with pytest.raises(KindError, match="predicts a number"):
        model.tree_.predict_proba(pd.DataFrame(ROWS))


def test_columns_come_in_the_order_of_the_tree():
    tree = CARTClassifier(pruning=None).fit(pd.DataFrame(ROWS), Y).tree_
    with pytest.raises(InputError, match="Column 0 of the table is 'colour', but the tree expects 'size'"):
        tree.predict(pd.DataFrame(ROWS)[["colour", "size"]])
    with pytest.raises(InputError, match="expecting 2 features"):
        tree.predict(pd.DataFrame(ROWS)[["size"]])
    unnamed = CARTClassifier(pruning=None).fit(np.array([[1.0, 2.0], [3.0, 4.0]]), [0, 1]).tree_
    assert unnamed.predict(pd.DataFrame({"a": [1.0], "b": [2.0]})).tolist() == [0]


def test_what_training_never_showed_counts_as_missing():
    tree = TreeClassifier(missing="fractional").fit(pd.DataFrame(ROWS), Y).tree_
    with pytest.warns(UnseenCategoryWarning, match="'mauve' in column 'colour'.*is treated as missing"):
        found = tree.predict_proba([[2.0, "mauve"]])
    assert found.tolist() == tree.predict_proba([[2.0, None]]).tolist()


def test_a_tree_that_knows_no_missing_values_refuses_them():
    with pytest.raises(InputError, match="'outlook' has the value 'fog'"):
        golf_example().predict([["fog", 70.0, True]])
    with pytest.raises(InputError, match="'humidity' is missing"):
        golf_example().predict([["sunny", None, True]])
    assert golf_example().predict([["overcast", None, None]]).tolist() == ["Play"]


@pytest.mark.parametrize(
    ("classes", "kind"),
    [(("a", "b"), "U"), ((1, 2), "i"), ((True, False), "b"), ((1.5, 2.0), "f"), ((1, "a"), "O"), (("a\0", "b"), "O"),
     ((2**80, 1), "O"), (((1, 2), (3, 4)), "O")],
)  # fmt: skip
def test_classes_are_an_array_of_their_type(classes, kind):
    labels = class_labels(classes)
    assert labels.dtype.kind == kind
    assert labels.tolist() == list(classes)


ALONE = """
import sys
from treewright import load
tree = load(sys.argv[1])
print(tree.predict([["sunny", 70.0, True]])[0], tree.predict_proba([["rain", 70.0, True]])[0].tolist())
rooms = ("sklearn", "treewright.grow", "treewright.estimators", "pandas")
print([name for name in sys.modules if name.startswith(rooms)])
"""


def test_a_tree_is_loaded_and_asked_without_what_trains_trees(tmp_path):
    golf_example().save(tmp_path / "golf.json")
    assert load(tmp_path / "golf.json") == golf_example()
    ran = subprocess.run(
        [sys.executable, "-c", ALONE, str(tmp_path / "golf.json")], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == ["Play [1.0, 0.0]", "[]"]
