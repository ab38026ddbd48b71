"""Memory that ends at an inaccessible page: reading or writing beyond it kills the process.

Some kernels trust their input. They read as many numbers from a tensor as another tensor's shape implies, and if it has fewer,
they read the memory behind it. Such a call passes by accident and is no evidence for the operator's rule. With its tensors
behind fences it dies every time, and is recorded as rejected.
"""

from __future__ import annotations

import ctypes
import mmap
import os

PROT_NONE = 0


def fenced(size: int) -> memoryview:
    """At least `size` bytes (minimum one) that end at the inaccessible page. They live as long as the view or a buffer over
    it."""
    whole = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, whole + mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if ctypes.CDLL(None, use_errno=True).mprotect(ctypes.c_void_p(address + whole), mmap.PAGESIZE, PROT_NONE):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return memoryview(memory)[whole - size : whole]
