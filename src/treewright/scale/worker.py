"""Counting on a part of the rows: functions of numpy alone.

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
FIRST_SHIFT = 48
"""Behind the first digit of a key."""
CHUNK = 1 << 18
"""Rows that are counted at a time, so that temporary arrays stay small."""


def walk(partition: Part, levels: list[Part]) -> Entries:
    """Follow the rows down all levels; the row, the slot and the weight (None: one each) of what arrives."""
    n = partition["codes"].shape[1]
    arrived: Entries = np.arange(n, dtype=np.int32), np.zeros(n, np.int32), partition["weight"]
    for level in levels:
        arrived = step(partition["codes"], level, *arrived)
    return arrived


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
    if len(found) == 1:
        return found[0]
    rows, slots, weights = zip(*found, strict=True)
    return np.concatenate(rows), np.concatenate(slots), np.concatenate(weights)


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
    for entries in chunks(*entries_at(arrived, first, end)):
        row, place, weight, label = label_entries(partition, layout, first, *entries)
        moments = None if units is None else moments_of(partition["target"][row], weight, units)
        squares = None
        if scales is not None:
            squares = round_squares(partition["target"][row], weight, place, scales)
        begin = dict[int, Any]()  # by the number of cells of a column, which many columns have in common
        for f in range(len(offset) - 1):
            size = offset[f + 1] - offset[f]
            if size not in begin:
                begin[size] = place * size + label
            cell = np.multiply(partition["codes"][f, row], n_classes, dtype=np.int64)
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


def chunks(row: Any, slot: Any, weight: Any) -> Iterator[Entries]:
    """Some entries at a time."""
    for start in range(0, len(row), CHUNK):
        part = slice(start, start + CHUNK)
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


# --- reading Arrow batches; pyarrow is imported where it is used ---


def read_batch(batch: Any, weight: str | None) -> tuple[Found, Any, str]:
    """The columns of a batch by name, and the weights (None: one each), without the rows of weight 0; and what is wrong
    with the weights.
    """
    columns = {name: batch.column(i) for i, name in enumerate(batch.schema.names)}
    if weight is None:
        return columns, None, ""
    import pyarrow as pa

    given = read_numbers(columns.pop(weight))
    problem = "have missing values; fill them, or leave these rows out." if np.isnan(given).any() else ""
    known = np.nan_to_num(given)
    if (known < 0).any():
        problem = f"have the negative value {known[known < 0][0]:g}; weights must be at least 0."
    elif np.isinf(given).any():
        problem = "have an infinite value; replace it by a number."
    kept = known > 0
    if not kept.all():
        columns = {name: column.filter(pa.array(kept)) for name, column in columns.items()}
    return columns, known[kept], problem


def read_numbers(column: Any) -> Any:
    """An Arrow column as float64; a missing value is NaN."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) + 0.0


def read_categories(column: Any) -> tuple[list[Any], Any]:
    """An Arrow column as the values that occur in it and, for each row, the place of its value; -1 is missing."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    values = column.dictionary.to_pylist()
    places = column.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    odd = [i for i, value in enumerate(values) if value is None or value != value]
    return values, np.where(np.isin(places, odd), -1, places) if odd else places


def has_large_integers(column: Any) -> bool:
    """Whether an Arrow column has integers that float64 does not represent."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_integer(column.type) or column.type.bit_width < 64:
        return False
    found = pc.min_max(column).as_py()
    return any(value is not None and abs(value) > 2**53 for value in found.values())


# --- the survey ---


def survey_batches(
    batches: Iterable[Any], forms: dict[str, bool], target: str, weight: str | None, is_number: bool, most: int
) -> Found | None:
    """What the batches of a partition hold; `forms` says of each column whether it is a number, `is_number` the same
    of the target.
    """
    found: Found | None = None
    for batch in batches:
        one = survey_batch(batch, forms, target, weight, is_number, most)
        found = one if found is None else merge_surveys([found, one], most)
    return found


def survey_batch(
    batch: Any, forms: dict[str, bool], target: str, weight: str | None, is_number: bool, most: int
) -> Found:
    """The same of one batch; the rows of a number are those of one class, None."""
    columns, weights, problem = read_batch(batch, weight)
    ones = np.ones(len(columns[target])) if weights is None else weights
    if is_number:
        number = survey_numbers(columns[target], 0)
        n_no_target = number["n_missing"]
        classes = {None: np.unique(ones, return_counts=True)}
    else:
        labels, places = read_categories(columns[target])
        number, n_no_target = None, int((places < 0).sum())
        met = np.unique(places[places >= 0]).tolist()
        classes = {labels[i]: np.unique(ones[places == i], return_counts=True) for i in met}
    found = {}
    for name, form in forms.items():
        found[name] = survey_numbers(columns[name], most) if form else survey_categories(columns[name])
    return {
        "columns": found,
        "classes": classes,
        "number": number,
        "n_rows": len(ones),
        "n_no_target": n_no_target,
        "weight_problem": problem,
    }


