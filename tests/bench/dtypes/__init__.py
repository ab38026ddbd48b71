"""Questions about dtypes: which combinations a call accepts, and what comes out."""
