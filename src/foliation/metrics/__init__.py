"""Scores of distances: geodesic precision and recall."""

from foliation.metrics.geodesic import geodesic_chance, geodesic_precision, geodesic_recall

__all__ = ["geodesic_chance", "geodesic_precision", "geodesic_recall"]
