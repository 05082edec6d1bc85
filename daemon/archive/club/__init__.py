"""Club tournaments in the archive."""
