"""Sites for property tests, written by hand from schemas/site.schema.json.

As long as the schema is wide. `sites()` are any that the schema accepts; `plain_sites()` are such as people write, most
of them without an error, so that what stands behind the rules is reached, and `mixed_sites()` are these with a few odd
parts. `yaml_text` writes data so that every reader takes it for what it is.
"""

import json
import re
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from genvalues import contracts, facts

Json = Any
Some = SearchStrategy[Json]

FACTS = facts.load()
MODELS = sorted(FACTS.gpu_keys())
OPERATORS = sorted(contracts.known()["gpu-operator"])
NFDS = sorted(contracts.known()["node-feature-discovery"])
FIELDS = [
    "DCGM_FI_DEV_FAN_SPEED",
    "DCGM_FI_DEV_GPU_TEMP",
    "DCGM_FI_PROF_SM_ACTIVE",
    "DCGM_EXP_XID_ERRORS_COUNT",
    "DCGM_X",
]
PATHS = sorted(
    {path for v in OPERATORS if (c := contracts.load("gpu-operator", v)) for path in c.paths if "[]" not in path}
)

# What text may come from: letters of any script, and what breaks YAML, CSV, shells, Markdown and paths.
odd_text = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(
        ["", " ", "on", "0302", "1e30", "580.10", "null", "~", "a: b", "a #b", "- x", "#", "&a", "*a", "{{ x }}", "{% x %}", "|", "`x`",
         "a\nb", "a\n", "\n", "a\tb", "\x00", "\x1b[31m", "\x85", "\u2028", "\u202e", "\ufeff", "\ufffe", "\U000e0041", "é", "名", "😀",
         '"', "'", "\\", "a,b", "a|b", "$(x)", "../x", "/etc/passwd", "a/b", "..", ".", "a" * 70, "b" * 300, "-->", "<!--", "%s", "nvidia.com/gpu"]
    ),
)  # fmt: skip
some_text = odd_text.filter(bool)
label = st.sampled_from(["a", "gpu", "h100", "x-1", "0", "z" * 40])
long_label = st.sampled_from(["gpu-operator", "node-feature-discovery", "n" * 63, "0"])
whole = st.sampled_from([1, 2, 8, 64])
large = st.sampled_from([1, 2, 7, 2**31, 2**40, 10**14])
key = st.one_of(
    st.sampled_from(
        ["example.internal/row", "row", "nvidia.com/gpu.present", "feature.node.kubernetes.io/x", "node-role.kubernetes.io/gpu",
         "a/b/c", "/a", "a/", "kubernetes.io/hostname", "k" * 64, "d" * 254 + "/x", "nvidia.com/mig.config", "nvidia.com/device-plugin.config"]
    ),
    odd_text,
)  # fmt: skip
number = st.one_of(st.integers(-(10**14), 10**14), st.sampled_from([0.5, -1.25, 1e-3, 0]))
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), number, odd_text),
    lambda below: st.one_of(
        st.lists(below, max_size=3), st.dictionaries(st.one_of(key, st.just("k" * 1100)), below, max_size=3)
    ),
    max_leaves=6,
)


def keys(needed: dict[str, Some] | None = None, /, **optional: Some) -> Some:
    """A mapping with all of the needed keys and some of the optional ones."""
    return st.fixed_dictionaries(needed or {}, optional=optional)


def filled(strategy: Some) -> Some:
    """Only what is not empty."""
    return strategy.filter(bool)


def one(*words: str) -> Some:
    return st.sampled_from(words)


def nested(path: str, value: Json) -> Json:
    for step in reversed(path.split(".")):
        value = {step: value}
    return value


