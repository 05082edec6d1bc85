"""Everything that touches the world: archive, schedule, files, commands, API."""
