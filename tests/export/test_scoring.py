"""The decisions of a tree as data: read slowly, they predict what the tree predicts; and the probes try all of them."""

from math import inf

import numpy as np
import pytest

from tests.export.walk import ends, models
from treewright.export.probe_rows import make_probes
from treewright.export.scoring import scoring_of


@pytest.fixture(scope="module")
def fitted():
    return models()


NAMES = list(models())


@pytest.mark.parametrize("name", NAMES)
def test_the_data_predict_as_the_tree_does(fitted, name):
    found = scoring_of(fitted[name])
    probes = make_probes(found, fitted[name]._kept.values)
    for row, value, refused in zip(probes.values, probes.probabilities, probes.refused, strict=True):
        reached = ends(found, row)
        assert (reached is None) == refused
        if reached is not None:
            mean = sum(part * found.tree.value[node] for node, part in reached.items())
            assert np.abs(mean - value).max() <= 1e-12 * max(1.0, abs(value).max())


@pytest.mark.parametrize("name", NAMES)
def test_probes_reach_every_end_and_try_every_value(fitted, name):
    found = scoring_of(fitted[name])
    probes = make_probes(found)
    reached = [ends(found, row) for row in probes.values]
    met = {node for one in reached if one is not None for node in one}
    assert met >= {node for node, one in enumerate(found.tests) if one is None}
    for one in found.tests:
        if one is None:
            continue
        cells = probes.values[:, one.test.position]
        assert np.isnan(cells).any()
        if one.test.threshold is not None:
            cut = one.test.threshold
            assert {cut, np.nextafter(cut, inf), np.nextafter(cut, -inf)} <= set(cells.tolist())
        elif one.test.codes is not None and found.unseen != "missing":
            assert np.isneginf(cells).any()
