"""The picture: valid XML for any name, every node in its place, and nothing that overlaps or runs."""

import re
import time
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from tests.export.hostile import HOSTILE, hostile_tree
from tests.export.test_outline import fan
from tests.model.samples import CLASSES, SPECS, chain, every_kind, regression
from tests.plot.trees import SVG, boxes, overlap, read_svg, texts
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, ParameterError
from treewright.export.colours import CLASS_COLOURS, DARK, LIGHT, number_colour
from treewright.export.labels import clipped
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.plot import to_svg
from treewright.plot.fonts import text_width

ALLOWED = {"svg", "title", "desc", "style", "g", "rect", "path", "text"}


def test_golf_has_its_boxes_and_words():
    root = read_svg(to_svg(golf_example()))
    assert sorted(boxes(root)) == list(range(8))
    words = texts(root)
    for text in ("outlook", "humidity", "windy", "sunny", "overcast", "rain", "≤ 75", "> 75", "False", "True", "n=14"):
        assert text in words
    assert words.count("Play") == 4  # three leaves and the legend
    assert words.count("Don't Play") == 3
    assert root.find(SVG + "title").text == "Decision tree for golf: 8 nodes, 5 leaves, depth 2"
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.find(SVG + "title").text
    assert root.find(SVG + "desc").text == golf_example().to_text()


@pytest.mark.parametrize("direction", ["down", "across"])
@settings(max_examples=60)
@given(spec=SPECS)
def test_every_node_has_a_box_and_no_two_overlap(direction, spec):
    tree = build(CLASSES, spec)
    root = read_svg(to_svg(tree, direction=direction))
    found = boxes(root)
    assert sorted(found) == list(range(tree.n_nodes))
    width, height = float(root.get("width")), float(root.get("height"))
    places = list(found.values())
    for i, a in enumerate(places):
        assert a[0] >= 0
        assert a[1] >= 0
        assert a[0] + a[2] <= width
        assert a[1] + a[3] <= height
        assert not any(overlap(a, b) for b in places[:i])
    along, ahead = (0, 1) if direction == "down" else (1, 0)
    for i in range(1, tree.n_nodes):
        assert found[i][ahead] > found[int(tree.parent[i])][ahead]
        if tree.parent[i] == tree.parent[i - 1]:
            assert found[i][along] > found[i - 1][along]


def test_the_bar_of_a_node_shows_the_shares_of_its_classes():
    tree = build(CLASSES, leaf({"no": 1, "perhaps": 2, "yes": 5}))
    root = read_svg(to_svg(tree))
    bars = [r for r in root.iter(SVG + "rect") if r.get("height") == "8" and r.get("fill") in CLASS_COLOURS]
    widths = np.array([float(r.get("width")) for r in bars])
    assert [r.get("fill") for r in bars] == list(CLASS_COLOURS[:3])
    assert widths / widths.sum() == pytest.approx([1 / 8, 2 / 8, 5 / 8], abs=0.002)


def test_a_curve_is_as_wide_as_the_share_of_the_rows_it_carries():
    root = read_svg(to_svg(golf_example()))
    wide = [float(path.get("stroke-width")) for path in root.iter(SVG + "path")]
    assert wide == pytest.approx([14 * n / 14 for n in (5, 4, 5, 2, 3, 3, 2)])


def test_numbers_have_a_colour_and_a_mark_between_the_least_and_the_greatest():
    root = read_svg(to_svg(regression()))
    strokes = [r.get("stroke") for r in root.iter(SVG + "rect") if r.get("rx") == "7"]
    assert strokes[1:] == [number_colour(0), number_colour(1)]
    assert "mean 3.5, sd 2.67" in texts(root)


def test_colours_of_numbers_are_spread_over_what_is_shown():
    X = [[i] for i in range(64)]
    model = CARTRegressor(pruning=None).fit(X, [float(i) for i in range(64)])
    words = texts(read_svg(model.to_svg(max_depth=1)))
    assert {"15.5", "47.5"} <= set(words)
    assert "63" not in words


def test_the_ninth_class_is_not_the_first():
    nine = [f"c{i}" for i in range(9)]
    model = CARTClassifier(pruning=None).fit([[i] for i in range(9)], nine)
    picture = to_svg(model)
    first = {title: group for group in read_svg(picture).iter(SVG + "g") if (title := group.findtext(SVG + "title"))}
    plain, striped = (len(first[name].findall(SVG + "rect")) for name in ("c0", "c8"))
    assert striped > plain


