/* Records what a process writes, truncates and syncs below a folder: loaded into it by LD_PRELOAD, read by power_cuts.py.

   RECORD_BELOW is the folder, RECORD_TO the file. A record is: the kind ('w' write, 't' truncate, 's' sync, 'u' unlink),
   offset or size, the lengths of path and data, as three little-endian 64-bit numbers, then path and data. A write is noted
   before it is done, a sync when it is done. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int log_file = -1;
static char below[4096];

__attribute__((constructor)) static void start(void) {
    const char *folder = getenv("RECORD_BELOW"), *to = getenv("RECORD_TO");
    if (folder == NULL || to == NULL || strlen(folder) >= sizeof below) return;
    strcpy(below, folder);
    log_file = open(to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static void note(char kind, const char *path, uint64_t offset, const void *data, uint64_t length) {
    if (log_file < 0 || strncmp(path, below, strlen(below)) != 0) return;
    uint64_t numbers[3] = {offset, strlen(path), length};
    struct iovec parts[4] = {
        {&kind, 1}, {numbers, sizeof numbers}, {(void *)path, strlen(path)}, {(void *)data, length},
    };
    if (writev(log_file, parts, 4) != (ssize_t)(1 + sizeof numbers + strlen(path) + length)) abort();
}

static void note_file(char kind, int file, uint64_t offset, const void *data, uint64_t length) {
    if (log_file < 0 || file == log_file) return;
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t size = readlink(name, path, sizeof path - 1);
    if (size < 0) return;
    path[size] = 0;
    note(kind, path, offset, data, length);
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
    note_file('w', file, (uint64_t)offset, data, length);
    return REAL("pwrite64", ssize_t (*)(int, const void *, size_t, off64_t))(file, data, length, offset);
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
    return pwrite64(file, data, length, offset);
}

ssize_t write(int file, const void *data, size_t length) {
    off_t offset = log_file < 0 ? -1 : lseek(file, 0, SEEK_CUR);
    if (offset >= 0) note_file('w', file, (uint64_t)offset, data, length);
    return REAL("write", ssize_t (*)(int, const void *, size_t))(file, data, length);
}

int ftruncate64(int file, off64_t size) {
    note_file('t', file, (uint64_t)size, "", 0);
    return REAL("ftruncate64", int (*)(int, off64_t))(file, size);
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

int fsync(int file) {
    int result = REAL("fsync", int (*)(int))(file);
    if (result == 0) note_file('s', file, 0, "", 0);
    return result;
}

int fdatasync(int file) {
    int result = REAL("fdatasync", int (*)(int))(file);
    if (result == 0) note_file('s', file, 0, "", 0);
    return result;
}

int unlink(const char *path) {
    note('u', path, 0, "", 0);
    return REAL("unlink", int (*)(const char *))(path);
}
