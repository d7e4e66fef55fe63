"""Where the rows of missing value go: down every branch in shares, after a surrogate, or nowhere.

In: a `Ground`, the split chosen for a node and its surrogates. Out: the ground and the rows of each child.
"""

from fractions import Fraction

from tests.oracles.candidates import Candidate
from tests.oracles.ground import NEAR, Ground
from tests.oracles.surrogates import Surrogate

LEAST_SHARE = Fraction(1, 256)
"""Smaller parts of a row are not made."""
MOST_SHARES = 8
"""Nor are more new shares than this for each row of the node."""


def with_shares(ground: Ground, chosen: Candidate, heavier: int) -> list[int]:
    """The branches that get a share beside the heavier one: no more new shares than eight times the node's rows."""
    n_rows = sum(map(len, chosen.branches)) + len(chosen.unplaced)
    others = [b for b, rows in enumerate(chosen.branches) if rows and b != heavier]
    others.sort(key=lambda b: (-ground.units(chosen.branches[b]), b))
    return others[: MOST_SHARES * n_rows // len(chosen.unplaced)]


def shares(ground: Ground, chosen: Candidate, row: int) -> dict[int, Fraction]:
    """How much of a row goes down each branch, in units; small shares stay with the heavier branch's."""
    known = sum(map(ground.units, chosen.branches))
    heavier = ground.heavier(chosen.branches)
    given: dict[int, Fraction] = {heavier: Fraction(ground.weight[row])}
    for branch in with_shares(ground, chosen, heavier):
        rows = chosen.branches[branch]
        share = Fraction(ground.weight[row] * ground.units(rows), known)
        in_rows = share * ground.weight_unit / ground.one
        # Whether the package rounds the row's weight or the share, a share of exactly 1/256 may fall either way.
        if abs(in_rows / LEAST_SHARE - 1) <= NEAR:
            ground.doubts.append("least share")
        if in_rows >= LEAST_SHARE:
            given[branch] = share
            given[heavier] -= share
        else:
            ground.dropped.append(row)
    return given


def send(ground: Ground, chosen: Candidate, surrogates: list[Surrogate]) -> list[tuple[Ground, list[int]]]:
    """The ground and the rows of each child."""
    placed = [list(branch) for branch in chosen.branches]
    if not chosen.unplaced or ground.options.missing == "stop":
        return [(ground, rows) for rows in placed]
    if ground.options.missing == "surrogate":
        heavier = ground.heavier(chosen.branches)
        for r in chosen.unplaced:
            answers = (s.send(ground.columns[s.column].values[r]) for s in surrogates)
            placed[next((a for a in answers if a is not None), heavier)].append(r)
        return [(ground, rows) for rows in placed]
    weight = [{r: Fraction(ground.weight[r]) for r in rows} for rows in placed]
    for r in chosen.unplaced:
        for branch, share in shares(ground, chosen, r).items():
            weight[branch][r] = share
    known = [r for rows in chosen.branches for r in rows]
    return [(ground.shared(w, chosen.unplaced, known), list(w)) if w else (ground, []) for w in weight]
