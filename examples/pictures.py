"""Makes the pictures of docs/pictures.md: `python examples/pictures.py [folder]`, by default into docs/pictures.

The same versions give the same bytes. To add a picture, write a function that draws it to a path, and add it to
PICTURES.
"""

import sys
from collections.abc import Callable
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, compare_pruning, plot
from treewright.evaluate.calibration import calibration

mpl.use("agg")
import matplotlib.pyplot as plt  # after the backend is set

GOLF = """\
Outlook,Temperature,Humidity,Windy,Play
sunny,85,85,False,no
sunny,80,90,True,no
overcast,83,86,False,yes
rainy,70,96,False,yes
rainy,68,80,False,yes
rainy,65,70,True,no
overcast,64,65,True,yes
sunny,72,95,False,no
sunny,69,70,False,yes
rainy,75,80,False,yes
sunny,75,70,True,yes
overcast,72,90,True,yes
overcast,81,75,False,yes
rainy,71,91,True,no
"""

MELONS = """\
色泽,根蒂,敲声,纹理,脐部,触感,好瓜
青绿,蜷缩,浊响,清晰,凹陷,硬滑,是
乌黑,蜷缩,沉闷,清晰,凹陷,硬滑,是
乌黑,蜷缩,浊响,清晰,凹陷,硬滑,是
青绿,蜷缩,沉闷,清晰,凹陷,硬滑,是
浅白,蜷缩,浊响,清晰,凹陷,硬滑,是
青绿,稍蜷,浊响,清晰,稍凹,软粘,是
乌黑,稍蜷,浊响,稍糊,稍凹,软粘,是
乌黑,稍蜷,浊响,清晰,稍凹,硬滑,是
乌黑,稍蜷,沉闷,稍糊,稍凹,硬滑,否
青绿,硬挺,清脆,清晰,平坦,软粘,否
浅白,硬挺,清脆,模糊,平坦,硬滑,否
浅白,蜷缩,浊响,模糊,平坦,软粘,否
青绿,稍蜷,浊响,稍糊,凹陷,硬滑,否
浅白,稍蜷,沉闷,稍糊,凹陷,硬滑,否
乌黑,稍蜷,浊响,清晰,稍凹,软粘,否
浅白,蜷缩,浊响,模糊,平坦,硬滑,否
青绿,蜷缩,沉闷,稍糊,稍凹,硬滑,否
"""


@cache
def golf() -> C45Classifier:
    """Quinlan's golf table, by C4.5."""
    table = pd.read_csv(StringIO(GOLF))
    return C45Classifier().fit(table, table.pop("Play"))


@cache
def melons() -> ID3Classifier:
    """Zhou's watermelons, by ID3."""
    table = pd.read_csv(StringIO(MELONS)).astype("category")
    return ID3Classifier().fit(table, table.pop("好瓜").astype(str))


@cache
def irises() -> CARTClassifier:
    """The petals of 150 irises, by CART."""
    iris = load_iris(as_frame=True)
    species = pd.Series(iris.target_names[iris.target], name="species")
    return CARTClassifier().fit(iris.data.iloc[:, 2:], species)


@cache
def tumours() -> CARTClassifier:
    """569 tumours with 30 numeric columns, by CART."""
    data = load_breast_cancer(as_frame=True)
    return CARTClassifier().fit(data.data, pd.Series(data.target_names[data.target], name="tumour"))


@cache
def diabetes() -> CARTRegressor:
    """The progression of the diabetes of 442 patients after a year, by CART."""
    data = load_diabetes(as_frame=True, scaled=False)
    return CARTRegressor().fit(data.data.rename(columns={"s5": "ltg", "s3": "hdl"}), data.target.rename("progression"))


