"""Networks by name, their weights, and their frozen stages over photos on the fastest engine here."""
