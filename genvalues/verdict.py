"""Whether data has the shape of schemas/site.schema.json: generated from it by `make verdict`, not to be edited."""

import re

# ruff: noqa
# mypy: disable-error-code="no-untyped-def,no-untyped-call"


class InvalidError(Exception):
    """The data has another shape."""


def is_valid(data: object, required: bool = True) -> bool:
    """The verdict; without `required`, as for a Base, no key need be there."""
    try:
        validate_urn_genvalues_site_v1(data, required)
    except InvalidError:
        return False
    return True


def validate_urn_genvalues_site_v1(data, required):
    if not isinstance(data, dict):
        raise InvalidError
    if isinstance(data, dict):
        if required and not data.keys() >= set(['apiVersion', 'kind', 'name', 'cluster', 'charts', 'hardware']):
            raise InvalidError
        data_keys = set(data.keys())
        if "apiVersion" in data_keys:
            data_keys.remove("apiVersion")
            data__apiVersion = data["apiVersion"]
            if not isinstance(data__apiVersion, str):
                raise InvalidError
            if not (isinstance(data__apiVersion, str) and data__apiVersion == 'genvalues/v1'):
                raise InvalidError
        if "kind" in data_keys:
            data_keys.remove("kind")
            data__kind = data["kind"]
            if not isinstance(data__kind, str):
                raise InvalidError
            if not (isinstance(data__kind, str) and data__kind == 'Site' or isinstance(data__kind, str) and data__kind == 'Base'):
                raise InvalidError
        if "name" in data_keys:
            data_keys.remove("name")
            data__name = data["name"]
            if not isinstance(data__name, str):
                raise InvalidError
            if isinstance(data__name, str):
                if not re.search('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\Z', data__name):
                    raise InvalidError
        if "extends" in data_keys:
            data_keys.remove("extends")
            data__extends = data["extends"]
            if not isinstance(data__extends, list):
                raise InvalidError
            if isinstance(data__extends, list):
                data__extends_len = len(data__extends)
                for data__extends_x, data__extends_item in enumerate(data__extends):
                    if not isinstance(data__extends_item, str):
                        raise InvalidError
                    if isinstance(data__extends_item, str):
                        data__extends_item_len = len(data__extends_item)
                        if data__extends_item_len < 1:
                            raise InvalidError
        if "cluster" in data_keys:
            data_keys.remove("cluster")
            data__cluster = data["cluster"]
            if not isinstance(data__cluster, dict):
                raise InvalidError
            if isinstance(data__cluster, dict):
                if required and not data__cluster.keys() >= set(['kubernetes', 'distribution']):
                    raise InvalidError
                data__cluster_keys = set(data__cluster.keys())
                if "kubernetes" in data__cluster_keys:
                    data__cluster_keys.remove("kubernetes")
                    data__cluster__kubernetes = data__cluster["kubernetes"]
                    if not isinstance(data__cluster__kubernetes, str):
                        raise InvalidError
                    if isinstance(data__cluster__kubernetes, str):
                        if not re.search('^v?1\\.[0-9]+(\\.[0-9]+)?\\Z', data__cluster__kubernetes):
                            raise InvalidError
                if "distribution" in data__cluster_keys:
                    data__cluster_keys.remove("distribution")
                    data__cluster__distribution = data__cluster["distribution"]
                    if not isinstance(data__cluster__distribution, str):
                        raise InvalidError
                    if not (isinstance(data__cluster__distribution, str) and data__cluster__distribution == 'kubeadm' or isinstance(data__cluster__distribution, str) and data__cluster__distribution == 'kubespray' or isinstance(data__cluster__distribution, str) and data__cluster__distribution == 'rke2' or isinstance(data__cluster__distribution, str) and data__cluster__distribution == 'k3s' or isinstance(data__cluster__distribution, str) and data__cluster__distribution == 'k0s' or isinstance(data__cluster__distribution, str) and data__cluster__distribution == 'microk8s'):
                        raise InvalidError
                if "containerRuntime" in data__cluster_keys:
                    data__cluster_keys.remove("containerRuntime")
                    data__cluster__containerRuntime = data__cluster["containerRuntime"]
                    if not isinstance(data__cluster__containerRuntime, str):
                        raise InvalidError
                    if not (isinstance(data__cluster__containerRuntime, str) and data__cluster__containerRuntime == 'containerd' or isinstance(data__cluster__containerRuntime, str) and data__cluster__containerRuntime == 'cri-o'):
                        raise InvalidError
                if "containerRuntimeVersion" in data__cluster_keys:
                    data__cluster_keys.remove("containerRuntimeVersion")
                    data__cluster__containerRuntimeVersion = data__cluster["containerRuntimeVersion"]
                    if not isinstance(data__cluster__containerRuntimeVersion, str):
                        raise InvalidError
                    if isinstance(data__cluster__containerRuntimeVersion, str):
                        if not re.search('^v?[0-9]+\\.[0-9]+(\\.[0-9]+)?\\Z', data__cluster__containerRuntimeVersion):
                            raise InvalidError
                if "namespaces" in data__cluster_keys:
                    data__cluster_keys.remove("namespaces")
                    data__cluster__namespaces = data__cluster["namespaces"]
                    if not isinstance(data__cluster__namespaces, dict):
                        raise InvalidError
                    if isinstance(data__cluster__namespaces, dict):
                        data__cluster__namespaces_keys = set(data__cluster__namespaces.keys())
                        if "gpuOperator" in data__cluster__namespaces_keys:
                            data__cluster__namespaces_keys.remove("gpuOperator")
                            data__cluster__namespaces__gpuOperator = data__cluster__namespaces["gpuOperator"]
                            if not isinstance(data__cluster__namespaces__gpuOperator, str):
                                raise InvalidError
                            if isinstance(data__cluster__namespaces__gpuOperator, str):
                                if not re.search('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\Z', data__cluster__namespaces__gpuOperator):
                                    raise InvalidError
                        if "nodeFeatureDiscovery" in data__cluster__namespaces_keys:
                            data__cluster__namespaces_keys.remove("nodeFeatureDiscovery")
                            data__cluster__namespaces__nodeFeatureDiscovery = data__cluster__namespaces["nodeFeatureDiscovery"]
                            if not isinstance(data__cluster__namespaces__nodeFeatureDiscovery, str):
                                raise InvalidError
                            if isinstance(data__cluster__namespaces__nodeFeatureDiscovery, str):
                                if not re.search('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\Z', data__cluster__namespaces__nodeFeatureDiscovery):
                                    raise InvalidError
                        if data__cluster__namespaces_keys:
                            raise InvalidError
                if "proxy" in data__cluster_keys:
                    data__cluster_keys.remove("proxy")
                    data__cluster__proxy = data__cluster["proxy"]
                    if not isinstance(data__cluster__proxy, dict):
                        raise InvalidError
                    if isinstance(data__cluster__proxy, dict):
                        data__cluster__proxy_len = len(data__cluster__proxy)
                        if data__cluster__proxy_len < 1:
                            raise InvalidError
                        data__cluster__proxy_keys = set(data__cluster__proxy.keys())
                        if "http" in data__cluster__proxy_keys:
                            data__cluster__proxy_keys.remove("http")
                            data__cluster__proxy__http = data__cluster__proxy["http"]
                            if not isinstance(data__cluster__proxy__http, str):
                                raise InvalidError
                            if isinstance(data__cluster__proxy__http, str):
                                data__cluster__proxy__http_len = len(data__cluster__proxy__http)
                                if data__cluster__proxy__http_len < 1:
                                    raise InvalidError
                        if "https" in data__cluster__proxy_keys:
                            data__cluster__proxy_keys.remove("https")
                            data__cluster__proxy__https = data__cluster__proxy["https"]
                            if not isinstance(data__cluster__proxy__https, str):
                                raise InvalidError
                            if isinstance(data__cluster__proxy__https, str):
                                data__cluster__proxy__https_len = len(data__cluster__proxy__https)
                                if data__cluster__proxy__https_len < 1:
                                    raise InvalidError
                        if "noProxy" in data__cluster__proxy_keys:
                            data__cluster__proxy_keys.remove("noProxy")
                            data__cluster__proxy__noProxy = data__cluster__proxy["noProxy"]
                            if not isinstance(data__cluster__proxy__noProxy, list):
                                raise InvalidError
                            if isinstance(data__cluster__proxy__noProxy, list):
                                def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                                data__cluster__proxy__noProxy_len = len(data__cluster__proxy__noProxy)
                                if data__cluster__proxy__noProxy_len > len(set(fn(data__cluster__proxy__noProxy_x) for data__cluster__proxy__noProxy_x in data__cluster__proxy__noProxy)):
                                    raise InvalidError
                                for data__cluster__proxy__noProxy_x, data__cluster__proxy__noProxy_item in enumerate(data__cluster__proxy__noProxy):
                                    if not isinstance(data__cluster__proxy__noProxy_item, str):
                                        raise InvalidError
                                    if isinstance(data__cluster__proxy__noProxy_item, str):
                                        data__cluster__proxy__noProxy_item_len = len(data__cluster__proxy__noProxy_item)
                                        if data__cluster__proxy__noProxy_item_len < 1:
                                            raise InvalidError
                        if data__cluster__proxy_keys:
                            raise InvalidError
                if data__cluster_keys:
                    raise InvalidError
        if "charts" in data_keys:
            data_keys.remove("charts")
            data__charts = data["charts"]
            if not isinstance(data__charts, dict):
                raise InvalidError
            if isinstance(data__charts, dict):
                if required and not data__charts.keys() >= set(['gpuOperator']):
                    raise InvalidError
                data__charts_keys = set(data__charts.keys())
                if "gpuOperator" in data__charts_keys:
                    data__charts_keys.remove("gpuOperator")
                    data__charts__gpuOperator = data__charts["gpuOperator"]
                    if not isinstance(data__charts__gpuOperator, str):
                        raise InvalidError
                    if isinstance(data__charts__gpuOperator, str):
                        if not re.search('^v?[0-9]+\\.[0-9]+\\.[0-9]+\\Z', data__charts__gpuOperator):
                            raise InvalidError
                if "nodeFeatureDiscovery" in data__charts_keys:
                    data__charts_keys.remove("nodeFeatureDiscovery")
                    data__charts__nodeFeatureDiscovery = data__charts["nodeFeatureDiscovery"]
                    if not isinstance(data__charts__nodeFeatureDiscovery, str):
                        raise InvalidError
                    if isinstance(data__charts__nodeFeatureDiscovery, str):
                        if not re.search('^v?[0-9]+\\.[0-9]+\\.[0-9]+\\Z', data__charts__nodeFeatureDiscovery):
                            raise InvalidError
                if data__charts_keys:
                    raise InvalidError
        if "hardware" in data_keys:
            data_keys.remove("hardware")
            data__hardware = data["hardware"]
            if not isinstance(data__hardware, dict):
                raise InvalidError
            if isinstance(data__hardware, dict):
                if required and not data__hardware.keys() >= set(['pools']):
                    raise InvalidError
                data__hardware_keys = set(data__hardware.keys())
                if "defaults" in data__hardware_keys:
                    data__hardware_keys.remove("defaults")
                    data__hardware__defaults = data__hardware["defaults"]
                    validate___definitions_defaults(data__hardware__defaults, required)
                if "pools" in data__hardware_keys:
                    data__hardware_keys.remove("pools")
                    data__hardware__pools = data__hardware["pools"]
                    if not isinstance(data__hardware__pools, list):
                        raise InvalidError
                    if isinstance(data__hardware__pools, list):
                        data__hardware__pools_len = len(data__hardware__pools)
                        if data__hardware__pools_len < 1:
                            raise InvalidError
                        for data__hardware__pools_x, data__hardware__pools_item in enumerate(data__hardware__pools):
                            validate___definitions_pool(data__hardware__pools_item, required)
                if data__hardware_keys:
                    raise InvalidError
        if "driver" in data_keys:
            data_keys.remove("driver")
            data__driver = data["driver"]
            validate___definitions_driver(data__driver, required)
        if "rdma" in data_keys:
            data_keys.remove("rdma")
            data__rdma = data["rdma"]
            validate___definitions_rdma(data__rdma, required)
        if "toolkit" in data_keys:
            data_keys.remove("toolkit")
            data__toolkit = data["toolkit"]
            if not isinstance(data__toolkit, dict):
                raise InvalidError
            if isinstance(data__toolkit, dict):
                data__toolkit_keys = set(data__toolkit.keys())
                if "strategy" in data__toolkit_keys:
                    data__toolkit_keys.remove("strategy")
                    data__toolkit__strategy = data__toolkit["strategy"]
                    if not isinstance(data__toolkit__strategy, str):
                        raise InvalidError
                    if not (isinstance(data__toolkit__strategy, str) and data__toolkit__strategy == 'operator' or isinstance(data__toolkit__strategy, str) and data__toolkit__strategy == 'host'):
                        raise InvalidError
                if data__toolkit_keys:
                    raise InvalidError
        if "offline" in data_keys:
            data_keys.remove("offline")
            data__offline = data["offline"]
            if not isinstance(data__offline, dict):
                raise InvalidError
            if isinstance(data__offline, dict):
                data__offline_keys = set(data__offline.keys())
                if "registries" in data__offline_keys:
                    data__offline_keys.remove("registries")
                    data__offline__registries = data__offline["registries"]
                    if not isinstance(data__offline__registries, dict):
                        raise InvalidError
                    if isinstance(data__offline__registries, dict):
                        data__offline__registries_len = len(data__offline__registries)
                        if data__offline__registries_len < 1:
                            raise InvalidError
                        data__offline__registries_keys = set(data__offline__registries.keys())
                        for data__offline__registries_key in data__offline__registries_keys:
                            if data__offline__registries_key not in []:
                                data__offline__registries_value = data__offline__registries.get(data__offline__registries_key)
                                if not isinstance(data__offline__registries_value, str):
                                    raise InvalidError
                                if isinstance(data__offline__registries_value, str):
                                    data__offline__registries_value_len = len(data__offline__registries_value)
                                    if data__offline__registries_value_len < 1:
                                        raise InvalidError
                if "imagePullSecrets" in data__offline_keys:
                    data__offline_keys.remove("imagePullSecrets")
                    data__offline__imagePullSecrets = data__offline["imagePullSecrets"]
                    if not isinstance(data__offline__imagePullSecrets, list):
                        raise InvalidError
                    if isinstance(data__offline__imagePullSecrets, list):
                        def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                        data__offline__imagePullSecrets_len = len(data__offline__imagePullSecrets)
                        if data__offline__imagePullSecrets_len > len(set(fn(data__offline__imagePullSecrets_x) for data__offline__imagePullSecrets_x in data__offline__imagePullSecrets)):
                            raise InvalidError
                        for data__offline__imagePullSecrets_x, data__offline__imagePullSecrets_item in enumerate(data__offline__imagePullSecrets):
                            if not isinstance(data__offline__imagePullSecrets_item, str):
                                raise InvalidError
                            if isinstance(data__offline__imagePullSecrets_item, str):
                                if not re.search('^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?\\Z', data__offline__imagePullSecrets_item):
                                    raise InvalidError
                if "charts" in data__offline_keys:
                    data__offline_keys.remove("charts")
                    data__offline__charts = data__offline["charts"]
                    if not isinstance(data__offline__charts, str):
                        raise InvalidError
                    if isinstance(data__offline__charts, str):
                        if not re.search('^(oci|https?)://[^\\s]+\\Z', data__offline__charts):
                            raise InvalidError
                if "packages" in data__offline_keys:
                    data__offline_keys.remove("packages")
                    data__offline__packages = data__offline["packages"]
                    if not isinstance(data__offline__packages, dict):
                        raise InvalidError
                    if isinstance(data__offline__packages, dict):
                        data__offline__packages_len = len(data__offline__packages)
                        if data__offline__packages_len < 1:
                            raise InvalidError
                        data__offline__packages_keys = set(data__offline__packages.keys())
                        for data__offline__packages_key in data__offline__packages_keys:
                            if data__offline__packages_key not in []:
                                data__offline__packages_value = data__offline__packages.get(data__offline__packages_key)
                                if not isinstance(data__offline__packages_value, dict):
                                    raise InvalidError
                                if isinstance(data__offline__packages_value, dict):
                                    data__offline__packages_value_len = len(data__offline__packages_value)
                                    if data__offline__packages_value_len < 1:
                                        raise InvalidError
                                    data__offline__packages_value_keys = set(data__offline__packages_value.keys())
                                    for data__offline__packages_value_key in data__offline__packages_value_keys:
                                        if data__offline__packages_value_key not in []:
                                            data__offline__packages_value_value = data__offline__packages_value.get(data__offline__packages_value_key)
                                            if not isinstance(data__offline__packages_value_value, str):
                                                raise InvalidError
                                            if isinstance(data__offline__packages_value_value, str):
                                                data__offline__packages_value_value_len = len(data__offline__packages_value_value)
                                                if data__offline__packages_value_value_len < 1:
                                                    raise InvalidError
                if "caBundle" in data__offline_keys:
                    data__offline_keys.remove("caBundle")
                    data__offline__caBundle = data__offline["caBundle"]
                    if not isinstance(data__offline__caBundle, str):
                        raise InvalidError
                    if isinstance(data__offline__caBundle, str):
                        data__offline__caBundle_len = len(data__offline__caBundle)
                        if data__offline__caBundle_len < 1:
                            raise InvalidError
                if data__offline_keys:
                    raise InvalidError
        if "sharing" in data_keys:
            data_keys.remove("sharing")
            data__sharing = data["sharing"]
            if not isinstance(data__sharing, dict):
                raise InvalidError
            if isinstance(data__sharing, dict):
                if required and not data__sharing.keys() >= set(['configs']):
                    raise InvalidError
                data__sharing_keys = set(data__sharing.keys())
                if "configs" in data__sharing_keys:
                    data__sharing_keys.remove("configs")
                    data__sharing__configs = data__sharing["configs"]
                    if not isinstance(data__sharing__configs, dict):
                        raise InvalidError
                    if isinstance(data__sharing__configs, dict):
                        data__sharing__configs_keys = set(data__sharing__configs.keys())
                        for data__sharing__configs_key in data__sharing__configs_keys:
                            if data__sharing__configs_key not in []:
                                data__sharing__configs_value = data__sharing__configs.get(data__sharing__configs_key)
                                validate___definitions_sharingconfig(data__sharing__configs_value, required)
                        data__sharing__configs_len = len(data__sharing__configs)
                        if data__sharing__configs_len != 0:
                            data__sharing__configs_property_names = True
                            for data__sharing__configs_key in data__sharing__configs:
                                try:
                                    if isinstance(data__sharing__configs_key, str):
                                        if not re.search('^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?\\Z', data__sharing__configs_key):
                                            raise InvalidError
                                except InvalidError:
                                    data__sharing__configs_property_names = False
                            if not data__sharing__configs_property_names:
                                raise InvalidError
                if data__sharing_keys:
                    raise InvalidError
        if "monitoring" in data_keys:
            data_keys.remove("monitoring")
            data__monitoring = data["monitoring"]
            if not isinstance(data__monitoring, dict):
                raise InvalidError
            if isinstance(data__monitoring, dict):
                data__monitoring_keys = set(data__monitoring.keys())
                if "dcgm" in data__monitoring_keys:
                    data__monitoring_keys.remove("dcgm")
                    data__monitoring__dcgm = data__monitoring["dcgm"]
                    if not isinstance(data__monitoring__dcgm, dict):
                        raise InvalidError
                    if isinstance(data__monitoring__dcgm, dict):
                        data__monitoring__dcgm_keys = set(data__monitoring__dcgm.keys())
                        if "interval" in data__monitoring__dcgm_keys:
                            data__monitoring__dcgm_keys.remove("interval")
                            data__monitoring__dcgm__interval = data__monitoring__dcgm["interval"]
                            if not isinstance(data__monitoring__dcgm__interval, str):
                                raise InvalidError
                            if isinstance(data__monitoring__dcgm__interval, str):
                                if not re.search('^[1-9][0-9]*(ms|s|m)\\Z', data__monitoring__dcgm__interval):
                                    raise InvalidError
                        if "presets" in data__monitoring__dcgm_keys:
                            data__monitoring__dcgm_keys.remove("presets")
                            data__monitoring__dcgm__presets = data__monitoring__dcgm["presets"]
                            if not isinstance(data__monitoring__dcgm__presets, list):
                                raise InvalidError
                            if isinstance(data__monitoring__dcgm__presets, list):
                                data__monitoring__dcgm__presets_len = len(data__monitoring__dcgm__presets)
                                if data__monitoring__dcgm__presets_len < 1:
                                    raise InvalidError
                                def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                                if data__monitoring__dcgm__presets_len > len(set(fn(data__monitoring__dcgm__presets_x) for data__monitoring__dcgm__presets_x in data__monitoring__dcgm__presets)):
                                    raise InvalidError
                                for data__monitoring__dcgm__presets_x, data__monitoring__dcgm__presets_item in enumerate(data__monitoring__dcgm__presets):
                                    if not isinstance(data__monitoring__dcgm__presets_item, str):
                                        raise InvalidError
                                    if not (isinstance(data__monitoring__dcgm__presets_item, str) and data__monitoring__dcgm__presets_item == 'default' or isinstance(data__monitoring__dcgm__presets_item, str) and data__monitoring__dcgm__presets_item == 'ecc' or isinstance(data__monitoring__dcgm__presets_item, str) and data__monitoring__dcgm__presets_item == 'row-remap' or isinstance(data__monitoring__dcgm__presets_item, str) and data__monitoring__dcgm__presets_item == 'xid' or isinstance(data__monitoring__dcgm__presets_item, str) and data__monitoring__dcgm__presets_item == 'nvlink' or isinstance(data__monitoring__dcgm__presets_item, str) and data__monitoring__dcgm__presets_item == 'throttling' or isinstance(data__monitoring__dcgm__presets_item, str) and data__monitoring__dcgm__presets_item == 'power' or isinstance(data__monitoring__dcgm__presets_item, str) and data__monitoring__dcgm__presets_item == 'memory' or isinstance(data__monitoring__dcgm__presets_item, str) and data__monitoring__dcgm__presets_item == 'pcie' or isinstance(data__monitoring__dcgm__presets_item, str) and data__monitoring__dcgm__presets_item == 'profiling'):
                                        raise InvalidError
                        if "add" in data__monitoring__dcgm_keys:
                            data__monitoring__dcgm_keys.remove("add")
                            data__monitoring__dcgm__add = data__monitoring__dcgm["add"]
                            if not isinstance(data__monitoring__dcgm__add, list):
                                raise InvalidError
                            if isinstance(data__monitoring__dcgm__add, list):
                                data__monitoring__dcgm__add_len = len(data__monitoring__dcgm__add)
                                for data__monitoring__dcgm__add_x, data__monitoring__dcgm__add_item in enumerate(data__monitoring__dcgm__add):
                                    if not isinstance(data__monitoring__dcgm__add_item, (str, dict)):
                                        raise InvalidError
                                    if isinstance(data__monitoring__dcgm__add_item, str):
                                        if not re.search('^DCGM_[A-Z0-9_]+\\Z', data__monitoring__dcgm__add_item):
                                            raise InvalidError
                                    if isinstance(data__monitoring__dcgm__add_item, dict):
                                        if required and not data__monitoring__dcgm__add_item.keys() >= set(['field']):
                                            raise InvalidError
                                        data__monitoring__dcgm__add_item_keys = set(data__monitoring__dcgm__add_item.keys())
                                        if "field" in data__monitoring__dcgm__add_item_keys:
                                            data__monitoring__dcgm__add_item_keys.remove("field")
                                            data__monitoring__dcgm__add_item__field = data__monitoring__dcgm__add_item["field"]
                                            if not isinstance(data__monitoring__dcgm__add_item__field, str):
                                                raise InvalidError
                                            if isinstance(data__monitoring__dcgm__add_item__field, str):
                                                if not re.search('^DCGM_[A-Z0-9_]+\\Z', data__monitoring__dcgm__add_item__field):
                                                    raise InvalidError
                                        if "type" in data__monitoring__dcgm__add_item_keys:
                                            data__monitoring__dcgm__add_item_keys.remove("type")
                                            data__monitoring__dcgm__add_item__type = data__monitoring__dcgm__add_item["type"]
                                            if not isinstance(data__monitoring__dcgm__add_item__type, str):
                                                raise InvalidError
                                            if not (isinstance(data__monitoring__dcgm__add_item__type, str) and data__monitoring__dcgm__add_item__type == 'gauge' or isinstance(data__monitoring__dcgm__add_item__type, str) and data__monitoring__dcgm__add_item__type == 'counter' or isinstance(data__monitoring__dcgm__add_item__type, str) and data__monitoring__dcgm__add_item__type == 'label'):
                                                raise InvalidError
                                        if "help" in data__monitoring__dcgm__add_item_keys:
                                            data__monitoring__dcgm__add_item_keys.remove("help")
                                            data__monitoring__dcgm__add_item__help = data__monitoring__dcgm__add_item["help"]
                                            if not isinstance(data__monitoring__dcgm__add_item__help, str):
                                                raise InvalidError
                                            if isinstance(data__monitoring__dcgm__add_item__help, str):
                                                data__monitoring__dcgm__add_item__help_len = len(data__monitoring__dcgm__add_item__help)
                                                if data__monitoring__dcgm__add_item__help_len < 1:
                                                    raise InvalidError
                                                if data__monitoring__dcgm__add_item__help_len > 200:
                                                    raise InvalidError
                                        if data__monitoring__dcgm__add_item_keys:
                                            raise InvalidError
                        if "drop" in data__monitoring__dcgm_keys:
                            data__monitoring__dcgm_keys.remove("drop")
                            data__monitoring__dcgm__drop = data__monitoring__dcgm["drop"]
                            if not isinstance(data__monitoring__dcgm__drop, list):
                                raise InvalidError
                            if isinstance(data__monitoring__dcgm__drop, list):
                                def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                                data__monitoring__dcgm__drop_len = len(data__monitoring__dcgm__drop)
                                if data__monitoring__dcgm__drop_len > len(set(fn(data__monitoring__dcgm__drop_x) for data__monitoring__dcgm__drop_x in data__monitoring__dcgm__drop)):
                                    raise InvalidError
                                for data__monitoring__dcgm__drop_x, data__monitoring__dcgm__drop_item in enumerate(data__monitoring__dcgm__drop):
                                    if not isinstance(data__monitoring__dcgm__drop_item, str):
                                        raise InvalidError
                                    if isinstance(data__monitoring__dcgm__drop_item, str):
                                        if not re.search('^DCGM_[A-Z0-9_]+\\Z', data__monitoring__dcgm__drop_item):
                                            raise InvalidError
                        if data__monitoring__dcgm_keys:
                            raise InvalidError
                if "scrape" in data__monitoring_keys:
                    data__monitoring_keys.remove("scrape")
                    data__monitoring__scrape = data__monitoring["scrape"]
                    if not isinstance(data__monitoring__scrape, dict):
                        raise InvalidError
                    if isinstance(data__monitoring__scrape, dict):
                        if required and not data__monitoring__scrape.keys() >= set(['kind']):
                            raise InvalidError
                        data__monitoring__scrape_keys = set(data__monitoring__scrape.keys())
                        if "kind" in data__monitoring__scrape_keys:
                            data__monitoring__scrape_keys.remove("kind")
                            data__monitoring__scrape__kind = data__monitoring__scrape["kind"]
                            if not isinstance(data__monitoring__scrape__kind, str):
                                raise InvalidError
                            if not (isinstance(data__monitoring__scrape__kind, str) and data__monitoring__scrape__kind == 'none' or isinstance(data__monitoring__scrape__kind, str) and data__monitoring__scrape__kind == 'prometheus' or isinstance(data__monitoring__scrape__kind, str) and data__monitoring__scrape__kind == 'victoriametrics'):
                                raise InvalidError
                        if "interval" in data__monitoring__scrape_keys:
                            data__monitoring__scrape_keys.remove("interval")
                            data__monitoring__scrape__interval = data__monitoring__scrape["interval"]
                            if not isinstance(data__monitoring__scrape__interval, str):
                                raise InvalidError
                            if isinstance(data__monitoring__scrape__interval, str):
                                if not re.search('^[1-9][0-9]*(ms|s|m)\\Z', data__monitoring__scrape__interval):
                                    raise InvalidError
                        if "labels" in data__monitoring__scrape_keys:
                            data__monitoring__scrape_keys.remove("labels")
                            data__monitoring__scrape__labels = data__monitoring__scrape["labels"]
                            if not isinstance(data__monitoring__scrape__labels, dict):
                                raise InvalidError
                            if isinstance(data__monitoring__scrape__labels, dict):
                                data__monitoring__scrape__labels_keys = set(data__monitoring__scrape__labels.keys())
                                for data__monitoring__scrape__labels_key in data__monitoring__scrape__labels_keys:
                                    if data__monitoring__scrape__labels_key not in []:
                                        data__monitoring__scrape__labels_value = data__monitoring__scrape__labels.get(data__monitoring__scrape__labels_key)
                                        if not isinstance(data__monitoring__scrape__labels_value, str):
                                            raise InvalidError
                        if data__monitoring__scrape_keys:
                            raise InvalidError
                if "alerts" in data__monitoring_keys:
                    data__monitoring_keys.remove("alerts")
                    data__monitoring__alerts = data__monitoring["alerts"]
                    if not isinstance(data__monitoring__alerts, bool):
                        raise InvalidError
                if data__monitoring_keys:
                    raise InvalidError
        if "scheduler" in data_keys:
            data_keys.remove("scheduler")
            data__scheduler = data["scheduler"]
            if not isinstance(data__scheduler, dict):
                raise InvalidError
            if isinstance(data__scheduler, dict):
                data__scheduler_keys = set(data__scheduler.keys())
                if "packing" in data__scheduler_keys:
                    data__scheduler_keys.remove("packing")
                    data__scheduler__packing = data__scheduler["packing"]
                    if not isinstance(data__scheduler__packing, dict):
                        raise InvalidError
                    if isinstance(data__scheduler__packing, dict):
                        data__scheduler__packing_keys = set(data__scheduler__packing.keys())
                        if "schedulerName" in data__scheduler__packing_keys:
                            data__scheduler__packing_keys.remove("schedulerName")
                            data__scheduler__packing__schedulerName = data__scheduler__packing["schedulerName"]
                            if not isinstance(data__scheduler__packing__schedulerName, str):
                                raise InvalidError
                            if isinstance(data__scheduler__packing__schedulerName, str):
                                if not re.search('^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?\\Z', data__scheduler__packing__schedulerName):
                                    raise InvalidError
                        if "strategy" in data__scheduler__packing_keys:
                            data__scheduler__packing_keys.remove("strategy")
                            data__scheduler__packing__strategy = data__scheduler__packing["strategy"]
                            if not isinstance(data__scheduler__packing__strategy, str):
                                raise InvalidError
                            if not (isinstance(data__scheduler__packing__strategy, str) and data__scheduler__packing__strategy == 'MostAllocated' or isinstance(data__scheduler__packing__strategy, str) and data__scheduler__packing__strategy == 'RequestedToCapacityRatio'):
                                raise InvalidError
                        if "weights" in data__scheduler__packing_keys:
                            data__scheduler__packing_keys.remove("weights")
                            data__scheduler__packing__weights = data__scheduler__packing["weights"]
                            if not isinstance(data__scheduler__packing__weights, dict):
                                raise InvalidError
                            if isinstance(data__scheduler__packing__weights, dict):
                                data__scheduler__packing__weights_len = len(data__scheduler__packing__weights)
                                if data__scheduler__packing__weights_len < 1:
                                    raise InvalidError
                                data__scheduler__packing__weights_keys = set(data__scheduler__packing__weights.keys())
                                for data__scheduler__packing__weights_key in data__scheduler__packing__weights_keys:
                                    if data__scheduler__packing__weights_key not in []:
                                        data__scheduler__packing__weights_value = data__scheduler__packing__weights.get(data__scheduler__packing__weights_key)
                                        if not isinstance(data__scheduler__packing__weights_value, int) and not (isinstance(data__scheduler__packing__weights_value, float) and data__scheduler__packing__weights_value.is_integer()) or isinstance(data__scheduler__packing__weights_value, bool):
                                            raise InvalidError
                                        if isinstance(data__scheduler__packing__weights_value, (int, float)) and not isinstance(data__scheduler__packing__weights_value, bool):
                                            if data__scheduler__packing__weights_value < 1:
                                                raise InvalidError
                                            if data__scheduler__packing__weights_value > 100:
                                                raise InvalidError
                        if "percentageOfNodesToScore" in data__scheduler__packing_keys:
                            data__scheduler__packing_keys.remove("percentageOfNodesToScore")
                            data__scheduler__packing__percentageOfNodesToScore = data__scheduler__packing["percentageOfNodesToScore"]
                            if not isinstance(data__scheduler__packing__percentageOfNodesToScore, int) and not (isinstance(data__scheduler__packing__percentageOfNodesToScore, float) and data__scheduler__packing__percentageOfNodesToScore.is_integer()) or isinstance(data__scheduler__packing__percentageOfNodesToScore, bool):
                                raise InvalidError
                            if isinstance(data__scheduler__packing__percentageOfNodesToScore, (int, float)) and not isinstance(data__scheduler__packing__percentageOfNodesToScore, bool):
                                if data__scheduler__packing__percentageOfNodesToScore < 0:
                                    raise InvalidError
                                if data__scheduler__packing__percentageOfNodesToScore > 100:
                                    raise InvalidError
                        if data__scheduler__packing_keys:
                            raise InvalidError
                if data__scheduler_keys:
                    raise InvalidError
        if "workloads" in data_keys:
            data_keys.remove("workloads")
            data__workloads = data["workloads"]
            if not isinstance(data__workloads, list):
                raise InvalidError
            if isinstance(data__workloads, list):
                data__workloads_len = len(data__workloads)
                if data__workloads_len < 1:
                    raise InvalidError
                for data__workloads_x, data__workloads_item in enumerate(data__workloads):
                    if not isinstance(data__workloads_item, dict):
                        raise InvalidError
                    if isinstance(data__workloads_item, dict):
                        if required and not data__workloads_item.keys() >= set(['name']):
                            raise InvalidError
                        data__workloads_item_keys = set(data__workloads_item.keys())
                        if "name" in data__workloads_item_keys:
                            data__workloads_item_keys.remove("name")
                            data__workloads_item__name = data__workloads_item["name"]
                            if not isinstance(data__workloads_item__name, str):
                                raise InvalidError
                            if isinstance(data__workloads_item__name, str):
                                if not re.search('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\Z', data__workloads_item__name):
                                    raise InvalidError
                        if "image" in data__workloads_item_keys:
                            data__workloads_item_keys.remove("image")
                            data__workloads_item__image = data__workloads_item["image"]
                            if not isinstance(data__workloads_item__image, str):
                                raise InvalidError
                            if isinstance(data__workloads_item__image, str):
                                if not re.search('^[A-Za-z0-9][-._:/@A-Za-z0-9]{0,511}\\Z', data__workloads_item__image):
                                    raise InvalidError
                        if "cuda" in data__workloads_item_keys:
                            data__workloads_item_keys.remove("cuda")
                            data__workloads_item__cuda = data__workloads_item["cuda"]
                            if not isinstance(data__workloads_item__cuda, str):
                                raise InvalidError
                            if isinstance(data__workloads_item__cuda, str):
                                if not re.search('^[0-9]{1,2}\\.[0-9]{1,2}(\\.[0-9]{1,2})?\\Z', data__workloads_item__cuda):
                                    raise InvalidError
                        if "pools" in data__workloads_item_keys:
                            data__workloads_item_keys.remove("pools")
                            data__workloads_item__pools = data__workloads_item["pools"]
                            if not isinstance(data__workloads_item__pools, list):
                                raise InvalidError
                            if isinstance(data__workloads_item__pools, list):
                                data__workloads_item__pools_len = len(data__workloads_item__pools)
                                if data__workloads_item__pools_len < 1:
                                    raise InvalidError
                                def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                                if data__workloads_item__pools_len > len(set(fn(data__workloads_item__pools_x) for data__workloads_item__pools_x in data__workloads_item__pools)):
                                    raise InvalidError
                                for data__workloads_item__pools_x, data__workloads_item__pools_item in enumerate(data__workloads_item__pools):
                                    if not isinstance(data__workloads_item__pools_item, str):
                                        raise InvalidError
                                    if isinstance(data__workloads_item__pools_item, str):
                                        if not re.search('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\Z', data__workloads_item__pools_item):
                                            raise InvalidError
                        if "minDriver" in data__workloads_item_keys:
                            data__workloads_item_keys.remove("minDriver")
                            data__workloads_item__minDriver = data__workloads_item["minDriver"]
                            if not isinstance(data__workloads_item__minDriver, str):
                                raise InvalidError
                            if isinstance(data__workloads_item__minDriver, str):
                                if not re.search('^[0-9]{3,4}(\\.[0-9]{1,3}){0,2}\\Z', data__workloads_item__minDriver):
                                    raise InvalidError
                        if "forwardCompatibility" in data__workloads_item_keys:
                            data__workloads_item_keys.remove("forwardCompatibility")
                            data__workloads_item__forwardCompatibility = data__workloads_item["forwardCompatibility"]
                            if not isinstance(data__workloads_item__forwardCompatibility, bool):
                                raise InvalidError
                        if data__workloads_item_keys:
                            raise InvalidError
        if "overrides" in data_keys:
            data_keys.remove("overrides")
            data__overrides = data["overrides"]
            if not isinstance(data__overrides, dict):
                raise InvalidError
            if isinstance(data__overrides, dict):
                data__overrides_keys = set(data__overrides.keys())
                if "gpuOperator" in data__overrides_keys:
                    data__overrides_keys.remove("gpuOperator")
                    data__overrides__gpuOperator = data__overrides["gpuOperator"]
                    if not isinstance(data__overrides__gpuOperator, dict):
                        raise InvalidError
                if "nodeFeatureDiscovery" in data__overrides_keys:
                    data__overrides_keys.remove("nodeFeatureDiscovery")
                    data__overrides__nodeFeatureDiscovery = data__overrides["nodeFeatureDiscovery"]
                    if not isinstance(data__overrides__nodeFeatureDiscovery, dict):
                        raise InvalidError
                if data__overrides_keys:
                    raise InvalidError
        if "accept" in data_keys:
            data_keys.remove("accept")
            data__accept = data["accept"]
            if not isinstance(data__accept, list):
                raise InvalidError
            if isinstance(data__accept, list):
                data__accept_len = len(data__accept)
                for data__accept_x, data__accept_item in enumerate(data__accept):
                    if not isinstance(data__accept_item, dict):
                        raise InvalidError
                    if isinstance(data__accept_item, dict):
                        if required and not data__accept_item.keys() >= set(['code', 'reason', 'until']):
                            raise InvalidError
                        data__accept_item_keys = set(data__accept_item.keys())
                        if "code" in data__accept_item_keys:
                            data__accept_item_keys.remove("code")
                            data__accept_item__code = data__accept_item["code"]
                            if not isinstance(data__accept_item__code, str):
                                raise InvalidError
                            if isinstance(data__accept_item__code, str):
                                if not re.search('^GV[0-9]{3}\\Z', data__accept_item__code):
                                    raise InvalidError
                        if "pool" in data__accept_item_keys:
                            data__accept_item_keys.remove("pool")
                            data__accept_item__pool = data__accept_item["pool"]
                            if not isinstance(data__accept_item__pool, str):
                                raise InvalidError
                            if isinstance(data__accept_item__pool, str):
                                if not re.search('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\Z', data__accept_item__pool):
                                    raise InvalidError
                        if "reason" in data__accept_item_keys:
                            data__accept_item_keys.remove("reason")
                            data__accept_item__reason = data__accept_item["reason"]
                            if not isinstance(data__accept_item__reason, str):
                                raise InvalidError
                            if isinstance(data__accept_item__reason, str):
                                data__accept_item__reason_len = len(data__accept_item__reason)
                                if data__accept_item__reason_len < 10:
                                    raise InvalidError
                                if data__accept_item__reason_len > 400:
                                    raise InvalidError
                        if "until" in data__accept_item_keys:
                            data__accept_item_keys.remove("until")
                            data__accept_item__until = data__accept_item["until"]
                            if not isinstance(data__accept_item__until, str):
                                raise InvalidError
                            if isinstance(data__accept_item__until, str):
                                if not re.search('^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])\\Z', data__accept_item__until):
                                    raise InvalidError
                        if data__accept_item_keys:
                            raise InvalidError
        if data_keys:
            raise InvalidError
    return data


