"""How long a run will take on this computer, and how much memory, before it begins."""
