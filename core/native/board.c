#include "board.h"

#include <string.h>

static const int STRAIGHT[4] = {16, -16, 1, -1};
static const int DIAGONAL[4] = {15, 17, -15, -17}; /* upwards first */
static const int ROUND[8] = {16, -16, 1, -1, 15, 17, -15, -17};
static const int JUMPS[8] = {33, 31, 18, 14, -14, -18, -31, -33};

static int colour_of(const Board *board) { return board->turn >> 3; }

static uint8_t other(uint8_t side) { return side ^ BLACK; }

static bool is_own(const Board *board, uint8_t piece) {
    return piece != EMPTY && (piece & BLACK) == board->turn;
}

/* Whether a piece of that side attacks the square. */
static bool is_attacked(const Board *board, int square, uint8_t by) {
    const uint8_t *at = board->at;
    for (int i = 0; i < 8; i++) {
        int from = square + JUMPS[i];
        if (ON_BOARD(from) && at[from] == (KNIGHT | by))
            return true;
    }
    for (int i = 0; i < 8; i++) {
        int step = ROUND[i], from = square + step;
        if (!ON_BOARD(from))
            continue;
        if (at[from] == (KING | by))
            return true;
        /* White's pawns attack from below. */
        if (i >= 4 && at[from] == (PAWN | by) && (step < 0) == (by == WHITE))
            return true;
        while (at[from] == EMPTY) {
            from += step;
            if (!ON_BOARD(from))
                goto next;
        }
        if (at[from] == (QUEEN | by) || at[from] == ((i < 4 ? ROOK : BISHOP) | by))
            return true;
    next:;
    }
    return false;
}

/* The step of the line on which both squares lie, from one to the other, or 0. */
static int step_between(int from, int to) {
    int files = (to & 7) - (from & 7), ranks = (to >> 4) - (from >> 4);
    int file = (files > 0) - (files < 0), rank = (ranks > 0) - (ranks < 0);
    return files == 0 || ranks == 0 || files == ranks || files == -ranks ? 16 * rank + file : 0;
}

/* Whether the first piece from a square on in these steps attacks it from there, and is of that side. */
static bool is_attacked_along(const Board *board, int square, int step, uint8_t by) {
    const uint8_t *at = board->at;
    int from = square + step;
    bool near = true, straight = step == 16 || step == -16 || step == 1 || step == -1;
    while (ON_BOARD(from) && at[from] == EMPTY) {
        from += step;
        near = false;
    }
    if (!ON_BOARD(from))
        return false;
    if (at[from] == (QUEEN | by) || at[from] == ((straight ? ROOK : BISHOP) | by))
        return true;
    return near && (at[from] == (KING | by) || (!straight && at[from] == (PAWN | by) && (step < 0) == (by == WHITE)));
}

/* Whether the king is attacked by a piece of that side on a square, or by one that was covered by what stood there. */
static bool is_hit(const Board *board, int king, int square, uint8_t by) {
    int step = step_between(king, square);
    if (step != 0)
        return is_attacked_along(board, king, step, by);
    if (board->at[square] != (KNIGHT | by))
        return false;
    for (int i = 0; i < 8; i++)
        if (king + JUMPS[i] == square)
            return true;
    return false;
}

/* Whether the own king is safe after the move; victim is a pawn taken in passing, or NOWHERE. */
static bool is_safe(Board *board, int from, int to, int victim) {
    uint8_t *at = board->at;
    uint8_t piece = at[from], target = at[to];
    bool is_king = (piece & 7) == KING, near = !board->check && victim == NOWHERE && !is_king;
    int king = is_king ? to : board->king[colour_of(board)];
    int step = near ? step_between(king, from) : 0;
    if (near && step == 0)
        return true; /* it covers no line to the king */
    uint8_t taken = victim == NOWHERE ? EMPTY : at[victim];
    if (victim != NOWHERE)
        at[victim] = EMPTY;
    at[from] = EMPTY;
    at[to] = piece;
    bool safe = near ? !is_attacked_along(board, king, step, other(board->turn))
                     : !is_attacked(board, king, other(board->turn));
    at[to] = target;
    at[from] = piece;
    if (victim != NOWHERE)
        at[victim] = taken;
    return safe;
}

