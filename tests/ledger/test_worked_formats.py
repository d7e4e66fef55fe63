"""A worked solution as text, Markdown, LaTeX, HTML and data: the same numbers everywhere, and names as text."""

import json
import re
import shutil
import subprocess
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from tests.golden.tables import GOLF, WATERMELON_20A
from tests.ledger.worked_cases import fitted
from treewright import C45Classifier, CARTClassifier, ID3Classifier
from treewright.ledger.worked.document import Label
from treewright.ledger.worked.render_html import user_words
from treewright.ledger.worked.render_latex import escape_latex as latex
from treewright.ledger.worked.render_markdown import MarkdownRenderer
from treewright.ledger.worked.render_markdown import escape_markdown as markdown
from treewright.model.formatting import printable

HOSTILE = [
    "</script><script>alert(1)</script>",
    "a|b *c* _d_ `e` [f](http://g.h) <i>",
    "$x_1$ \\frac{1}{2} ~^#%& {} \\end{tabular}",
    "line\nfeed\ttab\u2028\u2029\x00\x1b[31m",
    "\u202eright to left\u2066 عربى",
    "emoji 😀👩‍👧 and 西瓜",
    "",
    "'quotes\" -- ''``?`<<>>,,",
    "y" * 10_000,
    "\ud800 lone",
    "&amp; &#36; <!-- -->",
    "1. list\n# head\n- item",
    "]]> * [0]",
    "    - indented",
]


@cache
def hostile():
    """A tree whose columns, categories and classes all have such names."""
    rng = np.random.default_rng(3)
    n = 240
    words = np.array(HOSTILE, dtype=object)
    columns = [rng.normal(size=n) if i % 4 == 3 else rng.choice(words, n) for i in range(len(HOSTILE))]
    X = pd.concat([pd.Series(c, dtype=c.dtype) for c in columns], axis=1)
    X.columns = pd.Index(HOSTILE, dtype=object)
    y = words[(columns[3] > 0) * 1 + (rng.random(n) < 0.4) * 2]
    return CARTClassifier(pruning="minimum_error", min_samples_leaf=20).fit(X, y)


@cache
def solutions():
    """Solutions with many kinds of parts."""
    golf = C45Classifier().fit(GOLF.frame(), GOLF.y)
    melons = ID3Classifier(missing="fractional").fit(WATERMELON_20A.frame(), WATERMELON_20A.y)
    found = {"golf": golf.worked_solution(), "melons": melons.worked_solution(language="zh")}
    for name in ("regression learned", "pruned mdl", "pruned cost_complexity", "pruned critical_value", "c4.5 branch"):
        found[name] = fitted(name).worked_solution(0, grown=True)
    for language in ("en", "zh"):
        found[f"hostile {language}"] = hostile().worked_solution(language=language, columns=HOSTILE)
    return found


NAMES = ["golf", "melons", "regression learned", "pruned mdl", "pruned cost_complexity", "pruned critical_value",
         "c4.5 branch", "hostile en", "hostile zh"]  # fmt: skip


class Texts(HTMLParser):
    """The text of a page, and its tags."""

    def __init__(self):
        super().__init__()
        self.texts, self.tags, self.attributes = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.texts.append(data)


