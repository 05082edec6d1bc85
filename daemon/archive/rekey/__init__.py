"""Makes the keys of all players and games again, when the rules have changed."""
