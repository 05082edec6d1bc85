"""Dossiers: whom they are about, as the archive keeps them, and which players are one person."""
