#include "line.h"

#include <string.h>

#include "opening.h"
#include "scan.h"

/* What is remembered, each in a dict of its own: what a key means is asked once. */
enum { OF_NAMES, OF_EVENTS, OF_SIDES, OF_RATINGS, OF_DATES, OF_TEXTS, OF_OPENINGS, OF_DERIVED, OF_SITES, MEMOS };

/* What a tag matters for; those from FIELDS on are looked at by themselves. */
enum { IGNORED, LEFT, BY_VALUE, BY_PRESENCE, FIELDS };
enum {
    WHITE_NAME = FIELDS, WHITE_FIDE_ID, WHITE_TITLE, WHITE_TEAM, BLACK_NAME, BLACK_FIDE_ID, BLACK_TITLE, BLACK_TEAM,
    WHITE_RATING, BLACK_RATING, DATE, RESULT, ROUND, ECO, TERMINATION, SITE, LINK,
    OPENING, OPENING_PAGE, UTC_DATE, UTC_TIME, /* the first three of these matter for an event too, by their presence */
    KINDS
};

enum { LONGEST_KEY = 1024, LONGEST_ID = 20, LICHESS_ID = 8, MOST_SLICES = 40, MOST_HELD = 24, SCRATCH = 256, OPENINGS_DEPTH = 128 };
enum { VALUE_FOLLOWS = '\r', VALUE_ENDS = '\n', ID_SIGN = 3 }; /* in keys; no value that is read here has these bytes */
#define PLAIN_SITE "\x04"

/* Arguments of line. */
enum { ITS_MEMOS, ITS_ASK, ITS_KINDS, ITS_NUMBERS, ITS_KEYS, ITS_DEEPEST, ITS_RAW, ARGUMENTS };

/* The places that a game refers to. */
enum {
    WHITE_PLACE, BLACK_PLACE, WHITE_TEAM_PLACE, BLACK_TEAM_PLACE, EVENT_PLACE, SITE_PLACE, OPENING_PLACE, DERIVED_PLACE,
    PLACES
};

typedef struct {
    const char *at;
    size_t size;
} Slice;

typedef struct {
    Slice slices[MOST_SLICES];
    int count;
    size_t size;
} Slices;

typedef struct {
    const char *text;
    size_t length;
    Header header;
    Board board;
    Line line;
    const Tag *tags[KINDS];
    int kinds[MAX_TAGS];
    Slice id; /* of the game at its site, at the end of an address */
    PyObject *const *args;
    PyObject *held[MOST_HELD];
    int held_count;
    char key[LONGEST_KEY];
    size_t key_size;
    char scratch[SCRATCH];
    size_t scratch_used;
    char moves[2 * MAX_PLIES];
    char uci[6 * MAX_PLIES];
    char tail[LONGEST_KEY], telling[LONGEST_KEY]; /* with the id of this game in them */
    uint32_t places[PLACES];
} Game;

/* Steps give 1, 0 where the game is left to Python, or -1 with an exception. */

static void add(Slices *to, const char *at, size_t size) {
    to->slices[to->count++] = (Slice){at, size};
    to->size += size;
}

static void add_bytes(Slices *to, PyObject *bytes) {
    add(to, PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes));
}

static PyObject *joined(const Slices *of) {
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)of->size);
    if (bytes == NULL)
        return NULL;
    char *at = PyBytes_AS_STRING(bytes);
    for (int i = 0; i < of->count; i++) {
        memcpy(at, of->slices[i].at, of->slices[i].size);
        at += of->slices[i].size;
    }
    return bytes;
}

static char *scratch(Game *game, size_t size) {
    char *at = game->scratch + game->scratch_used;
    game->scratch_used += size;
    return at;
}

static void write_number(char *at, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++)
        at[i] = (char)(number >> 8 * i);
}

static void add_null(Slices *to) { add(to, "N", 1); }

static void add_integer(Game *game, Slices *to, int64_t number) {
    char *at = scratch(game, 9);
    at[0] = 'i';
    write_number(at + 1, (uint64_t)number, 8);
    add(to, at, 9);
}