@cache
def towns() -> ID3Classifier:
    """A generated table with a category of thirty values."""
    random = np.random.default_rng(7)
    names = [f"Town {chr(65 + i % 26)}{'' if i < 26 else i - 25}" for i in range(30)]
    table = pd.DataFrame({"town": random.choice(names, 600), "age": random.integers(18, 80, 600)})
    buys = (table.age > 45) ^ (table.town.str.len() + table.town.str[5].map(ord) * 7 % 3 > 7)
    target = pd.Series(np.where(buys, "buys", "leaves it"), name="customer")
    return ID3Classifier().fit(table[["town"]], target)


def chart(draw: Callable[[], Any]) -> Callable[[Path], None]:
    """Return a function that saves a chart of matplotlib without dates and versions."""

    def save(path: Path) -> None:
        settings: dict[Any, Any] = {"svg.hashsalt": "treewright", "svg.fonttype": "path", "font.size": 10}
        with mpl.rc_context(settings):
            figure = draw().figure
            metadata = {"Software": None} if path.suffix == ".png" else {"Date": None, "Creator": None}
            figure.savefig(path, metadata=metadata, dpi=110)
            plt.close(figure)

    return save


def comparison() -> Any:
    """All pruning methods on the tumours."""
    data = load_breast_cancer()
    return plot.pruning_comparison(compare_pruning(CARTClassifier(), data.data, data.target, folds=5))


def calibrated() -> Any:
    """The calibration of two trees on the half of the diabetes table that they were not grown on."""
    people = load_diabetes(as_frame=True, scaled=False)
    got = np.where(people.target > 140, "worse", "better")
    leaf_sizes = {"fully grown": 1, "20 rows in a leaf": 20}
    found = {}
    for name, least in leaf_sizes.items():
        model = CARTClassifier(pruning=None, min_samples_leaf=least).fit(people.data[::2], got[::2])
        found[name] = calibration(model, people.data[1::2], got[1::2])
    return plot.calibration(found)


def side_by_side() -> Any:
    """Two trees in one figure."""
    _, axes = plt.subplots(1, 2, figsize=(10, 3.6))
    golf().plot_tree(axes[0], title="C4.5 on the golf table")
    irises().plot_tree(axes[1], title="CART on the irises")
    return axes[0]


PICTURES: dict[str, Callable[[Path], Any]] = {
    "golf.svg": lambda path: golf().to_svg(path, overwrite=True, title="C45Classifier().fit(golf, play)"),
    "golf-dark.svg": lambda path: golf().to_svg(path, overwrite=True, theme="dark"),
    "melons.svg": lambda path: melons().to_svg(path, overwrite=True, title="西瓜数据集 2.0", language="zh"),
    "diabetes.svg": lambda path: diabetes().to_svg(path, overwrite=True),
    "irises-rows.svg": lambda path: irises().to_svg(path, overwrite=True, nodes="distribution"),
    "diabetes-rows.svg": lambda path: diabetes().to_svg(path, overwrite=True, nodes="distribution"),
    "tumours-depth.svg": lambda path: plot.to_svg(tumours().grown_tree_, path, max_depth=2, overwrite=True),
    "towns.svg": lambda path: towns().to_svg(path, overwrite=True),
    "side-by-side.svg": chart(side_by_side),
    "node-number.svg": chart(lambda: plot.node_distribution(irises(), 0)),
    "node-category.svg": chart(lambda: plot.node_distribution(golf(), 0)),
    "node-target.png": chart(lambda: plot.node_distribution(diabetes(), 0)),
    "pruning-path.svg": chart(lambda: plot.pruning_path(tumours())),
    "pruning-comparison.svg": chart(comparison),
    "decision-regions.svg": chart(lambda: plot.decision_regions(irises())),
    "calibration.svg": chart(calibrated),
    "importances.svg": chart(lambda: plot.importances(tumours())),
}
"""The pictures by file name, with the functions that draw them."""


def main() -> None:
    """Make all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        draw(folder / name)
        print(f"{name:<24}{(folder / name).stat().st_size / 1000:>7.1f} kB")


if __name__ == "__main__":
    main()
