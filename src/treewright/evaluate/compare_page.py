"""A comparison of algorithms as one HTML file.

The page has the recommendation and its tree, a scatter plot of size and score, held-out predictions (confusion matrix
and calibration, or residuals), importances, the table of all trees, drawings of the best ones, the columns of the table
and the next commands. It has no script and loads nothing; names and categories are escaped, and a content
security policy tells the browser to run nothing.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape

import numpy as np

from treewright.evaluate.compare_algorithms import ComparedTree, Comparison, algorithm_name, pruning_name
from treewright.evaluate.compare_charts import calibration_chart, importance_chart, residual_chart, scatter
from treewright.evaluate.cross import HeldOutPredictions
from treewright.evaluate.score_report import (
    MAX_CLASSES,
    class_names,
    confusion_lines,
    describe_error,
    percent,
)
from treewright.evaluate.scores import ClassScores
from treewright.language import messages
from treewright.model.formatting import format_weight, printable, truncate
from treewright.plot.svg import to_svg

MAX_NODES = 40
"""Nodes of a drawn tree."""

MAX_FITTED_WIDTH = 1700.0
"""Width in pixels up to which a picture is still readable when fitted to the page."""

MAX_COLUMNS = 200
"""Columns that are listed."""

MAX_NAME = 200
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
th.row{font-weight:400;color:var(--ink)}tr.chosen td{background:var(--band);font-weight:600}
.badge{display:inline-block;margin-left:6px;padding:0 7px;border-radius:9px;border:1px solid var(--good);
color:var(--good);font-size:.82em;font-weight:600;white-space:nowrap}
.picture{overflow:auto;max-height:900px;margin:10px 0}.picture svg{display:block}
.fit{max-height:none}.fit svg{max-width:max(100%,560px);height:auto}
figure{margin:0;overflow-x:auto}
svg.chart.small{width:410px;min-width:300px;max-width:100%}svg.chart .fill{fill:#0072b2;fill-opacity:.85}
.lead p{margin:6px 0}td.h0{background:none}td.h1{background:rgba(0,114,178,.12)}td.h2{background:rgba(0,114,178,.24)}
td.h3{background:rgba(0,114,178,.38)}td.h4{background:rgba(0,114,178,.55)}th.row{text-align:left}
svg.chart{width:100%;min-width:560px;max-width:780px;height:auto;background:var(--card);border:1px solid var(--edge);
border-radius:8px}
svg.chart text{fill:var(--muted);font-size:13px}svg.chart .strong{fill:var(--ink);font-weight:600;
paint-order:stroke;stroke:var(--card);stroke-width:4px}
svg.chart .axis{stroke:var(--muted);fill:none}svg.chart .rule{stroke:var(--edge);stroke-width:.5}
svg.chart .band{fill:var(--band)}svg.chart .base{stroke:var(--muted);stroke-dasharray:5 4}
svg.chart .mark{fill-opacity:.85;stroke:var(--card)}svg.chart .ring{fill:none;stroke:var(--ink);stroke-width:1.5}
pre{background:var(--soft);border-radius:8px;padding:12px 16px;overflow-x:auto;font-size:.88em;line-height:1.6}
summary{cursor:pointer;font-weight:600;padding:4px 0}li{margin:4px 0}
@media print{body{max-width:none;padding:0;font-size:11pt}.picture{max-height:none;overflow:visible}
.picture svg{max-width:100%;height:auto}.wide{overflow:visible}h2{break-after:avoid}tr,.lead,figure{break-inside:avoid}}
"""


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """A column of the table: name, kind, numbers of distinct and of missing values, and the reason for its kind."""

    name: str
    kind: str
    n_values: int | None
    n_missing: int | None
    why: str


@dataclass(frozen=True, slots=True)
class TableSummary:
    """The table that was read: its file, number of rows, target and columns."""

    source: str
    n_rows: int
    target: str
    columns: Sequence[ColumnSummary]


