"""Raw facts -> tuples. The data files name their fields as the tuples do, so that there is one vocabulary."""

from typing import Any

from genvalues.facts import kinds
from genvalues.finding import Json


def gpu(key: str, raw: Json) -> kinds.Gpu:
    """A GPU from its file."""
    fields = _fields(kinds.Gpu, raw, without="key")
    driver = {**raw["driver"], "unsupported_branches": tuple(raw["driver"]["unsupported_branches"])}
    fields["compute_capability"] = tuple(raw["compute_capability"])
    fields["pci_ids"] = tuple(
        kinds.PciId(one["vendor"], one["device"], tuple(one["subsystems"]), one["needs_subsystem"])
        for one in raw["pci_ids"]
    )
    fields["product_variants"] = tuple(raw["product_variants"])
    fields["driver"] = kinds.GpuDriver(**driver)
    return kinds.Gpu(key=key, **fields)


def mig_model(key: str, raw: Json) -> kinds.MigModel:
    """A MIG table from its file."""
    fields = _fields(kinds.MigModel, raw, without="key")
    fields["profiles"] = tuple(kinds.MigProfile(**_tuples(one)) for one in raw["profiles"])
    fields["pci_device_ids"] = tuple(raw["pci_device_ids"])
    return kinds.MigModel(key=key, **fields)


def operator_release(version: str, minor: str, raw: Json) -> kinds.OperatorRelease:
    """One chart version from the file of its minor release."""
    own = raw["releases"][version]
    return kinds.OperatorRelease(
        version=version,
        minor=minor,
        status=raw["status"],
        kubernetes=_range(own["kubernetes"]),
        os=tuple(kinds.OsSupport(row["id"], tuple(row["versions"]), row["note"]) for row in raw["os"]),
        openshift=None if raw["openshift"] is None else _range(raw["openshift"]),
        containerd=_range(raw["containerd"]),
        driver_default=own["driver_default"],
        driver_listed=tuple(own["driver_listed"]),
        driver_recommended=own["driver_recommended"],
        components=own["components"],
        precompiled={
            tag: kinds.Precompiled(tuple(row["kernels"]), tuple(row["branches"]))
            for tag, row in raw["precompiled"].items()
        },
        precompiled_flavors=tuple(raw["precompiled_flavors"]),
        cdi_default=raw["cdi_default"],
        os_tags=raw["os_tags"],
        network_operator=tuple(kinds.NetworkOperatorPair(**row) for row in raw["network_operator"]),
        known_issues=tuple(kinds.KnownIssue(**row) for row in own["known_issues"]),
        notes=tuple(raw["notes"]),
    )


def dcgm_field(name: str, raw: Json) -> kinds.DcgmField:
    """A DCGM field from its line, which leaves out what is empty."""
    return kinds.DcgmField(
        name=name,
        id=raw["id"],
        dtype=raw.get("dtype"),
        unit=raw.get("unit"),
        level=raw.get("level"),
        suggested_type=raw["type"],
        reject=raw["type"] == "reject",
        description=raw["description"],
        aliases=tuple(raw.get("aliases", ())),
        generation=raw.get("generation"),
        portable=raw.get("portable", False),
        profiling=raw.get("profiling", False),
        gated=raw.get("gated", False),
        mig=raw.get("mig"),
        topics=tuple(raw.get("topics", ())),
        support=tuple(raw.get("support", ())),
        default_type=raw.get("default_type"),
        default_on=raw.get("default_on", False),
        note=raw.get("note"),
    )


def distribution(name: str, raw: Json) -> kinds.Distribution:
    """A Kubernetes distribution."""
    scheduler = raw["scheduler"]
    return kinds.Distribution(
        name=name,
        display=raw["display"],
        toolkit_env=tuple((row["since"], row["env"]) for row in raw["toolkit_env"]),
        toolkit_env_refused=raw["toolkit_env_refused"],
        scheduler=None if scheduler is None else kinds.SchedulerFiles(**scheduler),
        notes=tuple(raw["notes"]),
    )


def operating_system(key: str, raw: Json) -> kinds.OperatingSystem:
    """An os-release ID."""
    return kinds.OperatingSystem(id=key, **_tuples(raw))


def nfd_release(minor: str, raw: Json) -> kinds.NfdRelease:
    """What one NFD minor release knows."""
    return kinds.NfdRelease(minor=minor, **_tuples(raw))


def _fields(kind: Any, raw: Json, without: str) -> dict[str, Any]:
    return {name: raw[name] for name in kind._fields if name != without}


def _tuples(raw: Json) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()}


def _range(ends: Json) -> tuple[kinds.Release, kinds.Release]:
    low, high = ends
    return _release(low), _release(high)


def _release(text: str) -> kinds.Release:
    major, minor = text.split(".")
    return int(major), int(minor)
