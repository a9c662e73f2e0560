"""Rules about the container runtime and the container toolkit, whose paths differ by distribution."""

from collections.abc import Iterator, Mapping

from genvalues.facts import Facts
from genvalues.facts.version import minor, numbers, same_or_newer
from genvalues.finding import Hit, Json, Route, node_at
from genvalues.rules.rule import Body, Case, Rule, rule
from genvalues.wording import listed, quoted

_RUNTIME: Route = ("cluster", "containerRuntime")
_VERSION: Route = ("cluster", "containerRuntimeVersion")
_DISTRIBUTION: Route = ("cluster", "distribution")
_ENV: Route = ("overrides", "gpuOperator", "toolkit", "env")

# The older instructions' file (NVIDIA/gpu-operator#992): the toolkit makes a template of it, and containerd does not start.
_RKE2_TEMPLATE = "/var/lib/rancher/rke2/agent/etc/containerd/config.toml.tmpl"


@rule("GV547", "warning", "Container runtime outside the operator's range")
def runtime_in_range(case: Case) -> Iterator[Hit]:
    release = case.release
    stated = case.site.cluster.container_runtime_version
    parsed = numbers(stated) if stated is not None else None
    if release is None or parsed is None or case.site.cluster.container_runtime == "cri-o":
        return
    version, (low, high) = parsed[:2], release.containerd
    spoken = f"containerd {low[0]}.{low[1]} to {high[0]}.{high[1]}"
    if version == (1, 8):
        yield Hit(
            _VERSION,
            f"there is no containerd 1.8: after 1.7 came 2.0; GPU Operator {release.version} is validated with {spoken}",
            'containerRuntimeVersion: "1.7.30", as `containerd --version` on the nodes shows it',
        )
    elif not low <= version <= high:
        yield Hit(
            _VERSION,
            f"GPU Operator {release.version} is validated with {spoken}, and the nodes run {stated}",
            f"a containerd {high[0]}.{high[1]} on the nodes, or accept GV547 with a reason",
            ((("charts", "gpuOperator"), "the operator's version"),),
        )


@rule("GV551", "warning", "Toolkit on the host beside a driver from the cluster")
def host_toolkit(case: Case) -> Iterator[Hit]:
    if case.plan.toolkit.by_operator.value:
        return
    for pool in case.plan.pools:
        if pool.driver.in_cluster:
            yield Hit(
                ("toolkit", "strategy"),
                "the driver pod installs the driver under /run/nvidia/driver, and a toolkit on the host looks for it in / "
                "unless it is told",
                'toolkit.strategy: operator, or root = "/run/nvidia/driver" in config.toml of the host\'s toolkit',
                ((pool.pool.driver.at.route("strategy"), f"strategy {pool.driver.strategy.value}"),),
                pools=(pool.name,),
            )


def _entries(env: Json) -> Iterator[tuple[int, str, Json]]:
    """The entries of an env list: position, name, value."""
    for position, entry in enumerate(env if isinstance(env, list) else ()):
        if isinstance(entry, Mapping) and isinstance(entry.get("name"), str):
            yield position, entry["name"], entry.get("value")


def _template_in_file(body: Body, _: Facts) -> Iterator[Hit]:
    base: Route = ("toolkit", "env") if body.kind == "values" else ("spec", "toolkit", "env")
    node = body.data
    for step in base:
        node = node.get(step) if isinstance(node, Mapping) else None
    for position, name, value in _entries(node):
        if name in ("CONTAINERD_CONFIG", "RUNTIME_CONFIG") and value == _RKE2_TEMPLATE:
            yield Hit(
                (*base, position, "value"), _TEMPLATE_TEXT, f"remove the entry {name}: CONTAINERD_SOCKET is enough"
            )


_TEMPLATE_TEXT = (
    "the toolkit writes RKE2's config.toml.tmpl whole, and containerd does not come up at the next start of the node "
    "(NVIDIA/gpu-operator#992)"
)


@rule(
    "GV552",
    "error",
    "Toolkit variable that breaks the distribution",
    files={"values": _template_in_file, "cluster-policy": _template_in_file},
)
def refused_variable(case: Case) -> Iterator[Hit]:
    distribution = case.facts.distribution(case.site.cluster.distribution)
    refused = distribution.toolkit_env_refused if distribution is not None else {}
    for position, name, value in _entries(_env(case)):
        if name not in refused or value == _RKE2_TEMPLATE:
            continue  # the template is found in the rendered values, at the same line
        yield Hit(
            (*_ENV, position, "name"),
            f"{name} must not be set on {distribution.display if distribution else ''}: {refused[name]}",
            f"remove the entry {name}",
            ((_DISTRIBUTION, "the distribution"),),
        )