parameters = st.dictionaries(
    st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True),
    st.one_of(number.filter(lambda n: isinstance(n, int)), odd_text),
    max_size=2,
)
driver = keys(
    strategy=one("host", "container", "precompiled"),
    version=one("580.95.05", "580", "570.195.03", "535.1", "999.99.99", "100"),
    kernelModuleType=one("auto", "open", "proprietary"),
    moduleParameters=st.fixed_dictionaries({}, optional=dict.fromkeys(("nvidia", "nvidia-uvm", "nvidia-modeset", "nvidia-peermem"), parameters)),
    host=keys(packages=one("cuda-repo", "ubuntu-archive", "runfile"), fabricManager=st.one_of(st.booleans(), one("580.95.05", "x"), odd_text)),
    upgradePolicy=keys(
        autoUpgrade=st.booleans(),
        maxParallelUpgrades=st.one_of(st.just(0), large),
        maxUnavailable=st.one_of(st.integers(-3, 200), one("25%", "x"), odd_text),
        waitForCompletion=keys(timeoutSeconds=st.one_of(st.just(0), large), podSelector=some_text),
        gpuPodDeletion=keys(force=st.booleans(), timeoutSeconds=large, deleteEmptyDir=st.booleans()),
        drain=keys(
            enable=st.booleans(), force=st.booleans(), podSelector=some_text, timeoutSeconds=large, deleteEmptyDir=st.booleans()
        ),
    ),
)  # fmt: skip
rdma = keys(
    gpuDirect=one("dmabuf", "peermem", "none"), ofed=one("host", "container", "inbox"), gdrcopy=st.booleans(), gds=st.booleans()
)  # fmt: skip
operating_system = keys(
    id=one("ubuntu", "rhel", "rocky", "ol", "centos", "debian", "sles", "sl-micro", "rhcos"),
    version=one("22.04", "24.04", "9.4", "9", "15.6", "999.1", "0"),
    kernels=st.lists(one("6.8.0-45-generic", "5.14.0-427.el9.x86_64", "1.0", "6.99.0+x_y"), min_size=1, max_size=2, unique=True),
    secureBoot=st.booleans(),
)  # fmt: skip
taint = keys(
    {"key": st.one_of(one("nvidia.com/gpu", "k" * 317), some_text), "effect": one("NoSchedule", "PreferNoSchedule", "NoExecute")},
    value=st.one_of(one("present", "v" * 63), odd_text.filter(lambda text: len(text) <= 63)),
)  # fmt: skip
gpu = keys(model=st.one_of(one(*MODELS), some_text), count=whole, board=one("hgx", "nvl72", "nvl4", "pcie"))
nic = keys({"fabric": one("infiniband", "ethernet")}, name=label, count=whole, vendor=one("15b3", "0000", "ffff"))
pattern = st.one_of(
    one("^a-", "^b-[0-9]+$", "(", "[", "(?<=x)", "a{1000}{1000}", "\\d", "(?P<n>x)", "x" * 200), some_text
)
sharing_name = one(
    "whole",
    "all-disabled",
    "all-enabled",
    "all-balanced",
    "dev",
    "Dev",
    "a.b_c",
    "default",
    "custom",
    "config.yaml",
    "any",
    "0",
    "q" * 63,
)


def of_nodes(configs: Some) -> dict[str, Some]:
    """What pools and hardware.defaults may both hold."""
    return {
        "os": operating_system,
        "gpu": gpu,
        "arch": one("amd64", "arm64"),
        "role": label,
        "taints": st.lists(taint, max_size=2),
        "nics": st.lists(nic, max_size=2),
        "instanceType": st.one_of(one("8xh100-ib", "i" * 64), some_text),
        "labels": st.dictionaries(key, odd_text, max_size=3),
        "sharing": st.one_of(configs, some_text),
        "driver": driver,
        "rdma": rdma,
    }


