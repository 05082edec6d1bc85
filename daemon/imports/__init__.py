"""From PGN files to games in the archive: finding, opening, cutting, parsing, storing."""
