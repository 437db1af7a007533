"""How long a phase will still take. The clock is passed in."""

from dataclasses import dataclass

LEAST_SECONDS = 1.0  # of watching, before anything is said
LEAST_SHARE = 0.02


@dataclass(slots=True)
class Pace:
    """Watches the share that is done. Owner: the window. All times in seconds of any steady clock."""

    phase: str | None = None
    start: float = 0.0
    first: float = 0.0
    left: float | None = None

    def watch(self, phase: str | None, share: float | None, now: float) -> float | None:
        """Return the seconds that are left in this phase; None while that cannot be known.

        share: 0..1 of the phase, None = not known. A new phase starts anew.
        """
        if phase != self.phase or share is None:
            self.phase, self.start, self.first, self.left = phase, now, share or 0.0, None
            return None
        gone, done = now - self.start, share - self.first
        if gone < LEAST_SECONDS or done < LEAST_SHARE:
            return None
        self.left = gone * (1.0 - share) / done
        return self.left
