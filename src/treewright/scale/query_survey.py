"""The survey of a lazy frame: what its columns hold, in at most five statements for all columns together.

In: the frames of a backend and a request. Out: categories, classes, and the codes of numbers.

    summary    missing, smallest and largest values, and what is wrong
    values     the categories; and the most frequent values of each number: all of them if there are at most max_bins
    intervals  the rows between the frequent values of a number that has some with bins of their own
    buckets    of many rows, how many are in each of thousands of buckets of a number
    ranks      the values at the ranks of the highest values of bins, from counts of distinct values in order; of many
               rows, those in the buckets of these ranks alone are put in order
"""

from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from treewright.data.cells import LARGEST_EXACT, sort_values, too_many_digits
from treewright.errors import InputError
from treewright.grow.bins import is_frequent, top_ranks
from treewright.scale.engine import (
    MOST_WEIGHTS,
    ColumnFacts,
    SurveyFacts,
    SurveyRequest,
    WeightCounts,
    too_many_weights,
)
from treewright.scale.query_frames import CellForm, Frames, how_many, join, place, read_forms
from treewright.scale.query_places import place_cells

RANKED = 24
"""Columns whose ranks are looked up in one statement."""
BUCKETS, BUCKETS_PAY = 2**14, 2**17
"""The buckets of a number, and the rows from which on they are counted."""
Longs = NDArray[np.int64]


class Distinct(NamedTuple):
    """Values of a column, and the rows of each; the target has each value once for each weight."""

    values: Any
    n_rows: Longs
    weight: NDArray[np.float64]


class Buckets:
    """Buckets of one length, which a number rises through.

    low, scale  the bucket of a number is its distance from the lowest one, times the scale, as a backend rounds it
    chosen      those that the wanted ranks are in, and the next one behind each that is not empty
    """

    def __init__(self, low: float, scale: float) -> None:
        self.low, self.scale = low, scale
        self.chosen: Longs = np.zeros(0, np.int64)

    @classmethod
    def of(cls, low: float, high: float) -> "Buckets | None":
        """The buckets of numbers in a range; None if it is too short or too long for float64.

        >>> Buckets.of(0.0, 2.0**14).scale, Buckets.of(-1e308, 1e308)
        (1.0, None)
        """
        distance = float(high) - float(low)
        scale = BUCKETS / distance if 0 < distance < np.inf else np.inf
        return cls(float(low), scale) if 0 < scale < np.inf else None

    def of_cell(self, cell: Any) -> Any:
        """The bucket of a cell that is known."""
        return ((cell.cast(nw.Float64) - self.low) * self.scale).cast(nw.Int64)

    def choose(self, counts: Longs, ranks: Longs) -> Longs | None:
        """Choose the buckets of these ranks; the ranks among their rows, or None if these are many."""
        met, starts = np.flatnonzero(counts), np.cumsum(counts) - counts
        at = np.searchsorted(starts[met], ranks, side="right") - 1
        self.chosen = met[np.unique(np.concatenate([at, np.minimum(at + 1, len(met) - 1)]))]
        own = counts[self.chosen]
        if own.sum() > counts.sum() // 2:
            return None
        inside: Longs = ranks - starts[met[at]] + (np.cumsum(own) - own)[np.searchsorted(self.chosen, met[at])]
        return inside


