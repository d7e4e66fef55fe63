"""Lazy frames of DuckDB, polars and Ibis: two statements for each level of the tree, three with surrogates.

In: a relation, a LazyFrame or a table of Ibis. Out: an engine. The rows stay where they are: their codes are kept in a
table of the backend, with the slot of each row. For each level this table is joined with two small ones, of the columns
that the slots are split on and of the slots that the codes go to, and made again; then one statement counts all
columns, and with surrogates another one by branch. Only counts and sums of integers are used, which are exact in every
backend.
"""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from treewright.scale import row_parts
from treewright.scale.engine import (
    CellLayout,
    Cells,
    CodingRequest,
    Level,
    NumberUnits,
    RowCounts,
    RowPart,
    RowUnits,
    SlotScales,
    SlotTotals,
    SurveyFacts,
    SurveyRequest,
    TargetPowers,
)
from treewright.scale.query_frames import (
    CellForm,
    Frames,
    join,
    kind_of,
    place,
    read_forms,
    round_down,
    round_to_even,
    round_to_zero,
)
from treewright.scale.query_places import FEW_EDGES, place_cells
from treewright.scale.query_survey import FrameSurvey
from treewright.scale.worker import DIVIDES, FOLLOWS

JOINS = 24
"""Joins with tables of codes in one statement: DuckDB plans it again for each, and a longer one takes long."""
MANY_CODES = 2**13
"""A small table of more codes is kept in DuckDB, whose statement has its text once for each column that is counted."""
Codes = NDArray[np.float64] | dict[object, int]
Longs = NDArray[np.int64]
Result = TypeVar("Result")
NOWHERE = -1
"""A fraction in a small table that is none."""


