"""Whether a tree has the shape of schemas/site.schema.json, and where it has not, in the user's words (GV1xx).

The yes or no is a generated module, one millisecond; jsonschema (70 ms to import) and the words come only with a no.
A Base may lack any key, and has to fit in all it holds.
"""

from collections.abc import Sequence

from genvalues.finding import Finding
from genvalues.place import Tree
from genvalues.verdict import is_valid


def check(tree: Tree, before: Sequence[Finding] = ()) -> list[Finding]:
    """The findings about a tree's shape, by place; none where one of `before` speaks already at the same place."""
    is_base = isinstance(tree.data, dict) and tree.data.get("kind") == "Base"
    if is_valid(tree.data, not is_base):
        return []
    from genvalues.mismatch import findings  # noqa: PLC0415  imports jsonschema

    spoken = {finding.place[:3] for finding in before}
    return [finding for finding in findings(tree, is_base) if finding.place[:3] not in spoken]
