"""The verbs that ask a model: each says what the Python method of the same name says."""

import json
import xml.etree.ElementTree as ET

import pytest

import treewright
from tests.cli.running import GOLF, run
from treewright import load


def asked(capsys, *words):
    said = run(capsys, *words, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)


def refused(capsys, *words):
    said = run(capsys, *words)
    assert said.code == 1
    assert said.err.count("\n") == 1
    return said.err


@pytest.fixture
def alone(golf, capsys):
    """A file with the tree of golf.json alone, and one with generalised rules."""
    assert run(capsys, "export", "golf.json", "--to", "json", "-o", "tree.json").code == 0
    X, y = treewright.read("golf.csv", "play")
    treewright.C45Classifier().fit(X, y).rules("generalised").save("rules.json")
    return golf


def test_evaluate_counts_what_predict_answers(golf, capsys):
    (golf / "other.csv").write_text(GOLF.replace("sunny,85,85,false,no", "sunny,85,85,false,yes") + "rain,1,1,?,\n")
    found = asked(capsys, "evaluate", "golf.json", "other.csv", "--leaves")
    assert found["rows_left_out"] == 1
    assert found["confusion"] == [[4.0, 0.0], [1.0, 9.0]]
    assert found["accuracy"] == pytest.approx(13 / 14)
    assert found["classes"][1]["recall"] == pytest.approx(0.9)
    assert sum(leaf["rows"] for leaf in found["leaves"]) == 14
    said = run(capsys, "evaluate", "golf.json", "other.csv")
    assert said.err == "note: 1 row without a target value is left out.\n"
    assert "accuracy     92.9%" in said.out
    assert "Leaves" not in said.out


def test_evaluate_meets_columns_by_name_and_answers_by_text(folder, capsys):
    """Classes 1 and 2 in training; a table with other columns, in another order, that writes them 1.0 and 2.0."""
    (folder / "codes.csv").write_text("x,zip,y\n" + "".join(f"{i},0{i % 3},{1 + (i > 7)}\n" for i in range(16)))
    words = ["fit", "codes.csv", "-t", "y", "--categorical", "zip", "--numeric", "x", "--no-cv", "-q"]
    words += ["-a", "c4.5", "-o", "codes.json"]
    assert run(capsys, *words).code == 0
    (folder / "new.csv").write_text("y,more,zip,x\n" + "".join(f"{1 + (i > 7)}.0,?,0{i % 3},{i}\n" for i in range(16)))
    found = asked(capsys, "evaluate", "codes.json", "new.csv")
    assert found["accuracy"] == 1.0
    (folder / "class.csv").write_text("zip,x,y\n01,3,1\n01,12,7\n")
    found = asked(capsys, "evaluate", "codes.json", "class.csv")
    assert (found["unknown_weight"], found["error"]) == (1.0, 0.5)
    (folder / "less.csv").write_text("zip,y\n01,1\n")
    assert "Column 'x' of the model not found in the table" in refused(capsys, "evaluate", "codes.json", "less.csv")
    (folder / "words.csv").write_text("zip,x,y\n01,many,1\n")
    assert "'many'" in refused(capsys, "evaluate", "codes.json", "words.csv")


def test_evaluate_regression_weights_and_another_target(folder, capsys):
    words = ["iris.csv", "-t", "petal_width", "--regression", "--ignore", "species", "--max-depth", "1"]
    trained = json.loads(run(capsys, "fit", *words, "--no-cv", "-o", "width.json", "--json").out)["training"]
    assert asked(capsys, "evaluate", "width.json", "iris.csv") == {
        "model": "width.json", "data": "iris.csv", "rows_left_out": 0, **trained,
    }  # fmt: skip
    text = (folder / "iris.csv").read_text().replace("petal_width", "wide")
    (folder / "renamed.csv").write_text(text)
    found = asked(capsys, "evaluate", "width.json", "renamed.csv", "-t", "wide", "--weights", "sepal_length")
    assert found["rmse"] > 0
    assert found["weight"] != found["rows"]
    said = run(capsys, "evaluate", "width.json", "iris.csv", "--leaves")
    assert "RMSE" in said.out


