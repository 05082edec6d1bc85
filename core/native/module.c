/* The compiled core as a module of Python, core._native: see core/compiled.py. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "opening.h"
#include "scan.h"
#include "split.h"

#define FIRST_POSITION "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w a1h1a8h8 -"

enum { CODES = 6 << 12, MOST_KNOWN = 64, MOST_ENDS = 512, DEEPEST = 128 };

/* Written when the module is made, and only read after that. */
typedef struct {
    PyObject *moves[CODES]; /* UCI by what becomes of a pawn, origin and destination; NULL if no piece moves so */
    PyObject *names[MOST_KNOWN];
    PyObject *ends[UNFINISHED + 1];
    Board first;
} State;

static State *state_of(PyObject *module) { return PyModule_GetState(module); }

static int place_of(uint16_t code) { return (code & 15) << 12 | code >> 4; }

static int write_uci(char *text, uint16_t code) {
    int from = code >> 10, to = code >> 4 & 63, becomes = code & 15;
    text[0] = (char)('a' + from % 8);
    text[1] = (char)('1' + from / 8);
    text[2] = (char)('a' + to % 8);
    text[3] = (char)('1' + to / 8);
    text[4] = becomes == 0 ? '\0' : "?nbrqk"[becomes];
    return becomes == 0 ? 4 : 5;
}

static PyObject *move_of(State *state, uint16_t code) {
    PyObject *move = (code & 15) < 6 ? state->moves[place_of(code)] : NULL;
    if (move != NULL)
        return Py_NewRef(move);
    char text[6];
    return PyUnicode_FromStringAndSize(text, write_uci(text, code));
}

static PyObject *unescaped(const char *text, size_t length) {
    char *plain = PyMem_Malloc(length + 1);
    if (plain == NULL)
        return PyErr_NoMemory();
    size_t size = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\' && i + 1 < length && (text[i + 1] == '"' || text[i + 1] == '\\'))
            i++;
        plain[size++] = text[i];
    }
    PyObject *value = PyUnicode_DecodeUTF8(plain, (Py_ssize_t)size, NULL);
    PyMem_Free(plain);
    return value;
}

/* The text of a value that is not UTF-8, as decode gives it. NULL without an exception: it cannot be read here. */
static PyObject *decoded(const char *text, const Tag *tag, PyObject *decode) {
    if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError))
        return NULL;
    PyErr_Clear();
    if (tag->escaped || decode == Py_None)
        return NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(text + tag->value, (Py_ssize_t)tag->value_length);
    PyObject *value = bytes == NULL ? NULL : PyObject_CallOneArg(decode, bytes);
    Py_XDECREF(bytes);
    if (value != NULL && !PyUnicode_Check(value))
        Py_CLEAR(value);
    return value;
}

static PyObject *value_of(const char *text, const Tag *tag, PyObject *decode) {
    PyObject *value = tag->escaped ? unescaped(text + tag->value, tag->value_length)
                                   : PyUnicode_DecodeUTF8(text + tag->value, (Py_ssize_t)tag->value_length, NULL);
    return value != NULL ? value : decoded(text, tag, decode);
}

static PyObject *pair_of(State *state, const char *text, const Tag *tag, PyObject *decode) {
    PyObject *name = tag->known >= 0 ? Py_NewRef(state->names[tag->known])
                                     : PyUnicode_DecodeASCII(text + tag->name, (Py_ssize_t)tag->name_length, NULL);
    if (name == NULL)
        return NULL;
    PyObject *value = value_of(text, tag, decode);
    PyObject *pair = value == NULL ? NULL : PyTuple_Pack(2, name, value);
    Py_DECREF(name);
    Py_XDECREF(value);
    return pair;
}

/* The tags; NULL without an exception: one of them cannot be read here. */
static PyObject *tags_of(State *state, const char *text, const Header *header, PyObject *decode) {
    PyObject *tags = PyTuple_New(header->count);
    for (int i = 0; tags != NULL && i < header->count; i++) {
        PyObject *pair = pair_of(state, text, &header->tags[i], decode);
        if (pair == NULL)
            Py_CLEAR(tags);
        else
            PyTuple_SET_ITEM(tags, i, pair);
    }
    return tags;
}

