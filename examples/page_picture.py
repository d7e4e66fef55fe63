"""Makes the picture of docs/page.md, a screenshot of an interactive page: `python examples/page_picture.py [file.png]`.

It needs chromium. The table is the breast cancer table of scikit-learn.
"""

import sys
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from treewright import CARTClassifier

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "page.png"
WIDTH, HEIGHT = 1280, 860
READY = "() => window.treewright !== undefined"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def write_page(path: Path) -> None:
    """Write the page of docs/page.md."""
    table = load_breast_cancer(as_frame=True)
    kind = table.target.map({0: "malignant", 1: "benign"}).rename("tumour")
    X, X_val, y, y_val = train_test_split(table.data, kind, random_state=0)
    model = CARTClassifier(pruning=None, min_samples_leaf=3).fit(X, y)
    model.to_html(path, X, y, X_val=X_val, y_val=y_val, title="Tumours", language="en", overwrite=True)


def photograph(page: Path, picture: Path, height: int = HEIGHT, ready: str | None = READY) -> None:
    """Open a page in a browser, wait until it is ready, and take a screenshot."""
    program = next((found for name in BROWSERS if (found := which(name))), None)
    if program is None:
        sys.exit(f"Browser not found. Install one of {', '.join(BROWSERS)}.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": WIDTH, "height": height}, color_scheme="light")
        view.goto(page.as_uri())
        if ready is not None:
            view.wait_for_function(ready)
        view.wait_for_timeout(1000)
        view.screenshot(path=picture)
        browser.close()
    # A palette of 128 colours is enough for flat colours and makes the file three times smaller.
    Image.open(picture).convert("RGB").quantize(128).save(picture, optimize=True)


if __name__ == "__main__":
    picture = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        write_page(page)
        photograph(page, picture)
    print(picture, f"{picture.stat().st_size // 1000} kB")
