"""A site and its bases become one tree that knows its files."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from genvalues.extends import Loaded, find_root, is_inside, load, merge
from genvalues.finding import Hit, Json
from genvalues.place import Tree, place
from genvalues.source import read

BASE = "apiVersion: genvalues/v1\nkind: Base\n"
SITE = "apiVersion: genvalues/v1\nkind: Site\nname: s\n"


def reader(files: dict[str, str]) -> Callable[[str], bytes]:
    def content(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(2, "No such file or directory")
        return files[path].encode()

    return content


def loaded(files: dict[str, str], path: str = "/r/site.yaml", *, allow_outside: bool = False) -> Loaded:
    return load(path, read=reader(files), root="/r", allow_outside=allow_outside)


def tree(text: str, file: str) -> Tree:
    found = read(text, file).tree
    assert found is not None
    return found


def merged(low: str, high: str) -> Tree:
    return merge(tree(low, "low"), tree(high, "high"))


@pytest.mark.parametrize(
    ("low", "high", "data"),
    [
        ("a: {b: 1, c: 2}\n", "a: {c: 3, d: 4}\n", {"a": {"b": 1, "c": 3, "d": 4}}),
        ("a: [1, 2]\n", "a: [3]\n", {"a": [3]}),
        ("a: {b: 1}\n", "a: x\n", {"a": "x"}),
        ("a: x\n", "a: {b: 1}\n", {"a": {"b": 1}}),
        ("a: {b: 1, c: 2}\n", "a: {b: null}\n", {"a": {"c": 2}}),
        ("a: 1\n", "a: ~\n", {}),
        ("a: 1\n", "b:\n", {"a": 1, "b": None}),
        ("a: [{name: x, b: 1}]\n", "a: [{name: x, c: 1}]\n", {"a": [{"name": "x", "c": 1}]}),
    ],
)
def test_maps_merge_lists_replace_and_null_removes(low: str, high: str, data: Json) -> None:
    """Later wins; null takes away what is below, and stays where nothing is; only pools merge by name."""
    assert data == merged(low, high).data


def test_pools_merge_by_name() -> None:
    """In the order of the base, new ones behind; a pool without a name, or of a name that is used up, is new."""
    low = "hardware: {pools: [{name: a, gpu: {model: t4, count: 1}, role: gpu}, {name: b}]}\n"
    high = "hardware: {pools: [{role: x}, {name: c}, {name: a, gpu: {count: 2}, role: null}, {name: a}]}\n"

    assert [
        {"name": "a", "gpu": {"model": "t4", "count": 2}}, {"name": "b"}, {"role": "x"}, {"name": "c"}, {"name": "a"},
    ] == merged(low, high).data["hardware"]["pools"]  # fmt: skip


def test_every_node_keeps_its_origin() -> None:
    """File and text of each route are those of the layer that it came from."""
    low = "a: {b: 1, c: [5]}\nhardware: {pools: [{name: p, role: r, gpu: {count: 1}}]}\n"
    high = "hardware: {pools: [{name: q}, {name: p, gpu: {model: m}}]}\na: {b: 2, d: {e: 3}}\n"
    result = merged(low, high)
    pools = ("hardware", "pools")

    assert {
        ("a", "b"): ("high", "2"), ("a", "c", 0): ("low", "5"), ("a", "d", "e"): ("high", "3"),
        (*pools, 0, "role"): ("low", "r"), (*pools, 0, "gpu", "count"): ("low", "1"),
        (*pools, 0, "gpu", "model"): ("high", "m"), (*pools, 1, "name"): ("high", "q"),
    } == {
        route: (result.origin[route].file, result.raw(route))
        for route in (("a", "b"), ("a", "c", 0), ("a", "d", "e"), (*pools, 0, "role"), (*pools, 0, "gpu", "count"),
                      (*pools, 0, "gpu", "model"), (*pools, 1, "name"))
    }  # fmt: skip


def test_findings_name_the_file_and_the_path_in_it() -> None:
    """The second pool of the site, merged into the first of the base, keeps its own index in findings about it."""
    result = loaded({
        "/r/base/b.yaml": BASE + "hardware:\n  pools:\n  - {name: p, gpu: {count: 1}}\n",
        "/r/site.yaml": SITE + "extends: [base/b.yaml]\nhardware:\n  pools:\n  - {name: q}\n  - {name: p, gpu: {model: m}}\n",
    })
    assert result.tree is not None
    found = [
        place(Hit(("hardware", "pools", *rest), "", ""), "GV999", "error", result.tree)
        for rest in ((0, "gpu", "model"), (0, "gpu", "count"), (1, "name"))
    ]

    assert [
        ("/r/site.yaml", 8, ("hardware", "pools", 1, "gpu", "model")),
        ("/r/base/b.yaml", 5, ("hardware", "pools", 0, "gpu", "count")),
        ("/r/site.yaml", 7, ("hardware", "pools", 0, "name")),
    ] == [(f.place.file, f.place.line, f.path) for f in found]


def test_later_bases_win_and_bases_have_bases() -> None:
    """Order: a base's own bases, the base, the next base, the site. What each file is, is not merged."""
    result = loaded({
        "/r/deep.yaml": BASE + "name: deep\na: deep\nb: deep\nc: deep\nd: deep\n",
        "/r/x/one.yaml": BASE + "extends: [../deep.yaml]\nb: one\nc: one\nd: one\n",
        "/r/two.yaml": BASE + "c: two\nd: two\n",
        "/r/site.yaml": SITE + "extends: [x/one.yaml, two.yaml]\nd: site\n",
    })

    assert () == result.findings
    assert result.tree is not None
    assert {
        "apiVersion": "genvalues/v1", "kind": "Site", "name": "s", "a": "deep", "b": "one", "c": "two", "d": "site",
    } == result.tree.data  # fmt: skip
    assert ("/r/site.yaml", "/r/x/one.yaml", "/r/deep.yaml", "/r/two.yaml") == result.files


