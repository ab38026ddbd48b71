# Tests torch with Hypothesis and the rules: pip install rulesmith-….whl hypothesis torch; pytest test_conv2d.py
import torch
from hypothesis import given, settings

from rulesmith.strategies import calls


@settings(deadline=None, derandomize=True)
@given(calls("torch.nn.functional.conv2d"))
def test_conv2d(call):
    args, kwargs = call.arguments(lambda t: torch.ones(t.shape))
    out = torch.nn.functional.conv2d(*args, **kwargs)
    assert tuple(out.shape) == call.shapes[0]


# Calls that violate one constraint: torch must reject them.
@settings(deadline=None, derandomize=True)
@given(calls("torch.matmul", valid=False))
def test_rejected(call):
    args, kwargs = call.arguments(lambda t: torch.ones(t.shape))
    try:
        torch.matmul(*args, **kwargs)
    except RuntimeError:
        return
    raise AssertionError(f"torch accepts {call}, the rule rejects it")
