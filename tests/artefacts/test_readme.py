"""The hand-over: commands of this very site, sections only for what it has, and text that stands up to its readers."""

import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from genvalues import artefacts

HGX: dict[str, Any] = {"name": "h100", "gpu": {"model": "h100-sxm5-80gb", "count": 8}}
HOST = {"strategy": "host", "version": "580.95.05", "kernelModuleType": "open"}
OFFLINE: dict[str, Any] = {
    "registries": {"nvcr.io": "mirror.example.internal/nv", "registry.k8s.io": "mirror.example.internal/k8s"},
    "imagePullSecrets": ["regcred"],
    "charts": "oci://charts.example.internal/helm",
    "packages": {"ubuntu22.04": {"mirror.list": "deb https://mirror.example.internal/ubuntu jammy main"}},
    "caBundle": "ca.pem",
}
SHARING = {
    "configs": {
        "slices": {"timeSlicing": {"replicas": 4}},
        "daemon": {"mps": {"replicas": 3}},
        "split": {"mig": {"strategy": "mixed", "layouts": [{"gpus": "all", "profiles": {"1g.10gb": 7}}]}},
    }
}


@pytest.fixture
def readme(site: Callable[..., Any], render: Callable[..., Any]) -> Callable[..., str]:
    """The text of README.md."""

    def of(**parts: Any) -> str:
        text: str = render(site(**parts), "CERTIFICATE\n", only="readme")["README.md"].text
        return text

    return of


def sections(text: str) -> list[str]:
    """The headings below the title."""
    return [line.lstrip("# ") for line in text.splitlines() if re.match("##+ ", line)]


def scripts(text: str) -> list[str]:
    """The fenced shell blocks."""
    return re.findall(r"```sh\n(.*?)```", text, re.DOTALL)


def test_smallest_site(readme: Callable[..., str]) -> None:
    """A site by default has the four steps, and no word about hardware that it has not."""
    pools = [{"name": "l40s", "gpu": {"model": "l40s", "count": 4}}]

    assert sections(readme(pools=pools)) == [
        "What was decided, and why",
        "Install",
        "1. Namespaces",
        "2. Node Feature Discovery",
        "3. Rules and ConfigMaps",
        "4. GPU Operator",
        "With Argo CD or Flux",
        "Verify",
        "Pool l40s",
        "When it does not come up",
        "Changing it",
    ]


def test_workloads_with_the_driver_that_they_find(readme: Callable[..., str]) -> None:
    """What each needs by its CUDA or its makers, the image as the mirror calls it, and the driver of every pool."""
    pools = [{**HGX, "driver": {"version": "580.95.05"}}, {"name": "t4", "gpu": {"model": "t4", "count": 2}}]
    workloads = [
        {"name": "training", "image": "nvcr.io/nvidia/cuda:12.8.1-base-ubuntu22.04", "pools": ["h100"]},
        {"name": "new", "cuda": "13.3", "forwardCompatibility": True, "pools": ["t4"]},
        {"name": "vendor", "minDriver": "570.86.15"},
        {"name": "other", "image": "example.internal/x|y:1"},
    ]
    text = readme(pools=pools, driver={"version": "580.82.07"}, offline=OFFLINE, workloads=workloads)
    rows = text.partition("## Workloads")[2].partition("##")[0].strip().splitlines()[4:]

    assert rows == [
        "| training | `mirror.example.internal/nv/nvidia/cuda:12.8.1-base-ubuntu22.04` | 12.8.1 | 525.60.13 or newer | h100: 580.95.05 |",
        "| new | - | 13.3 | any, with the cuda-compat that it brings | t4: 580.82.07 |",
        "| vendor | - | not known | 570.86.15 or newer | h100: 580.95.05; t4: 580.82.07 |",
        "| other | `example.internal/x\\|y:1` | not known | not known | h100: 580.95.05; t4: 580.82.07 |",
    ]


