"""The search: which games are asked for, and the quickest way to them."""
