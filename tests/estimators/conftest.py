"""The golf table of Quinlan (1993), as rows and as a data frame."""

import pandas as pd
import pytest

GOLF = """
sunny,85,85,FALSE,no
sunny,80,90,TRUE,no
overcast,83,86,FALSE,yes
rainy,70,96,FALSE,yes
rainy,68,80,FALSE,yes
rainy,65,70,TRUE,no
overcast,64,65,TRUE,yes
sunny,72,95,FALSE,no
sunny,69,70,FALSE,yes
rainy,75,80,FALSE,yes
sunny,75,70,TRUE,yes
overcast,72,90,TRUE,yes
overcast,81,75,FALSE,yes
rainy,71,91,TRUE,no
"""


@pytest.fixture
def golf() -> tuple[pd.DataFrame, pd.Series]:
    rows = [line.split(",") for line in GOLF.split()]
    table = pd.DataFrame(rows, columns=["Outlook", "Temperature", "Humidity", "Windy", "PlayGolf?"])
    table = table.astype({"Temperature": int, "Humidity": int})
    return table.drop(columns="PlayGolf?"), table["PlayGolf?"]