def test_everything(readme: Callable[..., str]) -> None:
    """A site with all of it has a section for each."""
    parts: dict[str, Any] = {
        "pools": [
            {**HGX, "nics": [{"fabric": "infiniband", "count": 8}]},
            {"name": "dev", "gpu": {"model": "t4", "count": 2}, "sharing": "slices"},
            {"name": "mig", "gpu": {"model": "a100-pcie-80gb", "count": 4}, "sharing": "split"},
        ],
        "driver": HOST,
        "rdma": {"gpuDirect": "dmabuf", "ofed": "host"},
        "offline": OFFLINE,
        "sharing": SHARING,
        "monitoring": {"dcgm": {"presets": ["xid"]}, "scrape": {"kind": "victoriametrics"}, "alerts": True},
        "scheduler": {"packing": {}},
    }

    assert sections(readme(**parts)) == [
        "What was decided, and why",
        "Install",
        "1. Prepare the nodes of pool h100",
        "2. Prepare the nodes of pool dev",
        "3. Prepare the nodes of pool mig",
        "4. Namespaces and pull Secrets",
        "5. Node Feature Discovery",
        "6. Rules and ConfigMaps",
        "7. GPU Operator",
        "8. Monitoring",
        "9. Scheduler",
        "With Argo CD or Flux",
        "Verify",
        "Pool h100",
        "Pool dev",
        "Pool mig",
        "Metrics",
        "When it does not come up",
        "Fabric Manager",
        "GPUDirect RDMA",
        "MIG",
        "Shared GPUs",
        "Changing it",
    ]


def test_charts_from_upstream(readme: Callable[..., str]) -> None:
    """Pinned versions, upstream's repositories, the site's namespaces; CRDs of NFD before the chart."""
    namespaces = {"gpuOperator": "gpu", "nodeFeatureDiscovery": "nfd"}
    text = readme(cluster={"kubernetes": "1.34.2", "distribution": "kubeadm", "namespaces": namespaces})
    nfd = (
        "node-feature-discovery --repo https://kubernetes-sigs.github.io/node-feature-discovery/charts --version 0.18.3"
    )

    assert (
        f"helm show crds {nfd} | kubectl apply --server-side --force-conflicts -f -\n"
        f"helm upgrade --install node-feature-discovery {nfd} \\\n"
        "  --namespace nfd --values node-feature-discovery/values.yaml --wait\n"
    ) in text
    assert (
        "helm upgrade --install gpu-operator gpu-operator --repo https://helm.ngc.nvidia.com/nvidia --version v25.10.1 \\\n"
        "  --namespace gpu --values gpu-operator/values.yaml --disable-openapi-validation\n"
    ) in text


def test_charts_from_a_mirror(readme: Callable[..., str]) -> None:
    """OCI references need no repository, but a login; Secrets come from the login's file, never from here."""
    text = readme(offline=OFFLINE)

    assert "helm registry login charts.example.internal" in text
    assert (
        "helm upgrade --install gpu-operator oci://charts.example.internal/helm/gpu-operator --version v25.10.1 \\\n"
        in text
    )
    assert "for namespace in gpu-operator node-feature-discovery; do" in text
    assert '--from-file=.dockerconfigjson="$HOME/.docker/config.json"' in text
    assert "`nvcr.io` comes from `mirror.example.internal/nv`" in text


def test_one_namespace_for_both(readme: Callable[..., str]) -> None:
    """A namespace that both charts share is made once."""
    namespaces = {"gpuOperator": "gpu", "nodeFeatureDiscovery": "gpu"}
    text = readme(cluster={"kubernetes": "1.34.2", "distribution": "kubeadm", "namespaces": namespaces})

    assert "kubectl apply --server-side -f node-feature-discovery/namespace.yaml\n" in text


def test_host_driver(readme: Callable[..., str]) -> None:
    """Copy, install, reboot, check: versions and counts are those of the site."""
    text = readme(driver=HOST, offline=OFFLINE)

    assert "tar -C host -cf - etc usr | ssh NODE 'sudo tar -C / --no-same-owner --no-overwrite-dir -xf -'" in text
    assert (
        "sudo update-ca-certificates\n"
        "sudo apt-get update\n"
        "sudo apt-get install -y \"linux-headers-$(uname -r)\" 'nvidia-open=580.95.05*' "
        "'nvidia-fabricmanager=580.95.05*' 'libnvidia-nscq=580.95.05*'\n"
        "sudo update-initramfs -u\n"
        "sudo systemctl enable nvidia-fabricmanager\n"
        "sudo reboot\n"
    ) in text
    assert "# 8 lines, each with 580.95.05" in text
    assert re.search("nv-fabricmanager --version +# exactly the driver's version, 580.95.05", text)


