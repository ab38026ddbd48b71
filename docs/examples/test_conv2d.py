# A Hypothesis test of torch by the rules: pip install rulesmith-….whl hypothesis torch; pytest test_conv2d.py
import torch
from hypothesis import given, settings

from rulesmith.strategies import calls


@settings(deadline=None, derandomize=True)
@given(calls("torch.nn.functional.conv2d"))
def test_conv2d(call):
    args, kwargs = call.arguments(lambda t: torch.ones(t.shape))
    out = torch.nn.functional.conv2d(*args, **kwargs)
    assert tuple(out.shape) == call.shapes[0]


# And what is nearly valid: torch must refuse it.
@settings(deadline=None, derandomize=True)
@given(calls("torch.matmul", near_miss=True))
def test_refused(call):
    args, kwargs = call.arguments(lambda t: torch.ones(t.shape))
    try:
        torch.matmul(*args, **kwargs)
    except RuntimeError:
        return
    raise AssertionError("torch takes what the rule refuses")