def survey_categories(column: Any) -> Found:
    """The categories that occur in a column."""
    values, places = read_categories(column)
    met = np.bincount(places[places >= 0], minlength=len(values)) > 0
    return {"categories": {values[i]: None for i in np.flatnonzero(met)}, "n_missing": int((places < 0).sum())}


def survey_numbers(column: Any, most: int) -> Found:
    """The distinct numbers of a column, or their range if there are more than `most`."""
    if has_large_integers(column):
        problem = "has integers beyond 2^53, which float64 cannot represent; scale them, or convert the column to text."
        return {"n_missing": 0, "distinct": np.zeros(0), "problem": problem}
    values = read_numbers(column)
    known = values[~np.isnan(values)]
    found = {"n_missing": len(values) - len(known), "distinct": distinct_numbers(known, most)}
    if most:
        found["digits"] = count_first_digits(known)
    if np.isinf(known).any():
        found["problem"] = "has an infinite value; replace it by a number or a missing value."
    if len(known):
        found["low"], found["high"] = rising_keys(np.array([known.min(), known.max()])).tolist()
    return found


def count_first_digits(known: Any) -> Any:
    """The first digits of the keys of numbers that occur, 16 bits each, and their counts."""
    counts = np.bincount((rising_keys(known) >> np.uint64(FIRST_SHIFT)).view(np.int64))
    met = np.flatnonzero(counts)
    return met, counts[met]


def distinct_numbers(known: Any, most: int) -> Any:
    """The distinct numbers of a column; None if there are more than `most`."""
    if len(np.unique(known[:4096])) > most:
        return None
    import pyarrow as pa

    found = np.sort(pa.array(known).unique().to_numpy(zero_copy_only=False))
    return None if len(found) > most else found


def merge_surveys(surveys: Iterable[Found | None], most: int) -> Found | None:
    """What several partitions hold together."""
    total: Found | None = None
    for one in surveys:
        if one is None:
            continue
        if total is None:  # a copy: a result may be merged again after a failure
            total = one | {"columns": dict(one["columns"]), "classes": dict(one["classes"])}
            continue
        for name, column in one["columns"].items():
            total["columns"][name] = merge_columns(total["columns"][name], column, most)
        for label, weights in one["classes"].items():
            total["classes"][label] = add_key_counts(total["classes"].get(label), weights)
        if one["number"] is not None:
            total["number"] = merge_columns(total["number"], one["number"], 0)
        for name in ("n_rows", "n_no_target"):
            total[name] += one[name]
        total["weight_problem"] = total["weight_problem"] or one["weight_problem"]
    return total


def merge_columns(one: Found, other: Found, most: int) -> Found:
    """The same of one column."""
    found = {"n_missing": one["n_missing"] + other["n_missing"]}
    if "categories" in one:
        return found | {"categories": one["categories"] | other["categories"]}
    found["distinct"] = None
    if one["distinct"] is not None and other["distinct"] is not None:
        both = np.union1d(one["distinct"], other["distinct"])
        found["distinct"] = None if len(both) > most else both
    for name, choose in (("low", min), ("high", max)):
        known = [part[name] for part in (one, other) if name in part]
        if known:
            found[name] = choose(known)
    if "digits" in one:
        found["digits"] = add_key_counts(one["digits"], other["digits"])
    problem = one.get("problem") or other.get("problem")
    return found | ({"problem": problem} if problem else {})


# --- quantiles ---


def rising_keys(values: Any) -> Any:
    """Float64 numbers as unsigned integers that rise with them; -0.0 counts as 0.0."""
    bits = (values + 0.0).view(np.int64)
    return (bits ^ ((bits >> 63) | SIGN)).view(np.uint64)


def numbers_of_keys(keys: Any) -> Any:
    """The numbers of `rising_keys`."""
    bits = keys.view(np.int64)
    return (bits ^ (~(bits >> 63) | SIGN)).view(np.float64)


def follow_keys(keys: Any, low: int, steps: list[tuple[int, int, Any]]) -> tuple[Any, Any]:
    """The bucket of each key, and the keys, of those that are in a bucket that is looked into.

    low    the lowest key
    steps  (shift, bits, next): the digit of so many bits at `shift`, within the bucket of the step before, is the place
           in `next` of a bucket's number; -1 for a bucket that is not looked into. Without `next` it is the number.
    """
    keys = keys - np.uint64(low)
    bucket = None
    for shift, bits, numbers in steps:
        digit = (keys >> np.uint64(shift)).view(np.int64)
        bucket = digit if bucket is None else (bucket << bits) | (digit & ((1 << bits) - 1))
        if numbers is not None:
            bucket = numbers[bucket]
            kept = bucket >= 0
            keys, bucket = keys[kept], bucket[kept]
    return bucket, keys + np.uint64(low)


