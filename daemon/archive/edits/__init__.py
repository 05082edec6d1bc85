"""Edits in the archive: the rows that note them, and the games that they make."""
