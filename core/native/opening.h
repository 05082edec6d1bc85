/* The last position of a line that a book knows, by the numbers of core.openings. */

#ifndef GAMEKEEPER_OPENING_H
#define GAMEKEEPER_OPENING_H

#include <stddef.h>
#include <stdint.h>

/* A number for each of PNBRQKpnbrqk on each square, one for Black to move, and one for each set of castling rights. */
enum { OPENING_NUMBERS = 12 * 64 + 1 + 16 };
enum { OPENING_NONE = -1, OPENING_DOUBT = -2 };

/* Its place among the keys, which are in order. Moves are two bytes each, as core.move_bytes has them; OPENING_DOUBT
   if one of them is no move of the piece that is there. */
ptrdiff_t opening_find(const uint16_t *moves, size_t count, const uint64_t *numbers, const uint64_t *keys, size_t known);

#endif