@rule("GV553", "error", "Toolkit override that loses the distribution's paths")
def lost_variables(case: Case) -> Iterator[Hit]:
    """Helm replaces lists: an env in the overrides takes the place of the one that the distribution needs."""
    env = _env(case)
    if not isinstance(env, list):
        return
    stated = {name for _, name, _ in _entries(env)}
    # RUNTIME_CONFIG and RUNTIME_SOCKET are other names of the same settings (nvidia-container-toolkit, tools/container).
    lost = [
        (name, value)
        for name, value in case.plan.toolkit.env.value
        if name not in stated and name.replace("CONTAINERD_", "RUNTIME_") not in stated
    ]
    if lost:
        names = listed([name for name, _ in lost], "and")
        yield Hit(
            _ENV,
            f"this list replaces the one that {case.site.cluster.distribution} needs: {names} would be gone, and the toolkit "
            "would not find containerd",
            " and ".join(f"- {{name: {name}, value: {quoted(value)}}}" for name, value in lost),
            ((_DISTRIBUTION, "the distribution"),),
        )


@rule("GV554", "warning", "CRI-O on a distribution that brings containerd")
def runtime_of_distribution(case: Case) -> Iterator[Hit]:
    name = case.site.cluster.distribution
    if case.site.cluster.container_runtime == "cri-o" and name in ("rke2", "k3s", "microk8s", "k0s"):
        yield Hit(
            _RUNTIME,
            f"{name} brings its own containerd, and the site says cri-o: the toolkit would configure the wrong runtime",
            "containerRuntime: containerd",
            ((_DISTRIBUTION, "the distribution"),),
        )


_NRI_TEXT = "the NRI plugin runs in the toolkit's pods, and there are none: the operator's own pods get no GPU, and nothing comes up"


def _nri_without_toolkit(body: Body, _: Facts) -> Iterator[Hit]:
    """In v26.3: an older chart does not know the key (GV901), and a newer one refuses it itself (GV904)."""
    chart = body.chart
    if chart is None or chart.name != "gpu-operator" or minor(chart.version) != "26.3":
        return
    if node_at(body.data, ("cdi", "nriPluginEnabled")) is True and node_at(body.data, ("toolkit", "enabled")) is False:
        yield Hit(
            ("cdi", "nriPluginEnabled"),
            _NRI_TEXT,
            "nriPluginEnabled: false, or toolkit.enabled: true",
            ((("toolkit", "enabled"), "no toolkit here"),),
        )


@rule("GV555", "error", "NRI plugin that cannot run", files={"values": _nri_without_toolkit})
def nri_plugin(case: Case) -> Iterator[Hit]:
    version = case.site.cluster.container_runtime_version
    if node_at(case.site.overrides, ("gpuOperator", "cdi", "nriPluginEnabled")) is not True or version is None:
        return
    crio = case.site.cluster.container_runtime == "cri-o"
    fits = _runs_nri(version, crio=crio)
    if fits is False:
        needed = "CRI-O 1.34 or newer" if crio else "containerd 1.7.30 or a newer 1.7, or 2.1 or newer"
        yield Hit(
            ("overrides", "gpuOperator", "cdi", "nriPluginEnabled"),
            f"the NRI plugin needs {needed}, and the nodes run {version}",
            "nriPluginEnabled: false",
            ((_VERSION, "the runtime's version"),),
        )


def _runs_nri(version: str, *, crio: bool) -> bool | None:
    """Whether a runtime runs the operator's NRI plugin (release notes 26.3: containerd 1.7.30, 2.1, 2.2; CRI-O 1.34)."""
    if crio:
        return same_or_newer(version, "1.34")
    parsed = numbers(version)
    if parsed is None or len(parsed) < 2:
        return None
    if parsed[:2] == (1, 7):
        return parsed >= (1, 7, 30) if len(parsed) > 2 else None
    return parsed[:2] >= (2, 1)


def _env(case: Case) -> Json:
    return node_at(case.site.overrides, _ENV[1:])


RULES: tuple[Rule, ...] = (
    runtime_in_range,
    host_toolkit,
    refused_variable,
    lost_variables,
    runtime_of_distribution,
    nri_plugin,
)