static void add_text(Game *game, Slices *to, char sign, const char *text, size_t size) {
    char *at = scratch(game, 5);
    at[0] = sign;
    write_number(at + 1, size, 4);
    add(to, at, 5);
    add(to, text, size);
}

static Slice value_of(const Game *game, const Tag *tag) {
    return tag == NULL ? (Slice){"", 0} : (Slice){game->text + tag->value, tag->value_length};
}

static bool is_space(char sign) { return sign == ' ' || sign == '\t'; }

static Slice stripped(Slice value) {
    while (value.size > 0 && is_space(value.at[0]))
        value.at++, value.size--;
    while (value.size > 0 && is_space(value.at[value.size - 1]))
        value.size--;
    return value;
}

static bool says(Slice plain) { return plain.size > 1 || (plain.size == 1 && plain.at[0] != '?'); }

/* Whether it is ASCII that stands for itself. */
static bool is_plain(Slice value) {
    for (size_t i = 0; i < value.size; i++)
        if ((uint8_t)value.at[i] >= 0x80 || value.at[i] == '\\')
            return false;
    return true;
}

static bool has_digit(Slice value, size_t at) { return value.at[at] >= '0' && value.at[at] <= '9'; }

static bool contains(Slice value, const char *part) {
    size_t size = strlen(part);
    for (size_t i = 0; i + size <= value.size; i++)
        if (memcmp(value.at + i, part, size) == 0)
            return true;
    return false;
}

/* Ask for what is remembered of a key; *found stays until the end. */
static int recall(Game *game, int memo, PyObject *key, PyObject **found) {
    if (key == NULL)
        return -1;
    PyObject *dict = PyTuple_GET_ITEM(game->args[ITS_MEMOS], memo);
    *found = Py_XNewRef(PyDict_GetItemWithError(dict, key));
    if (*found == NULL && !PyErr_Occurred()) {
        *found = PyObject_CallFunction(game->args[ITS_ASK], "iO", memo, key);
        if (*found != NULL && PyDict_SetItem(dict, key, *found) < 0)
            Py_CLEAR(*found);
    }
    Py_DECREF(key);
    if (*found == NULL)
        return -1;
    game->held[game->held_count++] = *found;
    return *found != Py_None;
}

/* The same, of what is a tuple of that many bytes. */
static int recall_parts(Game *game, int memo, PyObject *key, Py_ssize_t count, PyObject **found) {
    int known = recall(game, memo, key, found);
    if (known != 1)
        return known;
    bool good = PyTuple_Check(*found) && PyTuple_GET_SIZE(*found) == count;
    for (Py_ssize_t i = 0; good && i < count; i++)
        good = PyBytes_Check(PyTuple_GET_ITEM(*found, i));
    if (!good)
        PyErr_SetString(PyExc_TypeError, "what is remembered of a game is not a tuple of bytes");
    return good ? 1 : -1;
}

static PyObject *bytes_of(Slice slice) { return PyBytes_FromStringAndSize(slice.at, (Py_ssize_t)slice.size); }

static PyObject *part(PyObject *parts, Py_ssize_t index) { return PyTuple_GET_ITEM(parts, index); }

/* Take places that are written as numbers of 32 bits. */
static bool take_places(Game *game, int first, PyObject *bytes, int count) {
    if (PyBytes_GET_SIZE(bytes) != 4 * count) {
        PyErr_SetString(PyExc_TypeError, "places are numbers of four bytes");
        return false;
    }
    const uint8_t *at = (const uint8_t *)PyBytes_AS_STRING(bytes);
    for (int i = 0; i < count; i++, at += 4)
        game->places[first + i] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return true;
}

/* Add to the key that is looked up; false if it is too long. */
static bool key_takes(Game *game, const char *at, size_t size) {
    if (size > LONGEST_KEY - game->key_size)
        return false;
    memcpy(game->key + game->key_size, at, size);
    game->key_size += size;
    return true;
}