def test_more_classes_than_a_bar_can_show():
    n = 300
    model = ID3Classifier(numeric="bisect", max_depth=1).fit([[i] for i in range(n)], [f"c{i}" for i in range(n)])
    root = read_svg(to_svg(model))
    assert "… 260 more classes" in texts(root)
    assert len(list(root.iter(SVG + "rect"))) < 500


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_names_are_text_and_the_picture_is_valid(evil):
    picture = to_svg(hostile_tree(evil), title=evil)
    picture.encode()
    root = ET.fromstring(picture.encode())
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ALLOWED
    names = {name for element in root.iter() for name in element.attrib}
    assert not any(name.startswith("on") or "href" in name for name in names)
    said = [title.text or "" for title in root.iter(SVG + "title")]
    assert f"Decision tree for {clipped(evil)}: 5 nodes, 3 leaves, depth 2" in said
    assert any(text.startswith(f"node 0: splits on {clipped(evil)}") for text in said)
    assert all(text_width(text, 12) < 500 for text in texts(root))


def test_a_long_name_is_cut_in_the_box_and_whole_on_a_hover():
    name = "the number of days since the last visit of the customer"
    schema = golf_example().schema
    tree = build(
        type(schema)((type(schema.columns[0])(name, schema.columns[1].kind),), schema.target),
        number(name, 3.5, leaf("Play"), leaf("Don't Play")),
    )
    root = read_svg(to_svg(tree))
    assert name not in texts(root)
    assert any("…" in text and text.startswith("the number") for text in texts(root))
    assert any(f"splits on {name}" in (title.text or "") for title in root.iter(SVG + "title"))


def test_of_many_categories_whole_ones_are_named_and_the_others_counted():
    towns = [f"town number {i}" for i in range(40)]
    model = CARTClassifier(pruning=None).fit(
        pd.DataFrame({"town": towns * 3}), [i % 40 < 25 for i in range(120)]
    )
    words = texts(read_svg(to_svg(model)))
    assert "{town number 0, … 24 more}" in words or any(w.startswith("{town number 25, … 14 more") for w in words)
    assert all(w.endswith("more}") for w in words if w.startswith("{"))


def test_a_long_list_of_categories_becomes_its_shorter_complement():
    """Twelve of sixteen categories take one branch; categories that do not occur at the node go there too."""
    letters = [f"{c}{c}" for c in "abcdefghijklmnop"]
    schema = Schema((Column("letter", Kind.CATEGORY, (*letters, "unseen")),), Target("class", ("a", "b")))
    spec = table("letter", {tuple(letters[4:]): leaf({"a": 12}), tuple(letters[:4]): leaf({"b": 4})})
    root = read_svg(to_svg(build(schema, spec)))
    titles = [title.text for title in root.iter(SVG + "title")]
    assert f"letter in {{{', '.join(letters[4:])}}}" in titles
    assert {"12 of 16: all but aa, bb, cc, dd", "{aa, bb, cc, dd}"} <= set(texts(root))


def test_limits_leave_stubs_that_count_the_leaves():
    root = read_svg(to_svg(every_kind(), max_depth=1))
    assert sorted(boxes(root)) == [0, 1, 2]
    assert [text for text in texts(root) if text.startswith("…")] == ["… 2 leaves", "… 3 leaves"]
    assert "8 nodes, 5 leaves, depth 2; 3 nodes shown" in texts(root)
    words = texts(read_svg(to_svg(fan(1000))))
    assert "… 941 more branches" in words
    assert "941 leaves" in words
    assert f"n={sum(range(1, 942)) / 1000:.0f}k" in words


def test_a_picture_grows_across_where_it_would_be_too_wide():
    wide = fan(30)
    down, across, auto = (read_svg(to_svg(wide, direction=d)) for d in ("down", "across", "auto"))
    assert float(down.get("width")) > 2500 > 500 > float(across.get("width"))
    assert auto.get("width") == across.get("width")
    small = golf_example()
    assert to_svg(small) == to_svg(small, direction="down")


def test_colours_follow_the_page():
    auto, light, dark = (to_svg(golf_example(), theme=theme) for theme in ("auto", "light", "dark"))
    assert "@media (prefers-color-scheme:dark)" in auto
    assert DARK.ink in auto
    assert "<style" not in light + dark
    assert f'fill="{LIGHT.paper}"' in light
    assert f'fill="{LIGHT.paper}"' in auto  # a paper of its own: it can be read on any page
    assert f'fill="{DARK.paper}"' in dark
    assert LIGHT.ink not in dark


def test_styles_touch_nothing_but_the_picture():
    """In a notebook the style stands in the page itself."""
    style = read_svg(to_svg(golf_example())).findtext(SVG + "style")
    inside = style.partition("{")[2].removesuffix("}")
    assert all(rule.startswith(".treewright .tw-") for rule in inside.split("}")[:-1])
    assert ' id="' not in to_svg(golf_example())


def test_the_bytes_do_not_depend_on_the_order_of_rows():
    X = pd.DataFrame({"a": [1.5, 2.5, 3.5, 4.5] * 5, "b": list("xyyz") * 5})
    y = [0, 1, 1, 0] * 5
    order = np.random.default_rng(0).permutation(20)
    one = C45Classifier(pruning=None).fit(X, y).to_svg()
    two = C45Classifier(pruning=None).fit(X.iloc[order], np.array(y)[order]).to_svg()
    assert one == two == C45Classifier(pruning=None, n_jobs=2).fit(X, y).to_svg()