def validate___definitions_sharingconfig(data, required):
    if not isinstance(data, dict):
        raise InvalidError
    if isinstance(data, dict):
        data_len = len(data)
        if data_len < 1:
            raise InvalidError
        data_keys = set(data.keys())
        if "timeSlicing" in data_keys:
            data_keys.remove("timeSlicing")
            data__timeSlicing = data["timeSlicing"]
            if not isinstance(data__timeSlicing, dict):
                raise InvalidError
            if isinstance(data__timeSlicing, dict):
                data__timeSlicing_len = len(data__timeSlicing)
                if data__timeSlicing_len < 1:
                    raise InvalidError
                data__timeSlicing_keys = set(data__timeSlicing.keys())
                if "replicas" in data__timeSlicing_keys:
                    data__timeSlicing_keys.remove("replicas")
                    data__timeSlicing__replicas = data__timeSlicing["replicas"]
                    if not isinstance(data__timeSlicing__replicas, int) and not (isinstance(data__timeSlicing__replicas, float) and data__timeSlicing__replicas.is_integer()) or isinstance(data__timeSlicing__replicas, bool):
                        raise InvalidError
                    if isinstance(data__timeSlicing__replicas, (int, float)) and not isinstance(data__timeSlicing__replicas, bool):
                        if data__timeSlicing__replicas < 2:
                            raise InvalidError
                if "renameByDefault" in data__timeSlicing_keys:
                    data__timeSlicing_keys.remove("renameByDefault")
                    data__timeSlicing__renameByDefault = data__timeSlicing["renameByDefault"]
                    if not isinstance(data__timeSlicing__renameByDefault, bool):
                        raise InvalidError
                if "failRequestsGreaterThanOne" in data__timeSlicing_keys:
                    data__timeSlicing_keys.remove("failRequestsGreaterThanOne")
                    data__timeSlicing__failRequestsGreaterThanOne = data__timeSlicing["failRequestsGreaterThanOne"]
                    if not isinstance(data__timeSlicing__failRequestsGreaterThanOne, bool):
                        raise InvalidError
                if "resources" in data__timeSlicing_keys:
                    data__timeSlicing_keys.remove("resources")
                    data__timeSlicing__resources = data__timeSlicing["resources"]
                    if not isinstance(data__timeSlicing__resources, dict):
                        raise InvalidError
                    if isinstance(data__timeSlicing__resources, dict):
                        data__timeSlicing__resources_len = len(data__timeSlicing__resources)
                        if data__timeSlicing__resources_len < 1:
                            raise InvalidError
                        data__timeSlicing__resources_keys = set(data__timeSlicing__resources.keys())
                        for data__timeSlicing__resources_key in data__timeSlicing__resources_keys:
                            if data__timeSlicing__resources_key not in []:
                                data__timeSlicing__resources_value = data__timeSlicing__resources.get(data__timeSlicing__resources_key)
                                if not isinstance(data__timeSlicing__resources_value, int) and not (isinstance(data__timeSlicing__resources_value, float) and data__timeSlicing__resources_value.is_integer()) or isinstance(data__timeSlicing__resources_value, bool):
                                    raise InvalidError
                                if isinstance(data__timeSlicing__resources_value, (int, float)) and not isinstance(data__timeSlicing__resources_value, bool):
                                    if data__timeSlicing__resources_value < 2:
                                        raise InvalidError
                if data__timeSlicing_keys:
                    raise InvalidError
        if "mps" in data_keys:
            data_keys.remove("mps")
            data__mps = data["mps"]
            if not isinstance(data__mps, dict):
                raise InvalidError
            if isinstance(data__mps, dict):
                if required and not data__mps.keys() >= set(['replicas']):
                    raise InvalidError
                data__mps_keys = set(data__mps.keys())
                if "replicas" in data__mps_keys:
                    data__mps_keys.remove("replicas")
                    data__mps__replicas = data__mps["replicas"]
                    if not isinstance(data__mps__replicas, int) and not (isinstance(data__mps__replicas, float) and data__mps__replicas.is_integer()) or isinstance(data__mps__replicas, bool):
                        raise InvalidError
                    if isinstance(data__mps__replicas, (int, float)) and not isinstance(data__mps__replicas, bool):
                        if data__mps__replicas < 2:
                            raise InvalidError
                if "renameByDefault" in data__mps_keys:
                    data__mps_keys.remove("renameByDefault")
                    data__mps__renameByDefault = data__mps["renameByDefault"]
                    if not isinstance(data__mps__renameByDefault, bool):
                        raise InvalidError
                if data__mps_keys:
                    raise InvalidError
        if "mig" in data_keys:
            data_keys.remove("mig")
            data__mig = data["mig"]
            if not isinstance(data__mig, dict):
                raise InvalidError
            if isinstance(data__mig, dict):
                if required and not data__mig.keys() >= set(['layouts']):
                    raise InvalidError
                data__mig_keys = set(data__mig.keys())
                if "strategy" in data__mig_keys:
                    data__mig_keys.remove("strategy")
                    data__mig__strategy = data__mig["strategy"]
                    if not isinstance(data__mig__strategy, str):
                        raise InvalidError
                    if not (isinstance(data__mig__strategy, str) and data__mig__strategy == 'single' or isinstance(data__mig__strategy, str) and data__mig__strategy == 'mixed'):
                        raise InvalidError
                if "layouts" in data__mig_keys:
                    data__mig_keys.remove("layouts")
                    data__mig__layouts = data__mig["layouts"]
                    if not isinstance(data__mig__layouts, list):
                        raise InvalidError
                    if isinstance(data__mig__layouts, list):
                        data__mig__layouts_len = len(data__mig__layouts)
                        if data__mig__layouts_len < 1:
                            raise InvalidError
                        for data__mig__layouts_x, data__mig__layouts_item in enumerate(data__mig__layouts):
                            if not isinstance(data__mig__layouts_item, dict):
                                raise InvalidError
                            if isinstance(data__mig__layouts_item, dict):
                                if required and not data__mig__layouts_item.keys() >= set(['gpus', 'profiles']):
                                    raise InvalidError
                                data__mig__layouts_item_keys = set(data__mig__layouts_item.keys())
                                if "gpus" in data__mig__layouts_item_keys:
                                    data__mig__layouts_item_keys.remove("gpus")
                                    data__mig__layouts_item__gpus = data__mig__layouts_item["gpus"]
                                    if not isinstance(data__mig__layouts_item__gpus, (str, list, tuple)):
                                        raise InvalidError
                                    if isinstance(data__mig__layouts_item__gpus, str):
                                        if not re.search('^all\\Z', data__mig__layouts_item__gpus):
                                            raise InvalidError
                                    if isinstance(data__mig__layouts_item__gpus, list):
                                        data__mig__layouts_item__gpus_len = len(data__mig__layouts_item__gpus)
                                        if data__mig__layouts_item__gpus_len < 1:
                                            raise InvalidError
                                        def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                                        if data__mig__layouts_item__gpus_len > len(set(fn(data__mig__layouts_item__gpus_x) for data__mig__layouts_item__gpus_x in data__mig__layouts_item__gpus)):
                                            raise InvalidError
                                        for data__mig__layouts_item__gpus_x, data__mig__layouts_item__gpus_item in enumerate(data__mig__layouts_item__gpus):
                                            if not isinstance(data__mig__layouts_item__gpus_item, int) and not (isinstance(data__mig__layouts_item__gpus_item, float) and data__mig__layouts_item__gpus_item.is_integer()) or isinstance(data__mig__layouts_item__gpus_item, bool):
                                                raise InvalidError
                                            if isinstance(data__mig__layouts_item__gpus_item, (int, float)) and not isinstance(data__mig__layouts_item__gpus_item, bool):
                                                if data__mig__layouts_item__gpus_item < 0:
                                                    raise InvalidError
                                                if data__mig__layouts_item__gpus_item > 63:
                                                    raise InvalidError
                                if "profiles" in data__mig__layouts_item_keys:
                                    data__mig__layouts_item_keys.remove("profiles")
                                    data__mig__layouts_item__profiles = data__mig__layouts_item["profiles"]
                                    if not isinstance(data__mig__layouts_item__profiles, dict):
                                        raise InvalidError
                                    if isinstance(data__mig__layouts_item__profiles, dict):
                                        data__mig__layouts_item__profiles_len = len(data__mig__layouts_item__profiles)
                                        if data__mig__layouts_item__profiles_len < 1:
                                            raise InvalidError
                                        data__mig__layouts_item__profiles_keys = set(data__mig__layouts_item__profiles.keys())
                                        for data__mig__layouts_item__profiles_key in data__mig__layouts_item__profiles_keys:
                                            if data__mig__layouts_item__profiles_key not in []:
                                                data__mig__layouts_item__profiles_value = data__mig__layouts_item__profiles.get(data__mig__layouts_item__profiles_key)
                                                if not isinstance(data__mig__layouts_item__profiles_value, int) and not (isinstance(data__mig__layouts_item__profiles_value, float) and data__mig__layouts_item__profiles_value.is_integer()) or isinstance(data__mig__layouts_item__profiles_value, bool):
                                                    raise InvalidError
                                                if isinstance(data__mig__layouts_item__profiles_value, (int, float)) and not isinstance(data__mig__layouts_item__profiles_value, bool):
                                                    if data__mig__layouts_item__profiles_value < 1:
                                                        raise InvalidError
                                                    if data__mig__layouts_item__profiles_value > 7:
                                                        raise InvalidError
                                if data__mig__layouts_item_keys:
                                    raise InvalidError
                if data__mig_keys:
                    raise InvalidError
        if data_keys:
            raise InvalidError
    return data


