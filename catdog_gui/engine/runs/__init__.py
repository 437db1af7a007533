"""Run folders: made, locked, listed, watched and read back. Neither torch nor Qt."""
