"""Counting on a part of the rows, which are codes: functions of numpy alone.

Engines ship these functions to their workers by value, so Treewright need not be installed there, and no version has to
match. All of them are pure: run again after a failure, they return the same.

A partition is a dict of arrays:

    codes   (n_columns, n) unsigned integers: the code of each cell; the last code of a column is a missing value
    target  (n,) class codes, or float64 numbers
    weight  (n,) int64 weights in units, or None if every row counts once

A level is a dict of arrays: where the rows of each slot go. A slot is a node that is being grown.

    column  slot -> the column that its node is split on
    start   slot -> the place of its first code in `goes`
    goes    code of a slot's column -> the slot that takes the row in the next level; ENDS, DIVIDES, or FOLLOWS: then a
            surrogate decides
    next    slot -> the first of its surrogates, which are tried one after the other
    next_column, next_start
            surrogate -> its column, and the place of its first code in `next_goes`
    next_goes  the same as `goes` for the code of a surrogate's column
    part_start, part_slot, part_weight
            slot -> the branches that a missing value is divided among, the heaviest first, and their fractions
    least   a smaller part of a row, in units, is not made
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

Part = dict[str, Any]
Entries = tuple[Any, Any, Any]
"""Row, slot and weight (None: one each) of what arrived."""
Found = dict[str, Any]

ENDS, DIVIDES, FOLLOWS = -1, -2, -3
"""Instead of a slot: no node that is being grown takes the row; the row goes down every branch; it follows the next
surrogate."""
SIGN = np.int64(-(1 << 63))
"""The bit of the sign of a float64."""
CHUNK = 1 << 18
"""Rows that are counted at a time, so that temporary arrays stay small."""
SLICE = 8_000
"""Rows that are computed with at a time, so that a temporary array stays in the cache and below 64 kB: workers of Dask
have malloc get larger ones from the system and return them each time, which takes longer than to compute them."""


def walk(partition: Part, levels: list[Part]) -> Entries:
    """Follow the rows down all levels; the row, the slot and the weight (None: one each) of what arrives."""
    n = partition["codes"].shape[1]
    everything: Entries = np.arange(n, dtype=np.int32), np.zeros(n, np.int32), partition["weight"]
    if not levels:
        return everything
    found = []
    for some in chunks(*everything, SLICE):
        arrived = some
        for level in levels:
            arrived = step(partition["codes"], level, *arrived)
        found.append(arrived)
    return join_entries(found) if found else everything


def step(codes: Any, level: Part, row: Any, slot: Any, weight: Any) -> Entries:
    """The same for one level: rows that no node takes are left out, divided ones occur more than once."""
    goes = look_up(codes, level, row, slot)
    follow_surrogates(codes, level, row, slot, goes)
    divided = np.flatnonzero(goes == DIVIDES)
    parts = [(row, goes, weight)]
    if len(divided):
        parts += [(row[divided[one]], *part) for one, part in divide(level, slot[divided], weight[divided])]
    found = []
    for rows, slots, weights in parts:
        kept = np.flatnonzero(slots >= 0)
        found.append((rows[kept], slots[kept], None if weights is None else weights[kept]))
    return found[0] if len(found) == 1 else join_entries(found)


def join_entries(found: list[Entries]) -> Entries:
    """Entries of several places together."""
    rows, slots, weights = zip(*found, strict=True)
    weight = None if weights[0] is None else np.concatenate(weights)
    return np.concatenate(rows), np.concatenate(slots), weight


def look_up(codes: Any, level: Part, row: Any, slot: Any) -> Any:
    """What `goes` has for the code of each row in the column of its slot."""
    cell = codes.reshape(-1)[level["column"][slot] * codes.shape[1] + row]
    return level["goes"][level["start"][slot] + cell]


def follow_surrogates(codes: Any, level: Part, row: Any, slot: Any, goes: Any) -> None:
    """Set where the rows go that follow a surrogate: the first one of their slot that knows their value."""
    follows = np.flatnonzero(goes == FOLLOWS)
    one = level["next"][slot[follows]]
    while len(follows):
        cell = codes.reshape(-1)[level["next_column"][one] * codes.shape[1] + row[follows]]
        goes[follows] = level["next_goes"][level["next_start"][one] + cell]
        waits = goes[follows] == FOLLOWS
        follows, one = follows[waits], one[waits] + 1


def divide(level: Part, slot: Any, weight: Any) -> Iterator[tuple[Any, tuple[Any, Any]]]:
    """The parts of rows that go down several branches: which of the rows, and the slots and weights of their parts.

    The heaviest branch takes what the others leave. A part that is too small is not made, nor any lighter one.
    """
    start, count = level["part_start"][slot], np.diff(level["part_start"])[slot]
    left, active = weight.copy(), np.arange(len(slot))
    for j in range(1, int(count.max(initial=1))):
        active = active[count[active] > j]
        part = weight[active] * level["part_weight"][start[active] + j]
        active, part = active[part >= level["least"]], part[part >= level["least"]]
        whole = np.rint(part).astype(np.int64)
        left[active] -= whole
        yield active, (level["part_slot"][start[active] + j], whole)
    yield np.arange(len(slot)), (level["part_slot"][start], left)


def count_slots(partition: Part, arrived: Entries, first: int, end: int, layout: Part) -> Any:
    """The counts of the slots `first` to `end` - 1, (kinds, slots, cells): of a number, the squares, if they are
    wanted, and the moments; the weight; and the rows, unless each counts once.

    layout  "offset" of each column among the cells and behind the last; the columns that are counted may be the first
            ones only; "n_classes" (1 for a number), and "moments": the units of a number, as `moments_of` takes them;
            "squares", if they are wanted: "centre" and "scale" of each of these slots, see `round_squares`.
            With "column", "start" and "goes", as of a level for these slots, the rows are counted by branch instead of
            class, without those that have none
    """
    offset, n_classes, n_slots, units = layout["offset"], layout["n_classes"], end - first, layout.get("moments")
    is_number, scales = units is not None, layout.get("squares")
    n_squares = 0 if scales is None else 1
    kinds = (1 if partition["weight"] is None else 2) + is_number + n_squares
    counts = np.zeros((kinds, n_slots, offset[-1]), np.int64)
    codes = partition["codes"]
    own_code, own_cell = np.empty(CHUNK, codes.dtype), np.empty(CHUNK, np.int64)  # of one column after the other
    for entries in chunks(*entries_at(arrived, first, end)):
        row, place, weight, label = label_entries(partition, layout, first, *entries)
        moments = None if units is None else moments_of(partition["target"][row], weight, units)
        squares = None
        if scales is not None:
            squares = round_squares(partition["target"][row], weight, place, scales)
        row = row.astype(np.intp)
        begin = dict[int, Any]()  # by the number of cells of a column, which many columns have in common
        for f in range(len(offset) - 1):
            size = offset[f + 1] - offset[f]
            if size not in begin:
                begin[size] = place * size + label
            code, cell = own_code[: len(row)], own_cell[: len(row)]
            np.take(codes[f], row, out=code, mode="clip")
            np.multiply(code, n_classes, out=cell, dtype=np.int64)
            cell += begin[size]
            own = counts[:, :, offset[f] : offset[f + 1]]
            own[-1] += np.bincount(cell, minlength=n_slots * size).reshape(n_slots, size)
            if weight is not None:
                own[-2] += sum_by(cell, weight, n_slots * size).reshape(n_slots, size)
            if is_number:
                own[n_squares] += sum_by(cell, moments, n_slots * size).reshape(n_slots, size)
            if squares is not None:  # whose sums are below 2^53
                own[0] += np.bincount(cell, squares, n_slots * size).astype(np.int64).reshape(n_slots, size)
    return counts


def tally_levels(partition: Part, arrived: Entries, levels: list[Part], n_slots: list[int], n_classes: int) -> Any:
    """Send rows that are at the root down the levels. The counts of each class in every slot of every level, 0 slots of
    a level that is not counted, (kinds, all slots, classes): the weight, and the rows, unless each counts once.
    """
    kinds, total = 1 if partition["weight"] is None else 2, sum(n_slots)
    counts = np.zeros((kinds, total * n_classes), np.int64)
    for first, n, row, slot, weight in at_all_levels(partition, arrived, levels, n_slots):
        own = counts[:, first * n_classes : (first + n) * n_classes]
        cell = slot.astype(np.int64) * n_classes + partition["target"][row]
        own[-1] += np.bincount(cell, minlength=n * n_classes)
        if weight is not None:
            own[0] += sum_by(cell, weight, n * n_classes)
    return counts.reshape(kinds, total, n_classes)


def at_all_levels(partition: Part, arrived: Entries, levels: list[Part], n_slots: list[int]) -> Iterator[Any]:
    """Send rows that are at the root down the levels; some entries at a time, with the first slot of their level among
    all, and the number of its slots.
    """
    for depth, n in enumerate(n_slots):
        if depth:
            arrived = step(partition["codes"], levels[depth - 1], *arrived)
        for entries in chunks(*arrived) if n else ():
            yield sum(n_slots[:depth]), n, *entries


def label_entries(partition: Part, layout: Part, first: int, row: Any, slot: Any, weight: Any) -> Any:
    """Rows, slots from 0 on, weights and classes of entries; or their branches, without those that have none."""
    place = slot.astype(np.int64) - first
    if "goes" not in layout:
        return row, place, weight, 0 if "moments" in layout else partition["target"][row]
    branch = look_up(partition["codes"], layout, row, place)
    return keep_entries(np.flatnonzero(branch >= 0), row, place, weight, branch)


def sum_by(cell: Any, weight: Any, n_cells: int) -> Any:
    """Sums of int64 numbers by cell, exact: the float64 sums of bincount are exact below 2^53 only."""
    low = np.bincount(cell, weight & 0x3FFFFFF, n_cells)
    middle = np.bincount(cell, (weight >> 26) & 0x3FFFFFF, n_cells)
    high = np.bincount(cell, weight >> 52, n_cells)
    return low.astype(np.int64) + (middle.astype(np.int64) << 26) + (high.astype(np.int64) << 52)


def entries_at(arrived: Entries, first: int, end: int) -> Entries:
    """What arrived at the slots `first` to `end` - 1."""
    row, slot, weight = arrived
    kept = np.flatnonzero((slot >= first) & (slot < end))
    return arrived if len(kept) == len(slot) else keep_entries(kept, row, slot, weight)


def keep_entries(kept: Any, *arrays: Any) -> Any:
    """Some elements of each array; None stays None."""
    return tuple(None if one is None else one[kept] for one in arrays)


def chunks(row: Any, slot: Any, weight: Any, size: int = CHUNK) -> Iterator[Entries]:
    """Some entries at a time."""
    for start in range(0, len(row), size):
        part = slice(start, start + size)
        yield row[part], slot[part], None if weight is None else weight[part]


def take_rows(partition: Part, arrived: Entries, first: int, end: int) -> Part:
    """The rows that arrived at the slots `first` to `end` - 1: codes, targets, weights and slots."""
    row, slot, weight = entries_at(arrived, first, end)
    return {
        "codes": partition["codes"][:, row],
        "target": partition["target"][row],
        "weight": weight,
        "slot": slot,
    }


def join_rows(parts: Iterable[Part]) -> Part:
    """The rows of several partitions together."""
    parts, joined = list(parts), dict[str, Any]()
    for name, axis in (("codes", 1), ("target", 0), ("weight", 0), ("slot", 0)):
        found = [one[name] for one in parts]
        joined[name] = None if found[0] is None else np.concatenate(found, axis=axis)
    return joined


def add_counts(results: Iterable[Any]) -> Any:
    """The counts of several partitions together."""
    total: Any = None
    for counts in results:
        total = counts if total is None else total + counts
    return total


# --- a number as the target ---


def moments_of(values: Any, weight: Any, units: Part) -> Any:
    """The moments of rows: weight times (value - centre) times 2^scale, rounded to integers.

    units  "centre", "scale", and "copies": whether they are rounded before they are multiplied by the weight
    """
    return in_units(values - units["centre"], weight, units["scale"], np.rint, units["copies"])


def in_units(values: Any, weight: Any, scale: int, rounded: Any, copies: bool) -> Any:
    """Weight (None: one each) times value times 2^scale, rounded; `copies`: rounded before the multiplication."""
    if weight is None:
        return rounded(np.ldexp(values, scale)).astype(np.int64)
    if copies:
        return rounded(np.ldexp(values, scale)).astype(np.int64) * weight
    return rounded(np.ldexp(weight * values, scale)).astype(np.int64)


def round_squares(values: Any, weight: Any, slot: Any, scales: Part) -> Any:
    """Weight times squared distance of rows from the centre of their slot times a power of two, rounded."""
    root = (values - scales["centre"][slot]) * scales["scale"][slot]
    return np.rint(root * root if weight is None else root * root * weight)


def rising_keys(values: Any) -> Any:
    """Float64 numbers as unsigned integers that rise with them; -0.0 counts as 0.0."""
    bits = (values + 0.0).view(np.int64)
    return (bits ^ ((bits >> 63) | SIGN)).view(np.uint64)


def numbers_of_keys(keys: Any) -> Any:
    """The numbers of `rising_keys`."""
    bits = keys.view(np.int64)
    return (bits ^ (~(bits >> 63) | SIGN)).view(np.float64)


def count_digits(partition: Part, arrived: Entries, prefix: int, shift: int) -> Any:
    """The weight of the rows of each digit, of 16 bits, of the keys of their targets, among keys that begin so."""
    row, _, weight = arrived
    keys = rising_keys(partition["target"][row]) >> np.uint64(shift)
    kept = np.flatnonzero(keys >> np.uint64(16) == prefix)
    digit = (keys[kept] & np.uint64(0xFFFF)).astype(np.int64)
    return np.bincount(digit, minlength=1 << 16) if weight is None else sum_by(digit, weight[kept], 1 << 16)


def sum_distances(partition: Part, arrived: Entries, units: Part) -> Any:
    """The sum of weight times distance from the centre, each rounded down, in the units of `moments_of`."""
    row, _, weight = arrived
    off = np.abs(partition["target"][row] - units["centre"])
    return np.array([in_units(off, weight, units["scale"], np.trunc, units["copies"]).sum()])


def total_slots(partition: Part, arrived: Entries, n_slots: int, units: Part) -> Found:
    """Of each slot, the sums of rows, weights and moments, and the lowest and the highest target."""
    sums = np.zeros((3, n_slots), np.int64)
    low, high = np.full(n_slots, np.inf), np.full(n_slots, -np.inf)
    for row, slot, weight in chunks(*arrived):
        values = partition["target"][row]
        rows = np.bincount(slot, minlength=n_slots)
        sums[0] += rows
        sums[1] += rows if weight is None else sum_by(slot, weight, n_slots)
        sums[2] += sum_by(slot, moments_of(values, weight, units), n_slots)
        np.minimum.at(low, slot, values)
        np.maximum.at(high, slot, values)
    return {"sums": sums, "low": low, "high": high}


def merge_totals(results: Iterable[Found]) -> Found:
    """The same of several partitions together."""
    parts = list(results)
    return {
        "sums": sum(one["sums"] for one in parts),
        "low": np.min([one["low"] for one in parts], axis=0),
        "high": np.max([one["high"] for one in parts], axis=0),
    }


def sum_losses(partition: Part, arrived: Entries, scales: Part, copies: bool) -> Any:
    """Of each slot, the sums by which `measure_by_sums` of the kernels finds its mean and loss: of distances from the
    lowest target, rounded down, of 2^30 times their rests, and of squared distances from the centre.

    scales  by slot: "low", "centre", and the powers of two "distance" and "loss" by which they are multiplied
    """
    n_slots = len(scales["low"])
    sums = np.zeros((3, n_slots), np.int64)
    for row, slot, weight in chunks(*arrived):
        values = partition["target"][row]
        off = (values - scales["low"][slot]) * scales["distance"][slot]
        root = (values - scales["centre"][slot]) * scales["loss"][slot]
        square, one = root * root, 1
        if weight is not None and copies:
            one = weight
        elif weight is not None:
            off, square = off * weight, square * weight
        whole = np.trunc(off)
        found = whole, np.trunc((off - whole) * 2.0**30), np.trunc(square)
        sums += np.array([sum_by(slot, part.astype(np.int64) * one, n_slots) for part in found])
    return sums


def sum_powers(partition: Part, arrived: Entries, levels: list[Part], n_slots: list[int], powers: Part) -> Any:
    """Send rows that are at the root down the levels. In every slot of every level, (sums, all slots): the weight; and
    for each power of the scaled target, the sum of weight times power times 2^exponent, rounded towards 0, and of 2^30
    times the rests.

    powers  "centre", "scale" and "exponents" of `TargetPowers`
    """
    sums = np.zeros((1 + 2 * len(powers["exponents"]), sum(n_slots)), np.int64)
    for first, n, row, slot, weight in at_all_levels(partition, arrived, levels, n_slots):
        own, power = sums[:, first : first + n], np.ones(len(row))
        scaled = np.ldexp(partition["target"][row] - powers["centre"], powers["scale"])
        own[0] += np.bincount(slot, minlength=n) if weight is None else sum_by(slot, weight, n)
        for k, exponent in enumerate(powers["exponents"]):
            power = power * scaled
            term = np.ldexp(power if weight is None else power * weight, exponent)
            whole = np.trunc(term)
            own[1 + 2 * k] += sum_by(slot, whole.astype(np.int64), n)
            own[2 + 2 * k] += sum_by(slot, np.trunc((term - whole) * 2.0**30).astype(np.int64), n)
    return sums