def compare_page(
    found: Comparison, table: TableSummary, commands: Sequence[tuple[str, str]], notes: Sequence[str] = ()
) -> str:
    """Return the report as HTML, in the language of the comparison.

    commands  the next commands, each with what it does
    notes     remarks on the table, besides the notes of the comparison
    """
    _ = messages(found.language)
    title = _("Decision trees for {target}", target=_short(table.target))
    body = [
        f"<h1>{_html(title)}</h1>",
        f'<p class="muted">{_html(_opening(found, table))}</p>',
        f'<div class="lead">{"".join(f"<p>{_html(one)}</p>" for one in found.sentences())}</div>',
        *_list([*notes, *found.notes]),
        _heading(found.shown.title(found.language)),
        _picture(found.shown, found.language),
        _heading(_("Size and score")),
        f"<figure>{scatter(found)}</figure>",
        *_held_out(found.held_out(found.shown), found.language),
        *_importances(found),
        _heading(_("All trees")),
        _table(found),
        f'<p class="muted">{_html(_table_legend(found))}</p>',
        _heading(_("The best tree of each algorithm")),
        *_best_trees(found),
        _heading(_("Columns of the table")),
        _columns(table, found.language),
        _heading(_("Next commands")),
        *[f"<p>{_html(does)}</p><pre><code>{_html(command)}</code></pre>" for command, does in commands],
    ]
    return _page(title, "\n".join(body), found.language)


def _page(title: str, body: str, language: str) -> str:
    # The pictures have a style sheet of their own for dark pages; it is allowed by its hash, like that of the page.
    styles = {STYLE, *re.findall("<style>(.*?)</style>", body, re.DOTALL)}
    allowed = " ".join(sorted(map(_hash, styles)))
    policy = f"default-src 'none'; style-src {allowed}; base-uri 'none'; form-action 'none'"
    head = [
        "<!doctype html>",
        f'<html lang="{language}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy, quote=False)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="generator" content="Treewright">',
        f"<title>{_html(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
    ]
    return "\n".join([*head, "<main>", body, "</main>", "</body>", "</html>", ""])


def _opening(found: Comparison, table: TableSummary) -> str:
    _ = messages(found.language)
    return _(
        "{source}: {n_rows} rows. Every tree is scored on held-out rows, in {folds}-fold cross-validation; "
        "{baseline}.",
        source=_short(table.source),
        n_rows=f"{table.n_rows:,}",
        folds=found.cross.folds,
        baseline=_short(found.describe_baseline()),
    )


def _table_legend(found: Comparison) -> str:
    _ = messages(found.language)
    if found.is_number:
        scores = _("Root mean squared error and R² in cross-validation, ± one standard error.")
    else:
        scores = _("Accuracy and log loss in cross-validation, ± one standard error.")
    return _(
        "{scores} Leaves, depth and seconds are those of the tree grown on all rows. Methods that need validation "
        "rows hold out a quarter of the rows.",
        scores=scores,
    )


def _table(found: Comparison) -> str:
    _ = messages(found.language)
    score = "RMSE" if found.is_number else _("accuracy")
    heads = [("", _("algorithm")), ("", _("pruning")), ("n", score), ("n", "±")]
    heads += [("n", "R²" if found.is_number else _("log loss"))]
    heads += [("n", _("leaves")), ("n", _("depth")), ("n", _("seconds"))]
    lines = ["<tr>" + "".join(f'<th class="{kind}">{_html(word)}</th>' for kind, word in heads) + "</tr>"]
    for row in found.rows:
        marks = [(found.best, _("best")), (found.recommended, _("recommended"))]
        if found.readable_sentence() is not None:
            marks.append((found.readable, _("best with at most 20 leaves")))
        badges = "".join(f'<span class="badge">{_html(word)}</span>' for one, word in marks if one is row)
        tree, scored = row.fitted.tree, row.scored
        cells = [
            found.format_score(scored.error),
            found.format_score_se(scored),
            found.format_second_score(scored),
        ]
        cells += [f"{tree.n_leaves:,}", f"{tree.depth:,}", f"{row.fitted.seconds:.2g}"]
        lines.append(
            f'<tr class="{"chosen" if row is found.recommended else ""}">'
            f"<td>{_html(algorithm_name(row.algorithm))}</td>"
            f"<td>{_html(pruning_name(row.method, found.language))}{badges}</td>"
            + "".join(f'<td class="n">{_html(cell)}</td>' for cell in cells)
            + "</tr>"
        )
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def _importances(found: Comparison) -> list[str]:
    _ = messages(found.language)
    chart = importance_chart(found.shown.fitted.tree, found.language)
    return [_heading(_("Importance of the columns")), f"<figure>{chart}</figure>"] if chart else []


