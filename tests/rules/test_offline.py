"""Offline sites, proxies and credentials: what the pages do not show."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from genvalues import facts, judge, model
from genvalues.document import Chart
from genvalues.finding import Json, format_route
from genvalues.plan import resolve
from genvalues.rules import credentials, offline
from genvalues.rules.offline import covers, prefix_fault
from genvalues.rules.offline_hosts import host_of
from genvalues.rules.offline_packages import hosts_of
from genvalues.rules.offline_proxy import goes_direct
from genvalues.rules.rule import Body, Case

FACTS = facts.load()
Said = Callable[..., list[str]]
OPERATOR = Chart("gpu-operator", "v26.7.0")

NOBLE = "{mirror.list: deb https://mirror.example.internal/ubuntu noble main universe}"


def site(
    registries: str = "nvcr.io: registry.example.internal/nvcr, registry.k8s.io: registry.example.internal/k8s",
    packages: str = f"ubuntu24.04: {NOBLE}",
    more: str = "charts: oci://registry.example.internal/charts",
    rest: str = "",
) -> str:
    parts = [
        f"registries: {{{registries}}}" if registries else "",
        f"packages: {{{packages}}}" if packages else "",
        more,
    ]
    return f"offline: {{{', '.join(part for part in parts if part)}}}\n{rest}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (site(), []),
        (site(registries="nvcr.io: r.example/nv/, registry.k8s.io/: r.example/k8s"), []),  # slashes do no harm
        (
            site(registries="nvcr.io/nvidia: r.example/nvidia, registry.k8s.io/nfd: r.example:5000/nfd"),
            [],
        ),
        (site(registries=""), ["GV570 offline.registries", "GV570 offline.registries"]),
        (site(registries="nvcr.io: r.example/n"), ["GV570 offline.registries"]),
        (
            site(registries="nvcr.io/nvidia/cloud-native: r.example/n, registry.k8s.io: r.example/k"),
            ["GV570 offline.registries"],
        ),
        (
            site(registries="ncvr.io: r.example/n, registry.k8s.io: r.example/k"),
            ['GV570 offline.registries["ncvr.io"]'],
        ),
        (
            site(registries="https://nvcr.io: r.example/n, registry.k8s.io: r.example/k"),
            [
                'GV572 offline.registries["https://nvcr.io"]',
            ],
        ),
        (
            site(registries="nvcr.io: r.example/n, registry.k8s.io: r.example/k, docker.io: r.example/d"),
            ['GV571 offline.registries["docker.io"]'],
        ),
        (site(registries="nvcr.io: nvcr.io, registry.k8s.io: r.example/k"), ['GV573 offline.registries["nvcr.io"]']),
        (site(more="charts: https://helm.ngc.nvidia.com/nvidia"), ["GV573 offline.charts"]),
        (site(more=""), ["GV582 offline.charts"]),
        (site(packages=""), ["GV576 offline.packages"]),
        (site(packages="", rest="driver: {strategy: host}\n"), []),
        (site(packages="", rest='driver: {strategy: precompiled, version: "580"}\n'), []),
        (site(packages=f"ubuntu2404: {NOBLE}"), ["GV576 offline.packages.ubuntu2404"]),
        (site(packages=f"ubuntu24.04: {NOBLE}, sles15.6: {{mirror.repo: x}}"), ['GV574 offline.packages["sles15.6"]']),
        (
            site(packages="ubuntu24.04: {../x.list: deb https://m.example/u noble main}"),
            [
                'GV575 offline.packages["ubuntu24.04"]["../x.list"]',
            ],
        ),
        (
            site(packages="ubuntu24.04: {x.list: deb https://de.archive.ubuntu.com/u noble main}"),
            [
                'GV579 offline.packages["ubuntu24.04"]["x.list"]',
            ],
        ),
        (
            site(
                packages='ubuntu24.04: {x.list: "# deb http://archive.ubuntu.com\\ndeb https://m.example/u noble main"}'
            ),
            [],
        ),
        (site(packages="ubuntu24.04: {x.list: deb https://m.example/noble-mirror jammy main}"), []),
    ],
)
def test_offline_sites_are_judged_once_for_each_fault(text: str, found: list[str], said: Said) -> None:
    """Everything is mirrored, from mirrors, in files that are read."""
    assert said(text, offline.RULES) == found


def test_image_that_the_overrides_bring_is_mirrored(said: Said) -> None:
    """A repository in the overrides is the site's own word; one of the internet is none."""
    own = "overrides: {nodeFeatureDiscovery: {image: {repository: %s}}}\n"
    nvcr = "nvcr.io: r.example/n"

    assert said(site(registries=nvcr, rest=own % "r.example/nfd"), offline.RULES) == []
    assert said(site(registries=nvcr, rest=own % "registry.k8s.io/nfd/x"), offline.RULES) == [
        "GV570 offline.registries"
    ]


