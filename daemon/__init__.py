"""All of gamekeeper that touches the world: archive, schedule, files, commands, API."""