def validate___definitions_rdma(data, required):
    if not isinstance(data, dict):
        raise InvalidError
    if isinstance(data, dict):
        data_keys = set(data.keys())
        if "gpuDirect" in data_keys:
            data_keys.remove("gpuDirect")
            data__gpuDirect = data["gpuDirect"]
            if not isinstance(data__gpuDirect, str):
                raise InvalidError
            if not (isinstance(data__gpuDirect, str) and data__gpuDirect == 'dmabuf' or isinstance(data__gpuDirect, str) and data__gpuDirect == 'peermem' or isinstance(data__gpuDirect, str) and data__gpuDirect == 'none'):
                raise InvalidError
        if "ofed" in data_keys:
            data_keys.remove("ofed")
            data__ofed = data["ofed"]
            if not isinstance(data__ofed, str):
                raise InvalidError
            if not (isinstance(data__ofed, str) and data__ofed == 'host' or isinstance(data__ofed, str) and data__ofed == 'container' or isinstance(data__ofed, str) and data__ofed == 'inbox'):
                raise InvalidError
        if "gdrcopy" in data_keys:
            data_keys.remove("gdrcopy")
            data__gdrcopy = data["gdrcopy"]
            if not isinstance(data__gdrcopy, bool):
                raise InvalidError
        if "gds" in data_keys:
            data_keys.remove("gds")
            data__gds = data["gds"]
            if not isinstance(data__gds, bool):
                raise InvalidError
        if data_keys:
            raise InvalidError
    return data


