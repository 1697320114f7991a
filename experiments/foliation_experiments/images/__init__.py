"""MORF on handwritten digits: errors and importances."""
