"""A few rows of an array are answered as the same rows are among many, whatever stands in them."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright._core.predict import routing
from treewright.errors import InputError, UnseenCategoryWarning
from treewright.fast_paths import size_of
from treewright.model import packed_tree
from treewright.predict.predictions import route_few_rows

MOST = int(size_of("few rows"))
N_ROWS = 400
NAN, INFINITE = np.nan, np.inf
KINDS = {0: "category", 1: [9, 2, 5]}
"""The first two columns: a category, and one whose order is not that of its numbers."""


def table(n_rows: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    order = np.array([2, 5, 9])[random.integers(0, 3, n_rows)]
    return np.column_stack([random.integers(0, 7, n_rows) * 3, order, random.integers(-9, 9, (n_rows, 2)) / 4])


X = table(N_ROWS, 0)
Y = ((X[:, 0] % 2 + (X[:, 1] == 5) + X[:, 2] + np.random.default_rng(1).normal(size=N_ROWS)) * 2).round() % 4
MODELS = [
    C45Classifier(pruning=None, categorical_features=KINDS).fit(X, Y.astype(int)),
    CARTClassifier(pruning=None, categorical_features=KINDS).fit(X, np.array(list("abcd"))[Y.astype(int)]),
    CARTRegressor(pruning=None, categorical_features=KINDS).fit(X, Y / 7),
    CARTClassifier(pruning=None).fit(X, Y > 1),
]
ASKED = table(3 * MOST, 2)
FORMS = {
    "float64": np.asarray,
    "float32": lambda v: v.astype(np.float32),
    "Fortran": np.asfortranarray,
    "every second row": lambda v: np.repeat(v, 2, axis=0)[::2],
    "big-endian": lambda v: v.astype(">f8"),
    "read-only": lambda v: np.frombuffer(v.tobytes()).reshape(v.shape),
}


def questions(model):
    return [model.predict, model.apply] + ([model.predict_proba] if hasattr(model, "predict_proba") else [])


@pytest.mark.parametrize("form", list(FORMS))
@pytest.mark.parametrize("place", range(len(MODELS)))
def test_few_rows_are_answered_as_among_many(place, form):
    for ask in questions(MODELS[place]):
        among_many = ask(ASKED)
        alone = [ask(FORMS[form](ASKED[start : start + n])) for start, n in ((0, 1), (1, 2), (3, MOST))]
        together = np.concatenate(alone)
        assert together.dtype == among_many.dtype
        assert np.array_equal(together, among_many[: len(together)])
        assert route_few_rows(MODELS[place].tree_, ASKED[:1]) is not None


@pytest.mark.parametrize("place", range(len(MODELS)))
def test_whole_numbers_of_any_length(place):
    whole = np.floor(ASKED[:5])
    for ask in questions(MODELS[place]):
        for kind in (np.int8, np.int32, np.int64, np.uint8):
            if whole.min() >= np.iinfo(kind).min:
                assert np.array_equal(ask(whole.astype(kind)), ask(whole))


CELLS = st.sampled_from([0.0, -0.0, 3.0, 5.0, 9.0, 1.0, 2.5, -3.0, 1e6, 1e300, NAN])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS, CELLS), min_size=1, max_size=4))
def test_what_is_unusual_is_answered_as_among_many(rows):
    asked = np.array(rows)
    many = np.vstack([asked, ASKED])
    for model in MODELS:
        for ask in questions(model):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UnseenCategoryWarning)
                assert np.array_equal(ask(asked), ask(many)[: len(asked)])


def test_a_category_that_training_never_showed_is_warned_of():
    with pytest.warns(UnseenCategoryWarning, match="x0"):
        MODELS[0].predict(np.array([[1.0, 2.0, 0.0, 0.0]]))


@pytest.mark.parametrize("cell", [INFINITE, -INFINITE])
def test_infinite_numbers_are_refused(cell):
    with pytest.raises(InputError, match="'x3'"):
        MODELS[0].predict(np.array([[0.0, 2.0, 0.0, cell]]))


@pytest.mark.parametrize("shape", [(4,), (1, 3), (0, 4), (1, 1, 4)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(InputError):
        MODELS[3].predict(np.zeros(shape))


def test_texts_are_left_to_others():
    model = CARTClassifier(pruning=None).fit([["a"], ["b"], ["a"]], [0, 1, 0])
    assert model.tree_.row_router is None
    assert model.predict(np.array([["b"]], dtype=object)).tolist() == [1]


def test_the_kernel_does_the_same_uncompiled(monkeypatch):
    monkeypatch.setattr(packed_tree, "RowRouter", routing.RowRouter)
    odd = np.array([[1.0, 2.0, 0.0, 0.0], [0.0, 2.0, NAN, 0.0], [0.0, 2.0, 0.0, INFINITE], [0.5, 2.0, 0.0, 0.0]])
    for model in MODELS:
        tree, plain = model.tree_, packed_tree.make_row_router(model.tree_)
        assert type(plain) is routing.RowRouter
        for rows in (ASKED[:20], *odd[:, None]):
            found = np.zeros((2, len(rows)), np.int64)
            assert tree.row_router.send(rows, found[0]) == plain.send(rows, found[1])
            assert np.array_equal(*found)
