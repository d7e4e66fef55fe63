"""A process that is killed while it writes leaves the old file or the whole new one, and at most a hidden draft.

More than 500 real processes: killed before every line of the code that writes, killed by the system behind any number
of bytes, and killed by another process at any time.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.disk.write_scenarios import SCENARIOS
from treewright.disk.atomic_write import write_bytes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are forked")

PROJECT = Path(__file__).resolve().parents[2]


def outcomes_of(name, folder, before=()):
    """What `tests.disk.write_scenarios` found after each try, by the way of writing."""
    run = subprocess.run(
        [*before, sys.executable, "-m", "tests.disk.write_scenarios", name, str(folder)],
        cwd=PROJECT, capture_output=True, text=True, timeout=250, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout)


def test_killed_before_every_line(tmp_path):
    outcomes = outcomes_of("at_every_line", tmp_path)
    assert outcomes.keys() == SCENARIOS.keys()
    for name, found in outcomes.items():
        assert len(found) > 40, name
        # The file changes once, at one moment, from the old to the new.
        assert found == sorted(found, reverse=True), name
        assert set(found) == {"old", "new"}, name
    assert sum(map(len, outcomes.values())) > 220


def test_killed_behind_any_number_of_bytes(tmp_path):
    outcomes = outcomes_of("at_every_byte", tmp_path)
    assert outcomes.keys() == SCENARIOS.keys()
    assert Counter(one for found in outcomes.values() for one in found) == {"old": 85}


def test_killed_by_another_process_at_any_time(tmp_path):
    outcomes = outcomes_of("from_outside", tmp_path)
    assert {name: len(found) for name, found in outcomes.items()} == {"over a file": 75, "new": 75}
    assert all("old" in found for found in outcomes.values())


def test_a_model_that_is_saved(tmp_path):
    outcomes = outcomes_of("saved_model", tmp_path)
    assert set(outcomes) == {"saved over a model", "saved"}
    for name, found in outcomes.items():
        assert len(found) > 15, name
        assert set(found) == {"old", "new"}, name


def test_what_a_killed_process_left_is_no_obstacle(tmp_path):
    (tmp_path / ".0123456789abcdef.part").write_bytes(b"half")
    write_bytes(tmp_path / "model.json", b"whole", overwrite=False)
    assert (tmp_path / "model.json").read_bytes() == b"whole"


@pytest.mark.parametrize("overwrite", [True, False])
def test_the_bytes_are_on_disk_before_they_get_their_name(tmp_path, monkeypatch, overwrite):
    """What a power cut leaves depends on the order: the bytes, then the name, then the folder."""
    calls = []

    def noted(owner, name):
        real = getattr(owner, name)

        def call(*arguments, **options):
            calls.append(name)
            return real(*arguments, **options)

        monkeypatch.setattr(owner, name, call)

    noted(os, "fsync")
    noted(os, "link")
    noted(Path, "replace")
    write_bytes(tmp_path / "model.json", b"whole", overwrite=overwrite)
    assert calls == ["fsync", "replace" if overwrite else "link", "fsync"]
