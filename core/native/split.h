/* Where games begin in a block of text, by the rules of core.pgn.splitter. */

#ifndef GAMEKEEPER_SPLIT_H
#define GAMEKEEPER_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPLIT_MORE, SPLIT_FULL, SPLIT_DOUBT };

/* The ends of the games of a text that begins with one; each game goes on from the end of the one before. Of the last
   one, which may go on beyond the text, there is an end only if the text is the last. SPLIT_DOUBT says that Python has to
   look at the game after the last end, SPLIT_FULL that there is no more room. */
int split_games(const uint8_t *text, size_t length, bool last, size_t longest, size_t *ends, size_t room, size_t *count);

#endif
