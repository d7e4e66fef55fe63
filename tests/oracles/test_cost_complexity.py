"""The slow twin judged by itself: the loop finds what brute force finds, and what a person finds by hand."""

from fractions import Fraction
from random import Random

import pytest

from tests.oracles.cost_complexity import (
    Branch,
    best_of_all,
    envelope,
    every_subtree,
    is_nested,
    links_of,
    own_alphas,
    random_branch,
    weakest_link_loop,
)


def leaf(number, risk):
    return Branch(number, Fraction(risk))


def by_hand():
    """Seven nodes. Root 10; left 4 with leaves 1, 1; right 5 with leaves 2, 2."""
    left = Branch(1, Fraction(4), children=[leaf(3, 1), leaf(4, 1)])
    right = Branch(2, Fraction(5), children=[leaf(5, 2), leaf(6, 2)])
    return Branch(0, Fraction(10), children=[left, right])


def test_by_hand():
    # The split of right saves 1, that of left 2. With right a leaf, the root saves (10 - 2 - 5) / 2 = 1.5, less than
    # left does, and takes it along.
    steps = weakest_link_loop(by_hand())
    assert [(step.alpha, step.best.n_leaves, step.best.risk) for step in steps] == [
        (0, 4, 6),
        (1, 3, 7),
        (Fraction(3, 2), 1, 10),
    ]
    assert own_alphas(by_hand()) == {0: Fraction(3, 2), 1: 2, 2: 1}
    assert len(list(every_subtree(by_hand()))) == 5


@pytest.mark.parametrize("seed", range(60))
def test_the_loop_finds_the_best_of_all(seed):
    rng = Random(f"oracle {seed}")
    root = random_branch(rng, rng.randint(1, 5), stays=seed % 3 == 0)
    steps = weakest_link_loop(root)
    assert [step.alpha for step in steps] == envelope(root)
    assert is_nested(steps)
    for step, alpha in zip(steps, [s.alpha for s in steps[1:]] + [steps[-1].alpha + 1], strict=True):
        for between in (step.alpha, (step.alpha + alpha) / 2):
            assert best_of_all(root, between) == [step.best]


def test_random_trees_have_what_is_hard():
    roots = [random_branch(Random(f"oracle {seed}"), 12) for seed in range(40)]
    assert any(len(node.children) > 2 for root in roots for node in root.below())
    assert any(own == 0 for root in roots for own in own_alphas(root).values())
    loops = [weakest_link_loop(root) for root in roots]
    # Several nodes go at one alpha, and nodes go that hide others which would stay longer.
    assert any(len(loop) < len(a.best.inner) for loop in loops for a in loop[:1])
    assert any(list(own_alphas(root).values()) != sorted(own_alphas(root).values(), reverse=True) for root in roots)
    for root in roots:
        parent, n_children = links_of(root)
        assert all(p < i for i, p in enumerate(parent))
        assert sum(n_children) == len(parent) - 1
