"""The file that answers, and what makes a verdict out of its scores: calibration, limits, figures. Numpy only."""