class QueryEngine:
    """Counts the rows of a lazy frame by statements.

    name    the backend: "duckdb", "polars" or "ibis"
    effort  the statements so far
    """

    def __init__(self, source: Any) -> None:
        self.frames = Frames(source)
        self.name, self.effort = self.frames.backend, self.frames.effort
        self._codes: list[str] = []
        self._has_weight = False
        self._is_number = False
        self._units: NumberUnits | None = None
        self._layout = CellLayout(np.zeros(1, np.int64), 1)
        self._root: Any = None
        self._whole: Any = None
        self._arrived: Any = None
        self._levels: list[Level] = []

    def kinds(self) -> dict[str, str]:
        """The columns of the source with their kinds."""
        return {name: kind_of(dtype) for name, dtype in self.frames.source.collect_schema().items()}

    def survey(self, request: SurveyRequest) -> SurveyFacts:
        """Find out what the columns hold."""
        return FrameSurvey(self.frames, request).run()

    def close(self) -> None:
        """Remove the tables of this engine."""
        self.frames.close()
        self._root = self._arrived = self._whole = None

    # --- codes ---

    def encode(self, request: CodingRequest, layout: CellLayout) -> None:
        """Keep a table of codes: columns x0, x1, ..., the class or number t, the weight w and the slot s."""
        frames, self._layout = self.frames, layout
        self._codes = [f"x{i}" for i in range(len(request.columns))]
        self._has_weight, self._is_number, self._units = request.units is not None, request.classes is None, None
        n_classes = layout.n_classes
        forms = read_forms(frames, {name: isinstance(one, dict) for name, one in request.columns.items()})
        target = read_forms(frames, {request.target: not self._is_number})[request.target]
        rows, cells, large = frames.source, {}, {}
        for name, form, codes in zip(self._codes, forms.values(), request.columns.values(), strict=True):
            if len(codes) <= FEW_EDGES or (frames.backend == "polars" and not isinstance(codes, dict)):
                cells[name] = encode_cell(form, codes).cast(frames.narrow(len(codes) + 1))
            else:
                cells[name], large[name] = form.cell(), (form, codes)
        cells["t"] = target.cell()
        if request.classes is not None:
            large["t"] = target, request.classes
        if request.weight is not None:
            weight = read_forms(frames, {request.weight: False})[request.weight]
            rows = rows.filter(weight.cell() > 0)
            cells["w"] = weight.cell()
        rows = self._join_codes(rows.select(**cells, s=nw.lit(0).cast(nw.Int32)), large)
        kept = {name: nw.col(name) for name in (*self._codes, "t", "s")}
        if request.units is not None:
            kept["w"] = units_of_rows(request.units, n_classes, has_weight=request.weight is not None)
        known = ~nw.col("t").is_null() if self._is_number else nw.col("t") < n_classes
        self._keep_root(frames.materialise(rows.filter(known).select(**kept), "encode"))

    def _keep_root(self, rows: Any, dropped: Sequence[str] = ("_arrived", "_root")) -> None:
        """Start from these rows from now on, without some tables of before."""
        for name in dropped:
            self.frames.drop(getattr(self, name))
        self._root, self._arrived, self._levels = rows, rows, []

    def _join_codes(self, rows: Any, large: dict[str, tuple[CellForm, Codes]]) -> Any:
        """The rows with codes instead of the cells of columns with many codes, by joins with tables of these."""
        before, items = None, list(large.items())
        for start in range(0, len(items), JOINS):
            if start:
                rows = self.frames.materialise(rows, "encode")
                if before is not None:
                    self.frames.drop(before)
                before = rows
            rows = self._join_some(rows, dict(items[start : start + JOINS]))
        return rows

    def _join_some(self, rows: Any, large: dict[str, tuple[CellForm, Codes]]) -> Any:
        """The same for some columns at once."""
        names = rows.collect_schema().names()
        numbers = {name: codes for name, (_, codes) in large.items() if not isinstance(codes, dict)}
        if numbers:
            rows = place_cells(self.frames, rows, numbers, "_code")
        for name, (form, codes) in large.items():
            if isinstance(codes, dict):
                table = {name: [form.key(value) for value in codes], f"{name}_code": list(codes.values())}
                rows = rows.join(self.frames.table(table), on=name, how="left")
        found = {}
        for name in names:
            found[name] = nw.col(name)
            if name in large:
                code, n_codes = nw.col(f"{name}_code"), len(large[name][1])
                known = nw.when(~code.is_null()).then(code).otherwise(nw.lit(n_codes))
                found[name] = known.cast(self.frames.narrow(n_codes + 1))
        return rows.select(**found)

    # --- counting ---

    def count(
        self, levels: list[Level], first: int, end: int, cells: Cells | None = None
    ) -> NDArray[np.int64]:
        """The counts of some slots, in one statement; one more for a small table if many codes have branches, and for
        the squares of a number if they are wanted.
        """
        rows, cells = self._of_slots(levels, first, end), cells or self._layout.as_dict()
        is_number = self._is_number and "goes" not in cells
        label = None if is_number else "t"
        branches = None
        if "goes" in cells:
            known, label = np.flatnonzero(cells["goes"] >= 0), "b"
            branches = self.frames.table({"k": known, "b": cells["goes"][known]})
            if self.name == "duckdb" and len(known) > MANY_CODES:
                branches = self.frames.materialise(branches, "branches")
            rows = join(self._with_codes(rows, cells, first), branches, "k", "inner")
        offset, n_classes = cells["offset"], cells["n_classes"]
        n_slots, n_cells = end - first, int(offset[-1])
        dtype = nw.Int32 if n_slots * n_cells < 2**31 else nw.Int64
        slot = (nw.col("s").cast(dtype) - first) * n_cells
        squares = None
        if "squares" in cells:
            rows = squares = self.frames.materialise(self._with_squares(rows, cells["squares"], first), "squares")
        kinds = ("q", squares is not None), ("m", is_number), ("w", self._has_weight)
        added = [name for name, is_kept in kinds if is_kept]
        sums = {name: nw.col(name).sum() for name in added} | {"n": nw.len()}
        parts = []
        for f, name in enumerate(self._codes[: len(offset) - 1]):
            cell = nw.col(name).cast(dtype)
            if label is not None:
                cell = cell * n_classes + nw.col(label).cast(dtype)
            own = rows.select(*map(nw.col, added), k=slot + int(offset[f]) + cell).group_by("k").agg(**sums)
            parts.append(own.select("k", *[nw.col(name).cast(nw.Int64) for name in sums]))
        counts = np.zeros((len(sums), n_slots * n_cells), np.int64)
        found = self.frames.fetch_union(parts, "count")
        for table in (branches, squares):
            self.frames.drop(table)
        for own_counts, name in zip(counts, sums, strict=True):
            own_counts[found["k"]] = found[name]
        return counts.reshape(len(sums), n_slots, n_cells)

    def tally(self, levels: list[Level], n_slots: list[int]) -> NDArray[np.int64]:
        """The counts of each class in all slots of the levels: a statement for each counted level besides routing."""
        n_classes = self._layout.n_classes
        sums = ({"w": nw.col("w").sum()} if self._has_weight else {}) | {"n": nw.len()}
        whole = [nw.col(name).cast(nw.Int64) for name in sums]
        found = []
        for depth, n in enumerate(n_slots):
            rows = self._follow(levels[:depth])
            if not n:
                continue
            one = self.frames.fetch(rows.group_by("s", "t").agg(**sums).select("s", "t", *whole), "tally")
            counts = np.zeros((len(sums), n, n_classes), np.int64)
            for own, name in zip(counts, sums, strict=True):
                own[one["s"], one["t"]] = one[name]
            found.append(counts)
        return np.concatenate(found, axis=1)

    def sum_powers(self, levels: list[Level], n_slots: list[int], powers: TargetPowers) -> NDArray[np.int64]:
        """The sums of powers of the target in all slots of all levels: a statement for each level besides the routing.
        """
        scaled = times_power_of_two(nw.col("t") - powers.centre, powers.scale)
        weight = nw.col("w") if self._has_weight else nw.lit(1).cast(nw.Int64)
        product, terms = nw.col("x"), dict[str, Any]()
        for k, exponent in enumerate(powers.exponents):
            product = product * nw.col("x") if k else product
            term = product * nw.col("w").cast(nw.Float64) if self._has_weight else product
            terms[f"p{k}"] = times_power_of_two(term, exponent)
        names = list(terms)
        whole = {f"{name}w": round_to_zero(nw.col(name)) for name in names}
        rest = {f"{name}r": (nw.col(name) - nw.col(f"{name}w").cast(nw.Float64)) * 2.0**30 for name in names}
        found = []
        for depth, n in enumerate(n_slots):
            rows = self._follow(levels[:depth]).select("s", w=weight, x=scaled)
            rows = rows.with_columns(**terms).with_columns(**whole).with_columns(**rest)
            rows = rows.with_columns(**{name: round_to_zero(nw.col(name)) for name in rest})
            order = ["w", *(f"{name}{kind}" for name in names for kind in "wr")]
            sums = self._by_slot(rows, {name: nw.col(name).sum() for name in order}, "tally")
            own = np.zeros((len(order), n), np.int64)
            for line, name in zip(own, order, strict=True):
                line[sums["s"]] = sums[name]
            found.append(own)
        return np.concatenate(found, axis=1)

    def _with_squares(self, rows: Any, scales: dict[str, NDArray[np.float64]], first: int) -> Any:
        """The rows with their squares q, as `worker.round_squares` computes them; the slots begin with `first`."""
        slots: dict[str, NDArray[Any]] = {"s": np.arange(len(scales["centre"])) + first}
        table = self.frames.table(slots | scales)
        root = (nw.col("t") - nw.col("centre")) * nw.col("scale")
        square = root * root * nw.col("w").cast(nw.Float64) if self._has_weight else root * root
        names = rows.collect_schema().names()
        return join(rows, table, "s", "inner").select(*names, q=round_to_even(square))

    # --- parts of the rows ---

    def on_parts(
        self, parts: Sequence[RowPart], task: Callable[[RowCounts, int], Result], n_at_once: int = 1
    ) -> list[Result]:
        """The results of a task on parts of the rows, one after the other: the rows of one are a table of their own."""
        found = []
        self._arrive_at(self._root, [])
        for i, part in enumerate(parts):
            view = copy(self)
            view._whole = None
            view._has_weight = self._has_weight or part.shift > 0
            view._keep_root(self.frames.materialise(self._rows_of(part), "part"), dropped=())
            try:
                found.append(task(view, i))
            finally:
                view._keep_root(None)
        return found

    def restrict(self, part: RowPart) -> None:
        """The rows that are counted from now on are a table of their own."""
        self._arrive_at(self._root, [])
        self._whole = self._root
        self._keep_root(self.frames.materialise(self._rows_of(part), "part"), dropped=())

    def _rows_of(self, part: RowPart) -> Any:
        """The rows of a part, by the hash of `row_parts.hash_rows`."""
        rows = self._root if self._whole is None else self._whole
        names = rows.collect_schema().names()
        *factors, last = row_parts.factors_of(len(self._codes))
        prime, target = row_parts.PRIME, nw.col("t").cast(nw.Int64)
        if self._units is not None:
            target = round_to_even(times_power_of_two(nw.col("t") - self._units.centre, self._units.scale))
        terms = [(target % prime + prime) % prime * last % prime]
        sizes = np.diff(self._layout.offset) // self._layout.n_classes
        for name, factor, size in zip(self._codes, factors, sizes.tolist(), strict=True):
            term = nw.col(name).cast(nw.Int64) * factor
            terms.append(term if size <= row_parts.SMALL else term % prime)
        rows = rows.with_columns(h=add_up(terms) % prime)
        for added in row_parts.ADDED:
            rows = rows.with_columns(h=(nw.col("h") + added) % prime)
            rows = rows.with_columns(g=nw.col("h") * nw.col("h") % prime)
            rows = rows.with_columns(h=nw.col("g") * nw.col("g") % prime * nw.col("h") % prime)
        for modulus, low, high, inside in part.conditions:
            digit = nw.col("h") % modulus
            is_in = (digit >= low) & (digit < high)
            rows = rows.filter(is_in if inside else ~is_in)
        if part.shift:
            weight = nw.col("w") if self._has_weight else nw.lit(1).cast(nw.Int64)
            return rows.with_columns(w=weight * (1 << part.shift)).select(*dict.fromkeys([*names, "w"]))
        return rows.select(*names)

    def take(self, levels: list[Level], first: int, end: int) -> dict[str, Any]:
        """The rows of some slots."""
        found = self.frames.fetch(self._of_slots(levels, first, end), "take")
        return {
            "codes": np.array([found[name] for name in self._codes]),
            "target": found["t"],
            "weight": found.get("w"),
            "slot": found["s"],
        }

    # --- a number as the target ---

    def find_median(self, half: int) -> float:
        """The lowest target up to which the rows have at least this weight."""
        weight = nw.col("w").sum() if self._has_weight else nw.len()
        counts = self._root.group_by("t").agg(w=weight).select("t", w=nw.col("w").cast(nw.Int64))
        reached = counts.select("t", end=nw.col("w").cum_sum().over(order_by="t"))
        found = self.frames.fetch(reached.filter(nw.col("end") >= half).select(nw.col("t").min()), "median")
        return float(found["t"][0])

    def sum_distances(self, units: NumberUnits) -> int:
        """The sum of distances from the centre."""
        whole = self._in_units((nw.col("t") - units.centre).abs(), units, round_down)
        return int(self.frames.fetch(self._root.select(d=whole).select(nw.col("d").sum()), "distances")["d"][0])

    def keep_moments(self, units: NumberUnits) -> None:
        """Keep the moment m of each row, too."""
        self._units = units
        self._keep_root(self.frames.materialise(self._root.with_columns(m=self._moment()), "encode"))

    def total(self, levels: list[Level], n_slots: int) -> SlotTotals:
        """What is in each slot."""
        sums = {"n": nw.len(), "m": nw.col("m").sum(), "low": nw.col("t").min(), "high": nw.col("t").max()}
        if self._has_weight:
            sums["w"] = nw.col("w").sum()
        found = self._by_slot(self._of_slots(levels, 0, n_slots), sums, "totals")
        rows, weight, moment = whole = np.zeros((3, n_slots), np.int64)
        low, high = np.full(n_slots, np.inf), np.full(n_slots, -np.inf)
        for own, name in zip(whole, ("n", "w" if self._has_weight else "n", "m"), strict=True):
            own[found["s"]] = found[name]
        low[found["s"]], high[found["s"]] = found["low"], found["high"]
        return SlotTotals(rows, weight, moment, low, high)

    def sum_losses(self, levels: list[Level], scales: SlotScales) -> NDArray[np.int64]:
        """The sums of distances, of their rests and of squares of each slot."""
        assert self._units is not None
        n_slots, copies = len(scales.low), self._units.copies
        met = np.flatnonzero(scales.loss)
        table = {"s": met} | {name: own[met] for name, own in scales._asdict().items()}
        rows = join(self._of_slots(levels, 0, n_slots), self.frames.table(table), "s", "inner")
        root = (nw.col("t") - nw.col("centre")) * nw.col("loss")
        off, square, one = (nw.col("t") - nw.col("low")) * nw.col("distance"), root * root, nw.lit(1)
        if self._has_weight and copies:
            one = nw.col("w")
        elif self._has_weight:
            weight = nw.col("w").cast(nw.Float64)
            off, square = off * weight, square * weight
        rows = rows.select("s", one=one, off=off, square=square).with_columns(whole=round_down(nw.col("off")))
        rest = (nw.col("off") - nw.col("whole").cast(nw.Float64)) * 2.0**30
        parts = {"d": nw.col("whole"), "r": round_down(rest), "q": round_down(nw.col("square"))}
        rows = rows.select("s", **{name: part * nw.col("one") for name, part in parts.items()})
        found = self._by_slot(rows, {name: nw.col(name).sum() for name in parts}, "losses")
        sums = np.zeros((3, n_slots), np.int64)
        for own, name in zip(sums, parts, strict=True):
            own[found["s"]] = found[name]
        return sums

    def _by_slot(self, rows: Any, sums: dict[str, Any], kind: str) -> dict[str, Any]:
        """Sums by slot."""
        whole = [nw.col(name).cast(nw.Float64 if name in ("low", "high") else nw.Int64) for name in sums]
        return self.frames.fetch(rows.group_by("s").agg(**sums).select("s", *whole), kind)

    def _moment(self) -> Any:
        """The moment of a row, from its number t and its weight w, as `worker.moments_of` computes it."""
        assert self._units is not None
        return self._in_units(nw.col("t") - self._units.centre, self._units, round_to_even)

    def _in_units(self, values: Any, units: NumberUnits, rounded: Callable[[Any], Any]) -> Any:
        """Weight times value times 2^scale, rounded, as `worker.in_units` computes it."""
        values = times_power_of_two(values, units.scale)
        if not self._has_weight:
            return rounded(values)
        if units.copies:
            return rounded(values) * nw.col("w")
        return rounded(values * nw.col("w").cast(nw.Float64))

    # --- where the rows go ---

    def _of_slots(self, levels: list[Level], first: int, end: int) -> Any:
        """The rows that arrive at some slots."""
        rows = self._follow(levels)
        return rows.filter((nw.col("s") >= first) & (nw.col("s") < end))

    def _follow(self, levels: list[Level]) -> Any:
        """The rows that went down these levels; only the last table is kept, and the one of the root."""
        n_done = len(self._levels)
        if n_done > len(levels) or any(one is not other for one, other in zip(self._levels, levels, strict=False)):
            self._arrive_at(self._root, [])
            n_done = 0
        for i in range(n_done, len(levels)):
            self._arrive_at(self.frames.materialise(self._step(levels[i]), "route"), levels[: i + 1])
        return self._arrived

    def _arrive_at(self, rows: Any, levels: list[Level]) -> None:
        if self._arrived is not self._root:
            self.frames.drop(self._arrived)
        self._arrived, self._levels = rows, list(levels)

    def _step(self, level: Level) -> Any:
        """The rows with their slots in the next level; a row that is divided occurs once for each part."""
        rows, weight = self._with_codes(self._arrived, level), [nw.col("w")] if self._has_weight else []
        goes, n_parts = list_codes(level)
        kept, following = [nw.col(name) for name in (*self._codes, "t")], list_surrogates(level)
        moment, slot = [nw.col("m")] if self._units is not None else [], nw.col("next").cast(nw.Int32)
        found = join(rows, self.frames.table(goes), "k", "inner")
        if n_parts:
            found, parts = divide(found, n_parts, float(level["least"]))
            if moment:
                found = found.select(*kept, *parts, next=nw.col("next"))
                moment, parts = [self._moment().alias("m")], [nw.col("w")]
            return found.select(*kept, *moment, *parts, s=slot)
        found = found.select(*kept, *moment, *weight, s=slot)
        if following is None:
            return found
        return nw.concat([found, self._follow_surrogates(rows, level, following).select(
            *kept, *moment, *weight, s=slot,
        )])  # fmt: skip

    def _with_codes(self, rows: Any, level: Level, first: int = 0) -> Any:
        """The rows of the slots that are split, with slot and code together as k; the slots begin with `first`."""
        slots = np.flatnonzero(level["start"])
        column = level["column"][slots]
        table = self.frames.table({"s": slots + first, "c": column, "a": level["start"][slots]})
        names = rows.collect_schema().names()
        return join(rows, table, "s", "inner").select(*names, k=nw.col("a") + self._code_in("c", column))

    def _code_in(self, name: str, columns: Longs) -> Any:
        """The code of a row in the column whose number another column has, one of these."""
        used = np.unique(columns).tolist()
        return place(nw.col(name), used[:-1], [nw.col(f"x{f}").cast(nw.Int64) for f in used])

    def _follow_surrogates(self, rows: Any, level: Level, following: dict[str, Any]) -> Any:
        """The rows that follow surrogates, and where they go: that of the first one that knows their value."""
        names, goes = rows.collect_schema().names(), level["next_goes"]
        rows, n = join(rows, self.frames.table(following), "k", "inner"), (len(following) - 1) // 2
        decided = np.flatnonzero(goes != FOLLOWS)
        table = self.frames.table({"k": decided, "goes": goes[decided]})
        for i in range(n):
            k = nw.col(f"a{i}") + self._code_in(f"c{i}", following[f"c{i}"])
            left = [f"{kind}{j}" for j in range(i + 1, n) for kind in "ca"]
            before = {} if not i else {"next": nw.col("next")}
            rows = rows.select(*[one for one in names if one != "k"], *left, **before, k=k)
            rows = join(rows, table, "k", "left")
            to = nw.col("goes") if not i else nw.when(nw.col("next").is_null()).then("goes").otherwise(nw.col("next"))
            rows = rows.with_columns(next=to)
        return rows.filter(nw.col("next") >= 0)


