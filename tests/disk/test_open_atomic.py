"""Writing in a block: the file appears when the block has ended well, and nothing is replaced that may not be."""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from treewright.disk.atomic_write import open_atomic, refuse_existing, write_bytes, write_file
from treewright.errors import InputError

REFUSED = r"already exists; pass another path, or overwrite=True to replace the file\.$"


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_file_appears_when_the_block_ends(tmp_path, overwrite):
    place = tmp_path / "rows.csv"
    with open_atomic(place, overwrite=overwrite) as file:
        file.write(b"a")
        file.write(b"b")
        assert not place.exists()
    assert place.read_bytes() == b"ab"
    assert names_in(tmp_path) == ["rows.csv"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, MemoryError, GeneratorExit])
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_block_that_fails_changes_nothing(tmp_path, overwrite, error):
    place = tmp_path / "rows.csv"
    if overwrite:
        place.write_bytes(b"old")
    before = names_in(tmp_path)
    with pytest.raises(error), open_atomic(place, overwrite=overwrite) as file:  # noqa: PT012
        file.write(b"new" * 100_000)
        raise error
    assert names_in(tmp_path) == before
    assert not overwrite or place.read_bytes() == b"old"


def test_what_is_there_is_refused_before_and_after_the_work(tmp_path):
    place = tmp_path / "model.json"
    refuse_existing(place)
    write_bytes(place, b"old", overwrite=False)
    with pytest.raises(InputError, match=REFUSED):
        refuse_existing(place)
    with pytest.raises(InputError, match=REFUSED):
        write_bytes(place, b"new", overwrite=False)
    with pytest.raises(InputError, match=REFUSED), open_atomic(place, overwrite=False):
        pytest.fail("the work should not begin")
    assert place.read_bytes() == b"old"
    write_bytes(place, b"new", overwrite=True)
    assert place.read_bytes() == b"new"
    assert names_in(tmp_path) == ["model.json"]


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_what_somebody_else_writes_meanwhile_is_not_replaced(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    place = tmp_path / "model.json"
    with pytest.raises(InputError, match=REFUSED), open_atomic(place, overwrite=False) as file:  # noqa: PT012
        file.write(b"mine")
        place.write_bytes(b"theirs")
    assert place.read_bytes() == b"theirs"
    assert names_in(tmp_path) == ["model.json"]


def no_links(source, goal):
    raise OSError(errno.EPERM, "Operation not permitted")


def test_a_disk_without_links(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", no_links)
    write_bytes(tmp_path / "model.json", b"one", overwrite=False)
    assert (tmp_path / "model.json").read_bytes() == b"one"

    def fail(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match=r"other\.json': Input/output error; check"):
        write_bytes(tmp_path / "other.json", b"one", overwrite=False)
    assert names_in(tmp_path) == ["model.json"]


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_of_many_who_write_at_once_one_wins(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    place = tmp_path / "model.json"
    won, lost = [], []
    ready = threading.Barrier(8)

    def write_mine(number):
        with WritingOrLost(place, lost, number) as file:
            file.write(b"%d" % number * 1000)
            ready.wait()
        if number not in lost:
            won.append(number)

    threads = [threading.Thread(target=write_mine, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert sorted(won + lost) == list(range(8))
    assert place.read_bytes() == b"%d" % won[0] * 1000
    assert names_in(tmp_path) == ["model.json"]


class WritingOrLost:
    """`open_atomic`, where a refusal at the end is noted."""

    def __init__(self, place, lost, number):
        self.inner, self.lost, self.number = open_atomic(place, overwrite=False), lost, number

    def __enter__(self):
        return self.inner.__enter__()

    def __exit__(self, *error):
        try:
            return self.inner.__exit__(*error)
        except InputError:
            self.lost.append(self.number)


def test_a_link_that_leads_nowhere_counts_as_there(tmp_path):
    (tmp_path / "link").symlink_to("absent")
    with pytest.raises(InputError, match=REFUSED):
        write_bytes(tmp_path / "link", b"x", overwrite=False)
    write_bytes(tmp_path / "link", b"x", overwrite=True)
    assert (tmp_path / "absent").read_bytes() == b"x"
    assert (tmp_path / "link").is_symlink()


def test_a_private_file_is_private_at_every_moment(tmp_path):
    place = tmp_path / "model.json"
    place.write_bytes(b"old")
    place.chmod(0o600)
    with open_atomic(place, overwrite=True) as file:
        file.write(b"secret")
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert place.read_bytes() == b"secret"


def test_a_block_may_close_its_file(tmp_path):
    with open_atomic(tmp_path / "rows.parquet", overwrite=False) as file:
        file.write(b"x" * 10)
        file.close()
    assert (tmp_path / "rows.parquet").read_bytes() == b"x" * 10


def test_an_error_of_the_block_stays_as_it_is(tmp_path):
    place = tmp_path / "out"
    with pytest.raises(FileNotFoundError) as caught, open_atomic(place, overwrite=True):
        (tmp_path / "absent").read_bytes()
    assert caught.value.filename == str(tmp_path / "absent")
    full = pytest.raises(OSError, match=r"out': No space left on device; free")
    with full as caught, open_atomic(place, overwrite=True):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(tmp_path / "out")
    assert names_in(tmp_path) == []


OUTPUT = "import sys; from pathlib import Path; from treewright.disk.atomic_write import *; print('first'); "


def run(code, **streams):
    return subprocess.run([sys.executable, "-c", OUTPUT + code], check=True, timeout=60, **streams)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_takes_what_is_written(tmp_path, name):
    if not Path(name).exists():
        pytest.skip(f"no {name} on this system")
    code = f"write_bytes(Path({name!r}), b'second\\n', overwrite=False); print('third')"
    assert run(code, stdout=subprocess.PIPE).stdout == b"first\nsecond\nthird\n"
    # A file that the output was sent to is neither emptied nor replaced.
    with (tmp_path / "out").open("ab") as out:
        out.write(b"before\n")
        out.flush()
        run(code, stdout=out)
    assert (tmp_path / "out").read_bytes() == b"before\nfirst\nsecond\nthird\n"


def test_devices_and_pipes(tmp_path):
    write_bytes(Path(os.devnull), b"x" * 100, overwrite=False)
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    found = []
    reader = threading.Thread(target=lambda: found.append(fifo.read_bytes()))
    reader.start()
    with open_atomic(fifo, overwrite=False) as file:
        file.write(b"a" * 200_000)
        file.write(b"b")
    reader.join()
    assert found == [b"a" * 200_000 + b"b"]
    with pytest.raises(InputError, match=r"'/dev/fd/987' is not open; pass another path"):
        write_file(Path("/dev/fd/987"), "x")


def test_a_full_device_is_named():
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    with pytest.raises(OSError, match="No space left on device"):
        write_bytes(Path("/dev/full"), b"x", overwrite=True)


def test_nothing_stays_open(tmp_path):
    def n_open():
        return len(list(Path("/dev/fd").iterdir()))

    place = tmp_path / "model.json"
    before = n_open()
    for _ in range(20):
        write_bytes(place, b"x", overwrite=True)
        with pytest.raises(InputError):
            write_bytes(place, b"x", overwrite=False)
    assert n_open() == before