def test_site_that_is_not_offline_is_left_alone(said: Said) -> None:
    """Without the key nothing is asked of mirrors."""
    assert said("", offline.RULES) == []


def test_wrong_prefix_is_given_back_right(judged: Callable[..., Any]) -> None:
    """The fix of a misspelt registry keeps its mirror."""
    found = judged(site(registries="ncvr.io: r.example/n, registry.k8s.io: r.example/k"), offline.RULES)

    assert [hit.fix for _, hit in found] == ["nvcr.io: r.example/n"]


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("nvcr.io", None),
        ("registry.example.internal:5000/a/b-c_d.e", None),
        ("localhost:5000", None),
        ("nvcr.io/nvidia/", None),
        ("https://r.example/nv", "r.example/nv"),
        ("oci://r.example", "r.example"),
        ("r.example/nv/driver:580", "r.example/nv/driver"),
        ("r.example/nv/driver@sha256:00", "r.example/nv/driver"),
        ("r.example/NV", "r.example/nv"),
        ("r.example nv", "registry.example.internal/mirror"),
    ],
)
def test_prefixes_of_image_names(text: str, better: str | None) -> None:
    """A host, a port, and a path in lower case; neither scheme nor tag."""
    fault = prefix_fault(text)

    assert (fault and fault[1]) == better


@pytest.mark.parametrize(
    ("prefix", "reference", "under"),
    [
        ("nvcr.io", "nvcr.io/nvidia/driver", True),
        ("nvcr.io/", "nvcr.io/nvidia/driver", True),
        ("nvcr.io/nvidia", "nvcr.io/nvidia", True),
        ("nvcr.io/nvi", "nvcr.io/nvidia/driver", False),
        ("https://nvcr.io", "nvcr.io/nvidia/driver", True),
    ],
)
def test_prefixes_end_at_a_slash(prefix: str, reference: str, under: bool) -> None:
    """Part of a name is no prefix of it."""
    assert covers(prefix, reference) == under


@pytest.mark.parametrize(
    ("reference", "host"),
    [
        ("nvcr.io/nvidia", "nvcr.io"),
        ("https://user:word@R.example:5000/x", "r.example"),
        ("oci://r.example/charts", "r.example"),
        ("r.example:5000", "r.example"),
    ],
)
def test_host_of_a_reference(reference: str, host: str) -> None:
    """Whatever stands around it."""
    assert host_of(reference) == host


@pytest.mark.parametrize(
    ("os", "files", "found"),
    [
        ('id: rhel, version: "9.6"', ["ubi.repo", "cuda-rhel9.repo", "epel.repo"], []),
        ('id: rhel, version: "9.6"', ["ubi.repo", "mirror.repo"], ["GV578 offline.packages.rhel9"]),
        ('id: rhel, version: "8.10"', ["ubi.repo", "cuda-rhel8.repo"], []),
        ('id: rocky, version: "9.6"', ["mirror.repo"], []),  # another base image, whose sources are not known
    ],
)
def test_sources_of_the_image_are_replaced(os: str, files: list[str], found: list[str], said: Said) -> None:
    """Each built-in source of RHEL's driver images has a file of its name."""
    tag = os.split()[1].rstrip(",") + os.partition('"')[2][0]
    names = ", ".join(f'{name}: "[a]\\nbaseurl=https://m.example/a"' for name in files)
    text = f"hardware: {{pools: [{{name: gpu, os: {{{os}}}}}]}}\n" + site(packages=f"{tag}: {{{names}}}")

    assert said(text, offline.RULES) == found


