"""What a plan is made of: every decision and every shared name of a site, each with its reason.

One module although it is long: this is the vocabulary that every rule and every artefact speaks.
"""

from collections.abc import Mapping

from genvalues.document import Chart, Decided, Why
from genvalues.facts.kinds import Gpu
from genvalues.finding import Json, Route
from genvalues.model import Acceptance, Cluster, Offline, Pool, SharingConfig, Workload
from genvalues.record import NamedTuple

DEFAULT_SCHEDULER = "default-scheduler"
"""The profile of pods that name no scheduler (Kubernetes, v1.DefaultSchedulerName)."""


class ChartPlan(NamedTuple):
    """How one chart is installed. `known`: genvalues has a contract for the version.

    `source` is what helm is given: an OCI reference, or a repository URL (`repository`) with the chart's name.
    """

    chart: Chart
    version: Decided[str]
    namespace: Decided[str]
    release: str
    source: str
    repository: str | None
    known: bool


class DriverPlan(NamedTuple):
    """The effective driver of a pool.

    `version`: what runs, the operator's default where the site is silent; None for a host driver of unknown version.
    `stated`: whether the site names the version. `module_type` is what is asked for (auto, open, proprietary),
    `modules` what then runs (open, proprietary; None: not known). `fabric_manager`: version that the host needs
    (None: none, or not known), `needs_fabric_manager` None where it depends on the board.
    """

    strategy: Decided[str]
    version: Decided[str | None]
    branch: str | None
    stated: bool
    module_type: Decided[str]
    modules: Decided[str | None]
    parameters: Mapping[str, Mapping[str, str]]
    needs_fabric_manager: bool | None
    fabric_manager: Decided[str | None]
    host_packages: Decided[str]

    @property
    def in_cluster(self) -> bool:
        """Whether the operator's driver pod brings the driver."""
        return self.strategy.value != "host"

    @property
    def precompiled(self) -> bool:
        return self.strategy.value == "precompiled"


class RdmaPlan(NamedTuple):
    """The effective GPUDirect settings of a pool. `peermem_by_operator`: the driver pod loads nvidia-peermem."""

    gpu_direct: Decided[str]
    ofed: Decided[str]
    gdrcopy: Decided[bool]
    gds: Decided[bool]
    peermem_by_operator: bool


class Resource(NamedTuple):
    """An extended resource that each node of a pool advertises; `per_node` None where a count is not known.

    `kind`: gpu, mig; `shared`: several pods may hold one of the underlying devices. `memory_mib`: of one, if known.
    """

    name: str
    per_node: int | None
    kind: str
    shared: bool
    memory_mib: int | None = None


class Sharing(NamedTuple):
    """How a pool's GPUs end up shared. `config` None: whole GPUs, or a name that the site does not define."""

    name: Decided[str]
    config: SharingConfig | None
    known: bool
    resources: tuple[Resource, ...]
    product: str | None


class Label(NamedTuple):
    """A label that the pool's rule sets."""

    key: str
    value: Decided[str]

    @property
    def namespace(self) -> str:
        """The part before the slash; NFD puts a key without one under its own namespace."""
        prefix, slash, _ = self.key.rpartition("/")
        return prefix if slash else "feature.node.kubernetes.io"


class PciMatch(NamedTuple):
    """PCI devices that a rule takes for the pool's GPU, lower-case hex.

    Without `devices` any device of that vendor and those classes will do, without `subsystems` any subsystem.
    """

    vendor: str
    classes: tuple[str, ...]
    devices: tuple[str, ...]
    subsystems: tuple[str, ...]


class Matcher(NamedTuple):
    """How the pool's rule recognises its nodes: one of `gpus`, and the name where the site gives a pattern."""

    gpus: Decided[tuple[PciMatch, ...]]
    name_pattern: Decided[str] | None


class Toleration(NamedTuple):
    """A toleration; key None with operator Exists tolerates everything."""

    key: str | None
    effect: str | None


class PoolPlan(NamedTuple):
    """All decisions about one pool."""

    pool: Pool
    gpu: Gpu | None
    os_tag: str | None
    driver: DriverPlan
    rdma: RdmaPlan
    sharing: Sharing
    labels: tuple[Label, ...]
    matcher: Matcher
    selector: tuple[str, str]

    @property
    def name(self) -> str:
        return self.pool.name


Setting = tuple[Route, Decided[Json]]
"""One leaf of a block that the site fills in with upstream's own keys: its route in the block, and its value."""


