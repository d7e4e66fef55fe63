"""Times the fits beside scikit-learn's and checks the trees.

In: the cases of a section. Out: one Row per case, depth and number of threads.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.cases import CASES, Case
from benchmarks.choice import Choice
from benchmarks.exact import compare
from benchmarks.peers import OURS, SCIKIT_LEARN, Setting
from benchmarks.rows import Row
from benchmarks.same import same_in_three_runs
from benchmarks.tables import Table
from benchmarks.timing import take_turns


def fit_rows(section: str, choice: Choice) -> Iterator[Row]:
    """The rows of all cases of a section that are wanted."""
    for case in CASES[section]:
        depths = case.depths_of(choice)
        if not depths or not choice.wants(section, case.name):
            continue
        reason = case.why_missing(choice)
        if reason is not None:
            print(f"{case.name} is left out: {reason}")
            continue
        table = case.make(choice)
        for depth in depths:
            yield from one_depth(section, case, table, depth, choice)


def one_depth(section: str, case: Case, table: Table, depth: int | None, choice: Choice) -> Iterator[Row]:
    """Our fit with each number of threads and scikit-learn's, in turns; then the check."""
    settings = [replace(case.setting, max_depth=depth, n_jobs=n) for n in choice.threads]
    fits = [OURS.prepare(table, setting) for setting in settings] + [SCIKIT_LEARN.prepare(table, settings[0])]
    *mine, theirs = take_turns([fit for fit in fits if fit is not None], choice.rounds, choice.budget)
    models = {setting.n_jobs: run.result for setting, run in zip(settings, mine, strict=True)}
    verdict = check(table, settings[0], models, theirs.result)
    for setting, run in zip(settings, mine, strict=True):
        yield Row(
            section,
            case.name,
            table.shape,
            setting.depth,
            setting.n_jobs,
            SCIKIT_LEARN.NAME,
            run.timed,
            theirs.timed.undisturbed(),
            {"leaves": OURS.n_leaves(run.result) or 0},
            case.goal(setting.n_jobs) if choice.fraction == 1 else None,
            check=verdict,
        )


def check(table: Table, setting: Setting, models: dict[int, Any], theirs: Any) -> str:
    """Against scikit-learn where it grows the same tree, else against ourselves in other ways; one tree for all."""
    trees = [model.tree_ for model in models.values()]
    apart = [n for n, tree in zip(models, trees, strict=True) if tree != trees[0]]
    if apart:
        return f"DIFFERS with {apart[0]} threads"
    if has_peer_tree(table, setting):
        return str(compare(trees[0], theirs.tree_, table))
    return same_in_three_runs(table, setting, models)


def has_peer_tree(table: Table, setting: Setting) -> bool:
    """Whether scikit-learn grows the same tree up to ties: CART on numbers, none of them missing."""
    is_plain = setting.algorithm == "CART" and not setting.pruned and setting.max_bins is None
    return is_plain and not table.categories and bool(np.isfinite(table.values).all())