def test_driver_pod(readme: Callable[..., str]) -> None:
    """Where the driver is in a pod, Fabric Manager is looked for in it and not on the node."""
    text = readme(driver={"strategy": "container", "version": "580.95.05"})

    assert "systemctl status nvidia-fabricmanager" not in text
    assert "kubectl exec POD -n gpu-operator -c nvidia-driver-ctr -- nvidia-smi -q | grep -A 2 -w Fabric" in text


def test_numbers_to_expect(readme: Callable[..., str]) -> None:
    """Two T4 in four shares each are eight; seven slices of four A100 are twenty-eight."""
    pools = [
        {"name": "dev", "nodes": {"count": 3}, "gpu": {"model": "t4", "count": 2}, "sharing": "slices"},
        {"name": "mig", "nodes": {"count": 2}, "gpu": {"model": "a100-pcie-80gb", "count": 4}, "sharing": "split"},
    ]
    text = readme(pools=pools, sharing=SHARING)

    assert "- `nvidia.com/gpu`: 8 on each node" in text
    assert "- `nvidia.com/mig-1g.10gb`: 28 on each node" in text
    assert (
        "In all: 5 nodes with 14 GPUs, which advertise `nvidia.com/gpu: 24` and `nvidia.com/mig-1g.10gb: 56`." in text
    )
    assert r".status.allocatable.nvidia\.com/mig-1g\.10gb" in text
    assert "| dev | 3 | `slices` | - | `Tesla-T4-SHARED` |" in text
    assert "| mig | 2 | - | `split` | `NVIDIA-A100-80GB-PCIe` |" in text


def test_decisions(readme: Callable[..., str]) -> None:
    """Each decision names the line of the site that made it, or that none did."""
    text = readme(driver=HOST)

    assert "| driver version | 580.95.05 | the site's driver version is 580.95.05 | `driver.version` |" in text
    assert "| Fabric Manager | 580.95.05 | Fabric Manager has exactly the driver's version | `driver.version` |" in text
    assert "| container toolkit | operator | the operator installs the container toolkit | default |" in text


def test_decisions_of_pools(readme: Callable[..., str]) -> None:
    """What pools have in common stands once; what differs names the pools."""
    gpu = {"model": "l40s", "count": 4}
    pools = [{"name": "a", "gpu": gpu, "sharing": "whole"}, {"name": "b", "gpu": gpu, "sharing": "slices"}]
    text = readme(pools=pools, sharing=SHARING)

    assert text.count("\n| driver |") == 1
    assert "| sharing of a | whole |" in text
    assert "| sharing of b | slices |" in text


@pytest.mark.parametrize(
    ("parts", "config_map", "restart"),
    [
        (
            {"pools": [{"name": "t4", "gpu": {"model": "t4", "count": 2}, "sharing": "slices"}], "sharing": SHARING},
            "device-plugin-config",
            "kubectl rollout restart daemonset nvidia-device-plugin-daemonset gpu-feature-discovery -n gpu-operator",
        ),
        (
            {"pools": [{**HGX, "sharing": "daemon"}], "sharing": SHARING},
            "device-plugin-config",
            (
                "kubectl rollout restart daemonset nvidia-device-plugin-daemonset gpu-feature-discovery "
                "nvidia-device-plugin-mps-control-daemon -n gpu-operator"
            ),
        ),
        (
            {"pools": [{**HGX, "sharing": "split"}], "sharing": SHARING},
            "mig-parted-config",
            "kubectl rollout restart daemonset nvidia-mig-manager -n gpu-operator",
        ),
        (
            {"monitoring": {"dcgm": {"presets": ["xid"]}}},
            "dcgm-metrics",
            "kubectl rollout restart daemonset nvidia-dcgm-exporter -n gpu-operator",
        ),
        (
            {"driver": {"moduleParameters": {"nvidia": {"NVreg_X": 1}}}},
            "kernel-module-params",
            (
                "kubectl delete pod -l app.kubernetes.io/component=nvidia-driver "
                "--field-selector spec.nodeName=NODE -n gpu-operator"
            ),
        ),
    ],
)
def test_what_reads_a_config_map(
    readme: Callable[..., str], parts: dict[str, Any], config_map: str, restart: str
) -> None:
    """No ConfigMap is watched; each row says which pods to start again."""
    row = next(line for line in readme(**parts).splitlines() if line.startswith(f"| ConfigMap `{config_map}` |"))

    assert f"`{restart}`" in row


