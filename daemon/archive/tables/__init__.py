"""The tables of the archive."""
