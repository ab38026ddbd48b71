"""What a call is: its form, without a framework."""
