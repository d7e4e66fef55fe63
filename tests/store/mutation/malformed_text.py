"""Malformed text: files that are no JSON, or not all of it, by name; with what the refusal says.

In: nothing. Out: `TEXTS`, from a name to what is done to the text of a seed (all files of the seeds are given too), and
a part of the sentence that must come.
"""

import gzip
import pickle

import zstandard


def changed(old, new):
    """A change of the first place of some bytes by others."""

    def change(text, _):
        assert old in text
        return text.replace(old, new, 1)

    return change


NESTED = b"[" * 100_000
TEXTS = {
    "nothing": (lambda t, _: b"", "it is empty"),
    "blanks alone": (lambda t, _: b" \n ", "it is empty"),
    "one byte": (lambda t, _: b"{", "is invalid at byte"),
    "a list": (lambda t, _: b"[1, 2]", "it is JSON, but not an object"),
    "a number": (lambda t, _: b"17", "not a model file"),
    "an object of another kind": (lambda t, _: b"{}", "the field format is missing"),
    "a table": (lambda t, _: b"a,b\n1,2\n", "it begins with 'a,b"),
    "a pickle": (lambda t, _: pickle.dumps({"tree": 1}), "a pickle"),
    "a page": (lambda t, _: b"<!doctype html><html></html>", "HTML or XML"),
    "half a file": (lambda t, _: t[: len(t) // 2], "Field trees[0]"),
    "all but the last brace": (lambda t, _: t.rstrip()[:-1], "is invalid at byte"),
    "something behind the end": (lambda t, _: t + b"{}", "is invalid at byte"),
    "a key twice": (changed(b'"version": 1,', b'"version": 1, "version": 1,'), "Field version"),
    "an inner key twice": (changed(b'"named": true', b'"named": true, "named": true'), "Field named"),
    "a key of a column twice": (changed(b'"name": "age"', b'"name": "", "name": ""'), "Field schema.columns[0].name"),
    "a key without quotes": (changed(b'"version"', b"version"), "is invalid at byte"),
    "a key in other quotes": (changed(b'"version"', b"'version'"), "is invalid at byte"),
    "no colon": (changed(b'"version": 1', b'"version" 1'), "Field version"),
    "a comma too many": (changed(b"1,", b"1,,"), "is invalid at byte"),
    "a comma before the end of a list": (changed(b"]", b",]"), "is invalid at byte"),
    "a comment": (changed(b"{", b"{ /* mine */"), "is invalid at byte"),
    "the word NaN": (changed(b'"row_weight": 1.0', b'"row_weight": NaN'), "Field row_weight"),
    "the word Infinity": (changed(b'"row_weight": 1.0', b'"row_weight": Infinity'), "Field row_weight"),
    "a zero in front": (changed(b'"row_weight": 1.0', b'"row_weight": 01.0'), "Field row_weight"),
    "a plus in front": (changed(b'"row_weight": 1.0', b'"row_weight": +1.0'), "Field row_weight"),
    "a point at the end": (changed(b'"row_weight": 1.0', b'"row_weight": 1.'), "Field row_weight"),
    "a number in hexadecimal": (changed(b'"row_weight": 1.0', b'"row_weight": 0x1'), "Field row_weight"),
    "an exponent without digits": (changed(b'"row_weight": 1.0', b'"row_weight": 1e'), "Field row_weight"),
    "the word None": (changed(b'"named": true', b'"named": None'), "Field named"),
    "the word True": (changed(b'"named": true', b'"named": True'), "Field named"),
    "a text without an end": (changed(b'"kind": "estimator"', b'"kind": "estimator'), "Field kind"),
    "a line break in a text": (changed(b'"kind": "estimator"', b'"kind": "esti\nmator"'), "Field kind"),
    "a zero byte in a text": (changed(b'"kind": "estimator"', b'"kind": "esti\x00mator"'), "Field kind"),
    "an escape that is not known": (changed(b'"kind": "estimator"', b'"kind": "\\x41"'), "Field kind"),
    "half an escape": (changed(b'"kind": "estimator"', b'"kind": "\\u12"'), "Field kind"),
    "bytes that are no UTF-8": (changed(b'"kind": "estimator"', b'"kind": "\xff"'), "Field kind"),
    "a byte too long a way to write a slash": (changed(b'"kind": "estimator"', b'"kind": "\xc0\xaf"'), "Field kind"),
    "half a pair in UTF-8": (changed(b'"kind": "estimator"', b'"kind": "\xed\xa0\x80"'), "Field kind"),
    "nested for ever": (changed(b'"kind": "estimator"', b'"kind": ' + NESTED), "Field kind"),
    "lists for ever and nothing else": (lambda t, _: NESTED, "not a model file"),
    "objects for ever": (changed(b'"kind": "estimator"', b'"kind": ' + b'{"a":' * 100_000), "Field kind"),
    "a number of a million digits": (changed(b'"version": 1', b'"version": ' + b"1" * 1_000_000), "Field version"),
    "UTF-16": (lambda t, _: t.decode().encode("utf-16"), "not a model file"),
    "half a gzip file": (lambda t, s: s["squeezed_gz"][: len(s["squeezed_gz"]) // 2], "gzip"),
    "a gzip file with a wrong sum": (lambda t, s: s["squeezed_gz"][:-8] + b"\0" * 8, "gzip"),
    "the head of a gzip file alone": (lambda t, s: s["squeezed_gz"][:2], "gzip"),
    "half a zstd file": (lambda t, s: s["squeezed_zst"][: len(s["squeezed_zst"]) // 2], "zst"),
    "a zstd file with a flipped byte": (lambda t, s: s["squeezed_zst"][:4] + b"\xff" + s["squeezed_zst"][5:], "zst"),
    "a gzip file that unfolds to far more": (lambda t, _: gzip.compress(b" " * 2**27, 1), "larger than the limit"),
    "a zstd file that unfolds to far more": (lambda t, _: zstandard.compress(b" " * 2**27, 1), "larger than the limit"),
    "a gzip file in a gzip file": (lambda t, s: gzip.compress(s["squeezed_gz"]), "not a model file"),
}