static PyObject *moves_of(State *state, const Line *line) {
    PyObject *moves = PyTuple_New(line->count);
    for (int i = 0; moves != NULL && i < line->count; i++) {
        PyObject *move = move_of(state, line->moves[i]);
        if (move == NULL)
            Py_CLEAR(moves);
        else
            PyTuple_SET_ITEM(moves, i, move);
    }
    return moves;
}

static PyObject *castlings_of(const Line *line) {
    PyObject *castlings = PyTuple_New(line->castling_count);
    for (int i = 0; castlings != NULL && i < line->castling_count; i++) {
        PyObject *index = PyLong_FromLong(line->castlings[i]);
        if (index == NULL)
            Py_CLEAR(castlings);
        else
            PyTuple_SET_ITEM(castlings, i, index);
    }
    return castlings;
}

/* Set up the position that start_of gives for the tags: (normal form, whether it is Chess960, …). Gives 1, 0 if there
   is none, or -1 with an exception; *start is what start_of gave. */
static int ask_for_start(PyObject *start_of, PyObject *tags, Board *board, PyObject **start) {
    *start = PyObject_CallOneArg(start_of, tags);
    if (*start == NULL)
        return -1;
    if (!PyTuple_Check(*start) || PyTuple_GET_SIZE(*start) < 2 || !PyUnicode_Check(PyTuple_GET_ITEM(*start, 0)))
        return 0;
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(*start, 0), &length);
    int chess960 = text == NULL ? -1 : PyObject_IsTrue(PyTuple_GET_ITEM(*start, 1));
    return chess960 < 0 ? -1 : board_set(board, text, (size_t)length, chess960);
}

static PyObject *result_of(State *state, PyObject *tags, PyObject *start, const Line *line) {
    PyObject *moves = moves_of(state, line);
    PyObject *castlings = moves == NULL ? NULL : castlings_of(line);
    PyObject *result = castlings == NULL
                           ? NULL
                           : PyTuple_Pack(7, tags, start, moves, castlings, state->ends[line->end],
                                          line->comments ? Py_True : Py_False, line->variations ? Py_True : Py_False);
    Py_XDECREF(moves);
    Py_XDECREF(castlings);
    return result;
}

PyDoc_STRVAR(read_doc, "read(raw, start_of, decode, /)\n--\n\n"
                       "The tags, start, moves, castlings, end, comments and variations of a game; None if it is not "
                       "written as most are.");

/* A game on its way from bytes to objects. */
typedef struct {
    const char *text;
    size_t length;
    Header header;
    Board board;
    Line line;
    bool played;
} Text;

/* Read all that needs no Python. */
static bool scan(Text *game, bool any_encoding) {
    const uint8_t *text = (const uint8_t *)game->text;
    int bytes = scan_bytes(text, game->length);
    if (bytes == BINARY || (bytes == NOT_UTF_8 && !any_encoding) || !scan_header(text, game->length, &game->header))
        return false;
    game->played = !game->header.own_start;
    return !game->played || scan_movetext(text, game->length, game->header.end, game->header.nil_nil, &game->board,
                                          &game->line);
}

/* Play the game from the start that its tags mean. Gives 1, 0 if it cannot be played here, or -1 with an exception. */
static int play_from(Text *game, PyObject *start_of, PyObject *tags, PyObject **start) {
    int set = ask_for_start(start_of, tags, &game->board, start);
    if (set <= 0)
        return set;
    bool good;
    Py_BEGIN_ALLOW_THREADS
    good = scan_movetext((const uint8_t *)game->text, game->length, game->header.end, game->header.nil_nil, &game->board,
                         &game->line);
    Py_END_ALLOW_THREADS
    return good;
}

static PyObject *objects_of(State *state, Text *game, PyObject *start_of, PyObject *decode) {
    PyObject *start = NULL, *result = NULL, *tags = tags_of(state, game->text, &game->header, decode);
    if (tags == NULL)
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    int good = game->played ? 1 : play_from(game, start_of, tags, &start);
    if (good >= 0)
        result = good ? result_of(state, tags, start == NULL ? Py_None : start, &game->line) : Py_NewRef(Py_None);
    Py_DECREF(tags);
    Py_XDECREF(start);
    return result;
}