def _held_out(found: HeldOutPredictions, language: str) -> list[str]:
    """Return how the shown tree predicts held-out rows: confusion matrix and calibration, or residuals."""
    _ = messages(language)
    parts = [_heading(_("Predictions of held-out rows"))]
    if isinstance(found.scores, ClassScores):
        error = describe_error(found.scores, language)
        parts += [f"<p>{_html(_('Error rate: {error}.', error=error))}</p>", _confusion(found.scores, language)]
        if found.scores.calibration is not None:
            of = found.scores.calibration.of
            if of is None:
                words = _("Probability of the predicted class, and how often it was right:")
            else:
                words = _("Probability of {name}, and how often it was that class:", name=_short(of))
            chart = calibration_chart(found.scores.calibration, language)
            parts += [_heading(_("Calibration")), f"<p>{_html(words)}</p><figure>{chart}</figure>"]
        return parts
    residuals = found.actual - found.predicted
    half, most = np.quantile(np.abs(residuals), [0.5, 0.9])
    within = _(
        "{error}. Half of the predictions are off by at most {half}, nine of ten by at most {most}.",
        error=describe_error(found.scores, language),
        half=f"{half:.4g}",
        most=f"{most:.4g}",
    )
    chart = residual_chart(residuals, found.weight, language)
    return [*parts, f"<p>{_html(within)}</p>", f"<figure>{chart}</figure>"]


def _confusion(scores: ClassScores, language: str) -> str:
    """Return the confusion matrix; the darker a cell, the larger the proportion of the true class."""
    if len(scores.classes) > MAX_CLASSES:
        return f"<p>{_html(confusion_lines(scores, language)[0])}</p>"
    _ = messages(language)
    names, matrix = class_names(scores.classes), scores.confusion
    totals = np.maximum(matrix.sum(axis=1), np.finfo(np.float64).tiny)
    heads = "".join(f'<th class="n">{_html(name)}</th>' for name in [*names, _("recall")])
    corner = _("true \\ predicted")
    lines = [f"<tr><th>{_html(corner)}</th>{heads}</tr>"]
    for i, name in enumerate(names):
        cells = "".join(
            f'<td class="n h{min(int(5 * matrix[i, j] / totals[i]), 4)}">{format_weight(matrix[i, j])}</td>'
            for j in range(len(names))
        )
        recall = "" if np.isnan(scores.recall[i]) else percent(scores.recall[i])
        head = f'<th class="row" scope="row">{_html(name)}</th>'
        lines.append(f'<tr>{head}{cells}<td class="n">{recall}</td></tr>')
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def _best_trees(found: Comparison) -> list[str]:
    _ = messages(found.language)
    parts = []
    for algorithm in dict.fromkeys(row.algorithm for row in found.rows):
        row = found.best_of(algorithm)
        if row is found.shown:
            above = _("{tree}: shown above", tree=row.title(found.language))
            parts.append(f"<p>{_html(above)}</p>")
        else:
            parts.append(
                f"<details><summary>{_html(found.summary(row))}</summary>{_picture(row, found.language)}</details>"
            )
    return parts


def _picture(row: ComparedTree, language: str) -> str:
    """Return the drawn tree; one that is not too wide is fitted to the page."""
    svg = to_svg(row.fitted.tree, max_nodes=MAX_NODES, language=language)
    width = float(svg.split(' width="', 1)[1].split('"', 1)[0])
    return f'<div class="picture{" fit" if width <= MAX_FITTED_WIDTH else ""}">{svg}</div>'


def _columns(table: TableSummary, language: str) -> str:
    _ = messages(language)
    heads = (("", _("column")), ("", _("kind")), ("n", _("values")), ("n", _("missing")), ("", _("reason")))
    lines = ["<tr>" + "".join(f'<th class="{kind}">{_html(word)}</th>' for kind, word in heads) + "</tr>"]
    for one in table.columns[:MAX_COLUMNS]:
        counts = "".join(
            f'<td class="n">{"" if n is None else f"{n:,}"}</td>' for n in (one.n_values, one.n_missing)
        )
        lines.append(
            f'<tr><td class="name">{_html(_short(one.name))}</td><td>{_html(one.kind)}</td>{counts}'
            f'<td class="why">{_html(_short(one.why))}</td></tr>'
        )
    n_more = len(table.columns) - MAX_COLUMNS
    more = _.plural("… {n} more column", "… {n} more columns", n_more)
    below = f'<p class="muted">{_html(more)}</p>' if n_more > 0 else ""
    return f'<div class="wide"><table>{"".join(lines)}</table></div>{below}'


def _heading(text: str) -> str:
    return f"<h2>{_html(text)}</h2>"


def _list(notes: Sequence[str]) -> list[str]:
    return [f"<ul>{''.join(f'<li>{_html(note)}</li>' for note in notes)}</ul>"] if notes else []


def _short(text: str) -> str:
    return truncate(text, MAX_NAME)


def _html(text: str) -> str:
    return escape(printable(text))


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
