"""Geodesic Forests: distances on manifolds under noise, between neurons, and what finds them."""
