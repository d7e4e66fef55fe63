"""Generalise: a grown tree becomes fewer and shorter rules that stand for themselves.

In: a classification tree as it was grown, and the rows it was grown on. Out: the rules in the order in which they are
asked, and the class where none applies. This is what Quinlan's c4.5rules does (C4.5, Release 8): conditions are dropped
by a pessimistic estimate, of each class the rules are kept that describe it in the fewest bits, the classes are put in
order, and rules that do harm go.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import ParameterError
from treewright.model.tree import Tree
from treewright.prune.limits import Limit
from treewright.rules.cases import Cases, cases_of
from treewright.rules.chance import Chance
from treewright.rules.coding import coding_of
from treewright.rules.cover import Cover, cover_of, nothing_covered, some_rules
from treewright.rules.path import Path, paths_to_leaves
from treewright.rules.ranking import default_code, in_order, polish
from treewright.rules.shorten import Shortened, shorten
from treewright.rules.subset import Candidates, best_subset

MOST_ERROR = 0.7
"""A rule with a higher estimate is satisfied by no case while the best of a class are chosen."""


@dataclass(frozen=True, slots=True, eq=False)
class Generalised:
    """What came out.

    cases    the training cases
    found    all rules that were found, each a number from 0 on
    cover    the cases that satisfy each of them
    listed   those that were chosen, in order
    kept     those of them that are used: all, or those left after the polish
    default  the code of the class where none applies
    """

    cases: Cases
    found: tuple[Shortened, ...]
    cover: Cover
    listed: tuple[int, ...]
    kept: tuple[int, ...]
    default: int


@dataclass(frozen=True, slots=True)
class Making:
    """How generalised rules are made.

    confidence   CF of the pessimistic estimates; the lower, the fewer and shorter the rules
    redundancy   by which the bits that name a column are divided: above 1 where columns say the same
    polish       whether rules are taken out at last that do more harm than good
    class_order  the codes of the classes in the order in which they are looked at, which decides ties; None: by code
    """

    confidence: float = 0.25
    redundancy: float = 1.0
    polish: bool = True
    class_order: tuple[int, ...] | None = None


def generalise(tree: Tree, rows: Dataset, making: Making) -> Generalised:
    """The rules of a grown tree.

    >>> from treewright.model.build import golf_example
    >>> days = [[0, 70, 1], [0, 70, 0], [0, 90, 0], [0, 90, 0], [0, 90, 1], [1, 80, 0], [1, 80, 1]] * 2
    >>> play = np.array([1, 1, 0, 0, 0, 1, 1] * 2, np.int32)
    >>> made = generalise(golf_example(), Dataset(golf_example().schema, np.array(days, float), play), Making())
    >>> [[test.condition.words() for test in made.found[i].tests] for i in made.kept], made.default
    ([['outlook = sunny', 'humidity > 75'], ['humidity <= 75'], ['outlook = overcast']], 1)
    """
    refuse_numbers(tree)
    cases, limit = cases_of(rows), Limit("release8", making.confidence)
    # Within, a class is known by its place in the order.
    order = np.arange(cases.n_classes) if making.class_order is None else np.array(making.class_order)
    place = np.argsort(order)
    ranked = replace(cases, target=place[cases.target].astype(np.int32))
    paths = (Path(path.tests, int(place[path.code])) for path in paths_to_leaves(tree, cases.weight))
    found = find_rules(paths, ranked, limit)
    cover = cover_of([[test.condition for test in rule.tests] for rule in found], ranked)
    chosen = choose(found, cover, ranked, making.redundancy)
    listed, left, default = _in_turn(found, chosen, cover, ranked)
    found = [replace(rule, code=int(order[rule.code])) for rule in found]
    return Generalised(cases, tuple(found), cover, listed, left if making.polish else listed, int(order[default]))


def _in_turn(
    found: list[Shortened], chosen: NDArray[np.intp], cover: Cover, cases: Cases
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """The chosen rules in order, those of them that are left after the polish, and the default class."""
    codes, errors = [found[i].code for i in chosen], [found[i].error for i in chosen]
    part = some_rules(cover, chosen)
    order = in_order(codes, errors, part, cases)
    default = default_code(part, cases)
    left = polish([codes[i] for i in order], default, some_rules(part, np.array(order, np.intp)), cases)
    listed = tuple(int(chosen[i]) for i in order)
    return listed, tuple(listed[i] for i in left), default


def refuse_numbers(tree: Tree) -> None:
    """Refuse a tree that answers with numbers."""
    if tree.schema.target.is_number:
        raise ParameterError(
            "form='generalised' counts errors of classes, but this tree answers with a number; use form='leaves'."
        )


def find_rules(paths: Iterable[Path], cases: Cases, limit: Limit) -> list[Shortened]:
    """The ways to the leaves, shortened; of those that became the same, the first with the larger estimate."""
    found: dict[object, Shortened] = {}
    for path in paths:
        rule = shorten(path, cases, limit)
        if rule is None:
            continue
        earlier = found.get(rule.key)
        if earlier is None:
            found[rule.key] = rule
        elif rule.error > earlier.error:
            found[rule.key] = replace(earlier, error=rule.error)
    return list(found.values())


def choose(found: list[Shortened], cover: Cover, cases: Cases, redundancy: float) -> NDArray[np.intp]:
    """The rules that stay, class by class; the stream of chance goes on from one class to the next."""
    chance, stay = Chance(), [np.zeros(0, np.intp)]
    for mine, candidates in candidates_by_class(found, cover, cases, redundancy):
        stay.append(mine[best_subset(candidates, chance)])
    return np.sort(np.concatenate(stay))


def candidates_by_class(
    found: list[Shortened], cover: Cover, cases: Cases, redundancy: float = 1.0
) -> Iterator[tuple[NDArray[np.intp], Candidates]]:
    """The rules of each class, in the order of the classes, with what is needed to choose among them."""
    coding = coding_of(cases, redundancy)
    bits = np.array([coding.rule_bits(rule) for rule in found])
    codes = np.array([rule.code for rule in found], np.int64)
    usable = nothing_covered(cover, np.array([rule.error > MOST_ERROR for rule in found], bool))
    counts = cases.units / cases.one
    for code in range(cases.n_classes):
        mine, of_class = np.flatnonzero(codes == code), cases.target == code
        inside, outside = np.where(of_class, counts, 0.0), np.where(of_class, 0.0, counts)
        yield mine, Candidates(some_rules(usable, mine), bits[mine], inside, outside)
