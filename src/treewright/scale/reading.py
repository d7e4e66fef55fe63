"""Reading on a part of the rows: Arrow batches, what they hold, and their codes.

In: record batches of Arrow. Out: facts for the survey, which are merged, and partitions of codes as `worker` counts
them. Engines ship these functions to their workers by value, together with those of `worker`; pyarrow is imported where
it is used.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from treewright.scale.worker import SLICE, Found, Part, rising_keys

FIRST_SHIFT = 48
"""Behind the first digit of a key."""


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


def slices(values: Any) -> Iterator[Any]:
    """Some values at a time."""
    for start in range(0, len(values), SLICE):
        yield values[start : start + SLICE]


def join_slices(parts: list[Any], dtype: Any) -> Any:
    """The values of all slices."""
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def count_first_digits(known: Any) -> Any:
    """The first digits of the keys of numbers that occur, 16 bits each, and their counts."""
    digits = [(rising_keys(some) >> np.uint64(FIRST_SHIFT)).view(np.int64) for some in slices(known)]
    counts = np.bincount(join_slices(digits, np.int64))
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
            buckets, keys = [], []
            for values in slices(read_numbers(columns[name])):
                bucket, key = follow_keys(rising_keys(values[~np.isnan(values)]), one["low"], one["steps"])
                buckets.append(bucket)
                keys.append(key)
            if one["is_fetched"]:
                part: Any = np.unique(join_slices(keys, np.uint64), return_counts=True)
            else:
                part = np.bincount(join_slices(buckets, np.int64), minlength=one["n_buckets"])
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
        return join_slices([self._of_some(some) for some in slices(values)], np.int32)

    def _of_some(self, values: Any) -> Any:
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
