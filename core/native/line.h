/* A game as the columns of a packed record, without an object of Python for each of its values. */

#ifndef GAMEKEEPER_LINE_H
#define GAMEKEEPER_LINE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "board.h"

/* line(memos, ask, kinds, numbers, keys, deepest, raw): see core/compiled.py. The position is the first one of chess. */
PyObject *line_of(const Board *first, PyObject *const *args, Py_ssize_t count);

#endif
