"""The architectures that `make zoo` builds."""

from __future__ import annotations

import unittest

try:
    from traces.collect.zoo.modules import architectures
except ImportError:
    raise unittest.SkipTest("no torch") from None


class Names(unittest.TestCase):
    """Class names in transformers."""

    def test_classes(self) -> None:
        """A name that only starts like "for" states no purpose: make zoo failed at PoolFormer."""
        for name, wanted in (
            ("PoolFormer", "PoolFormerModel"),
            ("Segformer", "SegformerModel"),
            ("ResNetForImageClassification", "ResNetForImageClassification"),
        ):
            with self.subTest(name):
                self.assertIn(name, list(architectures.names()))
                self.assertEqual(architectures.class_of(name), wanted)


if __name__ == "__main__":
    unittest.main()
