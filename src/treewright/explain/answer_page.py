"""Answer page: an explanation as text, HTML and plain Python.

In: an `Explanation`. Out: a few sentences and small tables: the way of the row, where it ends, what would alter the
answer, and what it was before pruning. Names, categories and classes come from the user's table, so they are shown as
text, whatever they hold.
"""

from collections.abc import Mapping
from math import sqrt
from typing import TYPE_CHECKING, Any

from treewright.criteria.registry import CRITERIA
from treewright.explain.interval import CAVEAT
from treewright.explain.lines import folded, shortened, wrapped
from treewright.explain.steps import N_BRANCHES
from treewright.model.grid import Grid, counted, element, text_width
from treewright.model.plain import plain
from treewright.model.strategies import STRATEGIES
from treewright.model.words import beginning, category_words, printable, weight_words

if TYPE_CHECKING:
    from treewright.explain.answer import End, Explanation
    from treewright.explain.before import Before
    from treewright.explain.steps import Step

N_STEPS, N_ENDS = 20, 10
"""Nodes and ends listed, those with most of the row."""

N_CLASSES, CLASS_WIDTH = 4, 60
"""Classes that are told one by one, those of the largest shares; and the cells that their columns may take."""

LONGEST_NAME, LONGEST_BRANCH, LONGEST = 40, 40, 110
"""Characters shown of a name or class, of one of several branches, and of a condition; fields have them whole."""

Part = str | Grid


def as_text(found: "Explanation") -> str:
    """The explanation for a terminal."""
    parts = (folded(part) if isinstance(part, Grid) else wrapped(part.splitlines()) for part in _parts(found))
    return "\n\n".join("\n".join(lines) for lines in parts)


def as_html(found: "Explanation") -> str:
    """The explanation for a page."""
    blocks = []
    for part in _parts(found):
        blocks += [part.html()] if isinstance(part, Grid) else [element("p", line) for line in part.splitlines()]
    return "<div>" + "".join(blocks) + "</div>"


def as_dict(found: "Explanation") -> dict[str, Any]:
    """The explanation in plain Python."""
    written: dict[str, Any] = plain(found)
    for step, made in zip(found.steps, written["steps"], strict=True):
        made |= {"goes": step.goes, "words": step.words}
    return written | {"row": {name: plain(value) for name, value in found.row.items()}, "caveat": CAVEAT}


def _parts(found: "Explanation") -> list[Part]:
    parts: list[Part] = [_opening(found), _way(found)]
    parts += [_behind(found)] if len(found.ends) == 1 else [_ends(found)]
    parts += [_changes(found), *(_before(one) for one in found.before)]
    return [part for part in parts if part]


def _opening(found: "Explanation") -> str:
    if found.shares is None:
        return f"Answer: {_number(found.answer)}"
    said = [f"{_word(label)}: {share:.1%}" for label, share in _largest(found.shares).items()]
    said += _more_classes(len(found.shares) - len(said))
    lines = [f"Answer: {_word(found.answer)}", ", ".join(said)]
    if found.costs is not None:
        cheapest = sorted(found.costs.items(), key=lambda pair: pair[1])[:N_CLASSES]
        asked = [f"{_word(label)}: {_number(cost)}" for label, cost in cheapest]
        asked += _more_classes(len(found.costs) - len(asked))
        lines.append(f"The cheapest answer. What each one costs on average: {', '.join(asked)}")
    return "\n".join(lines)


def _more_classes(n: int) -> list[str]:
    return [f"{n} more {'class' if n == 1 else 'classes'}"] if n else []


def _largest(shares: Mapping[Any, float]) -> dict[Any, float]:
    """The classes of the largest shares, the largest first; in the order of the classes where they are few."""
    if len(shares) <= N_CLASSES:
        return dict(shares)
    return dict(sorted(shares.items(), key=lambda pair: -pair[1])[:N_CLASSES])


