import os
import os.path

import genvalues
from genvalues import paths

PACKAGE = os.path.dirname(os.path.abspath(genvalues.__file__))


def test_schemas_are_found_in_a_checkout_and_in_a_wheel() -> None:
    """The folder holds the bodies' and the Kubernetes kinds' schemas, wherever the package runs from."""
    assert {"bodies", "kubernetes"} <= set(os.listdir(paths.schemas()))


def test_data_is_inside_the_package() -> None:
    """Facts are part of the package in a checkout and in a wheel alike."""
    assert os.path.join(PACKAGE, "data") == paths.data()


def test_only_a_checkout_has_a_root() -> None:
    """A checkout's root holds pyproject.toml; an installed package has none."""
    installed = os.path.isdir(os.path.join(PACKAGE, "schemas"))

    assert (paths.checkout() is None) == installed


def test_the_package_under_test_is_the_one_asked_for() -> None:
    """With GENVALUES_WHEEL=1 (make test) the tests run against the installed wheel, not against the checkout."""
    inside_site_packages = "site-packages" in PACKAGE.split(os.sep)

    assert inside_site_packages or os.environ.get("GENVALUES_WHEEL") != "1"
