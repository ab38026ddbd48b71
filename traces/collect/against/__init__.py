"""Second opinions on single calls, held against the live kernels: `rulefuzz verify --against` (docs/verify-against.md)."""