def test_evaluate_a_tree_alone_and_rules(alone, capsys):
    found = asked(capsys, "evaluate", "tree.json", "golf.csv", "--leaves")
    assert found["accuracy"] == 1.0
    rules = asked(capsys, "evaluate", "rules.json", "golf.csv")
    X, y = treewright.read("golf.csv", "play")
    assert rules["accuracy"] == float((load("rules.json").predict(X) == y.to_numpy()).mean())
    assert "have no leaves" in refused(capsys, "evaluate", "rules.json", "golf.csv", "--leaves")


def test_show(golf, capsys):
    model = load("golf.json")
    said = run(capsys, "show", "golf.json")
    assert said.out.endswith(model.to_text() + "\n")
    assert f"fingerprint    {model.tree_.fingerprint()}" in said.out
    assert "made by        treewright " in said.out
    assert run(capsys, "show", "golf.json", "--depth", "1").out.endswith(model.to_text(1) + "\n")
    assert run(capsys, "show", "golf.json", "--rules").out.endswith(model.rules().to_text() + "\n")
    assert run(capsys, "show", "golf.json", "--importances").out.endswith(f"{model.importances()}\n")
    part = run(capsys, "show", "golf.json", "--node", "3").out
    assert "path           outlook = sunny" in part
    assert part.endswith("Subtree\nhumidity <= 75: yes (2)\nhumidity > 75: no (3)\n")
    assert "Node 9 not found" in refused(capsys, "show", "golf.json", "--node", "9")


def test_show_as_data(golf, capsys):
    found, tree = asked(capsys, "show", "golf.json"), load("golf.json").tree_
    assert found["kind"] == "C45Classifier"
    assert found["fingerprint"] == tree.fingerprint()
    assert {one["node"]: one["children"] for one in found["nodes"]} == {
        node.id: [child.id for child in node.children] for node in tree.walk()
    }
    assert found["importances"][0].keys() == {"name", "importance", "n_splits", "n_surrogates"}
    leaf = asked(capsys, "show", "golf.json", "--node", "1")
    assert leaf["prediction"] == "yes"
    assert leaf["class_weights"] == [["no", 0.0], ["yes", 4.0]]
    assert leaf["gain"] is None


def test_show_says_which_parameters_were_chosen(folder, capsys):
    words = ["--max-depth", "1", "--confidence", "0.1", "--no-cv", "-q", "-o", "small.json"]
    assert run(capsys, "fit", "golf.csv", "-t", "play", "-a", "c4.5", *words).code == 0
    said = run(capsys, "show", "small.json").out.splitlines()
    assert "  max_depth     1" in said
    assert any(line.startswith("  pruning       ErrorBased(confidence=0.1") for line in said)


def test_show_a_tree_alone_and_rules(alone, capsys):
    assert "only a tree" in run(capsys, "show", "tree.json").out
    assert run(capsys, "show", "rules.json").out == load("rules.json").to_text() + "\n"
    assert asked(capsys, "show", "rules.json")["form"] == "generalised"


def test_why(golf, capsys):
    X, y = treewright.read("golf.csv", "play")
    model = treewright.C45Classifier().fit(X, y)
    said = run(capsys, "why", "golf.json", "3")
    assert said.out == f"{model.why(3).to_text()}\n\n{model.why_pruned(3).to_text()}\n"
    found = asked(capsys, "why", "golf.json", "0")
    assert found["ledger"] == json.loads(json.dumps(model.why(0).to_dict()))
    assert found["pruning"]["decision"]["verdict"] == "kept"
    worked = run(capsys, "why", "golf.json", "0", "--worked", "--data", "golf.csv")
    assert worked.out == model.worked_solution(0).to_text() + "\n"
    for shape in ("markdown", "latex", "html"):
        words = ["why", "golf.json", "0", "--worked", "--data", "golf.csv", "--format", shape, "--language", "zh"]
        said = run(capsys, *words)
        assert said.out == getattr(model.worked_solution(0, language="zh"), f"to_{shape}")() + "\n"
    needed = "training rows are required, but the model does not have them; use --data FILE"
    assert needed in refused(capsys, "why", "golf.json", "0", "--worked")
    assert "Node 8 not found" in refused(capsys, "why", "golf.json", "8")
    (golf / "less.csv").write_text("\n".join(GOLF.splitlines()[:9]))
    assert "but the table has 8" in refused(capsys, "why", "golf.json", "0", "--data", "less.csv", "--worked")


