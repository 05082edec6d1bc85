"""The chess sites that gamekeeper asks, a module each: each turns a site's answers into `core.game.Game`."""