def validate___definitions_driver(data, required):
    if not isinstance(data, dict):
        raise InvalidError
    if isinstance(data, dict):
        data_keys = set(data.keys())
        if "strategy" in data_keys:
            data_keys.remove("strategy")
            data__strategy = data["strategy"]
            if not isinstance(data__strategy, str):
                raise InvalidError
            if not (isinstance(data__strategy, str) and data__strategy == 'host' or isinstance(data__strategy, str) and data__strategy == 'container' or isinstance(data__strategy, str) and data__strategy == 'precompiled'):
                raise InvalidError
        if "version" in data_keys:
            data_keys.remove("version")
            data__version = data["version"]
            if not isinstance(data__version, str):
                raise InvalidError
            if isinstance(data__version, str):
                if not re.search('^[0-9]{3}(\\.[0-9]+){0,2}\\Z', data__version):
                    raise InvalidError
        if "kernelModuleType" in data_keys:
            data_keys.remove("kernelModuleType")
            data__kernelModuleType = data["kernelModuleType"]
            if not isinstance(data__kernelModuleType, str):
                raise InvalidError
            if not (isinstance(data__kernelModuleType, str) and data__kernelModuleType == 'auto' or isinstance(data__kernelModuleType, str) and data__kernelModuleType == 'open' or isinstance(data__kernelModuleType, str) and data__kernelModuleType == 'proprietary'):
                raise InvalidError
        if "moduleParameters" in data_keys:
            data_keys.remove("moduleParameters")
            data__moduleParameters = data["moduleParameters"]
            if not isinstance(data__moduleParameters, dict):
                raise InvalidError
            if isinstance(data__moduleParameters, dict):
                data__moduleParameters_keys = set(data__moduleParameters.keys())
                if "nvidia" in data__moduleParameters_keys:
                    data__moduleParameters_keys.remove("nvidia")
                    data__moduleParameters__nvidia = data__moduleParameters["nvidia"]
                    if not isinstance(data__moduleParameters__nvidia, dict):
                        raise InvalidError
                    if isinstance(data__moduleParameters__nvidia, dict):
                        data__moduleParameters__nvidia_keys = set(data__moduleParameters__nvidia.keys())
                        for data__moduleParameters__nvidia_key in data__moduleParameters__nvidia_keys:
                            if data__moduleParameters__nvidia_key not in []:
                                data__moduleParameters__nvidia_value = data__moduleParameters__nvidia.get(data__moduleParameters__nvidia_key)
                                if not isinstance(data__moduleParameters__nvidia_value, (str, int)) and not (isinstance(data__moduleParameters__nvidia_value, float) and data__moduleParameters__nvidia_value.is_integer()) or isinstance(data__moduleParameters__nvidia_value, bool):
                                    raise InvalidError
                        data__moduleParameters__nvidia_len = len(data__moduleParameters__nvidia)
                        if data__moduleParameters__nvidia_len != 0:
                            data__moduleParameters__nvidia_property_names = True
                            for data__moduleParameters__nvidia_key in data__moduleParameters__nvidia:
                                try:
                                    if isinstance(data__moduleParameters__nvidia_key, str):
                                        if not re.search('^[A-Za-z][A-Za-z0-9_]*\\Z', data__moduleParameters__nvidia_key):
                                            raise InvalidError
                                except InvalidError:
                                    data__moduleParameters__nvidia_property_names = False
                            if not data__moduleParameters__nvidia_property_names:
                                raise InvalidError
                if "nvidia-uvm" in data__moduleParameters_keys:
                    data__moduleParameters_keys.remove("nvidia-uvm")
                    data__moduleParameters__nvidiauvm = data__moduleParameters["nvidia-uvm"]
                    if not isinstance(data__moduleParameters__nvidiauvm, dict):
                        raise InvalidError
                    if isinstance(data__moduleParameters__nvidiauvm, dict):
                        data__moduleParameters__nvidiauvm_keys = set(data__moduleParameters__nvidiauvm.keys())
                        for data__moduleParameters__nvidiauvm_key in data__moduleParameters__nvidiauvm_keys:
                            if data__moduleParameters__nvidiauvm_key not in []:
                                data__moduleParameters__nvidiauvm_value = data__moduleParameters__nvidiauvm.get(data__moduleParameters__nvidiauvm_key)
                                if not isinstance(data__moduleParameters__nvidiauvm_value, (str, int)) and not (isinstance(data__moduleParameters__nvidiauvm_value, float) and data__moduleParameters__nvidiauvm_value.is_integer()) or isinstance(data__moduleParameters__nvidiauvm_value, bool):
                                    raise InvalidError
                        data__moduleParameters__nvidiauvm_len = len(data__moduleParameters__nvidiauvm)
                        if data__moduleParameters__nvidiauvm_len != 0:
                            data__moduleParameters__nvidiauvm_property_names = True
                            for data__moduleParameters__nvidiauvm_key in data__moduleParameters__nvidiauvm:
                                try:
                                    if isinstance(data__moduleParameters__nvidiauvm_key, str):
                                        if not re.search('^[A-Za-z][A-Za-z0-9_]*\\Z', data__moduleParameters__nvidiauvm_key):
                                            raise InvalidError
                                except InvalidError:
                                    data__moduleParameters__nvidiauvm_property_names = False
                            if not data__moduleParameters__nvidiauvm_property_names:
                                raise InvalidError
                if "nvidia-modeset" in data__moduleParameters_keys:
                    data__moduleParameters_keys.remove("nvidia-modeset")
                    data__moduleParameters__nvidiamodeset = data__moduleParameters["nvidia-modeset"]
                    if not isinstance(data__moduleParameters__nvidiamodeset, dict):
                        raise InvalidError
                    if isinstance(data__moduleParameters__nvidiamodeset, dict):
                        data__moduleParameters__nvidiamodeset_keys = set(data__moduleParameters__nvidiamodeset.keys())
                        for data__moduleParameters__nvidiamodeset_key in data__moduleParameters__nvidiamodeset_keys:
                            if data__moduleParameters__nvidiamodeset_key not in []:
                                data__moduleParameters__nvidiamodeset_value = data__moduleParameters__nvidiamodeset.get(data__moduleParameters__nvidiamodeset_key)
                                if not isinstance(data__moduleParameters__nvidiamodeset_value, (str, int)) and not (isinstance(data__moduleParameters__nvidiamodeset_value, float) and data__moduleParameters__nvidiamodeset_value.is_integer()) or isinstance(data__moduleParameters__nvidiamodeset_value, bool):
                                    raise InvalidError
                        data__moduleParameters__nvidiamodeset_len = len(data__moduleParameters__nvidiamodeset)
                        if data__moduleParameters__nvidiamodeset_len != 0:
                            data__moduleParameters__nvidiamodeset_property_names = True
                            for data__moduleParameters__nvidiamodeset_key in data__moduleParameters__nvidiamodeset:
                                try:
                                    if isinstance(data__moduleParameters__nvidiamodeset_key, str):
                                        if not re.search('^[A-Za-z][A-Za-z0-9_]*\\Z', data__moduleParameters__nvidiamodeset_key):
                                            raise InvalidError
                                except InvalidError:
                                    data__moduleParameters__nvidiamodeset_property_names = False
                            if not data__moduleParameters__nvidiamodeset_property_names:
                                raise InvalidError
                if "nvidia-peermem" in data__moduleParameters_keys:
                    data__moduleParameters_keys.remove("nvidia-peermem")
                    data__moduleParameters__nvidiapeermem = data__moduleParameters["nvidia-peermem"]
                    if not isinstance(data__moduleParameters__nvidiapeermem, dict):
                        raise InvalidError
                    if isinstance(data__moduleParameters__nvidiapeermem, dict):
                        data__moduleParameters__nvidiapeermem_keys = set(data__moduleParameters__nvidiapeermem.keys())
                        for data__moduleParameters__nvidiapeermem_key in data__moduleParameters__nvidiapeermem_keys:
                            if data__moduleParameters__nvidiapeermem_key not in []:
                                data__moduleParameters__nvidiapeermem_value = data__moduleParameters__nvidiapeermem.get(data__moduleParameters__nvidiapeermem_key)
                                if not isinstance(data__moduleParameters__nvidiapeermem_value, (str, int)) and not (isinstance(data__moduleParameters__nvidiapeermem_value, float) and data__moduleParameters__nvidiapeermem_value.is_integer()) or isinstance(data__moduleParameters__nvidiapeermem_value, bool):
                                    raise InvalidError
                        data__moduleParameters__nvidiapeermem_len = len(data__moduleParameters__nvidiapeermem)
                        if data__moduleParameters__nvidiapeermem_len != 0:
                            data__moduleParameters__nvidiapeermem_property_names = True
                            for data__moduleParameters__nvidiapeermem_key in data__moduleParameters__nvidiapeermem:
                                try:
                                    if isinstance(data__moduleParameters__nvidiapeermem_key, str):
                                        if not re.search('^[A-Za-z][A-Za-z0-9_]*\\Z', data__moduleParameters__nvidiapeermem_key):
                                            raise InvalidError
                                except InvalidError:
                                    data__moduleParameters__nvidiapeermem_property_names = False
                            if not data__moduleParameters__nvidiapeermem_property_names:
                                raise InvalidError
                if data__moduleParameters_keys:
                    raise InvalidError
        if "host" in data_keys:
            data_keys.remove("host")
            data__host = data["host"]
            if not isinstance(data__host, dict):
                raise InvalidError
            if isinstance(data__host, dict):
                data__host_keys = set(data__host.keys())
                if "packages" in data__host_keys:
                    data__host_keys.remove("packages")
                    data__host__packages = data__host["packages"]
                    if not isinstance(data__host__packages, str):
                        raise InvalidError
                    if not (isinstance(data__host__packages, str) and data__host__packages == 'cuda-repo' or isinstance(data__host__packages, str) and data__host__packages == 'ubuntu-archive' or isinstance(data__host__packages, str) and data__host__packages == 'runfile'):
                        raise InvalidError
                if "fabricManager" in data__host_keys:
                    data__host_keys.remove("fabricManager")
                    data__host__fabricManager = data__host["fabricManager"]
                    if not isinstance(data__host__fabricManager, (str, bool)):
                        raise InvalidError
                if data__host_keys:
                    raise InvalidError
        if "upgradePolicy" in data_keys:
            data_keys.remove("upgradePolicy")
            data__upgradePolicy = data["upgradePolicy"]
            if not isinstance(data__upgradePolicy, dict):
                raise InvalidError
            if isinstance(data__upgradePolicy, dict):
                data__upgradePolicy_keys = set(data__upgradePolicy.keys())
                if "autoUpgrade" in data__upgradePolicy_keys:
                    data__upgradePolicy_keys.remove("autoUpgrade")
                    data__upgradePolicy__autoUpgrade = data__upgradePolicy["autoUpgrade"]
                    if not isinstance(data__upgradePolicy__autoUpgrade, bool):
                        raise InvalidError
                if "maxParallelUpgrades" in data__upgradePolicy_keys:
                    data__upgradePolicy_keys.remove("maxParallelUpgrades")
                    data__upgradePolicy__maxParallelUpgrades = data__upgradePolicy["maxParallelUpgrades"]
                    if not isinstance(data__upgradePolicy__maxParallelUpgrades, int) and not (isinstance(data__upgradePolicy__maxParallelUpgrades, float) and data__upgradePolicy__maxParallelUpgrades.is_integer()) or isinstance(data__upgradePolicy__maxParallelUpgrades, bool):
                        raise InvalidError
                    if isinstance(data__upgradePolicy__maxParallelUpgrades, (int, float)) and not isinstance(data__upgradePolicy__maxParallelUpgrades, bool):
                        if data__upgradePolicy__maxParallelUpgrades < 0:
                            raise InvalidError
                if "maxUnavailable" in data__upgradePolicy_keys:
                    data__upgradePolicy_keys.remove("maxUnavailable")
                    data__upgradePolicy__maxUnavailable = data__upgradePolicy["maxUnavailable"]
                    if not isinstance(data__upgradePolicy__maxUnavailable, (int, str)) and not (isinstance(data__upgradePolicy__maxUnavailable, float) and data__upgradePolicy__maxUnavailable.is_integer()) or isinstance(data__upgradePolicy__maxUnavailable, bool):
                        raise InvalidError
                if "waitForCompletion" in data__upgradePolicy_keys:
                    data__upgradePolicy_keys.remove("waitForCompletion")
                    data__upgradePolicy__waitForCompletion = data__upgradePolicy["waitForCompletion"]
                    if not isinstance(data__upgradePolicy__waitForCompletion, dict):
                        raise InvalidError
                    if isinstance(data__upgradePolicy__waitForCompletion, dict):
                        data__upgradePolicy__waitForCompletion_keys = set(data__upgradePolicy__waitForCompletion.keys())
                        if "timeoutSeconds" in data__upgradePolicy__waitForCompletion_keys:
                            data__upgradePolicy__waitForCompletion_keys.remove("timeoutSeconds")
                            data__upgradePolicy__waitForCompletion__timeoutSeconds = data__upgradePolicy__waitForCompletion["timeoutSeconds"]
                            if not isinstance(data__upgradePolicy__waitForCompletion__timeoutSeconds, int) and not (isinstance(data__upgradePolicy__waitForCompletion__timeoutSeconds, float) and data__upgradePolicy__waitForCompletion__timeoutSeconds.is_integer()) or isinstance(data__upgradePolicy__waitForCompletion__timeoutSeconds, bool):
                                raise InvalidError
                            if isinstance(data__upgradePolicy__waitForCompletion__timeoutSeconds, (int, float)) and not isinstance(data__upgradePolicy__waitForCompletion__timeoutSeconds, bool):
                                if data__upgradePolicy__waitForCompletion__timeoutSeconds < 0:
                                    raise InvalidError
                        if "podSelector" in data__upgradePolicy__waitForCompletion_keys:
                            data__upgradePolicy__waitForCompletion_keys.remove("podSelector")
                            data__upgradePolicy__waitForCompletion__podSelector = data__upgradePolicy__waitForCompletion["podSelector"]
                            if not isinstance(data__upgradePolicy__waitForCompletion__podSelector, str):
                                raise InvalidError
                            if isinstance(data__upgradePolicy__waitForCompletion__podSelector, str):
                                data__upgradePolicy__waitForCompletion__podSelector_len = len(data__upgradePolicy__waitForCompletion__podSelector)
                                if data__upgradePolicy__waitForCompletion__podSelector_len < 1:
                                    raise InvalidError
                        if data__upgradePolicy__waitForCompletion_keys:
                            raise InvalidError
                if "gpuPodDeletion" in data__upgradePolicy_keys:
                    data__upgradePolicy_keys.remove("gpuPodDeletion")
                    data__upgradePolicy__gpuPodDeletion = data__upgradePolicy["gpuPodDeletion"]
                    if not isinstance(data__upgradePolicy__gpuPodDeletion, dict):
                        raise InvalidError
                    if isinstance(data__upgradePolicy__gpuPodDeletion, dict):
                        data__upgradePolicy__gpuPodDeletion_keys = set(data__upgradePolicy__gpuPodDeletion.keys())
                        if "force" in data__upgradePolicy__gpuPodDeletion_keys:
                            data__upgradePolicy__gpuPodDeletion_keys.remove("force")
                            data__upgradePolicy__gpuPodDeletion__force = data__upgradePolicy__gpuPodDeletion["force"]
                            if not isinstance(data__upgradePolicy__gpuPodDeletion__force, bool):
                                raise InvalidError
                        if "timeoutSeconds" in data__upgradePolicy__gpuPodDeletion_keys:
                            data__upgradePolicy__gpuPodDeletion_keys.remove("timeoutSeconds")
                            data__upgradePolicy__gpuPodDeletion__timeoutSeconds = data__upgradePolicy__gpuPodDeletion["timeoutSeconds"]
                            if not isinstance(data__upgradePolicy__gpuPodDeletion__timeoutSeconds, int) and not (isinstance(data__upgradePolicy__gpuPodDeletion__timeoutSeconds, float) and data__upgradePolicy__gpuPodDeletion__timeoutSeconds.is_integer()) or isinstance(data__upgradePolicy__gpuPodDeletion__timeoutSeconds, bool):
                                raise InvalidError
                            if isinstance(data__upgradePolicy__gpuPodDeletion__timeoutSeconds, (int, float)) and not isinstance(data__upgradePolicy__gpuPodDeletion__timeoutSeconds, bool):
                                if data__upgradePolicy__gpuPodDeletion__timeoutSeconds < 0:
                                    raise InvalidError
                        if "deleteEmptyDir" in data__upgradePolicy__gpuPodDeletion_keys:
                            data__upgradePolicy__gpuPodDeletion_keys.remove("deleteEmptyDir")
                            data__upgradePolicy__gpuPodDeletion__deleteEmptyDir = data__upgradePolicy__gpuPodDeletion["deleteEmptyDir"]
                            if not isinstance(data__upgradePolicy__gpuPodDeletion__deleteEmptyDir, bool):
                                raise InvalidError
                        if data__upgradePolicy__gpuPodDeletion_keys:
                            raise InvalidError
                if "drain" in data__upgradePolicy_keys:
                    data__upgradePolicy_keys.remove("drain")
                    data__upgradePolicy__drain = data__upgradePolicy["drain"]
                    if not isinstance(data__upgradePolicy__drain, dict):
                        raise InvalidError
                    if isinstance(data__upgradePolicy__drain, dict):
                        data__upgradePolicy__drain_keys = set(data__upgradePolicy__drain.keys())
                        if "enable" in data__upgradePolicy__drain_keys:
                            data__upgradePolicy__drain_keys.remove("enable")
                            data__upgradePolicy__drain__enable = data__upgradePolicy__drain["enable"]
                            if not isinstance(data__upgradePolicy__drain__enable, bool):
                                raise InvalidError
                        if "force" in data__upgradePolicy__drain_keys:
                            data__upgradePolicy__drain_keys.remove("force")
                            data__upgradePolicy__drain__force = data__upgradePolicy__drain["force"]
                            if not isinstance(data__upgradePolicy__drain__force, bool):
                                raise InvalidError
                        if "podSelector" in data__upgradePolicy__drain_keys:
                            data__upgradePolicy__drain_keys.remove("podSelector")
                            data__upgradePolicy__drain__podSelector = data__upgradePolicy__drain["podSelector"]
                            if not isinstance(data__upgradePolicy__drain__podSelector, str):
                                raise InvalidError
                            if isinstance(data__upgradePolicy__drain__podSelector, str):
                                data__upgradePolicy__drain__podSelector_len = len(data__upgradePolicy__drain__podSelector)
                                if data__upgradePolicy__drain__podSelector_len < 1:
                                    raise InvalidError
                        if "timeoutSeconds" in data__upgradePolicy__drain_keys:
                            data__upgradePolicy__drain_keys.remove("timeoutSeconds")
                            data__upgradePolicy__drain__timeoutSeconds = data__upgradePolicy__drain["timeoutSeconds"]
                            if not isinstance(data__upgradePolicy__drain__timeoutSeconds, int) and not (isinstance(data__upgradePolicy__drain__timeoutSeconds, float) and data__upgradePolicy__drain__timeoutSeconds.is_integer()) or isinstance(data__upgradePolicy__drain__timeoutSeconds, bool):
                                raise InvalidError
                            if isinstance(data__upgradePolicy__drain__timeoutSeconds, (int, float)) and not isinstance(data__upgradePolicy__drain__timeoutSeconds, bool):
                                if data__upgradePolicy__drain__timeoutSeconds < 0:
                                    raise InvalidError
                        if "deleteEmptyDir" in data__upgradePolicy__drain_keys:
                            data__upgradePolicy__drain_keys.remove("deleteEmptyDir")
                            data__upgradePolicy__drain__deleteEmptyDir = data__upgradePolicy__drain["deleteEmptyDir"]
                            if not isinstance(data__upgradePolicy__drain__deleteEmptyDir, bool):
                                raise InvalidError
                        if data__upgradePolicy__drain_keys:
                            raise InvalidError
                if data__upgradePolicy_keys:
                    raise InvalidError
        if data_keys:
            raise InvalidError
    return data


