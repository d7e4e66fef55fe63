"""The form asks only for what still matters, takes what people type, and says why the case gets its answer."""

import re

import numpy as np
import pandas as pd
import pytest

from tests.page.tables import GOLF, PLAY, fitted, mixed
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.explain.leaf_probability import mean_interval, proportion_interval


@pytest.fixture(scope="module")
def golf():
    return C45Classifier(min_samples_leaf=1).fit(GOLF, PLAY)


@pytest.fixture
def form(visit, golf):
    page = visit(golf.to_html())
    page.page.locator("#tab-case").click()
    return page


def asked(page):
    """The names of the questions that are open."""
    return [name.removesuffix(" ?") for name in page.page.locator(".question .question-name").all_inner_texts()]


def choose(page, word):
    page.page.locator(".question.first .category", has_text=re.compile(f"^{word}$")).click()


def type_number(page, text):
    page.page.locator(".question.first .number-field").fill(text)
    page.page.keyboard.press("Enter")


def lit(page):
    """The nodes that are lit, as far as they are drawn."""
    page.settle()
    return page.ask("[...document.querySelectorAll('.box.lit')].map(b => +b.dataset.node).sort((a, b) => a - b)")


def test_only_what_matters_is_asked(form):
    assert asked(form) == ["outlook"]
    choose(form, "overcast")
    assert asked(form) == []
    assert form.text(".prediction-value").split()[0] == "play"
    assert lit(form) == [0, 1]
    # Other tabs show the whole tree; the case is kept.
    form.page.locator("#tab-about").click()
    assert lit(form) == []
    assert form.page.locator(".box.dim, .lit-edges path").count() == 0
    form.page.locator("#tab-case").click()
    assert lit(form) == [0, 1]
    assert form.page.locator(".box.dim").count() == 6
    form.page.locator(".entered .link").click()
    assert asked(form) == ["outlook"]
    choose(form, "sunny")
    assert asked(form) == ["humidity"]
    assert "≤ 75" in form.text(".question")
    type_number(form, "75,5")
    assert form.text(".prediction-value").split()[0] == "stay"
    assert form.page.locator(".entered .given").all_inner_texts() == ["sunny", "75.5"]
    # An answer can be changed, and what was said of the others is kept.
    form.page.locator(".entered", has_text="outlook").locator(".link").click()
    choose(form, "rain")
    assert asked(form) == ["windy"]
    form.page.get_by_role("button", name="Start again").click()
    assert asked(form) == ["outlook"]
    assert lit(form) == []


def test_the_keyboard_goes_from_question_to_question(form):
    form.page.keyboard.press("Tab")
    form.page.keyboard.press("Tab")
    assert form.ask("document.activeElement.textContent") == "sunny"
    form.page.keyboard.press("Enter")
    assert form.ask("document.activeElement.className") == "number-field"
    form.page.keyboard.type("80")
    form.page.keyboard.press("Enter")
    assert form.text(".prediction-value").split()[0] == "stay"


def test_an_unknown_value_opens_every_branch(form, golf):
    form.page.locator(".question .unknown").click()
    assert sorted(asked(form)) == ["humidity", "windy"]
    assert lit(form) == [0, 1, 2, 3]
    form.page.locator(".question[data-column='1'] .unknown").click()
    choose(form, "no")
    day = pd.DataFrame({"outlook": [None], "humidity": [np.nan], "windy": ["no"]})
    expected = dict(zip(golf.classes_, golf.predict_proba(day)[0], strict=True))
    shown = dict(re.findall(r"(play|stay)\s+([\d.]+)", form.text(".prediction .class-table")))
    assert {name: float(share) / 100 for name, share in shown.items()} == pytest.approx(expected, abs=6e-4)
    ends = form.page.locator(".prediction .branches li").all_inner_texts()
    shares = sorted(float(re.match(r"[\d.]+", end)[0]) / 100 for end in ends)
    path = golf.decision_path(day)
    leaves = [path[0, i] for i in path.indices if golf.tree_.is_leaf[i]]
    assert shares == pytest.approx(sorted(leaves), abs=6e-4)
    words = form.text(".case-steps")
    assert "so it follows every branch, by weight" in words
    assert "35.7\u202f% = sunny" in words


