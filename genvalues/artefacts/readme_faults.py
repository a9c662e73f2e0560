"""What the hand-over says about faults: which of its sections a site needs, and the commands in them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from genvalues.artefacts import readme_host
from genvalues.artefacts.readme_tables import commented, listed, pools_in_words
from genvalues.facts.version import same_or_newer
from genvalues.plan import Plan
from genvalues.plan.kinds import PoolPlan


def context(plan: Plan, numbers: Mapping[str, str]) -> Mapping[str, Any]:
    """What the template calls fabric, rdma, mig, shared and so on; empty where the site has no such thing.

    `numbers` are the steps of the installation by kind, as they are referred to.
    """
    pools = plan.pools
    return {
        "offline": plan.offline is not None,
        "ca": plan.offline is not None and plan.offline.ca_bundle is not None,
        "runtime": readme_host.runtime(plan),
        "host_driver": [pool for pool in pools if not pool.driver.in_cluster],
        "cluster_driver": [pool for pool in pools if pool.driver.in_cluster],
        "on": _on(plan),
        "toolkit": plan.toolkit.by_operator.value,
        "toolkit_remark": _toolkit(plan),
        "rewritten": _rewritten(plan),
        "kept": _kept(plan),
        "fabric": _fabric(plan, numbers),
        "rdma": list(_rdma(plan)),
        "mig": _mig(plan),
        "shared": _shared(plan),
    }


def _on(plan: Plan) -> Callable[[Sequence[PoolPlan]], str]:
    """A suffix that names pools where not all are meant."""
    return lambda pools: "" if len(pools) == len(plan.pools) else f" ({pools_in_words(plan, pools)})"


def _toolkit(plan: Plan) -> str:
    env = plan.toolkit.env.value
    return f"; it was told {listed([f'`{name}={value}`' for name, value in env])}" if env else ""


def _rewritten(plan: Plan) -> str:
    """Who takes the toolkit's runtime out of containerd's configuration; k3s and its like make theirs in another way."""
    if readme_host.runtime(plan) != "containerd":
        return ""
    if plan.cluster.distribution == "kubespray":
        return (
            "Kubespray writes containerd's `config.toml` anew at each run over a node (kubernetes-sigs/kubespray#12277)"
        )
    return "containerd's `config.toml` was written anew since the toolkit ran"


def _kept(plan: Plan) -> str:
    """What keeps the runtime over runs of Kubespray: the toolkit's file of its own, from 1.18 on, and who imports it."""
    by_file = same_or_newer(plan.operator.chart.version, "v25.10.0") is True
    if not by_file or plan.cluster.distribution != "kubespray":
        return ""
    return "; `containerd_extra_args: 'imports = [\"/etc/containerd/conf.d/*.toml\"]'` in the inventory makes it last"


def _fabric(plan: Plan, numbers: Mapping[str, str]) -> Mapping[str, Any] | None:
    pools = [pool for pool in plan.pools if pool.driver.needs_fabric_manager]
    if not pools:
        return None
    own = [pool for pool in pools if not pool.driver.in_cluster]
    switched = [pool.name for pool in pools if pool.gpu is not None and pool.gpu.nvlsm]
    parts = [_fabric_on_host(own)] if own else []
    if len(own) < len(pools):
        parts.append(_fabric_in_pod(plan, also=bool(own)))
    return {
        "parts": parts,
        "step": numbers.get("host", ""),
        "nvlink5": f"The nodes of {listed(switched)}" if switched else "",
    }


def _fabric_on_host(pools: Sequence[PoolPlan]) -> Mapping[str, Any]:
    versions = {pool.driver.fabric_manager.value for pool in pools}
    version = versions.pop() if len(versions) == 1 else None
    commands = commented(
        ("nvidia-smi -q | grep -A 2 -w Fabric", "State: Completed, Status: Success"),
        ("systemctl status nvidia-fabricmanager", "active (running)"),
        ("nv-fabricmanager --version", f"exactly the driver's version{f', {version}' if version else ''}"),
        ("head -1 /proc/driver/nvidia/version", "the driver's version"),
        ("sudo tail -50 /var/log/fabricmanager.log", ""),
    )
    return {"text": "On the node:", "commands": commands, "host": True}