def count_keys(batches: Iterable[Any], wanted: dict[str, Part], weight: str | None) -> Found:
    """For each column the counts of its buckets; or its keys in them with their counts, if they are to be fetched.

    wanted  column -> low, steps, n_buckets and is_fetched
    """
    found: Found = dict.fromkeys(wanted)
    for batch in batches:
        columns, _, _ = read_batch(batch, weight)
        for name, one in wanted.items():
            values = read_numbers(columns[name])
            bucket, keys = follow_keys(rising_keys(values[~np.isnan(values)]), one["low"], one["steps"])
            if one["is_fetched"]:
                part: Any = np.unique(keys, return_counts=True)
            else:
                part = np.bincount(bucket, minlength=one["n_buckets"])
            found[name] = add_key_counts(found[name], part)
    return found


def add_key_counts(one: Any, other: Any) -> Any:
    """The counts of two parts of a column together."""
    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, np.ndarray):
        return one + other
    keys, place = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
    counts = np.zeros(len(keys), np.int64)
    np.add.at(counts, place, np.concatenate([one[1], other[1]]))
    return keys, counts


def merge_key_counts(results: Iterable[Found]) -> Found:
    """The results of several partitions together."""
    total: Found = {}
    for one in results:
        for name, part in one.items():
            total[name] = add_key_counts(total.get(name), part)
    return total


# --- codes ---


def encode_batches(
    batches: Iterable[Any],
    columns: Part,
    target: str,
    classes: dict[Any, int] | None,
    weight: str | None,
    units: tuple[Any, int] | None,
) -> Iterator[Part]:
    """Partitions of codes, one for each batch.

    columns  name -> the highest value of each code of a number; or the code of each category
    classes  the code of each class; None for a number
    units    the factors of classes and the scale of `units_of`; None if every row counts once
    """
    sizes = [len(form) for form in columns.values()]
    forms = {name: NumberCodes(form) if isinstance(form, np.ndarray) else form for name, form in columns.items()}
    dtype = np.uint8 if max(sizes, default=0) < 256 else np.uint16 if max(sizes) < 65536 else np.int32
    for batch in batches:
        read, weights, _ = read_batch(batch, weight)
        codes = np.empty((len(columns), len(read[target])), dtype)
        for f, (name, form) in enumerate(forms.items()):
            if isinstance(form, NumberCodes):
                codes[f] = form.of(read_numbers(read[name]))
            else:
                codes[f] = encode_words(read[name], form)
        if classes is None:
            label, values = np.zeros(codes.shape[1], np.int32), read_numbers(read[target])
        else:
            labels, places = read_categories(read[target])
            label = values = np.array([classes[label] for label in labels], np.int64)[places].astype(np.int32)
        yield {
            "codes": codes,
            "target": values,
            "weight": None if units is None else units_of(1.0 if weights is None else weights, label, *units),
        }


def units_of(weight: Any, label: Any, factors: Any, scale: int) -> Any:
    """The weights of rows in units: times the factors of their classes, times 2^scale, rounded, at least 1."""
    for own in factors:
        weight = weight * np.array(own)[label]
    return np.maximum(np.rint(np.ldexp(weight, scale)), 1.0).astype(np.int64) + np.zeros_like(label, np.int64)


class NumberCodes:
    """The codes of the numbers of a column: the first whose highest value is not below the number.

    A number is looked up by the leading bits of its key, and compared with the one highest value with the same bits;
    among several, it is searched for.
    """

    def __init__(self, top: Any) -> None:
        self.n_codes = len(top)
        self.keys = rising_keys(top)
        self.low = int(self.keys[0]) if len(top) else 0
        span = int(self.keys[-1]) - self.low if len(top) else 0
        self.shift = max(0, span.bit_length() - 18)
        bucket = ((self.keys - np.uint64(self.low)) >> np.uint64(self.shift)).view(np.int64)
        n_tops = np.bincount(bucket, minlength=(span >> self.shift) + 1)
        self.first = (np.cumsum(n_tops) - n_tops).astype(np.int32)
        self.has_several = n_tops > 1
        self.next = np.append(self.keys, np.uint64(2**64 - 1))

    def of(self, values: Any) -> Any:
        """The code of each number; that behind the last for a missing one."""
        lost = np.isnan(values)
        if not self.n_codes:
            return np.zeros(len(values), np.int32)
        keys = rising_keys(values)
        keys[lost] = self.low
        keys = np.maximum(keys, np.uint64(self.low))
        bucket = np.minimum((keys - np.uint64(self.low)) >> np.uint64(self.shift), len(self.first) - 1).view(np.int64)
        codes = self.first[bucket]
        codes += keys > self.next[codes]
        unclear = np.flatnonzero(self.has_several[bucket])
        codes[unclear] = np.searchsorted(self.keys, keys[unclear])
        codes[lost] = self.n_codes
        return codes


def encode_words(column: Any, code_of: dict[Any, int]) -> Any:
    """The code of each category."""
    values, places = read_categories(column)
    table = np.array([code_of.get(value, len(code_of)) for value in values] + [len(code_of)], np.int64)
    return table[places]
