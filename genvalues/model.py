"""The site as typed, immutable tuples: what the user wrote, with pools resolved, and nothing decided yet.

`build` is total on whatever the schema accepts. Absent keys are None or empty, never a default: defaults are decisions
and belong to `plan/`. One module, as long as the schema is wide. Every part knows the route of each of its values (`route`), whichever layer it came from.
"""

from collections.abc import Iterator, Mapping

from genvalues.finding import Json, Route, exists
from genvalues.record import NamedTuple


class Layers(NamedTuple):
    """Where a part of the site can come from: (route of the layer, its data), nearest first."""

    layers: tuple[tuple[Route, Json], ...]

    def route(self, *steps: str | int) -> Route:
        """The route that decides `steps`: in the first layer that has it, else where one would write it."""
        for base, data in self.layers:
            if exists(data, steps):
                return (*base, *steps)
        return (*self.layers[0][0], *steps)

    def under(self, key: str) -> "Layers":
        """The layers of a part below; a layer that lacks the part stays as the place to write it."""
        return Layers(tuple(((*base, key), data.get(key) or {}) for base, data in self.layers))

    def get(self, key: str) -> Json:
        """The value of `key` in the first layer that has it, maps merged over the layers below; None where absent."""
        found = [data[key] for _, data in self.layers if isinstance(data, Mapping) and key in data]
        if found and all(isinstance(value, Mapping) for value in found):
            return _merged(found)
        return found[0] if found else None


class Os(NamedTuple):
    """Operating system of a pool; `id` and `version` as in /etc/os-release."""

    id: str | None
    version: str | None
    kernels: tuple[str, ...]
    secure_boot: bool | None


class GpuSpec(NamedTuple):
    """The GPUs of each node of a pool. `model` is a key of the facts, known or not."""

    model: str | None
    per_node: int | None
    board: str | None


class Taint(NamedTuple):
    """A taint that the nodes carry."""

    key: str
    value: str | None
    effect: str


class Nic(NamedTuple):
    """Network ports of one kind on each node."""

    name: str | None
    fabric: str
    per_node: int | None
    vendor: str | None


class Driver(NamedTuple):
    """The driver settings of a pool, the site's under its own."""

    at: Layers
    strategy: str | None
    version: str | None
    kernel_module_type: str | None
    module_parameters: Mapping[str, Mapping[str, str]]
    host_packages: str | None
    fabric_manager: str | bool | None
    upgrade_policy: Mapping[str, Json]


class Rdma(NamedTuple):
    """The GPUDirect settings of a pool, the site's under its own."""

    at: Layers
    gpu_direct: str | None
    ofed: str | None
    gdrcopy: bool | None
    gds: bool | None


class Pool(NamedTuple):
    """Nodes of one make. `position` is its index under hardware.pools."""

    at: Layers
    name: str
    position: int
    name_pattern: str | None
    node_count: int | None
    os: Os
    gpu: GpuSpec
    arch: str | None
    role: str | None
    taints: tuple[Taint, ...]
    nics: tuple[Nic, ...]
    instance_type: str | None
    labels: Mapping[str, str]
    sharing: str | None
    driver: Driver
    rdma: Rdma


class Cluster(NamedTuple):
    """The Kubernetes cluster; versions as written, a leading v removed."""

    kubernetes: str
    distribution: str
    container_runtime: str | None
    container_runtime_version: str | None
    gpu_operator_namespace: str | None
    nfd_namespace: str | None
    proxy_http: str | None
    proxy_https: str | None
    no_proxy: tuple[str, ...]


class Offline(NamedTuple):
    """What replaces the internet. `ca_text` is the content of `ca_bundle`, read by whoever loads the site."""

    registries: Mapping[str, str]
    image_pull_secrets: tuple[str, ...]
    charts: str | None
    packages: Mapping[str, Mapping[str, str]]
    ca_bundle: str | None
    ca_text: str | None


class TimeSlicing(NamedTuple):
    """Time-slicing of a sharing config."""

    replicas: int | None
    resources: Mapping[str, int]
    rename_by_default: bool | None
    fail_requests_greater_than_one: bool | None


class Mps(NamedTuple):
    """MPS of a sharing config."""

    replicas: int
    rename_by_default: bool | None


class MigLayout(NamedTuple):
    """How some GPUs of a node are split; `gpus` None means all."""

    gpus: tuple[int, ...] | None
    profiles: Mapping[str, int]


class Mig(NamedTuple):
    """MIG of a sharing config."""

    strategy: str | None
    layouts: tuple[MigLayout, ...]


class SharingConfig(NamedTuple):
    """One named way of sharing GPUs."""

    name: str
    time_slicing: TimeSlicing | None
    mps: Mps | None
    mig: Mig | None

    @property
    def route(self) -> Route:
        return ("sharing", "configs", self.name)


class DcgmMetric(NamedTuple):
    """A metric that the site adds."""

    field: str
    type: str | None
    help: str | None


