"""Records of the calls of recorded chains."""