static uint16_t coded(int from, int to, uint8_t becomes) {
    static const uint8_t letters[7] = {0, 0, 1, 2, 3, 4, 5}; /* nbrqk */
    unsigned origin = (unsigned)((from >> 4) * 8 + (from & 7)), goal = (unsigned)((to >> 4) * 8 + (to & 7));
    return (uint16_t)(origin << 10 | goal << 4 | letters[becomes]);
}

static void lose_rights(Board *board, int square) {
    for (int colour = 0; colour < 2; colour++)
        for (int side = 0; side < 2; side++)
            if (board->rook[colour][side] == square)
                board->rook[colour][side] = NOWHERE;
}

/* Carry out a legal move that is no castling. */
static void carry_out(Board *board, int from, int to, uint8_t becomes, int victim) {
    uint8_t piece = board->at[from];
    int colour = colour_of(board);
    board->at[from] = EMPTY;
    if (victim != NOWHERE)
        board->at[victim] = EMPTY;
    board->at[to] = becomes == EMPTY ? piece : (uint8_t)(becomes | board->turn);
    if ((piece & 7) == KING) {
        board->king[colour] = to;
        board->rook[colour][A_SIDE] = board->rook[colour][H_SIDE] = NOWHERE;
    }
    lose_rights(board, from);
    lose_rights(board, to);
    int distance = to - from;
    board->passed = (piece & 7) == PAWN && (distance == 32 || distance == -32) ? from + distance / 2 : NOWHERE;
    uint8_t mover = board->turn;
    int king = board->king[colour ^ 1];
    board->turn = other(mover);
    board->check = victim != NOWHERE ? is_attacked(board, king, mover)
                                     : is_hit(board, king, to, mover) || is_hit(board, king, from, mover);
}

static bool fits(const Written *written, int from) {
    return (written->from_file < 0 || written->from_file == (from & 7)) &&
           (written->from_rank < 0 || written->from_rank == from >> 4);
}

/* Note a piece that could be the one; false if there is another one already. */
static bool found_one(Board *board, const Written *written, int from, int *origin) {
    if (!fits(written, from) || !is_safe(board, from, written->to, NOWHERE))
        return true;
    if (*origin != NOWHERE)
        return false;
    *origin = from;
    return true;
}

/* Where the one piece is that can go there, or NOWHERE. */
static int find_steps(Board *board, const Written *written, const int *steps, int count, bool far) {
    uint8_t own = written->kind | board->turn;
    int origin = NOWHERE;
    for (int i = 0; i < count; i++) {
        int from = written->to + steps[i];
        while (far && ON_BOARD(from) && board->at[from] == EMPTY)
            from += steps[i];
        if (ON_BOARD(from) && board->at[from] == own && !found_one(board, written, from, &origin))
            return NOWHERE;
    }
    return origin;
}

static bool play_piece(Board *board, const Written *written, uint16_t *code) {
    int origin = NOWHERE, to = written->to;
    if (written->becomes != EMPTY || is_own(board, board->at[to]))
        return false;
    switch (written->kind) {
    case KNIGHT:
        origin = find_steps(board, written, JUMPS, 8, false);
        break;
    case BISHOP:
        origin = find_steps(board, written, DIAGONAL, 4, true);
        break;
    case ROOK:
        origin = find_steps(board, written, STRAIGHT, 4, true);
        break;
    case QUEEN:
        origin = find_steps(board, written, ROUND, 8, true);
        break;
    case KING:
        origin = find_steps(board, written, ROUND, 8, false);
        break;
    }
    if (origin == NOWHERE)
        return false;
    *code = coded(origin, to, EMPTY);
    carry_out(board, origin, to, EMPTY, NOWHERE);
    return true;
}

