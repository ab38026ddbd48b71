"""How a framework is asked, and its answers judged."""
