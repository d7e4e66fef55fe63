"""Charts of a comparison as SVG: trees by size and score, importances, calibration, residuals.

In: a `Comparison`, or the scores of one tree. Out: SVG text without scripts or styles of its own: the page that
contains it has the classes `chart`, `axis`, `rule`, `band`, `base`, `mark`, `ring`, `strong` and `fill`.
"""

from collections.abc import Sequence
from math import ceil, floor, log10, sqrt

import numpy as np
from numpy.typing import NDArray

from treewright.evaluate.calibration import Reliability
from treewright.evaluate.compare_algorithms import (
    ALGORITHM_NAMES,
    ComparedTree,
    Comparison,
    algorithm_name,
    count_leaves,
    pruning_name,
)
from treewright.evaluate.score_report import percent
from treewright.explain.importance import importances
from treewright.export.colours import class_colour
from treewright.language import messages
from treewright.model.formatting import format_number, printable, truncate
from treewright.model.tree import Tree
from treewright.plot.svg import escape_xml

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 74, 20, 40, 52
MARK, RING = 6.0, 11.0
"""Size, margins, mark and ring of a chart, in the units of its view box."""

MARK_COLOURS = dict(zip(ALGORITHM_NAMES, (0, 5, 2, 1), strict=True))
"""The colour of each algorithm, whichever are compared."""

MAX_BARS = 12
"""Columns in the chart of importances."""

MAX_BINS = 40
"""Bars in the chart of residuals."""

LABEL_HEIGHT = 17.0

Point = tuple[float, float]
Box = tuple[float, float, float, float]


def scatter(found: Comparison) -> str:
    """Return the trees by size and score: leaves to the right, accuracy upwards (or RMSE downwards).

    It shows the band of one standard error below the best and the baseline. Every mark has a tooltip; labels are placed
    where they cover no mark.
    """
    _ = messages(found.language)
    algorithms = [name for name in ALGORITHM_NAMES if any(row.algorithm == name for row in found.rows)]
    across, up = _LeafAxis([row.n_leaves for row in found.rows]), _ScoreAxis(found)
    places = [(across.x(row.n_leaves), up.y(row.scored.error)) for row in found.rows]
    parts = [*_frame(found, across, up, places), *_legend(algorithms)]
    parts += [_point(found, row, at) for row, at in reversed(list(zip(found.rows, places, strict=True)))]
    covered = [_around(at, MARK) for at in places]
    labelled = _labelled(found)
    covered += [_around((across.x(row.n_leaves), up.y(row.scored.error)), RING) for row, _label in labelled]
    for row, label in labelled:
        x, y = across.x(row.n_leaves), up.y(row.scored.error)
        text = f"{label}: {algorithm_name(row.algorithm)}, {pruning_name(row.method, found.language)}"
        box = place_label((x, y), text_width(text), covered)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RING}" class="ring"/>')
        line = _leader((x, y), box)
        covered += [box, *(_around(point, 2.0) for point in line)]
        if line:
            (start_x, start_y), (end_x, end_y) = line[0], line[-1]
            parts.append(f'<path d="M{start_x:.1f} {start_y:.1f}L{end_x:.1f} {end_y:.1f}" class="ring"/>')
        parts.append(f'<text x="{box[0]:.1f}" y="{box[3] - 4:.1f}" class="strong">{escape_xml(text)}</text>')
    return _svg(_("Trees by size and {measure}", measure=found.measure()), parts)


def _labelled(found: Comparison) -> list[tuple[ComparedTree, str]]:
    """Return the trees with a label: recommended, best, and readable if neither is."""
    _ = messages(found.language)
    names = ((found.readable, _("readable")), (found.best, _("best")), (found.recommended, _("recommended")))
    return list({id(row): (row, name) for row, name in names}.values())


def _around(at: Point, room: float) -> Box:
    """Return the box around a point."""
    return at[0] - room, at[1] - room, at[0] + room, at[1] + room


def _leader(at: Point, box: Box) -> list[Point]:
    """Return points on the line from the ring of a mark to its label; none if the label is beside the mark."""
    x, y = at
    if box[1] <= y <= box[3]:
        return []
    end_x, end_y = min(max(x, box[0] + 6), box[2] - 6), box[1] + 2 if box[1] > y else box[3]
    part = RING / sqrt((end_x - x) ** 2 + (end_y - y) ** 2)
    steps = [part + (1 - part) * i / 10 for i in range(11)]
    return [(x + step * (end_x - x), y + step * (end_y - y)) for step in steps]


