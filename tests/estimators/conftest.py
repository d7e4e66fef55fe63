"""The golf table as a data frame."""

import pandas as pd
import pytest

from tests.golden.tables import WEATHER_NUMERIC


@pytest.fixture
def golf() -> tuple[pd.DataFrame, pd.Series]:
    """The table in the words of Quinlan's book: column names of its own, strings for Windy."""
    names = ["Outlook", "Temperature", "Humidity", "Windy", "PlayGolf?"]
    table = pd.DataFrame(WEATHER_NUMERIC.rows, columns=names).astype({"Temperature": int, "Humidity": int})
    return table.drop(columns="PlayGolf?"), table["PlayGolf?"]
