"""The read API (DESIGN §5.3): GET only, over the archive, for programs and for the web page."""