static bool key_takes_sign(Game *game, char sign) { return key_takes(game, &sign, 1); }

static PyObject *key_of(Game *game) {
    PyObject *key = PyBytes_FromStringAndSize(game->key, (Py_ssize_t)game->key_size);
    game->key_size = 0;
    return key;
}

static int kind_of(Game *game, const Tag *tag) {
    PyObject *known = game->args[ITS_KINDS], *found;
    if (tag->known >= 0 && tag->known < PyBytes_GET_SIZE(known))
        return PyBytes_AS_STRING(known)[tag->known];
    int asked = recall(game, OF_NAMES, PyBytes_FromStringAndSize(game->text + tag->name, (Py_ssize_t)tag->name_length), &found);
    if (asked != 1)
        return asked == 0 ? LEFT : -1;
    game->held_count--; /* a small number */
    long kind = PyLong_AsLong(found);
    Py_DECREF(found);
    return kind < 0 && PyErr_Occurred() ? -1 : kind < 0 || kind >= KINDS ? LEFT : (int)kind;
}

/* Whether a quotation mark is in the value: then it is more than one piece of text to core.pgn.encodings. */
static bool has_quote(const Game *game, const Tag *tag) { return contains(value_of(game, tag), "\\\""); }

/* Whether it has bytes beyond ASCII, which may be odd. */
static bool is_beyond_ascii(Slice value) {
    for (size_t i = 0; i < value.size; i++)
        if ((uint8_t)value.at[i] >= 0x80)
            return true;
    return false;
}

/* Find out what each tag matters for. */
static int sort_tags(Game *game) {
    for (int i = 0; i < game->header.count; i++) {
        const Tag *tag = &game->header.tags[i];
        int kind = kind_of(game, tag);
        if (kind < 0)
            return -1;
        if (kind == LEFT || (kind != IGNORED && tag->escaped && has_quote(game, tag)))
            return 0;
        /* of these nobody else looks at the value */
        if ((kind == IGNORED || kind == BY_PRESENCE) && is_beyond_ascii(value_of(game, tag)))
            return 0;
        if (kind >= FIELDS)
            game->tags[kind] = tag;
        game->kinds[i] = kind;
    }
    return 1;
}

static const char *const ENDS[] = {"", "1-0", "0-1", "1/2-1/2", "*"};

/* Whether the tag Result says the same as the end of the moves, or nothing. */
static bool is_result_plain(const Game *game) {
    Slice said = stripped(value_of(game, game->tags[RESULT]));
    const char *end = ENDS[game->line.end];
    return !says(said) ? is_plain(said) : said.size == strlen(end) && memcmp(said.at, end, said.size) == 0;
}

/* The id of the game at the end of the address of its page at lichess, or chess.com. */
static bool find_id(Game *game) {
    static const char host[] = "lichess.org/";
    const size_t before = sizeof host - 1;
    Slice site = value_of(game, game->tags[SITE]), link = value_of(game, game->tags[LINK]);
    if (site.size >= before + LICHESS_ID &&
        memcmp(site.at + site.size - LICHESS_ID - before, host, before) == 0) {
        game->id = (Slice){site.at + site.size - LICHESS_ID, LICHESS_ID};
        for (size_t i = 0; i < LICHESS_ID; i++)
            if (!has_digit(game->id, i) && !((game->id.at[i] | 0x20) >= 'a' && (game->id.at[i] | 0x20) <= 'z'))
                return false;
        return true;
    }
    size_t digits = 0;
    while (digits < link.size && has_digit(link, link.size - 1 - digits))
        digits++;
    if (digits == 0 || digits > LONGEST_ID || digits == link.size)
        return false;
    game->id = (Slice){link.at + link.size - digits, digits};
    return true;
}

