"""Growth goes on from a checkpoint, and makes the same tree."""

import os
import signal
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet
import pytest

from tests.scale.sources import mixed_frame
from treewright import C45Classifier, TreeClassifier
from treewright.errors import InputError
from treewright.scale.fitting import SourceOptions, fit_source

MEMORY = 250_000
KILLED = """
import os, signal, sys
from treewright import {name}
from treewright.scale.fitting import SourceOptions, fit_source

def progress(report):
    if report.depth == {depth}:
        os.kill(os.getpid(), signal.SIGKILL)

fit_source({name}({options}), {source!r}, "target", "weight", SourceOptions({memory}, progress, {checkpoint!r}))
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    place = tmp_path_factory.mktemp("rows") / "a.parquet"
    pyarrow.parquet.write_table(pa.Table.from_pandas(mixed_frame(900, missing=0.1), preserve_index=False), str(place))
    return str(place)


class Stopped(Exception):
    """Raised in the middle of growth."""


def stop_after(depth):
    def progress(report):
        if report.depth == depth:
            raise Stopped

    return progress


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("missing", ["fractional", "learned", "surrogate"])
def test_it_goes_on_where_it_stopped(source, tmp_path, depth, missing):
    model = TreeClassifier(missing=missing, criterion="entropy", minimum="weight", max_bins=60)
    expected = fit_source(model, source, "target", "weight", SourceOptions(MEMORY)).tree_
    file, reports = tmp_path / "growth.npz", []
    with pytest.raises(Stopped):
        fit_source(model, source, "target", "weight", SourceOptions(MEMORY, stop_after(depth), file))
    assert file.exists()
    found = fit_source(model, source, "target", "weight", SourceOptions(MEMORY, reports.append, file)).tree_
    assert found == expected
    assert reports[0].depth == depth
    assert not file.exists()


def test_a_killed_process_is_resumed(source, tmp_path):
    options, file = "max_bins=60, pruning=None", str(tmp_path / "growth.npz")
    code = KILLED.format(
        name="C45Classifier", depth=3, options=options, source=source, memory=MEMORY, checkpoint=file
    )
    ended = subprocess.run([sys.executable, "-c", code], check=False, env=os.environ)
    assert ended.returncode == -signal.SIGKILL
    model = C45Classifier(max_bins=60, pruning=None)
    found = fit_source(model, source, "target", "weight", SourceOptions(MEMORY, None, file)).tree_
    assert found == fit_source(model, source, "target", "weight", SourceOptions(MEMORY)).tree_


def test_a_checkpoint_of_something_else_is_refused(source, tmp_path):
    file = tmp_path / "growth.npz"
    model = TreeClassifier(missing="learned")
    with pytest.raises(Stopped):
        fit_source(model, source, "target", "weight", SourceOptions(MEMORY, stop_after(2), file))
    with pytest.raises(InputError, match="is of another table or other parameters"):
        fit_source(model.set_params(criterion="entropy"), source, "target", "weight", SourceOptions(MEMORY, None, file))
    with pytest.raises(InputError, match="is of another table or other parameters"):
        fit_source(TreeClassifier(missing="learned"), source, "target", None, SourceOptions(MEMORY, None, file))
    file.write_bytes(b"rows")
    with pytest.raises(InputError, match="is not a checkpoint"):
        fit_source(model, source, "target", "weight", SourceOptions(MEMORY, None, file))