@pytest.mark.parametrize(
    ("name", "text", "sound"),
    [
        (
            "a.list",
            "# mirror\\n\\ndeb [signed-by=/k.gpg] https://m.example/u noble main\\ndeb-src https://m.example/u noble main",
            True,
        ),
        ("a.list", "Types: deb", False),
        ("a.sources", "Types: deb\\nURIs: https://m.example/u\\nSuites: noble\\nComponents: main", True),
        ("a.sources", "Types: deb\\nURIs: https://m.example/u", False),
    ],
)
def test_texts_have_the_form_of_their_file(name: str, text: str, sound: bool, said: Said) -> None:
    """One line of deb each, or the fields of deb822."""
    found = said(site(packages=f'ubuntu24.04: {{{name}: "{text}"}}'), offline.RULES)

    assert found == ([] if sound else [f'GV577 offline.packages["ubuntu24.04"]["{name}"]'])


def test_hosts_of_a_source() -> None:
    """Each once, in order, comments and credentials left out."""
    text = "# deb https://c.example/x y\ndeb https://u:p@a.example:8443/x y z\ndeb http://10.0.0.1/x y\nbaseurl=https://a.example/z"

    assert hosts_of(text) == ["a.example", "10.0.0.1"]


def test_certificates_that_go_nowhere() -> None:
    """Drivers on hosts whose system is not said: nothing takes the authorities."""
    data: dict[str, Any] = {
        "name": "test",
        "cluster": {"kubernetes": "1.35.0", "distribution": "kubeadm"},
        "charts": {"gpuOperator": "v26.7.0"},
        "hardware": {"pools": [{"name": "gpu", "gpu": {"model": "h100-sxm5-80gb", "count": 8}}]},
        "driver": {"strategy": "host", "version": "580.173.02"},
        "offline": {"caBundle": "ca.pem", "registries": {}, "charts": "oci://r.example/c"},
    }
    known = {**data, "hardware": {"defaults": {"os": {"id": "ubuntu", "version": "24.04"}}, **data["hardware"]}}

    def codes(site: Any) -> list[str]:
        made = model.build(site, "-----BEGIN CERTIFICATE-----\n")
        case = Case(made, resolve(made, FACTS), FACTS, date(2026, 11, 30))
        return [rule.code for rule, _ in judge.site(case, offline.RULES)]

    assert codes(data).count("GV581") == 1
    assert codes(known).count("GV581") == 0


PROXY = "cluster: {proxy: {%s}}\n"


@pytest.mark.parametrize(
    ("proxy", "rest", "found"),
    [
        ("http: http://p.example:3128, noProxy: [.internal]", "", []),
        ("http: http://p.example:3128", "", ["GV587 cluster.proxy.noProxy"]),
        ("http: http://p.example:3128", site(), ["GV587 cluster.proxy.noProxy"]),
        ("http: http://p.example:3128, noProxy: [.internal]", site(), []),
        ("http: http://p.example:3128, noProxy: [.svc]", site(), ["GV587 cluster.proxy.noProxy"]),
        ("http: p.example:3128, noProxy: [.svc]", "", ["GV586 cluster.proxy.http"]),
        ("noProxy: [.svc]", "driver: {strategy: host}\n", ["GV585 cluster.proxy"]),
        ('https: "http://p.example"', 'driver: {strategy: precompiled, version: "580"}\n', ["GV585 cluster.proxy"]),
    ],
)
def test_proxies_are_judged_by_who_reads_them(proxy: str, rest: str, found: list[str], said: Said) -> None:
    """Driver pods that fetch packages are the only readers."""
    assert said(PROXY % proxy + rest, offline.RULES) == found


