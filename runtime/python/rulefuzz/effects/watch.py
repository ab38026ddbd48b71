"""Observes the effects of calls during a run of the reference, and whether they have a defined meaning."""

from __future__ import annotations

from typing import Any

from rulefuzz.effects.effect import Effect
from rulefuzz.framework import Framework
from rulefuzz.model import Node, Raised, Ref, Values, at_work, leaves
from rulefuzz.oracle import compare


class Watch:
    """One run. Call `before` and `after` around each call."""

    def __init__(self, framework: Framework) -> None:
        self._framework = framework
        self.effects: list[Effect] = []
        self.undefined = False
        """Whether a call writes twice to one address or to a tensor that requires a gradient, or reads its own writes in an
        undefined order."""
        self.taken: Values = {}
        """The operands of the current call as they were before it."""
        self._versions: dict[int, int] = {}

    @property
    def any(self) -> bool:
        """Whether a call wrote to memory of an earlier tensor."""
        return any(effect.writes for effect in self.effects)

    def before(self, node: Node, values: Values) -> None:
        """Call it before a call."""
        own = {leaf.id for arg in node.args for leaf in leaves(arg.value) if isinstance(leaf, Ref) and not leaf.copy}
        self._versions = {i: self._framework.version(values[i]) for i in own}
        self.taken = {i: self._framework.copy(values[i]) for i in own}

    def after(self, node: Node, values: Values, results: list[Any]) -> Effect:
        """The effect of the call."""
        places = self._framework.places
        written = {i for i, version in self._versions.items() if self._framework.version(values[i]) != version}
        memory = set().union(*(places(values[i]) for i in written))
        of_results = set().union(*map(places, results))
        made = {out.id for out in node.outputs}
        earlier = {i: places(t) for i, t in values.items() if i not in made} if memory or of_results else {}
        effect = Effect(frozenset(i for i, at in earlier.items() if at & memory),
                        frozenset(i for i, at in earlier.items() if at & of_results))  # fmt: skip
        if not written:
            self.taken = {}
        self.undefined = self.undefined or (bool(written) and self._is_undefined(node, values, written))
        self.effects.append(effect)
        return effect

    def _is_undefined(self, node: Node, values: Values, written: set[int]) -> bool:
        framework = self._framework
        if any(framework.overlaps(values[i]) or framework.requires_gradient(values[i]) for i in written):
            return True
        others = [(i, k) for i in written for k in self._versions if k != i]
        meets = {framework.meets(values[i], values[k]) for i, k in others}
        return "partly" in meets or ("same" in meets and self._depends(node, values))

    def _depends(self, node: Node, values: Values) -> bool:
        """Whether the call has other results if its operands share no memory."""
        apart = {i: self._framework.copy(t) for i, t in self.taken.items()}
        try:
            at_work(self._framework.run, [node], {**values, **apart})
        except Raised:
            return True
        seen = self._framework.seen
        return not all(compare.same(seen(apart[i]), seen(values[i])) for i in self._versions)
