"""`gamekeeper verify`: checks that everything in the archive is consistent, and says what can be repaired."""