@pytest.mark.parametrize(
    ("host", "no_proxy", "direct"),
    [
        ("mirror.example.internal", (".example.internal",), True),
        ("mirror.example.internal", ("example.internal",), True),
        ("mirror.example.internal", ("*.example.internal",), True),
        ("mirror.example.internal", ("le.internal",), False),
        ("mirror.example.internal", ("*",), True),
        ("10.1.2.3", ("10.0.0.0/8",), True),
        ("10.1.2.3", ("10.2.0.0/16", "nonsense/99"), False),
        ("10.1.2.3", ("10.1.2.3",), True),
        ("mirror.example.internal", (), False),
    ],
)
def test_exceptions_of_the_proxy(host: str, no_proxy: tuple[str, ...], direct: bool) -> None:
    """Names, domains above them, addresses and networks."""
    assert goes_direct(host, no_proxy) == direct


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"], []),
        (["http_proxy"], ["GV587 driver.env[0].name", "GV587 driver.env[0].name"]),
        (["NO_PROXY", "no_proxy"], []),
        (["OTHER"], []),
    ],
)
def test_variables_of_values_come_in_pairs(names: list[str], found: list[str]) -> None:
    """In both cases, and with the exceptions."""
    env = [{"name": name, "value": "x"} for name in names]
    hits = judge.body(Body("values", {"driver": {"env": env}}, "x", (), OPERATOR), FACTS, offline.RULES)

    assert [f"{rule.code} {format_route(hit.route)}" for rule, hit in hits if rule.code == "GV587"] == found


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("https://user:word@mirror.example/x", "a password in a URL"),
        ("socks5://:word@p.example", "a password in a URL"),
        ("https://user@mirror.example/x", None),
        ("https://mirror.example/a:b@c", None),
        ("me@example.com: hello", None),
        ("nvcr.io/nvidia/driver:580@sha256:00", None),
        ("-----BEGIN RSA PRIVATE KEY-----\nx", "a private key"),
        ("-----BEGIN CERTIFICATE-----\nx", None),
        ("nvapi-" + "a" * 64, "an API key of NVIDIA"),
        ("ghp_" + "a" * 36, "a token of GitHub"),
        ("glpat-" + "a" * 20, "a token of GitLab"),
        ("AKIA" + "A" * 16, "an access key of AWS"),
        ("[a]\nusername=u\npassword=word", "a password"),
        ("# the password is not here", None),
        ("gh-runner", None),
    ],
)
def test_credentials_are_told_from_other_texts(text: str, what: str | None) -> None:
    """What is a secret, and what only looks a little like one."""
    assert credentials.found(text) == what


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            site(registries="nvcr.io: u:word@r.example/n, registry.k8s.io: r.example/k"),
            ['GV590 offline.registries["nvcr.io"]'],
        ),
        (
            site(registries="nvcr.io: https://u:word@r.example/n, registry.k8s.io: r.example/k"),
            ['GV590 offline.registries["nvcr.io"]'],
        ),
        (site(more="charts: https://u:word@r.example/charts"), ["GV590 offline.charts"]),
        (
            site(packages="ubuntu24.04: {x.list: deb https://u:word@m.example/u noble main}"),
            ['GV590 offline.packages["ubuntu24.04"]["x.list"]'],
        ),
        (site(rest="overrides: {gpuOperator: {driver: {env: [{name: TOKEN, value: word}]}}}\n"), []),  # in the values
    ],
)
def test_credentials_of_a_site_are_found_once(text: str, found: list[str], said: Said) -> None:
    """At the place that holds them, by the rule about credentials alone; overrides are judged as values."""
    assert said(text, offline.RULES) == found


def test_words_do_not_repeat_the_secret(judged: Callable[..., Any]) -> None:
    """Neither message nor fix has the password in it."""
    found = judged(site(more="charts: https://u:correct-horse@r.example/charts"), offline.RULES)

    assert [code for code, hit in found if "correct-horse" not in hit.message + hit.fix] == ["GV590"]


@pytest.mark.parametrize(
    ("entry", "secret"),
    [
        ({"name": "MIRROR_PASSWORD", "value": "word"}, True),
        ({"name": "NGC_API_KEY", "value": "word"}, True),
        ({"name": "MIRROR_PASSWORD", "value": ""}, False),
        ({"name": "MIRROR_PASSWORD", "valueFrom": {"secretKeyRef": {"name": "a", "key": "b"}}}, False),
        ({"name": "PASSWORD_FILE", "value": "/run/x"}, False),
        ({"name": "DRIVER_VERSION", "value": "580"}, False),
    ],
)
def test_variables_are_judged_by_their_names(entry: dict[str, Any], secret: bool) -> None:
    """A name that says so makes a literal value a secret."""
    hits = judge.body(Body("values", {"driver": {"env": [entry]}}, "x"), FACTS, credentials.RULES)

    assert [format_route(hit.route) for _, hit in hits] == (["driver.env[0].value"] if secret else [])


def config_map(name: str, *keys: str) -> Body:
    return Body("config-map", {"metadata": {"name": name}, "data": dict.fromkeys(keys, "x")}, "map.yaml")


