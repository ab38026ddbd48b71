"""What a collection is made with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Budget:
    """How many inputs are tried and kept for one operator."""

    trials: int = 500
    fruitless: int = 150
    """Trials after which an operator that never failed is taken to be free of constraints."""
    passing: int = 100
    failing: int = 100
    passing_if_no_failure: int = 60
    elements: int = 1 << 12
    companions: int = 0
    """Moves of several symbols at once that are tried where much more is refused than accepted."""

    def for_symbols(self, count: int) -> Budget:
        """Few symbols are determined by few records; only operators with many need all that a file may hold."""
        most = 40 + 8 * count
        return replace(
            self,
            passing=min(self.passing, most),
            failing=min(self.failing, most),
            passing_if_no_failure=min(self.passing_if_no_failure, 20 + 5 * count),
        )


@dataclass(frozen=True)
class Settings:
    """What a run is made with."""

    seed: int
    budget: Budget
    functions: int = 10
    """Operators kept of a function."""
    methods: int = 5
    """Operators kept of a method."""
    told: int = 0
    """Operators kept of an API that takes integers in tensors one by one, if that is more."""
    spread: bool = False
    """Whether each rank and number of inputs has an operator before anything else varies."""

    def limited(self, limits: Mapping[str, int]) -> Settings:
        """For an API that its source allows less: `operators` kept, `trials` of each, `records` of each that pass or fail;
        `spread`: as the field."""
        budget, most = self.budget, limits.get("records", self.budget.passing)
        less = replace(
            budget,
            trials=min(budget.trials, limits.get("trials", budget.trials)),
            passing=min(budget.passing, most),
            failing=min(budget.failing, most),
            passing_if_no_failure=min(budget.passing_if_no_failure, most),
        )
        functions = min(self.functions, limits.get("operators", self.functions))
        told = min(self.told, limits.get("operators", self.told))
        return replace(self, spread=bool(limits.get("spread", self.spread)), functions=functions, told=told, budget=less)


def limit(settings: Settings, api: str) -> int:
    """How many operators of this API are kept."""
    return min(settings.methods, settings.functions) if ".Tensor." in api else settings.functions
