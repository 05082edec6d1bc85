#include "scan.h"

#include <string.h>

enum { LONGEST_TAG = 60000 };

#define NAMED(text) {text, sizeof text - 1}
const KnownTag KNOWN_TAGS[] = {
    NAMED("Event"), NAMED("Site"), NAMED("Date"), NAMED("Round"), NAMED("White"), NAMED("Black"),
    NAMED("Result"), NAMED("WhiteElo"), NAMED("WhiteFideId"), NAMED("WhiteTitle"), NAMED("WhiteTeam"),
    NAMED("BlackElo"), NAMED("BlackFideId"), NAMED("BlackTitle"), NAMED("BlackTeam"), NAMED("FEN"),
    NAMED("SetUp"), NAMED("Variant"), NAMED("ECO"), NAMED("Opening"), NAMED("TimeControl"),
    NAMED("Termination"), NAMED("Annotator"), NAMED("UTCDate"), NAMED("UTCTime"), NAMED("EndDate"),
    NAMED("EndTime"), NAMED("Timezone"), NAMED("GameId"), NAMED("Link"),
};
const int KNOWN_TAG_COUNT = sizeof KNOWN_TAGS / sizeof *KNOWN_TAGS;
enum { EVENT = 0, RESULT = 6, FEN = 15, SETUP = 16, VARIANT = 17 };

static bool is_blank(uint8_t sign) { return sign == ' ' || sign == '\n' || sign == '\r' || sign == '\t'; }

static bool is_digit(uint8_t sign) { return sign >= '0' && sign <= '9'; }

static bool is_letter(uint8_t sign) { return (sign | 0x20) >= 'a' && (sign | 0x20) <= 'z'; }

static uint8_t lower(uint8_t sign) { return sign >= 'A' && sign <= 'Z' ? sign | 0x20 : sign; }

/* Bytes of the character of UTF-8 at an index, 0 if there is none. */
static size_t utf_8(const uint8_t *text, size_t length, size_t at) {
    uint8_t first = text[at], least = 0x80, most = 0xBF;
    size_t size;
    if (first >= 0xC2 && first <= 0xDF)
        size = 2;
    else if (first >= 0xE0 && first <= 0xEF)
        size = 3;
    else if (first >= 0xF0 && first <= 0xF4)
        size = 4;
    else
        return 0;
    if (first == 0xE0)
        least = 0xA0; /* not longer than needed */
    else if (first == 0xED)
        most = 0x9F; /* no half of a surrogate pair */
    else if (first == 0xF0)
        least = 0x90;
    else if (first == 0xF4)
        most = 0x8F;
    if (length - at < size || text[at + 1] < least || text[at + 1] > most)
        return 0;
    for (size_t i = 2; i < size; i++)
        if ((text[at + i] & 0xC0) != 0x80)
            return 0;
    return size;
}

int scan_bytes(const uint8_t *text, size_t length) {
    const uint64_t high = 0x8080808080808080u, blanks = 0x2020202020202020u;
    size_t at = 0;
    int found = UTF_8;
    while (at < length) {
        uint64_t eight;
        if (length - at >= sizeof eight) {
            memcpy(&eight, text + at, sizeof eight);
            if ((((eight - blanks) | eight) & high) == 0) { /* neither below a blank nor beyond ASCII */
                at += sizeof eight;
                continue;
            }
        }
        uint8_t sign = text[at];
        if (sign < 0x80) {
            if (sign < 0x20 && !is_blank(sign))
                return BINARY;
            at++;
        } else {
            size_t size = utf_8(text, length, at);
            if (size == 0)
                found = NOT_UTF_8;
            at += size == 0 ? 1 : size;
        }
    }
    return found;
}

static size_t skip_blanks(const uint8_t *text, size_t length, size_t at) {
    while (at < length && is_blank(text[at]))
        at++;
    return at;
}

static size_t skip_spaces(const uint8_t *text, size_t length, size_t at) {
    while (at < length && (text[at] == ' ' || text[at] == '\t'))
        at++;
    return at;
}