def place_label(at: Point, width: float, covered: Sequence[Box]) -> Box:
    """Return the box of a label near a point, where it covers the least of the boxes and stays inside the chart.

    >>> place_label((300.0, 100.0), 50.0, [])
    (314.0, 91.5, 364.0, 108.5)
    >>> place_label((300.0, 100.0), 50.0, [(320.0, 95.0, 332.0, 107.0)])
    (236.0, 91.5, 286.0, 108.5)
    """
    x, y = at
    best, least = None, 0.0
    for away in (0.0, 22.0, 30.0, 38.0, 46.0, 56.0, 68.0, 82.0, 98.0, 120.0):
        for up in (0.0,) if away == 0.0 else (-away, away):
            for left in (x + 14, x - 14 - width, x - width / 2, x - width / 4, x - width * 3 / 4):
                if away == 0.0 and x - width < left < x:
                    continue
                box = (left, y + up - LABEL_HEIGHT / 2, left + width, y + up + LABEL_HEIGHT / 2)
                outside = max(LEFT + 2 - box[0], 0) + max(box[2] - WIDTH + 2, 0)
                outside += max(TOP - 4 - box[1], 0) + max(box[3] - HEIGHT + BOTTOM, 0)
                line = _leader(at, box)[2:]
                crossed = sum(one[0] < px < one[2] and one[1] < py < one[3] for px, py in line for one in covered)
                cost = 1000 * outside + sum(_overlap(box, other) for other in covered) + 20 * crossed + away * 0.2
                if best is None or cost < least:
                    best, least = box, cost
    return best or (x, y, x, y)


def _overlap(one: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def text_width(text: str) -> float:
    """Return an upper estimate of the width of a bold text of 13 pixels; Chinese characters are square.

    >>> text_width("tree") < text_width("决策树")
    True
    """
    return sum(13.5 if ord(char) > 0x2E7F else 7.2 for char in text)


class _LeafAxis:
    """Number of leaves on a logarithmic scale."""

    def __init__(self, leaves: Sequence[int]) -> None:
        low, high = log10(min(leaves)), log10(max(leaves))
        room = max((high - low) * 0.06, 0.12)
        self.low, self.high = low - room, high + room

    def x(self, n_leaves: float) -> float:
        return LEFT + (log10(n_leaves) - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)

    def ticks(self) -> list[int]:
        """Return round numbers of leaves."""
        steps = [m * 10**p for p in range(9) for m in (1, 2, 5)]
        found = [n for n in steps if self.low <= log10(n) <= self.high]
        return found if len(found) <= 9 else [n for n in found if str(n)[0] == "1"]


class _ScoreAxis:
    """Accuracy upwards, or root mean squared error downwards."""

    def __init__(self, found: Comparison) -> None:
        self.is_number = found.is_number
        shown = [self.value(row.scored.error) for row in found.rows]
        shown += [self.value(error) for error in _band(found)]
        low, high = min(shown), max(shown)
        base = self.value(found.baseline)
        if abs(base - low) < 1.5 * (high - low) or high == low:
            low, high = min(low, base), max(high, base)
        room = max((high - low) * 0.08, 1e-6 * max(abs(high), 1.0))
        self.low, self.high = low - room, high + room

    def value(self, error: float) -> float:
        return sqrt(max(error, 0.0)) if self.is_number else 100 * (1 - error)

    def place(self, value: float) -> float:
        part = (value - self.low) / (self.high - self.low)
        return TOP + (part if self.is_number else 1 - part) * (HEIGHT - TOP - BOTTOM)

    def y(self, error: float) -> float:
        return self.place(self.value(error))

    def inside(self, error: float) -> bool:
        return self.low <= self.value(error) <= self.high


def round_ticks(low: float, high: float) -> list[float]:
    """Return about five round values between two numbers.

    >>> round_ticks(0.0, 1.0), round_ticks(86.2, 93.1)
    ([0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0], [88.0, 90.0, 92.0])
    """
    raw = (high - low) / 5
    power = 10.0 ** int(f"{raw:e}".split("e")[1])
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    return [i * step for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _band(found: Comparison) -> Point:
    best = found.best.scored
    return best.error, best.error + best.error_se


def _frame(found: Comparison, across: _LeafAxis, up: _ScoreAxis, places: Sequence[Point]) -> list[str]:
    """Return the axes, the band of one standard error, and the line of the baseline; `places` has the marks."""
    _ = messages(found.language)
    within, baseline = _("within one standard error of the best"), _("baseline")
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    top, low = sorted(up.y(error) for error in _band(found))
    parts = [
        f'<rect x="{LEFT}" y="{top:.1f}" width="{right - LEFT}" height="{max(low - top, 1):.1f}" class="band">'
        f"<title>{escape_xml(within)}</title></rect>",
        f'<path d="M{LEFT} {TOP}V{bottom}H{right}" class="axis"/>',
    ]
    parts += [
        f'<text x="{across.x(n):.1f}" y="{bottom + 18}" text-anchor="middle">{n:,}</text>'
        for n in across.ticks()
    ]
    for value in round_ticks(up.low, up.high):
        y = up.place(value)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" class="rule"/>')
        sign = "" if found.is_number else "%"
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.6g}{sign}</text>')
    if up.inside(found.baseline):
        y = up.y(found.baseline)
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{right}" class="base"><title>{escape_xml(baseline)}</title></path>'
        )
        is_free = all(abs(at_y - y) > 20 or at_x < right - text_width(baseline) - MARK for at_x, at_y in places)
        x, anchor = (right - 4, "end") if is_free else (LEFT + 6, "start")
        parts.append(f'<text x="{x}" y="{y - 5:.1f}" text-anchor="{anchor}">{escape_xml(baseline)}</text>')
    score = escape_xml(_("cross-validated {measure}", measure=found.measure()))
    parts.append(f'<text x="{LEFT - 62}" y="{TOP - 20}">{score}</text>')
    leaves = escape_xml(_("leaves"))
    parts.append(f'<text x="{right}" y="{HEIGHT - 10}" text-anchor="end">{leaves}</text>')
    return parts


