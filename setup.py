"""Compiles the kernels of treewright/_core; all other metadata is in pyproject.toml."""

import math
import os
import runpy
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CORE = Path("src/treewright/_core")
# Cython's own helpers (memory views above all), compiled once instead of into every extension.
SHARED = "treewright._core._shared"

# No -march=native: a wheel must run on the oldest machine of its platform.
FLAGS = {"msvc": ["/O2"]}
# a * b + c in one rounding, which arm64 has and x86-64 has not, would make other ties.
OTHER_FLAGS = ["-O3", "-g0", "-ffp-contract=off"]
# The sanitizers of gcc to compile in, joined by commas; `make sanitize` sets them. What they find ends the process.
SANITIZERS = os.environ.get("TREEWRIGHT_SANITIZE")
SANITIZER_FLAGS = [f"-fsanitize={SANITIZERS}", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g", "-O1"]


class BuildKernels(build_ext):
    """Compiles side by side, with the flags of the compiler in use."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def build_extensions(self) -> None:
        for extension in self.extensions:
            extension.extra_compile_args = FLAGS.get(self.compiler.compiler_type, OTHER_FLAGS)
            if SANITIZERS:
                extension.extra_compile_args = extension.extra_link_args = SANITIZER_FLAGS
        super().build_extensions()


def write_constants() -> None:
    """Make codes.pxd, the constants of codes.py as C constants; an unchanged file keeps its date."""
    numbers = {k: v for k, v in runpy.run_path(str(CORE / "codes.py")).items() if k.isupper()}
    lines = ["# Made of codes.py by setup.py.", "cdef enum:"]
    lines += [f"    {name} = {value}" for name, value in numbers.items() if is_int(value)]
    others = {name: value for name, value in numbers.items() if not is_int(value)}
    lines += ['cdef extern from *:', '    """', "    #include <math.h>"]
    lines += [f"    #define {name} {c_literal(value)}" for name, value in others.items()]
    lines += ['    """']
    lines += [f"    const {c_type(value)} {name}" for name, value in others.items()]
    text = "\n".join(lines) + "\n"
    target = CORE / "codes.pxd"
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")


def is_int(value: float) -> bool:
    """Whether a constant fits into a C int."""
    return isinstance(value, int) and abs(value) < 2**31


def c_type(value: float) -> str:
    """The C type of a constant that is not an int."""
    return "unsigned int" if isinstance(value, int) else "double"


def c_literal(value: float) -> str:
    """The same constant as it is written in C."""
    if isinstance(value, int):
        return f"{value}u"
    return ("-" if value < 0 else "") + "INFINITY" if math.isinf(value) else repr(value)


def kernels() -> list[Extension]:
    """The kernels as C extensions; none when the caller (the Makefile) compiles them afterwards, in place."""
    if os.environ.get("TREEWRIGHT_KERNELS") == "later":
        return []
    write_constants()
    stages = [Extension(f"treewright._core.{p.stem}", [str(p)]) for p in sorted(CORE.glob("*.pyx"))]
    return cythonize(
        [*stages, Extension(SHARED, [str(CORE / "_shared.c")])],
        language_level=3,
        quiet=True,
        shared_utility_qualified_name=SHARED,
        compiler_directives={
            "boundscheck": os.environ.get("TREEWRIGHT_BOUNDS") == "checked",
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "freethreading_compatible": True,
            "auto_pickle": False,  # a workspace is never pickled, and the code for it is a quarter of growth's
        },
    )


setup(cmdclass={"build_ext": BuildKernels}, ext_modules=kernels())