static bool is_same(const uint8_t *text, size_t length, const char *word, bool any_case) {
    for (size_t i = 0; i < length; i++)
        if (word[i] == '\0' || (any_case ? lower(text[i]) != lower((uint8_t)word[i]) : text[i] != (uint8_t)word[i]))
            return false;
    return word[length] == '\0';
}

/* Find the name among the known ones; false if it is one in another spelling. */
static bool look_up(const uint8_t *text, Tag *tag) {
    tag->known = -1;
    for (int i = 0; i < KNOWN_TAG_COUNT; i++)
        if (tag->name_length == KNOWN_TAGS[i].length &&
            is_same(text + tag->name, tag->name_length, KNOWN_TAGS[i].name, true)) {
            tag->known = i;
            return is_same(text + tag->name, tag->name_length, KNOWN_TAGS[i].name, false);
        }
    return true;
}

static bool is_repeated(const uint8_t *text, const Header *header, const Tag *tag) {
    for (int i = 0; i < header->count; i++) {
        const Tag *one = &header->tags[i];
        if (one->name_length == tag->name_length && memcmp(text + one->name, text + tag->name, tag->name_length) == 0)
            return true;
    }
    return false;
}

static bool is_in_name(uint8_t sign) {
    return is_letter(sign) || is_digit(sign) || (sign != 0 && strchr("_+#=:-", sign) != NULL);
}

/* Read one tag; gives where it ends, or 0. At the index there is an opening bracket. */
static size_t scan_tag(const uint8_t *text, size_t length, size_t begin, Tag *tag) {
    size_t at = begin + 1;
    if (at >= length || !is_letter(text[at]))
        return 0;
    tag->name = at;
    while (at < length && is_in_name(text[at]))
        at++;
    tag->name_length = at - tag->name;
    at = skip_spaces(text, length, at);
    if (at >= length || text[at] != '"')
        return 0;
    tag->value = ++at;
    tag->escaped = false;
    for (; at < length && text[at] != '"'; at++) {
        if (text[at] == '\n' || text[at] == '\r')
            return 0;
        if (text[at] == '\\') {
            tag->escaped = true;
            if (++at >= length || text[at] == '\n' || text[at] == '\r')
                return 0;
        }
    }
    if (at >= length)
        return 0;
    tag->value_length = at - tag->value;
    at = skip_spaces(text, length, at + 1);
    if (at >= length || text[at] != ']' || at - begin > LONGEST_TAG)
        return 0;
    return at + 1;
}

static bool begins(const uint8_t *text, size_t length, const char *with) {
    size_t size = strlen(with);
    return length >= size && is_same(text, size, with, true);
}

/* Whether an Event may name a variant: core.pgn.variants decides. */
static bool may_name_variant(const uint8_t *text, size_t length) {
    static const char *const beginnings[] = {"FICS ", "ICS ", "Live Chess - ", "Let's Play! - ", "rated variant:",
                                             "casual variant:"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins(text, length, beginnings[i]))
            return true;
    for (size_t i = 0; i < length && i < 16; i++) /* some letters beyond ASCII count as s or k */
        if (text[i] >= 0x80)
            return true;
    return false;
}

/* The result that a word is, or NO_END. */
static int read_end(const uint8_t *word, size_t length) {
    if (length == 3 && memcmp(word, "1-0", 3) == 0)
        return WHITE_WINS;
    if (length == 3 && memcmp(word, "0-1", 3) == 0)
        return BLACK_WINS;
    if (length == 7 && memcmp(word, "1/2-1/2", 7) == 0)
        return DRAW;
    return NO_END;
}

static void note(const uint8_t *text, Header *header, const Tag *tag) {
    const uint8_t *value = text + tag->value;
    if (tag->known == FEN || tag->known == SETUP || tag->known == VARIANT)
        header->own_start = true;
    if (tag->known == EVENT && (tag->escaped || may_name_variant(value, tag->value_length)))
        header->own_start = true;
    if (tag->known == RESULT)
        header->nil_nil = read_end(value, tag->value_length) == NO_END && !is_same(value, tag->value_length, "*", false);
}

