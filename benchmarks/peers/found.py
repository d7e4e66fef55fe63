"""Whether a library is there, and which version.

In: the name of a module and of its package. Out: words.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as package_version


def why_missing(module: str) -> str | None:
    """Why a library cannot be used, or None."""
    try:
        import_module(module)
    except Exception as error:  # noqa: BLE001, RUF100 - a library built for other versions fails in any way it likes
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return None


def version_of(package: str) -> str:
    """The version of an installed package."""
    try:
        return package_version(package)
    except PackageNotFoundError:
        return "of this checkout"
