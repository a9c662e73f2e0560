"""Faults that have nothing to do with one another are all said in one run, each at its own line and once."""

import re
from pathlib import Path

import judging

SITE = """\
apiVersion: genvalues/v1
kind: Site
name: dc1
cluster: {kubernetes: "1.35.0", distribution: kubeadm, containerRuntime: containerd}
charts:
  gpuOperator: v26.7.0
  nodeFeatureDiscovery: 0.19.0
hardware:
  defaults:
    os: {id: ubuntu, version: "24.04", kernels: [6.8.0-79-generic]}
  pools:
  - name: training
    nodes: {namePattern: "^gn-"}
    gpu:
      model: h100-sxm5-80gb
      count: 7                                                  # GV206: hardware, no board has seven
      board: hgx
    nics: [{fabric: infiniband, count: 8}]
    rdma:
      gpuDirect: peermem                                        # GV662: RDMA, it waits for an OFED for ever
  - name: inference
    nodes: {namePattern: "^inf-"}
    gpu: {model: a100-pcie-40gb, count: 4, board: pcie}
    labels:
      nvidia.com/gpu.present: "true"                            # GV607: NFD and labels, it is the operator's
    sharing: slices
driver:
  version: "580.173.02"
  moduleParameters:
    nvidia: {NVreg_EnableGpuFirmware: 0}                        # GV513: driver, open modules need the GSP
offline:
  registries:
    nvcr.io: registry.example.internal/nvcr
    registry.k8s.io: https://registry.example.internal/k8s      # GV572: offline, image names have no scheme
  charts: oci://registry.example.internal/charts
  packages:
    ubuntu24.04:
      mirror.list: deb https://mirror.example.internal/ubuntu noble main universe
sharing:
  configs:
    slices:
      mig:
        layouts:
        - gpus: all
          profiles: {1g.6gb: 7}                                 # GV401: MIG, an A100 has 1g.5gb
    idle:                                                       # GV301: sharing, no pool uses it
      timeSlicing: {replicas: 4}
monitoring:
  dcgm:
    interval: 15s
    presets: [default]
    add: [DCGM_FI_DEV_FAN_SPED]                                 # GV700: DCGM, there is no such field
  scrape: {kind: prometheus, interval: 30s}
scheduler:
  packing:
    schedulerName: gpu-packing
    weights:
      cpu: 1
      nvidia.com/gpu: 5
      nvidia.com/mig-9g.90gb: 5                                 # GV800: scheduling, no node has it
overrides:
  gpuOperator:
    operator: {logLevel: debug}                                 # GV901: overrides, no template reads it
toolkit:
  strategy: host                                                # GV551: operator, beside a driver from the cluster
accept:
- code: GV999                                                   # GV192: accept, no rule has that code
  reason: the new boards come in spring
  until: "2027-03-01"
"""


def test_twelve_faults_are_twelve_findings(tmp_path: Path) -> None:
    """One of each family, errors and warnings, those of `overrides` and `accept` included."""
    expected = [
        (number, match[1])
        for number, line in enumerate(SITE.split("\n"), 1)
        if (match := re.search(r"# (GV\d{3}):", line))
    ]
    found = judging.site(SITE, tmp_path)

    assert len(expected) == 12
    assert sorted((finding.place.line, finding.code) for finding in found if finding.severity != "info") == expected