class DriverObject(NamedTuple):
    """One NVIDIADriver object: the pool that it serves, and the names of the ConfigMaps that it refers to.

    `upgrade_policy` is in the chart's keys, and empty where the operator has one policy for the whole cluster.
    """

    pool: PoolPlan
    name: str
    parameters: "ConfigMapRef | None"
    packages: "ConfigMapRef | None"
    certificates: "ConfigMapRef | None"
    tolerations: tuple[tuple[Toleration, Decided[str]], ...]
    upgrade_policy: tuple[Setting, ...]


class ConfigMapRef(NamedTuple):
    """A ConfigMap in the operator's namespace: its name and the text of each key."""

    name: Decided[str]
    data: Mapping[str, Decided[str]]


class Image(NamedTuple):
    """An image of a chart. `repository` is where it comes from at this site, `upstream` where the chart looks.

    `route` maps repository, image, version, imagePullSecrets, ... to the chart's keys, as routes. `on`: it runs here.
    """

    component: str
    on: bool
    repository: Decided[str]
    upstream: str
    image: str
    tag: str
    os_suffix: bool
    route: Mapping[str, Route]


class NfdWorker(NamedTuple):
    """NFD's worker daemon, which must run on every node that may have a GPU."""

    tolerations: Decided[tuple[Toleration, ...]]
    priority_class: Decided[str]


class Toolkit(NamedTuple):
    """The container toolkit: who installs it, and the environment that the distribution needs.

    `known`: whether it is known what this distribution needs under this operator version.
    """

    by_operator: Decided[bool]
    env: Decided[tuple[tuple[str, str], ...]]
    known: bool


class MigEntry(NamedTuple):
    """One entry of a mig-parted config: how some GPUs of a node are split; `gpus` None: all, no profiles: MIG off."""

    gpus: tuple[int, ...] | None
    profiles: Mapping[str, int]


class SharingPlan(NamedTuple):
    """What the site's sharing configs become. `default` is the device-plugin key of nodes without a label.

    `device_plugin` and `mig` list the configs that pools use, in the order of the site; empty: no ConfigMap.
    `mig_strategy` None: the chart's own.
    """

    device_plugin: tuple[SharingConfig, ...]
    device_plugin_name: Decided[str]
    default: Decided[str]
    mig: tuple[SharingConfig, ...]
    mig_name: Decided[str]
    mig_strategy: Decided[str] | None


class Metric(NamedTuple):
    """One row of the DCGM CSV."""

    field: str
    type: str
    help: str


class MetricGroup(NamedTuple):
    """Rows of one preset, or those that the site adds; `why` is also the title of their section."""

    title: str
    rows: tuple[Metric, ...]
    why: Why


class MonitoringPlan(NamedTuple):
    """GPU metrics. `groups` None: the chart's own list. Intervals in milliseconds, None: the chart's own.

    `collected` are the fields that the exporter then gives, whoever chose them. `scrape`: none, prometheus or
    victoriametrics. `virtual_gpus`: per-pod labels need the exporter's special mode. `nvlink`: which families of NVLink
    counters the site's GPUs have ("hopper": up to Hopper, "blackwell"); empty where no GPU is known to have NVLink.
    """

    groups: Decided[tuple[MetricGroup, ...]] | None
    collected: tuple[str, ...]
    config_map: Decided[str]
    interval: Decided[int] | None
    scrape: Decided[str]
    scrape_interval: Decided[int] | None
    scrape_labels: Mapping[str, str]
    alerts: Decided[bool]
    virtual_gpus: Decided[bool]
    nvlink: tuple[str, ...]


class SchedulerPlan(NamedTuple):
    """The packing profile of kube-scheduler. `weights` in the order to be written, every exposed resource in it.

    `config_path`, `kubeconfig` and `wiring` are files on control planes, None where the distribution's are not known
    (`wiring` also: nothing more to wire). `distribution` as the site writes it. `kubeadm_api`: apiVersion of the
    ClusterConfiguration that kubeadm of this Kubernetes reads. `bystanders`: what becomes of pods without GPUs where
    the profile is everybody's.
    """

    name: Decided[str]
    strategy: Decided[str]
    weights: tuple[tuple[str, Decided[int]], ...]
    percentage: Decided[int] | None
    config_path: str | None
    kubeconfig: str | None
    wiring: str | None
    distribution: str
    kubeadm_api: str
    bystanders: str

    @property
    def replaces_default(self) -> bool:
        """Whether the packing profile is the one of pods that name no scheduler."""
        return self.name.value == DEFAULT_SCHEDULER


