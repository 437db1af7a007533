"""The learning rate as a pure function of the step."""

import math


def learning_rate_factor(step: int, steps: int, *, warmup: float, schedule: str) -> float:
    """0..1, what to multiply the largest learning rate with. step: 0-based; warmup: share of the steps.

    Linear warm-up, then half a cosine to 0 (Loshchilov & Hutter 2017) or constant.
    """
    rising = round(warmup * steps)
    if step < rising:
        return (step + 1) / (rising + 1)
    if schedule == "constant" or steps <= rising:
        return 1.0
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (step - rising) / (steps - rising))))
