"""Results as JSON has them."""

import json
from dataclasses import dataclass
from datetime import date

import numpy as np
import pytest

from treewright.model.json_values import to_json_value


@dataclass(frozen=True)
class Record:
    name: str
    cuts: tuple[float, ...]
    shares: dict[object, float]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (np.bool_(True), True),
        (np.int64(3), 3),
        (np.float64(0.5), 0.5),
        (float("nan"), None),
        (np.inf, "inf"),
        (-np.inf, "-inf"),
        ("\u2028", "\u2028"),
        (date(2026, 1, 2), "2026-01-02"),
        ((1, [2.0, (None,)]), [1, [2.0, [None]]]),
        ({1: 0.25, "1": 0.75}, [[1, 0.25], ["1", 0.75]]),
        (Record("x", (1.5, np.inf), {True: 1.0}), {"name": "x", "cuts": [1.5, "inf"], "shares": [[True, 1.0]]}),
    ],
)
def test_values(value, expected):
    assert to_json_value(value) == expected
    assert json.loads(json.dumps(to_json_value(value), allow_nan=False)) == expected
