/* An extension of SQLite: the table-valued function packed_rows(rows, n0, n1, n2, n3, m0, m1), whose rows are the
   records that daemon/archive/database/packed_rows.py describes. Columns: c0 … c47, the values of the record; a0 … a3,
   the number at the record's place in the arrays n0 … n3; number, the record's place, from 0. A record whose a0 is 0 is
   left out. Arrays and maps are int64 as the machine has them. A reference to 0 in a map is a fault: no row has that id.

   The table-valued function packed_insert(statement, rows, n0, n1, n2, n3, m0, m1, p0, p1) runs a statement once for each of
   these rows; its parameters are their columns (:c0, :a0) and :p0 and :p1. Its one row says how often it ran. An INSERT …
   SELECT of many rows keeps a copy of every page that it is about to change, to be able to take all of them back; this does
   not, and an error leaves the rows before it. So the transaction has to be rolled back then.

   Nothing is believed: whatever is cut off, out of bounds, or not a text is an error, "packed rows are damaged". Values
   are handed on without a copy; they lie in what is bound to the statement, which stays as it is while it runs. */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "sqlite.h"

enum { VALUES = 48, ARRAYS = 4, MAPS = 2, ARGUMENTS = 1 + ARRAYS + MAPS };
enum { OTHERS = 2, MOST_ARGUMENTS = 1 + ARGUMENTS + OTHERS };
enum { FIRST_ARRAY = VALUES, NUMBER = FIRST_ARRAY + ARRAYS, FIRST_ARGUMENT = NUMBER + 1 };

typedef struct {
    const uint8_t *bytes;
    size_t length;
} Bytes;

typedef struct {
    sqlite3_vtab base;
    sqlite3_functions sqlite;
} Table;

typedef struct {
    const uint8_t *bytes; /* after the type and what else comes before */
    uint32_t length;      /* of a reference, the number of its map */
    uint8_t type;
} Value;

typedef struct {
    sqlite3_vtab_cursor base;
    sqlite3_functions sqlite;
    Bytes given[ARGUMENTS];
    void *owned[ARGUMENTS]; /* copies of what is not bound */
    size_t next;            /* where the next record begins */
    int64_t number;         /* of this record */
    bool ended;
    int count;
    Value values[VALUES];
} Cursor;