bool scan_header(const uint8_t *text, size_t length, Header *header) {
    header->count = 0;
    header->own_start = header->nil_nil = false;
    size_t at = skip_blanks(text, length, 0);
    while (at < length && text[at] == '[') {
        if (header->count == MAX_TAGS)
            return false;
        Tag *tag = &header->tags[header->count];
        header->end = scan_tag(text, length, at, tag);
        if (header->end == 0 || !look_up(text, tag) || is_repeated(text, header, tag))
            return false;
        note(text, header, tag);
        header->count++;
        at = skip_blanks(text, length, header->end);
    }
    return header->count > 0;
}

/* The piece that a letter names, or EMPTY. */
static uint8_t piece_of(uint8_t letter) {
    switch (letter) {
    case 'N': return KNIGHT;
    case 'B': return BISHOP;
    case 'R': return ROOK;
    case 'Q': return QUEEN;
    case 'K': return KING;
    default: return EMPTY;
    }
}

/* Bytes of a word without signs for check and the annotator's marks; 0 if there are too many of them. */
static size_t without_signs(const uint8_t *word, size_t length) {
    size_t size = length;
    while (size > 0 && (word[size - 1] == '!' || word[size - 1] == '?'))
        size--;
    while (size > 0 && (word[size - 1] == '+' || word[size - 1] == '#'))
        size--;
    return length - size > 4 ? 0 : size;
}

static bool read_castling(const uint8_t *word, size_t size, Written *written) {
    uint8_t sign = word[0];
    if ((size != 3 && size != 5) || (sign != 'O' && sign != '0'))
        return false;
    for (size_t i = 1; i < size; i++)
        if (word[i] != (i % 2 ? '-' : sign))
            return false;
    written->kind = EMPTY;
    written->side = size == 3 ? H_SIDE : A_SIDE;
    return true;
}

static bool is_file(uint8_t sign) { return sign >= 'a' && sign <= 'h'; }

static bool is_rank(uint8_t sign) { return sign >= '1' && sign <= '8'; }

/* Nf3, Nbd2, N1xd2, Qa1-b2, e4, exd5, e2-e4, e8=Q, e8Q: what stands before the square is read from its end. */
static bool read_move(const uint8_t *word, size_t size, Written *written) {
    *written = (Written){.kind = PAWN, .from_file = -1, .from_rank = -1};
    if (size == 0)
        return false;
    size_t first = 0;
    if (piece_of(word[0]) != EMPTY) {
        written->kind = piece_of(word[0]);
        first = 1;
    } else if (read_castling(word, size, written)) {
        return true;
    }
    size_t end = size;
    if (first == 0 && end > 2 && piece_of(word[end - 1]) != EMPTY) {
        written->becomes = piece_of(word[--end]);
        if (written->becomes == KING)
            return false;
        if (word[end - 1] == '=')
            end--;
    }
    if (end < first + 2 || !is_file(word[end - 2]) || !is_rank(word[end - 1]))
        return false;
    written->to = (int8_t)((word[end - 1] - '1') * 16 + (word[end - 2] - 'a'));
    end -= 2;
    if (end > first && (word[end - 1] == 'x' || word[end - 1] == '-' || word[end - 1] == ':'))
        end--;
    if (end > first && is_rank(word[end - 1]))
        written->from_rank = (int8_t)(word[--end] - '1');
    if (end > first && is_file(word[end - 1]))
        written->from_file = (int8_t)(word[--end] - 'a');
    return end == first;
}

/* Where the movetext is read, and how far. */
typedef struct {
    const uint8_t *text;
    size_t length;
    size_t at;
    size_t depth; /* variations that are open */
    bool nil_nil;
    Board *board;
    Line *line;
} Reading;

static bool in_word(uint8_t sign) {
    switch (sign) {
    case ' ': case '\t': case '\n': case '\r':
    case '(': case ')': case '{': case '}': case ';': case '$': case '*':
        return false;
    default:
        return true;
    }
}

