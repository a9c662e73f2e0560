"""The pools of a site whose GPUs are split by MIG, as the rules about MIG see them."""

from collections.abc import Iterator

from genvalues.facts.kinds import MigModel
from genvalues.finding import Route
from genvalues.model import Mig, MigLayout, SharingConfig
from genvalues.plan.kinds import PoolPlan
from genvalues.record import NamedTuple
from genvalues.rules.rule import Case


class Split(NamedTuple):
    """A pool whose GPUs a sharing config splits; `model` None where the MIG table of its GPU is not known."""

    pool: PoolPlan
    config: SharingConfig
    mig: Mig
    model: MigModel | None

    def layouts(self) -> Iterator[tuple[Route, MigLayout]]:
        """Each layout with its route."""
        for index, layout in enumerate(self.mig.layouts):
            yield (*self.config.route, "mig", "layouts", index), layout


def splits(case: Case) -> Iterator[Split]:
    """The pools whose GPUs are to be split and can be."""
    for pool in case.plan.pools:
        config = pool.sharing.config
        if config is None or config.mig is None or pool.gpu is None or pool.gpu.mig_capable is False:
            continue
        model = case.facts.mig_model(pool.gpu.mig_model) if pool.gpu.mig_model else None
        yield Split(pool, config, config.mig, model)
