"""The kinds of facts, as immutable tuples.

`None` means that no source was found; nothing is guessed, and a rule that needs such a value says nothing or says that
it does not know. Field names follow upstream's words; versions are strings as published (`version.py` compares them).
`sources` maps a field to the abbreviations that `data/sources.json` spells out. One file, though long: it is the
vocabulary that every rule is written in.
"""

from collections.abc import Mapping
from typing import Literal

from genvalues.record import NamedTuple

Release = tuple[int, int]
"""Major and minor: Kubernetes (1, 34), containerd (2, 1), OpenShift (4, 18)."""


class PciId(NamedTuple):
    """One PCI id of a GPU, lower-case hex. `subsystems` ("10de:16c0") are those that a source lists, perhaps not all.

    `needs_subsystem`: another GPU has the same vendor and device (25b6: A2 and A16), so only the subsystem tells.
    """

    vendor: str
    device: str
    subsystems: tuple[str, ...]
    needs_subsystem: bool


class GpuDriver(NamedTuple):
    """Which drivers know a GPU.

    `supported_from` maps a branch to its first release that lists the GPU; `unsupported_branches` list it in none.
    A branch below `min_branch` or above `max_branch` cannot work; one newer than all that are named can.
    `enforce`: "yes"; "no" (the table is known to be incomplete: never judge by it); "until" (judge only branches up to
    `enforce_until`).
    """

    min_documented: str | None
    max_branch: str | None
    min_branch: str | None
    supported_from: Mapping[str, str]
    unsupported_branches: tuple[str, ...]
    enforce: Literal["yes", "no", "until"]
    enforce_until: str | None
    note: str | None


class Gpu(NamedTuple):
    """One GPU model as a site names it.

    `family` and `product` are the values of the labels nvidia.com/gpu.family and gpu.product as GPU feature discovery
    writes them; `product_variants` are other names that drivers gave the same board. `memory_gb` is the marketing
    size, `memory_mib` what nvidia-smi shows (it moves a little with driver and ECC). `mig_model` is a key of the MIG
    tables. `fabric_manager`: "required", "required-on-nvswitch-systems", "not-needed" or "not-on-compute-node".
    `platform_since`: the first GPU Operator minor release whose platform page lists it ("24.9": that or older).
    """

    key: str
    display: str
    architecture: str
    compute_capability: tuple[int, int]
    family: str
    memory_gb: int | None
    memory_mib: int | None
    form_factor: str
    pci_ids: tuple[PciId, ...]
    product: str | None
    product_variants: tuple[str, ...]
    gpu_class: Literal["datacenter", "professional", "consumer"]
    mig_capable: bool | None
    mig_max_instances: int | None
    mig_min_driver: str | None
    mig_model: str | None
    mig_note: str | None
    gpudirect_rdma: bool | None
    gpudirect_dmabuf: bool | None
    fabric_manager: Literal["required", "required-on-nvswitch-systems", "not-needed", "not-on-compute-node"] | None
    nvswitch_systems: str | None
    nvswitch_pci: str | None
    nvlsm: bool | None
    imex: bool | None
    nvswitch_note: str | None
    open_kernel_modules: Literal["required", "supported", "unsupported"] | None
    driver: GpuDriver
    ecc: bool | None
    row_remapping: bool | None
    confidential_computing: bool | None
    platform_since: str | None
    notes: str | None
    sources: Mapping[str, str]


class MigProfile(NamedTuple):
    """One MIG profile of a model: an instance covers `size` memory units from one of `starts`.

    `memory_slices` and `size` count the model's memory units. `resource` is its name under strategy mixed.
    `attributes` ("me", "me.all", "gfx") stand after "+", `negative_attributes` after "-" in the name. `engines` are
    counted per instance. `memory_mib` is usable memory; where the source gives `memory_gib`, in hundredths, it is
    computed from that and up to 10 MiB too low.
    """

    name: str
    compute_slices: int
    memory_slices: int
    starts: tuple[int, ...]
    size: int
    max_instances: int
    resource: str
    attributes: tuple[str, ...]
    negative_attributes: tuple[str, ...]
    engines: Mapping[str, int]
    memory_mib: int | None
    memory_gib: float | None
    multiprocessors: int | None
    min_driver: str | None
    sources: tuple[str, ...]


