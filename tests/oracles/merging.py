"""Groups of categories by a merge path: two groups ("binary"), or the stage of the best penalised ratio ("least-loss").

In: a `Ground`, a category column, the rows of a node whose value is known (or, learned, missing as one more category),
and those whose value is missing. Out: a `Candidate` of these rows, not yet penalised, or None.

Values of a single row are one value here, and so are all of them: such a *value* is a list of codes.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise

from tests.oracles.candidates import (
    Candidate,
    by_category,
    each_candidate,
    enough,
    first_best,
    height,
    subset_branches,
)
from tests.oracles.ground import Ground
from tests.oracles.groups import MANY_PRESENT
from tests.oracles.penalties import bits_of_a_split, bits_of_groups, bits_of_two

RATIO_TIE = 1e-11
LEAST_INFORMATION = 1e-10

Present = dict[int, list[int]]
Block = list[int]


class Path:
    """Values of one column at one node, merged pair by pair: each time the pair that loses least gain."""

    def __init__(self, ground: Ground, present: Present, missing: Sequence[int] = ()) -> None:
        self.ground = ground
        self.present = present
        self.rows = [r for rows in present.values() for r in rows]
        self.missing = list(missing) if ground.options.info == "all" else []
        self.blocks = first_blocks(ground, present)
        self.n_values = len(self.blocks)
        self.tied = False

    def rows_of(self, block: Block) -> list[int]:
        return [r for code in block for r in self.present[code]]

    def branches(self, blocks: Sequence[Block]) -> list[list[int]]:
        return [self.rows_of(block) for block in blocks]

    def cost(self, block: Block) -> float:
        """Weight times impurity."""
        rows = self.rows_of(block)
        return float(self.ground.units(rows) * self.ground.impurity(rows))

    def merge(self) -> None:
        """Merge the first of the pairs that lose least; the merged block stands where its first part stood."""
        pairs = list(combinations(range(len(self.blocks)), 2))
        costs = [self.cost(block) for block in self.blocks]
        kept = [costs[a] + costs[b] - self.cost(self.blocks[a] + self.blocks[b]) for a, b in pairs]
        slack = float(self.ground.tolerance(self.rows) * self.ground.units(self.rows))
        best, tied = first_best(kept, slack)
        self.tied |= tied
        if tied:
            self.doubt_order()
        a, b = pairs[best]
        self.blocks[a] = self.blocks[a] + self.blocks[b]
        del self.blocks[b]

    def doubt_order(self) -> None:
        """Note class weights that are equal, or nearly so, where they may be rounded: they order the values."""
        for k in range(self.ground.n_classes):
            of_class = [[r for r in rows if self.ground.target[r] == k] for rows in self.present.values()]
            for a, b in combinations(of_class, 2):
                self.ground.doubt("content", self.ground.heft(a), self.ground.heft(b), [*a, *b])

    def merit(self) -> float | None:
        """The penalised ratio of the blocks as they stand, or the penalised gain; None where they are too small."""
        ground, branches = self.ground, self.branches(self.blocks)
        if not enough(ground, branches):
            return None
        gain = float(ground.gain(self.rows, branches))
        if ground.options.penalty == "description":
            bits = bits_of_a_split(ground, self.rows) + bits_of_groups(self.n_values, len(branches))
            gain -= bits / float(ground.heft(self.rows))
        if ground.options.merit == "decrease":
            return gain
        rho = ground.units(self.rows) / ground.units([*self.rows, *self.missing])
        information = ground.split_information([*branches, self.missing])
        return rho * gain / information if information > LEAST_INFORMATION else None


def first_blocks(ground: Ground, present: Present) -> list[Block]:
    """The values in order of their class weights, then of their code; those of a single row are one, at the place of
    the first of them."""
    blocks: list[Block] = []
    singles: Block = []
    for code in sorted(present, key=lambda code: (ground.class_units(present[code]), code)):
        if ground.heft(present[code]) > ground.single + ground.slack:
            blocks.append([code])
            continue
        if not singles:
            blocks.append(singles)
        singles.append(code)
    return blocks


def by_lowest_code(blocks: Sequence[Block]) -> list[Block]:
    return sorted(sorted(block) for block in blocks)


def two_groups(
    ground: Ground, present: Present
) -> tuple[set[int], list[list[int]], bool, int] | None:
    """The codes of branch 1, both branches, whether the tie rule decided, and how many values there were."""
    if ground.options.is_regression or ground.n_classes <= 2:
        return cut_in_two(ground, present)
    path = Path(ground, present)
    while len(path.blocks) > 2:
        path.merge()
    blocks = by_lowest_code(path.blocks)
    branches = path.branches(blocks)
    if len(blocks) < 2 or not enough(ground, branches):
        return None
    return set(blocks[1]), branches, path.tied, path.n_values


def cut_in_two(ground: Ground, present: Present) -> tuple[set[int], list[list[int]], bool, int] | None:
    """Two classes or numbers: the best cut between values of different share or mean."""
    singles = [code for code, rows in present.items() if ground.heft(rows) <= ground.single + ground.slack]
    values = [[code] for code in present if code not in singles] + ([singles] if singles else [])
    heights = [height(ground, [r for code in value for r in present[code]]) for value in values]
    rows = [r for of_code in present.values() for r in of_code]
    cuts = []
    for low, _ in pairwise(sorted(set(heights))):
        high = {code for value, h in zip(values, heights, strict=True) if h > low for code in value}
        branches = [[r for code in present if (code in high) == side for r in present[code]] for side in (False, True)]
        if enough(ground, branches):
            cuts.append((high, branches, ground.gain(rows, branches)))
    if not cuts:
        return None
    best, tied = first_best([gain for *_, gain in cuts], ground.tolerance(rows))
    return *cuts[best][:2], tied, len(values)


def binary_candidate(ground: Ground, column: int, rows: list[int]) -> Candidate | None:
    """Two groups; an absent category takes the heavier branch."""
    present = by_category(ground, column, rows)
    found = two_groups(ground, present)
    if found is None:
        return None
    high, branches, tied, n_values = found
    branch_of = subset_branches(ground, column, present, high)
    return Candidate(
        column, branches, ground.gain(rows, branches), branch_of=branch_of, tied=tied, bits=bits_of_two(n_values)
    )


def least_loss_candidate(
    ground: Ground, column: int, rows: list[int], missing: Sequence[int] = ()
) -> Candidate | None:
    """The stage of the path whose merit is best, the one of fewest groups on a tie."""
    n_categories = ground.columns[column].n_categories
    present = by_category(ground, column, rows)
    if n_categories <= 2 or len(present) > MANY_PRESENT:
        return each_candidate(ground, column, rows)
    path = Path(ground, present, missing)
    stages = [(path.merit(), by_lowest_code(path.blocks))]
    while len(path.blocks) > 2:
        path.merge()
        stages.append((path.merit(), by_lowest_code(path.blocks)))
    told = [(merit, blocks) for merit, blocks in reversed(stages) if merit is not None]
    if not told:
        return None
    tolerance = RATIO_TIE if ground.options.merit == "ratio" else float(ground.tolerance(rows))
    best, tied = first_best([merit for merit, _ in told], tolerance)
    blocks = told[best][1]
    branches = path.branches(blocks)
    bits = bits_of_groups(path.n_values, len(blocks))
    grouped = {code: branch for branch, block in enumerate(blocks) for code in block}
    if len(grouped) < n_categories:
        branches.append([])
    branch_of = tuple(grouped.get(code, len(blocks)) for code in range(n_categories))
    return Candidate(
        column, branches, ground.gain(rows, branches), branch_of=branch_of, tied=tied or path.tied, bits=bits
    )