TYPED = {
    "70": 70, "70.25": 70.25, "70,25": 70.25, " 7e1 ": 70, "７０．５": 70.5, "1.234,5": 1234.5, "1,234.5": 1234.5,
    "−3": -3, "1 234": 1234, "1'234'567": 1234567, "+.5": 0.5, "75.0000001": 75.0000001,
}  # fmt: skip


def test_numbers_are_read_as_people_write_them(form):
    choose(form, "sunny")
    for typed, understood in TYPED.items():
        type_number(form, typed)
        said = form.page.locator(".entered .given").nth(1).inner_text()
        assert float(said.replace("−", "-")) == understood
        assert form.text(".prediction-value").split()[0] == ("play" if understood <= 75 else "stay")
        form.page.locator(".entered .link").nth(1).click()


def test_what_is_no_number_gets_a_sentence(form):
    choose(form, "sunny")
    for typed in ("", "warm", "1..2.", "--4", "1e999", "0x10", "Infinity", "<b>", "1,2,3", "12 34"):
        type_number(form, typed)
        assert asked(form) == ["humidity"]
        said = form.text(".question .problem")
        assert ("is not a number" in said and typed in said) if typed else said.startswith("Enter a value")


def test_a_date_is_typed_once_and_shown_as_a_date(visit):
    days = pd.DataFrame({"sold": pd.date_range("2023-01-01", periods=400, freq="31h")})
    late = (days.sold > "2023-10-10") != (days.sold.dt.month == 5)
    model = CARTClassifier(pruning=None).fit(days, late)
    page = visit(model.to_html())
    assert "19639" not in page.text("body")  # a number of days
    page.page.locator("#tab-case").click()
    assert asked(page) == ["sold"]
    type_number(page, "next week")
    assert "is not a date or time" in page.text(".question .problem")
    for typed in ("2023-05-07", "2023-06-01", "2023-12-24 13:30", "2024-05-01"):
        type_number(page, typed)
        assert asked(page) == []
        assert page.page.locator(".entered .given").nth(0).inner_text() == typed
        expected = str(model.predict({"sold": pd.Timestamp(typed)})[0])
        assert page.text(".prediction-value").split()[0] == expected
        page.page.locator(".entered .link").nth(0).click()
        assert asked(page) == ["sold"]


def test_the_answer_has_its_interval_and_its_caveat(form, golf):
    choose(form, "rain")
    choose(form, "no")
    words = form.text(".case-words")
    found = proportion_interval(3, 3, 0.95)
    low, high = (float(x) / 100 for x in re.search(r"95 % confidence interval: ([\d.]+).% to ([\d.]+)", words).groups())
    assert (low, high) == pytest.approx((found.low, found.high), abs=6e-4)
    assert "3 of 3 training rows are play" in words
    assert "the interval is too narrow" in words


@pytest.mark.parametrize("weights", ["classes", "scaled", "copies"])
def test_weights_count_as_many_rows_as_in_explain(visit, weights):
    rng = np.random.default_rng(6)
    X = pd.DataFrame({"x": rng.normal(size=90)})
    y = np.where(X["x"] + rng.normal(size=90) > 1, "yes", "no")
    given = {"classes": None, "scaled": np.full(90, 0.25), "copies": np.full(90, 3.0)}[weights]
    balanced = "balanced" if weights == "classes" else None
    model = CARTClassifier(min_samples_leaf=20, pruning=None, class_weight=balanced).fit(X, y, given)
    page = visit(model.to_html(methods=[]))
    page.page.locator("#tab-case").click()
    while asked(page):
        type_number(page, "1.5")
    found = model.explain([1.5]).ends[0].interval
    low, high = (
        float(x) / 100 for x in re.search(r"interval: ([\d.]+).% to ([\d.]+)", page.text(".case-words")).groups()
    )
    assert (low, high) == pytest.approx((found.low, found.high), abs=6e-4)


