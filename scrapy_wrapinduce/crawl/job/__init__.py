"""A job that survives ``kill -9``: the journal, and the scheduler and feeds that keep to it."""
