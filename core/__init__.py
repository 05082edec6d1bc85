"""gamekeeper's rules and values: no clock, file, network, database or log."""
