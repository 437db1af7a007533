"""From a folder to classes and photos: what is there, what is left out and why, copies, and the split."""
