/* Feeds the extension packed_rows with damaged records: packed_rows_fuzz SECONDS SEED. It is SQLite here: it calls the
   extension as SQLite does, with arguments in memory of exactly their length, and reads every value that it gets. Built
   with AddressSanitizer and UndefinedBehaviorSanitizer, which end the program at the first fault. Prints how many it has
   tried, and in how many all was well. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../../../daemon/archive/database/native/packed_rows.c"

struct sqlite3_value {
    int type;
    uint8_t *bytes;
    int length;
    int bound;
};

struct sqlite3_context {
    unsigned long read; /* a sum over all bytes of results, so that they are read */
};

static uint64_t state;
static const sqlite3_module *module, *insert_module;
static void *functions_of_module;

static size_t below(size_t end) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return end == 0 ? 0 : (size_t)(state % end);
}

static void unexpected(void) {
    fprintf(stderr, "a function that nobody should call\n");
    exit(4);
}

static int fake_declare_vtab(sqlite3 *db, const char *words) {
    (void)db;
    return strncmp(words, "CREATE TABLE", 12) == 0 ? SQLITE_OK : SQLITE_ERROR;
}

static int fake_libversion_number(void) {
    return 3051003;
}

static char *fake_mprintf(const char *format, ...) {
    char *made = malloc(64);
    va_list rest;
    va_start(rest, format);
    vsnprintf(made, 64, format, rest);
    va_end(rest);
    return made;
}

static void fake_result_blob(sqlite3_context *context, const void *bytes, int length, void (*release)(void *)) {
    if (release != NULL || length < 0)
        exit(5);
    for (int i = 0; i < length; i++)
        context->read += ((const uint8_t *)bytes)[i];
}

static void fake_result_text(sqlite3_context *context, const char *text, int length, void (*release)(void *)) {
    if (memchr(text, 0, (size_t)length) != NULL)
        exit(6);
    fake_result_blob(context, text, length, release);
}

static void fake_result_int64(sqlite3_context *context, int64_t number) {
    context->read += (unsigned long)number;
}

static const void *fake_value_blob(sqlite3_value *value) {
    return value->length > 0 ? value->bytes : NULL;
}

static int fake_value_bytes(sqlite3_value *value) {
    return value->length;
}

static int fake_value_type(sqlite3_value *value) {
    return value->type;
}

static int fake_value_frombind(sqlite3_value *value) {
    return value->bound;
}

static int fake_create_module_v2(sqlite3 *db, const char *name, const sqlite3_module *made, void *own, void (*end)(void *)) {
    (void)db, (void)end;
    *(strcmp(name, "packed_rows") == 0 ? &module : &insert_module) = made;
    functions_of_module = own;
    return SQLITE_OK;
}

static int fake_vtab_config(sqlite3 *db, int what, ...) {
    (void)db;
    return what == SQLITE_VTAB_DIRECTONLY ? SQLITE_OK : SQLITE_ERROR;
}

/* A statement: how it ends, and a sum over what is bound. */
struct sqlite3_stmt {
    int count, ends;
    unsigned long read;
};

static const char *const NAMES[] = {":c0", ":c1", ":c9", ":c47", ":a0", ":a3", ":p0", ":p1", ":c7", ":c10", ":c48", ":a4", ":p2", ":x1", ":c", ":c123", "?1"};

static int fake_prepare_v2(sqlite3 *db, const char *text, int length, sqlite3_stmt **made, const char **rest) {
    (void)db, (void)length, (void)rest;
    *made = NULL;
    if (below(30) == 0)
        return SQLITE_ERROR;
    if (below(30) == 0)
        return SQLITE_OK;
    *made = malloc(sizeof **made);
    **made = (sqlite3_stmt){text[0] == 'l' ? 200 : (int)below(12), SQLITE_DONE, 0};
    return SQLITE_OK;
}

static int fake_bind_parameter_count(sqlite3_stmt *statement) {
    return statement->count;
}

static const char *fake_bind_parameter_name(sqlite3_stmt *statement, int place) {
    if (place < 1 || place > statement->count)
        exit(9);
    return below(200) == 0 ? NULL : NAMES[below(below(60) ? 10 : 17)];
}

static int fake_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length, void (*release)(void *)) {
    if (place < 1 || place > statement->count || release != NULL || length < 0)
        exit(9);
    for (int i = 0; i < length; i++)
        statement->read += ((const uint8_t *)bytes)[i];
    return below(500) ? SQLITE_OK : SQLITE_NOMEM;
}

static int fake_bind_text(sqlite3_stmt *statement, int place, const char *text, int length, void (*release)(void *)) {
    if (memchr(text, 0, (size_t)length) != NULL)
        exit(6);
    return fake_bind_blob(statement, place, text, length, release);
}

static int fake_bind_null(sqlite3_stmt *statement, int place) {
    return fake_bind_blob(statement, place, NULL, 0, NULL);
}

