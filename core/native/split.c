#include "split.h"

#include <string.h>

/* What a byte is, as bits. */
enum { BLANK = 1, BREAK = 2, CONTROL = 4, HIGH = 8, BRACE = 16, CLOSE = 32, REST = 64, BRACKET = 128, PLAIN = 256 };

typedef struct {
    size_t begin, end, next; /* end: without what ends the line */
    unsigned holds;
} TextLine;

typedef struct {
    const uint8_t *text;
    size_t length;
    bool last;
    size_t at; /* where the next line begins */
    /* What is known of the game: as in core.pgn.splitter. */
    bool tagged, said, after_blank, comment, ended;
    unsigned roster;
    TextLine line;
} Splitter;

#define TWICE(kind) kind, kind
#define EIGHT(kind) TWICE(kind), TWICE(kind), TWICE(kind), TWICE(kind)
#define SIXTEEN(kind) EIGHT(kind), EIGHT(kind)
#define HALF(kind) SIXTEEN(kind), SIXTEEN(kind), SIXTEEN(kind), SIXTEEN(kind), SIXTEEN(kind), SIXTEEN(kind), SIXTEEN(kind), SIXTEEN(kind)

/* What each byte is. Controls, then the signs of ASCII by the line as it is in tables, then what is not ASCII. */
static const uint16_t KINDS[256] = {
    EIGHT(CONTROL), CONTROL, BLANK, BREAK, CONTROL, CONTROL, BREAK, TWICE(CONTROL), SIXTEEN(CONTROL),
    BLANK, EIGHT(PLAIN), TWICE(PLAIN), TWICE(PLAIN), TWICE(PLAIN), PLAIN, /* to / */
    EIGHT(PLAIN), TWICE(PLAIN), PLAIN, REST | PLAIN, TWICE(PLAIN), TWICE(PLAIN), /* to ? */
    SIXTEEN(PLAIN), EIGHT(PLAIN), TWICE(PLAIN), PLAIN, BRACKET | PLAIN, TWICE(PLAIN), TWICE(PLAIN), /* to _ */
    SIXTEEN(PLAIN), EIGHT(PLAIN), TWICE(PLAIN), PLAIN, BRACE | PLAIN, PLAIN, CLOSE | PLAIN, TWICE(PLAIN),
    HALF(HIGH | PLAIN),
};

static unsigned kind_of(uint8_t sign) { return KINDS[sign]; }

/* Find the next line; false if there is none, or if it may go on beyond the text. */
static bool next_line(Splitter *in) {
    const uint8_t *text = in->text;
    size_t at = in->at;
    unsigned holds = 0, kind = 0;
    while (at < in->length && (kind = kind_of(text[at])) != BREAK) {
        holds |= kind;
        at++;
    }
    in->line = (TextLine){.begin = in->at, .end = at, .holds = holds};
    if (at == in->length) {
        in->line.next = at;
        return in->last && at > in->at;
    }
    if (text[at] == '\n') {
        in->line.next = at + 1;
        return true;
    }
    if (at + 1 == in->length) {
        in->line.next = at + 1;
        return in->last;
    }
    in->line.next = text[at + 1] == '\n' ? at + 2 : at + 1;
    return true;
}

static bool is_letter(uint8_t sign) { return (sign | 0x20) >= 'a' && (sign | 0x20) <= 'z'; }

static bool is_in_name(uint8_t sign) {
    return is_letter(sign) || (sign >= '0' && sign <= '9') || (sign != 0 && strchr("_+#=:-", sign) != NULL);
}

static size_t skip(const uint8_t *text, size_t at, size_t end) {
    while (at < end && kind_of(text[at]) == BLANK)
        at++;
    return at;
}

/* Whether the line is one tag as the standard has it, and nothing else; gives its name. */
static bool is_tag(const Splitter *in, size_t *name, size_t *name_length) {
    const uint8_t *text = in->text;
    size_t at = in->line.begin + 1, end = in->line.end;
    if (end - in->line.begin > 60000 || at >= end || !is_letter(text[at]))
        return false;
    *name = at;
    while (at < end && is_in_name(text[at]))
        at++;
    *name_length = at - *name;
    at = skip(text, at, end);
    if (at >= end || text[at] != '"')
        return false;
    for (at++; at < end && text[at] != '"'; at++)
        if (text[at] == '\\' && ++at >= end)
            return false;
    if (at >= end)
        return false;
    at = skip(text, at + 1, end);
    return at < end && text[at] == ']' && skip(text, at + 1, end) == end;
}

/* A bit for each tag of the roster; Event has the first. */
static unsigned roster_bit(const uint8_t *name, size_t length) {
    static const char *const roster[] = {"event", "site", "date", "round", "white", "black", "result"};
    for (unsigned i = 0; i < sizeof roster / sizeof *roster; i++) {
        if (strlen(roster[i]) != length)
            continue;
        size_t same = 0;
        while (same < length && (name[same] | 0x20) == (uint8_t)roster[i][same])
            same++;
        if (same == length)
            return 1u << i;
    }
    return 0;
}

static void begin(Splitter *in) {
    in->tagged = in->said = in->comment = in->ended = false;
    in->roster = 0;
}

