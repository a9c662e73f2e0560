"""NVIDIADriver objects, one for each pool whose driver the operator brings, where one for the cluster does not do.

They follow internal/state/driver.go of GPU Operator: repository, image and version are needed together; Secrets stand
once, for the whole pod (a list under gdrcopy breaks the operator's own template beside another one); the driver manager
is left to the operator, which then does not restart drivers when only its own version changes.
"""

from collections.abc import Iterator

from genvalues import contracts
from genvalues.artefacts.objects import begin
from genvalues.artefacts.operator_values import UPGRADES
from genvalues.artefacts.values import module_env, module_type, toleration
from genvalues.document import Builder, Decided, Doc, Why
from genvalues.finding import Json
from genvalues.plan import Plan
from genvalues.plan.kinds import ConfigMapRef, DriverObject, Image
from genvalues.plan.reasons import because, by_default

_INTRO = ("The operator refuses changes of driverType and usePrecompiled: delete the object and apply it anew.",)


def render(plan: Plan) -> Iterator[Doc]:
    """One file for each object."""
    for item in plan.driver_objects:
        yield _object(item, plan)


def _object(item: DriverObject, plan: Plan) -> Doc:
    pool = item.pool
    name = Decided(item.name, Why((("hardware", "pools", pool.pool.position, "name"),), "one object for each pool"))
    path = f"gpu-operator/resources/nvidia-driver-{item.name}.yaml"
    builder = begin(path, "nvidia-driver", "nvidia.com/v1alpha1", "NVIDIADriver", name, plan.operator.chart, _INTRO)
    builder.fixed(("spec", "driverType"), "gpu")
    key, value = pool.selector
    builder.put(("spec", "nodeSelector", key), by_default(value, "the label that the pool's NodeFeatureRule sets"))
    # The operator's manifest has its own entry, to which these are added: only what nodes of the pool carry is needed.
    carried = [(tolerated, reason) for tolerated, reason in item.tolerations if reason.why.routes]
    for index, (tolerated, reason) in enumerate(carried):
        builder.put(("spec", "tolerations", index), Decided(toleration(tolerated), reason.why))
    _driver(builder, item, plan)
    _images(builder, item, plan)
    _config_map(builder, "repoConfig", item.packages)
    _config_map(builder, "certConfig", item.certificates)
    _config_map(builder, "kernelModuleConfig", item.parameters)
    if pool.rdma.peermem_by_operator:
        builder.put(("spec", "rdma", "enabled"), Decided(True, pool.rdma.gpu_direct.why))
        if pool.rdma.ofed.value == "host":
            builder.put(("spec", "rdma", "useHostMofed"), Decided(True, pool.rdma.ofed.why))
    _env(builder, item, plan)
    return builder.doc()


def _env(builder: Builder, item: DriverObject, plan: Plan) -> None:
    driver = item.pool.driver
    contract = contracts.load(plan.operator.chart.name, plan.operator.chart.version)
    env = module_env(contract, driver.module_type)
    if not driver.precompiled:
        env += [(name, Decided(text, plan.proxy_env.why)) for name, text in plan.proxy_env.value]
    for index, (name, text) in enumerate(env):
        builder.put(("spec", "env", index), Decided({"name": name, "value": text.value}, text.why))


def _driver(builder: Builder, item: DriverObject, plan: Plan) -> None:
    driver = item.pool.driver
    builder.put(("spec", "usePrecompiled"), Decided(driver.precompiled, driver.strategy.why))
    spelt = module_type(contracts.load(plan.operator.chart.name, plan.operator.chart.version), driver.module_type)
    if spelt is not None:
        # The object has the fields of the values' block `driver`.
        route, decided = spelt
        builder.put(("spec", *route[1:]), decided)
    if item.upgrade_policy:
        builder.put(("spec", "upgradePolicy"), by_default({}, UPGRADES))
    for route, decided in item.upgrade_policy:
        # ... but for this one, which the chart renames.
        step = "podDeletion" if route[0] == "gpuPodDeletion" else route[0]
        builder.put(("spec", "upgradePolicy", step, *route[1:]), decided)


def _images(builder: Builder, item: DriverObject, plan: Plan) -> None:
    images = {image.component: image for image in plan.images}
    pool = item.pool
    if (image := images.get("driver")) is not None:
        version = pool.driver.version if pool.driver.version.value is not None else None
        _image(builder, (), image, version)
    if plan.pull_secrets.value:
        builder.put(("spec", "imagePullSecrets"), plan.pull_secrets)
    for component, decided in (("gds", pool.rdma.gds), ("gdrcopy", pool.rdma.gdrcopy)):
        if not decided.value:
            continue
        builder.put(("spec", component, "enabled"), decided)
        if (image := images.get(component)) is not None:
            chart = because(image.tag, plan.operator.version.why.routes, "the version that the chart installs")
            _image(builder, (component,), image, chart)


def _image(builder: Builder, below: tuple[str, ...], image: Image, version: Decided[Json] | None) -> None:
    builder.put(("spec", *below, "repository"), image.repository)
    builder.fixed(("spec", *below, "image"), image.image)
    if version is not None:
        builder.put(("spec", *below, "version"), version)


def _config_map(builder: Builder, field: str, ref: ConfigMapRef | None) -> None:
    if ref is not None:
        builder.put(("spec", field, "name"), ref.name)
