"""Model files: a forest as a header and raw arrays, checked before use; nothing in a file is ever executed."""