def _way(found: "Explanation") -> Grid:
    """The nodes that the row comes to."""
    several = len(found.ends) > 1
    classes = [] if found.shares is None else _in_columns(found.shares)
    numbers = ["node", *["part"] * several, "rows", *([_word(label) for label in classes] or ["answer"])]
    rows = []
    last = -1
    for i in _shown(found):
        step = found.steps[i]
        if i > last + 1 and not several:
            rows.append(["…", *[""] * (len(numbers) + 1), f"… {counted(i - last - 1, 'more node')}"])
        last = i
        here = [_number(step.number)] if step.shares is None else [f"{step.shares[label]:.1%}" for label in classes]
        part = [f"{step.share:.1%}"] * several
        said = [_short(step.column or "", LONGEST_NAME), _short(step.has, LONGEST_NAME), _goes(step)]
        rows.append([str(step.node), *part, weight_words(step.weight), *here, *said])
    below = []
    if several:
        n_more = len(found.steps) - len(rows)
        below += [f"… {counted(n_more, 'more node')}"] if n_more else []
        below.append("part: of the row that comes to the node")
    is_plain = all(end.reckoned is None for end in found.ends)
    of_classes = "the shares of their classes" if is_plain else "the probabilities of the classes"
    shares = "" if found.shares is None else f", and {of_classes}"
    below.append(f"rows: training rows at the node{shares}")
    below += [f"… {more}" for more in _more_classes(len(found.shares or ()) - len(classes))]
    right = [*[True] * len(numbers), False, False, False]
    return Grid([*numbers, "asks for", "the row has", "and goes to"], rows, right, below)


def _in_columns(shares: Mapping[Any, float]) -> list[Any]:
    """The classes that have a column of their own: two at least, and no more than stand side by side."""
    classes = list(_largest(shares))
    while len(classes) > 2 and sum(text_width(_word(label)) + 2 for label in classes) > CLASS_WIDTH:
        classes.remove(min(reversed(classes), key=lambda label: shares[label]))
    return classes


def _shown(found: "Explanation") -> list[int]:
    """The places of the steps that are listed: both ends of a long way; of many ways the nodes with most of the row."""
    n = len(found.steps)
    if len(found.ends) > 1:
        return sorted(sorted(range(n), key=lambda i: -found.steps[i].share)[:N_STEPS])
    return list(range(n)) if n <= 2 * N_STEPS else [*range(N_STEPS), *range(n - N_STEPS, n)]


def _goes(step: "Step") -> str:
    """Where the row goes; branches of many categories are cut short before the reason is."""
    goes = step.goes
    if step.how in STRATEGIES and len(step.takes) > 1:
        goes = _shared_out(step)
    elif len(goes) > LONGEST and step.takes:
        branch = step.takes[0].words
        why = goes[len(branch) :]
        goes = _short(branch, max(LONGEST_BRANCH, LONGEST - len(why))) + why
    return _short(goes, 2 * LONGEST)


def _shared_out(step: "Step") -> str:
    """A row shared out among branches, without the name of the column that stands beside it."""
    most = sorted(range(len(step.takes)), key=lambda i: -step.takes[i].weight)[:N_BRANCHES]
    said = []
    for one in (step.takes[i] for i in sorted(most)):
        branch = one.words.removeprefix(step.column or "").strip().removeprefix("= ")
        said.append(f"{_short(branch, LONGEST_BRANCH)} ({weight_words(one.weight)}/{weight_words(one.of)})")
    n_more = len(step.takes) - len(said)
    return "every branch: " + ", ".join([*said, *([f"… {n_more} more"] if n_more else [])])


def _behind(found: "Explanation") -> str:
    """The rows behind the one node where the row ends, and the interval."""
    end = found.ends[0]
    kind = "Leaf" if found.steps[-1].column is None else "Node"
    lines = [f"{kind} {end.node} ({_short(end.where)}): {_contents(found, end)}."]
    if end.reckoned is not None:
        lines.append(f"The probability of {_word(found.answer)}: {end.reckoned}.")
    if end.rows:
        more = f", … {end.count - len(end.rows)} more" if end.count > len(end.rows) else ""
        listed = ", ".join(map(str, end.rows))
        lines.append(f"Behind it, by their places from 0 among the rows of growth: {listed}{more}.")
    if end.interval is None:
        lines.append(f"No interval: {_why_none(found, end)}.")
    else:
        of = "its mean" if found.shares is None else f"the share of {_word(found.answer)}"
        lines.append(f"{_percent(found)} interval for {of}: {_limits(found, end)}.{_caveat(end)}")
    return "\n".join(lines)


