"""genvalues: one declarative profile of a GPU Kubernetes site, checked and rendered into files that agree."""
