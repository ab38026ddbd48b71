"""Settings of targets that vary per model. One file for each target that has any, with the target's name.

SETTINGS      {name: values}, one line each, the default first; C reads them as text
SHARE         per mille of the models that have any, in `rulefuzz run`; optional; C reads it as text
ONE_SHAPE     names of settings with which the compiled model takes only the shapes of the first inputs; optional
LOOSE         {name: values} with which the target does not keep strides and aliases; optional
COSTLY        names of settings that the fast path cannot apply, in one line; few models get them; optional; read by C, too
configure     called by the target's `compile` with the settings that are not the default; scripts copy it
plain         lines of a short script that call the target with these settings
"""