class Dcgm(NamedTuple):
    """What DCGM exporter collects; `interval` in milliseconds."""

    interval: int | None
    presets: tuple[str, ...]
    add: tuple[DcgmMetric, ...]
    drop: tuple[str, ...]


class Scrape(NamedTuple):
    """Who scrapes the exporter; `interval` in milliseconds."""

    kind: str
    interval: int | None
    labels: Mapping[str, str]


class Monitoring(NamedTuple):
    """GPU metrics of the site."""

    dcgm: Dcgm | None
    scrape: Scrape | None
    alerts: bool


class Packing(NamedTuple):
    """The packing scheduler profile."""

    scheduler_name: str | None
    strategy: str | None
    weights: Mapping[str, int]
    percentage_of_nodes_to_score: int | None


class Workload(NamedTuple):
    """What will run on some pools' GPUs, as the site states it; no `pools`: on all."""

    position: int
    name: str
    image: str | None
    cuda: str | None
    pools: tuple[str, ...]
    min_driver: str | None
    forward_compatibility: bool

    def route(self, *steps: str | int) -> Route:
        return ("workloads", self.position, *steps)


class Acceptance(NamedTuple):
    """A finding that the site lives with; `until` as year-month-day."""

    position: int
    code: str
    pool: str | None
    reason: str
    until: str


class Site(NamedTuple):
    """One GPU site. `data` is what was read, bases merged in."""

    data: Json
    name: str
    cluster: Cluster
    gpu_operator: str
    nfd: str | None
    pools: tuple[Pool, ...]
    toolkit_strategy: str | None
    offline: Offline | None
    sharing: Mapping[str, SharingConfig]
    monitoring: Monitoring | None
    packing: Packing | None
    workloads: tuple[Workload, ...]
    overrides: Mapping[str, Json]
    accept: tuple[Acceptance, ...]

    def pool(self, name: str) -> Pool | None:
        """The pool of that name."""
        return next((pool for pool in self.pools if pool.name == name), None)


def build(data: Json, ca_text: str | None = None) -> Site:
    """The site that shape-checked `data` describes; `ca_text` is the content of offline.caBundle, where it has one."""
    charts = data["charts"]
    return Site(
        data=data,
        name=data["name"],
        cluster=_cluster(data["cluster"]),
        gpu_operator=charts["gpuOperator"],
        nfd=charts.get("nodeFeatureDiscovery"),
        pools=tuple(_pools(data)),
        toolkit_strategy=data.get("toolkit", {}).get("strategy"),
        offline=_offline(data["offline"], ca_text) if "offline" in data else None,
        sharing={n: _sharing(n, c) for n, c in data.get("sharing", {}).get("configs", {}).items()},
        monitoring=_monitoring(data["monitoring"]) if "monitoring" in data else None,
        packing=_packing(data.get("scheduler", {}).get("packing")),
        workloads=tuple(_workload(i, work) for i, work in enumerate(data.get("workloads", ()))),
        overrides=data.get("overrides", {}),
        accept=tuple(
            Acceptance(i, a["code"], a.get("pool"), a["reason"], a["until"])
            for i, a in enumerate(data.get("accept", []))
        ),
    )


def _pools(data: Json) -> Iterator[Pool]:
    hardware = data["hardware"]
    defaults = (("hardware", "defaults"), hardware.get("defaults", {}))
    for index, own in enumerate(hardware["pools"]):
        at = Layers(((("hardware", "pools", index), own), defaults))
        yield Pool(
            at=at,
            name=own["name"],
            position=index,
            name_pattern=own.get("nodes", {}).get("namePattern"),
            node_count=own.get("nodes", {}).get("count"),
            os=_os(at.get("os") or {}),
            gpu=_gpu(at.get("gpu") or {}),
            arch=at.get("arch"),
            role=at.get("role"),
            taints=tuple(Taint(t["key"], t.get("value"), t["effect"]) for t in at.get("taints") or ()),
            nics=tuple(Nic(n.get("name"), n["fabric"], n.get("count"), n.get("vendor")) for n in at.get("nics") or ()),
            instance_type=at.get("instanceType"),
            labels=at.get("labels") or {},
            sharing=at.get("sharing"),
            driver=_driver(_with_site(at, "driver", data)),
            rdma=_rdma(_with_site(at, "rdma", data)),
        )


def _with_site(at: Layers, key: str, data: Json) -> Layers:
    """A pool's own part over hardware.defaults over the site's; an absent one is written at the site's level."""
    layers = (*at.under(key).layers, ((key,), data.get(key, {})))
    present = tuple(layer for layer in layers if layer[1])
    return Layers(present or layers[-1:])


def _os(os: Json) -> Os:
    return Os(os.get("id"), os.get("version"), tuple(os.get("kernels", ())), os.get("secureBoot"))