def test_a_base_that_two_bases_share_is_read_once() -> None:
    """A diamond is no circle, and a fault in the shared base is said once."""
    result = loaded({
        "/r/d.yaml": BASE + "a: on\n",
        "/r/b.yaml": BASE + "extends: [d.yaml]\n",
        "/r/c.yaml": BASE + "extends: [d.yaml]\n",
        "/r/site.yaml": SITE + "extends: [b.yaml, c.yaml]\n",
    })

    assert [("GV011", "/r/d.yaml")] == [(f.code, f.place.file) for f in result.findings]
    assert result.tree is not None


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"/r/site.yaml": SITE + "extends:\n- x.yaml\n- none.yaml\n", "/r/x.yaml": BASE}, ("GV020", "/r/site.yaml", 6, 3)),
        ({"/r/site.yaml": SITE + "extends: ['https://example.internal/b.yaml']\n"}, ("GV020", "/r/site.yaml", 4, 11)),
        ({"/r/site.yaml": SITE + "extends: [site.yaml]\n"}, ("GV021", "/r/site.yaml", 4, 11)),
        ({"/r/site.yaml": SITE + "extends: [../x.yaml]\n"}, ("GV022", "/r/site.yaml", 4, 11)),
        ({"/r/site.yaml": SITE + "extends: [/etc/hostname]\n"}, ("GV022", "/r/site.yaml", 4, 11)),
        ({"/r/site.yaml": SITE + "extends: [x.yaml]\n", "/r/x.yaml": SITE}, ("GV023", "/r/site.yaml", 4, 11)),
        ({"/r/site.yaml": SITE + "extends: [x.yaml]\n", "/r/x.yaml": "a: 1\n"}, ("GV023", "/r/site.yaml", 4, 11)),
        ({"/r/site.yaml": SITE + "extends: [x.yaml]\n", "/r/x.yaml": "kind: Base\n"}, ("GV023", "/r/site.yaml", 4, 11)),
        ({"/r/site.yaml": SITE + "extends: [x.yaml]\n", "/r/x.yaml": BASE + "a: [\n"}, ("GV001", "/r/x.yaml", 3, 4)),
        ({"/r/site.yaml": SITE + "extends: [x.yaml]\n", "/r/x.yaml": ""}, ("GV004", "/r/x.yaml", 1, 1)),
        ({}, ("GV002", "/r/site.yaml", 1, 1)),
    ],
)
def test_a_base_that_cannot_be_had_is_one_finding(files: dict[str, str], found: tuple[str, str, int, int]) -> None:
    """At the entry that names it, or in the base; and no tree, for half a site would give a dozen more."""
    result = loaded(files)

    assert [found] == [(f.code, f.place.file, f.place.line, f.place.column) for f in result.findings]
    assert result.tree is None


def test_a_circle_is_shown_whole() -> None:
    """The chain is in the message, the other entries are related places."""
    (finding,) = loaded({
        "/r/a.yaml": BASE + "extends: [b.yaml]\n",
        "/r/b.yaml": BASE + "extends: [a.yaml]\n",
        "/r/site.yaml": SITE + "extends: [a.yaml]\n",
    }).findings

    assert "the files extend one another in a circle: a.yaml -> b.yaml -> a.yaml" == finding.message
    assert ("/r/b.yaml", ["/r/a.yaml"]) == (finding.place.file, [r.place.file for r in finding.related])


