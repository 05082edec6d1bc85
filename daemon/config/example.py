"""The commented example that `init` writes: the same text as `config.example.toml` (a test compares the two)."""

from importlib import resources


def text() -> str:
    """The example's text."""
    return (resources.files("daemon.config") / "config.example.toml").read_text(encoding="utf-8")
