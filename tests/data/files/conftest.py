"""Files for the readers: bytes or text under a name, in a folder of their own."""

import pytest


@pytest.fixture
def put(tmp_path):
    """Writes a file and gives its path."""

    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return write
