"""A forest on one page: an HTML file that needs nothing else, for the screen, for paper and for screen readers."""

from foliation.report.page import write_report

__all__ = ["write_report"]
