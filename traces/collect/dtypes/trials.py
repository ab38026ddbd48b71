"""Runs a situation with other dtypes: all equal, then accepted ones with one changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulefuzz.framework import Rejected, Unanswered
from traces.collect.call import arglist
from traces.collect.dtypes import letters
from traces.collect.dtypes.situations import Situation
from traces.collect.judge.framework import Framework, NotTensors

MOST, MOST_OF_MANY = 900, 700
"""Trials of a situation with one or two slots, and with more."""
OUTPUTS = 90
"""Distinct outputs of a situation that a table can represent; other calls count as not tried."""
PAIR = 2
"""Of more slots, numbers and tensors without dimensions are tried in the recorded call only."""
FILLS = ("ones", "normal")
"""Elements of the trials: the first kind that the recorded call accepts. The second contains 0, a possible divisor."""


def like(own: str, letter: str) -> str:
    """A dtype's letter for a tensor with dimensions, or without, as `own` is."""
    return letter.upper() if own.isupper() else letter


@dataclass
class Trials:
    """The outcomes of a situation."""

    framework: Framework
    situation: Situation
    dtypes: Sequence[str]
    found: dict[str, str | None] = field(default_factory=dict)
    """By word: the letters of the outputs, "-" if rejected, None if there is no answer."""

    fill: str = FILLS[0]

    def full(self) -> bool:
        """Whether there are enough trials."""
        return len(self.found) >= (MOST if len(self.situation.slots) <= PAIR else MOST_OF_MANY)

    def accepted(self, word: str) -> bool:
        """Runs a word unless it is known; whether it is accepted."""
        if word not in self.found and not self.full():
            self.found[word] = self._outcome(word)
        return self.found.get(word) not in (None, letters.REJECTED)

    def _outcome(self, word: str) -> str | None:
        situation = self.situation
        try:
            compiled = self.framework.compile(situation.record["api"], situation.args(word))
            outputs = self.framework.run(compiled, situation.values, self.fill)
        except Rejected:
            return letters.REJECTED
        except (Unanswered, NotTensors):
            return None
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):  # no such dtype, or it has no value that fits
            return None
        found = "".join(letters.letter(dtype) or "?" for _, dtype in outputs)
        return found if len(outputs) == len(situation.record["outputs"]) and "?" not in found else None

    def alphabets(self) -> list[str]:
        """The letters to try in each slot."""
        situation, every = self.situation, "".join(map(letters.letter, self.dtypes))
        leaves = [leaf for leaf in arglist.leaves(situation.args(situation.word)) if isinstance(leaf, dict)]
        ranged = {id(leaf) for leaf in leaves if "range" in leaf}
        plain = situation.trying.numbers and not ranged
        found = []
        for place, own in enumerate(situation.word):
            if own in letters.NUMBERS:
                found.append("".join(letters.NUMBERS))
                continue
            alphabet = every if own.lower() in every else every + own.lower()
            if own.isupper():
                found.append(alphabet.upper())
                continue
            before, after = situation.word[:place], situation.word[place + 1 :]
            if plain and self._is_tensor(place):
                alphabet += alphabet.upper() if self.accepted(before + own.upper() + after) else ""
                alphabet += "".join(letters.NUMBERS) if self.accepted(before + "1" + after) else ""
            found.append(alphabet)
        return found

    def _is_tensor(self, place: int) -> bool:
        """Whether a slot is a tensor with dimensions."""
        changed = self.situation.args(self.situation.word[:place] + "N" + self.situation.word[place + 1 :])
        return any(leaf.get("tensor") == [] for leaf in arglist.leaves(changed) if isinstance(leaf, dict))

    def alike(self) -> Iterator[str]:
        """The word with one dtype in all slots, and with one in those of the most common dtype."""
        word = self.situation.word
        tensors = [letter.lower() for letter in word if letter not in letters.NUMBERS]
        main = max(tensors, key=tensors.count) if tensors else ""
        for dtype in map(letters.letter, self.dtypes):
            yield "".join(like(letter, dtype) if letter.lower() == main else letter for letter in word)
            yield "".join(letter if letter in letters.NUMBERS else like(letter, dtype) for letter in word)

    def recorded(self) -> Iterator[str]:
        """The words of the recorded combinations."""
        tensors = [place for place, letter in enumerate(self.situation.word) if letter not in letters.NUMBERS]
        for row, _ in self.situation.record["dtypes"]:
            own = "".join(map(letters.letter, row))
            if len(own) == len(tensors) == len(row):
                word = list(self.situation.word)
                for place, letter in zip(tensors, own, strict=True):
                    word[place] = like(word[place], letter)
                yield "".join(word)

    def run(self) -> dict[str, str | None]:
        """All outcomes."""
        for self.fill in FILLS:
            if self.accepted(self.situation.word):
                break
            self.found.clear()
        else:
            return {}
        alphabets = self.alphabets()
        first = [self.situation.word, *self.alike(), *self.recorded()]
        queue = [word for word in dict.fromkeys(first) if self.accepted(word)]
        done = set(queue)
        for word in queue:  # grows
            for place, alphabet in enumerate(alphabets):
                for letter in alphabet:
                    changed = word[:place] + letter + word[place + 1 :]
                    few = len(alphabets) <= PAIR or word == self.situation.word or letter.islower()
                    if not self.full() and changed not in done and few and self.accepted(changed):
                        done.add(changed)
                        queue += [changed] * (len(alphabets) <= PAIR or changed.islower())
        return self.found


def text(found: Mapping[str, str | None]) -> tuple[list[str], list[str]]:
    """The outcomes in short: the distinct outputs, and for each beginning of words a line `beginning:outcomes`, a letter for
    each last letter of the words in the order a…s A…S 0…3: the outputs' place from `!` on, `-` rejected, `.` not tried."""
    outputs = sorted({outcome for outcome in found.values() if outcome and outcome != letters.REJECTED})
    last = [chr(ord("a") + k) for k in range(len(letters.DTYPES))]
    last += [letter.upper() for letter in last] + list(letters.NUMBERS)
    rows: dict[str, list[str]] = {}
    del outputs[OUTPUTS:]
    for word, outcome in sorted(found.items()):
        if outcome in (*outputs, letters.REJECTED):
            row = rows.setdefault(word[:-1], [letters.UNTRIED] * len(last))
            row[last.index(word[-1])] = letters.REJECTED if outcome == letters.REJECTED else _place(outputs.index(outcome))
    return outputs, [f"{start}:{''.join(row).rstrip(letters.UNTRIED)}" for start, row in rows.items()]


def _place(number: int) -> str:
    """The letter of an outcome: from `!` on, without `-` and `.`."""
    return chr(33 + number) if number < 12 else chr(47 - 12 + number)
