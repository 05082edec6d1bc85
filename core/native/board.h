/* A position of chess or Chess960, and the legal move that somebody has written. */

#ifndef GAMEKEEPER_BOARD_H
#define GAMEKEEPER_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum { WHITE = 0, BLACK = 8 }; /* added to the kind of piece */
enum { A_SIDE, H_SIDE };

/* Squares are 16 * rank + file: what is not on the board has a bit of 0x88. */
#define ON_BOARD(square) (((square) & 0x88) == 0)
#define NOWHERE (-1)

typedef struct {
    uint8_t at[128];
    int king[2];
    int rook[2][2]; /* of colour and side: where the rook is that may still castle, or NOWHERE */
    int passed;     /* the square that a pawn has just passed, or NOWHERE */
    uint8_t turn;
    bool check; /* to the side that is to move */
    bool chess960; /* castlings are given as king takes rook */
} Board;

/* A move as it is written. */
typedef struct {
    uint8_t kind;     /* PAWN to KING; EMPTY for a castling */
    uint8_t side;     /* of the castling */
    int8_t from_file; /* -1 if it is not written */
    int8_t from_rank;
    int8_t to;
    uint8_t becomes; /* what the pawn becomes, or EMPTY */
} Written;

/* Set up a position in the normal form of core.pgn.positions; false if it is not one. */
bool board_set(Board *board, const char *text, size_t length, bool chess960);

/* Play the one legal move that is written. Gives its two bytes as core.move_bytes has them, and whether it is a
   castling; false, with the board as it was, if no move or more than one is meant. */
bool board_play(Board *board, const Written *written, uint16_t *code, bool *castling);

#endif
