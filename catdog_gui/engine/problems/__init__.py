"""A report about a problem that can be sent to strangers."""
