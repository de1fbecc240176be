"""Candidates as columns: what each holds, what the page calls it, and the field that it becomes."""