static int fake_bind_int64(sqlite3_stmt *statement, int place, int64_t number) {
    statement->read += (unsigned long)number;
    return fake_bind_null(statement, place);
}

static int fake_bind_value(sqlite3_stmt *statement, int place, const sqlite3_value *value) {
    return fake_bind_blob(statement, place, value->bytes, value->length, NULL);
}

static int fake_step(sqlite3_stmt *statement) {
    return statement->ends = below(40) ? SQLITE_DONE : SQLITE_CONSTRAINT;
}

static int fake_reset(sqlite3_stmt *statement) {
    return statement->ends == SQLITE_DONE ? SQLITE_OK : statement->ends;
}

static int fake_finalize(sqlite3_stmt *statement) {
    free(statement);
    return SQLITE_OK;
}

static const char *fake_errmsg(sqlite3 *db) {
    (void)db;
    return "wrong";
}

static const unsigned char *fake_value_text(sqlite3_value *value) {
    return value->type == SQLITE_NULL ? NULL : value->bytes;
}

static void *fake_malloc64(uint64_t size) {
    return malloc(size);
}

static void fake_free(void *memory) {
    free(memory);
}

/* A record at *at*, of which there are at most 600 bytes. */
static size_t add_record(uint8_t *at) {
    static const char types[] = "NitbrrtN";
    size_t length = 4;
    for (size_t values = below(below(8) ? 7 : 50); values > 0 && length < 520; values--) {
        char type = types[below(8)];
        size_t size = 0;
        at[length++] = (uint8_t)type;
        if (type == 'i') {
            size = 8;
        } else if (type == 'r') {
            at[length++] = (uint8_t)below(below(20) ? 2 : 256);
            at[length] = (uint8_t)below(below(20) ? 3 : 9);
            memset(at + length + 1, 0, 3);
            length += 4;
        } else if (type != 'N') {
            size = below(40);
            at[length] = (uint8_t)size;
            memset(at + length + 1, 0, 3);
            length += 4;
        }
        for (size_t i = 0; i < size; i++)
            at[length++] = (uint8_t)(type == 't' ? 1 + below(127) : below(256));
        if (type == 't' && size > 4 && below(2)) {
            static const char *const signs[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x99\x82", "\xed\x9f\xbf", "\xef\xbf\xbf"};
            const char *sign = signs[below(5)];
            memcpy(at + length - strlen(sign), sign, strlen(sign));
        }
    }
    at[0] = (uint8_t)(length - 4);
    at[1] = (uint8_t)((length - 4) >> 8);
    at[2] = at[3] = 0;
    return length;
}

static sqlite3_value exact(const uint8_t *bytes, size_t length) {
    sqlite3_value value = {SQLITE_BLOB, malloc(length > 0 ? length : 1), (int)length, below(4) != 0};
    if (value.bytes == NULL)
        exit(2);
    if (length > 0)
        memcpy(value.bytes, bytes, length);
    return value;
}

static sqlite3_value some_records(size_t count) {
    static uint8_t bytes[8 * 600];
    size_t length = 0;
    for (; count > 0; count--)
        length += add_record(bytes + length);
    for (size_t i = below(3) ? 0 : below(6); i > 0 && length > 0; i--)
        bytes[below(length)] = below(2) ? (uint8_t)"Nitbr\x00\xff\x80"[below(8)] : (uint8_t)below(256);
    return exact(bytes, below(4) ? length : below(length + 1));
}

static sqlite3_value some_numbers(size_t count) {
    uint8_t bytes[8 * 16];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i % 8 || below(6) == 0 ? 0 : 1 + below(255));
    return exact(bytes, below(20) ? 8 * count : below(sizeof bytes));
}

/* Choose the arguments that are given as SQLite does, by constraints. */
static int constrain(sqlite3_vtab *table, const sqlite3_module *of, int first, int arguments, unsigned given) {
    struct sqlite3_index_constraint constraints[32];
    struct sqlite3_index_constraint_usage usage[32];
    sqlite3_index_info info = {.aConstraint = constraints, .aConstraintUsage = usage};
    memset(usage, 0, sizeof usage);
    for (int place = 0; place < arguments; place++) {
        if (given >> place & 1)
            constraints[info.nConstraint++] = (struct sqlite3_index_constraint){first + place, SQLITE_INDEX_CONSTRAINT_EQ, 1, 0};
        if (below(5) == 0)
            constraints[info.nConstraint++] = (struct sqlite3_index_constraint){(int)below(70) - 1, 4, (unsigned char)below(2), 0};
    }
    if (of->xBestIndex(table, &info) != SQLITE_OK)
        exit(7);
    return info.idxNum;
}

