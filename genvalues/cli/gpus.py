"""genvalues gpus: the GPU models that a site may name."""

import click

from genvalues.cli import options, table
from genvalues.facts.kinds import Gpu


@click.command("gpus")
@click.argument("model", required=False)
@table.format_option
@click.option(
    "--facts", "overlays", multiple=True, type=click.Path(dir_okay=False), help="Further facts (JSON), laid over ours."
)
def command(model: str | None, format_: str, overlays: tuple[str, ...]) -> int:
    """List the GPU models that genvalues knows, or tell all about one."""
    facts = options.facts(overlays)
    known = [gpu for key in facts.gpu_keys() if (gpu := facts.gpu(key)) is not None]
    if model is not None:
        chosen = [gpu for gpu in known if gpu.key == model]
        if not chosen:
            from genvalues.rules.hardware import guesses  # noqa: PLC0415 - only for a wrong name

            near = f"; near it: {', '.join(guesses(model, facts))}" if guesses(model, facts) else ""
            raise click.UsageError(f"no GPU model is called {model!r}{near}. `genvalues gpus` lists them")
        fields = _plain(chosen[0])
        rows = [(name, "" if value is None else str(value)) for name, value in fields.items()]
        table.show(format_, ("field", "value"), rows, fields)
        return 0
    headings = ("model", "gpu.product label", "memory", "family", "PCI ids", "MIG", "open modules")
    table.show(format_, headings, [_row(gpu) for gpu in known], [_plain(gpu) for gpu in known])
    return 0


def _row(gpu: Gpu) -> tuple[str, ...]:
    return (
        gpu.key,
        gpu.product or "not known",
        f"{gpu.memory_gb} GB" if gpu.memory_gb else "not known",
        gpu.family,
        " ".join(f"{pci.vendor}:{pci.device}" for pci in gpu.pci_ids),
        {True: "yes", False: "no", None: "not known"}[gpu.mig_capable],
        gpu.open_kernel_modules or "not known",
    )


def _plain(gpu: Gpu) -> dict[str, object]:
    return {
        **gpu._asdict(),
        "compute_capability": ".".join(map(str, gpu.compute_capability)),
        "pci_ids": [pci._asdict() for pci in gpu.pci_ids],
        "driver": gpu.driver._asdict(),
    }
