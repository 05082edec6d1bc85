/* What an extension needs of SQLite, declared here so that it compiles without SQLite's own headers. Both are parts of
   SQLite's stable interface: the structs only grow at their ends, and so does the table of functions. A test compares
   all of it with SQLite's headers, where there are some. */

#ifndef GAMEKEEPER_SQLITE_H
#define GAMEKEEPER_SQLITE_H

#include <stdint.h>

enum { SQLITE_OK = 0, SQLITE_ERROR = 1, SQLITE_NOMEM = 7, SQLITE_CONSTRAINT = 19, SQLITE_DONE = 101 };
enum { SQLITE_BLOB = 4, SQLITE_NULL = 5 };
enum { SQLITE_INDEX_CONSTRAINT_EQ = 2, SQLITE_VTAB_DIRECTONLY = 3 };

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_value sqlite3_value;
typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_vtab sqlite3_vtab;
typedef struct sqlite3_vtab_cursor sqlite3_vtab_cursor;
typedef struct sqlite3_module sqlite3_module;
typedef struct sqlite3_index_info sqlite3_index_info;

struct sqlite3_index_info {
    int nConstraint;
    struct sqlite3_index_constraint {
        int iColumn;
        unsigned char op;
        unsigned char usable;
        int iTermOffset;
    } *aConstraint;
    int nOrderBy;
    struct sqlite3_index_orderby {
        int iColumn;
        unsigned char desc;
    } *aOrderBy;
    struct sqlite3_index_constraint_usage {
        int argvIndex;
        unsigned char omit;
    } *aConstraintUsage;
    int idxNum;
    char *idxStr;
    int needToFreeIdxStr;
    int orderByConsumed;
    double estimatedCost;
    int64_t estimatedRows;
    /* More follows; SQLite makes this struct, so that it need not be known. */
};

/* Version 0 of a module ends here: SQLite looks at nothing beyond. */
struct sqlite3_module {
    int iVersion;
    int (*xCreate)(sqlite3 *, void *, int, const char *const *, sqlite3_vtab **, char **);
    int (*xConnect)(sqlite3 *, void *, int, const char *const *, sqlite3_vtab **, char **);
    int (*xBestIndex)(sqlite3_vtab *, sqlite3_index_info *);
    int (*xDisconnect)(sqlite3_vtab *);
    int (*xDestroy)(sqlite3_vtab *);
    int (*xOpen)(sqlite3_vtab *, sqlite3_vtab_cursor **);
    int (*xClose)(sqlite3_vtab_cursor *);
    int (*xFilter)(sqlite3_vtab_cursor *, int, const char *, int, sqlite3_value **);
    int (*xNext)(sqlite3_vtab_cursor *);
    int (*xEof)(sqlite3_vtab_cursor *);
    int (*xColumn)(sqlite3_vtab_cursor *, sqlite3_context *, int);
    int (*xRowid)(sqlite3_vtab_cursor *, int64_t *);
    int (*xUpdate)(sqlite3_vtab *, int, sqlite3_value **, int64_t *);
    int (*xBegin)(sqlite3_vtab *);
    int (*xSync)(sqlite3_vtab *);
    int (*xCommit)(sqlite3_vtab *);
    int (*xRollback)(sqlite3_vtab *);
    int (*xFindFunction)(sqlite3_vtab *, int, const char *, void (**)(sqlite3_context *, int, sqlite3_value **), void **);
    int (*xRename)(sqlite3_vtab *, const char *);
};

struct sqlite3_vtab {
    const sqlite3_module *pModule;
    int nRef;
    char *zErrMsg;
};

struct sqlite3_vtab_cursor {
    sqlite3_vtab *pVtab;
};

/* The table of functions that SQLite gives an extension: nothing but pointers to functions. */
typedef void (*sqlite3_function)(void);
typedef const sqlite3_function *sqlite3_functions;

/* Each function that is used: its name, its place in the table, what it returns and takes. */
#define SQLITE_FUNCTIONS(FUNCTION)                                                                  \
    FUNCTION(bind_blob, 2, int, (sqlite3_stmt *, int, const void *, int, void (*)(void *)))         \
    FUNCTION(bind_int64, 5, int, (sqlite3_stmt *, int, int64_t))                                    \
    FUNCTION(bind_null, 6, int, (sqlite3_stmt *, int))                                              \
    FUNCTION(bind_parameter_count, 7, int, (sqlite3_stmt *))                                        \
    FUNCTION(bind_parameter_name, 9, const char *, (sqlite3_stmt *, int))                           \
    FUNCTION(bind_text, 10, int, (sqlite3_stmt *, int, const char *, int, void (*)(void *)))        \
    FUNCTION(bind_value, 12, int, (sqlite3_stmt *, int, const sqlite3_value *))                     \
    FUNCTION(declare_vtab, 50, int, (sqlite3 *, const char *))                                      \
    FUNCTION(errmsg, 53, const char *, (sqlite3 *))                                                 \
    FUNCTION(finalize, 57, int, (sqlite3_stmt *))                                                   \
    FUNCTION(free, 58, void, (void *))                                                              \
    FUNCTION(libversion_number, 67, int, (void))                                                    \
    FUNCTION(mprintf, 69, char *, (const char *, ...))                                              \
    FUNCTION(reset, 77, int, (sqlite3_stmt *))                                                      \
    FUNCTION(result_blob, 78, void, (sqlite3_context *, const void *, int, void (*)(void *)))       \
    FUNCTION(result_int64, 83, void, (sqlite3_context *, int64_t))                                  \
    FUNCTION(result_text, 85, void, (sqlite3_context *, const char *, int, void (*)(void *)))       \
    FUNCTION(step, 94, int, (sqlite3_stmt *))                                                       \
    FUNCTION(value_blob, 102, const void *, (sqlite3_value *))                                      \
    FUNCTION(value_bytes, 103, int, (sqlite3_value *))                                              \
    FUNCTION(value_text, 109, const unsigned char *, (sqlite3_value *))                             \
    FUNCTION(value_type, 113, int, (sqlite3_value *))                                               \
    FUNCTION(prepare_v2, 116, int, (sqlite3 *, const char *, int, sqlite3_stmt **, const char **))  \
    FUNCTION(create_module_v2, 119, int, (sqlite3 *, const char *, const sqlite3_module *, void *, void (*)(void *)))\
    FUNCTION(vtab_config, 177, int, (sqlite3 *, int, ...))                                          \
    FUNCTION(malloc64, 197, void *, (uint64_t))                                                     \
    FUNCTION(value_frombind, 242, int, (sqlite3_value *))

#define SQLITE_TYPE(name, place, result, arguments) typedef result(*sqlite3_##name##_type) arguments;
SQLITE_FUNCTIONS(SQLITE_TYPE)
#undef SQLITE_TYPE

#define SQLITE_PLACE(name, place, result, arguments) SQLITE_PLACE_##name = place,
enum { SQLITE_FUNCTIONS(SQLITE_PLACE) };
#undef SQLITE_PLACE

/* The function of that name in the table *functions*. */
#define SQLITE(functions, name) ((sqlite3_##name##_type)(functions)[SQLITE_PLACE_##name])

/* The first version whose table has all of them, and that knows SQLITE_VTAB_DIRECTONLY. */
enum { SQLITE_FIRST = 3031000 };

#endif