/* Whether nothing but the tags in the key says that a game with a page at lichess was not played there. */
static bool is_of_lichess(const Game *game) {
    Slice white = value_of(game, game->tags[WHITE_NAME]), black = value_of(game, game->tags[BLACK_NAME]);
    Slice date = stripped(value_of(game, game->tags[DATE]));
    bool recent = date.size == 10 && date.at[0] == '2' && date.at[1] == '0' && date.at[2] >= '1' && date.at[2] <= '9';
    return recent && !contains(white, ", ") && !contains(black, ", ") && !contains(white, "(") && !contains(black, "(");
}

/* Add a tag to the key of the event, its value up to the id of the game. */
static bool key_takes_tag(Game *game, const Tag *tag, Slice value) {
    const char *id = game->id.at;
    bool has_id = id != NULL && id >= value.at && id < value.at + value.size;
    if (!key_takes(game, game->text + tag->name, tag->name_length) || !key_takes_sign(game, VALUE_FOLLOWS) ||
        !key_takes(game, value.at, has_id ? value.size - game->id.size : value.size))
        return false;
    for (size_t i = 0; has_id && i < game->id.size; i++)
        if (!key_takes_sign(game, ID_SIGN))
            return false;
    return key_takes_sign(game, VALUE_ENDS);
}

/* The same of a tag of which only counts whether it says anything. */
static bool key_takes_presence(Game *game, const Tag *tag) {
    Slice said = stripped(value_of(game, tag));
    if (said.size > 0 && ((uint8_t)said.at[0] >= 0x80 || (uint8_t)said.at[said.size - 1] >= 0x80))
        return false; /* there are blanks beyond ASCII */
    return !says(said) || key_takes_tag(game, tag, (Slice){"!", 1});
}

/* Find the column of a Site that is only a place; NULL in *place if it may say more. */
static int recall_site(Game *game, PyObject **place) {
    Slice site = value_of(game, game->tags[SITE]);
    *place = NULL;
    if (game->tags[SITE] == NULL || site.size > LONGEST_KEY)
        return 1;
    int known = recall_parts(game, OF_SITES, bytes_of(site), 2, place);
    if (known == 0)
        *place = NULL;
    return known < 0 ? -1 : 1;
}

static int recall_event(Game *game, PyObject *place, PyObject **event) {
    const Tag *site = game->tags[SITE];
    if (game->id.at != NULL && site != NULL && game->id.at >= game->text + site->value &&
        game->id.at < game->text + site->value + site->value_length && !is_of_lichess(game))
        return 0;
    for (int i = 0; i < game->header.count; i++) {
        const Tag *tag = &game->header.tags[i];
        int kind = game->kinds[i];
        bool counts = kind == BY_VALUE || kind == SITE || kind == LINK, is_plain_site = kind == SITE && place != NULL;
        if (counts && !key_takes_tag(game, tag, is_plain_site ? (Slice){PLAIN_SITE, 1} : value_of(game, tag)))
            return 0;
        if ((kind == BY_PRESENCE || kind == OPENING || kind == OPENING_PAGE || kind == UTC_DATE) &&
            !key_takes_presence(game, tag))
            return 0;
    }
    return recall_parts(game, OF_EVENTS, key_of(game), 9, event);
}
enum { EVENT_EVENT, EVENT_SITE, EVENT_TAIL, EVENT_TIME, EVENT_ANNOTATOR, EVENT_ONLINE, EVENT_TELLING, EVENT_PLACES, EVENT_HOLES };

static int recall_side(Game *game, int first, bool online, PyObject **side) {
    for (int i = 0; i < 4; i++) {
        Slice value = value_of(game, game->tags[first + i]);
        if (!key_takes(game, value.at, value.size) || !key_takes_sign(game, VALUE_ENDS))
            return 0;
    }
    return key_takes_sign(game, online ? '1' : '0') ? recall_parts(game, OF_SIDES, key_of(game), 5, side) : 0;
}
enum { SIDE_COLUMNS, SIDE_KEY, SIDE_NAME, SIDE_PLACE, SIDE_TEAM };

static bool are_equal(PyObject *one, PyObject *other) {
    Py_ssize_t size = PyBytes_GET_SIZE(one);
    return size == PyBytes_GET_SIZE(other) && memcmp(PyBytes_AS_STRING(one), PyBytes_AS_STRING(other), (size_t)size) == 0;
}

