"""The parameters of a collection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Budget:
    """The number of inputs tried and kept per operator."""

    trials: int = 500
    fruitless: int = 150
    """An operator without a failure after this many trials counts as unconstrained."""
    passing: int = 100
    failing: int = 100
    passing_if_no_failure: int = 60
    elements: int = 1 << 12
    companions: int = 0
    """Joint moves that are tried if many more inputs are rejected than accepted."""

    def for_symbols(self, count: int) -> Budget:
        """Few symbols need few records; only operators with many need all that a file may hold."""
        most = 40 + 8 * count
        return replace(
            self,
            passing=min(self.passing, most),
            failing=min(self.failing, most),
            passing_if_no_failure=min(self.passing_if_no_failure, 20 + 5 * count),
        )


@dataclass(frozen=True)
class Settings:
    """The parameters of a run."""

    seed: int
    budget: Budget
    functions: int = 10
    """Operators kept per function."""
    methods: int = 5
    """Operators kept per method."""
    told: int = 0
    """Operators kept for an API that takes integers in tensors one by one, if that is more."""
    spread: bool = False
    """True if each rank and number of inputs gets an operator before anything else varies."""
    dtypes: bool = False
    """True if each rank and dtype of the outputs gets an operator."""

    def limited(self, limits: Mapping[str, int]) -> Settings:
        """Parameters for an API whose source allows less: `operators` kept, `trials` and passing or failing `records` of
        each; `spread`, `dtypes`: as the fields."""
        budget, most = self.budget, limits.get("records", self.budget.passing)
        less = replace(
            budget,
            trials=min(budget.trials, limits.get("trials", budget.trials)),
            passing=min(budget.passing, most),
            failing=min(budget.failing, most),
            passing_if_no_failure=min(budget.passing_if_no_failure, most),
        )
        functions = limits.get("operators", self.functions)
        functions = functions if limits.get("dtypes") else min(self.functions, functions)
        told = min(self.told, limits.get("operators", self.told))
        return replace(self, spread=bool(limits.get("spread", self.spread)), dtypes=bool(limits.get("dtypes", self.dtypes)),
                       functions=functions, told=told, budget=less)  # fmt: skip


def limit(settings: Settings, api: str) -> int:
    """The number of operators kept for this API."""
    return min(settings.methods, settings.functions) if ".Tensor." in api else settings.functions
