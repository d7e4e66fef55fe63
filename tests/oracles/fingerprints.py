"""The trees of a fixed list of tables, as fingerprints.

In: nothing. Out: one line per tree on standard output, when run as a module: what kind of package grew them, then a
fingerprint for each case. The same function runs in the test, so that two builds of the package can be compared.
"""

import sys
from dataclasses import replace
from random import Random

from tests.oracles.compare import engine_tree
from tests.oracles.missing_tables import make_holed
from tests.oracles.options import Options
from tests.oracles.plans import NAMED, STRATEGIES, random_limits, random_missing, random_options
from tests.oracles.tables import Table, as_rates, make_table
from treewright.fast_paths import fast_path_sizes

N_NAMED, N_RANDOM, N_HOLED, N_RATES = 4, 60, 24, 4


def cases() -> list[tuple[Table, Options]]:
    """Every named algorithm, random options, and tables with holes, some of rates; half of them with weights."""
    found = []
    for name, options in NAMED.items():
        for number in range(N_NAMED):
            table = make_table((name, number), regression=options.is_regression)
            if number == 0:
                table = replace(table, weights=tuple(0.125 * (1 + r % 7) for r in range(table.n_rows)))
            limits = options if number < 3 else random_limits(Random(number), options)
            found.append((table, limits))
    for number in range(N_RANDOM):
        regression = number % 4 == 0
        table = make_table(number, regression=regression)
        found.append((table, random_options(number, regression=regression)))
    for missing in STRATEGIES:
        for number in range(N_RATES):
            options = random_missing(("rates", number), missing=missing, regression=True)
            table = as_rates(make_holed(("rates", missing, number), regression=True))
            found.append((table, replace(options, criterion="poisson", penalty="none")))
        for number in range(N_HOLED):
            regression, seed = number % 4 == 0, (missing, number)
            options = random_missing(seed, missing=missing, regression=regression)
            found.append((make_holed(seed, regression=regression), options))
    return found


def compiled_kernels() -> list[str]:
    """Names of the kernels in use that are machine code."""
    modules = {n: m for n, m in sys.modules.items() if n.startswith("treewright._core.")}
    return sorted(n for n, m in modules.items() if not str(getattr(m, "__file__", "")).endswith(".py"))


def fingerprints() -> list[str]:
    """Of all cases as they are; then, as if they were large, of those of named algorithms: without weights with columns
    coded, and all of them with the subtrees of small nodes grown apart.
    """
    found = [engine_tree(table, options).fingerprint() for table, options in cases()]
    plain = [case for case in cases()[: len(NAMED) * N_NAMED] if not case[0].weights]
    with fast_path_sizes({"coded columns": 1, "kept counts": 0.1}):
        found += [engine_tree(table, options).fingerprint() for table, options in plain]
    with fast_path_sizes({"subtrees": 3}):
        found += [engine_tree(table, options).fingerprint() for table, options in cases()[: len(NAMED) * N_NAMED]]
    return found


def main() -> None:
    prints = fingerprints()
    sys.stdout.write("\n".join([f"compiled: {len(compiled_kernels())}", *prints]) + "\n")


if __name__ == "__main__":
    main()