def validate___definitions_pool(data, required):
    if not isinstance(data, dict):
        raise InvalidError
    if isinstance(data, dict):
        if required and not data.keys() >= set(['name']):
            raise InvalidError
        data_keys = set(data.keys())
        if "name" in data_keys:
            data_keys.remove("name")
            data__name = data["name"]
            if not isinstance(data__name, str):
                raise InvalidError
            if isinstance(data__name, str):
                if not re.search('^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?\\Z', data__name):
                    raise InvalidError
        if "nodes" in data_keys:
            data_keys.remove("nodes")
            data__nodes = data["nodes"]
            if not isinstance(data__nodes, dict):
                raise InvalidError
            if isinstance(data__nodes, dict):
                data__nodes_keys = set(data__nodes.keys())
                if "namePattern" in data__nodes_keys:
                    data__nodes_keys.remove("namePattern")
                    data__nodes__namePattern = data__nodes["namePattern"]
                    if not isinstance(data__nodes__namePattern, str):
                        raise InvalidError
                    if isinstance(data__nodes__namePattern, str):
                        data__nodes__namePattern_len = len(data__nodes__namePattern)
                        if data__nodes__namePattern_len < 1:
                            raise InvalidError
                if "count" in data__nodes_keys:
                    data__nodes_keys.remove("count")
                    data__nodes__count = data__nodes["count"]
                    if not isinstance(data__nodes__count, int) and not (isinstance(data__nodes__count, float) and data__nodes__count.is_integer()) or isinstance(data__nodes__count, bool):
                        raise InvalidError
                    if isinstance(data__nodes__count, (int, float)) and not isinstance(data__nodes__count, bool):
                        if data__nodes__count < 1:
                            raise InvalidError
                if data__nodes_keys:
                    raise InvalidError
        if "os" in data_keys:
            data_keys.remove("os")
            data__os = data["os"]
            validate___definitions_os(data__os, required)
        if "gpu" in data_keys:
            data_keys.remove("gpu")
            data__gpu = data["gpu"]
            validate___definitions_gpu(data__gpu, required)
        if "arch" in data_keys:
            data_keys.remove("arch")
            data__arch = data["arch"]
            if not isinstance(data__arch, str):
                raise InvalidError
            if not (isinstance(data__arch, str) and data__arch == 'amd64' or isinstance(data__arch, str) and data__arch == 'arm64'):
                raise InvalidError
        if "role" in data_keys:
            data_keys.remove("role")
            data__role = data["role"]
            if not isinstance(data__role, str):
                raise InvalidError
            if isinstance(data__role, str):
                if not re.search('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\Z', data__role):
                    raise InvalidError
        if "taints" in data_keys:
            data_keys.remove("taints")
            data__taints = data["taints"]
            if not isinstance(data__taints, list):
                raise InvalidError
            if isinstance(data__taints, list):
                data__taints_len = len(data__taints)
                for data__taints_x, data__taints_item in enumerate(data__taints):
                    validate___definitions_taint(data__taints_item, required)
        if "nics" in data_keys:
            data_keys.remove("nics")
            data__nics = data["nics"]
            if not isinstance(data__nics, list):
                raise InvalidError
            if isinstance(data__nics, list):
                data__nics_len = len(data__nics)
                for data__nics_x, data__nics_item in enumerate(data__nics):
                    validate___definitions_nic(data__nics_item, required)
        if "instanceType" in data_keys:
            data_keys.remove("instanceType")
            data__instanceType = data["instanceType"]
            if not isinstance(data__instanceType, str):
                raise InvalidError
            if isinstance(data__instanceType, str):
                data__instanceType_len = len(data__instanceType)
                if data__instanceType_len < 1:
                    raise InvalidError
        if "labels" in data_keys:
            data_keys.remove("labels")
            data__labels = data["labels"]
            if not isinstance(data__labels, dict):
                raise InvalidError
            if isinstance(data__labels, dict):
                data__labels_keys = set(data__labels.keys())
                for data__labels_key in data__labels_keys:
                    if data__labels_key not in []:
                        data__labels_value = data__labels.get(data__labels_key)
                        if not isinstance(data__labels_value, str):
                            raise InvalidError
        if "sharing" in data_keys:
            data_keys.remove("sharing")
            data__sharing = data["sharing"]
            if not isinstance(data__sharing, str):
                raise InvalidError
            if isinstance(data__sharing, str):
                data__sharing_len = len(data__sharing)
                if data__sharing_len < 1:
                    raise InvalidError
        if "driver" in data_keys:
            data_keys.remove("driver")
            data__driver = data["driver"]
            validate___definitions_driver(data__driver, required)
        if "rdma" in data_keys:
            data_keys.remove("rdma")
            data__rdma = data["rdma"]
            validate___definitions_rdma(data__rdma, required)
        if data_keys:
            raise InvalidError
    return data


