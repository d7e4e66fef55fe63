"""A disk without room: an error that names the file, the old file as it was, and not even a draft beside it."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.disk.test_kill import PROJECT, outcomes_of
from tests.disk.write_scenarios import SCENARIOS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are forked")

NAMESPACES = {"as root": ["unshare", "--mount"], "as anybody": ["unshare", "--user", "--map-root-user", "--mount"]}


def own_disk(folder):
    """The words before a command that may mount a disk of its own, or why there are none."""
    mount = "import sys; from tests.disk.write_scenarios import mount; mount(sys.argv[1], 'size=4k')"
    for before in NAMESPACES.values():
        try:
            run = subprocess.run(
                [*before, sys.executable, "-c", mount, str(folder)], cwd=PROJECT, capture_output=True, check=False
            )
        except FileNotFoundError:
            break
        if run.returncode == 0:
            return before
    return None


def test_a_disk_that_is_full_at_any_page(tmp_path):
    before = own_disk(tmp_path)
    if before is None:
        pytest.skip("no small disk may be mounted here; the limit on the size of files is tested instead")
    outcomes = outcomes_of("full_disk", tmp_path, before)
    assert outcomes.keys() == SCENARIOS.keys()
    found = Counter(one for found in outcomes.values() for one in found)
    assert set(found) == {"old"}
    assert found["old"] >= len(SCENARIOS) * 3


def test_a_limit_on_the_size_of_files(tmp_path):
    outcomes = outcomes_of("not_allowed", tmp_path)
    assert outcomes.keys() == SCENARIOS.keys()
    assert Counter(one for found in outcomes.values() for one in found) == {"old": 55}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_device_that_is_full(name):
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full on this system")
    way, overwrite = SCENARIOS[name]
    with pytest.raises(OSError, match="No space left on device"):
        way(full, overwrite)
    assert not full.is_file()