def _gpu(gpu: Json) -> GpuSpec:
    return GpuSpec(gpu.get("model"), gpu.get("count"), gpu.get("board"))


def _driver(at: Layers) -> Driver:
    host = at.get("host") or {}
    parameters = at.get("moduleParameters") or {}
    return Driver(
        at=at,
        strategy=at.get("strategy"),
        version=at.get("version"),
        kernel_module_type=at.get("kernelModuleType"),
        module_parameters={m: {k: str(v) for k, v in p.items()} for m, p in parameters.items()},
        host_packages=host.get("packages"),
        fabric_manager=host.get("fabricManager"),
        upgrade_policy=at.get("upgradePolicy") or {},
    )


def _rdma(at: Layers) -> Rdma:
    return Rdma(at, at.get("gpuDirect"), at.get("ofed"), at.get("gdrcopy"), at.get("gds"))


def _cluster(cluster: Json) -> Cluster:
    namespaces, proxy = cluster.get("namespaces", {}), cluster.get("proxy", {})
    runtime_version = cluster.get("containerRuntimeVersion")
    return Cluster(
        kubernetes=cluster["kubernetes"].removeprefix("v"),
        distribution=cluster["distribution"],
        container_runtime=cluster.get("containerRuntime"),
        container_runtime_version=runtime_version and runtime_version.removeprefix("v"),
        gpu_operator_namespace=namespaces.get("gpuOperator"),
        nfd_namespace=namespaces.get("nodeFeatureDiscovery"),
        proxy_http=proxy.get("http"),
        proxy_https=proxy.get("https"),
        no_proxy=tuple(proxy.get("noProxy", ())),
    )


def _offline(offline: Json, ca_text: str | None) -> Offline:
    return Offline(
        registries=offline.get("registries", {}),
        image_pull_secrets=tuple(offline.get("imagePullSecrets", ())),
        charts=offline.get("charts"),
        packages=offline.get("packages", {}),
        ca_bundle=offline.get("caBundle"),
        ca_text=ca_text,
    )


def _sharing(name: str, config: Json) -> SharingConfig:
    slicing, mps, mig = config.get("timeSlicing"), config.get("mps"), config.get("mig")
    return SharingConfig(
        name=name,
        time_slicing=slicing
        and TimeSlicing(
            slicing.get("replicas"),
            slicing.get("resources", {}),
            slicing.get("renameByDefault"),
            slicing.get("failRequestsGreaterThanOne"),
        ),
        mps=mps and Mps(mps["replicas"], mps.get("renameByDefault")),
        mig=mig and Mig(mig.get("strategy"), tuple(_layout(layout) for layout in mig["layouts"])),
    )


def _layout(layout: Json) -> MigLayout:
    gpus = layout["gpus"]
    return MigLayout(None if gpus == "all" else tuple(gpus), layout["profiles"])


def _monitoring(monitoring: Json) -> Monitoring:
    dcgm, scrape = monitoring.get("dcgm"), monitoring.get("scrape")
    return Monitoring(
        dcgm=None
        if dcgm is None
        else Dcgm(
            interval=milliseconds(dcgm.get("interval")),
            presets=tuple(dcgm.get("presets", ())),
            add=tuple(_metric(metric) for metric in dcgm.get("add", ())),
            drop=tuple(dcgm.get("drop", ())),
        ),
        scrape=scrape and Scrape(scrape["kind"], milliseconds(scrape.get("interval")), scrape.get("labels", {})),
        alerts=monitoring.get("alerts", False),
    )


def _metric(metric: Json) -> DcgmMetric:
    if isinstance(metric, str):
        return DcgmMetric(metric, None, None)
    return DcgmMetric(metric["field"], metric.get("type"), metric.get("help"))


def _packing(packing: Json) -> Packing | None:
    if packing is None:
        return None
    return Packing(
        packing.get("schedulerName"),
        packing.get("strategy"),
        packing.get("weights", {}),
        packing.get("percentageOfNodesToScore"),
    )


def _workload(position: int, work: Json) -> Workload:
    return Workload(
        position,
        work["name"],
        work.get("image"),
        work.get("cuda"),
        tuple(work.get("pools", ())),
        work.get("minDriver"),
        work.get("forwardCompatibility", False),
    )


def milliseconds(duration: str | None) -> int | None:
    """A duration of the schema ("15s", "500ms", "1m") in milliseconds."""
    if duration is None:
        return None
    if duration.endswith("ms"):
        return int(duration[:-2])
    return int(duration[:-1]) * (60_000 if duration.endswith("m") else 1000)


def _merged(maps: list[Mapping[str, Json]]) -> dict[str, Json]:
    """Maps merged, the first on top; lists and scalars replace."""
    merged: dict[str, Json] = {}
    for layer in reversed(maps):
        for key, value in layer.items():
            below = merged.get(key)
            merged[key] = (
                _merged([value, below]) if isinstance(value, Mapping) and isinstance(below, Mapping) else value
            )
    return merged