def add_up(terms: Sequence[Any]) -> Any:
    """The sum of terms, paired, so that the expression is not deeply nested."""
    waiting = list(terms)
    while len(waiting) > 1:
        waiting = [sum(waiting[i + 1 : i + 2], waiting[i]) for i in range(0, len(waiting), 2)]
    return waiting[0]


def times_power_of_two(value: Any, exponent: int) -> Any:
    """A number times 2^exponent."""
    for part in power_of_two(exponent):
        value = value * part
    return value


def power_of_two(exponent: int) -> list[float]:
    """2^exponent, as factors that float64 has.

    >>> power_of_two(3), len(power_of_two(-2000))
    ([8.0], 2)
    """
    parts = []
    while exponent:
        part = max(-1000, min(1000, exponent))
        parts.append(float(np.ldexp(1.0, part)))
        exponent -= part
    return parts


def units_of_rows(units: RowUnits, n_classes: int, *, has_weight: bool) -> Any:
    """The units of a row, from its class t and its weight w, as `reading.units_of` computes them."""

    def of_class(own: Sequence[Any], dtype: Any) -> Any:
        found = [nw.lit(one).cast(dtype) for one in own]
        return found[0] if len(set(own)) == 1 else place(nw.col("t"), list(range(n_classes - 1)), found)

    if not has_weight:
        return of_class([int(units.of(np.ones(1), k)[0]) for k in range(n_classes)], nw.Int64)
    product = nw.col("w").cast(nw.Float64)
    for own in units.factors:
        product = product * of_class(own, nw.Float64)
    whole = round_to_even(product * float(np.ldexp(1.0, units.scale)))
    return nw.when(whole > 1).then(whole).otherwise(nw.lit(1).cast(nw.Int64))