TAGS = {
    "div", "h3", "h4", "p", "small", "table", "thead", "tbody", "tr", "th", "td", "bdi", "br", "math", "mrow", "mi",
    "mn", "mo", "mtext", "mfrac", "msub", "msup", "msubsup", "msqrt", "mover", "mspace",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_html_has_our_tags_only(name):
    page = solutions()[name].to_html()
    read = Texts()
    read.feed(page)
    assert set(read.tags) <= TAGS
    assert {key for key, _ in read.attributes} <= {
        "class", "style", "align", "cellpadding", "displaystyle", "accent", "width",
    }  # fmt: skip
    # Every element is closed, so a page that takes it in stays whole.
    ET.fromstring(page)
    assert solutions()[name]._repr_html_() == page


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_are_text_in_html(name):
    read = Texts()
    read.feed(solutions()["hostile en"].to_html())
    shown = user_words(Label(name))
    read_back = Texts()
    read_back.feed(f"<p>{shown}</p>")
    assert read_back.tags == ["p"]
    assert "".join(read_back.texts) in "".join(read.texts)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_character_that_steers_comes_through(language):
    found = solutions()[f"hostile {language}"]
    for text in (found.to_text(), found.to_markdown(), found.to_latex(), found.to_html(), json.dumps(found.to_dict())):
        steering = set(re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", text))
        assert steering == set()
        text.encode("utf-8")


def markdown_tokens(text):
    from markdown_it import MarkdownIt

    # Formulas are taken out before Markdown is read, as notebooks and GitHub do.
    outside = re.sub(r"\$\$[^$]*\$\$|(?<!\\)\$(?:[^$\\\n]|\\.)*\$", "FORMULA", text)
    return MarkdownIt("commonmark").enable("table").parse(outside), outside


@pytest.mark.parametrize("name", NAMES)
def test_markdown_has_headings_tables_and_text_only(name):
    pytest.importorskip("markdown_it")
    tokens, _ = markdown_tokens(solutions()[name].to_markdown())
    allowed = {"heading", "paragraph", "inline", "table", "thead", "tbody", "tr", "th", "td"}
    assert {re.sub("_(open|close)$", "", token.type) for token in tokens} <= allowed
    inner = {child.type for token in tokens for child in token.children or ()}
    assert inner <= {"text", "text_special", "em_open", "em_close", "softbreak"}
    em = sum(child.type == "em_open" for token in tokens for child in token.children or ())
    assert em == 1  # the note at the end


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_are_text_in_markdown(name):
    pytest.importorskip("markdown_it")
    from markdown_it import MarkdownIt

    (token,) = [t for t in MarkdownIt("commonmark").parse("x " + markdown(name)) if t.type == "inline"]
    assert "".join(child.content for child in token.children) == ("x " + printable(name)).strip()


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_markdown_tables_have_as_many_cells_as_their_head(name):
    lines = solutions()[name].to_markdown().splitlines()
    width = None
    for line in lines:
        if not line.startswith("|"):
            width = None
            continue
        cells = len(re.findall(r"(?<!\\)\|", line))
        width = cells if width is None else width
        assert cells == width


def test_words_in_formulas_of_markdown_have_no_sign_of_markdown():
    page = MarkdownRenderer(4)
    for name in HOSTILE:
        said = page.words(Label(name))
        assert not set(said) & set("$`|<>*\n")
        assert len(re.findall(r"(?<!\\)\{", said)) == len(re.findall(r"(?<!\\)\}", said))


@pytest.mark.parametrize("name", NAMES)
def test_latex_is_balanced(name):
    text = solutions()[name].to_latex()
    bare = re.sub(r"\\[\\{}$&#%_]", "", re.sub(r"(?m)^%.*$", "", text))
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    assert bare.count(r"\left") == bare.count(r"\right")
    opened, closed = re.findall(r"\\begin\{(\w+)\}", bare), re.findall(r"\\end\{(\w+)\}", bare)
    assert sorted(opened) == sorted(closed)
    assert set(opened) <= {"center", "tabular", "aligned"}
    # Nothing is a comment, a parameter or an alignment but where it is ours.
    assert "%" not in bare
    assert "#" not in bare


def test_latex_escapes():
    assert latex("$x_1$ & 50% #{}~^\\") == (
        r"\$x\_1\$ \& 50\% \#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}"
    )
    assert latex("a -- b ''") == "a -{}- b '{}'"
    assert latex("*[0]") == "{*}{[}0]"


DOCUMENT = r"""\documentclass{article}
\usepackage{amsmath}
\begin{document}
%s
\end{document}
"""


@pytest.mark.parametrize("name", ["golf", "regression learned", "hostile en"])
def test_latex_compiles(name, tmp_path):
    program = shutil.which("xelatex" if name.startswith("hostile") else "pdflatex")
    if program is None:
        pytest.skip("LaTeX is not installed")
    (tmp_path / "a.tex").write_text(DOCUMENT % solutions()[name].to_latex(), encoding="utf-8")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-2000:]


def figures_in(text):
    """The decimals of a text, in order."""
    return re.findall(r"(?<![\w.])\d+\.\d{4}(?!\d)", text)


@pytest.mark.parametrize("name", NAMES[:7])
def test_all_formats_show_the_same_numbers(name):
    solution = solutions()[name]
    read = Texts()
    read.feed(solution.to_html())
    in_text = sorted(figures_in(solution.to_text()))
    assert len(in_text) > 20
    assert sorted(figures_in(" ".join(read.texts))) == in_text
    assert sorted(figures_in(solution.to_markdown())) == in_text
    assert sorted(figures_in(solution.to_latex())) == in_text


@pytest.mark.parametrize("name", NAMES)
def test_data_can_be_stored_as_json(name):
    data = solutions()[name].to_dict()
    stored = json.loads(json.dumps(data, allow_nan=False))
    assert stored == data
    assert stored["sections"][0]["heading"] in solutions()[name].to_text()
    kinds = {frozenset(part) for section in data["sections"] for part in section["parts"]}
    assert kinds <= {
        frozenset({"sentence"}),
        frozenset({"formula", "latex", "value"}),
        frozenset({"head", "rows", "values", "below"}),
    }


def test_values_behind_the_figures():
    data = solutions()["golf"].to_dict()
    (rows,) = [s for s in data["sections"] if s["heading"] == "The rows"]
    (formula,) = [part for part in rows["parts"] if "formula" in part]
    assert formula["value"] == pytest.approx(0.94028595867, rel=1e-10)
    assert formula["latex"].startswith(r"\mathrm{Ent}\left(D\right) = -\left(\frac{5}{14}")


def test_lines_of_text_fit_a_terminal():
    from treewright.text_table import text_width

    for name in NAMES[:7]:
        for line in solutions()[name].to_text().splitlines():
            is_table = line.startswith("  ") and "  " in line.strip()
            assert text_width(line) <= 110 or is_table


def test_formulas_are_not_broken_within_brackets():
    text = solutions()["regression learned"].to_text() + solutions()["golf"].to_text()
    for line in text.splitlines():
        if line.count("(") != line.count(")") and "√" not in line:
            assert not line.startswith("  ")
