"""The benchmark: our forests and their peers in turn, each in a fresh process, on the same data."""