def validate___definitions_nic(data, required):
    if not isinstance(data, dict):
        raise InvalidError
    if isinstance(data, dict):
        if required and not data.keys() >= set(['fabric']):
            raise InvalidError
        data_keys = set(data.keys())
        if "name" in data_keys:
            data_keys.remove("name")
            data__name = data["name"]
            if not isinstance(data__name, str):
                raise InvalidError
            if isinstance(data__name, str):
                if not re.search('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\Z', data__name):
                    raise InvalidError
        if "fabric" in data_keys:
            data_keys.remove("fabric")
            data__fabric = data["fabric"]
            if not isinstance(data__fabric, str):
                raise InvalidError
            if not (isinstance(data__fabric, str) and data__fabric == 'infiniband' or isinstance(data__fabric, str) and data__fabric == 'ethernet'):
                raise InvalidError
        if "count" in data_keys:
            data_keys.remove("count")
            data__count = data["count"]
            if not isinstance(data__count, int) and not (isinstance(data__count, float) and data__count.is_integer()) or isinstance(data__count, bool):
                raise InvalidError
            if isinstance(data__count, (int, float)) and not isinstance(data__count, bool):
                if data__count < 1:
                    raise InvalidError
                if data__count > 64:
                    raise InvalidError
        if "vendor" in data_keys:
            data_keys.remove("vendor")
            data__vendor = data["vendor"]
            if not isinstance(data__vendor, str):
                raise InvalidError
            if isinstance(data__vendor, str):
                if not re.search('^[0-9a-f]{4}\\Z', data__vendor):
                    raise InvalidError
        if data_keys:
            raise InvalidError
    return data


