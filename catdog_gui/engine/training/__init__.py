"""`fit` and `resume`: the recipe of a run, from a folder to a model, and how it goes on after a stop."""
