"""Compiles the kernels of treewright/_core; all other metadata stands in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CORE = Path("src/treewright/_core")
# What imports cython is a kernel; the other files are plain names for Python.
KERNELS = sorted(p for p in CORE.glob("*.py") if "\nimport cython\n" in p.read_text(encoding="utf-8"))

# Cython's own helpers (memory views above all), compiled once instead of into every kernel.
SHARED = "treewright._core._shared"

# No -march=native: a wheel must run on the oldest machine of its platform.
FLAGS = {"msvc": ["/O2"]}
OTHER_FLAGS = ["-O3", "-g0"]


class BuildKernels(build_ext):
    """Compiles side by side, with the flags of the compiler at hand."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def build_extensions(self) -> None:
        for extension in self.extensions:
            extension.extra_compile_args = FLAGS.get(self.compiler.compiler_type, OTHER_FLAGS)
        super().build_extensions()


def kernels() -> list[Extension]:
    """The kernels as C extensions; none when the caller (the Makefile) compiles them afterwards, in place."""
    if os.environ.get("TREEWRIGHT_KERNELS") == "later":
        return []
    shared = Extension(SHARED, [str(CORE / "_shared.c")])
    return cythonize(
        [Extension(f"treewright._core.{p.stem}", [str(p)]) for p in KERNELS] + [shared],
        language_level=3,
        shared_utility_qualified_name=SHARED,
        compiler_directives={
            "boundscheck": os.environ.get("TREEWRIGHT_BOUNDS") == "checked",
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "freethreading_compatible": True,
        },
    )


setup(cmdclass={"build_ext": BuildKernels}, ext_modules=kernels())