static uint32_t read_4(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static int64_t read_8(const uint8_t *bytes) {
    return (int64_t)((uint64_t)read_4(bytes) | (uint64_t)read_4(bytes + 4) << 32);
}

/* The number at this place of an array, which has it. */
static int64_t number_at(Bytes array, size_t place) {
    int64_t number;
    memcpy(&number, array.bytes + 8 * place, 8);
    return number;
}

static int damaged(Cursor *cursor) {
    sqlite3_vtab *table = cursor->base.pVtab;
    SQLITE(cursor->sqlite, free)(table->zErrMsg);
    table->zErrMsg = cursor->number < 0
        ? SQLITE(cursor->sqlite, mprintf)("packed rows are damaged: their arguments")
        : SQLITE(cursor->sqlite, mprintf)("packed rows are damaged: record %lld", (long long)cursor->number);
    cursor->ended = true;
    return SQLITE_ERROR;
}

/* How many bytes of UTF-8 the sign at *text* has that is not ASCII; 0 if it is not one. */
static size_t long_sign(const uint8_t *text, size_t length) {
    uint8_t first = text[0];
    size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4 || more >= length)
        return 0;
    uint8_t least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    uint8_t most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (text[1] < least || text[1] > most)
        return 0;
    for (size_t i = 2; i <= more; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return 1 + more;
}

/* Whether it is UTF-8 without a NUL and without halves of surrogate pairs, as every text of the archive. */
static bool is_text(const uint8_t *text, size_t length) {
    size_t at = 0;
    while (at < length) {
        uint64_t eight;
        if (length - at >= 8) {
            memcpy(&eight, text + at, 8);
            /* No byte of it is NUL or beyond ASCII: neither borrows in the one case nor has its high bit in the other. */
            if ((((eight - 0x0101010101010101u) | eight) & 0x8080808080808080u) == 0) {
                at += 8;
                continue;
            }
        }
        if (text[at] == 0)
            return false;
        size_t size = text[at] < 0x80 ? 1 : long_sign(text + at, length - at);
        if (size == 0)
            return false;
        at += size;
    }
    return true;
}

/* Note where the values of a record are; false if it is damaged. */
static bool take_apart(Cursor *cursor, const uint8_t *at, const uint8_t *end) {
    int count = 0;
    while (at < end) {
        if (count == VALUES)
            return false;
        Value *value = &cursor->values[count++];
        size_t left = (size_t)(end - at) - 1, size = 0;
        value->type = *at++;
        switch (value->type) {
        case 'N':
            break;
        case 'i':
            size = 8;
            break;
        case 'r':
            if (left < 5)
                return false;
            value->length = *at++;
            left--;
            size = 4;
            break;
        case 't': case 'b':
            if (left < 4)
                return false;
            value->length = read_4(at);
            at += 4;
            left -= 4;
            size = value->length;
            if (size > INT_MAX)
                return false;
            break;
        default:
            return false;
        }
        if (size > left || (value->type == 't' && !is_text(at, size)))
            return false;
        value->bytes = at;
        at += size;
    }
    cursor->count = count;
    return true;
}

/* Whether every array that is given has a number for the record. */
static bool has_numbers(const Cursor *cursor) {
    for (int i = 1; i <= ARRAYS; i++)
        if (cursor->given[i].bytes != NULL && cursor->given[i].length / 8 <= (size_t)cursor->number)
            return false;
    return true;
}

/* Whether no array has numbers beyond the last record. */
static bool has_no_more_numbers(const Cursor *cursor) {
    for (int i = 1; i <= ARRAYS; i++)
        if (cursor->given[i].bytes != NULL && cursor->given[i].length / 8 != (size_t)cursor->number)
            return false;
    return true;
}

static int next(sqlite3_vtab_cursor *base) {
    Cursor *cursor = (Cursor *)base;
    Bytes rows = cursor->given[0], chosen = cursor->given[1];
    for (;;) {
        cursor->number++;
        size_t left = rows.length - cursor->next;
        if (left == 0) {
            cursor->ended = true;
            return has_no_more_numbers(cursor) ? SQLITE_OK : damaged(cursor);
        }
        if (left < 4 || !has_numbers(cursor))
            return damaged(cursor);
        const uint8_t *record = rows.bytes + cursor->next;
        uint32_t length = read_4(record);
        if (length > left - 4)
            return damaged(cursor);
        cursor->next += 4 + (size_t)length;
        if (chosen.bytes != NULL && number_at(chosen, (size_t)cursor->number) == 0)
            continue;
        return take_apart(cursor, record + 4, record + 4 + length) ? SQLITE_OK : damaged(cursor);
    }
}

/* The number that a reference is for; 0 if it has none. */
static int64_t referred(const Cursor *cursor, const Value *value) {
    if (value->length >= MAPS)
        return 0;
    Bytes map = cursor->given[1 + ARRAYS + value->length];
    size_t place = read_4(value->bytes);
    return place < map.length / 8 ? number_at(map, place) : 0;
}

static int refer(Cursor *cursor, sqlite3_context *context, const Value *value) {
    int64_t number = referred(cursor, value);
    if (number == 0)
        return damaged(cursor);
    SQLITE(cursor->sqlite, result_int64)(context, number);
    return SQLITE_OK;
}

static int result(Cursor *cursor, sqlite3_context *context, const Value *value) {
    switch (value->type) {
    case 'i':
        SQLITE(cursor->sqlite, result_int64)(context, read_8(value->bytes));
        break;
    case 't':
        SQLITE(cursor->sqlite, result_text)(context, (const char *)value->bytes, (int)value->length, NULL);
        break;
    case 'b':
        SQLITE(cursor->sqlite, result_blob)(context, value->bytes, (int)value->length, NULL);
        break;
    case 'r':
        return refer(cursor, context, value);
    default: /* nothing: a result is NULL unless something else is said */
        break;
    }
    return SQLITE_OK;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int place) {
    Cursor *cursor = (Cursor *)base;
    if (place < VALUES)
        return place < cursor->count ? result(cursor, context, &cursor->values[place]) : SQLITE_OK;
    if (place < NUMBER) {
        Bytes array = cursor->given[1 + place - FIRST_ARRAY];
        if (array.bytes != NULL)
            SQLITE(cursor->sqlite, result_int64)(context, number_at(array, (size_t)cursor->number));
    } else if (place == NUMBER) {
        SQLITE(cursor->sqlite, result_int64)(context, cursor->number);
    }
    return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *base, int64_t *number) {
    *number = ((Cursor *)base)->number;
    return SQLITE_OK;
}

static int is_ended(sqlite3_vtab_cursor *base) {
    return ((Cursor *)base)->ended;
}

static void release(Cursor *cursor) {
    for (int i = 0; i < ARGUMENTS; i++) {
        SQLITE(cursor->sqlite, free)(cursor->owned[i]);
        cursor->owned[i] = NULL;
        cursor->given[i] = (Bytes){NULL, 0};
    }
}

/* Take an argument: what is bound to the statement as it is, anything else as a copy. */
static int take(Cursor *cursor, int place, sqlite3_value *value) {
    static const uint8_t nothing[1];
    sqlite3_functions sqlite = cursor->sqlite;
    int type = SQLITE(sqlite, value_type)(value);
    if (type == SQLITE_NULL)
        return SQLITE_OK;
    const void *bytes = SQLITE(sqlite, value_blob)(value);
    size_t length = (size_t)SQLITE(sqlite, value_bytes)(value);
    if (type != SQLITE_BLOB || (place > 0 && length % 8 != 0) || (bytes == NULL && length > 0))
        return damaged(cursor);
    if (length > 0 && !SQLITE(sqlite, value_frombind)(value)) {
        cursor->owned[place] = SQLITE(sqlite, malloc64)(length);
        if (cursor->owned[place] == NULL)
            return SQLITE_NOMEM;
        bytes = memcpy(cursor->owned[place], bytes, length);
    }
    cursor->given[place] = (Bytes){length > 0 ? bytes : nothing, length};
    return SQLITE_OK;
}

/* *given* has a bit for each argument that is given; they come in order. */
static int filter(sqlite3_vtab_cursor *base, int given, const char *text, int count, sqlite3_value **values) {
    (void)text;
    Cursor *cursor = (Cursor *)base;
    release(cursor);
    cursor->number = -1;
    cursor->next = 0;
    cursor->ended = false;
    for (int place = 0, at = 0; place < ARGUMENTS && at < count; place++) {
        if (!(given >> place & 1))
            continue;
        int code = take(cursor, place, values[at++]);
        if (code != SQLITE_OK)
            return code;
    }
    return cursor->given[0].bytes == NULL ? damaged(cursor) : next(base);
}

/* Choose the arguments, which are the columns from *first* on. */
static int choose(sqlite3_index_info *info, int first, int arguments) {
    int found[MOST_ARGUMENTS];
    memset(found, -1, sizeof found);
    for (int i = 0; i < info->nConstraint; i++) {
        int place = info->aConstraint[i].iColumn - first;
        if (place < 0 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        if (!info->aConstraint[i].usable)
            return SQLITE_CONSTRAINT;
        found[place] = i;
    }
    for (int place = 0, count = 0; place < arguments; place++) {
        if (found[place] < 0)
            continue;
        info->idxNum |= 1 << place;
        info->aConstraintUsage[found[place]].argvIndex = ++count;
        info->aConstraintUsage[found[place]].omit = 1;
    }
    info->estimatedCost = 1000;
    info->estimatedRows = 1000;
    return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
    (void)table;
    return choose(info, FIRST_ARGUMENT, ARGUMENTS);
}

static const char COLUMNS[] =
    "CREATE TABLE packed_rows(c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16,c17,c18,c19,c20,c21,c22,c23,"
    "c24,c25,c26,c27,c28,c29,c30,c31,c32,c33,c34,c35,c36,c37,c38,c39,c40,c41,c42,c43,c44,c45,c46,c47,"
    "a0,a1,a2,a3,number,rows HIDDEN,n0 HIDDEN,n1 HIDDEN,n2 HIDDEN,n3 HIDDEN,m0 HIDDEN,m1 HIDDEN)";

static int connect(sqlite3 *db, void *sqlite, int count, const char *const *words, sqlite3_vtab **made, char **error) {
    (void)count, (void)words, (void)error;
    sqlite3_functions functions = sqlite;
    int code = SQLITE(functions, declare_vtab)(db, COLUMNS);
    if (code == SQLITE_OK) /* not from views and triggers of a file */
        code = SQLITE(functions, vtab_config)(db, SQLITE_VTAB_DIRECTONLY);
    if (code != SQLITE_OK)
        return code;
    Table *table = SQLITE(functions, malloc64)(sizeof *table);
    if (table == NULL)
        return SQLITE_NOMEM;
    *table = (Table){.sqlite = functions};
    *made = &table->base;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table) {
    SQLITE(((Table *)table)->sqlite, free)(table);
    return SQLITE_OK;
}

static int open(sqlite3_vtab *table, sqlite3_vtab_cursor **made) {
    sqlite3_functions sqlite = ((Table *)table)->sqlite;
    Cursor *cursor = SQLITE(sqlite, malloc64)(sizeof *cursor);
    if (cursor == NULL)
        return SQLITE_NOMEM;
    memset(cursor, 0, sizeof *cursor);
    cursor->sqlite = sqlite;
    *made = &cursor->base;
    return SQLITE_OK;
}

static int close(sqlite3_vtab_cursor *base) {
    Cursor *cursor = (Cursor *)base;
    release(cursor);
    SQLITE(cursor->sqlite, free)(cursor);
    return SQLITE_OK;
}

/* Without xCreate: it is there without a CREATE, and no other is made of it. */
static const sqlite3_module MODULE = {
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xOpen = open,
    .xClose = close,
    .xFilter = filter,
    .xNext = next,
    .xEof = is_ended,
    .xColumn = column,
    .xRowid = row_id,
};

enum { KEPT = 4 };

/* The table of packed_insert. It keeps its last statements, and ends them when it is disconnected: SQLite does that when a
   connection is closed, before it looks whether statements are left. */
typedef struct {
    Table base;
    sqlite3 *db;
    int oldest;
    struct {
        char *text;
        sqlite3_stmt *statement;
    } kept[KEPT];
} Inserter;

typedef struct {
    Cursor rows;
    int64_t done;
    bool ended;
} Insertion;

/* The statement of this text, which is kept no more: while it is used nobody else finds it. */
static int take_statement(Inserter *own, const char *text, sqlite3_stmt **found) {
    sqlite3_functions sqlite = own->base.sqlite;
    for (int i = 0; i < KEPT; i++)
        if (own->kept[i].text != NULL && strcmp(own->kept[i].text, text) == 0) {
            *found = own->kept[i].statement;
            own->kept[i].statement = NULL;
            SQLITE(sqlite, free)(own->kept[i].text);
            own->kept[i].text = NULL;
            return SQLITE_OK;
        }
    return SQLITE(sqlite, prepare_v2)(own->db, text, -1, found, NULL);
}

static void drop_statement(Inserter *own, int place) {
    SQLITE(own->base.sqlite, finalize)(own->kept[place].statement);
    SQLITE(own->base.sqlite, free)(own->kept[place].text);
    own->kept[place].statement = NULL;
    own->kept[place].text = NULL;
}

static void keep_statement(Inserter *own, const char *text, sqlite3_stmt *statement) {
    int place = own->oldest;
    own->oldest = (place + 1) % KEPT;
    drop_statement(own, place);
    own->kept[place].text = SQLITE(own->base.sqlite, mprintf)("%s", text);
    own->kept[place].statement = statement;
}

enum { PARAMETERS = 100, OTHER = 1000 };

/* What a parameter is for: a column, or OTHER and its number; -1 if it is for nothing. */
static int meaning(const char *name) {
    if (name == NULL || name[0] != ':' || name[1] == 0 || name[2] < '0' || name[2] > '9')
        return -1;
    int number = name[2] - '0';
    if (name[3] >= '0' && name[3] <= '9' && name[4] == 0)
        number = 10 * number + name[3] - '0';
    else if (name[3] != 0)
        return -1;
    switch (name[1]) {
    case 'c':
        return number < VALUES ? number : -1;
    case 'a':
        return number < ARRAYS ? FIRST_ARRAY + number : -1;
    case 'p':
        return number < OTHERS ? OTHER + number : -1;
    default:
        return -1;
    }
}

static int bind_value(Cursor *cursor, sqlite3_stmt *statement, int place, const Value *value) {
    sqlite3_functions sqlite = cursor->sqlite;
    int64_t number;
    switch (value->type) {
    case 'i':
        return SQLITE(sqlite, bind_int64)(statement, place, read_8(value->bytes));
    case 't':
        return SQLITE(sqlite, bind_text)(statement, place, (const char *)value->bytes, (int)value->length, NULL);
    case 'b':
        return SQLITE(sqlite, bind_blob)(statement, place, value->bytes, (int)value->length, NULL);
    case 'r':
        number = referred(cursor, value);
        return number == 0 ? damaged(cursor) : SQLITE(sqlite, bind_int64)(statement, place, number);
    default:
        return SQLITE(sqlite, bind_null)(statement, place);
    }
}

static int bind_column(Cursor *cursor, sqlite3_stmt *statement, int place, int column) {
    if (column < cursor->count)
        return bind_value(cursor, statement, place, &cursor->values[column]);
    if (column >= FIRST_ARRAY && cursor->given[1 + column - FIRST_ARRAY].bytes != NULL) {
        Bytes array = cursor->given[1 + column - FIRST_ARRAY];
        return SQLITE(cursor->sqlite, bind_int64)(statement, place, number_at(array, (size_t)cursor->number));
    }
    return SQLITE(cursor->sqlite, bind_null)(statement, place);
}

/* Run the statement for each row; *done* counts. */
static int run_each(Cursor *cursor, sqlite3_stmt *statement, int count, const int *meanings, int64_t *done) {
    while (!cursor->ended) {
        int code = SQLITE_OK;
        for (int i = 0; i < count && code == SQLITE_OK; i++)
            if (meanings[i] < OTHER)
                code = bind_column(cursor, statement, i + 1, meanings[i]);
        if (code != SQLITE_OK)
            return code;
        code = SQLITE(cursor->sqlite, step)(statement);
        int after = SQLITE(cursor->sqlite, reset)(statement);
        if (code != SQLITE_DONE)
            return after != SQLITE_OK ? after : SQLITE_ERROR;
        (*done)++;
        code = next(&cursor->base);
        if (code != SQLITE_OK)
            return code;
    }
    return SQLITE_OK;
}

/* Say what the statement, or the making of it, says is wrong. */
static void explain(Inserter *own) {
    sqlite3_functions sqlite = own->base.sqlite;
    if (own->base.base.zErrMsg == NULL)
        own->base.base.zErrMsg = SQLITE(sqlite, mprintf)("%s", SQLITE(sqlite, errmsg)(own->db));
}

/* Run it with the arguments from rows on, and *others*. */
static int run(Cursor *cursor, sqlite3_stmt *statement, int given, int count, sqlite3_value **values, sqlite3_value **others,
               int64_t *done) {
    sqlite3_functions sqlite = cursor->sqlite;
    int meanings[PARAMETERS], parameters = SQLITE(sqlite, bind_parameter_count)(statement);
    if (parameters > PARAMETERS)
        return damaged(cursor);
    for (int i = 0; i < parameters; i++) {
        meanings[i] = meaning(SQLITE(sqlite, bind_parameter_name)(statement, i + 1));
        if (meanings[i] < 0)
            return damaged(cursor);
        sqlite3_value *other = meanings[i] < OTHER ? NULL : others[meanings[i] - OTHER];
        int code = other == NULL ? SQLITE_OK : SQLITE(sqlite, bind_value)(statement, i + 1, other);
        if (code != SQLITE_OK)
            return code;
    }
    int code = filter(&cursor->base, given, NULL, count, values);
    if (code == SQLITE_OK)
        code = run_each(cursor, statement, parameters, meanings, done);
    if (code != SQLITE_OK)
        explain((Inserter *)cursor->base.pVtab);
    for (int i = 0; i < parameters; i++) /* what is bound belongs to the arguments */
        SQLITE(sqlite, bind_null)(statement, i + 1);
    return code;
}

static int insert_filter(sqlite3_vtab_cursor *base, int given, const char *text, int count, sqlite3_value **values) {
    (void)text;
    Insertion *insertion = (Insertion *)base;
    Inserter *own = (Inserter *)base->pVtab;
    sqlite3_value *others[OTHERS] = {NULL};
    sqlite3_stmt *statement = NULL;
    insertion->done = 0;
    insertion->ended = false;
    insertion->rows.number = -1;
    for (int place = MOST_ARGUMENTS - 1; place > ARGUMENTS; place--)
        if (given >> place & 1 && count > 0)
            others[place - ARGUMENTS - 1] = values[--count];
    const char *words = given & 1 && count > 0 ? (const char *)SQLITE(own->base.sqlite, value_text)(values[0]) : NULL;
    if (words == NULL)
        return damaged(&insertion->rows);
    int code = take_statement(own, words, &statement);
    if (code == SQLITE_OK && statement == NULL)
        return damaged(&insertion->rows);
    if (code == SQLITE_OK)
        code = run(&insertion->rows, statement, given >> 1 & ((1 << ARGUMENTS) - 1), count - 1, values + 1, others, &insertion->done);
    if (code != SQLITE_OK) /* unless it is said already */
        explain(own);
    if (statement != NULL)
        keep_statement(own, words, statement);
    return code;
}

static int insert_next(sqlite3_vtab_cursor *base) {
    ((Insertion *)base)->ended = true;
    return SQLITE_OK;
}

static int insert_is_ended(sqlite3_vtab_cursor *base) {
    return ((Insertion *)base)->ended;
}

static int insert_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int place) {
    Insertion *insertion = (Insertion *)base;
    if (place == 0)
        SQLITE(insertion->rows.sqlite, result_int64)(context, insertion->done);
    return SQLITE_OK;
}

static int insert_row_id(sqlite3_vtab_cursor *base, int64_t *number) {
    (void)base;
    *number = 0;
    return SQLITE_OK;
}

static int insert_best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
    (void)table;
    return choose(info, 1, MOST_ARGUMENTS);
}

