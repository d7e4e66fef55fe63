"""Mutated model files: 7,000 here, 20,000 in `make check-long`, a million by `make mutations`.

None may crash, hang or eat memory. What is refused is refused by a ModelFormatError that names the field; what is
accepted answers the same after it was saved and loaded again. A failure names the number of its mutation:
`python -m tests.store.mutation --only NUMBER`.
"""

import json

import pytest

from tests.store.mutation.__main__ import ask, worker
from tests.store.mutation.mutate import mutated, parsed
from tests.store.mutation.seeds import names, seeds
from treewright.estimators.saving import NAMES

N_EACH = 1000
DEFAULT, LONG = 4, 20
PARTS = [*range(DEFAULT), *(pytest.param(i, marks=pytest.mark.long) for i in range(DEFAULT, LONG))]


@pytest.fixture(scope="module")
def trying():
    """A worker that lives as long as the tests of this file."""
    process = worker()
    yield process
    process.stdin.close()
    process.wait(30)
    process.stdout.close()


@pytest.mark.parametrize("part", PARTS)
def test_a_mutated_file_is_refused_by_a_field_or_answers_the_same(part, trying):
    told = ask(trying, part * N_EACH, (part + 1) * N_EACH)
    assert told["failures"] == []
    assert told["accepted"] + told["refused"] == N_EACH
    # A validator that refuses everything, or nothing, would be no test of itself.
    assert told["accepted"] > N_EACH * 0.05
    assert told["refused"] > N_EACH * 0.5
    assert len(told["fields"]) > 100


def test_there_are_seeds_of_every_kind():
    assert len(names()) >= 40
    documents = [parsed(name) for name in names()]
    assert {d["kind"] for d in documents} == {"estimator", "tree", "rules"}
    estimators = [d for d in documents if d["kind"] == "estimator"]
    assert {d["estimator"] for d in estimators} == set(NAMES)
    assert {d["trees"][0]["missing"] for d in estimators} == {
        *("fractional", "surrogate", "learned", "branch", "stop", "error"),
    }
    assert {d["trees"][0]["criterion"] for d in estimators} == {
        *("gini", "entropy", "twoing", "squared_error", "absolute_error", "poisson"),
    }
    reports = [step for d in estimators for report in d["reports"] for step in report.get("steps", [report])]
    assert {report["method"] for report in reports} >= {
        *("reduced_error", "pre_pruning", "pessimistic", "error_based", "cost_complexity"),
        *("minimum_error", "critical_value", "mdl", "global", "same_decision"),
    }
    assert {len(report.get("steps", ())) for d in estimators for report in d["reports"]} == {0, 2, 3}
    assert any(d["trees"][0]["surrogates"] for d in estimators)
    assert {tuple(k for k in ("rows", "ledgers") if k in d) for d in estimators} == {
        (),
        ("rows",),
        ("ledgers",),
        ("rows", "ledgers"),
    }
    assert {d["rules"]["form"] for d in documents if d["kind"] == "rules"} == {"leaves", "generalised"}
    starts = {seeds()[name][:2] for name in names()}
    assert {b"\x1f\x8b", b"\x28\xb5"} < starts


def test_a_mutation_is_the_same_every_time():
    assert [mutated(i).data for i in range(50)] == [mutated(i).data for i in range(50)]
    assert len({mutated(i).data for i in range(50)}) > 45


def test_the_documents_of_seeds_are_json_that_anybody_can_read():
    for name in names():
        document = json.loads(json.dumps(parsed(name)))
        assert document["format"] == "treewright"
