"""From photos to a store: each is read once, and what is frozen is computed once."""
