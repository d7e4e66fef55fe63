"""ReducedError: prune what validation rows do not miss."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from treewright.errors import one_of
from treewright.prune.additive import Words, conclude, settle_sums
from treewright.prune.losses import validation_losses
from treewright.prune.method import VALIDATION, Material, Method, Pruned

TIES = ("prune", "keep")


@dataclass(frozen=True, slots=True)
class ReducedError(Method):
    """Reduced-error pruning (Quinlan 1987): from the bottom up, by the errors on validation rows.

    ties  "prune": a node becomes a leaf when the validation errors do not rise (the literature);
          "keep": only when they fall (Zhou's textbook)
    """

    ties: str = "prune"

    name: ClassVar[str] = "reduced_error"
    for_numbers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        one_of("ties", self.ties, TIES)

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({VALIDATION})

    def _prune(self, material: Material) -> Pruned:
        tree = material.tree
        losses = validation_losses(tree, material.validation, material.rule)
        sums = settle_sums(tree, losses.leaf, losses.staying, strict=self.ties == "keep")
        return conclude(tree, Words(self.name, "...", "validation errors"), losses.leaf, sums)
