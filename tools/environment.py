"""Make .venv: the project as an installed wheel, with what its tests and linters need. Quick where nothing changed.

    python3 tools/environment.py [EXTRA ...]        extras of pyproject.toml: test, lint, tools

Two stamps in .venv say what is there: the requirements, and a hash of everything that goes into the wheel.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
IN_THE_WHEEL = ("genvalues", "schemas", "pyproject.toml", "README.md", "LICENSE")


class SetupError(Exception):
    """Something that the user has to put right; the text says what."""


def main(extras: Sequence[str]) -> int:
    """Bring .venv up to date; 1 with a word on standard error where that is impossible."""
    try:
        make_venv()
        install_requirements(extras)
        install_wheel()
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    return 0


def make_venv() -> None:
    """A virtual environment of this very Python, made anew where the old one is broken or of another version."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    if os.path.exists(PYTHON):
        answer = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True, check=False)
        if answer.stdout.strip() == version:
            return
        shutil.rmtree(VENV)
    print(f"setup: .venv with Python {version}", flush=True)
    done = subprocess.run([sys.executable, "-m", "venv", VENV], check=False)
    if done.returncode != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        raise SetupError(
            f"{sys.executable} cannot make virtual environments: on Debian, apt install python{version}-venv"
        )


def install_requirements(extras: Sequence[str]) -> None:
    """What pyproject.toml asks for: to run, to build, and the extras. Those of an earlier call stay."""
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        declared: dict[str, Any] = tomllib.load(file)
    project = declared["project"]
    wanted = [*declared["build-system"]["requires"], *project["dependencies"]]
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    present = _read("requirements").splitlines()
    if missing := [requirement for requirement in wanted if requirement not in present]:
        print(f"setup: {len(missing)} requirements", flush=True)
        if _pip("install", *missing) != 0:
            raise SetupError("pip could not install them: is there a package index (PIP_INDEX_URL, HTTPS_PROXY)?")
        _write("requirements", "\n".join(sorted({*present, *wanted})))


def install_wheel() -> None:
    """The project itself, built and installed as a user gets it: compiled, without the checkout in sight."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(path.encode())
        with open(os.path.join(ROOT, path), "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    if _read("wheel") == digest.hexdigest():
        return
    print("setup: genvalues as a wheel", flush=True)
    # --no-build-isolation: the build backend is one of the requirements, so this needs no index.
    if _pip("install", "--no-build-isolation", "--no-deps", "--force-reinstall", ROOT) != 0:
        raise SetupError("the wheel could not be built")
    _write("wheel", digest.hexdigest())


def sources() -> Iterator[str]:
    """Every file that goes into the wheel, relative to the root, in a fixed order."""
    for entry in IN_THE_WHEEL:
        if os.path.isfile(os.path.join(ROOT, entry)):
            yield entry
        for base, folders, names in os.walk(os.path.join(ROOT, entry)):
            folders[:] = sorted(folder for folder in folders if folder != "__pycache__")
            yield from (os.path.relpath(os.path.join(base, name), ROOT) for name in sorted(names))


def _pip(*arguments: str) -> int:
    command = [PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, check=False, cwd=VENV).returncode


def _read(name: str) -> str:
    """A stamp; empty where there is none."""
    try:
        with open(os.path.join(VENV, f".{name}"), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _write(name: str, stamp: str) -> None:
    with open(os.path.join(VENV, f".{name}"), "w", encoding="utf-8") as file:
        file.write(stamp)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