def test_why_of_a_tree_alone_says_what_it_needs(alone, capsys):
    assert "contains only a tree; `why` needs a model" in refused(capsys, "why", "tree.json", "0")
    assert "contains only rules; `why` needs a model" in refused(capsys, "why", "rules.json", "0")


@pytest.mark.parametrize(
    "row",
    [
        ["outlook=sunny", "humidity=80", "windy=false"],
        ['{"outlook": "sunny", "humidity": 80, "windy": false}'],
        ["humidity=80.0", "windy=FALSE", "outlook=sunny", "temperature=?"],
    ],
)
def test_explain_reads_a_row_in_several_ways(row, golf, capsys):
    said = run(capsys, "explain", "golf.json", *row)
    expected = load("golf.json").explain({"outlook": "sunny", "humidity": 80, "windy": "false"})
    assert said.out == f"{expected}\n"
    assert asked(capsys, "explain", "golf.json", *row)["answer"] == "no"


def test_explain_a_row_of_a_file_and_other_models(alone, capsys):
    found = asked(capsys, "explain", "golf.json", "--data", "golf.csv", "--row", "5")
    assert found["row"] == {"outlook": "rain", "temperature": 65.0, "humidity": 70.0, "windy": "true"}
    assert found["answer"] == "no"
    assert asked(capsys, "explain", "tree.json", "outlook=rain", "windy=true")["answer"] == "no"
    assert "class no, by rule" in run(capsys, "explain", "rules.json", "outlook=rain", "windy=true").out
    assert "rows are 0 to 13" in refused(capsys, "explain", "golf.json", "--data", "golf.csv", "--row", "14")


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (["outlok=rain"], "Unknown column 'outlok'; did you mean 'outlook'?"),
        (["rain"], "Expected COLUMN=VALUE, such as humidity=80, or a JSON object, got 'rain'."),
        (["windy=true", "windy=false"], "'windy' is given twice"),
        (["humidity=wet"], "'wet'"),
        (['{"humidity": 8'], "The row is not valid JSON"),
        (['{"humidity": [8]}'], "Each column of a row must have one value"),
    ],
)
def test_explain_refuses_a_row_in_one_sentence(row, sentence, golf, capsys):
    assert sentence in refused(capsys, "explain", "golf.json", *row)


def test_explain_needs_one_row(golf, capsys):
    for words in ([], ["--data", "golf.csv"], ["--row", "1"], ["windy=true", "--data", "golf.csv", "--row", "1"]):
        said = run(capsys, "explain", "golf.json", *words)
        assert said.code == 2
        assert "either a row as COLUMN=VALUE pairs, or both --data FILE and --row N" in said.err