/* Where a pawn would come from: a capture names its file. *victim is the pawn that is taken in passing. */
static int pawn_origin(const Board *board, const Written *written, int *victim) {
    int to = written->to, up = board->turn == WHITE ? 16 : -16;
    uint8_t target = board->at[to];
    int aside = written->from_file < 0 ? 0 : written->from_file - (to & 7);
    if (aside != 0) {
        if (aside != 1 && aside != -1)
            return NOWHERE;
        if (target == EMPTY) {
            if (to != board->passed || !ON_BOARD(to - up) || board->at[to - up] != (PAWN | other(board->turn)))
                return NOWHERE;
            *victim = to - up;
        } else if (is_own(board, target)) {
            return NOWHERE;
        }
        return to - up + aside;
    }
    if (target != EMPTY || !ON_BOARD(to - up))
        return NOWHERE;
    bool two = board->at[to - up] == EMPTY && to >> 4 == (board->turn == WHITE ? 3 : 4);
    return two ? to - 2 * up : to - up;
}

static bool play_pawn(Board *board, const Written *written, uint16_t *code) {
    int to = written->to, victim = NOWHERE;
    bool last = to >> 4 == (board->turn == WHITE ? 7 : 0);
    if (last != (written->becomes != EMPTY))
        return false;
    int from = pawn_origin(board, written, &victim);
    if (from == NOWHERE || !ON_BOARD(from) || board->at[from] != (PAWN | board->turn) || !fits(written, from))
        return false;
    if (!is_safe(board, from, to, victim))
        return false;
    *code = coded(from, to, written->becomes);
    carry_out(board, from, to, written->becomes, victim);
    return true;
}

/* Whether all squares from one to the other, both included, are empty. They are on one rank. */
static bool all_empty(const Board *board, int one, int other_end) {
    int low = one < other_end ? one : other_end, high = one < other_end ? other_end : one;
    for (int square = low; square <= high; square++)
        if (board->at[square] != EMPTY)
            return false;
    return true;
}

/* Whether no square from one up to, but not including, the other is attacked. They are on one rank. */
static bool none_attacked(const Board *board, int from, int end) {
    int step = from < end ? 1 : -1;
    for (int square = from; square != end; square += step)
        if (is_attacked(board, square, other(board->turn)))
            return false;
    return true;
}

static bool play_castling(Board *board, const Written *written, uint16_t *code) {
    int colour = colour_of(board), side = written->side;
    int king = board->king[colour], rook = board->rook[colour][side];
    if (rook == NOWHERE)
        return false;
    int rank = king & 0x70;
    int king_to = rank + (side == H_SIDE ? 6 : 2), rook_to = rank + (side == H_SIDE ? 5 : 3);
    uint8_t *at = board->at, before[128];
    memcpy(before, at, sizeof before);
    at[king] = EMPTY;
    bool legal = king == king_to ? !is_attacked(board, king, other(board->turn))
                                 : none_attacked(board, king, king_to);
    at[rook] = EMPTY;
    legal = legal && all_empty(board, king, king_to) && all_empty(board, rook, rook_to);
    at[king_to] = KING | board->turn;
    at[rook_to] = ROOK | board->turn;
    legal = legal && !is_attacked(board, king_to, other(board->turn));
    if (!legal) {
        memcpy(at, before, sizeof before);
        return false;
    }
    *code = coded(king, board->chess960 ? rook : king_to, EMPTY);
    board->king[colour] = king_to;
    board->rook[colour][A_SIDE] = board->rook[colour][H_SIDE] = NOWHERE;
    board->passed = NOWHERE;
    board->check = is_attacked(board, board->king[colour ^ 1], board->turn);
    board->turn = other(board->turn);
    return true;
}

bool board_play(Board *board, const Written *written, uint16_t *code, bool *castling) {
    *castling = written->kind == EMPTY;
    if (*castling)
        return play_castling(board, written, code);
    return written->kind == PAWN ? play_pawn(board, written, code) : play_piece(board, written, code);
}

