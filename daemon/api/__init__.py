"""The read API: GET only, over the archive, for programs and for the web page."""
