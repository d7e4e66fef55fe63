"""Make the golden model files of a version of the format: python -m tests.golden.models.make v1

Run once for each version of the format, when it is settled. A file that is there already is never written again: what
a release wrote is what later releases have to read. New kinds may be added beside the old ones. Only the .txt files,
the output of `to_text`, are changed with its layout.
"""

import json
import sys
from pathlib import Path

from tests.golden.models.asked import answers
from tests.store.mutation.seeds import MAKERS
from tests.store.mutation.trial import table
from treewright import load

V1 = (
    *("id3", "c45", "c45_group", "cart", "cart_twoing", "cart_absolute", "general_each", "general_regression_each"),
    *("missing_fractional", "missing_surrogate", "missing_learned", "missing_branch", "missing_error"),
    *("whole_classes", "alphabets", "halves", "class_weight", "pruned_path", "pruned_raised", "pruned_pre"),
    *("ledgers_missing", "rows", "squeezed_gz", "squeezed_zst", "tree_each", "tree_regression"),
    *("rules_leaves", "rules_generalised_missing"),
)
V2 = ("shrunken_regression", "shrunken_rates", "tree_shrunken", "rules_shrunken")
"""What version 2 added: regression trees with shrinkage."""
KINDS = {"v1": V1, "v2": V2}


def make(folder: Path) -> list[str]:
    """Write the models that are not there yet, each with what it says; the names of those written."""
    made = []
    for name in KINDS[folder.name]:
        if any(folder.glob(f"{name}.*")):
            continue
        model, saved, end = MAKERS[name]()
        path = folder / f"{name}{end}"
        model.save(path, **saved)
        loaded = load(path)
        rows = table(loaded, 0) + table(loaded, 1)
        expected = {"rows": rows} | answers(loaded, rows)
        lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in expected.items()]
        (folder / f"{name}.expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        (folder / f"{name}.txt").write_text(
            loaded.to_text() + "\n", encoding="utf-8", errors="surrogatepass", newline="\n"
        )
        made.append(path.name)
    return made


if __name__ == "__main__":
    here = Path(__file__).parent / sys.argv[1]
    here.mkdir(exist_ok=True)
    sys.stdout.write("\n".join(make(here) or ["Nothing to do: every file is there."]) + "\n")
