"""A guard page kills a process that accesses memory past a tensor."""

import ctypes
import os
import signal
import unittest

from traces.collect.judge.fence import fenced


class Fence(unittest.TestCase):
    """fence.fenced."""

    def test_ends_where_it_says(self) -> None:
        """All bytes can be read and written, and the next one kills; for a page, and for other sizes."""
        for size in (1, 12, 4096, 5000):
            memory = fenced(size)
            self.assertEqual(len(memory), size)
            memory[:] = b"x" * size
            self.assertEqual(memory[size - 1], ord("x"))
            child = os.fork()
            if not child:
                signal.signal(signal.SIGSEGV, signal.SIG_DFL)
                ctypes.string_at(ctypes.addressof(ctypes.c_char.from_buffer(memory)) + size, 1)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            self.assertEqual(os.WTERMSIG(status), signal.SIGSEGV)


if __name__ == "__main__":
    unittest.main()