static size_t word_end(const Reading *in) {
    size_t end = in->at;
    while (end < in->length && in_word(in->text[end]))
        end++;
    return end;
}

static bool take_end(Reading *in, int end, size_t size) {
    if (in->line->end != NO_END)
        return false;
    in->line->end = end;
    in->at += size;
    return true;
}

static bool take_move(Reading *in, size_t size) {
    Line *line = in->line;
    const uint8_t *word = in->text + in->at;
    Written written;
    bool castling;
    size_t plain = without_signs(word, size);
    if (line->end != NO_END || line->count == MAX_PLIES || !read_move(word, plain, &written))
        return false;
    if (in->nil_nil && word[0] == '0') /* a castling, or the end */
        return false;
    if (!board_play(in->board, &written, &line->moves[line->count], &castling))
        return false;
    if (castling && !in->board->chess960) {
        if (line->castling_count == MAX_CASTLINGS)
            return false;
        line->castlings[line->castling_count++] = line->count;
    }
    line->count++;
    in->at += size;
    return true;
}

static bool take_word(Reading *in) {
    size_t end = word_end(in), size = end - in->at;
    if (in->depth > 0) {
        in->at = end;
        return true;
    }
    int result = read_end(in->text + in->at, size);
    return result != NO_END ? take_end(in, result, size) : take_move(in, size);
}

/* "12.", "12...", "12 .", "..." and a number without its dot. */
static bool take_number(Reading *in) {
    const uint8_t *text = in->text;
    size_t digits = in->at;
    while (digits < in->length && is_digit(text[digits]))
        digits++;
    size_t dots = skip_blanks(text, in->length, digits);
    if (dots < in->length && text[dots] == '.') {
        if (dots + 1 < in->length && text[dots + 1] == '5') /* ".5-.5" is a result */
            return false;
        while (dots < in->length && text[dots] == '.')
            dots++;
        in->at = dots;
        return true;
    }
    if (digits > in->at && text[in->at] != '0' && (digits == in->length || !in_word(text[digits]))) {
        in->at = digits;
        return true;
    }
    return take_word(in);
}

static bool take_comment(Reading *in) {
    const uint8_t *close = memchr(in->text + in->at, '}', in->length - in->at);
    if (close == NULL)
        return false;
    in->at = (size_t)(close - in->text) + 1;
    in->line->comments = true;
    return true;
}

static bool take_rest_of_line(Reading *in) {
    while (in->at < in->length && in->text[in->at] != '\n' && in->text[in->at] != '\r')
        in->at++;
    in->line->comments = true;
    return true;
}

static bool take_sign(Reading *in) {
    size_t first = ++in->at;
    while (in->at < in->length && is_digit(in->text[in->at]))
        in->at++;
    return in->at > first;
}

static bool take_token(Reading *in) {
    uint8_t sign = in->text[in->at];
    switch (sign) {
    case ' ': case '\t':
        in->at++;
        return true;
    case '\n': case '\r': /* a line that begins with % says nothing to anybody here */
        in->at++;
        return in->at == in->length || in->text[in->at] != '%';
    case '{':
        return take_comment(in);
    case ';':
        return take_rest_of_line(in);
    case '$':
        return take_sign(in);
    case '(':
        in->depth++;
        in->at++;
        in->line->variations = true;
        return true;
    case ')':
        in->at++;
        return in->depth-- > 0;
    case '}':
        return false;
    case '*':
        if (in->depth > 0) {
            in->at++;
            return true;
        }
        return take_end(in, UNFINISHED, 1);
    default:
        return in->depth == 0 && (is_digit(sign) || sign == '.') ? take_number(in) : take_word(in);
    }
}

bool scan_movetext(const uint8_t *text, size_t length, size_t at, bool nil_nil, Board *board, Line *line) {
    Reading in = {.text = text, .length = length, .at = at, .nil_nil = nil_nil, .board = board, .line = line};
    line->count = line->castling_count = 0;
    line->end = NO_END;
    line->comments = line->variations = false;
    while (in.at < length)
        if (!take_token(&in))
            return false;
    return in.depth == 0;
}
