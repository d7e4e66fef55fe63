"""The docstrings of everything public: numpydoc sections that name every parameter, and an example that runs."""

import inspect
import re
from collections.abc import Iterator

import pytest

import treewright
from treewright import criteria, plot, presets, prune
from treewright.evaluate import calibration

DATA_RECORDS = {"Node"}
"""Classes whose attributes are described on their docs page."""


def public() -> Iterator[tuple[str, object]]:
    """Every public function and class by its name."""
    for module in (treewright, criteria, plot, presets, prune, calibration):
        names = getattr(module, "__all__", None) or [
            name for name, found in vars(module).items()
            if not name.startswith("_") and getattr(found, "__module__", "") == module.__name__
        ]  # fmt: skip
        for name in names:
            found = getattr(module, name)
            if inspect.isfunction(found) or inspect.isclass(found):
                yield f"{module.__name__}.{name}".removeprefix("treewright."), found


def methods() -> Iterator[tuple[str, object]]:
    """Every public method of a public class, once."""
    seen = set()
    for name, found in public():
        if inspect.isclass(found) and not issubclass(found, Exception):
            for method_name, method in inspect.getmembers(found, inspect.isfunction):
                own = method.__module__.startswith("treewright")
                if own and not method_name.startswith("_") and method.__qualname__ not in seen:
                    seen.add(method.__qualname__)
                    yield f"{name}.{method_name}", method


PUBLIC, METHODS = dict(public()), dict(methods())


def parameters_of(found: object) -> list[str]:
    """The parameters of a call without `self`, by their names."""
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    found_parameters = inspect.signature(found).parameters.values()
    return [p.name for p in found_parameters if p.name != "self" and p.kind not in kinds]


def section(text: str, heading: str) -> str:
    """A section of a numpydoc docstring, or an empty text."""
    found = re.search(rf"^{heading}\n-{{{len(heading)}}}\n(.*?)(?=^\w[\w ]*\n---|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def undocumented(found: object) -> list[str]:
    """The parameters that the section Parameters does not name."""
    described = section(inspect.getdoc(found) or "", "Parameters")
    lines = re.findall(r"^(\S[^:\n]*?)(?: :.*)?$", described, re.MULTILINE)
    named = {word.strip(" *") for line in lines for word in line.split(",")}
    return [name for name in parameters_of(found) if name not in named]


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_has_an_example(name):
    found = PUBLIC[name]
    if inspect.isclass(found) and issubclass(found, Exception):
        return
    assert ">>> " in (inspect.getdoc(found) or ""), f"{name} has no example"


@pytest.mark.parametrize("name", [name for name, found in PUBLIC.items() if inspect.isfunction(found)])
def test_every_parameter_of_a_public_function_is_documented(name):
    assert undocumented(PUBLIC[name]) == []


@pytest.mark.parametrize("name", [name for name, found in PUBLIC.items() if hasattr(found, "get_params")])
def test_every_parameter_of_an_estimator_is_documented_in_its_class(name):
    assert undocumented(PUBLIC[name]) == []


@pytest.mark.parametrize("name", METHODS)
def test_every_parameter_of_a_public_method_is_documented(name):
    assert inspect.getdoc(METHODS[name]), f"{name} has no docstring"
    assert undocumented(METHODS[name]) == []