def test_a_single_leaf():
    root = read_svg(to_svg(CARTClassifier().fit([[1.0], [2.0]], ["a", "a"])))
    assert list(boxes(root)) == [0]
    assert "1 node, 1 leaf, depth 0" in texts(root)
    assert not list(root.iter(SVG + "path"))


def test_an_empty_branch_is_dashed():
    root = read_svg(to_svg(every_kind()))
    dashed = [group for group in root.iter(SVG + "g") if 'stroke-dasharray' in ET.tostring(group).decode()]
    assert [group.findtext(SVG + "title").partition("\n")[0] for group in dashed] == [
        "colour in {white, black}", "node 7: leaf, no",
    ]  # fmt: skip


def test_large_targets_and_infinite_thresholds():
    model = CARTRegressor(criterion="absolute_error", pruning=None)
    huge = model.fit([[-1e300], [1e300], [np.nan]], [1e289, -1e289, 0.0])
    read_svg(to_svg(huge))
    known = CARTClassifier(missing="branch", pruning=None).fit([[1.0], [np.nan]] * 3, ["a", "b"] * 3)
    assert {"known", "missing"} <= set(texts(read_svg(to_svg(known))))


def test_a_file_is_written_and_a_bad_place_is_named(tmp_path):
    model = CARTClassifier().fit([[1.0], [2.0]], ["a", "b"])
    text = model.to_svg(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == text
    with pytest.raises(InputError, match="Folder not found"):
        model.to_svg(tmp_path / "no" / "tree.svg")


BAD = [("direction", "up"), ("theme", "blue"), ("max_depth", -1), ("max_nodes", 0)]


@pytest.mark.parametrize(("name", "bad"), BAD)
def test_a_bad_parameter_is_named(name, bad):
    with pytest.raises(ParameterError, match=f"{name}.* must be .* got {bad!r}"):
        to_svg(golf_example(), **{name: bad})


def test_large_trees_take_moments_with_limits_and_seconds_without():
    tree = chain(10_000)
    start = time.process_time()
    small = to_svg(tree)
    assert time.process_time() - start < 2
    assert len(small) < 1_500_000
    start = time.process_time()
    assert to_svg(tree, max_nodes=None).count("<path") == 20_000
    assert time.process_time() - start < 20


def test_a_chain_of_100_000_splits():
    assert "200,001 nodes, 100,001 leaves, depth 100,000; 499 nodes shown" in to_svg(chain(100_000))


def test_one_number_has_no_scale():
    text = CARTRegressor().fit([[1], [2]], [3.0, 3.0]).to_svg()
    assert number_colour(0) not in text
    assert text.count(">3</text>") == 2


def test_thin_curves_have_more_contrast():
    X, y = [[i] for i in range(100)], ["a"] * 99 + ["b"]
    text = CARTClassifier(pruning=None).fit(X, y).to_svg(theme="dark")
    strokes = re.findall(r'<path [^>]*stroke="(#\w+)" stroke-width="([\d.]+)"', text)
    assert [colour for colour, width in strokes if float(width) < 2.5] == [DARK.line]
    assert [colour for colour, width in strokes if float(width) > 10] == [DARK.edge]


def test_no_curve_runs_behind_a_box():
    """Of two boxes side by side one is taller, because it says how much is below it that is not shown."""

    def heavy(low, high):
        if high - low == 1:
            return leaf({"ab"[low % 2]: 50})
        middle = (low + high) // 2
        return number("x", float(middle), heavy(low, middle), heavy(middle, high))

    schema = Schema((Column("x", Kind.NUMBER),), Target("class", ("a", "b")))
    tree = build(schema, number("x", 0.0, number("x", -1.0, leaf({"a": 1}), leaf({"b": 1})), heavy(1, 9)))
    text = to_svg(tree, max_nodes=17, direction="down")
    drawn = boxes(read_svg(text))
    assert len({height for *_, height in drawn.values()}) == 2
    for way, wide in re.findall(r'<path d="M([^"]*)"[^>]*stroke-width="([\d.]+)"', text):
        x0, y0, x1, y1, x2, y2, x3, y3 = map(float, re.findall(r"[-\d.]+", way)[:8])
        for t in np.linspace(0.02, 0.98, 49):
            parts = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            x, y = np.dot(parts, [x0, x1, x2, x3]), np.dot(parts, [y0, y1, y2, y3])
            upper = y - float(wide) / 2  # where it runs level
            met = [i for i, (a, b, width, height) in drawn.items() if a < x < a + width and b < upper < b + height - 1]
            assert all(abs(x - x0) < 12 for _ in met)  # only the box that it leaves