replicas = st.one_of(st.just(2), large.filter(lambda n: n > 1))
sharing_config = filled(
    keys(
        timeSlicing=filled(
            keys(
                replicas=replicas, renameByDefault=st.booleans(), failRequestsGreaterThanOne=st.booleans(),
                resources=st.dictionaries(st.one_of(one("nvidia.com/gpu", "nvidia.com/mig-1g.10gb", "gpu"), odd_text), replicas, min_size=1, max_size=2),
            )
        ),
        mps=keys({"replicas": replicas}, renameByDefault=st.booleans()),
        mig=keys(
            {
                "layouts": st.lists(
                    keys(
                        {
                            "gpus": st.one_of(st.just("all"), st.lists(st.integers(0, 63), min_size=1, max_size=3, unique=True)),
                            "profiles": st.dictionaries(
                                st.one_of(one("1g.10gb", "1g.5gb", "3g.40gb", "7g.80gb", "1g.10gb+me", "9g.999gb"), odd_text),
                                st.integers(1, 7), min_size=1, max_size=2,
                            ),
                        }
                    ),
                    min_size=1, max_size=2,
                )
            },
            strategy=one("single", "mixed"),
        ),
    )
)  # fmt: skip
interval = one("15s", "1ms", "500ms", "1m", "9" * 30 + "s", "99999m")
described = keys(
    {"field": st.sampled_from(FIELDS)},
    type=one("gauge", "counter", "label"),
    help=some_text.filter(lambda text: len(text) <= 200),
)
metric = st.one_of(st.sampled_from(FIELDS), described, described)
monitoring = keys(
    dcgm=keys(
        interval=interval,
        presets=st.lists(
            one("default", "ecc", "row-remap", "xid", "nvlink", "throttling", "power", "memory", "pcie", "profiling"),
            min_size=1, max_size=4, unique=True,
        ),
        add=st.lists(metric, max_size=3),
        drop=st.lists(st.sampled_from(FIELDS), max_size=2, unique=True),
    ),
    scrape=keys({"kind": one("none", "prometheus", "victoriametrics")}, interval=interval, labels=st.dictionaries(key, odd_text, max_size=2)),
    alerts=st.booleans(),
)  # fmt: skip
packing = keys(
    schedulerName=one("default-scheduler", "gpu-binpack", "a.b", "s" * 253),
    strategy=one("MostAllocated", "RequestedToCapacityRatio"),
    weights=st.dictionaries(st.one_of(one("cpu", "memory", "nvidia.com/gpu", "nvidia.com/mig-1g.10gb"), odd_text), st.integers(1, 100), min_size=1, max_size=3),
    percentageOfNodesToScore=st.integers(0, 100),
)  # fmt: skip
source = st.one_of(one("deb https://mirror.example.internal/ubuntu jammy main"), some_text)
file_name = st.one_of(
    one("mirror.list", "a.repo", "x.sources", "../x", "a/b", "..", ".", "-x", "f" * 300, "/etc/x", "A.LIST"), odd_text
)
offline = keys(
    registries=st.dictionaries(st.one_of(one("nvcr.io", "registry.k8s.io", "nvcr.io/nvidia"), odd_text), st.one_of(one("registry.example.internal/x"), some_text), min_size=1, max_size=2),
    imagePullSecrets=st.lists(one("regcred", "a.b", "s" * 253), max_size=2, unique=True),
    charts=one("oci://registry.example.internal/charts", "https://x", "http://x/$(y)", "oci://x/'\"|`"),
    packages=st.dictionaries(
        st.one_of(one("ubuntu22.04", "ubuntu24.04", "rhel9.4", "rhel9", "../x"), odd_text),
        st.dictionaries(file_name, source, min_size=1, max_size=2),
        min_size=1, max_size=2,
    ),
    caBundle=st.one_of(one("ca.pem", "../ca.pem", "/etc/hostname", "."), some_text),
)  # fmt: skip
workload = keys(
    {"name": label},
    image=one("nvidia/cuda:12.4.1-base-ubuntu22.04", "nvcr.io/nvidia/pytorch:24.05-py3", "x", "a:b:c@d", "A/B", "a//b", "h:5000/", "a" * 512),
    cuda=one("12.4", "12.41", "13.0.1", "10.2", "0.0", "99.99.99"),
    pools=st.lists(label, min_size=1, max_size=2, unique=True),
    minDriver=one("525.60.13", "525", "9999.999.999", "470.141.03", "000"),
    forwardCompatibility=st.booleans(),
)  # fmt: skip
proxy = st.one_of(one("http://proxy.example.internal:3128", "http://user:password@proxy:3128", "proxy"), some_text)
override = st.one_of(
    st.builds(nested, st.sampled_from(PATHS), anything),
    st.dictionaries(
        st.one_of(st.sampled_from(["driver", "toolkit", "operator", "", "master"]), odd_text), anything, max_size=3
    ),
)
acceptance = keys(
    {
        "code": st.one_of(one("GV512", "GV001", "GV999"), st.from_regex(r"GV[0-9]{3}", fullmatch=True)),
        "reason": st.one_of(one("replaced in March, ticket 4711"), st.text(st.characters(exclude_categories=["Cs"]), min_size=10, max_size=20)),
        "until": one("2027-03-01", "2020-01-01", "2027-02-31", "9999-12-31", "0000-01-01"),
    },
    pool=label,
)  # fmt: skip


