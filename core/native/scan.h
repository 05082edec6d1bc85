/* Tags and movetext as nearly all programs write them. Whatever else PGN knows is refused, and left to Python. */

#ifndef GAMEKEEPER_SCAN_H
#define GAMEKEEPER_SCAN_H

#include "board.h"

enum { MAX_TAGS = 64, MAX_PLIES = 4096, MAX_CASTLINGS = 2 };

typedef struct {
    size_t name, name_length;
    size_t value, value_length; /* between the quotation marks */
    int known;                  /* its place in KNOWN_TAGS, or -1 */
    bool escaped;               /* there are backslashes in it */
} Tag;

typedef struct {
    Tag tags[MAX_TAGS];
    int count;
    size_t end;     /* where the movetext begins */
    bool own_start; /* the tags may say that the game starts elsewhere, or has other rules */
    bool nil_nil;   /* the Result tag may say that both have lost */
} Header;

enum { NO_END, WHITE_WINS, BLACK_WINS, DRAW, UNFINISHED };

typedef struct {
    uint16_t moves[MAX_PLIES];
    int count;
    int castlings[MAX_CASTLINGS];
    int castling_count;
    int end;
    bool comments;
    bool variations;
} Line;

/* The tags that have a usual spelling, as in core.pgn.tags. */
typedef struct {
    const char *name;
    size_t length;
} KnownTag;
extern const KnownTag KNOWN_TAGS[];
extern const int KNOWN_TAG_COUNT;

enum { BINARY, UTF_8, NOT_UTF_8 };

/* What the bytes are; with control characters they are binary. */
int scan_bytes(const uint8_t *text, size_t length);

/* Read the tags that the text begins with; false if anything about them is unusual. */
bool scan_header(const uint8_t *text, size_t length, Header *header);

/* Read and play the movetext from an index on; false if anything about it is unusual, or wrong. */
bool scan_movetext(const uint8_t *text, size_t length, size_t at, bool nil_nil, Board *board, Line *line);

#endif
