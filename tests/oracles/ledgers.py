"""Ledgers against the slow grower: every number of every candidate at every node, worked out again.

In: a table and options. Out: the first number of a ledger that the oracle does not confirm, or nothing. Exact sums, one
cut after the other, from docs/rules-of-growth.md alone.
"""

import math
from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction
from unittest.mock import patch

from tests.oracles.candidates import Candidate, neighbours, side_minimum, threshold
from tests.oracles.compare import KINDS, dataset, engine_tree, oracle_tree, plan
from tests.oracles.ground import Ground
from tests.oracles.grower import RATIO_TIE, Node, candidates, choose, ranked
from tests.oracles.missing import information
from tests.oracles.options import Column, Options
from tests.oracles.penalties import (
    NOT_ABOVE,
    SURE,
    average_part,
    bits_of_a_split,
    bits_of_groups,
    bits_of_two,
)
from tests.oracles.tables import Table
from treewright.data.dataset import Dataset
from treewright.grow.plan import Plan
from treewright.ledger.entries import entries
from treewright.ledger.record import BELOW, CHOSEN, RANKED, REJECTED, TIED, Entry
from treewright.ledger.record import Candidate as Told
from treewright.model.tree import Tree

CLOSE = 1e-9
N_CUTS = 6

Brute = tuple[float, float, list[list[int]]]
"""A cut: its threshold, what it gains before rho and penalty, the rows below and above."""


