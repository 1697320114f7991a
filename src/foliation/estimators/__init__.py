"""Forests as scikit-learn's estimators."""