def test_chains_and_crowds_of_bases_end() -> None:
    """Sixteen below one another, sixty-four files in all."""
    chain = {f"/r/{i}.yaml": BASE + f"extends: [{i + 1}.yaml]\n" for i in range(40)}
    crowd = {f"/r/{i}.yaml": BASE for i in range(100)}
    names = ", ".join(f"{i}.yaml" for i in range(100))
    found = [
        loaded({**chain, "/r/site.yaml": SITE + "extends: [0.yaml]\n"}),
        loaded({**crowd, "/r/site.yaml": SITE + f"extends: [{names}]\n"}),
    ]

    assert [["GV024"], ["GV024"]] == [[f.code for f in result.findings] for result in found]
    assert [17, 64] == [len(result.files) for result in found]


def test_outside_is_allowed_only_when_asked_for() -> None:
    """`allow_outside` lifts the limit, and nothing in the site can."""
    files = {"/r/site.yaml": SITE + "extends: [../x.yaml]\n", "/x.yaml": BASE + "a: 1\n"}

    assert loaded(files, allow_outside=True).tree is not None
    assert loaded(files).tree is None


def test_symbolic_links_do_not_lead_outside(tmp_path: Path) -> None:
    """The place that a link leads to is what counts."""
    (tmp_path / "secret.yaml").write_text(BASE)
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    site = tmp_path / "repo" / "site.yaml"
    site.write_text(SITE + "extends: [link.yaml]\n")

    assert ["GV022"] == [f.code for f in load(str(site)).findings]


def test_the_root_is_the_repository_or_the_folder(tmp_path: Path) -> None:
    """The nearest folder with .git above the file; without one the file's own."""
    (tmp_path / "repo" / "a" / "b").mkdir(parents=True)
    (tmp_path / "repo" / ".git").write_text("gitdir: elsewhere\n")

    assert str(tmp_path / "repo") == find_root(str(tmp_path / "repo" / "a" / "b" / "site.yaml"))
    assert is_inside(str(tmp_path / "repo" / "x"), str(tmp_path / "repo"))
    assert not is_inside(str(tmp_path / "repository"), str(tmp_path / "repo"))


def test_without_a_repository_the_root_is_the_folder(tmp_path: Path) -> None:
    """A site on its own may extend what lies beside or below it."""
    if find_root(str(tmp_path)) != str(tmp_path.parent):
        pytest.skip("the folder for temporary files is in a repository")

    assert str(tmp_path) == find_root(str(tmp_path / "site.yaml"))


def test_an_extends_that_is_no_list_of_texts_is_left_to_the_shape() -> None:
    """It stays in the data, where it is judged as any value of the wrong type."""
    result = loaded({"/r/site.yaml": SITE + "extends: base.yaml\n"})

    assert () == result.findings
    assert result.tree is not None
    assert "base.yaml" == result.tree.data["extends"]


def test_a_base_can_be_loaded_itself() -> None:
    """Its own bases are merged, and it stays a Base."""
    result = loaded({"/r/site.yaml": BASE + "extends: [b.yaml]\nname: x\n", "/r/b.yaml": BASE + "a: 1\n"})

    assert result.tree is not None
    assert {"apiVersion": "genvalues/v1", "kind": "Base", "name": "x", "a": 1} == result.tree.data


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A repository whose site.yaml is a link to a file outside: what a stranger may send, for a runner's log to print."""
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "environ").write_text("TOKEN=hunter2", "utf-8")
    (tmp_path / "repository" / "site.yaml").symlink_to(tmp_path / "environ")
    return tmp_path / "repository"


def test_site_that_is_a_link_out_of_its_repository_is_not_read(secret: Path) -> None:
    """Not a letter of the file is printed; --allow-outside reads it all the same."""
    refused = load(str(secret / "site.yaml"))
    allowed = load(str(secret / "site.yaml"), allow_outside=True)

    assert [(f.code, "hunter2" in repr(f)) for f in refused.findings] == [("GV002", False)]
    assert [f.code for f in allowed.findings] == ["GV004"]


def test_site_that_is_a_link_within_its_repository_is_read(secret: Path) -> None:
    """Nor is a link refused where there is no repository to leave."""
    (secret / "real.yaml").write_text("kind: Site\n", "utf-8")
    (secret / "link.yaml").symlink_to("real.yaml")
    (secret.parent / "link.yaml").symlink_to(secret / "real.yaml")

    assert [load(str(folder / "link.yaml")).findings for folder in (secret, secret.parent)] == [(), ()]


def test_base_that_is_a_pipe_is_not_read(tmp_path: Path) -> None:
    """Reading it might never end."""
    os.mkfifo(tmp_path / "base.yaml")
    (tmp_path / "site.yaml").write_text("extends: [base.yaml]\n", "utf-8")

    assert [(f.code, f.message) for f in load(str(tmp_path / "site.yaml")).findings] == [
        ("GV020", "base.yaml is no regular file")
    ]