static PyObject *native_read(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    if (count != 3 || !PyBytes_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "read wants bytes and two callables");
        return NULL;
    }
    State *state = state_of(module);
    Text game;
    game.text = PyBytes_AS_STRING(args[0]);
    game.length = (size_t)PyBytes_GET_SIZE(args[0]);
    game.board = state->first;
    bool good, any_encoding = args[2] != Py_None;
    Py_BEGIN_ALLOW_THREADS
    good = scan(&game, any_encoding);
    Py_END_ALLOW_THREADS
    return good ? objects_of(state, &game, args[1], args[2]) : Py_NewRef(Py_None);
}

PyDoc_STRVAR(split_doc, "split(block, at, last, longest, /)\n--\n\n"
                        "The ends of the games in a block of text, and whether Python has to look at the next one.");

static PyObject *native_split(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count != 4 || !PyBytes_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "split wants bytes, an index, a bool and a length");
        return NULL;
    }
    int state, last = PyObject_IsTrue(args[2]);
    Py_ssize_t at = last < 0 ? -1 : PyNumber_AsSsize_t(args[1], NULL);
    Py_ssize_t longest = at == -1 && PyErr_Occurred() ? -1 : PyNumber_AsSsize_t(args[3], NULL);
    if (PyErr_Occurred()) /* after the first of them nothing else is asked */
        return NULL;
    if (at < 0 || at > PyBytes_GET_SIZE(args[0])) {
        PyErr_SetString(PyExc_IndexError, "there is no such place in the block");
        return NULL;
    }
    const uint8_t *text = (const uint8_t *)PyBytes_AS_STRING(args[0]) + at;
    size_t length = (size_t)(PyBytes_GET_SIZE(args[0]) - at), found;
    size_t ends[MOST_ENDS];
    Py_BEGIN_ALLOW_THREADS
    state = split_games(text, length, last, longest < 0 ? 0 : (size_t)longest, ends, MOST_ENDS, &found);
    Py_END_ALLOW_THREADS
    PyObject *all = PyTuple_New((Py_ssize_t)found);
    for (size_t i = 0; all != NULL && i < found; i++) {
        PyObject *end = PyLong_FromSize_t(ends[i] + (size_t)at);
        if (end == NULL)
            Py_CLEAR(all);
        else
            PyTuple_SET_ITEM(all, (Py_ssize_t)i, end);
    }
    return all == NULL ? NULL : Py_BuildValue("NO", all, state == SPLIT_DOUBT ? Py_True : Py_False);
}

static int square_at(const Py_UCS1 *text) {
    int file = text[0] - 'a', rank = text[1] - '1';
    return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? rank * 8 + file : -1;
}

/* Two bytes of a usual move in UCI, or -1: core.move_bytes knows the others. */
static int code_of(PyObject *move) {
    if (!PyUnicode_Check(move) || !PyUnicode_IS_COMPACT_ASCII(move))
        return -1;
    Py_ssize_t length = PyUnicode_GET_LENGTH(move);
    const Py_UCS1 *text = PyUnicode_1BYTE_DATA(move);
    if (length != 4 && length != 5)
        return -1;
    int from = square_at(text), to = square_at(text + 2), becomes = 0;
    if (from < 0 || to < 0 || (from == 0 && to == 0))
        return -1;
    if (length == 5) {
        static const char letters[] = "nbrqk";
        const char *found = text[4] == '\0' ? NULL : strchr(letters, text[4]);
        if (found == NULL)
            return -1;
        becomes = (int)(found - letters) + 1;
    }
    return from << 10 | to << 4 | becomes;
}

PyDoc_STRVAR(pack_doc, "pack(moves, /)\n--\n\n"
                       "Moves in UCI as two bytes a ply; None if one of them is neither a usual move nor a promotion.");

