"""What the real kubeconform says of a rendering, as findings at the lines of the site (GV930)."""

import os.path

from genvalues import emit, header, kubeconform, pipeline
from genvalues.document import Doc
from genvalues.finding import Finding, Hit
from genvalues.pipeline import Checked
from genvalues.rules.output import KUBECONFORM
from genvalues.rules.rule import Body

# Files of other readers than the API server.
_NO_OBJECTS = frozenset({"values", "scheduler", "kubespray", "kubeadm", "rke2-config"})


def findings(checked: Checked) -> list[Finding]:
    """One finding per fault of a manifest; KubeconformError where kubeconform cannot be run.

    Nothing for a site with errors, which renders nothing.
    """
    if checked.plan is None or checked.tree is None:
        return []
    docs = {doc.path: doc for doc in checked.docs if doc.kind not in _NO_OBJECTS}
    texts = [(path, emit.yaml(doc, header.lines(checked.path, doc.chart))) for path, doc in docs.items()]
    results = kubeconform.validate(texts, checked.plan.cluster.kubernetes, pipeline.about(checked).charts)
    found = []
    for result in results:
        if result.status != "valid":
            hit = _hit(docs[result.file], result)
            found.append(pipeline.placed(KUBECONFORM, hit, checked.tree, docs, checked.path))
    return found


def _hit(doc: Doc, result: kubeconform.KubeconformResult) -> Hit:
    said = Hit(
        result.path, f"{os.path.basename(result.file)}: {result.message}", "correct the value, or what decides it"
    )
    return pipeline.at_site(doc, Body(doc.kind, doc.body, doc.path, (), doc.chart), said)
