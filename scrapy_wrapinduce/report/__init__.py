"""What a wrapper reads, as one HTML file that people can look at."""

from .build import ReportPage, build_report

__all__ = ["ReportPage", "build_report"]
