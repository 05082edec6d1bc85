#include "opening.h"

#include <stdbool.h>

enum { NOTHING = -1, WHITE_PAWN = 0, WHITE_KING = 5, BLACK_PAWN = 6, BLACK_KING = 11 };
enum { BLACK_MOVES = 12 * 64, RIGHTS = 12 * 64 + 1 };
enum { A1 = 0, E1 = 4, H1 = 7, A8 = 56, E8 = 60, H8 = 63 };

typedef struct {
    int8_t at[64]; /* indices in PNBRQKpnbrqk, or NOTHING */
    unsigned rights;
    uint64_t number;
    const uint64_t *numbers;
} Position;

static void set_first(Position *position, const uint64_t *numbers) {
    static const int8_t row[8] = {3, 1, 2, 4, 5, 2, 1, 3};
    for (int file = 0; file < 8; file++) {
        position->at[file] = row[file];
        position->at[8 + file] = WHITE_PAWN;
        for (int rank = 2; rank < 6; rank++)
            position->at[8 * rank + file] = NOTHING;
        position->at[48 + file] = BLACK_PAWN;
        position->at[56 + file] = (int8_t)(row[file] + BLACK_PAWN);
    }
    position->rights = 15;
    position->number = 0;
    position->numbers = numbers;
}

/* Take away or put down what is on a square. */
static void change(Position *position, int square) {
    position->number ^= position->numbers[position->at[square] * 64 + square];
}

/* The castling rights that remain when a piece leaves or reaches a square. */
static unsigned left_by(int square) {
    switch (square) {
    case A1: return 13;
    case H1: return 14;
    case E1: return 12;
    case A8: return 7;
    case H8: return 11;
    case E8: return 3;
    default: return 15;
    }
}

static bool take_away(Position *position, int square) {
    if (square < 0 || square > 63 || position->at[square] == NOTHING)
        return false;
    change(position, square);
    position->at[square] = NOTHING;
    return true;
}

static void put_down(Position *position, int square, int8_t piece) {
    position->at[square] = piece;
    change(position, square);
}

/* The rook goes with the king. */
static bool castle(Position *position, int to) {
    int from = to == E1 + 2 ? H1 : to == E1 - 2 ? A1 : to == E8 + 2 ? H8 : A8;
    int8_t rook = position->at[from];
    if (!take_away(position, from))
        return false;
    put_down(position, from == H1 || from == H8 ? to - 1 : to + 1, rook);
    return true;
}

static bool move(Position *position, uint16_t code) {
    int from = code >> 10, to = code >> 4 & 63, becomes = code & 15;
    int8_t piece = position->at[from];
    bool pawn = piece == WHITE_PAWN || piece == BLACK_PAWN, king = piece == WHITE_KING || piece == BLACK_KING;
    if (from == to || becomes > 5 || (becomes && !pawn) || !take_away(position, from))
        return false;
    position->number ^= position->numbers[BLACK_MOVES];
    if (position->at[to] != NOTHING) {
        take_away(position, to);
    } else if (pawn && (to - from) % 8 != 0) { /* en passant */
        if (!take_away(position, piece == WHITE_PAWN ? to - 8 : to + 8))
            return false;
    } else if (king && ((from == E1 && (to == E1 + 2 || to == E1 - 2)) ||
                        (from == E8 && (to == E8 + 2 || to == E8 - 2)))) {
        if (!castle(position, to))
            return false;
    }
    if (becomes)
        piece = (int8_t)(becomes + (piece == BLACK_PAWN ? BLACK_PAWN : WHITE_PAWN)); /* NBRQK follow P */
    put_down(position, to, piece);
    unsigned left = position->rights & left_by(from) & left_by(to);
    position->number ^= position->numbers[RIGHTS + position->rights] ^ position->numbers[RIGHTS + left];
    position->rights = left;
    return true;
}

/* The keys are numbers by chance, so that a key is near the place where it would be if they were evenly spread. */
static ptrdiff_t look_up(uint64_t number, const uint64_t *keys, size_t known) {
    enum { STEP = 8 };
    size_t at = (size_t)((number >> 32) * known >> 32);
    while (at + STEP < known && keys[at + STEP] <= number)
        at += STEP;
    while (at > 0 && keys[at] > number)
        at -= at < STEP ? at : STEP;
    while (at < known && keys[at] < number)
        at++;
    return at < known && keys[at] == number ? (ptrdiff_t)at : OPENING_NONE;
}

ptrdiff_t opening_find(const uint16_t *moves, size_t count, const uint64_t *numbers, const uint64_t *keys, size_t known) {
    Position position;
    ptrdiff_t found = OPENING_NONE;
    set_first(&position, numbers);
    for (size_t i = 0; i < count; i++) {
        if (!move(&position, moves[i]))
            return OPENING_DOUBT;
        ptrdiff_t place = look_up(position.number, keys, known);
        if (place != OPENING_NONE)
            found = place;
    }
    return found;
}
