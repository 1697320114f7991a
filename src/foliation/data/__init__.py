"""X, y, weights and groups as the core reads them."""
