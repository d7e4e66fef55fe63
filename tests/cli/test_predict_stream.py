"""The belt: order, errors from each stage, and no thread left behind."""

import threading
import time

import pytest

from treewright.cli.predict_stream import run_pipeline


@pytest.fixture
def left_behind():
    """The threads that were started since; other libraries keep threads of their own."""
    before = set(threading.enumerate())
    return lambda: set(threading.enumerate()) - before


def fail_at(n, error):
    def work(piece):
        if piece == n:
            raise error
        return piece

    return work


def test_pieces_stay_in_order_and_few_are_held():
    drawn, held = [], []

    def source():
        for i in range(200):
            drawn.append(i)
            yield i

    def drain(pieces):
        for i, piece in enumerate(pieces):
            assert piece == i * i
            held.append(len(drawn) - i)

    run_pipeline(source(), lambda i: i * i, drain)
    assert len(held) == 200
    assert max(held) <= 7  # one in each hand, one in each lane, and one that was just taken


@pytest.mark.parametrize("stage", ["source", "work", "drain"])
def test_an_error_anywhere_stops_all_and_is_raised(stage, left_behind):
    error = OSError(28, "No space left on device")
    source = map(fail_at(5, error), range(100)) if stage == "source" else range(100)

    def drain(pieces):
        for piece in pieces:
            if stage == "drain" and piece == 5:
                raise error

    with pytest.raises(OSError, match="No space") as caught:
        run_pipeline(source, fail_at(5, error) if stage == "work" else lambda piece: piece, drain)
    assert caught.value is error
    assert left_behind() == set()


def test_a_drain_may_have_enough(left_behind):
    run_pipeline(iter(range(10_000)), lambda piece: piece, lambda pieces: next(pieces) and None)
    assert left_behind() == set()


def test_ctrl_c_stops_all_at_once(left_behind):
    def source():
        for i in range(1000):
            if i == 3:
                raise KeyboardInterrupt  # as it comes out of a read in the main thread
            yield i

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_pipeline(source(), lambda piece: piece, list)
    assert time.monotonic() - start < 1
    assert left_behind() == set()