static PyObject *native_pack(PyObject *Py_UNUSED(module), PyObject *moves) {
    if (!PyTuple_Check(moves))
        Py_RETURN_NONE;
    Py_ssize_t count = PyTuple_GET_SIZE(moves);
    PyObject *packed = PyBytes_FromStringAndSize(NULL, 2 * count);
    if (packed == NULL)
        return NULL;
    char *bytes = PyBytes_AS_STRING(packed);
    for (Py_ssize_t i = 0; i < count; i++) {
        int code = code_of(PyTuple_GET_ITEM(moves, i));
        if (code < 0) {
            Py_DECREF(packed);
            Py_RETURN_NONE;
        }
        bytes[2 * i] = (char)(code >> 8);
        bytes[2 * i + 1] = (char)code;
    }
    return packed;
}

PyDoc_STRVAR(unpack_doc, "unpack(packed, /)\n--\n\n"
                         "The moves of two bytes a ply; None if one of them is neither a usual move nor a promotion.");

static PyObject *native_unpack(PyObject *module, PyObject *packed) {
    if (!PyBytes_Check(packed) || PyBytes_GET_SIZE(packed) % 2 != 0)
        Py_RETURN_NONE;
    State *state = state_of(module);
    Py_ssize_t count = PyBytes_GET_SIZE(packed) / 2;
    const uint8_t *bytes = (const uint8_t *)PyBytes_AS_STRING(packed);
    PyObject *moves = PyTuple_New(count);
    for (Py_ssize_t i = 0; moves != NULL && i < count; i++) {
        unsigned code = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
        PyObject *move = (code & 15) < 6 ? state->moves[place_of((uint16_t)code)] : NULL;
        if (move == NULL) {
            Py_DECREF(moves);
            Py_RETURN_NONE;
        }
        PyTuple_SET_ITEM(moves, i, Py_NewRef(move));
    }
    return moves;
}

PyDoc_STRVAR(opening_doc, "opening(moves, deepest, numbers, keys, /)\n--\n\n"
                          "The place among the keys of the last position that is there, -1 if there is none; None if a "
                          "move is not a usual one.");

static PyObject *native_opening(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count != 4 || !PyTuple_Check(args[0]) || !PyBytes_Check(args[2]) || !PyBytes_Check(args[3])) {
        PyErr_SetString(PyExc_TypeError, "opening wants moves, their number, and the bytes of numbers and keys");
        return NULL;
    }
    Py_ssize_t deepest = PyNumber_AsSsize_t(args[1], NULL), size = PyTuple_GET_SIZE(args[0]);
    if (deepest == -1 && PyErr_Occurred())
        return NULL;
    if (PyBytes_GET_SIZE(args[2]) != OPENING_NUMBERS * (Py_ssize_t)sizeof(uint64_t) || deepest > DEEPEST)
        Py_RETURN_NONE;
    uint16_t moves[DEEPEST];
    size_t plies = (size_t)(deepest < 0 ? 0 : deepest < size ? deepest : size);
    for (size_t i = 0; i < plies; i++) {
        int code = code_of(PyTuple_GET_ITEM(args[0], (Py_ssize_t)i));
        if (code < 0)
            Py_RETURN_NONE;
        moves[i] = (uint16_t)code;
    }
    const uint64_t *numbers = (const uint64_t *)(const void *)PyBytes_AS_STRING(args[2]);
    const uint64_t *keys = (const uint64_t *)(const void *)PyBytes_AS_STRING(args[3]);
    ptrdiff_t place = opening_find(moves, plies, numbers, keys, (size_t)PyBytes_GET_SIZE(args[3]) / sizeof *keys);
    return place == OPENING_DOUBT ? Py_NewRef(Py_None) : PyLong_FromSsize_t(place);
}

PyDoc_STRVAR(line_doc, "line(memos, ask, kinds, numbers, keys, deepest, raw, /)\n--\n\n"
                       "The columns of a game as they are packed, what identifies it, the places it refers to, and whether "
                       "it has comments; None if it is not written as most are.");

static PyObject *native_line(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    return line_of(&state_of(module)->first, args, count);
}

