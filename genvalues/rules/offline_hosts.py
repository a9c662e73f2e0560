"""Hosts of images and charts: which one a reference names, and whether it is on the internet."""

PUBLIC = frozenset(
    (
        "nvcr.io",
        "registry.k8s.io",
        "k8s.gcr.io",
        "gcr.io",
        "docker.io",
        "index.docker.io",
        "registry-1.docker.io",
        "ghcr.io",
        "quay.io",
        "public.ecr.aws",
        "mcr.microsoft.com",
        "registry.access.redhat.com",
        "registry.redhat.io",
        "helm.ngc.nvidia.com",
        "kubernetes-sigs.github.io",
    )
)
"""Registries and chart repositories of the internet, by the name of the host."""


def bare(text: str) -> str:
    """A reference without its scheme."""
    head, scheme, rest = text.partition("://")
    return rest if scheme and head.isalnum() else text


def host_of(reference: str) -> str:
    """The host of an image reference or a URL."""
    return bare(reference).partition("/")[0].rpartition("@")[2].partition(":")[0].lower()


def is_public(reference: str) -> bool:
    """Whether an image comes from a registry of the internet."""
    return host_of(reference) in PUBLIC
