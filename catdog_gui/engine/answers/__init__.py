"""Models asked: one photo, a folder, a labelled folder; and what is done with the answers."""