/* The square with that name, or NOWHERE. */
static int square_named(const char *name) {
    int file = name[0] - 'a', rank = name[1] - '1';
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? rank * 16 + file : NOWHERE;
}

static uint8_t piece_named(char letter) {
    switch (letter) {
    case 'P': return PAWN | WHITE;
    case 'N': return KNIGHT | WHITE;
    case 'B': return BISHOP | WHITE;
    case 'R': return ROOK | WHITE;
    case 'Q': return QUEEN | WHITE;
    case 'K': return KING | WHITE;
    case 'p': return PAWN | BLACK;
    case 'n': return KNIGHT | BLACK;
    case 'b': return BISHOP | BLACK;
    case 'r': return ROOK | BLACK;
    case 'q': return QUEEN | BLACK;
    case 'k': return KING | BLACK;
    default: return EMPTY;
    }
}

/* Put one piece down; false if it is a second king of its colour. */
static bool put(Board *board, int square, uint8_t piece) {
    board->at[square] = piece;
    if ((piece & 7) != KING)
        return true;
    int *king = &board->king[piece >> 3];
    bool first = *king == NOWHERE;
    *king = square;
    return first;
}

/* The pieces, rank by rank from the eighth; gives where they end, or 0. */
static size_t set_pieces(Board *board, const char *text, size_t length) {
    int rank = 7, file = 0;
    for (size_t i = 0; i < length; i++) {
        char sign = text[i];
        if (sign == ' ')
            return rank == 0 && file == 8 && board->king[0] != NOWHERE && board->king[1] != NOWHERE ? i : 0;
        if (sign == '/') {
            if (file != 8 || --rank < 0)
                return 0;
            file = 0;
        } else if (sign >= '1' && sign <= '8') {
            file += sign - '0';
        } else {
            uint8_t piece = piece_named(sign);
            if (piece == EMPTY || file > 7 || !put(board, rank * 16 + file, piece))
                return 0;
            file++;
        }
        if (file > 8)
            return 0;
    }
    return 0;
}

/* One rook that may castle; false if it cannot. */
static bool set_right(Board *board, int rook) {
    if (rook == NOWHERE || (rook >> 4 != 0 && rook >> 4 != 7))
        return false;
    int colour = rook >> 4 == 7, king = board->king[colour];
    if (board->at[rook] != (ROOK | (colour ? BLACK : WHITE)) || king >> 4 != rook >> 4)
        return false;
    int *right = &board->rook[colour][rook < king ? A_SIDE : H_SIDE];
    if (*right != NOWHERE)
        return false;
    *right = rook;
    return true;
}

/* "a1h1 e3", "- -" */
static bool set_rest(Board *board, const char *text, size_t length) {
    size_t i = 0;
    if (length > 0 && text[0] == '-') {
        i = 1;
    } else {
        for (; i + 1 < length && text[i] != ' '; i += 2)
            if (!set_right(board, square_named(text + i)))
                return false;
    }
    if (i >= length || text[i] != ' ')
        return false;
    i++;
    if (length - i == 1 && text[i] == '-')
        return true;
    if (length - i != 2)
        return false;
    board->passed = square_named(text + i);
    return board->passed != NOWHERE;
}

bool board_set(Board *board, const char *text, size_t length, bool chess960) {
    *board = (Board){.king = {NOWHERE, NOWHERE},
                     .rook = {{NOWHERE, NOWHERE}, {NOWHERE, NOWHERE}},
                     .passed = NOWHERE,
                     .chess960 = chess960};
    size_t end = set_pieces(board, text, length);
    if (end == 0 || length - end < 4 || text[end + 2] != ' ' || (text[end + 1] != 'w' && text[end + 1] != 'b'))
        return false;
    board->turn = text[end + 1] == 'w' ? WHITE : BLACK;
    board->check = is_attacked(board, board->king[colour_of(board)], other(board->turn));
    return set_rest(board, text + end + 3, length - end - 3);
}
