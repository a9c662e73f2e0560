"""The images that a chart's values name, each with the paths that set its parts."""

from collections.abc import Container, Iterator, Mapping
from typing import Any

Image = dict[str, Any]

_ALSO = ("imagePullPolicy", "pullPolicy", "imagePullSecrets")


def images(defaults: Mapping[str, Any], read: Container[str]) -> list[Image]:
    """Every image in the values of a chart, by component (the path of its block); `read` are the paths that it reads.

    `image` is "" where `repository` holds the whole name. `tag` is what the chart installs; null where the user must
    say it, and where the version of the application stands for it (`app`).
    """
    return sorted(_walk(defaults, "", read), key=lambda image: str(image["component"]))


def _walk(block: Mapping[str, Any], path: str, read: Container[str]) -> Iterator[Image]:
    if (image := _image(block, path, read)) is not None:
        yield image
    for key, value in block.items():
        below = f"{path}.{key}" if path else key
        if key == "images" and isinstance(value, dict):
            yield from (_whole(below, name, reference) for name, reference in value.items())
        elif isinstance(value, dict):
            yield from _walk(value, below, read)


def _image(block: Mapping[str, Any], path: str, read: Container[str]) -> Image | None:
    if not isinstance(block.get("repository"), str):
        return None
    name = next((key for key in ("image", "name") if isinstance(block.get(key), str)), None)
    tag = "version" if f"{path}.version" in read else "tag"
    if name is None and "tag" not in block and not path.endswith("image"):
        return None
    component = path.removesuffix(".image")
    values = {"repository": f"{path}.repository", "version": f"{path}.{tag}"}
    if name:
        values["image"] = f"{path}.{name}"
    values |= {key: f"{path}.{key}" for key in _ALSO if key in block or f"{path}.{key}" in read}
    image: Image = {
        "component": component if component != "image" else "",
        "repository": block["repository"],
        "image": block[name] if name else "",
        "tag": block.get(tag) or None,
        "values": dict(sorted(values.items())),
    }
    if image["tag"] is None and block["repository"]:
        image["app"] = True
    return image


def _whole(path: str, name: str, reference: object) -> Image:
    repository, _, tag = str(reference).rpartition(":")
    return {
        "component": f"{path}.{name}", "repository": repository, "image": "", "tag": tag,
        "values": {"reference": f"{path}.{name}"},
    }  # fmt: skip
