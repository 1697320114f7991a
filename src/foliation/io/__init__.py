"""Model files and exports. Nothing in a file is ever executed, and all of it is checked before use."""