def encode_cell(form: CellForm, codes: Codes) -> Any:
    """The code of a cell: that of its category, or the position of the first value that is at least the cell.

    Numbers are read without the changes of `CellForm.cell`, which a backend may repeat in each comparison. Neither null
    nor NaN is at most any value, so they get the code behind the last, as they should.
    """
    if isinstance(codes, dict):
        found, cell = nw.lit(len(codes)), form.cell()
        for value, code in codes.items():
            found = nw.when(cell == form.key(value)).then(nw.lit(code)).otherwise(found)
        return found
    return place(form.number(), codes.tolist())


def list_codes(level: Level) -> tuple[dict[str, Any], int]:
    """The codes of a level that go to slots, as a small table, and how many smaller parts a divided row has at most.

    k     slot and code together
    next  the slot that they go to
    own   the fraction of a part; NOWHERE for an undivided row, and for the part that takes what the others leave
    f1, ...  of the latter, the fractions of the others; NOWHERE if there are none
    """
    goes, begin = level["goes"], level["part_start"]
    plain = np.flatnonzero(goes >= 0)
    keys, slots = [plain], [goes[plain]]
    divided = np.flatnonzero(goes == DIVIDES)
    if not len(divided):
        none = np.array([-1])  # a small table has at least one row; no code is this one
        return ({"k": plain, "next": goes[plain]} if len(plain) else {"k": none, "next": none}), 0
    live = np.flatnonzero(level["start"])
    slot_of = live[np.searchsorted(level["start"][live], divided, side="right") - 1]
    n_parts = int((begin[slot_of + 1] - begin[slot_of]).max()) - 1
    own, others = [np.full(len(plain), float(NOWHERE))], [np.full((len(plain), n_parts), float(NOWHERE))]
    for code, slot in zip(divided.tolist(), slot_of.tolist(), strict=True):
        part = slice(int(begin[slot]), int(begin[slot + 1]))
        fractions, n = level["part_weight"][part], int(begin[slot + 1] - begin[slot])
        rest = np.full((n, n_parts), float(NOWHERE))
        rest[0, : n - 1] = fractions[1:]
        keys.append(np.full(n, code))
        slots.append(level["part_slot"][part])
        own.append(np.append(float(NOWHERE), fractions[1:]))
        others.append(rest)
    met = np.concatenate(slots) >= 0
    table = {"k": np.concatenate(keys)[met], "next": np.concatenate(slots)[met], "own": np.concatenate(own)[met]}
    table |= {f"f{j + 1}": one[met] for j, one in enumerate(np.concatenate(others).T)}
    return table, n_parts


