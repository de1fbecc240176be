"""What wrappers read, as one HTML file that people can look at."""

from .build import build_crawl_report, build_report
from .subject import ReportPage, Subject

__all__ = ["ReportPage", "Subject", "build_crawl_report", "build_report"]
