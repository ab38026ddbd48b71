"""The frameworks, one adapter each: see rulefuzz.framework. NAME.py is loaded when its framework is asked for."""