def list_surrogates(level: Level) -> dict[str, Any] | None:
    """The codes whose rows follow surrogates, as a small table; None if there are none.

    k              slot and code together
    c0, a0, c1 ... the column of each surrogate, and the place of its first code
    """
    slots = np.flatnonzero(level["start"])
    begin, end = level["next"], np.append(level["next"][1:], len(level["next_column"]))
    slots = slots[end[slots] > begin[slots]]
    if not len(slots):
        return None
    codes = np.flatnonzero(level["goes"] == FOLLOWS)
    # of the codes that follow a surrogate, one behind each start is that of missing values in the slot's own column
    place_of = np.searchsorted(codes, level["start"][slots])
    table = {"k": codes[place_of]}
    for i in range(int((end - begin)[slots].max())):
        has_more = begin[slots] + i < end[slots]
        at = np.where(has_more, begin[slots] + i, 0)
        table[f"c{i}"] = np.where(has_more, level["next_column"][at], 0)
        table[f"a{i}"] = np.where(has_more, level["next_start"][at], 0)
    return table


def divide(rows: Any, n_parts: int, least: float) -> tuple[Any, list[Any]]:
    """The parts of rows with their weights, as `worker.divide` computes them.

    Fractions fall from one part to the next, and so do their products with a weight: no part behind one that is too
    small is large enough.
    """
    weight, own = nw.col("w"), nw.col("own")
    left = weight
    for j in range(1, n_parts + 1):
        product = weight.cast(nw.Float64) * nw.col(f"f{j}")
        left = left - nw.when(product >= least).then(round_to_even(product)).otherwise(nw.lit(0))
    product = weight.cast(nw.Float64) * own
    rows = rows.filter((own < 0) | (product >= least))
    return rows, [nw.when(own < 0).then(left).otherwise(round_to_even(product)).alias("w")]
