"""TensorFlow 2.21.0: tf.raw_ops.IRFFT2D does not refuse a length of 0

Run with any Python that has tensorflow-cpu 2.21.0. The call runs in a child process; prints how it ended.
Expected: an exception (InvalidArgumentError). Seen: the process is killed by SIGABRT.
"""

import os
import subprocess
import sys

CALL = """
import numpy as np
import tensorflow as tf
try:
    print(tf.raw_ops.IRFFT2D(input=np.ones((1, 1), np.complex64), fft_length=np.array([1, 0], np.int32)))
except Exception as error:
    print(type(error).__name__, error)
"""

if __name__ == "__main__":
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
    child = subprocess.run([sys.executable, "-c", CALL], env=environment, capture_output=True, text=True)
    print(f"ended by signal {-child.returncode}" if child.returncode < 0 else f"no crash: {child.stdout.strip()}")
    print("\n".join(line for line in child.stderr.splitlines() if "Check fail" in line))
