"""The errors and the warning of the house.

    TreewrightError
    ├── InputError      (also ValueError)   a table, target or weight that cannot be used
    ├── KindError       (also TypeError)    an object of a type that cannot be read
    ├── ParameterError  (also ValueError)   a parameter with a bad name, value or combination
    └── ModelFormatError (also ValueError)  a file that holds no model, or a model that contradicts itself

    UnseenCategoryWarning (a UserWarning)   a category at prediction that training never showed

Each message is one sentence that names the column, value or parameter and says what to do.
"""

from collections.abc import Collection


class TreewrightError(Exception):
    """Base of every error raised on purpose."""


class InputError(TreewrightError, ValueError):
    """A table, target or weight that cannot be used."""


class KindError(TreewrightError, TypeError):
    """An object of a type that cannot be read."""


class ParameterError(TreewrightError, ValueError):
    """A parameter with a bad name, value or combination."""


class ModelFormatError(TreewrightError, ValueError):
    """A file that holds no model, or a model whose parts contradict each other."""


class UnseenCategoryWarning(UserWarning):
    """A category at prediction that training never showed, and that is answered all the same.

    To make it an error: `unseen_category="error"`, or `warnings.simplefilter("error", UnseenCategoryWarning)`.
    """


def one_of(name: str, value: object, valid: Collection[str]) -> str:
    """Return `value` when it is one of the valid names, or say which names there are.

    >>> one_of("criterion", "gini", ("gini", "entropy"))
    'gini'
    """
    if not isinstance(value, str) or value not in valid:
        names = ", ".join(repr(v) for v in valid)
        raise ParameterError(f"{name}={value!r} is not known; choose one of {names}.")
    return value
