"""The errors and the warnings of Treewright, and checks of parameters that all packages use.

    TreewrightError
    ├── InputError      (also ValueError)   a table, target or weight that cannot be used
    ├── KindError       (also TypeError)    an object of an unsupported type
    ├── ParameterError  (also ValueError)   a parameter with a bad name, value or combination
    ├── ModelFormatError (also ValueError)  a file that is not a model file, or an inconsistent model
    ├── ExportError     (also ValueError)   an export that its target cannot express, or that predicts otherwise
    └── OutputError     (also OSError)      a file that cannot be written, for example on a full disk

    UnseenCategoryWarning (a UserWarning)   a category at prediction that did not occur in training
    TreeShapeWarning      (a UserWarning)   a fitted tree that is of little use: a single leaf, or too large to read

Each message names the column, value or parameter that is wrong, and says what to do.
"""

from collections.abc import Callable, Collection
from math import isfinite, nan
from numbers import Real
from typing import Self


class TreewrightError(Exception):
    """Base class of the errors that Treewright raises.

    Parameters
    ----------
    message : str
        What is wrong, as a sentence; without its period if there is advice.
    advice : str, default=""
        What to do in Python, without a period.
    option : str, default=""
        What to do on the command line, if that differs.

    Attributes
    ----------
    cli_message : str
        The message for a user of the command line.

    Examples
    --------
    >>> error = TreewrightError("Pruning needs rows", advice="pass X and y", option="use --data FILE")
    >>> str(error), error.cli_message
    ('Pruning needs rows; pass X and y.', 'Pruning needs rows; use --data FILE.')
    """

    def __init__(self, message: str = "", /, *, advice: str = "", option: str = "") -> None:
        super().__init__(f"{message}; {advice}." if advice else message)
        self.cli_message = f"{message}; {option}." if option else str(self)

    def reworded(self, change: Callable[[str], str]) -> Self:
        """Return the same error with both messages changed, for example with a file name before them."""
        made = type(self)(change(str(self)))
        made.cli_message = change(self.cli_message)
        return made


class InputError(TreewrightError, ValueError):
    """A table, target or weight that cannot be used."""


class KindError(TreewrightError, TypeError):
    """An object of an unsupported type."""


class ParameterError(TreewrightError, ValueError):
    """A parameter with a bad name, value or combination."""


class ModelFormatError(TreewrightError, ValueError):
    """A file that is not a model file, or a model whose parts contradict each other."""


class ExportError(TreewrightError, ValueError):
    """A model that the target of an export cannot express, or an export that predicted otherwise than the model."""


class OutputError(TreewrightError, OSError):
    """A file that cannot be written, for example on a full disk; `errno` and `filename` are those of the system."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class UnseenCategoryWarning(UserWarning):
    """A category at prediction that did not occur in training; the row gets a prediction all the same.

    To make it an error: `unseen_category="error"`, or `warnings.simplefilter("error", UnseenCategoryWarning)`.
    """


class TreeShapeWarning(UserWarning):
    """A fitted tree of a shape that is seldom wanted: a single leaf, very many leaves, or a split with many branches.

    The message says what to try. To ignore it: `warnings.simplefilter("ignore", TreeShapeWarning)`.

    Parameters
    ----------
    message : str
        What is unusual, and what to do in Python.
    cli_message : callable or None, default=None
        Returns the message for a user of the command line, in a language such as "en"; None: the same message.
    """

    def __init__(self, message: str = "", cli_message: Callable[[str], str] | None = None) -> None:
        super().__init__(message)
        self.cli_message = (lambda _: message) if cli_message is None else cli_message


def one_of(name: str, value: object, valid: Collection[str]) -> str:
    """Return `value` if it is one of the valid names; otherwise raise a ParameterError that lists them.

    >>> one_of("criterion", "gini", ("gini", "entropy"))
    'gini'
    """
    if not isinstance(value, str) or value not in valid:
        names = ", ".join(repr(v) for v in valid)
        raise ParameterError(f"{name} must be one of {names}, got {value!r}.")
    return value


def at_least(name: str, value: object, low: float) -> float:
    """Return `value` as a float if it is a finite number of at least `low`; otherwise raise a ParameterError.

    >>> at_least("penalty", 1, 0)
    1.0
    """
    number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else nan
    if not (isfinite(number) and number >= low):
        raise ParameterError(f"{name} must be a number of at least {low:g}, got {value!r}.")
    return number
