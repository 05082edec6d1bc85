"""The read API: GET only, over the archive, for programs and for pages of the user's own."""