def test_a_regression_has_the_interval_of_a_mean(visit):
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"x": rng.normal(size=300)})
    model = CARTRegressor(min_samples_leaf=30, pruning=None).fit(X, 3 * X["x"] + rng.normal(size=300))
    page = visit(model.to_html(methods=[]))
    page.page.locator("#tab-case").click()
    while asked(page):
        type_number(page, "0,3")
    leaf = int(model.apply(pd.DataFrame({"x": [0.3]}))[0])
    weight, mean, loss = model.tree_.stats[leaf]
    found = mean_interval(mean, loss, weight, 0.95)
    low, high = (
        float(x)
        for x in re.search(
            r"interval: (-?[\d.]+) to (-?[\d.]+)\.", page.text(".case-words").replace("−", "-")
        ).groups()
    )
    assert (low, high) == pytest.approx((found.low, found.high), abs=6e-3)
    predicted = model.predict(pd.DataFrame({"x": [0.3]}))[0]
    assert float(page.text(".prediction-value")) == pytest.approx(predicted, rel=1e-6)


def test_surrogates_are_asked_for_when_the_value_is_unknown(visit):
    rng = np.random.default_rng(4)
    height = rng.normal(size=200)
    X = pd.DataFrame(
        {"height": height, "shoe": height + rng.normal(0, 0.3, 200), "arm": height + rng.normal(0, 0.6, 200)}
    )
    y = np.where(X["height"] > 0, "tall", "short")
    X.loc[:20, "height"] = np.nan
    model = CARTClassifier(max_depth=1).fit(X, y)
    page = visit(model.to_html(methods=[]))
    page.page.locator("#tab-case").click()
    assert asked(page) == ["height"]
    page.page.locator(".question .unknown").click()
    assert [one.name for one in model.tree_.root.surrogates] == ["shoe", "arm"]
    assert asked(page) == ["shoe"]
    page.page.locator(".question.first .unknown").click()
    assert asked(page) == ["arm"]
    type_number(page, "-1.5")
    assert page.text(".prediction-value").split()[0] == "short"
    assert "because arm is −1.5" in page.text(".case-steps")
    page.page.locator(".entered", has_text="arm").locator(".link").click()
    page.page.locator(".question.first .unknown").click()
    assert "because no surrogate is known" in page.text(".case-steps")
    row = pd.DataFrame({"height": [np.nan], "shoe": [np.nan], "arm": [np.nan]})
    assert page.text(".prediction-value").split()[0] == model.predict(row)[0]


@pytest.mark.parametrize("name", ["c45", "cart", "cart branch", "cart learned", "cart stop"])
def test_cases_typed_into_the_form_get_the_answer_of_predict(visit, name):
    model = fitted(name)
    page = visit(model.to_html(methods=[]))
    page.page.locator("#tab-case").click()
    table = mixed()[0]
    rows = [*table[table.isna().any(axis=1)][:2].index.tolist(), 0]
    for row in rows:
        page.page.get_by_role("button", name="Start again").click()
        n_asked = 0
        while asked(page):
            n_asked += 1
            answer_question(page, table, row)
        assert 0 < n_asked <= table.shape[1]
        said = page.text(".prediction-value").rsplit(" ", 1)[0].strip()
        assert said == str(model.predict(table.loc[[row]])[0])


def answer_question(page, table, row):
    """Answer the first open question with what the row has."""
    box = page.page.locator(".question.first")
    column = int(box.get_attribute("data-column"))
    value = table.iloc[row, column]
    if value is None or value != value:
        box.locator(".unknown").click()
    elif table.dtypes.iloc[column].kind == "f":
        type_number(page, str(value))
    else:
        code = page.ask(
            "([c, word]) => treewright.document.columns[c].categories.indexOf(word)", [column, str(value)]
        )
        box.locator(".category").nth(code).click()


def test_many_categories_are_a_list_with_a_filter(visit):
    rng = np.random.default_rng(2)
    towns = [f"town {i:03d}" for i in range(400)]
    X = pd.DataFrame({"town": rng.choice(towns, 4000)})
    y = X["town"].str[-1].isin(list("13579")).map({True: "odd", False: "even"})
    model = CARTClassifier().fit(X, y)
    page = visit(model.to_html(methods=[]))
    page.page.locator("#tab-case").click()
    assert page.page.locator(".option").count() == 300
    page.page.locator(".filter").fill("39")
    assert page.page.locator(".option").count() == 14
    page.page.keyboard.press("Enter")
    assert "Several values match" in page.text(".question .problem")
    page.page.locator(".filter").fill("TOWN 399")
    page.page.keyboard.press("Enter")
    assert page.text(".prediction-value").split()[0] == "odd"
    page.page.get_by_role("button", name="Start again").click()
    page.page.locator(".filter").fill("Atlantis")
    page.page.keyboard.press("Enter")
    assert "“Atlantis” did not occur in training" in page.text(".question .problem")


