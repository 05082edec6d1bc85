"""The chess sites, a module each: each turns a site's answers into `core.game.Game`."""
