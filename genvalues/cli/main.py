"""The command line: finds the command, runs it, and turns what happened into an exit code.

0: clean; 1: findings or drift; 2: wrong use; 3: a fault of genvalues itself. Only this module ends the process.
"""

import gc

gc.disable()  # nothing that is imported is garbage: to look for it takes 2 ms

import io  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from importlib import import_module  # noqa: E402

import click  # noqa: E402

gc.enable()

# One file each, loaded when called: what a command does not need costs nothing.
COMMANDS = ("render", "check", "lint", "explain", "rules", "schema", "charts", "gpus", "images")

EXIT_USAGE, EXIT_BUG, EXIT_INTERRUPTED = 2, 3, 130


class _Lazy(click.Group):
    """A group whose commands are modules of this package, named as they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"genvalues.cli.{cmd_name}").command
        return command


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="genvalues", message="%(prog)s %(version)s")
def cli() -> None:
    """One checked description of a GPU Kubernetes site, rendered into files that agree."""


def run(arguments: Sequence[str]) -> int:
    """The exit code of a command line; never raises but for a fault in reporting a fault."""
    try:
        result = cli.main(list(arguments), prog_name="genvalues", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.Abort:
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        error.show()
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; the rest of it must not complain at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - the last resort, which is what exit code 3 is for
        _confess(error)
        return EXIT_BUG
    return result if isinstance(result, int) else 0


def _confess(error: Exception) -> None:
    """Say that the fault is ours, in one line that is worth pasting; all of it with GENVALUES_DEBUG set."""
    import traceback  # noqa: PLC0415 - only a fault pays for it

    frames = traceback.extract_tb(error.__traceback__)
    where = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno} in {frames[-1].name}" if frames else "?"
    click.echo(
        f"genvalues: a fault of genvalues itself, not of your files: {type(error).__name__}: {error} ({where})",
        err=True,
    )
    if os.environ.get("GENVALUES_DEBUG"):
        click.echo("".join(traceback.format_exception(error)), err=True)
    else:
        click.echo("Please report this line. GENVALUES_DEBUG=1 shows more.", err=True)


def main() -> None:
    """Run the command line of this process and leave it, the quick way: nothing here needs a tidy end."""
    gc.disable()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a site may hold what the terminal's encoding does not
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        pass
    os._exit(code)