def validate___definitions_taint(data, required):
    if not isinstance(data, dict):
        raise InvalidError
    if isinstance(data, dict):
        if required and not data.keys() >= set(['key', 'effect']):
            raise InvalidError
        data_keys = set(data.keys())
        if "key" in data_keys:
            data_keys.remove("key")
            data__key = data["key"]
            if not isinstance(data__key, str):
                raise InvalidError
            if isinstance(data__key, str):
                data__key_len = len(data__key)
                if data__key_len < 1:
                    raise InvalidError
                if data__key_len > 317:
                    raise InvalidError
        if "value" in data_keys:
            data_keys.remove("value")
            data__value = data["value"]
            if not isinstance(data__value, str):
                raise InvalidError
            if isinstance(data__value, str):
                data__value_len = len(data__value)
                if data__value_len > 63:
                    raise InvalidError
        if "effect" in data_keys:
            data_keys.remove("effect")
            data__effect = data["effect"]
            if not isinstance(data__effect, str):
                raise InvalidError
            if not (isinstance(data__effect, str) and data__effect == 'NoSchedule' or isinstance(data__effect, str) and data__effect == 'PreferNoSchedule' or isinstance(data__effect, str) and data__effect == 'NoExecute'):
                raise InvalidError
        if data_keys:
            raise InvalidError
    return data