def _fabric_in_pod(plan: Plan, *, also: bool) -> Mapping[str, Any]:
    inside = f"kubectl exec POD -n {plan.operator.namespace.value} -c nvidia-driver-ctr --"
    pods = f"kubectl get pods -n {plan.operator.namespace.value} -l app.kubernetes.io/component=nvidia-driver -o wide"
    commands = commented(
        (pods, "POD: the one on that node"),
        (f"{inside} nvidia-smi -q | grep -A 2 -w Fabric", "State: Completed, Status: Success"),
        (f"{inside} tail -50 /var/log/fabricmanager.log", ""),
    )
    where = "Where the driver comes from the cluster, the" if also else "The"
    return {"text": f"{where} driver pod starts it when it sees NVSwitches:", "commands": commands, "host": False}


def _rdma(plan: Plan) -> Iterator[Mapping[str, Any]]:
    """One part for each way that pools of the site go."""
    ways: dict[tuple[str, bool, str, bool], list[PoolPlan]] = {}
    for pool in plan.pools:
        rdma = pool.rdma
        if rdma.gpu_direct.value != "none":
            infiniband = any(nic.fabric == "infiniband" for nic in pool.pool.nics)
            ways.setdefault((rdma.gpu_direct.value, pool.driver.in_cluster, rdma.ofed.value, infiniband), []).append(
                pool
            )
    for (way, in_cluster, ofed, infiniband), pools in ways.items():
        whose = f"On {pools_in_words(plan, pools)} it" if len(pools) < len(plan.pools) else "It"
        text = _dmabuf() if way == "dmabuf" else _peermem(in_cluster=in_cluster, ofed=ofed)
        lines = _dmabuf_commands() if way == "dmabuf" else _peermem_commands(plan, in_cluster=in_cluster)
        if infiniband:
            lines.append(("ibstat | grep -E 'State|Rate'", "every port: Active"))
        yield {"text": f"{whose} goes by {text}", "commands": commented(*lines, *_measure(way))}


def _dmabuf() -> str:
    return (
        "DMA-BUF, which needs the open kernel modules and kernel 5.12 or newer, and no module of its own: that "
        "nvidia-peermem is not loaded is right. On a node:"
    )


def _dmabuf_commands() -> list[tuple[str, str]]:
    return [("uname -r", "5.12 or newer"), ("grep -c 'Open Kernel Module' /proc/driver/nvidia/version", "1")]


def _peermem(*, in_cluster: bool, ofed: str) -> str:
    if not in_cluster:
        return (
            "nvidia-peermem, which the node loads at boot. `Invalid argument` from `modprobe nvidia-peermem` "
            "means that the driver was compiled before OFED was there: install the driver again. On a node:"
        )
    ready = "/run/mellanox/drivers/.driver-ready" if ofed == "container" else "the module mlx5_core"
    return f"nvidia-peermem, which the driver pod loads. That pod waits for {ready} and says so in its log:"


def _peermem_commands(plan: Plan, *, in_cluster: bool) -> list[tuple[str, str]]:
    if not in_cluster:
        return [("lsmod | grep nvidia_peermem", "one line")]
    pods = f"kubectl logs -n {plan.operator.namespace.value} -l app.kubernetes.io/component=nvidia-driver --tail=5 -c"
    return [(f"{pods} nvidia-peermem-ctr", "successfully loaded"), (f"{pods} k8s-driver-manager", "")]


def _measure(way: str) -> list[tuple[str, str]]:
    """Perftest between two nodes."""
    test = "ib_write_bw --use_cuda=0" + (" --use_cuda_dmabuf" if way == "dmabuf" else "")
    return [(test, "on one node; perftest must be built with CUDA"), (f"{test} FIRST_NODE", "on another")]


def _mig(plan: Plan) -> Mapping[str, bool] | None:
    pools = [pool for pool in plan.pools if pool.sharing.config is not None and pool.sharing.config.mig is not None]
    return {"host": any(not pool.driver.in_cluster for pool in pools)} if pools else None


def _shared(plan: Plan) -> Mapping[str, bool] | None:
    configs = plan.sharing.device_plugin
    if not configs:
        return None
    mps = any(config.mps is not None for config in configs)
    return {"time_slicing": any(config.mps is None for config in configs), "mps": mps}
