"""`make sanitize` runs tests on kernels that report what C leaves undefined, not on those of the everyday build."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from treewright._core import _grow, _predict, _prune, _table

sanitized = pytest.mark.skipif("asan" not in os.environ.get("LD_PRELOAD", ""), reason="for make sanitize only")
TOO_SHORT = """
import numpy as np
from treewright._core.predict import fill_codes
fill_codes(np.zeros(50, np.int32), np.zeros(1), np.empty((49, 1)), 0)
"""


@sanitized
@pytest.mark.parametrize("kernel", [_grow, _predict, _prune, _table])
def test_kernels_are_compiled_with_both_sanitizers(kernel):
    compiled = Path(kernel.__file__).read_bytes()
    assert b"__asan_report_load8" in compiled
    assert b"__ubsan_handle_float_cast_overflow" in compiled or b"__ubsan_handle_add_overflow" in compiled


@sanitized
def test_a_write_beyond_an_array_is_reported():
    outcome = subprocess.run([sys.executable, "-c", TOO_SHORT], capture_output=True, text=True, check=False)
    assert outcome.returncode != 0
    assert "heap-buffer-overflow" in outcome.stderr
