"""What a framework has for operators of a user's own, beside plain functions."""