class Check:
    """Compares what is told about one node with what the oracle finds."""

    def __init__(self, entry: Entry, node: Node) -> None:
        self.entry, self.node = entry, node
        self.ground: Ground = node["ground"]
        self.rows: list[int] = node["rows"]
        # targets may be large; a gain is as exact as the impurity it is a part of
        self.scale = max(1.0, node["impurity"] or 0.0)
        self.wrong: list[str] = []

    def same(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            self.wrong.append(f"{what}: {ours!r}, oracle {theirs!r}")

    def close(self, what: str, ours: Sequence[float | None], theirs: Sequence[object], scale: float = 0.0) -> None:
        near = CLOSE * (scale or self.scale)
        told = [math.nan if x is None else x for x in ours]
        found = [float(x) for x in theirs]
        if len(told) != len(found) or not all(abs(a - b) <= near for a, b in zip(told, found, strict=True)):
            self.wrong.append(f"{what}: {told}, oracle {found}")

    def run(self) -> list[str]:
        entry, rows = self.entry, self.rows
        self.same("count", entry.count, len(rows))
        if not rows or self.ground.is_pure(rows):
            self.same("chosen", entry.chosen, None)
            self.same("verdicts", {c.verdict for c in entry.candidates}, {REJECTED})
            return self.wrong
        self.close("stats", entry.stats, self.stats(rows), self.weighty())
        self.close("impurity", [entry.impurity], [self.ground.impurity(rows)])
        found = {c.column: c for c in candidates(self.ground, rows)}
        with patch("tests.oracles.penalties.NOT_ABOVE", -math.inf):  # those, too, that their penalty has eaten up
            every = {c.column: c for c in candidates(self.ground, rows)}
        for told in entry.candidates:
            self.known(told)
            if told.column in every:
                self.offered(told, every[told.column])
            else:
                self.same(f"{told.name} has nothing", (told.after, told.gain, told.branches), (None, None, ()))
            if told.column not in found:
                self.same(f"{told.name} verdict", told.verdict, REJECTED)
            if self.ground.columns[told.column].kind != "category":
                self.cuts(told)
        self.choice(list(found.values()))
        return self.wrong

    def weighty(self) -> float:
        return self.scale * float(max(1, self.ground.training))

    def stats(self, rows: list[int]) -> list[object]:
        ground = self.ground
        if not ground.options.is_regression:
            return [u * ground.weight_unit for u in ground.class_units(rows)]
        centre = ground.median(rows) if ground.options.criterion == "absolute_error" else ground.mean(rows)
        return [ground.total(rows), centre * ground.target_unit, ground.impurity(rows) * ground.total(rows)]

    def known(self, told: Told) -> None:
        values = self.ground.columns[told.column].values
        known = [r for r in self.rows if values[r] is not None]
        gone = [r for r in self.rows if values[r] is None]
        ground = self.ground
        self.close(f"{told.name} known", [told.known, told.missing], [ground.total(known), ground.total(gone)])
        self.close(f"{told.name} rho", [told.rho], [ground.total(known) / ground.total(self.rows)])
        if told.after is None:
            self.close(f"{told.name} before", [told.before], [ground.impurity(known)])

    def offered(self, told: Told, found: Candidate) -> None:
        ground, name = self.ground, told.name
        branches = [b for b in found.branches if b]
        inside = [r for b in branches for r in b]
        share = [Fraction(ground.units(b), ground.units(inside)) for b in branches]
        self.close(f"{name} gain", [told.gain], [found.gain])
        self.close(f"{name} info", [told.split_info], [information(ground, found)])
        self.same(f"{name} threshold", told.threshold, self.written(found))
        self.close(f"{name} weights", [b.weight for b in told.branches], [ground.total(b) for b in branches])
        for b, (ours, theirs) in enumerate(zip(told.branches, branches, strict=False)):
            self.close(f"{name} branch {b}", ours.stats, self.stats(theirs), self.weighty())
            self.close(f"{name} branch {b} impurity", [ours.impurity], [ground.impurity(theirs)])
        after = sum(float(s) * float(ground.impurity(b)) for s, b in zip(share, branches, strict=True))
        raw = ground.gain(inside, branches)
        self.close(f"{name} before, after", [told.before, told.after], [ground.impurity(inside), after])
        self.close(f"{name} raw gain", [told.raw_gain], [raw])
        part = float(ground.units(inside)) / float(ground.units(self.rows)) if found.unplaced else 1.0
        penalty = part * float(raw) - float(found.gain)
        self.close(f"{name} charge", [told.penalty], [penalty])
        self.close(f"{name} sum", [part * told.raw_gain - told.penalty], [told.gain])
        self.same(f"{name} is named in bits", self.bits(told, branches), found.bits if told.penalty else 0.0)
        self.same(f"{name} cuts", told.n_cuts, found.n_cuts)
        if ground.options.is_regression:
            self.same(f"{name} gini, ratio", (told.gini_index, told.ratio), (None, None))
        else:
            self.close(f"{name} gini", [told.gini_index], [sum(map(self.gini_part, branches, share))])
            if told.split_info > 0:
                self.close(f"{name} ratio", [told.ratio], [float(found.gain) / information(ground, found)])

    def bits(self, told: Told, branches: list[list[int]]) -> float:
        """What it takes to name a grouping of as many values as are told."""
        n, options = told.n_values, self.ground.options
        if n == 0 or options.penalty != "description":
            return 0.0 if n == 0 else math.nan
        if options.grouping in ("subset", "binary"):
            return bits_of_two(n)
        return bits_of_groups(n, len(branches) - (options.missing == "branch" and told.missing > 0))

    def gini_part(self, branch: list[int], share: Fraction) -> Fraction:
        units, total = self.ground.class_units(branch), self.ground.units(branch)
        return share * (1 - sum(Fraction(u, total) ** 2 for u in units))

    def written(self, found: Candidate) -> float | None:
        return found.threshold if self.ground.columns[found.column].kind != "category" else None

    def choice(self, found: list[Candidate]) -> None:
        ground, options, told = self.ground, self.ground.options, self.entry.candidates
        passed = {c.column for c in ranked(ground, self.rows, found)} if found else set()
        rated = {c.column: c.gain for c in found if c.column in passed}
        tolerance = ground.tolerance(self.rows)
        if options.merit == "ratio":
            tolerance = RATIO_TIE
            infos = {c.column: information(ground, c) for c in found}
            rated = {f: float(gain) / infos[f] for f, gain in rated.items() if infos[f] > options.min_info}
        best = max(rated.values(), default=0)
        near = [f for f, merit in rated.items() if merit >= best - tolerance]
        verdicts = dict.fromkeys(rated, RANKED) | dict.fromkeys(near, TIED) | dict.fromkeys(near[:1], CHOSEN)
        verdicts |= {c.column: BELOW for c in found if c.column not in passed}
        self.same("verdicts", [c.verdict for c in told], [verdicts.get(c.column, REJECTED) for c in told])
        self.same("chosen", self.entry.chosen, near[0] if near else None)
        chosen = choose(ground, self.rows)
        self.same("chosen by the oracle", self.entry.chosen, None if chosen is None else chosen.candidate.column)
        merits = {c.column: c.merit for c in told if c.merit is not None}
        self.same("ranked", set(merits), set(rated))
        self.close("merits", [merits.get(f) for f in rated], list(rated.values()))
        others = [merit for f, merit in rated.items() if f not in near[:1]]
        if near and others:
            self.close("margin", [self.entry.margin], [max(best - max(others), 0)])
        else:
            self.same("margin", self.entry.margin, None)
        self.floor(found)

    def floor(self, found: list[Candidate]) -> None:
        """The average gain, the price of a name, or both, and what they come to."""
        ground, entry, counted = self.ground, self.entry, self.counted(found)
        part = average_part(float(ground.training / ground.one) / max(ground.n_classes, 1))
        part = 1.0 if ground.options.floor == "average" else part
        if ground.options.floor == "none" or not found:
            self.same("no floor", (entry.average, entry.naming, entry.floor), (None, None, None))
            return
        average = math.fsum(counted) / len(counted)
        price = SURE * math.log2(len(found)) / float(ground.heft(self.rows))
        self.close("floor", [entry.floor], [part * average + (1 - part) * price])
        if part > 0:
            self.close("average", [entry.average], [average])
        else:
            self.same("average", entry.average, None)
        if part < 1:
            self.same("columns", None if entry.naming is None else entry.naming.n_columns, len(found))
            numbers = [math.nan] * 3
            if entry.naming is not None:
                numbers = [entry.naming.rows, entry.naming.cost, entry.naming.average_part]
            self.close("naming", numbers, [ground.heft(self.rows), price, part])
        else:
            self.same("naming", entry.naming, None)

    def counted(self, found: list[Candidate]) -> list[float]:
        wide, columns = self.ground.options.wide, self.ground.columns
        limit = math.inf if wide is None else wide * float(self.ground.training / self.ground.one)
        narrow = [
            c for c in found if columns[c.column].kind != "category" or columns[c.column].n_categories < limit
        ]
        return [float(c.gain) for c in narrow or found]

    def cuts(self, told: Told) -> None:
        """All cuts, one after the other; those told are the best of them."""
        brute = self.brute(told.column)
        if told.after is None:
            self.same(f"{told.name} has no cut", brute, [])
            return
        if told.threshold == math.inf and self.ground.options.missing == "branch":
            self.same(f"{told.name} is asked for missing", (brute, told.cuts), ([], ()))
            return
        self.same(f"{told.name} number of cuts", told.n_cuts, len(brute))
        best = max((gain for _, gain, _ in brute), default=0.0)
        tolerance = float(self.ground.tolerance(self.rows))
        tied = [cut for cut in brute if cut[1] >= best - tolerance]
        self.same(f"{told.name} tied cuts", told.tied_cuts, len(tied) - 1)
        self.same(f"{told.name} first cut", told.cuts[0].threshold, tied[0][0])
        self.same(f"{told.name} cut", told.threshold, tied[0][0])
        gains = sorted((gain for _, gain, _ in brute), reverse=True)[:N_CUTS]
        part, apart = self.factor(told)
        left = [self.after_penalty(told, part * g + apart) for g in gains]
        self.close(f"{told.name} gains of cuts", [c.gain for c in told.cuts], left)
        for cut in told.cuts:
            sides = [s for t, _, s in brute if t == cut.threshold and self.same_sides(cut, s)]
            self.same(f"{told.name} at {cut.threshold}", len(sides) >= 1, True)
        if told.verdict == REJECTED and told.gain is not None and told.merit is None and told.penalty:
            self.close(f"{told.name} eaten gain", [told.gain], [part * best + apart - told.penalty])
            small = told.split_info <= self.ground.options.min_info
            self.same(f"{told.name} is eaten", told.gain <= NOT_ABOVE * self.scale or small, True)

    def after_penalty(self, told: Told, gain: float) -> float:
        """Classes: every cut pays what the best one does. Numbers: a part of the loss that is left."""
        ground, options = self.ground, self.ground.options
        if not options.is_regression or options.penalty == "none":
            return gain - told.penalty
        bits = math.log2(told.n_cuts)
        if options.penalty == "description":
            bits += bits_of_a_split(ground, self.rows)
        power = 2 if options.criterion == "squared_error" else 1
        worth = 2 ** min(power * bits / float(ground.heft(self.rows)), 1000) - 1
        return gain - (float(ground.impurity(self.rows)) - gain) * worth

    def same_sides(self, cut: object, sides: list[list[int]]) -> bool:
        found = [*self.stats(sides[0]), *self.stats(sides[1])]
        near = CLOSE * self.weighty()
        return all(abs(a - float(b)) <= near for a, b in zip((*cut.low, *cut.high), found, strict=True))

    def factor(self, told: Told) -> tuple[float, float]:
        """What a gain on the known rows is multiplied by, and what the missing rows' own branch adds."""
        ground, values = self.ground, self.ground.columns[told.column].values
        known = [r for r in self.rows if values[r] is not None]
        gone = [r for r in self.rows if values[r] is None]
        if not gone or ground.options.missing == "learned":
            return 1.0, 0.0
        apart = float(ground.gain(self.rows, [known, gone])) if ground.options.missing == "branch" else 0.0
        return told.rho, apart

    def brute(self, column: int) -> list[Brute]:
        """All admissible cuts in the order of the rules."""
        ground, values = self.ground, self.ground.columns[column].values
        known = [r for r in self.rows if values[r] is not None]
        gone = [r for r in self.rows if values[r] is None] if ground.options.missing == "learned" else []
        pairs = neighbours(ground, column, known)
        apart = [known, [r for r in self.rows if values[r] is None]]
        if ground.options.missing == "branch" and not ground.has_rates(apart):
            return []
        order = [(a, b, 1) for a, b in pairs]
        if gone and known:
            order += [(max(values[r] for r in known), math.inf, 1), *((a, b, 0) for a, b in pairs)]
        found = []
        for a, b, place in order:
            sides = [[r for r in known if values[r] <= a], [r for r in known if values[r] > a]]
            sides[place] = sides[place] + gone
            if ground.has_rates(sides) and all(ground.reaches(s, side_minimum(ground, known + gone)) for s in sides):
                written = math.inf if b == math.inf else threshold(ground, column, a, b)
                found.append((written, float(ground.gain(known + gone, sides)), sides))
        return found


def check_ledgers(seed: object, table: Table, options: Options) -> int:
    """Fail where a ledger of the engine's tree is not the oracle's; how many nodes were compared.

    A table that is decided by weights which have to be rounded is not compared: 0.
    """
    tree = engine_tree(table, options)
    found = entries(dataset(table), plan(options), tree, range(tree.n_nodes))
    return check_entries(seed, tree, list(found), table, options)


def check_entries(seed: object, tree: Tree, found: list[Entry], table: Table, options: Options) -> int:
    """The same for the entries of all nodes of a tree, wherever they come from."""
    root = oracle_tree(table, options)
    if root["doubts"]:
        return 0
    pairs, told = [(0, root)], {}
    for number, node in pairs:
        told[number] = node
        first = int(tree.first_child[number])
        pairs += [(first + b, child) for b, child in enumerate(node.get("children", []))]
    assert len(told) == tree.n_nodes
    wrong = []
    assert sorted(e.node for e in found) == list(range(tree.n_nodes))
    for entry in found:
        check = Check(entry, told[entry.node])
        wrong += [f"node {entry.node}: {line}" for line in check.run()]
        assert (entry.leaf is None) == ("children" in told[entry.node])
    if root["doubts"]:
        return 0
    if wrong:
        raise AssertionError("\n".join([f"seed {seed!r}", *wrong[:20], str(options), str(table)]))
    return tree.n_nodes


def table_of(rows: Dataset) -> Table:
    """A dataset of the package as the oracle reads it."""
    kinds = {kind: name for name, kind in KINDS.items()}
    columns = tuple(
        Column(kinds[c.kind], [None if math.isnan(v) else v for v in rows.values[:, f].tolist()], c.n_categories)
        for f, c in enumerate(rows.schema.columns)
    )
    weights = None if rows.weight is None else tuple(rows.weight.tolist())
    return Table(columns, tuple(rows.target.tolist()), rows.schema.target.n_classes, weights)


def options_of(given: Plan) -> Options:
    """A plan of the package in the oracle's words."""
    limits = given.limits
    names = [f.name for f in fields(Options) if hasattr(given, f.name)]
    return Options(
        **{name: getattr(given, name) for name in names},
        max_depth=limits.max_depth,
        min_split=limits.min_split,
        min_leaf=limits.min_leaf,
        min_gain=limits.min_gain,
        max_leaves=limits.max_leaves,
    )
