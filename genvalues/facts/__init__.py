"""Facts about hardware and software: sourced, typed, loaded when first asked for.

`load()` once per run. Every method is total: what is not known gives None or nothing, never an exception.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, TypeVar, cast

from genvalues.facts import build, kinds, version
from genvalues.facts.store import Overlay, Store

__all__ = ["Facts", "load"]

T = TypeVar("T")


def load(overlays: Sequence[str] = ()) -> "Facts":
    """All facts, with the user's own overlay files (JSON; paths) laid over them, later ones on top.

    ValueError names the file and the place where an overlay is not in order; OSError where it cannot be read.
    """
    if not overlays:
        return Facts({})
    from genvalues.facts.overlay import read  # noqa: PLC0415  rare, and it brings the checks along

    return Facts(read(overlays))


class Facts:
    """The facts of one run."""

    def __init__(self, overlay: Overlay) -> None:
        self._store = Store(overlay)
        self._memo: dict[str, Any] = {}

    # Hardware

    def gpu_keys(self) -> tuple[str, ...]:
        """Every GPU that a site may name, in alphabetical order."""
        return tuple(sorted(self._store.keys("gpus")))

    def gpu(self, key: str) -> kinds.Gpu | None:
        """The GPU of that key ("h100-sxm5-80gb")."""
        return self._entry("gpus", key, build.gpu)

    def gpus_by_product(self, product: str) -> tuple[kinds.Gpu, ...]:
        """The GPUs that report that nvidia.com/gpu.product (no -MIG-, no -SHARED), today or with an older driver."""
        every = [gpu for key in self.gpu_keys() if (gpu := self.gpu(key)) is not None]
        return tuple(gpu for gpu in every if product == gpu.product or product in gpu.product_variants)

    def wrong_product_labels(self) -> Mapping[str, tuple[str, ...]]:
        """Values of nvidia.com/gpu.product that public code uses and no GPU reports -> what was meant."""
        table = self._store.table("labels")["wrong_products"]
        return self._once("labels", lambda: {wrong: tuple(right) for wrong, right in table.items()})

    def mig_model_keys(self) -> tuple[str, ...]:
        """Every MIG table, in alphabetical order."""
        return tuple(sorted(self._store.keys("mig")))

    def mig_model(self, key: str) -> kinds.MigModel | None:
        """The MIG table of that key ("H100-80GB"), as `Gpu.mig_model` names it."""
        return self._entry("mig", key, build.mig_model)

    # Drivers and CUDA

    def driver_branches(self) -> tuple[kinds.DriverBranch, ...]:
        """Every driver branch, oldest first."""
        rows = self._store.table("drivers")["branches"]
        return self._once(
            "drivers", lambda: tuple(kinds.DriverBranch(branch=name, **row) for name, row in rows.items())
        )

    def driver_branch(self, branch: str) -> kinds.DriverBranch | None:
        """The branch "580"; a driver version is not taken (`version.branch` gives its branch)."""
        return next((row for row in self.driver_branches() if row.branch == branch), None)

    def cuda_toolkit(self, toolkit: str) -> kinds.CudaToolkit | None:
        """The CUDA toolkit "12.8" or "12.8.1"; "12.8.0" is 12.8."""
        name = toolkit.removesuffix(".0") if toolkit.count(".") == 2 else toolkit
        row = self._store.table("cuda")["toolkits"].get(name)
        if row is None:
            return None
        floor = self._store.table("cuda")["floors"][name.partition(".")[0]]
        return kinds.CudaToolkit(name, row["toolkit_driver"], floor, row["note"])

    def cuda_floor(self, major: int) -> str | None:
        """The oldest driver that runs programs of a CUDA major, by minor-version compatibility."""
        return cast("str | None", self._store.table("cuda")["floors"].get(str(major)))

    def cuda_versions(self) -> tuple[str, ...]:
        """Every CUDA toolkit that is known, oldest first: "12.8", "12.8.1"."""
        return tuple(sorted(self._store.table("cuda")["toolkits"], key=lambda name: version.numbers(name) or ()))

    def cuda_removed(self, architecture: str) -> int | None:
        """The first CUDA major without a GPU architecture ("volta"); None where all that are known have it."""
        removed = self._store.table("cuda")["removed"]
        return min((int(major) for major, names in removed.items() if architecture in names), default=None)

    # GPU Operator

    def operator_versions(self) -> tuple[str, ...]:
        """Every GPU Operator chart version that is known, oldest first, as published ("v25.10.1")."""
        every = [name for minor in self._store.keys("operator") for name in self._operator(minor)["releases"]]
        return tuple(sorted(every, key=lambda name: version.chart(name) or ()))

    def operator_release(self, chart: str) -> kinds.OperatorRelease | None:
        """The GPU Operator chart version "v25.10.1" (the v may be left out)."""
        name = chart if chart.startswith("v") else f"v{chart}"
        minor = version.minor(name)
        if minor is None or name not in self._operator(minor).get("releases", {}):
            return None
        raw = self._operator(minor)
        return self._once(f"operator/{name}", lambda: build.operator_release(name, minor, raw))

    def os_tag(self, chart: str, os_id: str, os_version: str) -> str | None:
        """The OS part of a driver image tag, by the rule of that operator version: rhel9.4, but rhel9 from v26.7.

        None where the operator version is not known. `os_id` and `os_version` are ID and VERSION_ID of os-release.
        """
        release = self.operator_release(chart)
        if release is None:
            return None
        major, _, _ = os_version.partition(".")
        rule = release.os_tags.get(os_id, "full")
        short = rule == "major" or (rule == "major-from-10" and major.isdecimal() and int(major) >= 10)
        return os_id + (major if short else os_version)

    # DCGM exporter

    def dcgm_names(self, exporter: str) -> frozenset[str] | None:
        """Every name that a DCGM exporter release ("4.4.2-4.7.0") accepts; None where the release is not known.

        `OperatorRelease.components["dcgm_exporter"]` is such a release.
        """
        wanted = version.exporter(exporter)
        if wanted is None:
            return None
        return self._once(f"dcgm/{exporter}", lambda: self._accepted(wanted))

    def dcgm_field(self, name: str) -> kinds.DcgmField | None:
        """What is known of one name, whichever releases accept it."""

        def field() -> kinds.DcgmField | None:
            raw = self._store.line("dcgm/fields", name)
            return None if raw is None else build.dcgm_field(name, raw)

        return self._once(f"dcgm_field/{name}", field)

    def dcgm_presets(self) -> tuple[str, ...]:
        """Every set of metrics that a site may ask for by name."""
        return tuple(self._store.table("dcgm/presets")["presets"])

    def dcgm_preset(self, preset: str, accepted: Container[str] | None = None) -> tuple[str, ...]:
        """The fields of a set of metrics, those that the exporter does not accept left out where `accepted` is known.

        Of several spellings of one field the first accepted one is taken: two names of one id would double its samples.
        """
        chosen = []
        for row in self._store.table("dcgm/presets")["presets"].get(preset, ()):
            names = row if isinstance(row, list) else [row]
            chosen += [name for name in names if accepted is None or name in accepted][:1]
        return tuple(chosen)

    def dcgm_help(self, name: str) -> str | None:
        """Help text for a row of the CSV, where the field's description does not serve as one."""
        return cast("str | None", self._store.table("dcgm/presets")["help"].get(name))

    def dcgm_support(self, code: str) -> str | None:
        """A code of `DcgmField.support` in words."""
        return cast("str | None", self._store.table("dcgm/support")["support"].get(code))

    # NFD

    def nfd_release(self, chart: str) -> kinds.NfdRelease | None:
        """What the NFD of that version ("0.18.3") has: configuration keys and expression types."""
        minor = version.minor(chart)
        raw = self._store.table("nfd")["minors"].get(minor)
        if raw is None or minor is None:
            return None
        return self._once(f"nfd/{minor}", lambda: build.nfd_release(minor, raw))

    def nfd_features(self, chart: str) -> Mapping[str, kinds.NfdFeature]:
        """The features of that NFD version by name; none where the version is not known."""
        if (release := self.nfd_release(chart)) is None:
            return {}
        known = version.numbers(release.minor) or ()

        def features() -> Mapping[str, kinds.NfdFeature]:
            found = {}
            for name, row in self._store.table("nfd")["features"].items():
                if _reached(row["since"], known):
                    attributes = tuple(key for key, since in row["attributes"].items() if _reached(since, known))
                    found[name] = kinds.NfdFeature(name, row["type"], attributes, row["open"])
            return found

        return self._once(f"nfd_features/{release.minor}", features)

    def nfd_ops(self, chart: str) -> Mapping[str, kinds.NfdOp]:
        """The operators of that NFD version by name; none where the version is not known."""
        if (release := self.nfd_release(chart)) is None:
            return {}
        known = version.numbers(release.minor) or ()
        found = {}
        for name, row in self._store.table("nfd")["ops"].items():
            if _reached(row["since"], known):
                typed = row["typed"] and bool(release.expression_types)
                found[name] = kinds.NfdOp(name, row["least"], row["most"], row["values"], row["increasing"], typed)
        return found

    # Distributions and hosts

    def distribution(self, name: str) -> kinds.Distribution | None:
        """The Kubernetes distribution of that name ("kubespray")."""
        raw = self._store.table("distributions")["distributions"].get(name)
        return None if raw is None else build.distribution(name, raw)

    def toolkit_env(self, distribution: str, chart: str) -> Mapping[str, str] | None:
        """The variables that toolkit.env needs there under that operator version; None where that is not known."""
        found = self.distribution(distribution)
        minor = version.minor(chart)
        if found is None or minor is None:
            return None
        reached = [env for since, env in found.toolkit_env if since is None or version.same_or_newer(minor, since)]
        return reached[-1] if reached else None

    def operating_system(self, os_id: str) -> kinds.OperatingSystem | None:
        """How driver containers treat that os-release ID ("ubuntu")."""
        raw = self._store.table("operating-systems")["operating_systems"].get(os_id)
        return None if raw is None else build.operating_system(os_id, raw)

    def host_packages(self, kind: str, os_id: str, branch: str) -> kinds.HostPackages | None:
        """Names of the driver's side packages on a host: `kind` is "cuda-repo" or "ubuntu-archive", `branch` "580"."""
        wanted = version.driver(branch)
        for row in self._store.table("host-packages")["packages"]:
            first, last = row["branches"]
            if (
                wanted is not None
                and (kind == row["kind"] and os_id in row["os"])
                and (first is None or wanted[0] >= int(first))
                and (last is None or wanted[0] <= int(last))
            ):
                named = {
                    part: tuple(name.replace("<branch>", str(wanted[0])) for name in row[part])
                    for part in kinds.HostPackages._fields
                }
                return kinds.HostPackages(**named)
        return None

    # Inside

    def _operator(self, minor: str) -> Mapping[str, Any]:
        return cast("Mapping[str, Any]", self._store.entry("operator", minor) or {})

    def _accepted(self, wanted: tuple[version.Parsed, version.Parsed]) -> frozenset[str] | None:
        names: set[str] = set()
        for release in self._store.table("dcgm/names")["releases"]:
            first, last = version.exporter(release["first"]), version.exporter(release["last"])
            if first is None or last is None or wanted < first:
                return None
            names.difference_update(release["removed"])
            names.update(release["added"])
            if wanted <= last:
                return frozenset(names)
        return None

    def _entry(self, kind: str, key: str, make: Callable[[str, Any], T]) -> T | None:
        raw = self._store.entry(kind, key)
        return None if raw is None else self._once(f"{kind}/{key}", lambda: make(key, raw))

    def _once(self, name: str, make: Callable[[], T]) -> T:
        """`make()`, the first time."""
        if name not in self._memo:
            self._memo[name] = make()
        return cast("T", self._memo[name])


def _reached(since: str, known: version.Parsed) -> bool:
    return (version.numbers(since) or ()) <= known
