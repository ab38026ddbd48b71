"""Memory that ends at a fence: whoever reads or writes a byte beyond it is killed.

Some kernels trust what they are given. They take as many numbers from a tensor as another tensor's shape leads them to
expect, and where it has fewer, what happens to lie behind it. Such a call passes, by chance, and says nothing about what
the operator accepts. With its tensors behind fences it dies, each time, and is recorded as refused.
"""

from __future__ import annotations

import ctypes
import mmap
import os

PROT_NONE = 0


def fenced(size: int) -> memoryview:
    """So many bytes, at least one, whose end is the end of what may be touched. They live as long as the view or a
    buffer over it does."""
    whole = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, whole + mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if ctypes.CDLL(None, use_errno=True).mprotect(ctypes.c_void_p(address + whole), mmap.PAGESIZE, PROT_NONE):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return memoryview(memory)[whole - size : whole]
