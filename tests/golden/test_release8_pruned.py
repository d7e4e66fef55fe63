"""Pruned trees of Quinlan's C4.5 Release 8 on the reference sets.

Size, training errors, the estimate for new rows and the printed tree, leaf by leaf with its rows and estimated errors.
With option s the program leaves out branches of categories that cannot come there; their number is in the size, too.
Where the two differ, the cause stands in `tests.golden.pruned`.
"""

from dataclasses import replace

import numpy as np
import pytest

from tests.golden.agreement import GROWN
from tests.golden.c45_print import differences
from tests.golden.pruned import TRACED, TRACED_PLACES, as_pruned, ours, printed, release8, theirs
from tests.golden.release8 import OPTIONS, printed_names, reference
from tests.golden.sets import load
from tests.golden.test_release8 import LARGE
from tests.golden.test_release8 import PRINTED as PRINTED_WHOLE
from tests.golden.test_release8 import SETS as WHOLE
from tests.golden.test_release8 import TRACED_SIZES as SIZES_WHOLE
from tests.golden.test_release8_missing import PRINTED as PRINTED_HOLED
from tests.golden.test_release8_missing import SETS as HOLED
from tests.golden.test_release8_missing import TRACED_SIZES as SIZES_HOLED
from treewright.data.dataset import Dataset
from treewright.data.encode import read_table
from treewright.predict.predictions import predict_class_codes
from treewright.prune import ErrorBased
from treewright.prune.report import RAISED

SETS = [*WHOLE, *HOLED]
PRINTED = [*PRINTED_WHOLE, *PRINTED_HOLED]


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("name", [*SETS, *(pytest.param(n, marks=pytest.mark.long) for n in LARGE)])
def test_size_errors_and_estimate(name, option, shared):
    expected, _ = TRACED.get((name, option), (theirs(shared, name, option), None))
    assert ours(shared, name, option) == expected


@pytest.mark.parametrize("name", PRINTED)
def test_tree_as_printed(name, shared):
    model, text = release8(shared, name), printed(shared, name)
    if text is None:
        assert model.tree_ == model.grown_tree_
        return
    assert model.tree_ != model.grown_tree_
    found = differences(as_pruned(model.tree_), text)
    assert [(ours, theirs) for _, ours, theirs in found] == TRACED_PLACES.get(name, []), found


def test_no_set_is_left_out(shared):
    assert {name for name, _ in reference(shared)} == {*SETS, *LARGE}
    assert printed_names(shared) == set(PRINTED)
    assert sum(printed(shared, name) is not None for name in PRINTED) == 28


def test_traced_sets_do_differ(shared):
    """A cause that no longer makes a difference is taken off the list."""
    assert all(found != theirs(shared, *key) for key, (found, _) in TRACED.items())


def test_every_difference_in_growth_has_a_cause():
    """The list of differences that `tests.golden.agreement` prints says why, for each that the tests of growth know."""
    assert set(GROWN) == {*SIZES_WHOLE, *SIZES_HOLED}


def test_branches_are_raised(shared):
    """What is compared above is not leaves alone."""
    names = ("r8_vote_train", "credit_a", "hepatitis", "page_blocks")
    verdicts = {name: release8(shared, name).pruning_report_.verdict for name in names}
    assert all((verdict == RAISED).any() for verdict in verdicts.values()), verdicts


def test_the_threshold_of_hepatitis_is_all_that_differs(shared):
    """With the threshold as it is in 32 bits the tree is the printed one."""
    model = release8(shared, "hepatitis")
    tree = model.grown_tree_
    X, y = load(shared, "hepatitis")
    rows = Dataset(tree.schema, read_table(X).values, np.searchsorted(model.classes_, y).astype(np.int32))
    albumin = tree.schema.names.index("ALBUMIN")
    at = (tree.column == albumin) & (tree.threshold == 3.7)
    assert at.sum() == 1
    pruned = ErrorBased().prune(replace(tree, threshold=np.where(at, 3.6, tree.threshold)), rows=rows).tree
    assert differences(as_pruned(pruned), printed(shared, "hepatitis")) == []
    wrong = np.count_nonzero(predict_class_codes(pruned, rows.values) != rows.target)
    assert (pruned.n_nodes, wrong) == theirs(shared, "hepatitis")[:2]
