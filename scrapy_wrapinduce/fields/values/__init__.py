"""Single values: how they are written, cleaned and kept."""