class FrameSurvey:
    """One survey.

    forms  how each column is read
    cells  the cells as columns x0, x1, ..., y and w of plain names
    rows   the cells of the rows of a weight above 0
    """

    def __init__(self, frames: Frames, request: SurveyRequest) -> None:
        self.frames, self.request = frames, request
        self.forms = read_forms(frames, {name: name in request.declared for name in request.columns})
        self.target = read_forms(frames, {request.target: not request.is_number})[request.target]
        weights = {} if request.weight is None else read_forms(frames, {request.weight: False})
        self.weight = weights.get(request.weight or "")
        cells = {f"x{i}": one.cell() for i, one in enumerate(self.forms.values())} | {"y": self.target.cell()}
        if self.weight is not None:
            cells["w"] = self.weight.cell()
        self.cells = frames.source.select(**cells)
        self.rows = self.cells if self.weight is None else self.cells.filter(nw.col("w") > 0)

    def run(self) -> SurveyFacts:
        """The facts about the source."""
        summary = self._summary()
        n_rows, n_known = summary["rows"], {}
        distinct = self._distinct()
        facts: dict[str, ColumnFacts] = {}
        many: dict[int, Distinct] = {}
        for i, (name, form) in enumerate(self.forms.items()):
            own = distinct[i]
            if form.is_category:
                values = sort_values(form.value(cell) for cell in own.values)
                facts[name] = ColumnFacts(n_rows - int(own.n_rows.sum()), tuple(values))
                continue
            n_known[i] = summary[f"known{i}"]
            if len(own.values) > self.request.max_bins:
                many[i] = own
            facts[name] = ColumnFacts(n_rows - n_known[i], top=np.sort(own.values))
        names = list(self.forms)
        ends = {i: (summary[f"low{i}"], summary[f"high{i}"]) for i in many}
        for i, (top, following) in self._bins(many, n_known, ends).items():
            facts[names[i]] = ColumnFacts(n_rows - n_known[i], top=top, following=following)
        target = distinct[len(self.forms)]
        if not self.request.is_number:
            return SurveyFacts(facts, self._classes(target), n_rows)
        order, y = np.argsort(target.weight), len(self.forms)
        rows = WeightCounts(target.weight[order], target.n_rows[order])
        return SurveyFacts(facts, {None: rows}, n_rows, (float(summary[f"low{y}"]), float(summary[f"high{y}"])))

    def _classes(self, own: Distinct) -> dict[object, WeightCounts]:
        """The classes, and the weights of the rows of each."""
        labels = [self.target.value(cell) for cell in own.values]
        rows_of: dict[object, list[int]] = {label: [] for label in sort_values(dict.fromkeys(labels))}
        for i, label in enumerate(labels):
            rows_of[label].append(i)
        classes = {}
        for label, rows in rows_of.items():
            order = np.array(rows)[np.argsort(own.weight[rows])]
            if len(order) > MOST_WEIGHTS:
                raise too_many_weights(self.request.weight)
            classes[label] = WeightCounts(own.weight[order], own.n_rows[order])
        return classes

    # --- the summary ---

    def _summary(self) -> dict[str, Any]:
        """Numbers of rows and known values; errors for what cannot be used."""
        kept = None if self.weight is None else nw.col("w") > 0

        def among(cell: Any) -> Any:
            return cell if kept is None else nw.when(kept).then(cell)

        wanted = {"rows": nw.len() if kept is None else how_many(kept), "labels": among(nw.col("y")).count()}
        bounded = [(i, one) for i, one in enumerate(self.forms.values()) if not one.is_text]
        if not self.target.is_text:
            bounded.append((len(self.forms), self.target))
        for i, _ in bounded:
            own = among(nw.col("y" if i == len(self.forms) else f"x{i}"))
            wanted |= {f"known{i}": own.count(), f"low{i}": own.min(), f"high{i}": own.max()}
        if self.weight is not None:
            w = nw.col("w")
            wanted |= {
                "unweighted": how_many(w.is_null()), "least": w.min(), "most": w.max(),
            }  # fmt: skip
        found = {name: one[0] for name, one in self.frames.fetch(self.cells.select(**wanted), "summary").items()}
        found = {name: (one if name[:3] in ("low", "hig", "lea", "mos") else int(one)) for name, one in found.items()}
        self._refuse_weights(found)
        self._refuse(found)
        names = [*self.forms, self.request.target]
        for i, form in bounded:
            who = f"Column {names[i]!r}" if i < len(self.forms) else f"The target {names[i]!r}"
            self._refuse_numbers(who, form, found[f"low{i}"], found[f"high{i}"])
        return found

    def _refuse_weights(self, found: dict[str, Any]) -> None:
        """Raise an error for weights that cannot be used."""
        if self.weight is None:
            return
        who = f"The weights {self.request.weight!r}"
        if found["unweighted"]:
            raise InputError(f"{who} have {found['unweighted']:,} missing values; fill them, or leave these rows out.")
        if found["least"] is not None and found["least"] < 0:
            raise InputError(f"{who} have the negative value {found['least']:g}; weights must be at least 0.")
        if found["most"] is not None and np.isinf(found["most"]):
            raise InputError(f"{who} have an infinite value; replace it by a number.")

    def _refuse(self, found: dict[str, Any]) -> None:
        """Raise an error for rows that cannot be used."""
        if not found["rows"]:
            raise InputError("The source has no rows; pass at least one row of a weight above 0.")
        n_missing = found["rows"] - found["labels"]
        if n_missing:
            raise InputError(
                f"The target {self.request.target!r} has {n_missing:,} missing values; leave these rows out first."
            )

    def _refuse_numbers(self, who: str, form: CellForm, low: float | None, high: float | None) -> None:
        """Raise an error for infinite numbers, and for integers that float64 cannot represent."""
        if low is None or high is None or np.isnan(low):
            return
        for one in (low, high):
            if np.isinf(one):
                raise InputError(f"{who} has the infinite value {one}; replace it with a number or a missing value.")
        if max(-low, high) < LARGEST_EXACT or form.dtype.is_float() or form.dtype == nw.Boolean:
            return
        own, inexact = nw.nth(form.position), nw.lit(False)
        for bits in range(int(max(-low, high)).bit_length() - 53):
            inexact = inexact | ((form.number().abs() >= 2.0 ** (53 + bits)) & (own % (2 << bits) != 0))
        rows = self.frames.source
        if self.request.weight is not None and self.weight is not None:
            rows = rows.filter(nw.nth(self.weight.position) > 0)
        found = rows.select(v=nw.when(inexact).then(own).min().cast(nw.String))
        value = self.frames.fetch(found, "integers")["v"][0]
        if value is not None:
            raise too_many_digits(who, value)

    # --- distinct values ---

    def _distinct(self) -> list[Distinct]:
        """The values of the categories and of the target; of the other columns the most frequent ones. Of a number as
        the target only its weights.
        """
        columns = [*self.forms.values(), self.target]
        parts = []
        for i, form in enumerate(columns):
            cell = nw.col("y" if i == len(self.forms) else f"x{i}")
            if i == len(self.forms) and self.request.is_number:
                cell = nw.when(~cell.is_null()).then(nw.lit(0.0))
            has_weight = self.weight is not None and i == len(self.forms)
            weight = nw.col("w").cast(nw.Float64) if has_weight else nw.lit(1.0).cast(nw.Float64)
            rows = self.rows.select(v=cell, **({"w": weight} if has_weight else {})).filter(~nw.col("v").is_null())
            own = rows.group_by(["v", "w"] if has_weight else ["v"]).agg(n=nw.len())
            if i < len(self.forms) and not form.is_category:
                own = own.sort("n", descending=True).head(self.request.max_bins + 1)
            v, absent_text, absent = nw.col("v"), nw.lit("").cast(nw.String), nw.lit(0.0).cast(nw.Float64)
            parts.append(own.select(
                f=nw.lit(i).cast(nw.Int32),
                t=v if form.is_text else absent_text,
                v=absent if form.is_text else v,
                n=nw.col("n").cast(nw.Int64),
                w=nw.col("w") if has_weight else weight,
            ))
        found = self.frames.fetch_union(parts, "values")
        order = np.argsort(found["f"], kind="stable")
        ends = np.searchsorted(found["f"][order], np.arange(len(columns) + 1))
        texts = np.array(found["t"], object)
        distinct = []
        for i, form in enumerate(columns):
            own = order[ends[i] : ends[i + 1]]
            values = texts[own].tolist() if form.is_text else found["v"][own]
            distinct.append(Distinct(values, found["n"][own], found["w"][own]))
        return distinct

    # --- bins ---

    def _bins(
        self, many: dict[int, Distinct], n_known: dict[int, int], limits: dict[int, tuple[float, float]]
    ) -> dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """The highest values of the bins of columns with many values, and the next one behind each but the last."""
        max_bins, frequent = self.request.max_bins, {}
        for i, own in many.items():
            chosen = np.flatnonzero(is_frequent(own.n_rows, n_known[i], max_bins))
            chosen = chosen[np.argsort(own.values[chosen])]
            frequent[i] = own.values[chosen], own.n_rows[chosen]
        ends = self._ends({i: values for i, (values, _) in frequent.items() if len(values)})
        ranks = {}
        for i, (_, counts) in frequent.items():
            end = ends.get(i, np.zeros(0, np.int64))
            ranks[i] = np.unique(top_ranks(n_known[i], end - counts, end, max_bins))
        buckets = {
            i: Buckets.of(*limits[i]) for i in ranks if n_known[i] >= BUCKETS_PAY and np.isfinite(limits[i]).all()
        }
        return self._values_at(ranks, self._count_buckets({i: one for i, one in buckets.items() if one}, ranks))

    def _count_buckets(self, buckets: dict[int, "Buckets"], ranks: dict[int, Longs]) -> dict[int, "Buckets"]:
        """Count the buckets, and choose those of the ranks; those of columns of which few rows are in these. The ranks
        become ranks among these rows.
        """
        parts = []
        for i, own in buckets.items():
            rows = self.rows.filter(~nw.col(f"x{i}").is_null()).select(b=own.of_cell(nw.col(f"x{i}")) + i * 2 * BUCKETS)
            parts.append(rows.group_by("b").agg(n=nw.len()).select("b", n=nw.col("n").cast(nw.Int64)))
        if not parts:
            return {}
        found, useful = self.frames.fetch_union(parts, "buckets"), {}
        for i, own in buckets.items():
            mine = found["b"] // (2 * BUCKETS) == i
            counts = np.zeros(2 * BUCKETS, np.int64)
            counts[found["b"][mine] - i * 2 * BUCKETS] = found["n"][mine]
            inside = own.choose(counts, ranks[i])
            if inside is not None:
                useful[i], ranks[i] = own, inside
        return useful

    def _ends(self, values: dict[int, NDArray[np.float64]]) -> dict[int, Longs]:
        """How many rows have at most each of these values, by column."""
        parts = []
        for i, own in values.items():
            interval = place(nw.col(f"x{i}"), own.tolist()).cast(nw.Int32)
            rows = self.rows.filter(~nw.col(f"x{i}").is_null()).select(c=interval).group_by("c").agg(n=nw.len())
            parts.append(rows.select(f=nw.lit(i).cast(nw.Int32), c=nw.col("c"), n=nw.col("n").cast(nw.Int64)))
        if not parts:
            return {}
        found, ends = self.frames.fetch_union(parts, "intervals"), {}
        for i, own in values.items():
            mine = found["f"] == i
            counts = np.zeros(len(own) + 1, np.int64)
            counts[found["c"][mine]] = found["n"][mine]
            ends[i] = np.cumsum(counts)[:-1]
        return ends

    def _values_at(
        self, ranks: dict[int, Longs], buckets: dict[int, "Buckets"]
    ) -> dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """The values at these ranks among the rows in the buckets, or all rows; and the next larger ones of all but the
        last, by column.
        """
        parts = []
        for i, own in ranks.items():
            n, end = nw.col("n"), nw.col("end")
            rows = self.rows.select(v=nw.col(f"x{i}")).filter(~nw.col("v").is_null())
            if i in buckets:
                rows = rows.with_columns(b=buckets[i].of_cell(nw.col("v")))
                rows = join(rows, self.frames.table({"b": buckets[i].chosen}), "b", "inner")
            counts = rows.group_by("v").agg(n=nw.len())
            rising = counts.select(
                v=nw.col("v"), n=n.cast(nw.Int64),
                end=n.cast(nw.Int64).cum_sum().over(order_by="v"), following=nw.col("v").shift(-1).over(order_by="v"),
            )  # fmt: skip
            # A value has the ranks from end - n to end - 1; one is wanted if more wanted ones are below its end.
            placed = rising.with_columns(start=end - n)
            placed = place_cells(self.frames, placed, {"start": own, "end": own}, " place")
            met = placed.filter(nw.col("start place") != nw.col("end place"))
            parts.append(met.select(f=nw.lit(i).cast(nw.Int32), v=nw.col("v"), following=nw.col("following")))
        if not parts:
            return {}
        found, values = self.frames.fetch_union(parts, "ranks", RANKED), {}
        for i in ranks:
            mine = found["f"] == i
            order = np.argsort(found["v"][mine])
            values[i] = found["v"][mine][order], found["following"][mine][order][:-1]
        return values
