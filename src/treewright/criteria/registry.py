"""Registry: every criterion by name.

In: a name. Out: its function. The contract tests run on every entry, so a new criterion is one function and
one line here.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from treewright.criteria.impurities import absolute_error, classification_error, entropy, gini, squared_error
from treewright.criteria.merits import error_decrease, gain_ratio, gini_decrease, information_gain, twoing

IMPURITIES: Mapping[str, Callable[..., float]] = MappingProxyType(
    {"entropy": entropy, "gini": gini, "classification_error": classification_error}
)
"""Of class counts: 0 when pure."""

LOSSES: Mapping[str, Callable[..., float]] = MappingProxyType(
    {"squared_error": squared_error, "absolute_error": absolute_error}
)
"""Of target numbers: 0 when all are equal."""

MERITS: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        "information_gain": information_gain,
        "gain_ratio": gain_ratio,
        "gini_decrease": gini_decrease,
        "error_decrease": error_decrease,
        "twoing": twoing,
    }
)
"""Of a table of branches by classes: more is better, 0 when every branch has the shares of the whole."""