/* Whether any piece moves so, promotions aside. */
static bool is_geometric(int from, int to) {
    int files = abs(from % 8 - to % 8), ranks = abs(from / 8 - to / 8);
    return from != to && (files == 0 || ranks == 0 || files == ranks || files + ranks == 3);
}

static bool is_promotion(int from, int to) {
    return abs(from % 8 - to % 8) <= 1 && ((from / 8 == 6 && to / 8 == 7) || (from / 8 == 1 && to / 8 == 0));
}

static bool make_moves(State *state) {
    for (int from = 0; from < 64; from++)
        for (int to = 0; to < 64; to++)
            for (int becomes = 0; becomes < 5; becomes++) {
                char text[6];
                uint16_t code = (uint16_t)(from << 10 | to << 4 | becomes);
                if (becomes == 0 ? !is_geometric(from, to) : !is_promotion(from, to))
                    continue;
                write_uci(text, code);
                text[5] = '\0';
                state->moves[place_of(code)] = PyUnicode_InternFromString(text);
                if (state->moves[place_of(code)] == NULL)
                    return false;
            }
    return true;
}

static bool make_words(PyObject *module, State *state) {
    static const char *const ends[] = {NULL, "1-0", "0-1", "1/2-1/2", "*"};
    state->ends[NO_END] = Py_NewRef(Py_None);
    for (int end = WHITE_WINS; end <= UNFINISHED; end++)
        if ((state->ends[end] = PyUnicode_InternFromString(ends[end])) == NULL)
            return false;
    PyObject *known = PyTuple_New(KNOWN_TAG_COUNT);
    if (known == NULL)
        return false;
    for (int i = 0; i < KNOWN_TAG_COUNT; i++) {
        if ((state->names[i] = PyUnicode_InternFromString(KNOWN_TAGS[i].name)) == NULL) {
            Py_DECREF(known);
            return false;
        }
        PyTuple_SET_ITEM(known, i, Py_NewRef(state->names[i]));
    }
    int added = PyModule_AddObjectRef(module, "KNOWN_TAGS", known);
    Py_DECREF(known);
    return added == 0;
}

static int native_exec(PyObject *module) {
    State *state = state_of(module);
    if (!board_set(&state->first, FIRST_POSITION, sizeof FIRST_POSITION - 1, false)) {
        PyErr_SetString(PyExc_SystemError, "the first position is none");
        return -1;
    }
    return make_moves(state) && make_words(module, state) ? 0 : -1;
}

static int native_traverse(PyObject *module, visitproc visit, void *arg) {
    (void)module, (void)visit, (void)arg; /* strings are in no circle */
    return 0;
}

static int native_clear(PyObject *module) {
    State *state = state_of(module);
    for (int i = 0; state != NULL && i < CODES; i++)
        Py_CLEAR(state->moves[i]);
    for (int i = 0; state != NULL && i < MOST_KNOWN; i++)
        Py_CLEAR(state->names[i]);
    for (int i = 0; state != NULL && i <= UNFINISHED; i++)
        Py_CLEAR(state->ends[i]);
    return 0;
}

static void native_free(void *module) { native_clear(module); }

static PyMethodDef methods[] = {
    {"read", (PyCFunction)(void (*)(void))native_read, METH_FASTCALL, read_doc},
    {"split", (PyCFunction)(void (*)(void))native_split, METH_FASTCALL, split_doc},
    {"opening", (PyCFunction)(void (*)(void))native_opening, METH_FASTCALL, opening_doc},
    {"line", (PyCFunction)(void (*)(void))native_line, METH_FASTCALL, line_doc},
    {"pack", native_pack, METH_O, pack_doc},
    {"unpack", native_unpack, METH_O, unpack_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, native_exec},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
    {0, NULL},
};

_Static_assert(offsetof(PyBytesObject, ob_sval) % sizeof(uint64_t) == 0, "bytes may be read as numbers");
_Static_assert(MOST_KNOWN >= 32, "there is room for the names of all known tags");

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "core._native",
    .m_doc = "Reads games that are written as nearly all are.",
    .m_size = sizeof(State),
    .m_methods = methods,
    .m_slots = slots,
    .m_traverse = native_traverse,
    .m_clear = native_clear,
    .m_free = native_free,
};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
