"""What the search for two subsets loses where all of them can still be tried."""

import pytest

from benchmarks.subset_loss import kept


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize(("n_categories", "n_classes"), [(11, 3), (12, 5), (13, 7)])
def test_the_search_loses_little(criterion, n_categories, n_classes):
    """The bounds are those of `python -m benchmarks.subset_loss`, rounded down: a worse search is noticed."""
    share = kept(criterion, n_categories, n_classes, n_tables=60)
    assert share.max() < 1 + 1e-9
    assert share.mean() > 0.998
    assert share.min() > 0.9
