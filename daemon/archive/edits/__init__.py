"""Edits in the archive: their rows, and the games that they make."""