@st.composite
def sites(draw: DrawFn) -> dict[str, Json]:
    """Anything that the schema accepts as a Site, without `extends`."""
    configs: dict[str, Json] = draw(st.dictionaries(sharing_name, sharing_config, max_size=3))
    names = st.sampled_from(["whole", *configs])
    site: dict[str, Json] = draw(
        keys(
            {
                "apiVersion": st.just("genvalues/v1"),
                "kind": st.just("Site"),
                "name": st.one_of(label, st.just("s" * 63)),
                "cluster": keys(
                    {
                        "kubernetes": one("1.34.2", "v1.30", "1.0", "1.999.999"),
                        "distribution": one("kubeadm", "kubespray", "rke2", "k3s", "k0s", "microk8s"),
                    },
                    containerRuntime=one("containerd", "cri-o"),
                    containerRuntimeVersion=one("2.1.4", "v1.7", "0.0"),
                    namespaces=keys(gpuOperator=long_label, nodeFeatureDiscovery=long_label),
                    proxy=filled(keys(http=proxy, https=proxy, noProxy=st.lists(st.one_of(one(".svc", "10.0.0.0/8"), some_text), max_size=2, unique=True))),
                ),
                "charts": keys(
                    {"gpuOperator": st.one_of(one(*OPERATORS), one("v99.0.0", "0.0.0", "25.10.1"))},
                    nodeFeatureDiscovery=st.one_of(one(*NFDS), one("v0.18.3", "9.9.9")),
                ),
                "hardware": keys(
                    {
                        "pools": st.lists(
                            keys({"name": label}, nodes=keys(namePattern=pattern, count=large), **of_nodes(names)), min_size=1, max_size=3
                        )
                    },
                    defaults=keys(**of_nodes(names)),
                ),
            },
            driver=driver,
            rdma=rdma,
            toolkit=keys(strategy=one("operator", "host")),
            offline=offline,
            monitoring=monitoring,
            scheduler=keys(packing=packing),
            workloads=st.lists(workload, min_size=1, max_size=3),
            overrides=keys(gpuOperator=override, nodeFeatureDiscovery=override),
            accept=st.lists(acceptance, max_size=2),
        )
    )  # fmt: skip
    if configs:
        site["sharing"] = {"configs": configs}
    return site


@st.composite
def plain_sites(draw: DrawFn) -> dict[str, Json]:
    """Sites as people write them: known hardware and versions, names that fit, and here and there an odd text."""
    text = st.one_of(one("a", "b 1", "x,y", 'say "x"'), odd_text)
    pools = [
        {
            "name": name,
            "nodes": {"namePattern": f"^{name}-", "count": draw(whole)},
            "gpu": {"model": draw(one("l40s", "h100-pcie-80gb", "a100-pcie-80gb", "t4")), "count": draw(one(*"248").map(int))},
            **draw(keys(
                sharing=one("whole", "dev", "dev", "mps"),
                role=one("gpu", "worker"),
                instanceType=one("4xl40s", "big.gpu"),
                labels=st.dictionaries(one("example.internal/row", "example.internal/rack"), one("a", "b-2", "1", "on", ""), max_size=2),
                taints=st.lists(st.sampled_from([{"key": "nvidia.com/gpu", "effect": "NoSchedule"}, {"key": "team", "value": "on", "effect": "NoExecute"}]), max_size=2, unique_by=lambda t: t["key"]),
            )),
        }
        for name in draw(st.lists(one("l40s", "ada", "one", "0"), min_size=1, max_size=3, unique=True))
    ]  # fmt: skip
    site: dict[str, Json] = {
        "apiVersion": "genvalues/v1",
        "kind": "Site",
        "name": draw(one("lab", "s" * 63, "0")),
        "cluster": {
            "kubernetes": draw(one("1.33.1", "1.34.2", "v1.32.4")),
            "distribution": draw(one("kubeadm", "kubespray", "rke2", "k3s")),
            "containerRuntime": "containerd",
        },
        "charts": {"gpuOperator": draw(one("v25.10.1", "v26.7.0", "26.3.3"))},
        "hardware": {"defaults": {"os": {"id": "ubuntu", "version": "22.04", "kernels": ["6.8.0-45-generic"]}}, "pools": pools},
        "sharing": {"configs": {
            "dev": {"timeSlicing": {"replicas": draw(one(*"248").map(int)), **draw(keys(renameByDefault=st.booleans(), failRequestsGreaterThanOne=st.booleans()))}},
            "mps": {"mps": {"replicas": 4}},
        }},
    }  # fmt: skip
    site |= draw(
        keys(
            driver=keys({"version": one("580.95.05")}, strategy=one("container", "host"), kernelModuleType=one("auto", "open", "proprietary")),
            toolkit=keys(strategy=one("operator")),
            offline=keys(
                {
                    "registries": st.just({"nvcr.io": "registry.example.internal/nvcr", "registry.k8s.io": "registry.example.internal/k8s"}),
                    "charts": one("oci://registry.example.internal/charts", "https://charts.example.internal/a?b=c&d='e'"),
                    "packages": st.fixed_dictionaries({"ubuntu22.04": st.dictionaries(
                        st.one_of(one("mirror.list"), one("a.list"), one("x.list"), one("b.list"), file_name), source, min_size=1, max_size=2,
                    )}),
                },
                imagePullSecrets=st.just(["regcred"]),
            ),
            monitoring=keys(
                dcgm=keys(
                    interval=one("15s", "1m", "500ms"),
                    presets=st.just(["default", "ecc", "xid"]),
                    add=st.lists(st.fixed_dictionaries({"field": st.just("DCGM_FI_DEV_FAN_SPEED"), "type": st.just("gauge"), "help": text.filter(lambda t: 0 < len(t) <= 200)}), max_size=1),
                    drop=st.lists(one("DCGM_FI_DEV_ENC_UTIL"), max_size=1),
                ),
                scrape=keys({"kind": one("none", "prometheus", "victoriametrics")}, interval=one("30s", "1m")),
                alerts=st.booleans(),
            ),
            scheduler=keys({"packing": keys(schedulerName=one("default-scheduler", "gpu-binpack"), weights=st.just({"cpu": 1, "nvidia.com/gpu": 5}))}),
            workloads=st.lists(keys({"name": label}, cuda=one("12.4"), minDriver=one("525.60.13"), image=one("nvcr.io/nvidia/pytorch:24.05-py3")), min_size=1, max_size=1),
            overrides=keys(
                gpuOperator=keys(
                    daemonsets=st.fixed_dictionaries({"annotations": st.dictionaries(text, text, max_size=2)}),
                    dcgmExporter=st.fixed_dictionaries({"env": st.lists(st.fixed_dictionaries({"name": st.just("X"), "value": text}), max_size=2)}),
                ),
            ),
        )
    )  # fmt: skip
    return site


