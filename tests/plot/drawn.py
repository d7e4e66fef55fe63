"""What a chart shows, read back from its artists; and figures closed behind each test."""

from functools import wraps

import matplotlib.pyplot as plt
from matplotlib.text import Text


def closed(test):
    """Close all figures when the test ends."""

    @wraps(test)
    def run(*args, **kwargs):
        try:
            return test(*args, **kwargs)
        finally:
            plt.close("all")

    return run


def texts_of(ax):
    """All texts of the axes, once it is drawn."""
    ax.figure.canvas.draw()
    return [text.get_text() for text in ax.findobj(Text) if text.get_text()]


def legend_of(ax):
    """The names of the legend."""
    legend = ax.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]
