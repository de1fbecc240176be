"""Learn page templates and turn templated pages into named items."""
