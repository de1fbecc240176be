"""Where parked pages and wrappers live."""
