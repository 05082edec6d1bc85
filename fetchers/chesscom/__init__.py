"""chess.com, by its Published Data API."""
