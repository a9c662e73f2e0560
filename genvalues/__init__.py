"""genvalues: one declarative description of a GPU Kubernetes site, checked and rendered into files that agree."""
