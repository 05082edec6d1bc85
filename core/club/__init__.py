"""Club evenings: the rules of Keizer tables and pairings, and of the ratings and files around them. Pure, exact."""
