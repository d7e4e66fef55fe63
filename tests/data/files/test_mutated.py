"""Damaged files of every format are read or refused with one sentence; nothing else comes out."""

import io

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import TreewrightError, read

FRAME = pl.DataFrame({"a": [1.5, 2.5, None] * 9, "b": ["x", 'y"', None] * 9, "c": [True, False, None] * 9})


def stored(write):
    out = io.BytesIO()
    write(out)
    return out.getvalue()


SEEDS = [
    stored(FRAME.write_parquet),
    stored(FRAME.write_ipc),
    stored(FRAME.write_ipc_stream),
    stored(FRAME.write_ndjson),
    stored(FRAME.write_csv),
    "色;b\n1,5;é\n".encode("gb18030") * 9,
    FRAME.write_csv().encode("utf-16"),
    b"@relation r\n@attribute a numeric\n@attribute 'b c' {x,'y z'}\n@data\n1,x\n{0 2}\n?,'y z'\n",
]
EDITS = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 9), st.binary(max_size=6)),
    min_size=1,
    max_size=5,
)


@settings(max_examples=250)
@given(
    seed=st.sampled_from(SEEDS),
    edits=EDITS,
    cut=st.floats(0.2, 1.5),
    target=st.sampled_from([None, "a", "b"]),
)
def test_mutated(tmp_path_factory, seed, edits, cut, target):
    data = bytearray(seed[: int(cut * len(seed))] if cut < 1 else seed)
    for place, n_out, put_in in edits:
        at = int(place * len(data))
        data[at : at + n_out] = put_in
    path = tmp_path_factory.getbasetemp() / "mutated"
    path.write_bytes(bytes(data))
    said = "."
    try:
        found = read(path, target)
    except TreewrightError as error:
        said = str(error)
    else:
        assert str(found)
    assert said.endswith(".")
    assert "\n" not in said
