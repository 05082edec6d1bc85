"""One module per site: each turns the answers of a site into `core.game.Game`."""
