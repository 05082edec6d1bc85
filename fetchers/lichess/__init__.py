"""lichess.org, and any other server that runs lila."""
