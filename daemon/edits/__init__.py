"""What the user says about games and players: edits, and answers on near doubles."""
