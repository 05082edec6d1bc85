"""Games, tellings and players as the writing side stores them."""
