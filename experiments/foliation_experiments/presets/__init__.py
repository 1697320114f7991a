"""Beyond the papers: the search behind the names "image", "series" and "channels", and what they reach."""
