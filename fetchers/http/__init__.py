"""The one door to HTTP, and what it uses: deadlines, bounds, errors, identity."""
