"""The one door to HTTP, and what stands behind it: deadlines, bounds, errors, identity."""
