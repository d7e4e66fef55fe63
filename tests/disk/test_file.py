"""A file is written whole or not at all, and what cannot be written is said of the file that was asked for."""

import pytest

from treewright.disk import write as module
from treewright.disk.write import write_file
from treewright.errors import InputError, KindError


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def test_a_new_file_and_one_that_is_replaced(tmp_path):
    path = tmp_path / "tree.svg"
    write_file(path, "one 西瓜\n")
    assert path.read_bytes() == "one 西瓜\n".encode()
    write_file(str(path), "two\r\n")
    assert path.read_bytes() == b"two\r\n"
    assert names_in(tmp_path) == ["tree.svg"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "tree.svg"
    write_file(path, "old")

    def fails(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, "fsync", fails)
    with pytest.raises(OSError, match=r"No space left on device: .*tree\.svg'") as caught:
        write_file(path, "new")
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["tree.svg"]


def test_what_cannot_be_encoded_is_refused_before_anything_is_touched(tmp_path):
    with pytest.raises(UnicodeEncodeError):
        write_file(tmp_path / "tree.svg", "\ud800")
    assert names_in(tmp_path) == []


def test_a_name_in_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_file("tree.svg", "one")
    assert (tmp_path / "tree.svg").read_text() == "one"


def test_a_long_name(tmp_path):
    name = "é" * 120 + ".svg"  # 244 of the 255 bytes that a name may have
    write_file(tmp_path / name, "one")
    assert names_in(tmp_path) == [name]


def test_what_is_no_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"is a folder; give the name of a file in it"):
        write_file(tmp_path, "x")
    with pytest.raises(InputError, match=r"There is no folder .*absent.* make it first"):
        write_file(tmp_path / "absent" / "tree.svg", "x")
    with pytest.raises(InputError, match="is no name of a file"):
        write_file("", "x")
    for bad in (3, b"tree.svg", None):
        with pytest.raises(KindError, match="give the name of a file as text"):
            write_file(bad, "x")
