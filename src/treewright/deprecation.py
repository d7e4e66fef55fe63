"""Old names of attributes, methods and JSON keys, kept for one version."""

from collections.abc import Mapping
from typing import Any
from warnings import warn


def warn_renamed(old: str, new: str) -> None:
    """Warn the caller's caller that a public name is deprecated, and say which one to use."""
    warn(f"{old} is deprecated and will be removed in the next version; use {new}.", DeprecationWarning, stacklevel=3)


class DeprecatedAlias:
    """An old name of an attribute or method: it warns, and returns what the new name holds.

    >>> import warnings
    >>> class Result:
    ...     prediction = "yes"
    ...     answer = DeprecatedAlias("prediction")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     print(Result().answer, "|", caught[0].message)
    yes | Result.answer is deprecated and will be removed in the next version; use Result.prediction.
    """

    def __init__(self, new: str) -> None:
        self.new = new

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner, self.old = owner.__name__, name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        if instance is None:
            return self
        warn_renamed(f"{self.owner}.{self.old}", f"{self.owner}.{self.new}")
        return getattr(instance, self.new)


def with_old_keys(document: dict[str, Any], old_keys: Mapping[str, str]) -> dict[str, Any]:
    """Add the old key beside each key that has a new name, in nested dicts and lists that become JSON.

    >>> with_old_keys({"prediction": "yes", "steps": [{"fraction": 1.0}]}, {"fraction": "share"})
    {'prediction': 'yes', 'steps': [{'fraction': 1.0, 'share': 1.0}]}
    """
    added: dict[str, Any] = _add_old_keys(document, old_keys)
    return added


def _add_old_keys(value: Any, old_keys: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_add_old_keys(item, old_keys) for item in value]
    if not isinstance(value, dict):
        return value
    document = {key: _add_old_keys(item, old_keys) for key, item in value.items()}
    return document | {old_keys[key]: item for key, item in document.items() if key in old_keys}
