"""Scatter: the size of trees against what they are worth, as SVG that stands in a page.

In: a `Comparison`. Out: a picture: a mark for each tree, its leaves to the right and its accuracy upwards (for numbers
its error downwards), the band of one standard error below the best, and what can be had without any tree. Colours are
those of the page around it, by class names; every mark says what it is on a hover.
"""

from collections.abc import Sequence
from math import log10, sqrt

from treewright.evaluate.compare import Compared, Comparison, called, leaves
from treewright.export.colours import class_colour
from treewright.plot.svg import escaped

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 74, 20, 40, 52
MARK = 6.0

Place = tuple[float, float]


def scatter(found: Comparison) -> str:
    """The picture."""
    algorithms = list(dict.fromkeys(row.algorithm for row in found.rows))
    across, up = _Across([row.n_leaves for row in found.rows]), _Up(found)
    parts = [*_frame(found, across, up), *_legend(algorithms)]
    for row in found.rows:
        at = across.x(row.n_leaves), up.y(row.scored.error)
        parts.append(_point(found, row, at, algorithms.index(row.algorithm)))
    named = {id(found.best): (found.best, "best")} | {id(found.recommended): (found.recommended, "recommended")}
    for row, word in named.values():
        x, y = across.x(row.n_leaves), up.y(row.scored.error)
        side = "end" if x > WIDTH * 0.72 else "start"
        away, below = -12 if side == "end" else 12, -12 if word == "best" else 22
        words = escaped(f"{word}: {called(row.algorithm)} {row.method.replace('_', '-')}")
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{MARK + 5}" class="ring"/>')
        parts.append(f'<text x="{x + away:.1f}" y="{y + below:.1f}" text-anchor="{side}" class="strong">{words}</text>')
    title = "Trees by size and " + ("error" if found.is_number else "accuracy")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}"'
    return f'{head} class="scatter">{"".join(parts)}</svg>'


class _Across:
    """Leaves on a scale of powers."""

    def __init__(self, leaves: Sequence[int]) -> None:
        low, high = log10(min(leaves)), log10(max(leaves))
        room = max((high - low) * 0.06, 0.12)
        self.low, self.high = low - room, high + room

    def x(self, n_leaves: float) -> float:
        return LEFT + (log10(n_leaves) - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)

    def ticks(self) -> list[int]:
        """Round numbers of leaves."""
        steps = [m * 10**p for p in range(9) for m in (1, 2, 5)]
        found = [n for n in steps if self.low <= log10(n) <= self.high]
        return found if len(found) <= 9 else [n for n in found if str(n)[0] == "1"]


class _Up:
    """Accuracy upwards, or the root of a squared error downwards."""

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
        share = (value - self.low) / (self.high - self.low)
        return TOP + (share if self.is_number else 1 - share) * (HEIGHT - TOP - BOTTOM)

    def y(self, error: float) -> float:
        return self.place(self.value(error))

    def inside(self, error: float) -> bool:
        return self.low <= self.value(error) <= self.high

    def ticks(self) -> list[float]:
        """Round values, about five."""
        raw = (self.high - self.low) / 5
        power = 10.0 ** int(f"{raw:e}".split("e")[1])
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
        first = -(-self.low // step)
        return [i * step for i in range(int(first), int(self.high / step) + 1)]


def _band(found: Comparison) -> Place:
    best = found.best.scored
    return best.error, best.error + best.error_se


def _frame(found: Comparison, across: _Across, up: _Up) -> list[str]:
    """The axes, the band of one standard error, and the line of answering without a tree."""
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    top, low = sorted(up.y(error) for error in _band(found))
    parts = [
        f'<rect x="{LEFT}" y="{top:.1f}" width="{right - LEFT}" height="{max(low - top, 1):.1f}" class="band">'
        "<title>within one standard error of the best</title></rect>",
        f'<path d="M{LEFT} {TOP}V{bottom}H{right}" class="axis"/>',
    ]
    parts += [
        f'<text x="{across.x(n):.1f}" y="{bottom + 18}" text-anchor="middle">{n:,}</text>' for n in across.ticks()
    ]
    for value in up.ticks():
        y = up.place(value)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" class="rule"/>')
        sign = "" if found.is_number else "%"
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.6g}{sign}</text>')
    if up.inside(found.baseline):
        y = up.y(found.baseline)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" class="base"><title>without a tree</title></path>')
        parts.append(f'<text x="{(LEFT + right) / 2}" y="{y - 5:.1f}">without a tree</text>')
    what = "root mean squared error" if found.is_number else "accuracy"
    parts.append(f'<text x="{LEFT - 62}" y="{TOP - 20}">{what} on rows not seen</text>')
    parts.append(f'<text x="{right}" y="{HEIGHT - 10}" text-anchor="end">leaves of the tree</text>')
    return parts


def _legend(algorithms: Sequence[str]) -> list[str]:
    parts, x = [], WIDTH - RIGHT - 84 * len(algorithms)
    for i, name in enumerate(algorithms):
        parts.append(_mark((x, TOP - 24), i))
        parts.append(f'<text x="{x + 12}" y="{TOP - 20}">{escaped(called(name))}</text>')
        x += 84
    return parts


def _point(found: Comparison, row: Compared, at: Place, kind: int) -> str:
    give = found.give_or_take(row.scored)
    said = f"{row.title}: {found.worth(row.scored.error)} ± {give}, {leaves(row.n_leaves)}"
    return f"<g><title>{escaped(said)}</title>{_mark(at, kind)}</g>"


def _mark(at: Place, kind: int) -> str:
    """A circle, a square, a triangle or a diamond: algorithms are told apart without colours too."""
    (x, y), colour = at, class_colour((0, 5, 2, 1)[kind % 4])
    look = f'fill="{colour}" class="mark"'
    if kind % 4 == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{MARK}" {look}/>'
    if kind % 4 == 1:
        half = MARK * 0.92
        return f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}" {look}/>'
    if kind % 4 == 3:
        r = MARK * 1.25
        return f'<path d="M{x:.1f} {y - r:.1f}l{r:.1f} {r:.1f}l{-r:.1f} {r:.1f}l{-r:.1f} {-r:.1f}z" {look}/>'
    high = MARK * 1.2
    return f'<path d="M{x:.1f} {y - high:.1f}l{high:.1f} {1.8 * high:.1f}h{-2 * high:.1f}z" {look}/>'
