"""A file is written whole or not at all, and what cannot be written is said of the file that was asked for."""

import pytest

from treewright import CARTClassifier
from treewright.disk import atomic_write as module
from treewright.disk.atomic_write import write_file
from treewright.errors import InputError, KindError, ParameterError


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def test_a_new_file_and_one_that_is_replaced(tmp_path):
    path = tmp_path / "tree.svg"
    write_file(path, "one 西瓜\n")
    assert path.read_bytes() == "one 西瓜\n".encode()
    write_file(str(path), "two\r\n", overwrite=True)
    assert path.read_bytes() == b"two\r\n"
    assert names_in(tmp_path) == ["tree.svg"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "tree.svg"
    write_file(path, "old")

    def fails(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, "fsync", fails)
    with pytest.raises(OSError, match=r"tree\.svg': No space left on device; free") as caught:
        write_file(path, "new", overwrite=True)
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
    with pytest.raises(InputError, match=r"is a folder; pass the name of a file in it"):
        write_file(tmp_path, "x")
    with pytest.raises(InputError, match=r"Folder not found: .*absent.* create it"):
        write_file(tmp_path / "absent" / "tree.svg", "x")
    with pytest.raises(InputError, match="`path` must be a file name, such as"):
        write_file("", "x")
    for bad in (3, b"tree.svg", None):
        with pytest.raises(KindError, match="`path` must be a string or a Path"):
            write_file(bad, "x")


@pytest.mark.parametrize("method", ["to_html", "to_svg", "to_dot", "save"])
def test_every_method_that_writes_a_file_refuses_an_existing_one(tmp_path, method):
    write = getattr(CARTClassifier().fit([[1.0], [2.0]], ["a", "b"]), method)
    path = tmp_path / "tree.txt"
    path.write_text("mine")
    refused = r"already exists; pass another path, or overwrite=True to replace the file\.$"
    with pytest.raises(InputError, match=refused):
        write(path)
    assert path.read_text() == "mine"
    with pytest.raises(ParameterError, match="`overwrite` must be True or False, got 'yes'"):
        write(path, overwrite="yes")
    write(path, overwrite=True)
    assert len(path.read_text()) > 100
    assert names_in(tmp_path) == ["tree.txt"]