def _legend(algorithms: Sequence[str]) -> list[str]:
    parts, x = [], WIDTH - RIGHT - 84 * len(algorithms)
    for name in algorithms:
        parts.append(_mark((x, TOP - 24), name))
        parts.append(f'<text x="{x + 12}" y="{TOP - 20}">{escape_xml(algorithm_name(name))}</text>')
        x += 84
    return parts


def _point(found: Comparison, row: ComparedTree, at: Point) -> str:
    score, se = found.format_score(row.scored.error), found.format_score_se(row.scored)
    tooltip = f"{row.title(found.language)}: {score} ± {se}, {count_leaves(row.n_leaves, found.language)}"
    return f"<g><title>{escape_xml(tooltip)}</title>{_mark(at, row.algorithm)}</g>"


def _mark(at: Point, algorithm: str) -> str:
    """Return a circle, a square, a triangle or a diamond, so that algorithms differ without colours too."""
    kind = list(ALGORITHM_NAMES).index(algorithm)
    (x, y), colour = at, class_colour(MARK_COLOURS[algorithm])
    look = f'fill="{colour}" class="mark"'
    if kind == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{MARK}" {look}/>'
    if kind == 1:
        half = MARK * 0.92
        return f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}" {look}/>'
    if kind == 2:
        high = MARK * 1.2
        return f'<path d="M{x:.1f} {y - high:.1f}l{high:.1f} {1.8 * high:.1f}h{-2 * high:.1f}z" {look}/>'
    r = MARK * 1.25
    return f'<path d="M{x:.1f} {y - r:.1f}l{r:.1f} {r:.1f}l{-r:.1f} {r:.1f}l{-r:.1f} {-r:.1f}z" {look}/>'


def importance_chart(tree: Tree, language: str) -> str:
    """Return the importances of the columns as bars, the most important first; nothing for a tree without a split."""
    _ = messages(language)
    rows = [row for row in importances(tree, language).rows if row.importance > 0][:MAX_BARS]
    if not rows:
        return ""
    names = [truncate(printable(row.name), 40) for row in rows]
    left = min(max(map(text_width, names)) + 20, 300.0)
    unit, step = (WIDTH - left - 70) / rows[0].importance, 26
    parts = []
    for i, (row, name) in enumerate(zip(rows, names, strict=True)):
        y, wide = 10 + i * step, max(row.importance * unit, 1.0)
        tooltip = f"{printable(row.name)}: {percent(row.importance)}"
        parts.append(
            f"<g><title>{escape_xml(tooltip)}</title>"
            f'<text x="{left - 8:.1f}" y="{y + 14}" text-anchor="end">{escape_xml(name)}</text>'
            f'<rect x="{left:.1f}" y="{y}" width="{wide:.1f}" height="18" class="fill"/>'
            f'<text x="{left + wide + 6:.1f}" y="{y + 14}">{percent(row.importance)}</text></g>'
        )
    return _svg(_("Importance of the columns"), parts, 20 + step * len(rows))