static int insert_connect(sqlite3 *db, void *data, int count, const char *const *words, sqlite3_vtab **made, char **error) {
    (void)count, (void)words, (void)error;
    sqlite3_functions sqlite = data;
    int code = SQLITE(sqlite, declare_vtab)(
        db, "CREATE TABLE packed_insert(done,statement HIDDEN,rows HIDDEN,n0 HIDDEN,n1 HIDDEN,n2 HIDDEN,n3 HIDDEN,m0 HIDDEN,"
            "m1 HIDDEN,p0 HIDDEN,p1 HIDDEN)");
    if (code == SQLITE_OK)
        code = SQLITE(sqlite, vtab_config)(db, SQLITE_VTAB_DIRECTONLY);
    if (code != SQLITE_OK)
        return code;
    Inserter *own = SQLITE(sqlite, malloc64)(sizeof *own);
    if (own == NULL)
        return SQLITE_NOMEM;
    *own = (Inserter){.base.sqlite = sqlite, .db = db};
    *made = &own->base.base;
    return SQLITE_OK;
}

static int insert_disconnect(sqlite3_vtab *table) {
    Inserter *own = (Inserter *)table;
    for (int place = 0; place < KEPT; place++)
        drop_statement(own, place);
    SQLITE(own->base.sqlite, free)(own);
    return SQLITE_OK;
}

