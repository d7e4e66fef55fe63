"""Mutate: a seed's file, changed in one of many ways. Mutation i is the same one always, on every machine.

In: the number of a mutation. Out: which seed it is made of, what was done, and the bytes. Half of what is done changes
bytes; the other half changes the document, with the fingerprint taken out, so that it is not the one that refuses it.
"""

import gzip
import json
import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import zstandard

from tests.store.mutation import changes
from tests.store.mutation.seeds import names, seeds

SALT = 20261116
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True)
class Mutated:
    """A file to be tried."""

    number: int
    seed: str
    done: str
    data: bytes


def mutated(number):
    """Mutation number i."""
    rng = np.random.default_rng([SALT, number])
    seed = names()[int(rng.integers(len(names())))]
    data = seeds()[seed]
    if rng.random() < 0.35:
        done, changed = _bytes_changed(rng, data)
    else:
        done, changed = _document_changed(rng, seed)
        if data.startswith((GZIP, ZSTD)) and rng.random() < 0.5:
            changed = gzip.compress(changed, 1) if data.startswith(GZIP) else zstandard.compress(changed, 1)
    return Mutated(number, seed, done, changed)


def plain(data):
    """The text of a file, squeezed or not."""
    if data.startswith(GZIP):
        return gzip.decompress(data)
    return zstandard.ZstdDecompressor().decompress(data) if data.startswith(ZSTD) else data


@cache
def plain_seed(seed):
    """The text of a seed's file."""
    return plain(seeds()[seed])


def parsed(seed):
    """The document of a seed, a new one each time."""
    return json.loads(plain_seed(seed))


def written(document):
    """A document as JSON; infinity and NaN as model files write them, and doubled keys (see `changes.doubled`)."""
    text = json.dumps(document, ensure_ascii=False)
    if "Infinity" in text or "NaN" in text:
        text = re.sub(r"(?<![\w\"])(-?)Infinity(?![\w\"])", r"\g<1>1e999", text)
        text = re.sub(r"(?<![\w\"])NaN(?![\w\"])", "null", text)
    return text.replace(changes.AGAIN, "").encode("utf-8", "backslashreplace")


def _bytes_changed(rng, data):
    """Some bytes flipped, put in, taken out, cut off, doubled, or taken from another seed."""
    data = plain(data) if rng.random() < 0.7 else data
    way = BYTES[int(rng.integers(len(BYTES)))]
    for _ in range(int(rng.choice([1, 1, 1, 2, 5]))):
        data = way(rng, data) or b" "  # the next change needs a byte to change
    if rng.random() < 0.7:
        data = re.sub(rb'\s*"fingerprint": "[0-9a-f]*",', b"", data, count=1)
    return way.__name__, data


def _document_changed(rng, seed):
    document = parsed(seed)
    if rng.random() < 0.85:
        document.pop("fingerprint", None)
    done = []
    for _ in range(int(rng.choice([1, 1, 1, 1, 2, 3]))):
        way = changes.ALL[int(rng.integers(len(changes.ALL)))]
        other = parsed(names()[int(rng.integers(len(names())))]) if way in changes.WITH_ANOTHER else None
        done.append(f"{way.__name__} {way(rng, document, other)}")
    return "; ".join(done), written(document)


def flipped(rng, data):
    at = int(rng.integers(len(data)))
    return data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :]


def digit_changed(rng, data):
    """A digit, sign or point becomes another one: the file is still JSON, more often than not."""
    found = [m.start() for m in re.finditer(rb"[0-9.\-]", data)]
    if not found:
        return flipped(rng, data)
    at = found[int(rng.integers(len(found)))]
    return data[:at] + bytes([b"0123456789.-e"[int(rng.integers(13))]]) + data[at + 1 :]


def taken_out(rng, data):
    at, n = int(rng.integers(len(data))), int(rng.choice([1, 1, 2, 8, 100]))
    return data[:at] + data[at + n :]


def put_in(rng, data):
    at = int(rng.integers(len(data) + 1))
    some = [b"0", b"-", b"1e999", b'"', b"[", b"]", b"{", b"}", b",", b":", b"\x00", b"\xff", b"null", b"\\ud800"]
    some.append(b"[" * 200)
    return data[:at] + some[int(rng.integers(len(some)))] + data[at:]


def cut_off(rng, data):
    return data[: int(rng.integers(len(data)))]


def spliced(rng, data):
    other = plain_seed(names()[int(rng.integers(len(names())))])
    at, there = int(rng.integers(len(data))), int(rng.integers(len(other)))
    return data[:at] + other[there:]


def span_doubled(rng, data):
    at, n = int(rng.integers(len(data))), int(rng.integers(1, 400))
    return data[: at + n] + data[at:]


def spans_exchanged(rng, data):
    """Two lines change places."""
    lines = data.split(b"\n")
    a, b = (int(i) for i in rng.integers(len(lines), size=2))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


BYTES = [flipped, digit_changed, digit_changed, taken_out, put_in, cut_off, spliced, span_doubled, spans_exchanged]