@pytest.mark.parametrize(
    ("driver", "keys", "found"),
    [
        ({"repoConfig": {"configMapName": "m"}}, ("a.list", "b.sources", "c.repo"), []),
        ({"repoConfig": {"configMapName": "m"}}, ("a.conf",), ['data["a.conf"]']),
        ({"certConfig": {"name": "m"}}, ("ca.crt", "tls-ca-bundle.pem"), []),
        ({"certConfig": {"name": "m"}}, ("ca.pem",), ['data["ca.pem"]']),
        ({"certConfig": {"name": "other"}}, ("ca.pem",), []),
        ({"kernelModuleConfig": {"name": "m"}}, ("nvidia.conf",), []),
    ],
)
def test_keys_become_files_that_are_read(driver: dict[str, Any], keys: tuple[str, ...], found: list[str]) -> None:
    """Package managers and trust stores go by the end of the name."""
    bodies = [Body("values", {"driver": driver}, "values.yaml", (), OPERATOR), config_map("m", *keys)]
    hits = judge.together(bodies, FACTS, offline.RULES)

    assert [format_route(hit.route) for _, _, hit in hits] == found


@pytest.mark.parametrize(
    ("driver", "found"),
    [
        ({"repoConfig": {"configMapName": "a"}, "certConfig": {"name": "b"}}, []),
        ({"repoConfig": {"configMapName": "a"}, "certConfig": {"name": "a"}}, ["driver.certConfig.name"]),
        ({"certConfig": {"name": "A.b"}}, ["driver.certConfig.name"]),
        ({"certConfig": {"name": ""}}, []),
    ],
)
def test_config_maps_can_be_mounted(driver: dict[str, Any], found: list[str]) -> None:
    """Names of volumes, each once."""
    hits = judge.body(Body("values", {"driver": driver}, "x", (), OPERATOR), FACTS, offline.RULES)

    assert [format_route(hit.route) for rule, hit in hits if rule.code == "GV583"] == found


def test_prefix_of_an_nfd_that_is_not_known(said: Callable[..., list[str]]) -> None:
    """What images an unknown NFD brings nobody can say, so no mirror is called idle for it."""
    text = (
        "charts: {nodeFeatureDiscovery: 0.81.3}\n"
        "offline: {registries: {nvcr.io: r.example.internal/n, registry.k8s.io: r.example.internal/k}}\n"
    )

    assert "GV571" not in " ".join(said(text, offline.RULES))


MIRROR = "registry.example.internal/nvidia"


@pytest.mark.parametrize(
    ("values", "found"),
    [
        # NVIDIA/gpu-operator#202: the operator's pod is pulled, the driver's is not.
        ({"driver": {"repository": f"{MIRROR}/staging"}}, ["driver.repository"]),
        ({"driver": {"repository": MIRROR, "imagePullSecrets": []}}, ["driver.repository"]),
        ({"driver": {"repository": MIRROR, "imagePullSecrets": ["other"]}}, []),
        ({"driver": {"repository": "registry.example.org/nvidia"}}, []),  # another registry
        ({"driver": {"repository": MIRROR, "enabled": False}}, []),  # no pod pulls it
        ({"gds": {"repository": MIRROR}}, []),  # off by default
        ({"gds": {"repository": MIRROR, "enabled": True}}, ["gds.repository"]),
        ({"driver": {"manager": {"repository": MIRROR}}}, []),  # takes the driver's Secrets
    ],
)
def test_pull_secret_of_each_component(values: dict[str, Json], found: list[str]) -> None:
    """What comes from the registry that the operator has a Secret for needs one of its own, if it runs at all."""
    data: Json = {"operator": {"repository": MIRROR, "imagePullSecrets": ["regcred"]}, **values}
    body = Body("values", data, "values.yaml", chart=Chart("gpu-operator", "v25.10.1"))
    hits = [hit for rule, hit in judge.body(body, FACTS, offline.RULES) if rule.code == "GV589"]

    assert [format_route(hit.route) for hit in hits] == found


def test_registry_of_the_internet_has_keys_for_some_images() -> None:
    """A key for nvcr.io's licensed driver is none that its public images need."""
    data: Json = {
        "driver": {"repository": "nvcr.io/nvaie", "imagePullSecrets": ["ngc"]},
        "toolkit": {"repository": "nvcr.io/nvidia/k8s"},
    }
    body = Body("values", data, "values.yaml", chart=Chart("gpu-operator", "v25.10.1"))

    assert [rule.code for rule, _ in judge.body(body, FACTS, offline.RULES) if rule.code == "GV589"] == []