static int insert_open(sqlite3_vtab *table, sqlite3_vtab_cursor **made) {
    sqlite3_functions sqlite = ((Table *)table)->sqlite;
    Insertion *insertion = SQLITE(sqlite, malloc64)(sizeof *insertion);
    if (insertion == NULL)
        return SQLITE_NOMEM;
    memset(insertion, 0, sizeof *insertion);
    insertion->rows.sqlite = sqlite;
    *made = &insertion->rows.base;
    return SQLITE_OK;
}

static const sqlite3_module INSERTS = {
    .xConnect = insert_connect,
    .xBestIndex = insert_best_index,
    .xDisconnect = insert_disconnect,
    .xOpen = insert_open,
    .xClose = close,
    .xFilter = insert_filter,
    .xNext = insert_next,
    .xEof = insert_is_ended,
    .xColumn = insert_column,
    .xRowid = insert_row_id,
};

/* What SQLite calls when it has loaded the extension. */
__attribute__((visibility("default"))) int sqlite3_packedrows_init(sqlite3 *db, char **error, sqlite3_functions sqlite) {
    if (SQLITE(sqlite, libversion_number)() < SQLITE_FIRST) {
        *error = SQLITE(sqlite, mprintf)("packed_rows needs SQLite 3.31 or newer");
        return SQLITE_ERROR;
    }
    int code = SQLITE(sqlite, create_module_v2)(db, "packed_rows", &MODULE, (void *)sqlite, NULL);
    return code != SQLITE_OK ? code : SQLITE(sqlite, create_module_v2)(db, "packed_insert", &INSERTS, (void *)sqlite, NULL);
}