def _ends(found: "Explanation") -> Grid:
    """The nodes where the parts of the row end."""
    of = "answer" if found.shares is None else _word(found.answer)
    sure = any(end.interval is not None for end in found.ends)
    rows = []
    for end in found.ends[:N_ENDS]:
        here = _number(end.answer) if found.shares is None else f"{end.answer_share:.1%}"
        first = [str(end.node), f"{end.share:.1%}", weight_words(end.weight), here]
        rows.append([*first, *[_limits(found, end)] * sure, _short(end.where)])
    n_more = len(found.ends) - len(rows)
    below = [f"… {counted(n_more, 'more end')}"] if n_more else []
    if sure:
        below.append(f"interval: {_percent(found)}, for each leaf alone; none is given for their mean. {CAVEAT}")
    head = ["end", "part", "rows", of, *["interval"] * sure, "where"]
    return Grid(head, rows, [True, True, True, True, *[False] * sure, False], below)


def _contents(found: "Explanation", end: "End") -> str:
    """How many training rows are behind a node, and of what kind."""
    weight = weight_words(end.weight)
    rows = f"{weight} training {'row' if weight == '1' else 'rows'}"
    if end.weight == 0:
        return "no training row came here, so it answers as the node above"
    if weight != str(end.count):
        rows += f" by weight ({counted(end.count, 'row')})"
    if found.shares is None:
        return f"{rows}, {_deviation(found, end)}"
    stats = {label: weight for label, weight in end.stats.items() if weight > 0}
    said = [f"{_word(label)}: {weight_words(weight)}" for label, weight in _largest(stats).items()]
    said += _more_classes(len(stats) - len(said))
    return f"{rows}; {', '.join(said)}"


def _deviation(found: "Explanation", end: "End") -> str:
    mean_loss = max(end.stats["loss"], 0.0) / end.weight
    if not CRITERIA[found.criterion].by_median:
        return f"standard deviation {_number(sqrt(mean_loss))}"
    return f"mean distance from the median {_number(mean_loss)}"


def _why_none(found: "Explanation", end: "End") -> str:
    if end.weight == 0:
        return "no training row came here"
    if found.shares is None and CRITERIA[found.criterion].by_median:
        return "the answer is a median"
    return "one row does not tell how far rows differ"


def _changes(found: "Explanation") -> Part:
    if not found.changes:
        return "No change of a single value alters the answer." if found.looked else ""
    rows = []
    for change in found.changes:
        answer = _number(change.answer) if change.shares is None else _word(change.answer)
        share = [] if change.shares is None else [f"{change.shares[change.answer]:.1%}"]
        rows.append([_short(change.words), answer, *share, f"{change.distance:.3g}"])
    is_number = found.shares is None
    head = ["nearest changes of one value", "answer", *([] if is_number else ["share"]), "distance"]
    return Grid(head, rows, [False, is_number, *([] if is_number else [True]), True], [])


def _before(one: "Before") -> str:
    method = one.method.replace("_", "-").replace("+", " and ")
    if one.shares is None:
        said = "the same" if one.same else _number(one.answer)
    else:
        said = f"{'the same, ' if one.same else ''}{_word(one.answer)} ({one.shares[one.answer]:.1%})"
    name = method if method.endswith("pruning") else f"{method} pruning"
    lines = [f"Answer before {name}: {said}"]
    if not one.n_cuts:
        lines.append("Nothing was pruned on this way.")
    lines += [shortened(printable(f"Cut in the grown tree: {words}")) for words in one.cuts[:3]]
    if one.n_cuts > 3:
        lines.append(f"… cut at {counted(one.n_cuts - 3, 'more node')}")
    return "\n".join(lines)


def _limits(found: "Explanation", end: "End") -> str:
    one = end.interval
    if one is None:
        return ""
    if found.shares is None:
        return f"{_number(one.low)} to {_number(one.high)}"
    return f"{one.low:.1%} to {one.high:.1%}"


def _caveat(end: "End") -> str:
    """What has to be said with an interval; the root is there whatever the rows are."""
    return "" if end.node == 0 else f" {CAVEAT}"


def _percent(found: "Explanation") -> str:
    return f"{100 * found.confidence:.6g}%"


def _word(label: object) -> str:
    return _short(category_words(label), LONGEST_NAME)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value + 0.0:.6g}"


def _short(text: str, most: int = LONGEST) -> str:
    """The text on one line, and not longer than can be read."""
    return printable(beginning(text, most))