class MigModel(NamedTuple):
    """The MIG table of one memory size of one board. `engine_budget` holds only engines whose limit is known.

    `disputed`: why names or placements are not certain (sources disagree, or they follow the driver), so that a rule
    warns where it would refuse; None where they are certain. `pci_device_ids` are written as mig-parted's
    device-filter wants them ("0x233010DE", device first).
    """

    key: str
    products: str
    architecture: str
    total_gb: int
    compute_slices: int
    memory_units: int
    profiles: tuple[MigProfile, ...]
    engine_budget: Mapping[str, int]
    pci_device_ids: tuple[str, ...]
    min_driver: str | None
    disputed: str | None
    note: str | None

    def profile(self, name: str) -> MigProfile | None:
        """The profile of that exact name."""
        for profile in self.profiles:
            if profile.name == name:
                return profile
        return None


class DriverBranch(NamedTuple):
    """One driver branch ("580"). `eol` is a month, "2028-06".

    `default_kernel_modules` is what its installer takes by itself on GPUs that run with either (Turing and later).
    """

    branch: str
    type: Literal["LTSB", "production", "new feature"] | None
    eol: str | None
    status: str | None
    default_kernel_modules: Literal["open", "proprietary"]
    note: str | None


class CudaToolkit(NamedTuple):
    """One CUDA toolkit. `toolkit_driver` is the driver published with it, *not* a minimum; `floor` is the minimum.

    The floor holds by minor-version compatibility: every toolkit of a major runs on it, newer features apart.
    """

    version: str
    toolkit_driver: str | None
    floor: str
    note: str | None


class OsSupport(NamedTuple):
    """One row of a platform page: an os-release ID and its versions; `note` limits it ("x86 only ...")."""

    id: str
    versions: tuple[str, ...]
    note: str | None


class Precompiled(NamedTuple):
    """What precompiled driver images exist for one OS tag: kernel series ("6.8") and driver branches ("580")."""

    kernels: tuple[str, ...]
    branches: tuple[str, ...]


class NetworkOperatorPair(NamedTuple):
    """A Network Operator version that NVIDIA validated with a GPU Operator release; `only_for` limits it."""

    version: str
    only_for: str | None


class KnownIssue(NamedTuple):
    """A fault of one published chart version, with the version that mended it where known."""

    text: str
    fixed_in: str | None


class OperatorRelease(NamedTuple):
    """One GPU Operator chart version, as published ("v25.10.1"). Ranges include both ends.

    `components` maps toolkit, device_plugin, gfd, dcgm, dcgm_exporter, mig_manager, nfd, driver_manager, gds, gdrcopy,
    ... to the version that the chart installs, without image suffixes; a component whose version is not known is
    absent. `driver_default` is what the chart installs; `driver_listed` are the drivers of NVIDIA's matrix for this
    version, newest first (the matrix is rewritten as drivers appear, so it may have lost the default). `precompiled` is
    keyed by OS tag. `os_tags` maps an os-release ID to how its version goes into an image tag: "major",
    "major-from-10", else in full (`Facts.os_tag`).
    """

    version: str
    minor: str
    status: Literal["Supported", "Deprecated", "End of Support"]
    kubernetes: tuple[Release, Release]
    os: tuple[OsSupport, ...]
    openshift: tuple[Release, Release] | None
    containerd: tuple[Release, Release]
    driver_default: str
    driver_listed: tuple[str, ...]
    driver_recommended: str | None
    components: Mapping[str, str]
    precompiled: Mapping[str, Precompiled]
    precompiled_flavors: tuple[str, ...]
    cdi_default: bool
    os_tags: Mapping[str, str]
    network_operator: tuple[NetworkOperatorPair, ...]
    known_issues: tuple[KnownIssue, ...]
    notes: tuple[str, ...]


