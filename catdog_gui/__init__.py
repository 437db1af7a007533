"""Turn a folder of photos into a classifier one can trust: the window, the command line and the engine."""

__version__ = "0.1.0"
