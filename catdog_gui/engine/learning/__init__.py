"""What learns, and all that one step of it needs; the order of events is in `training`."""
