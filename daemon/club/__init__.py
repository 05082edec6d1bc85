"""Club evenings: what a tournament director can do with the archive.

The rules are in `core.club`, the SQL in the archive.
"""