/* Whether both may be one player, which is odd. */
static bool are_alike(PyObject *white, PyObject *black) {
    return are_equal(part(white, SIDE_KEY), part(black, SIDE_KEY)) ||
           (PyBytes_GET_SIZE(part(white, SIDE_NAME)) > 0 && are_equal(part(white, SIDE_NAME), part(black, SIDE_NAME)));
}

static int add_rating(Game *game, Slices *to, int kind) {
    Slice value = stripped(value_of(game, game->tags[kind]));
    int64_t number = 0;
    size_t i = 0;
    while (i < value.size && i < 4 && has_digit(value, i))
        number = 10 * number + (value.at[i++] - '0');
    if (i == value.size) {
        if (number == 0)
            add_null(to);
        else
            add_integer(game, to, number);
        return 1;
    }
    PyObject *found;
    int known = value.size > LONGEST_KEY ? 0 : recall(game, OF_RATINGS, bytes_of(value), &found);
    if (known == 1 && !PyBytes_Check(found)) {
        PyErr_SetString(PyExc_TypeError, "a column is bytes");
        return -1;
    }
    if (known == 1)
        add_bytes(to, found);
    return known;
}

/* Add the text of a tag; *said is whether it says anything. */
static int add_said(Game *game, Slices *to, int kind, bool *said) {
    Slice value = value_of(game, game->tags[kind]), plain = stripped(value);
    PyObject *found;
    *said = says(plain);
    if (is_plain(value)) {
        if (*said)
            add_text(game, to, 't', plain.at, plain.size);
        else
            add_null(to);
        return 1;
    }
    int known = value.size > LONGEST_KEY ? 0 : recall(game, OF_TEXTS, bytes_of(value), &found);
    if (known == 1 && !PyBytes_Check(found)) {
        PyErr_SetString(PyExc_TypeError, "a column is bytes");
        return -1;
    }
    if (known == 1) {
        add_bytes(to, found);
        *said = PyBytes_GET_SIZE(found) > 1;
    }
    return known;
}

static void add_moves(Game *game, Slices *to) {
    int count = game->line.count;
    for (int i = 0; i < count; i++) {
        game->moves[2 * i] = (char)(game->line.moves[i] >> 8);
        game->moves[2 * i + 1] = (char)game->line.moves[i];
    }
    add_text(game, to, 'b', game->moves, 2 * (size_t)count);
    add_integer(game, to, count);
}

/* A column with the id of this game where that of another one is. */
static int add_with_id(Game *game, Slices *to, PyObject *event, int which, char *room) {
    PyObject *column = part(event, which), *holes = part(event, EVENT_HOLES);
    size_t size = (size_t)PyBytes_GET_SIZE(column);
    if (PyBytes_GET_SIZE(holes) == 0) {
        add_bytes(to, column);
        return 1;
    }
    if (size > LONGEST_KEY)
        return 0;
    memcpy(room, PyBytes_AS_STRING(column), size);
    const uint8_t *hole = (const uint8_t *)PyBytes_AS_STRING(holes);
    for (Py_ssize_t i = 0; i + 3 <= PyBytes_GET_SIZE(holes); i += 3) {
        size_t at = hole[i + 1] | (size_t)hole[i + 2] << 8;
        if (hole[i] != which)
            continue;
        if (game->id.at == NULL || at > size || game->id.size > size - at)
            return 0;
        memcpy(room + at, game->id.at, game->id.size);
    }
    add(to, room, size);
    return 1;
}

/* The number that digits at an index say, or -1. */
static int digits_at(Slice value, size_t at, size_t count) {
    int number = 0;
    for (size_t i = at; i < at + count; i++) {
        if (!has_digit(value, i))
            return -1;
        number = 10 * number + (value.at[i] - '0');
    }
    return number;
}

