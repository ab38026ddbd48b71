"""Short scripts of models that are functions of arrays and do not write to them."""

from __future__ import annotations

from rulefuzz.framework import Short
from rulefuzz.model import Model
from rulefuzz.script import spell


def _both(form: str) -> str:
    return f"{form.format('actual')}, {form.format('expected')}"


def short(model: Model, text: str, said: dict[int, str], compared: str, limits: tuple[float, float], writes: bool,
          imports: tuple[str, ...], *, array: str = "{}", floats: str) -> Short:  # fmt: skip
    """See Framework. `text`: the function. `array`: converts a result for an exact comparison; `floats`: for one with a
    tolerance."""
    if compared != "outputs" or writes:
        raise NotImplementedError("inputs that are compared afterwards")
    if len(model.outputs) == 1:
        text = text.replace(f"    return (v{model.outputs[0]},)\n", f"    return v{model.outputs[0]}\n")
    lines = spell.mixing(said.values()) + [f"c{t.id} = {said[t.id]}" for t in model.constants]
    lines += ["", *text.splitlines(), ""]
    lines += [f"x{t.id} = {said[t.id]}" for t in model.fed]
    lines.append(f"inputs = [{', '.join(f'x{t.id}' for t in model.fed)}]")
    absolute, relative = limits
    compare = f"np.testing.assert_array_equal({_both(array)}, strict=True)"
    if absolute or relative:
        compare = f"np.testing.assert_allclose({_both(floats)}, rtol={relative!r}, atol={absolute!r}, strict=True)"
    return Short(imports, "\n".join(lines), "expected = model(*inputs)", compare)