def calibration_chart(found: Reliability, language: str) -> str:
    """Return observed proportions against predicted probabilities, with their intervals; on the diagonal is right."""
    _ = messages(language)
    size, left, top = 300.0, 70.0, 16.0

    def place(x: float, y: float) -> Point:
        return left + x * size, top + (1 - y) * size

    parts = [f'<path d="M{left} {top}V{top + size}H{left + size}" class="axis"/>']
    for value in round_ticks(0.0, 1.0):
        x, y = place(value, value)
        parts += [
            f'<path d="M{left} {y:.1f}H{left + size}" class="rule"/>',
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{100 * value:.0f}%</text>',
            f'<text x="{x:.1f}" y="{top + size + 18}" text-anchor="middle">{100 * value:.0f}%</text>',
        ]
    parts.append(f'<path d="M{left} {top + size}L{left + size} {top}" class="base"/>')
    largest = max(one.weight for one in found.bins)
    for one in found.bins:
        if one.predicted is None or one.observed is None or one.interval is None:
            continue
        x, y = place(one.predicted, one.observed)
        low, high = place(0, one.interval[0])[1], place(0, one.interval[1])[1]
        tooltip = _(
            "predicted {predicted}, observed {observed}, {n} rows",
            predicted=percent(one.predicted),
            observed=percent(one.observed),
            n=format_number(round(one.weight, 1)),
        )
        parts.append(
            f"<g><title>{escape_xml(tooltip)}</title>"
            f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" class="axis"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{3 + 6 * sqrt(one.weight / largest):.1f}" class="fill"/></g>'
        )
    bottom = top + size + 40
    parts.append(f'<text x="{left + size / 2}" y="{bottom}" text-anchor="middle">{escape_xml(_("predicted"))}</text>')
    parts.append(f'<text x="{left - 62}" y="{top + size / 2}">{escape_xml(_("observed"))}</text>')
    return _svg(_("Calibration"), parts, bottom + 12, left + size + 40, "chart small")


def residual_chart(residuals: NDArray[np.float64], weight: NDArray[np.float64] | None, language: str) -> str:
    """Return the distribution of true minus predicted values as a histogram; the line is 0."""
    _ = messages(language)
    low, high = (float(each) for each in np.quantile(residuals, [0.005, 0.995]))
    if not low < high:
        return ""
    n_bins = int(min(MAX_BINS, max(5, sqrt(len(residuals)))))
    shown = (residuals >= low) & (residuals <= high)
    counts, edges = np.histogram(
        residuals[shown], n_bins, (low, high), weights=None if weight is None else weight[shown]
    )
    height, top, bottom = 240.0, 16.0, 200.0
    unit_x, unit_y = (WIDTH - LEFT - RIGHT) / (high - low), (bottom - top) / max(float(counts.max()), 1e-300)
    parts = []
    for count, left, right in zip(counts.tolist(), edges.tolist(), edges.tolist()[1:], strict=False):
        tall = count * unit_y
        tooltip = _(
            "{low} to {high}: {n} rows", low=f"{left:.4g}", high=f"{right:.4g}", n=format_number(round(count, 1))
        )
        parts.append(
            f"<g><title>{escape_xml(tooltip)}</title>"
            f'<rect x="{LEFT + (left - low) * unit_x:.1f}" y="{bottom - tall:.1f}" '
            f'width="{max((right - left) * unit_x - 1, 0.5):.1f}" height="{tall:.1f}" class="fill"/></g>'
        )
    parts.append(f'<path d="M{LEFT} {bottom}H{WIDTH - RIGHT}" class="axis"/>')
    for value in round_ticks(low, high):
        x = LEFT + (value - low) * unit_x
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{value:.6g}</text>')
    if low < 0 < high:
        parts.append(f'<path d="M{LEFT - low * unit_x:.1f} {top}V{bottom}" class="base"/>')
    label = escape_xml(_("true value minus prediction"))
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{height - 4}" text-anchor="end">{label}</text>')
    return _svg(_("Residuals"), parts, height)


def _svg(title: str, parts: Sequence[str], height: float = HEIGHT, width: float = WIDTH, names: str = "chart") -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img"'
    return f'{head} aria-label="{escape_xml(title)}" class="{names}">{"".join(parts)}</svg>'
