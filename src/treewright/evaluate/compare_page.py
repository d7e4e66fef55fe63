"""Compare page: a comparison as one HTML file that needs nothing else.

In: a `Comparison`, what was read, and the commands that come next. Out: HTML without any script: the recommendation,
the table, the picture of size against accuracy, the trees, what was read and what to type next. Names and categories
are text, whatever they hold; the browser is told to load nothing and to run nothing.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape

from treewright.evaluate.compare import Compared, Comparison, called, leaves
from treewright.evaluate.compare_scatter import scatter
from treewright.model.words import beginning, printable
from treewright.plot.svg import to_svg

MOST_NODES = 40
"""Nodes of a tree that a picture shows."""

WIDEST = 1700.0
"""Pixels of a picture that can still be read when it is drawn as wide as the page."""

MOST_COLUMNS = 200
"""Columns that are listed."""

LONGEST = 200
"""Characters of a name."""

STYLE = """
:root{color-scheme:light dark;--paper:#fbfcfd;--card:#fff;--ink:#1b2733;--muted:#56646f;--edge:#c9d3dc;--soft:#eef3f7;
--good:#00664a;--band:#dceee7}
@media (prefers-color-scheme:dark){:root{--paper:#12171d;--card:#1d252e;--ink:#e8eef4;--muted:#a3b1be;--edge:#3c4854;
--soft:#232d37;--good:#6ed3b0;--band:#1d3a33}}
*{box-sizing:border-box}
body{margin:0 auto;padding:24px 20px 60px;max-width:1100px;background:var(--paper);color:var(--ink);
font:16px/1.55 'Helvetica Neue',Helvetica,Arial,'Liberation Sans','Noto Sans','PingFang SC','Microsoft YaHei',
'Noto Sans CJK SC',sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6em;margin:0 0 4px}h2{font-size:1.2em;margin:36px 0 10px}
.muted,td.why{color:var(--muted)}
.lead{background:var(--card);border:1px solid var(--edge);border-left:5px solid var(--good);border-radius:8px;
padding:12px 16px;margin:20px 0}
.wide{overflow-x:auto;border:1px solid var(--edge);border-radius:8px;background:var(--card)}
table{border-collapse:collapse;width:100%;font-size:.92em}
th,td{padding:6px 12px;text-align:left;border-bottom:1px solid var(--edge);vertical-align:top;overflow-wrap:normal}
tr:last-child td{border-bottom:0}th{color:var(--muted);font-weight:600;white-space:nowrap}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.name{overflow-wrap:anywhere;min-width:8em}td.why{min-width:18em}
tr.next td{border-top:2px solid var(--edge)}
tr.chosen td{background:var(--band);font-weight:600}
.badge{display:inline-block;margin-left:6px;padding:0 7px;border-radius:9px;border:1px solid var(--good);
color:var(--good);font-size:.82em;font-weight:600;white-space:nowrap}
.picture{overflow:auto;max-height:900px;margin:10px 0}.picture svg{display:block}
.fit{max-height:none}.fit svg{max-width:max(100%,560px);height:auto}
figure{margin:0;overflow-x:auto}
svg.scatter{width:100%;min-width:560px;height:auto;background:var(--card);border:1px solid var(--edge);
border-radius:8px}
svg.scatter text{fill:var(--muted);font-size:13px}svg.scatter .strong{fill:var(--ink);font-weight:600;
paint-order:stroke;stroke:var(--card);stroke-width:4px}
svg.scatter .axis{stroke:var(--muted);fill:none}svg.scatter .rule{stroke:var(--edge);stroke-width:.5}
svg.scatter .band{fill:var(--band)}svg.scatter .base{stroke:var(--muted);stroke-dasharray:5 4}
svg.scatter .mark{fill-opacity:.85;stroke:var(--card)}svg.scatter .ring{fill:none;stroke:var(--ink);stroke-width:1.5}
pre{background:var(--soft);border-radius:8px;padding:12px 16px;overflow-x:auto;font-size:.88em;line-height:1.6}
summary{cursor:pointer;font-weight:600;padding:4px 0}li{margin:4px 0}
@media print{body{max-width:none;padding:0;font-size:11pt}.picture{max-height:none;overflow:visible}
.picture svg{max-width:100%;height:auto}.wide{overflow:visible}h2{break-after:avoid}tr,.lead,figure{break-inside:avoid}}
"""


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: the source, its rows, the target, and lines (name, kind, values, missing, why) of the columns."""

    source: str
    n_rows: int
    target: str
    columns: Sequence[tuple[str, str, int | None, int | None, str]]


def compare_page(
    found: Comparison, read: Read, commands: Sequence[tuple[str, str]], notes: Sequence[str] = ()
) -> str:
    """The report as HTML.

    commands  what to type next, each with what it does
    notes     what is to be known, besides the notes of the comparison
    """
    title = f"Decision trees for {_short(read.target)}"
    body = [
        f"<h1>{_text(title)}</h1>",
        f'<p class="muted">{_text(_opening(found, read))}</p>',
        f'<div class="lead">{_text(found.sentence())}</div>',
        *_list([*notes, *found.notes]),
        f"<h2>{_text(found.shown.title)}</h2>",
        _picture(found.shown),
        "<h2>Size and worth</h2>",
        f"<figure>{scatter(found)}</figure>",
        "<h2>All of them</h2>",
        _table(found),
        f'<p class="muted">{_text(_below(found))}</p>',
        "<h2>The best of each algorithm</h2>",
        *_best(found),
        "<h2>What was read</h2>",
        _columns(read),
        "<h2>What to type next</h2>",
        *[f"<p>{_text(does)}</p><pre><code>{_text(command)}</code></pre>" for command, does in commands],
    ]
    return _page(title, "\n".join(body))


def _page(title: str, body: str) -> str:
    # The pictures have a style of their own for dark pages; it is allowed by its hash, like that of the page.
    styles = {STYLE, *re.findall("<style>(.*?)</style>", body, re.DOTALL)}
    allowed = " ".join(sorted(map(_hash, styles)))
    policy = f"default-src 'none'; style-src {allowed}; base-uri 'none'; form-action 'none'"
    head = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy, quote=False)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="generator" content="Treewright">',
        f"<title>{_text(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
    ]
    return "\n".join([*head, body, "</body>", "</html>", ""])


def _opening(found: Comparison, read: Read) -> str:
    cross = found.cross
    what = "with the mean" if found.is_number else f"always with {_short(str(found.usual))}"
    return (
        f"{_short(read.source)}: {read.n_rows:,} rows. Every tree was judged on rows it did not see, in "
        f"{cross.folds}-fold cross-validation. Answering {what} is worth {found.worth(found.baseline)}."
    )


def _below(found: Comparison) -> str:
    what = "Root mean squared error" if found.is_number else "Accuracy and log loss"
    return (
        f"{what} in cross-validation, ± one standard error; leaves, depth and seconds of the tree of all rows. "
        "Methods that prune by validation rows hold a quarter of the rows out from growth."
    )


def _table(found: Comparison) -> str:
    heads = [("", "algorithm"), ("", "pruning"), ("n", "error" if found.is_number else "accuracy"), ("n", "±")]
    heads += [] if found.is_number else [("n", "log loss")]
    heads += [("n", "leaves"), ("n", "depth"), ("n", "seconds")]
    lines = ["<tr>" + "".join(f'<th class="{kind}">{word}</th>' for kind, word in heads) + "</tr>"]
    before = None
    for row in found.rows:
        looks = {"chosen": row is found.recommended, "next": before not in (None, row.algorithm)}
        badges = [word for one, word in ((found.best, "best"), (found.recommended, "recommended")) if one is row]
        said = "".join(f'<span class="badge">{word}</span>' for word in badges)
        before = row.algorithm
        tree, scored = row.made.tree, row.scored
        cells = [found.worth(scored.error), found.give_or_take(scored), *found.log_loss_words(scored)]
        cells += [f"{tree.n_leaves:,}", f"{tree.depth:,}", f"{row.made.seconds:.2g}"]
        look = " ".join(name for name, is_so in looks.items() if is_so)
        lines.append(
            f'<tr class="{look}"><td>{_text(called(row.algorithm))}</td>'
            f"<td>{_text(row.method.replace('_', '-'))}{said}</td>"
            + "".join(f'<td class="n">{_text(cell)}</td>' for cell in cells)
            + "</tr>"
        )
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def _best(found: Comparison) -> list[str]:
    shown = []
    for algorithm in dict.fromkeys(row.algorithm for row in found.rows):
        row = found.best_of(algorithm)
        if row is found.shown:
            shown.append(f"<p>{_text(row.title)}: the tree above.</p>")
            continue
        worth = f"{row.title}: {found.worth(row.scored.error)}, {leaves(row.n_leaves)}"
        shown.append(f"<details><summary>{_text(worth)}</summary>{_picture(row)}</details>")
    return shown


def _picture(row: Compared) -> str:
    """The tree; one that is not too wide is shown as a whole."""
    svg = to_svg(row.made.tree, max_nodes=MOST_NODES)
    wide = float(svg.split(' width="', 1)[1].split('"', 1)[0])
    return f'<div class="picture{" fit" if wide <= WIDEST else ""}">{svg}</div>'


def _columns(read: Read) -> str:
    heads = "".join(f"<th{k}>{w}</th>" for k, w in zip(("", "", ' class="n"', ' class="n"', ""), _HEADS, strict=True))
    lines = [f"<tr>{heads}</tr>"]
    for name, kind, n_values, n_missing, why in read.columns[:MOST_COLUMNS]:
        counts = "".join(f'<td class="n">{"" if n is None else f"{n:,}"}</td>' for n in (n_values, n_missing))
        lines.append(
            f'<tr><td class="name">{_text(_short(name))}</td><td>{_text(kind)}</td>{counts}'
            f'<td class="why">{_text(_short(why))}</td></tr>'
        )
    more = len(read.columns) - MOST_COLUMNS
    below = f'<p class="muted">… and {more:,} more columns</p>' if more > 0 else ""
    return f'<div class="wide"><table>{"".join(lines)}</table></div>{below}'


_HEADS = ("column", "kind", "values", "missing", "why")


def _list(notes: Sequence[str]) -> list[str]:
    return [f"<ul>{''.join(f'<li>{_text(note)}</li>' for note in notes)}</ul>"] if notes else []


def _short(text: str) -> str:
    return beginning(text, LONGEST)


def _text(text: str) -> str:
    return escape(printable(text))


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