class DcgmField(NamedTuple):
    """One name that DCGM exporter may accept in the first column of its CSV.

    `suggested_type` is the metric type to write (gauge, counter, label; "reject" for what no CSV should hold, which is
    what `reject` says). `aliases` are other names of the same `id`. `generation`: "classic", "1.x" (lower case) or
    "4.6" (the newest spelling); `portable`: every release accepts it. `gated`: the exporter leaves the row out, with a
    warning, where the GPU lacks the metric. `mig`: what an instance's row shows ("own" value, the parent's "repeated",
    "whole-gpu": no row per instance, "none"). `support`: codes of the hardware it needs, see `Facts.dcgm_support`.
    `default_type` is the type in NVIDIA's default CSV where it has a row, `default_on` whether that row is active.
    """

    name: str
    id: int | None
    dtype: Literal["int64", "double", "string", "binary"] | None
    unit: str | None
    level: str | None
    suggested_type: Literal["gauge", "counter", "label", "reject"]
    reject: bool
    description: str
    aliases: tuple[str, ...]
    generation: Literal["classic", "1.x", "4.6"] | None
    portable: bool
    profiling: bool
    gated: bool
    mig: Literal["own", "repeated", "whole-gpu", "none"] | None
    topics: tuple[str, ...]
    support: tuple[str, ...]
    default_type: str | None
    default_on: bool
    note: str | None


class NfdFeature(NamedTuple):
    """One feature that a NodeFeatureRule may match.

    `attributes` are the known names; `open`: any other name may exist too (kernel options, CPU flags).
    """

    name: str
    type: Literal["flag", "attribute", "instance"]
    attributes: tuple[str, ...]
    open: bool


class NfdOp(NamedTuple):
    """One operator of a match expression: how many values it takes (`most` None: any number) and of what kind.

    `increasing`: the first value must be smaller than the second. `typed`: an expression with it may set `type`.
    """

    name: str
    least: int
    most: int | None
    values: Literal["string", "regexp", "integer"] | None
    increasing: bool
    typed: bool


class NfdRelease(NamedTuple):
    """One NFD minor release ("0.18"): keys that its daemons' configuration files know, and the fields of a rule.

    `expression_types` are the values of an expression's `type` ("version"); empty before it existed.
    """

    minor: str
    master_keys: tuple[str, ...]
    restrictions_keys: tuple[str, ...]
    core_keys: tuple[str, ...]
    expression_types: tuple[str, ...]


class SchedulerFiles(NamedTuple):
    """Where a distribution's kube-scheduler takes its configuration from.

    `config`: path of the KubeSchedulerConfiguration on a control-plane node; `kubeconfig`: for its clientConnection;
    `wiring`: the file that points the scheduler at it, None where that is already done.
    """

    config: str
    kubeconfig: str
    wiring: str | None


class Distribution(NamedTuple):
    """A Kubernetes distribution: what the toolkit must be told (`Facts.toolkit_env`), where the scheduler's file lies.

    `toolkit_env` pairs the operator minor release from which it holds (None: any) with variables, all strings, oldest
    first. `toolkit_env_refused` maps a variable to why it must not be set.
    """

    name: str
    display: str
    toolkit_env: tuple[tuple[str | None, Mapping[str, str]], ...]
    toolkit_env_refused: Mapping[str, str]
    scheduler: SchedulerFiles | None
    notes: tuple[str, ...]


class OperatingSystem(NamedTuple):
    """How driver containers treat one os-release ID.

    The operator knows the ID from minor release `since` on (None: any). `repo_dir`: where the keys of driver.repoConfig
    land. `cert_dir`: where those of driver.certConfig land; `cert_key` is the only useful key name there, `cert_suffix`
    the only ending that is read (both None: no source). The driver container installs `build_packages` before it
    compiles; empty: no source.
    """

    id: str
    since: str | None
    repo_dir: str
    repo_suffixes: tuple[str, ...]
    cert_dir: str
    cert_key: str | None
    cert_suffix: str | None
    build_packages: tuple[str, ...]


class HostPackages(NamedTuple):
    """Package names on a host for one kind of repository and one driver branch.

    An empty tuple: no source names the package there. Names of `fabric_manager`, `nscq` and `imex` are alternatives,
    the current one first; those of the others are installed together. "<kernel>" in a name stands for `uname -r`.
    """

    driver_open: tuple[str, ...]
    driver_proprietary: tuple[str, ...]
    fabric_manager: tuple[str, ...]
    nscq: tuple[str, ...]
    imex: tuple[str, ...]
    nvlink5: tuple[str, ...]