@pytest.mark.parametrize(
    ("distribution", "command"),
    [
        ("kubespray", "cp scheduler/kubespray.yaml INVENTORY/group_vars/k8s_cluster/kube-scheduler.yml"),
        ("kubespray", "crictl pods --namespace kube-system --name kube-scheduler -q"),
        ("kubeadm", "sudo kubeadm init phase control-plane scheduler --config cluster.yaml"),
        ("rke2", "sudo systemctl restart rke2-server"),
        (
            "k3s",
            "sudo install -D -m 0600 config.yaml.d/50-scheduler.yaml /etc/rancher/k3s/config.yaml.d/50-scheduler.yaml",
        ),
        ("microk8s", "How microk8s is told to use"),
    ],
)
def test_scheduler_by_distribution(readme: Callable[..., str], distribution: str, command: str) -> None:
    """Each distribution takes the file in its own way, and Kubespray restarts nothing by itself."""
    cluster = {"kubernetes": "1.34.2", "distribution": distribution}

    assert command in readme(cluster=cluster, scheduler={"packing": {}})


@pytest.mark.parametrize(
    ("rdma", "driver", "said"),
    [
        ({"gpuDirect": "dmabuf", "ofed": "inbox"}, HOST, "ib_write_bw --use_cuda=0 --use_cuda_dmabuf"),
        ({"gpuDirect": "peermem", "ofed": "host"}, HOST, "lsmod | grep nvidia_peermem"),
        (
            {"gpuDirect": "peermem", "ofed": "host"},
            {"strategy": "container"},
            "That pod waits for the module mlx5_core",
        ),
        (
            {"gpuDirect": "peermem", "ofed": "container"},
            {"strategy": "container"},
            "That pod waits for /run/mellanox/drivers/.driver-ready",
        ),
    ],
)
def test_rdma(readme: Callable[..., str], rdma: dict[str, Any], driver: dict[str, Any], said: str) -> None:
    """What is checked depends on who loads which module."""
    assert said in readme(rdma=rdma, driver=driver)


def test_runtime_class_is_said_to_users(readme: Callable[..., str]) -> None:
    """Where the default runtime gives pods no GPU, everybody must know."""
    said = "Every pod that asks for a GPU must set `runtimeClassName: nvidia` here"
    cluster = {"kubernetes": "1.32.4", "distribution": "rke2"}

    assert said in readme(cluster=cluster, charts={"gpuOperator": "v25.3.4"})
    assert said not in readme(cluster=cluster, charts={"gpuOperator": "v25.10.1"})


def test_several_kinds_of_nodes(readme: Callable[..., str]) -> None:
    """Steps that there are several of are referred to together."""
    pools = [HGX, {"name": "l40s", "gpu": {"model": "l40s", "count": 4}}]
    text = readme(pools=pools, driver=HOST)

    assert "install the right one (steps 1 to 2), then" in text
    assert "| `host/` | steps 1 to 2 on every node of the pool, one drained node at a time |" in text


def test_names_are_quoted_for_the_shell(readme: Callable[..., str]) -> None:
    """A chart address from a stranger's site is one word to the shell."""
    text = readme(offline={"charts": "oci://charts.example.internal/$(reboot);x"})

    assert "'oci://charts.example.internal/$(reboot);x/gpu-operator' --version v25.10.1" in text
    assert "helm registry login charts.example.internal`" in text


def test_cells_stay_in_their_table(readme: Callable[..., str]) -> None:
    """A bar in a name pattern does not start a cell."""
    text = readme(pools=[{**HGX, "nodes": {"namePattern": "^(a|b)-", "count": 2}}])

    assert "named `^(a\\|b)-`" in text


