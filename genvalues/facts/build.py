"""Raw facts -> tuples. The data files name their fields as the tuples do, so that there is one vocabulary."""

from genvalues.facts import kinds
from genvalues.finding import Json


def gpu(key: str, raw: Json) -> kinds.Gpu:
    """A GPU from its file."""
    fields = {name: raw[name] for name in kinds.Gpu._fields if name != "key"}
    driver = {**raw["driver"], "unsupported_branches": tuple(raw["driver"]["unsupported_branches"])}
    major, minor = raw["compute_capability"]
    fields["compute_capability"] = (major, minor)
    fields["pci_ids"] = tuple(
        kinds.PciId(one["vendor"], one["device"], tuple(one["subsystems"]), one["needs_subsystem"])
        for one in raw["pci_ids"]
    )
    fields["product_variants"] = tuple(raw["product_variants"])
    fields["driver"] = kinds.GpuDriver(**driver)
    return kinds.Gpu(key=key, **fields)
