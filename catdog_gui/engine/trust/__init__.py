"""Why a model answers as it does, and how it answers poor photos."""