POOLS: list[dict[str, Any]] = [
    HGX,
    {**HGX, "sharing": "slices"},
    {**HGX, "sharing": "split"},
    {"name": "b200", "gpu": {"model": "b200-sxm6-180gb", "count": 8}},
    {"name": "unknown"},
]
DRIVERS: list[dict[str, Any]] = [
    {},
    {"driver": HOST},
    {"driver": {"strategy": "host"}},
    {"driver": {"strategy": "precompiled", "version": "580"}},
]
REST: list[dict[str, Any]] = [
    {},
    {"offline": OFFLINE, "defaults": {"os": {"id": "rhel", "version": "9.4"}}},
    {
        "rdma": {"gpuDirect": "peermem", "ofed": "host", "gds": True},
        "monitoring": {"scrape": {"kind": "prometheus"}, "alerts": True},
        "scheduler": {"packing": {"schedulerName": "default-scheduler"}},
        "defaults": {},
    },
]
SITES = [
    {"pools": [pool], "sharing": SHARING, **driver, **rest} for pool, driver, rest in product(POOLS, DRIVERS, REST)
]


@pytest.mark.parametrize("parts", SITES)
def test_form(readme: Callable[..., str], parts: dict[str, Any]) -> None:
    """Whatever the site: closed fences, whole tables, links that lead somewhere, one empty line at most, no None."""
    text = readme(**parts)
    prose = re.sub(r"```sh\n.*?```", "", text, flags=re.DOTALL)
    anchors = {heading.lower().replace(" ", "-") for heading in sections(text)}

    assert text.count("```") == 2 * len(scripts(text))
    assert [line for line in prose.splitlines() if re.search(r"\bNone\b|Undefined|\{\{|\}\}|\{%", line)] == []
    assert "\n\n\n" not in text
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    assert [link for link in re.findall(r"\]\(#([^)]*)\)", text) if link not in anchors] == []
    for table in re.findall(r"(?:^\|.*\n)+", prose, re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(cells) == 1


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here to read the commands")
@pytest.mark.parametrize("parts", SITES[::7])
def test_commands_are_shell(readme: Callable[..., str], parts: dict[str, Any]) -> None:
    """Bash can read every block."""
    for script in scripts(readme(**parts)):
        done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_ports_of_the_nodes(readme: Callable[..., str]) -> None:
    """Each kind of port stands in the table of pools with its count and its name, where a pool has any."""
    ports = [{"name": "compute", "fabric": "infiniband", "count": 8}, {"fabric": "ethernet"}]
    text = readme(pools=[{**HGX, "nics": ports}, {"name": "t4", "gpu": {"model": "t4", "count": 2}}])
    rows = [line.split(" | ")[3] for line in text.splitlines() if line.startswith(("| h100 | not", "| t4 | not"))]

    assert rows == ["8 x infiniband (compute), ethernet", "-"]
    assert "network ports" not in readme(pools=[HGX])


def test_network_driver_in_a_container_is_a_step_before_the_operator(readme: Callable[..., str]) -> None:
    """Nothing here renders the Network Operator, so its place in the order is said."""
    pools = [{**HGX, "nics": [{"fabric": "infiniband", "count": 8}]}]
    titles = sections(readme(pools=pools, rdma={"gpuDirect": "dmabuf", "ofed": "container"}))

    assert titles[5:7] == ["4. Network Operator", "5. GPU Operator"]


def test_nvlink5_nodes_get_the_package_of_ib_umad(readme: Callable[..., str]) -> None:
    """Ubuntu has the module in a package that a node need not have, whoever brings the driver."""
    b200 = {"name": "b200", "gpu": {"model": "b200-sxm6-180gb", "count": 8}}
    command = 'sudo apt-get install -y "linux-modules-extra-$(uname -r)"'
    red_hat = {"id": "rhel", "version": "9.6"}

    assert command in readme(pools=[b200])
    assert command in readme(pools=[b200], driver={"strategy": "host", "version": "580.95.05"})
    assert command not in readme(pools=[b200], defaults={"os": red_hat})
    assert command not in readme(
        pools=[{**b200, "os": {"id": "ubuntu", "version": "24.04", "kernels": ["6.8.0-85-generic"]}}],
        driver={"strategy": "host", "version": "580.95.05"},
    )


@pytest.mark.parametrize(
    ("gpu", "others"),
    [
        ({"model": "h100-sxm5-80gb", "count": 8}, "takes the driver and Fabric Manager apart"),
        ({"model": "gb200", "count": 4, "board": "nvl72"}, "takes the driver and nvidia-imex apart"),
        ({"model": "l40s", "count": 4}, "changes the driver under running jobs"),
    ],
)
def test_pin_says_what_it_prevents_on_these_nodes(readme: Callable[..., str], gpu: dict[str, Any], others: str) -> None:
    """No word of Fabric Manager where none runs."""
    text = readme(pools=[{"name": "gpu", "gpu": gpu}], driver=HOST)

    assert f"so that no upgrade {others}." in text


def test_commands_about_the_site_say_where(site: Callable[..., Any], resolve: Callable[..., Any]) -> None:
    """The hand-over is read in its own folder, and the site file is elsewhere; its name may need quotes, or be odd."""
    plan = resolve(site(offline=OFFLINE))._replace(source="my site\x1b[31m.yaml")
    [text] = (item.text for item in artefacts.texts(plan) if item.path == "README.md")

    assert "Where `my site\\x1b[31m.yaml` lies, this lists them" in text
    assert "genvalues images 'my site\\x1b[31m.yaml' --format copy" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(("runtime", "unit"), [("containerd", "containerd"), ("cri-o", "crio")])
def test_runtime_that_reads_the_certificate(readme: Callable[..., str], runtime: str, unit: str) -> None:
    """The unit to restart is the cluster's own."""
    cluster = {"kubernetes": "1.34.2", "distribution": "kubeadm", "containerRuntime": runtime}

    assert f"the certificate on the node and {unit} restarted since?" in readme(cluster=cluster, offline=OFFLINE)


_KEPT = "; `containerd_extra_args: 'imports = [\"/etc/containerd/conf.d/*.toml\"]'` in the inventory makes it last |"
_AGAIN = ": `kubectl rollout restart daemonset nvidia-container-toolkit-daemonset -n gpu-operator`"


@pytest.mark.parametrize(
    ("distribution", "operator", "said"),
    [
        # NVIDIA/gpu-operator#1425: the toolkit has a file of its own from operator 25.10.0 on.
        ("kubespray", "v25.10.1", f"(kubernetes-sigs/kubespray#12277){_AGAIN}{_KEPT}"),
        ("kubespray", "v25.3.4", f"(kubernetes-sigs/kubespray#12277){_AGAIN} |"),
        ("kubeadm", "v25.10.1", f"was written anew since the toolkit ran{_AGAIN} |"),
    ],
)
def test_runtime_that_was_written_over(readme: Callable[..., str], distribution: str, operator: str, said: str) -> None:
    """Whoever writes containerd's configuration loses the toolkit's part of it, Kubespray at every run."""
    cluster = {"kubernetes": "1.33.4", "distribution": distribution}
    [row] = (
        line
        for line in readme(cluster=cluster, charts={"gpuOperator": operator}).splitlines()
        if "no runtime for" in line
    )

    assert row.endswith(said)


@pytest.mark.parametrize(
    "parts",
    [
        {"cluster": {"kubernetes": "1.34.2", "distribution": "k3s"}},
        {"cluster": {"kubernetes": "1.34.2", "distribution": "kubeadm", "containerRuntime": "cri-o"}},
        {"toolkit": {"strategy": "host"}},
    ],
)
def test_runtime_that_nobody_writes_over(readme: Callable[..., str], parts: dict[str, Any]) -> None:
    """k3s keeps its own, CRI-O and a toolkit on the host have no such file of the operator's."""
    assert "no runtime for" not in readme(**parts)


def test_where_packages_of_the_driver_come_from(readme: Callable[..., str]) -> None:
    """NVIDIA's repository is a thing to add before, or among the site's sources; the keys of these are one too."""
    source = "deb [signed-by=/usr/share/keyrings/cuda-archive-keyring.gpg] https://mirror.example.internal/cuda /"
    packages = {"ubuntu22.04": {**OFFLINE["packages"]["ubuntu22.04"], "cuda.list": source}}
    offline = readme(driver=HOST, offline={**OFFLINE, "packages": packages})

    assert "its installation guide says how to add it to a node, which comes first." in readme(driver=HOST)
    assert "the mirror must hold it, and a source among the files above name it." in offline
    assert "`/usr/share/keyrings/cuda-archive-keyring.gpg` must be on the nodes before." in offline
    assert "apt takes these sources" not in readme(driver=HOST, offline=OFFLINE)
