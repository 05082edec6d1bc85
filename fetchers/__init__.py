"""gamekeeper's sites, a module each: each turns the answers of a site into `core.game.Game`."""
