"""The frameworks' adapters (see rulefuzz.framework). NAME.py is loaded when its framework is used."""
