"""Model files and pickles with one thing wrong each: every one is refused by a sentence that names it."""

import warnings

import pytest

from tests.store.mutation.malformed_models import CASES
from tests.store.mutation.malformed_text import TEXTS
from tests.store.mutation.mutate import parsed, plain_seed, written
from tests.store.mutation.seeds import seeds
from treewright import ModelFormatError
from treewright.loading import load_bytes


def refusal(data):
    """What is said of a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ModelFormatError) as error:
            load_bytes(data)
    assert "\n" not in str(error.value)
    assert str(error.value).isprintable()
    return str(error.value)


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_named(name):
    case = CASES[name]
    document = parsed(case.seed)
    if not case.says.startswith("Field fingerprint"):
        document.pop("fingerprint", None)
    case.change(document)
    assert case.says in refusal(written(document))


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_that_is_no_json_says_where(name):
    change, says = TEXTS[name]
    assert says in refusal(change(plain_seed("c45"), seeds()))


def test_there_are_enough():
    assert len(CASES) + len(TEXTS) >= 200
    assert all(case.says for case in CASES.values())