/* Note a tag; whether it starts a game. */
static bool take_tag(Splitter *in, unsigned bit) {
    bool starts = in->said || (in->tagged && in->after_blank && (bit == 1 || (in->roster & bit) != 0));
    if (starts)
        begin(in);
    in->tagged = true;
    in->roster |= bit;
    in->after_blank = false;
    return starts;
}

/* Whether a tag may stand in this part of the line. */
static bool may_hold_tag(const Splitter *in, size_t at) {
    const uint8_t *text = in->text;
    for (; at < in->line.end; at++)
        if (text[at] == '[' && (at + 1 == in->line.end || kind_of(text[at + 1]) == BLANK || text[at + 1] >= 0x80 ||
                                is_letter(text[at + 1])))
            return true;
    return false;
}

/* Whether a text that ends there is one of the results, written as usual, with the right sign before it. */
static bool is_result(const Splitter *in, size_t from, size_t end, const char *result) {
    size_t size = strlen(result);
    if (end - from < size || memcmp(in->text + end - size, result, size) != 0)
        return false;
    size_t at = end - size;
    if (at == from)
        return at == in->line.begin;
    uint8_t sign = in->text[at - 1];
    return kind_of(sign) == BLANK || sign == '.' || sign == '}' || sign == ')';
}

/* Note whether the line ends in a result, from an index on; false if it may be one in another form. */
static bool note_end(Splitter *in, size_t from) {
    static const char *const forms[] = {"1-0", "1:0", "0-1", "0:1", "1/2-1/2", "1/2:1/2"};
    const uint8_t *text = in->text;
    size_t end = in->line.end;
    while (end > from && kind_of(text[end - 1]) == BLANK)
        end--;
    in->ended = false;
    if (end == from)
        return true;
    uint8_t sign = text[end - 1];
    if (sign == '*') {
        in->ended = true;
        return true;
    }
    if (sign >= 0x80)
        return false;
    if (sign != '0' && sign != '1' && sign != '2' && sign != '5')
        return true;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (is_result(in, from, end, forms[i])) {
            in->ended = true;
            return true;
        }
    if (end - from >= 2 && (text[end - 2] >= 0x80 || (sign == '5' && (text[end - 2] == '.' || text[end - 2] == ','))))
        return false;
    /* half a point after another form of it */
    return !(end - from >= 4 && memcmp(text + end - 3, "1/2", 3) == 0 &&
             (text[end - 4] == '-' || text[end - 4] == ':' || text[end - 4] >= 0x80));
}

/* Read text between tags from an index in the line on; false in doubt. */
static bool take_text(Splitter *in, size_t from) {
    const uint8_t *text = in->text;
    size_t at = from, end = in->line.end;
    in->said = true;
    if ((in->line.holds & (BRACE | REST | BRACKET | HIGH)) == 0)
        return note_end(in, from);
    while (at < end) {
        uint8_t sign = text[at];
        if (sign == '[' || sign >= 0x80)
            return false;
        if (sign == ';') {
            from = end;
            break;
        }
        at++;
        if (sign != '{')
            continue;
        const uint8_t *close = memchr(text + at, '}', end - at);
        if (close == NULL) {
            in->comment = true;
            in->ended = false;
            return !may_hold_tag(in, at);
        }
        from = at = (size_t)(close - text) + 1;
    }
    return note_end(in, from);
}

static bool take_comment(Splitter *in) {
    size_t begin_at = in->line.begin;
    const uint8_t *close = memchr(in->text + begin_at, '}', in->line.end - begin_at);
    if (close == NULL)
        return !may_hold_tag(in, begin_at);
    in->comment = false;
    return take_text(in, (size_t)(close - in->text) + 1);
}

/* Take the line; false in doubt. *starts: a game begins with it. */
static bool take_line(Splitter *in, bool *starts) {
    size_t name, name_length;
    *starts = false;
    if (in->line.holds & CONTROL)
        return false;
    if ((in->line.holds & PLAIN) == 0) {
        in->after_blank = true;
        return true;
    }
    bool after_blank = in->after_blank;
    in->after_blank = false;
    if (in->comment)
        return take_comment(in);
    uint8_t first = in->text[in->line.begin];
    if (first == '%')
        return true;
    if (first == '[') {
        in->after_blank = after_blank;
        if (!is_tag(in, &name, &name_length))
            return false;
        *starts = take_tag(in, roster_bit(in->text + name, name_length));
        return true;
    }
    size_t at = skip(in->text, in->line.begin, in->line.end);
    return !in->ended && in->text[at] != '[' && take_text(in, in->line.begin);
}

int split_games(const uint8_t *text, size_t length, bool last, size_t longest, size_t *ends, size_t room, size_t *count) {
    Splitter in = {.text = text, .length = length, .last = last};
    size_t game = 0;
    bool starts;
    *count = 0;
    if (length == 0 || text[0] != '[')
        return length == 0 ? SPLIT_MORE : SPLIT_DOUBT;
    while (next_line(&in)) {
        if (!take_line(&in, &starts))
            return SPLIT_DOUBT;
        if (starts) {
            if (*count == room)
                return SPLIT_FULL;
            ends[(*count)++] = game = in.line.begin;
        }
        if (in.line.next - game > longest)
            return SPLIT_DOUBT;
        in.at = in.line.next;
    }
    if (length - game > longest)
        return SPLIT_DOUBT;
    if (last) {
        if (*count == room)
            return SPLIT_FULL;
        ends[(*count)++] = length;
    }
    return SPLIT_MORE;
}