PARTS = ["cluster", "charts", "hardware", "driver", "rdma", "offline", "sharing", "monitoring", "scheduler", "overrides", "toolkit", "workloads"]  # fmt: skip
OF_NODES = [*of_nodes(st.nothing()), "nodes", "name"]


@st.composite
def mixed_sites(draw: DrawFn) -> dict[str, Json]:
    """Plain sites with a few odd parts, so that oddities reach what stands behind the rules."""
    plain, odd = draw(plain_sites()), draw(sites())
    parts = draw(st.lists(st.sampled_from(PARTS), min_size=1, max_size=3, unique=True))
    of_pools = draw(st.lists(st.sampled_from(OF_NODES), min_size=1, max_size=3, unique=True))
    mixed = dict(plain)
    for part in parts:
        if part != "hardware":
            together = isinstance(odd.get(part), dict)
            mixed |= {part: {**plain.get(part, {}), **odd[part]} if together else odd[part]} if part in odd else {}
            continue
        others = odd["hardware"]["pools"]
        pools = [
            pool | {key: value for key, value in others[index % len(others)].items() if key in of_pools}
            for index, pool in enumerate(plain["hardware"]["pools"])
        ]
        mixed["hardware"] = {**plain["hardware"], "pools": pools}
    return mixed


def bases() -> Some:
    """What a Base may hold: any part of a Site."""

    def some_of(site: dict[str, Json], chosen: list[str]) -> dict[str, Json]:
        return {name: value for name, value in site.items() if name in ("apiVersion", *chosen)} | {"kind": "Base"}

    return st.builds(
        some_of, sites(), st.lists(one("cluster", "charts", "hardware", "driver", "sharing", "offline", "overrides"))
    )


def yaml_text(data: Json) -> str:
    """Data as a YAML text that every reader takes for just that: JSON, but for what JSON escapes as two halves."""
    pairs = re.compile(r"\\ud([89ab][0-9a-f]{2})\\ud([c-f][0-9a-f]{2})")

    def whole_character(match: re.Match[str]) -> str:
        high, low = int(match[1], 16) & 0x3FF, int(match[2], 16) & 0x3FF
        return f"\\U{0x10000 + (high << 10) + low:08x}"

    # A backslash of the text itself is doubled, so a pair of halves is one only where the backslashes before it are even.
    text = json.dumps(data, indent=1)
    return re.sub(
        r"(?:\\\\)+|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}",
        lambda match: whole_character(found) if (found := pairs.fullmatch(match[0])) else match[0],
        text,
    )
