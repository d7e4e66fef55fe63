"""Makes the picture of docs/compare.md, a screenshot of a report: `python examples/report_picture.py [file.png]`.

It needs chromium. The report is made by `treewright compare` from the breast cancer table of scikit-learn.
"""

import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from page_picture import photograph
from sklearn.datasets import load_breast_cancer

from treewright.cli.main import main

HEIGHT = 1360
PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "report.png"


def write_report(folder: Path) -> Path:
    """Write the report of docs/compare.md."""
    table = load_breast_cancer(as_frame=True)
    kind = table.target.map({0: "malignant", 1: "benign"}).rename("tumour")
    table.data.join(kind).to_csv(folder / "tumours.csv", index=False)
    report = folder / "report.html"
    with chdir(folder):
        code = main(["compare", "tumours.csv", "--target", "tumour", "-o", report.name])
    if code:
        sys.exit(code)
    return report


if __name__ == "__main__":
    picture = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    with TemporaryDirectory() as folder:
        photograph(write_report(Path(folder)), picture, height=HEIGHT, ready=None)
    print(picture, f"{picture.stat().st_size // 1000} kB")
