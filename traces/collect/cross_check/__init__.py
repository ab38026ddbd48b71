"""Cross-checks of single calls against the live kernels: `rulefuzz verify --cross-check`."""