/* Days from the beginning of 1970 to a date, or -1 if there is no such one, or one before. */
static int64_t days_since_1970(int year, int month, int day) {
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    if (year < 1970 || month < 1 || month > 12)
        return -1;
    int64_t past = year - 1;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (day < 1 || day > before[month] - before[month - 1] + (leap && month == 2))
        return -1;
    return past * 365 + past / 4 - past / 100 + past / 400 + before[month - 1] + (leap && month > 2) + day - 719163;
}

/* When an online game started. */
static int add_start(Game *game, Slices *to, bool online) {
    Slice date = stripped(value_of(game, game->tags[UTC_DATE])), time = stripped(value_of(game, game->tags[UTC_TIME]));
    if (!is_plain(date) || !is_plain(time))
        return 0;
    if (!online || !says(date) || !says(time)) {
        add_null(to);
        return 1;
    }
    if (date.size != 10 || time.size != 8 || date.at[4] != '.' || date.at[7] != '.' || time.at[2] != ':' || time.at[5] != ':')
        return 0;
    int64_t day = days_since_1970(digits_at(date, 0, 4), digits_at(date, 5, 2), digits_at(date, 8, 2));
    int hour = digits_at(time, 0, 2), minute = digits_at(time, 3, 2), second = digits_at(time, 6, 2);
    if (day < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
        return 0;
    add_integer(game, to, 1000 * (86400 * day + 3600 * hour + 60 * minute + second));
    return 1;
}

static int recall_opening(Game *game, PyObject **opening) {
    *opening = NULL;
    if (game->tags[OPENING] == NULL && game->tags[OPENING_PAGE] == NULL)
        return 1;
    for (int kind = OPENING; kind <= OPENING_PAGE; kind++) {
        Slice value = value_of(game, game->tags[kind]);
        if (!key_takes(game, value.at, value.size) || !key_takes_sign(game, VALUE_ENDS))
            return 0;
    }
    return recall_parts(game, OF_OPENINGS, key_of(game), 2, opening);
}

/* What the moves say of the opening, where the tags say nothing. */
static int add_derived(Game *game, Slices *to, bool eco_said, bool opening_said) {
    PyObject *numbers = game->args[ITS_NUMBERS], *keys = game->args[ITS_KEYS], *found;
    Py_ssize_t deepest = PyNumber_AsSsize_t(game->args[ITS_DEEPEST], NULL);
    if (deepest == -1 && PyErr_Occurred())
        return -1;
    if (deepest < 0 || deepest > OPENINGS_DEPTH || PyBytes_GET_SIZE(numbers) != OPENING_NUMBERS * (Py_ssize_t)sizeof(uint64_t))
        return 0;
    ptrdiff_t place = OPENING_NONE;
    if (!eco_said || !opening_said)
        place = opening_find(game->line.moves, (size_t)(game->line.count < deepest ? game->line.count : deepest),
                             (const uint64_t *)(const void *)PyBytes_AS_STRING(numbers),
                             (const uint64_t *)(const void *)PyBytes_AS_STRING(keys),
                             (size_t)PyBytes_GET_SIZE(keys) / sizeof(uint64_t));
    if (place == OPENING_DOUBT)
        return 0;
    if (place == OPENING_NONE) {
        add(to, "NN", 2);
        game->places[DERIVED_PLACE] = UINT32_MAX;
        return 1;
    }
    int known = recall_parts(game, OF_DERIVED, PyLong_FromSsize_t(4 * place + 2 * opening_said + eco_said), 2, &found);
    if (known != 1)
        return known;
    add_bytes(to, part(found, 0));
    return take_places(game, DERIVED_PLACE, part(found, 1), 1) ? 1 : -1;
}

static size_t write_move(char *at, uint16_t code, bool castling) {
    unsigned from = code >> 10, to = code >> 4 & 63, becomes = code & 15;
    if (castling) /* as king takes rook */
        to = to % 8 == 6 ? to + 1 : to - 2;
    at[0] = (char)('a' + from % 8);
    at[1] = (char)('1' + from / 8);
    at[2] = (char)('a' + to % 8);
    at[3] = (char)('1' + to / 8);
    if (becomes == 0)
        return 4;
    at[4] = "?nbrqk"[becomes];
    return 5;
}

/* What core.sameness.key hashes. */
static void add_identity(Game *game, Slices *to, PyObject *white, PyObject *black, PyObject *date) {
    const Line *line = &game->line;
    const char *end = ENDS[line->end];
    size_t size = 0;
    for (int i = 0, next = 0; i < line->count; i++) {
        bool castling = next < line->castling_count && line->castlings[next] == i;
        next += castling;
        size += write_move(game->uci + size, line->moves[i], castling);
        game->uci[size++] = ' ';
    }
    add(to, "[", 1);
    add_bytes(to, part(white, SIDE_KEY));
    add(to, ", ", 2);
    add_bytes(to, part(black, SIDE_KEY));
    add(to, ", ", 2);
    add_bytes(to, part(date, 1));
    add(to, ", \"", 3);
    add(to, end, strlen(end));
    add(to, "\", \"standard\", \"\", \"", 20);
    add(to, game->uci, size == 0 ? 0 : size - 1);
    add(to, "\"]", 2);
}

#define TRY(step) do { int tried = (step); if (tried != 1) return tried; } while (0)
#define START "t\x08\0\0\0standardt\0\0\0\0N"

/* All that is remembered of a game. */
typedef struct {
    PyObject *event, *place, *white, *black, *date, *opening;
    bool online;
} Known;

static int recall_all(Game *game, Known *known) {
    if (!find_id(game))
        game->id.at = NULL;
    known->place = NULL;
    if (game->id.at == NULL || game->tags[LINK] != NULL)
        TRY(recall_site(game, &known->place));
    TRY(recall_event(game, known->place, &known->event));
    PyObject *online = part(known->event, EVENT_ONLINE);
    known->online = PyBytes_GET_SIZE(online) > 1 && PyBytes_AS_STRING(online)[1] != 0;
    TRY(recall_side(game, WHITE_NAME, known->online, &known->white));
    TRY(recall_side(game, BLACK_NAME, known->online, &known->black));
    if (are_alike(known->white, known->black))
        return 0;
    Slice day = value_of(game, game->tags[DATE]);
    TRY(day.size > LONGEST_KEY ? 0 : recall_parts(game, OF_DATES, bytes_of(day), 2, &known->date));
    TRY(recall_opening(game, &known->opening));
    bool good = take_places(game, WHITE_PLACE, part(known->white, SIDE_PLACE), 1) &&
                take_places(game, BLACK_PLACE, part(known->black, SIDE_PLACE), 1) &&
                take_places(game, WHITE_TEAM_PLACE, part(known->white, SIDE_TEAM), 1) &&
                take_places(game, BLACK_TEAM_PLACE, part(known->black, SIDE_TEAM), 1) &&
                take_places(game, EVENT_PLACE, part(known->event, EVENT_PLACES), 2);
    if (good && known->place != NULL)
        good = take_places(game, SITE_PLACE, part(known->place, 1), 1);
    game->places[OPENING_PLACE] = UINT32_MAX;
    if (good && known->opening != NULL)
        good = take_places(game, OPENING_PLACE, part(known->opening, 1), 1);
    return good ? 1 : -1;
}

/* The columns of the game's row. */
static int add_columns(Game *game, const Known *known, Slices *to) {
    bool opening_said = known->opening != NULL && PyBytes_GET_SIZE(part(known->opening, 0)) > 1;
    const char *end = ENDS[game->line.end];
    bool eco_said, unused;
    add_bytes(to, part(known->white, SIDE_COLUMNS));
    add_bytes(to, part(known->black, SIDE_COLUMNS));
    TRY(add_rating(game, to, WHITE_RATING));
    TRY(add_rating(game, to, BLACK_RATING));
    add_bytes(to, part(known->date, 0));
    add_text(game, to, 't', end, strlen(end));
    add(to, START, sizeof START - 1);
    add_moves(game, to);
    add_bytes(to, part(known->event, EVENT_EVENT));
    add_bytes(to, known->place == NULL ? part(known->event, EVENT_SITE) : part(known->place, 0));
    TRY(add_with_id(game, to, known->event, EVENT_TAIL, game->tail));
    TRY(add_said(game, to, ROUND, &unused));
    TRY(add_said(game, to, ECO, &eco_said));
    if (known->opening == NULL)
        add_null(to);
    else
        add_bytes(to, part(known->opening, 0));
    add_bytes(to, part(known->event, EVENT_TIME));
    TRY(add_said(game, to, TERMINATION, &unused));
    add_bytes(to, part(known->event, EVENT_ANNOTATOR));
    TRY(add_start(game, to, known->online));
    add_bytes(to, part(known->event, EVENT_ONLINE));
    TRY(add_derived(game, to, eco_said, opening_said));
    return add_with_id(game, to, known->event, EVENT_TELLING, game->telling);
}

static PyObject *result_of(const Game *game, const Slices *columns, const Slices *identity) {
    PyObject *row = joined(columns), *said = row == NULL ? NULL : joined(identity);
    PyObject *places = said == NULL ? NULL : PyBytes_FromStringAndSize(NULL, 4 * PLACES);
    PyObject *result = NULL;
    if (places != NULL) {
        for (int i = 0; i < PLACES; i++)
            write_number(PyBytes_AS_STRING(places) + 4 * i, game->places[i], 4);
        result = PyTuple_Pack(4, row, said, places, game->line.comments ? Py_True : Py_False);
    }
    Py_XDECREF(row);
    Py_XDECREF(said);
    Py_XDECREF(places);
    return result;
}

static int scan(Game *game, const Board *first) {
    const uint8_t *text = (const uint8_t *)game->text;
    if (scan_bytes(text, game->length) == BINARY || !scan_header(text, game->length, &game->header))
        return 0;
    TRY(sort_tags(game));
    game->board = *first;
    return scan_movetext(text, game->length, game->header.end, game->header.nil_nil, &game->board, &game->line) &&
           game->line.end != NO_END && is_result_plain(game);
}

static bool are_arguments(PyObject *const *args, Py_ssize_t count) {
    bool good = count == ARGUMENTS && PyTuple_Check(args[ITS_MEMOS]) && PyTuple_GET_SIZE(args[ITS_MEMOS]) == MEMOS &&
                PyBytes_Check(args[ITS_KINDS]) && PyBytes_Check(args[ITS_NUMBERS]) && PyBytes_Check(args[ITS_KEYS]) &&
                PyBytes_Check(args[ITS_RAW]);
    for (int i = 0; good && i < MEMOS; i++)
        good = PyDict_Check(PyTuple_GET_ITEM(args[ITS_MEMOS], i));
    return good;
}

PyObject *line_of(const Board *first, PyObject *const *args, Py_ssize_t count) {
    if (!are_arguments(args, count)) {
        PyErr_SetString(PyExc_TypeError, "line wants dicts, a callable, the bytes and the depth of a book, and a game");
        return NULL;
    }
    Game game;
    Known known;
    Slices columns = {.count = 0, .size = 0}, identity = {.count = 0, .size = 0};
    game.text = PyBytes_AS_STRING(args[ITS_RAW]);
    game.length = (size_t)PyBytes_GET_SIZE(args[ITS_RAW]);
    game.args = args;
    game.held_count = 0;
    game.key_size = game.scratch_used = 0;
    memset(game.tags, 0, sizeof game.tags);
    int done = scan(&game, first);
    if (done == 1)
        done = recall_all(&game, &known);
    if (done == 1)
        done = add_columns(&game, &known, &columns);
    if (done == 1)
        add_identity(&game, &identity, known.white, known.black, known.date);
    PyObject *result = done == 1 ? result_of(&game, &columns, &identity) : done == 0 ? Py_NewRef(Py_None) : NULL;
    while (game.held_count > 0)
        Py_DECREF(game.held[--game.held_count]);
    return result;
}
