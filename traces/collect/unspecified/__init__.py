"""What no specification defines: single calls on special inputs, by independent implementations."""
