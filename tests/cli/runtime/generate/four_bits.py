"""Reads models: no loop or scan makes integers of 4 bits, since no Gather picks them; some branches do."""

from __future__ import annotations

import json
import sys
from collections import Counter

made: Counter[str] = Counter()
for line in sys.stdin:
    model = json.loads(line)
    for body in model.get("bodies", ()):
        outputs = [out for node in model["nodes"][body["first"] : body["last"] + 1] for out in node["outputs"]]
        made[body["kind"]] += any(out["dtype"] in ("int4", "uint4") for out in outputs)
print(dict(made))
sys.exit(bool(made["loop"] or made["scan"] or not made["if"]))