def validate___definitions_gpu(data, required):
    if not isinstance(data, dict):
        raise InvalidError
    if isinstance(data, dict):
        data_keys = set(data.keys())
        if "model" in data_keys:
            data_keys.remove("model")
            data__model = data["model"]
            if not isinstance(data__model, str):
                raise InvalidError
            if isinstance(data__model, str):
                data__model_len = len(data__model)
                if data__model_len < 1:
                    raise InvalidError
        if "count" in data_keys:
            data_keys.remove("count")
            data__count = data["count"]
            if not isinstance(data__count, int) and not (isinstance(data__count, float) and data__count.is_integer()) or isinstance(data__count, bool):
                raise InvalidError
            if isinstance(data__count, (int, float)) and not isinstance(data__count, bool):
                if data__count < 1:
                    raise InvalidError
                if data__count > 64:
                    raise InvalidError
        if "board" in data_keys:
            data_keys.remove("board")
            data__board = data["board"]
            if not isinstance(data__board, str):
                raise InvalidError
            if not (isinstance(data__board, str) and data__board == 'hgx' or isinstance(data__board, str) and data__board == 'nvl72' or isinstance(data__board, str) and data__board == 'nvl4' or isinstance(data__board, str) and data__board == 'pcie'):
                raise InvalidError
        if data_keys:
            raise InvalidError
    return data


def validate___definitions_os(data, required):
    if not isinstance(data, dict):
        raise InvalidError
    if isinstance(data, dict):
        data_keys = set(data.keys())
        if "id" in data_keys:
            data_keys.remove("id")
            data__id = data["id"]
            if not isinstance(data__id, str):
                raise InvalidError
            if not (isinstance(data__id, str) and data__id == 'ubuntu' or isinstance(data__id, str) and data__id == 'rhel' or isinstance(data__id, str) and data__id == 'rocky' or isinstance(data__id, str) and data__id == 'ol' or isinstance(data__id, str) and data__id == 'centos' or isinstance(data__id, str) and data__id == 'debian' or isinstance(data__id, str) and data__id == 'sles' or isinstance(data__id, str) and data__id == 'sl-micro' or isinstance(data__id, str) and data__id == 'rhcos'):
                raise InvalidError
        if "version" in data_keys:
            data_keys.remove("version")
            data__version = data["version"]
            if not isinstance(data__version, str):
                raise InvalidError
            if isinstance(data__version, str):
                if not re.search('^[0-9]+(\\.[0-9]+)?\\Z', data__version):
                    raise InvalidError
        if "kernels" in data_keys:
            data_keys.remove("kernels")
            data__kernels = data["kernels"]
            if not isinstance(data__kernels, list):
                raise InvalidError
            if isinstance(data__kernels, list):
                data__kernels_len = len(data__kernels)
                if data__kernels_len < 1:
                    raise InvalidError
                def fn(var): return frozenset(dict((k, fn(v)) for k, v in var.items()).items()) if hasattr(var, "items") else tuple(fn(v) for v in var) if isinstance(var, (dict, list)) else (bool, var) if isinstance(var, bool) else var
                if data__kernels_len > len(set(fn(data__kernels_x) for data__kernels_x in data__kernels)):
                    raise InvalidError
                for data__kernels_x, data__kernels_item in enumerate(data__kernels):
                    if not isinstance(data__kernels_item, str):
                        raise InvalidError
                    if isinstance(data__kernels_item, str):
                        if not re.search('^[0-9]+\\.[0-9]+[-._A-Za-z0-9+]*\\Z', data__kernels_item):
                            raise InvalidError
        if "secureBoot" in data_keys:
            data_keys.remove("secureBoot")
            data__secureBoot = data["secureBoot"]
            if not isinstance(data__secureBoot, bool):
                raise InvalidError
        if data_keys:
            raise InvalidError
    return data


def validate___definitions_defaults(data, required):
    if not isinstance(data, dict):
        raise InvalidError
    if isinstance(data, dict):
        data_keys = set(data.keys())
        if "os" in data_keys:
            data_keys.remove("os")
            data__os = data["os"]
            validate___definitions_os(data__os, required)
        if "gpu" in data_keys:
            data_keys.remove("gpu")
            data__gpu = data["gpu"]
            validate___definitions_gpu(data__gpu, required)
        if "arch" in data_keys:
            data_keys.remove("arch")
            data__arch = data["arch"]
            if not isinstance(data__arch, str):
                raise InvalidError
            if not (isinstance(data__arch, str) and data__arch == 'amd64' or isinstance(data__arch, str) and data__arch == 'arm64'):
                raise InvalidError
        if "role" in data_keys:
            data_keys.remove("role")
            data__role = data["role"]
            if not isinstance(data__role, str):
                raise InvalidError
            if isinstance(data__role, str):
                if not re.search('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\Z', data__role):
                    raise InvalidError
        if "taints" in data_keys:
            data_keys.remove("taints")
            data__taints = data["taints"]
            if not isinstance(data__taints, list):
                raise InvalidError
            if isinstance(data__taints, list):
                data__taints_len = len(data__taints)
                for data__taints_x, data__taints_item in enumerate(data__taints):
                    validate___definitions_taint(data__taints_item, required)
        if "nics" in data_keys:
            data_keys.remove("nics")
            data__nics = data["nics"]
            if not isinstance(data__nics, list):
                raise InvalidError
            if isinstance(data__nics, list):
                data__nics_len = len(data__nics)
                for data__nics_x, data__nics_item in enumerate(data__nics):
                    validate___definitions_nic(data__nics_item, required)
        if "instanceType" in data_keys:
            data_keys.remove("instanceType")
            data__instanceType = data["instanceType"]
            if not isinstance(data__instanceType, str):
                raise InvalidError
            if isinstance(data__instanceType, str):
                data__instanceType_len = len(data__instanceType)
                if data__instanceType_len < 1:
                    raise InvalidError
        if "labels" in data_keys:
            data_keys.remove("labels")
            data__labels = data["labels"]
            if not isinstance(data__labels, dict):
                raise InvalidError
            if isinstance(data__labels, dict):
                data__labels_keys = set(data__labels.keys())
                for data__labels_key in data__labels_keys:
                    if data__labels_key not in []:
                        data__labels_value = data__labels.get(data__labels_key)
                        if not isinstance(data__labels_value, str):
                            raise InvalidError
        if "sharing" in data_keys:
            data_keys.remove("sharing")
            data__sharing = data["sharing"]
            if not isinstance(data__sharing, str):
                raise InvalidError
            if isinstance(data__sharing, str):
                data__sharing_len = len(data__sharing)
                if data__sharing_len < 1:
                    raise InvalidError
        if "driver" in data_keys:
            data_keys.remove("driver")
            data__driver = data["driver"]
            validate___definitions_driver(data__driver, required)
        if "rdma" in data_keys:
            data_keys.remove("rdma")
            data__rdma = data["rdma"]
            validate___definitions_rdma(data__rdma, required)
        if data_keys:
            raise InvalidError
    return data
