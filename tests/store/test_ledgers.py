"""Ledgers in a model file: a loaded model says why its nodes ask what they ask, without any rows."""

import pickle

import pytest

from tests.store.mutation.seeds import MAKERS
from tests.store.mutation.tables import classes, mixed, raised
from treewright import (
    C45Classifier,
    CARTClassifier,
    InputError,
    ModelFormatError,
    TreeClassifier,
    load,
)
from treewright.estimators.explanations import all_ledgers
from treewright.ledger.record import REJECTED
from treewright.store.ledgers import DERIVED

ESTIMATORS = [name for name in MAKERS if not name.startswith(("tree", "rules", "squeezed"))]


def stored(model, folder, **kept):
    """The model, saved and loaded."""
    path = folder / "model.json"
    model.save(path, overwrite=True, **kept)
    return load(path)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_node_tells_the_same_after_save_and_load(name, tmp_path):
    model = MAKERS[name]()[0]
    told = [model.why(node) for node in range(model.tree_.n_nodes)]
    again = stored(model, tmp_path, ledgers=True)
    assert again._kept is None
    assert [again.why(node) for node in range(model.tree_.n_nodes)] == told
    assert [str(again.why(node)) for node in range(model.tree_.n_nodes)] == [str(one) for one in told]


def test_a_raised_split_is_told_with_its_note(tmp_path):
    model = C45Classifier(min_samples_leaf=1).fit(*raised())
    notes = [model.why(node).entry.note for node in range(model.tree_.n_nodes)]
    assert any(note is not None and "was raised" in note for note in notes)
    again = stored(model, tmp_path, ledgers=True)
    assert [again.why(node).entry.note for node in range(model.tree_.n_nodes)] == notes


def test_ledgers_travel_on_without_rows(tmp_path):
    model = CARTClassifier().fit(mixed(), classes())
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    model.save(first, ledgers=True)
    load(first).save(second, ledgers=True)
    assert first.read_bytes() == second.read_bytes()
    load(second).save(tmp_path / "c.json")
    model.save(tmp_path / "d.json")
    assert (tmp_path / "c.json").read_bytes() == (tmp_path / "d.json").read_bytes()


def test_a_model_without_ledgers_or_rows_asks_for_the_rows(tmp_path):
    model = CARTClassifier().fit(mixed(), classes())
    again = stored(model, tmp_path)
    with pytest.raises(InputError, match="training rows are required"):
        again.why(0)
    with pytest.raises(InputError, match="training rows are required"):
        again.save(tmp_path / "other.json", ledgers=True)
    assert not (tmp_path / "other.json").exists()
    assert again.why(0, mixed(), classes()) == model.why(0)


def test_nodes_of_the_grown_tree_that_are_gone_need_the_rows(tmp_path):
    model = CARTClassifier().fit(mixed(), classes())
    assert model.grown_tree_.n_nodes > model.tree_.n_nodes
    again = stored(model, tmp_path, ledgers=True)
    assert again.why(0, grown=True) == model.why(0, grown=True)
    gone = set(range(model.grown_tree_.n_nodes)) - set(model.pruning_report_.origin.tolist())
    for node in gone:
        with pytest.raises(InputError, match="training rows are required"):
            again.why(node, grown=True)


def test_ledgers_are_those_of_their_tree_alone(tmp_path):
    model = CARTClassifier().fit(mixed(), classes())
    again = stored(model, tmp_path, ledgers=True)
    again.fit(mixed().iloc[:20], classes()[:20])
    assert again._ledgers is None
    other = stored(model, tmp_path, ledgers=True).pruned(None)
    assert other.why(0) == model.pruned(None).why(0)
    last = other.tree_.n_nodes - 1
    with pytest.raises(InputError, match="training rows are required"):
        other.why(last)


def test_ledgers_travel_in_a_pickle_too_and_are_checked(tmp_path):
    again = stored(CARTClassifier().fit(mixed(), classes()), tmp_path, ledgers=True)
    copied = pickle.loads(pickle.dumps(again))
    assert [copied.why(node) for node in range(3)] == [again.why(node) for node in range(3)]
    again._ledgers.numbers["chosen"][0] = 17
    stolen = pickle.dumps(again)
    with pytest.raises(ModelFormatError, match=r"Field ledgers\.chosen must hold numbers .*, got 17"):
        pickle.loads(stolen)


def test_only_words_that_follow_from_nothing_are_kept(tmp_path):
    model = TreeClassifier(max_depth=4).fit(mixed(), classes())
    kept = all_ledgers(model)
    rejected = sum(c.verdict == REJECTED for node in kept.node.tolist() for c in kept.entry(node).candidates)
    assert (kept.numbers["reason"] != DERIVED).sum() == rejected
    assert not any("<=" in word or "highest" in word for word in kept.words)
    assert len(set(kept.words)) == len(kept.words)


def test_a_damaged_ledger_is_refused_by_its_field(tmp_path):
    path = tmp_path / "model.json"
    CARTClassifier().fit(mixed(), classes()).save(path, ledgers=True)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"chosen": [', '"chosen": [7, ', 1), encoding="utf-8")
    with pytest.raises(ModelFormatError, match=r"Field ledgers\.chosen must hold \d+ values, got \d+"):
        load(path)
