"""Models run by a framework's reference alone: one, and many in children."""