def test_rules(alone, capsys):
    model = treewright.C45Classifier().fit(*treewright.read("golf.csv", "play"))
    leaves = model.rules()
    assert run(capsys, "rules", "golf.json").out == leaves.to_text() + "\n"
    assert run(capsys, "rules", "golf.json", "--format", "markdown").out == leaves.to_markdown() + "\n"
    assert asked(capsys, "rules", "golf.json") == json.loads(leaves.to_json())
    words = ["rules", "golf.json", "--form", "generalised", "--data", "golf.csv", "--confidence", "0.1"]
    assert run(capsys, *words).out == model.rules("generalised", confidence=0.1).to_text() + "\n"
    needed = "training rows are required, but the model does not have them; use --data FILE"
    assert needed in refused(capsys, "rules", "golf.json", "--form", "generalised")
    assert run(capsys, "rules", "rules.json").out == load("rules.json").to_text() + "\n"
    assert "rules need a model" in refused(capsys, "rules", "tree.json")
    said = run(capsys, "rules", "golf.json", "--format", "json", "-o", "out.json")
    assert (said.out, json.loads((alone / "out.json").read_text())) == ("", json.loads(leaves.to_json()))
    assert "already exists" in refused(capsys, "rules", "golf.json", "-o", "out.json")


def test_plot(alone, capsys):
    model = load("golf.json")
    found = asked(capsys, "plot", "golf.json", "-o", "golf.svg", "--depth", "1", "--theme", "dark", "--title", "T")
    text = (alone / "golf.svg").read_text()
    assert text == model.to_svg(max_depth=1, theme="dark", title="T")
    assert found == {"output": "golf.svg", "kind": "svg", "bytes": len(text.encode())}
    ET.fromstring(text)
    assert run(capsys, "plot", "tree.json", "-o", "tree.svg").code == 0
    assert run(capsys, "plot", "tree.json", "-o", "tree.dot").code == 0
    assert (alone / "tree.dot").read_text() == model.to_dot()
    assert run(capsys, "plot", "golf.json", "-o", "golf.html", "--language", "zh").code == 0
    assert (alone / "golf.html").read_text() == model.to_html(language="zh")
    assert "contains only a tree" in refused(capsys, "plot", "tree.json", "-o", "tree.html")
    assert "needs a tree" in refused(capsys, "plot", "rules.json", "-o", "rules.svg")
    assert "already exists" in refused(capsys, "plot", "golf.json", "-o", "golf.svg")
    said = run(capsys, "plot", "golf.json", "-o", "golf.bmp")
    assert (said.code, "use a name that ends in" in said.err) == (2, True)


def test_plot_rows_only_where_they_are_given(golf, capsys):
    assert run(capsys, "plot", "golf.json", "-o", "without.html").code == 0
    assert run(capsys, "plot", "golf.json", "-o", "with.html", "--data", "golf.csv").code == 0
    X, y = treewright.read("golf.csv", "play")
    assert (golf / "with.html").read_text() == load("golf.json").to_html(None, X, y)
    assert (golf / "without.html").stat().st_size < (golf / "with.html").stat().st_size


def test_plot_the_rows_of_each_node(alone, capsys):
    """The rows come from --data, or from a model that has kept them; otherwise the error says where to get them."""
    assert run(capsys, "plot", "golf.json", "-o", "rows.svg", "--nodes", "distribution", "--data", "golf.csv").code == 0
    X, y = treewright.read("golf.csv", "play")
    assert (alone / "rows.svg").read_text() == load("golf.json").to_svg(nodes="distribution", X=X, y=y)
    pictured = ("plot", "golf.json", "--nodes", "distribution", "-o")
    assert "use --data FILE with the training table" in refused(capsys, *pictured, "no.svg")
    assert "needs a model" in refused(capsys, "plot", "tree.json", "-o", "no.svg", "--nodes", "distribution")
    assert "draws .svg, .png and .pdf, not .dot" in run(capsys, *pictured, "no.dot").err


