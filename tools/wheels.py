"""An sdist, and a wheel for each interpreter at hand; each wheel is installed in an empty environment and tried.

    python tools/wheels.py [--python python3.12 ...]

In: the project. Out: dist/, empty before. A wheel is made from the sdist, as pip does for somebody who installs the
sdist, with a C compiler; it is installed and tried without one. The wheels of a release, for all platforms, are made
by cibuildwheel (see pyproject.toml).
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
DIST = PROJECT / "dist"
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14", "python3.14t")
NEEDED = ("py.typed", "model/file/model.schema.json", "page/assets/main.js", "page/assets/page.css",
          "_core/grow/loop.py")  # fmt: skip
"""Files of the package that are not modules of Python, and one that runs where kernels are not compiled."""
MOST_MEGABYTES = 5.0
"""Of the compiled part."""


def find_python(name: str) -> str | None:
    """The path of an interpreter that runs: on PATH, or a version of pyenv, whose command may be switched off."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for found in [shutil.which(name), *map(str, sorted(pyenv.glob(f"*/bin/{name}"), reverse=True))]:
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            return found
    return None


def make_sdist() -> Path:
    """Write the sdist; nothing is compiled for it."""
    make = "import setuptools.build_meta as b; b.build_sdist('dist')"
    environment = os.environ | {"TREEWRIGHT_KERNELS": "later"}
    subprocess.run([sys.executable, "-c", make], cwd=PROJECT, env=environment, check=True, stdout=subprocess.DEVNULL)
    return next(DIST.glob("*.tar.gz"))


def make_wheel(python: str, sdist: Path) -> Path:
    """Compile a wheel with one interpreter."""
    before = set(DIST.glob("*.whl"))
    subprocess.run([python, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", DIST, sdist], cwd="/", check=True)
    return (set(DIST.glob("*.whl")) - before).pop()


def check_content(wheel: Path) -> float:
    """See that a wheel has what the package reads and no generated C; the megabytes of its compiled part."""
    sizes = {entry.filename: entry.file_size for entry in zipfile.ZipFile(wheel).infolist()}
    missing = [name for name in NEEDED if f"treewright/{name}" not in sizes]
    generated = [name for name in sizes if name.endswith((".c", "codes.pxd"))]
    compiled = sum(size for name, size in sizes.items() if name.endswith((".so", ".pyd"))) / 1e6
    if missing or generated or not 0 < compiled <= MOST_MEGABYTES:
        raise SystemExit(f"{wheel.name}: missing {missing}, generated {generated}, compiled {compiled:.1f} MB.")
    return compiled


def try_wheel(python: str, wheel: Path) -> str:
    """Install a wheel where nothing is installed and no compiler is found, and use it; what the smoke test says."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        scripts = Path(folder) / ("Scripts" if os.name == "nt" else "bin")
        own = str(scripts / "python")
        environment = os.environ | {"PATH": str(scripts), "CC": "/bin/false", "CXX": "/bin/false"}
        install = [own, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", str(wheel)]
        subprocess.run(install, cwd=folder, env=environment, check=True)
        smoke = [own, "-I", str(PROJECT / "tools" / "smoke.py")]
        return subprocess.run(smoke, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> None:
    """Make and try everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", nargs="+", default=PYTHONS, help="interpreters; those not found are skipped")
    given = parser.parse_args()
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    sdist = make_sdist()
    print(f"{sdist.name}: {sdist.stat().st_size / 1e6:.1f} MB", flush=True)
    for name in given.python:
        python = find_python(name)
        if python is None:
            print(f"{name}: not found, skipped", flush=True)
            continue
        wheel = make_wheel(python, sdist)
        compiled = check_content(wheel)
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, compiled part {compiled:.1f} MB", flush=True)
        print(f"  {try_wheel(python, wheel).strip()}", flush=True)
    if not list(DIST.glob("*.whl")):
        raise SystemExit(f"No interpreter was found of {', '.join(given.python)}.")


if __name__ == "__main__":
    main()