class HostPackage(NamedTuple):
    """A package on the nodes. `version` as the driver's is written (the package's goes on behind it), None: any."""

    name: str
    version: str | None
    why: str


class HostFile(NamedTuple):
    """A file on the nodes; `path` from the root, without the slash."""

    path: str
    text: Decided[str]


class HostPlan(NamedTuple):
    """What the nodes of some pools need before the operator comes; empty tuples where they need nothing.

    `folder` is where their files lie in the rendering. `family`: how packages are managed there (debian, rhel, suse),
    None where the operating system is not known. `driver`: version of a driver that the host's packages bring.
    `options` are lines of modprobe.d without the word options. `services` are systemd units to enable.
    """

    folder: str
    pools: tuple[PoolPlan, ...]
    family: str | None
    driver: Decided[str] | None
    packages: tuple[HostPackage, ...]
    services: tuple[str, ...]
    options: tuple[Decided[str], ...]
    no_nouveau: bool
    modules: tuple[Decided[str], ...]
    sources: tuple[HostFile, ...]
    certificates: HostFile | None


class VerifyPod(NamedTuple):
    """A pod that asks for one unit of a resource on a pool's nodes; `name` is also the stem of its file's name."""

    name: str
    file: str
    pool: PoolPlan
    resource: Resource
    runtime_class: Decided[str] | None


class WorkloadPlan(NamedTuple):
    """A workload, with the pools that it runs on.

    `cuda` is the version that the site states or the image's tag names, None where neither does. `driver` is the oldest
    that runs it, None where that is not known, or the workload brings its own part of the driver (cuda-compat).
    `upstream` is the image by its full name, `image` where it comes from at this site; None where it names no image.
    """

    workload: Workload
    pools: tuple[PoolPlan, ...]
    cuda: Decided[str | None]
    driver: Decided[str | None]
    upstream: str | None
    image: Decided[str] | None

    @property
    def cuda_major(self) -> int | None:
        return None if self.cuda.value is None else int(self.cuda.value.partition(".")[0])


class Plan(NamedTuple):
    """All decisions of a site. `source` is the base name of the site file.

    `upgrade_policy` is that of the whole cluster, in the chart's keys. `gds` and `gdrcopy` are the operator's own
    switches: on every GPU node the device plugin hands their devices out, and the validator waits for their modules.
    """

    site: str
    source: str
    cluster: Cluster
    offline: Offline | None
    operator: ChartPlan
    nfd: ChartPlan
    pools: tuple[PoolPlan, ...]
    driver_objects: tuple[DriverObject, ...]
    parameters: ConfigMapRef | None
    packages: ConfigMapRef | None
    certificates: ConfigMapRef | None
    upgrade_policy: tuple[Setting, ...]
    gds: Decided[bool]
    gdrcopy: Decided[bool]
    toolkit: Toolkit
    nfd_worker: NfdWorker
    tolerations: tuple[tuple[Toleration, Decided[str]], ...]
    extra_label_namespaces: Decided[tuple[str, ...]]
    device_classes: Decided[tuple[str, ...]]
    images: tuple[Image, ...]
    nfd_image: Image | None
    verify_image: Decided[str]
    pull_secrets: Decided[tuple[str, ...]]
    proxy_env: Decided[tuple[tuple[str, str], ...]]
    sharing: SharingPlan
    monitoring: MonitoringPlan
    scheduler: SchedulerPlan | None
    hosts: tuple[HostPlan, ...]
    verify: tuple[VerifyPod, ...]
    workloads: tuple[WorkloadPlan, ...]
    overrides: Mapping[str, Json]
    accept: tuple[Acceptance, ...] = ()

    @property
    def by_objects(self) -> bool:
        """Whether drivers come from NVIDIADriver objects, one per pool, instead of the one in the ClusterPolicy."""
        return bool(self.driver_objects)

    @property
    def cluster_driver(self) -> PoolPlan | None:
        """The pool whose driver settings stand in the ClusterPolicy; None: no driver pods, or NVIDIADriver objects."""
        if self.by_objects:
            return None
        return next((pool for pool in self.pools if pool.driver.in_cluster), None)

    def namespaces(self) -> Mapping[str, Decided[str]]:
        """The namespaces that the site needs, by whom."""
        return {"gpuOperator": self.operator.namespace, "nodeFeatureDiscovery": self.nfd.namespace}