@pytest.mark.parametrize(("end", "magic"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_plot_by_matplotlib_is_the_same_every_time(end, magic, golf, capsys):
    pytest.importorskip("matplotlib")
    for name in ("one", "two"):
        assert run(capsys, "plot", "golf.json", "-o", f"{name}.{end}").code == 0
    assert (golf / f"one.{end}").read_bytes() == (golf / f"two.{end}").read_bytes()
    assert (golf / f"one.{end}").read_bytes().startswith(magic)


def test_plot_without_matplotlib_says_what_to_do(golf, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    said = refused(capsys, "plot", "golf.json", "-o", "golf.png")
    assert "matplotlib" in said
    assert not (golf / "golf.png").exists()


def test_prune(folder, capsys):
    words = ["fit", "iris.csv", "-t", "species", "-a", "cart", "--pruning", "none", "--no-cv", "-q", "-o", "iris.json"]
    assert run(capsys, *words).code == 0
    data = treewright.read("iris.csv", "species")
    model = treewright.CARTClassifier(pruning=None).fit(*data)
    said = run(capsys, "prune", "iris.json", "--method", "pessimistic", "--set", "standard_errors=2", "-o", "new.json")
    expected = model.pruned("pessimistic", standard_errors=2)
    assert load("new.json").tree_ == expected.tree_
    assert said.out.startswith(expected.pruning_report_.to_text(30))
    assert f"after       {expected.tree_.n_nodes} node" in said.out
    found = asked(capsys, "prune", "iris.json", "-m", "cost-complexity", "--data", "iris.csv", "--set", "choose=cv")
    chosen = model.pruned("cost_complexity", *data, choose="cv")
    assert found["fingerprint"] == chosen.tree_.fingerprint()
    assert len(found["decisions"]) == len(chosen.pruning_report_)
    found = asked(capsys, "prune", "iris.json", "-m", "reduced_error", "--validation", "iris.csv")
    assert found["after"]["leaves"] == model.pruned("reduced_error", X_val=data.X, y_val=data.y).get_n_leaves()
    assert asked(capsys, "prune", "new.json", "-m", "none")["after"] == asked(capsys, "show", "iris.json")["grown"]


def test_prune_by_one_method_after_another(folder, capsys):
    words = ["fit", "iris.csv", "-t", "species", "-a", "cart", "--no-cv", "-q", "--set", "standard_errors=2"]
    assert run(capsys, *words, "--pruning", "mdl+global", "-o", "steps.json").code == 0
    data = treewright.read("iris.csv", "species")
    steps = [treewright.prune.MDL(), treewright.prune.Global(standard_errors=2)]
    assert load("steps.json").tree_ == treewright.CARTClassifier(pruning=steps).fit(*data).tree_
    assert "pruned by mdl+global" in run(capsys, "show", "steps.json").out
    expected = load("steps.json").pruned("pessimistic+same-decision")
    said = run(capsys, "prune", "steps.json", "-m", "pessimistic+same-decision")
    assert said.out.startswith(expected.pruning_report_.to_text(30))
    found = asked(capsys, "prune", "steps.json", "-m", "pessimistic+same_decision")
    assert [one["details"]["step"] for one in found["decisions"]] == expected.pruning_report_.details["step"].tolist()
    assert "Step" not in run(capsys, "why", "steps.json", "0").err
    assert "Unknown pruning method 'magic'" in refused(capsys, "prune", "steps.json", "-m", "mdl+magic")


def test_the_size_of_a_tree(folder, capsys):
    words = ["fit", "iris.csv", "-t", "species", "-a", "cart", "--pruning", "none", "--no-cv", "-q"]
    assert run(capsys, *words, "-o", "iris.json", "--size", "3").code == 0
    data = treewright.read("iris.csv", "species")
    model = treewright.CARTClassifier(pruning=None, size=3).fit(*data)
    assert load("iris.json").tree_ == model.tree_
    assert "pruned by max_leaves: 5 nodes, 3 leaves" in run(capsys, *words[:-1], "--size", "3").out
    found = asked(capsys, "prune", "iris.json", "--size", "2")
    assert (found["method"], found["after"]["leaves"]) == ("max_leaves", model.pruned(size=2).get_n_leaves())
    assert asked(capsys, "prune", "iris.json", "-m", "mdl", "--size", "readable")["method"] == "mdl+max_leaves"
    assert asked(capsys, "prune", "iris.json", "--size", "none")["after"] == asked(capsys, "show", "iris.json")["grown"]
    scored = asked(capsys, "cv", "iris.csv", "-t", "species", "-a", "cart", "--size", "2", "--folds", "3")
    assert scored["rows"][0]["n_leaves"] <= 2


def test_the_shape_of_a_tree_is_a_note(folder, capsys):
    (folder / "noise.csv").write_text("x,y\n" + "".join(f"{i},{'ab'[i * i % 7 > 2]}\n" for i in range(40)))
    said = run(capsys, "fit", "noise.csv", "-t", "y", "-a", "cart", "--no-cv")
    assert (said.code, said.err.count("single leaf")) == (0, 1)
    assert "note: Pruning by 'cost_complexity' left a single leaf of a tree" in said.err
    assert "single leaf" not in run(capsys, "fit", "noise.csv", "-t", "y", "-a", "cart", "--no-cv", "-q").err


def test_a_pruned_model_keeps_what_the_old_one_kept(golf, capsys):
    words = ["prune", "golf.json", "-m", "pessimistic", "--set", "standard_errors=2", "-o"]
    assert run(capsys, *words, "small.json", "-q").code == 0
    assert load("small.json").tree_.n_nodes < load("golf.json").tree_.n_nodes
    assert run(capsys, "why", "small.json", "0").code == 0
    back = run(capsys, "prune", "small.json", "-m", "none", "-o", "back.json", "-q")
    assert (back.code, load("back.json").tree_) == (0, load("golf.json").tree_)
    assert "use --data FILE with the training table" in refused(capsys, "why", "back.json", "0")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-m", "reduced_error"], "use --validation."),
        (["-m", "cost_complexity"], "use --data FILE or --validation, or --set alpha=NUMBER."),
        (["-m", "pessimist"], "use one of"),
        (["-m", "pessimistic", "--set", "alpha=1"], "Unknown parameter 'alpha' of 'pessimistic'"),
        (["-m", "pessimistic", "-o", "golf.json"], "already exists"),
        ([], "use --method NAME, or --size N"),
        (["--size", "1"], "size must be a number of leaves of at least 2"),
    ],
)
def test_prune_refuses_in_one_sentence(words, sentence, golf, capsys):
    assert sentence in refused(capsys, "prune", "golf.json", *words)


def test_export(alone, capsys):
    model = load("golf.json")
    rules = model.rules()
    expected = {
        "text": model.to_text(), "dot": model.to_dot(), "svg": model.to_svg(), "html": model.to_html(),
        "rules": rules.to_text(), "rules-json": rules.to_json(2), "rules-markdown": rules.to_markdown(),
        "rules-html": rules.to_html(), "json": (alone / "tree.json").read_text(),
    }  # fmt: skip
    from treewright.cli.export import FORMATS

    assert set(FORMATS) >= set(expected)
    for name, text in expected.items():
        said = run(capsys, "export", "golf.json", "--to", name)
        assert said.code == 0
        assert said.out.rstrip("\n") == str(text).rstrip("\n")
        assert asked(capsys, "export", "golf.json", "--to", name)["text"] == said.out
        assert run(capsys, "export", "golf.json", "--to", name, "-o", f"out-{name}").out == ""
        assert (alone / f"out-{name}").read_text() == said.out
    assert load("tree.json") == model.tree_
    assert run(capsys, "export", "golf.json", "--to", "json", "-o", "tree.json.zst").code == 0
    assert load("tree.json.zst") == model.tree_
    assert "needs a tree" in refused(capsys, "export", "rules.json", "--to", "svg")
    assert run(capsys, "export", "rules.json", "--to", "rules").out == load("rules.json").to_text() + "\n"


def test_a_model_from_stdin(golf, capsys, monkeypatch):
    class Pipe:
        buffer = (golf / "golf.json").open("rb")

    monkeypatch.setattr("sys.stdin", Pipe())
    assert run(capsys, "show", "-", "--depth", "0").out.endswith("... (5 leaves)\n")
    Pipe.buffer.close()
