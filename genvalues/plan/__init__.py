"""Site and facts become a plan: every decision and every shared name, once, each with its reason.

`resolve` is total: what cannot be decided is None, and the rule that owns the fault speaks.
"""

import os.path

from genvalues.document import Decided
from genvalues.facts import Facts
from genvalues.finding import Json, Route
from genvalues.model import Pool, Site
from genvalues.plan import charts, driver, host, labels, monitoring, scheduling, sharing, verify, workloads
from genvalues.plan.kinds import ChartPlan, ConfigMapRef, Plan, PoolPlan, Toolkit
from genvalues.plan.reasons import because, by_default, said

__all__ = ["Plan", "resolve"]


def resolve(site: Site, facts: Facts, source: str | None = None) -> Plan:
    """All decisions of a site. Never raises on a site that the schema accepts.

    `source` is the path of the site file, of which texts name the last part; None: it is called like the site.
    As long as a plan has parts.
    """
    operator, nfd = charts.operator(site), charts.nfd(site, facts)
    pools = tuple(_pool(pool, site, operator, facts) for pool in site.pools)
    by_objects = driver.needs_objects(pools)
    first = next((pool for pool in pools if pool.driver.in_cluster), None)
    single = None if by_objects else first
    own_upgrades = by_objects and driver.has_upgrades_by_object(operator)
    nfd_images = tuple(charts.images(nfd, site, {}, site.overrides.get("nodeFeatureDiscovery", {})))
    toolkit = _toolkit(site, operator, facts)
    return Plan(
        site=site.name,
        source=os.path.basename(source) if source else f"{site.name}.yaml",
        cluster=site.cluster,
        offline=site.offline,
        operator=operator,
        nfd=nfd,
        pools=pools,
        driver_objects=tuple(driver.objects(pools, site, operator, facts)) if by_objects else (),
        parameters=driver.parameter_map(single, "kernel-module-params") if single else None,
        packages=driver.package_map(single, "repo-config", site.offline) if single else None,
        certificates=driver.certificate_map(single, "repo-certs", site.offline, facts) if single else None,
        upgrade_policy=driver.upgrade_policy(first) if first and not own_upgrades else (),
        gds=driver.everywhere(pools, lambda rdma: rdma.gds, "GPUDirect Storage"),
        gdrcopy=driver.everywhere(pools, lambda rdma: rdma.gdrcopy, "GDRCopy"),
        nfd_worker=labels.nfd_worker(),
        toolkit=toolkit,
        tolerations=labels.tolerations(pools),
        extra_label_namespaces=labels.extra_label_namespaces(pools),
        device_classes=labels.device_classes(pools),
        images=tuple(charts.images(operator, site, _switches(pools, site), site.overrides.get("gpuOperator", {}))),
        nfd_image=nfd_images[0] if nfd_images else None,
        verify_image=charts.mirrored(charts.VERIFY_IMAGE, site.offline),
        pull_secrets=_pull_secrets(site),
        proxy_env=_proxy_env(site),
        sharing=sharing.sharing_plan(pools, site),
        monitoring=monitoring.monitoring(site, pools, operator, facts),
        scheduler=scheduling.scheduler(site, pools, facts),
        hosts=host.hosts(site, pools, facts),
        verify=tuple(verify.pods(site, pools, operator, toolkit)),
        workloads=tuple(workloads.workloads(site, pools, facts)),
        overrides=site.overrides,
        accept=site.accept,
    )


def _pool(pool: Pool, site: Site, operator: ChartPlan, facts: Facts) -> PoolPlan:
    gpu = facts.gpu(pool.gpu.model) if pool.gpu.model else None
    shared = sharing.sharing(pool, gpu, site, facts)
    effective = driver.driver(pool, gpu, operator, facts)
    os = pool.os
    return PoolPlan(
        pool=pool,
        gpu=gpu,
        os_tag=facts.os_tag(operator.chart.version, os.id, os.version) if os.id and os.version else None,
        driver=effective,
        rdma=driver.rdma(pool, effective.in_cluster),
        sharing=shared,
        labels=tuple(labels.labels(pool, shared)),
        matcher=labels.matcher(pool, gpu),
        selector=(labels.POOL, pool.name),
    )


def _switches(pools: tuple[PoolPlan, ...], site: Site) -> Json:
    """The values by which the site turns components of the operator's chart on or off. NFD is installed by itself."""
    in_cluster = [pool for pool in pools if pool.driver.in_cluster]
    return {
        "nfd": {"enabled": False},
        "driver": {"enabled": bool(in_cluster)},
        "toolkit": {"enabled": site.toolkit_strategy != "host"},
        "gds": {"enabled": any(pool.rdma.gds.value for pool in in_cluster)},
        "gdrcopy": {"enabled": any(pool.rdma.gdrcopy.value for pool in in_cluster)},
    }


def _toolkit(site: Site, operator: ChartPlan, facts: Facts) -> Toolkit:
    route: Route = ("toolkit", "strategy")
    if site.toolkit_strategy == "host":
        by_operator = said(False, route, "the container toolkit is installed on the nodes")
    elif site.toolkit_strategy == "operator":
        by_operator = said(True, route, "the operator installs the container toolkit")
    else:
        by_operator = by_default(True, "the operator installs the container toolkit")
    needed = facts.toolkit_env(site.cluster.distribution, operator.chart.version)
    containerd = site.cluster.container_runtime in (None, "containerd")
    env = tuple(needed.items()) if needed and by_operator.value and containerd else ()
    text = f"where {site.cluster.distribution} keeps containerd's socket and configuration"
    return Toolkit(by_operator, because(env, (("cluster", "distribution"),), text), needed is not None)


def _pull_secrets(site: Site) -> Decided[tuple[str, ...]]:
    if site.offline is None or not site.offline.image_pull_secrets:
        return by_default((), "images are pulled without a Secret")
    return said(site.offline.image_pull_secrets, ("offline", "imagePullSecrets"), "Secrets for the mirror")


def _proxy_env(site: Site) -> Decided[tuple[tuple[str, str], ...]]:
    """The proxy variables of driver pods, which read them in both cases (install-gpu-operator-proxy.rst)."""
    cluster = site.cluster
    named = {
        "HTTP_PROXY": cluster.proxy_http,
        "HTTPS_PROXY": cluster.proxy_https,
        "NO_PROXY": ",".join(cluster.no_proxy),
    }
    env = tuple((name, value) for name, value in named.items() if value)
    both = (*env, *((name.lower(), value) for name, value in env))
    return because(both, (("cluster", "proxy"),) if both else (), "driver pods reach package mirrors through the proxy")


def config_maps(plan: Plan) -> tuple[ConfigMapRef, ...]:
    """The ConfigMaps that driver pods read: of the ClusterPolicy's driver, or of each NVIDIADriver object."""
    refs = [plan.parameters, plan.packages, plan.certificates]
    for item in plan.driver_objects:
        refs += [item.parameters, item.packages, item.certificates]
    return tuple(ref for ref in refs if ref is not None)
