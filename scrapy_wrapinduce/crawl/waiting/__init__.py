"""Pages that wait for their wrapper, and how they come back."""
