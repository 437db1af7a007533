"""Drawn cats and dogs, so that everything can be tried with no photos and no network."""

from catdog_gui.engine.samples.sets import SampleSet, draw_samples

__all__ = ["SampleSet", "draw_samples"]