/* Read all rows as SQLite does; whether there was no error. */
static bool read_all(sqlite3_vtab *table, sqlite3_vtab_cursor *cursor) {
    size_t records = below(8);
    sqlite3_value values[ARGUMENTS], *order[ARGUMENTS];
    sqlite3_context context = {0};
    unsigned given = 1 | (unsigned)below(1 << ARGUMENTS);
    int count = 0, code;
    for (int place = 0; place < ARGUMENTS; place++) {
        values[place] = place == 0 ? some_records(records) : some_numbers(place <= ARRAYS ? records : 3);
        if (below(300) == 0)
            values[place].type = (int)below(6);
        if (given >> place & 1)
            order[count++] = &values[place];
    }
    int chosen = constrain(table, module, FIRST_ARGUMENT, ARGUMENTS, given);
    code = module->xFilter(cursor, chosen, NULL, count, order);
    while (code == SQLITE_OK && !module->xEof(cursor)) {
        int64_t number;
        for (int place = 0; code == SQLITE_OK && place < FIRST_ARGUMENT + ARGUMENTS; place++)
            if (below(10))
                code = module->xColumn(cursor, &context, place);
        if (code == SQLITE_OK)
            code = module->xRowid(cursor, &number);
        if (code == SQLITE_OK)
            code = module->xNext(cursor);
    }
    if ((code == SQLITE_OK) != (table->zErrMsg == NULL))
        exit(8);
    free(table->zErrMsg);
    table->zErrMsg = NULL;
    for (int place = 0; place < ARGUMENTS; place++)
        free(values[place].bytes);
    return code == SQLITE_OK;
}

/* Run a statement for each of some rows; whether there was no error. */
static bool insert_all(sqlite3_vtab *table, sqlite3_vtab_cursor *cursor) {
    static const char *const texts[] = {"one", "two", "three", "four", "five", "six", "long"};
    size_t records = below(8);
    sqlite3_value values[MOST_ARGUMENTS], *order[MOST_ARGUMENTS];
    sqlite3_context context = {0};
    unsigned given = (below(30) ? 3 : 0) | (unsigned)below(1 << MOST_ARGUMENTS);
    int count = 0;
    for (int place = 0; place < MOST_ARGUMENTS; place++) {
        const char *text = texts[below(below(20) ? 6 : 7)];
        values[place] = place == 0   ? exact((const uint8_t *)text, strlen(text) + 1)
                        : place == 1 ? some_records(records)
                                     : some_numbers(place < 2 + ARRAYS ? records : 3);
        if (below(300) == 0)
            values[place].type = (int)below(6);
        if (given >> place & 1)
            order[count++] = &values[place];
    }
    int chosen = constrain(table, insert_module, 1, MOST_ARGUMENTS, given);
    int code = insert_module->xFilter(cursor, chosen, NULL, count, order);
    for (int rows = 0; code == SQLITE_OK && !insert_module->xEof(cursor); rows++) {
        if (rows > 0)
            exit(10);
        for (int place = 0; place <= MOST_ARGUMENTS; place++)
            insert_module->xColumn(cursor, &context, place);
        code = insert_module->xNext(cursor);
    }
    if ((code == SQLITE_OK) != (table->zErrMsg == NULL))
        exit(8);
    free(table->zErrMsg);
    table->zErrMsg = NULL;
    for (int place = 0; place < MOST_ARGUMENTS; place++)
        free(values[place].bytes);
    return code == SQLITE_OK;
}

int main(int count, char **words) {
    static sqlite3_function table[300];
    char *error = NULL;
    unsigned long tried = 0, good = 0;
    if (count < 3)
        return 2;
    for (size_t i = 0; i < 300; i++)
        table[i] = unexpected;
#define FAKE(name, place, result, arguments) \
    { \
        sqlite3_##name##_type fake = fake_##name; \
        table[place] = (sqlite3_function)fake; \
    }
    SQLITE_FUNCTIONS(FAKE)
    if (sqlite3_packedrows_init(NULL, &error, table) != SQLITE_OK)
        return 3;
    state = strtoull(words[2], NULL, 10) * 2654435761u + 88172645463325252u;
    clock_t end = clock() + (clock_t)(atof(words[1]) * CLOCKS_PER_SEC);
    while (clock() < end) {
        bool inserts = below(2);
        const sqlite3_module *of = inserts ? insert_module : module;
        sqlite3_vtab *made;
        sqlite3_vtab_cursor *cursor;
        if (of->xConnect(NULL, functions_of_module, 0, NULL, &made, &error) != SQLITE_OK)
            return 3;
        made->zErrMsg = NULL;
        for (size_t opened = 1 + below(3); opened > 0; opened--) {
            if (of->xOpen(made, &cursor) != SQLITE_OK)
                return 3;
            cursor->pVtab = made; /* as SQLite does */
            for (size_t i = 1 + below(3); i > 0; i--, tried++)
                good += inserts ? insert_all(made, cursor) : read_all(made, cursor);
            of->xClose(cursor);
        }
        of->xDisconnect(made);
    }
    printf("%lu tried, %lu good\n", tried, good);
    return 0;
}