def test_a_rule_that_refuses_missing_values_wants_an_answer(visit):
    model = CARTClassifier(missing="error", pruning=None).fit(GOLF, PLAY)
    page = visit(model.to_html())
    page.page.locator("#tab-case").click()
    page.page.locator(".question.first .unknown").click()
    assert "does not accept missing values" in page.text(".question .problem")
    page.page.locator(".question.first .other").click()
    assert "does not accept values that did not occur in training" in page.text(".question .problem")


def test_the_answer_before_pruning_is_told(visit):
    table, classes, _ = mixed(noise=0.3, holes=0.0)
    model = C45Classifier(min_samples_leaf=1).fit(table, classes)
    assert model.tree_.n_nodes < model.grown_tree_.n_nodes
    page = visit(model.to_html(methods=[]))
    page.page.locator("#tab-case").click()
    told = set()
    for row in range(6):
        page.page.get_by_role("button", name="Start again").click()
        while asked(page):
            answer_question(page, table, row)
        words = page.text(".case-words")
        told |= set(re.findall(r"The unpruned tree (?:makes the same prediction|predicts \S+|also needs)", words))
        before = re.search(r"The unpruned tree predicts (\S+) ", words)
        if before:
            row_cells = table.loc[[row]]
            unpruned = C45Classifier(min_samples_leaf=1, pruning=None).fit(table, classes)
            assert before[1] == unpruned.predict(row_cells)[0]
    assert told


@pytest.mark.parametrize("name", ["c45", "cart numbers"])
def test_what_would_alter_the_answer_alters_it_and_nothing_nearer_does(visit, name):
    """Of the library's nearest changes, those about columns that the form asked for."""
    model = fitted(name)
    page = visit(model.to_html(methods=[]))
    page.page.locator("#tab-case").click()
    table = mixed()[0]
    complete = table.dropna().index.tolist()[:4]
    n_compared = 0
    for row in complete:
        page.page.get_by_role("button", name="Start again").click()
        columns = []
        while asked(page):
            columns.append(int(page.page.locator(".question.first").get_attribute("data-column")))
            answer_question(page, table, row)
        items = page.page.locator("h2:has-text('change') + ul li").all_inner_texts()
        told = {words.split(" (now")[0].replace("≤", "<=") for words in items}
        for change in model.explain(table.loc[[row]], n_changes=10).changes:
            # What leads to a question that was not asked has no answer yet; explain knows the whole row.
            alone = table.loc[[row]].astype(object)
            alone.iloc[0, change.column] = change.value
            met = model.decision_path(alone.infer_objects())
            asks = {int(model.tree_.column[i]) for i in met.indices} - {-1}
            number = table.dtypes.iloc[change.column].kind == "f"
            if change.column in columns and asks <= set(columns) and number:
                n_compared += 1
                assert change.words.split(" (now")[0] in told
    assert n_compared > 0


def test_a_case_goes_its_way_in_every_tree_that_is_shown(visit):
    table, classes, _ = mixed(noise=0.3, holes=0.0)
    model = C45Classifier(min_samples_leaf=1).fit(table, classes)
    page = visit(model.to_html(methods=[]))
    page.ask("treewright.setView('grown')")
    page.page.locator("#tab-case").click()
    while asked(page):
        answer_question(page, table, 0)
    grown = C45Classifier(min_samples_leaf=1, pruning=None).fit(table, classes)
    assert lit(page) == grown.decision_path(table[:1]).indices.tolist()
    page.ask("treewright.setView('own')")
    origin = model.pruning_report_.origin[model.decision_path(table[:1]).indices]
    assert lit(page) == sorted(origin.tolist())
    assert page.text(".prediction-value").split()[0] == str(model.predict(table[:1])[0])
