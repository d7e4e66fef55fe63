"""The numbers of the C library's random()."""

import ctypes
import platform

import pytest

from treewright.rules.glibc_random import GlibcRandom


def test_the_first_numbers_are_the_well_known_ones():
    random = GlibcRandom()
    first = [random.draw() * 2**31 for _ in range(5)]
    assert first == [1804289383, 846930886, 1681692777, 1714636915, 1957747793]


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="random() of another C library")
def test_as_the_library_itself():
    library = ctypes.CDLL(None)
    library.random.restype = ctypes.c_long
    library.srandom(ctypes.c_uint(1))
    random = GlibcRandom()
    assert [random.draw() * 2**31 for _ in range(5000)] == [library.random() for _ in range(5000)]
