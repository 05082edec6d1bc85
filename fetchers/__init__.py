"""The chess sites that gamekeeper asks, a folder each: each turns a site's answers into `core.game.Game`."""
