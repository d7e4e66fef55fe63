"""Writing a file: wholly or not at all, to any path that can be written, with an error that says why it cannot."""

import os
import stat
from pathlib import Path

import pytest

from treewright import InputError, KindError
from treewright.disk import atomic_write
from treewright.disk.atomic_write import check_output_path, write_file


def test_a_file_is_written_as_utf_8(tmp_path):
    place = tmp_path / "tree.html"
    write_file(place, "树\n", overwrite=True)
    assert place.read_bytes() == "树\n".encode()
    assert [one.name for one in tmp_path.iterdir()] == ["tree.html"]


def test_a_file_has_the_permissions_of_any_new_file(tmp_path):
    usual = tmp_path / "usual"
    usual.write_text("x")
    write_file(tmp_path / "page", "x", overwrite=True)
    assert stat.S_IMODE((tmp_path / "page").stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)


def test_a_file_that_is_there_is_replaced_and_keeps_its_permissions(tmp_path):
    place = tmp_path / "tree.html"
    place.write_text("old")
    place.chmod(0o640)
    write_file(place, "new", overwrite=True)
    assert place.read_text() == "new"
    assert stat.S_IMODE(place.stat().st_mode) == 0o640


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()], ids=["error", "Ctrl-C"])
def test_half_a_page_is_never_seen(tmp_path, monkeypatch, step, error):
    place = tmp_path / "tree.html"
    place.write_text("old")

    def fail(*_):
        raise error

    monkeypatch.setattr(atomic_write.os if step == "fsync" else Path, step, fail)
    with pytest.raises(type(error)):
        write_file(place, "new", overwrite=True)
    monkeypatch.undo()
    assert place.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["tree.html"]


def test_a_folder_that_may_not_be_written_is_named(tmp_path, monkeypatch):
    def fail(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(atomic_write.os, "open", fail)
    with pytest.raises(InputError, match=f"No permission to write in folder '{tmp_path}'"):
        write_file(tmp_path / "tree.html", "new", overwrite=True)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.html").write_text("old")
    (tmp_path / "link.html").symlink_to("real.html")
    write_file(tmp_path / "link.html", "new", overwrite=True)
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "real.html").read_text() == "new"


def test_a_pipe_takes_the_text():
    reader, writer = os.pipe()
    try:
        write_file(Path(f"/dev/fd/{writer}"), "text", overwrite=True)
        assert os.read(reader, 10) == b"text"
    finally:
        os.close(reader)
        os.close(writer)


@pytest.mark.parametrize("name", ["树.html", "a b.html", "-.html", "un\udcffnice.html", "'quote\".html"])
def test_any_name_is_a_name(tmp_path, name):
    write_file(check_output_path(tmp_path / name), "x", overwrite=True)
    assert (tmp_path / name).read_text() == "x"
    assert check_output_path(str(tmp_path / name)) == tmp_path / name


def test_home_is_understood(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert check_output_path("~/tree.html") == tmp_path / "tree.html"


def test_a_path_that_cannot_be_written_is_refused_before_any_work(tmp_path):
    with pytest.raises(InputError, match=r"'.*' is a folder; pass the name of a file in it"):
        check_output_path(tmp_path)
    with pytest.raises(InputError, match=r"Folder not found: '.*missing'; create it"):
        check_output_path(tmp_path / "missing" / "tree.html")
    with pytest.raises(InputError, match=r"Folder not found: '.*\\ud800"):
        check_output_path(str(tmp_path / "\ud800" / "tree.html"))
    for name in ("", "a\0b"):
        with pytest.raises(InputError, match="`path` must be a file name, such as"):
            check_output_path(name)
    for path in (3, b"tree.html", object(), ["tree.html"]):
        with pytest.raises(KindError, match="`path` must be a string or a Path"):
            check_output_path(path)
