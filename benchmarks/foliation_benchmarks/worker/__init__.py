"""One measurement in a fresh process. Knows nothing of foliation, so that peers can live in environments without it."""
