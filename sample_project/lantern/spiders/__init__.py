"""Spiders of the sample project."""
