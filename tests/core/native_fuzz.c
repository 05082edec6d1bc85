/* Feeds the compiled core with broken games: native_fuzz SECONDS SEED FILE… Each file is one game; they are mixed,
   shortened, filled and changed by chance. Built with AddressSanitizer and UndefinedBehaviorSanitizer, which end the
   program at the first fault: every text lies in memory of exactly its length. Prints how many texts it has tried. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../core/native/opening.h"
#include "../../core/native/scan.h"
#include "../../core/native/split.h"

enum { MOST_GAMES = 512, LONGEST = 1 << 16 };

typedef struct {
    uint8_t *text;
    size_t length;
} Text;

static uint64_t state;

static size_t below(size_t end) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return end == 0 ? 0 : (size_t)(state % end);
}

static Text read_file(const char *path) {
    Text text = {malloc(LONGEST), 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL || text.text == NULL)
        exit(2);
    text.length = fread(text.text, 1, LONGEST, file);
    fclose(file);
    return text;
}

static const char SIGNS[] = "{}()[];%$*\"\\\n\r\t .0123456789abcdefghNBRQKPO-+=#!?x/\x00\x80\xc3\xe2\xf0\xff";

/* Change a text somewhere: another byte, a part cut out, or a part of another text put in. */
static Text changed(Text text, const Text *games, size_t count) {
    uint8_t *fresh = malloc(2 * LONGEST);
    if (fresh == NULL)
        exit(2);
    size_t at = below(text.length + 1), cut = below(3) ? 0 : below(text.length - at + 1), put = 0;
    if (cut > 40 && below(4))
        cut = below(40);
    memcpy(fresh, text.text, at);
    if (below(3)) {
        fresh[at] = (uint8_t)SIGNS[below(sizeof SIGNS - 1)];
        put = 1;
    } else if (below(2)) {
        Text other = games[below(count)];
        size_t from = below(other.length);
        put = below(other.length - from < 60 ? other.length - from : 60);
        memcpy(fresh + at, other.text + from, put);
    }
    memcpy(fresh + at + put, text.text + at + cut, text.length - at - cut);
    size_t length = text.length - cut + put;
    free(text.text);
    return (Text){fresh, length > LONGEST ? LONGEST : length};
}

/* Read a text as the module does, from the first position or from another one. */
static int try(Text text) {
    static const char *const starts[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w a1h1a8h8 -",
        "r3k2r/8/8/8/8/8/8/R3K2R b a1h1a8h8 -",
        "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w b1g1b8g8 -",
        "rkr5/8/8/8/8/8/8/5RKR w f1h1a8c8 -",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3",
        "1QQ1k3/1Q6/8/8/8/1q5q/qq6/6K1 b - -",
    };
    uint8_t *exact = malloc(text.length);
    Header header;
    Line line;
    Board board;
    int good = 0;
    if (exact == NULL && text.length > 0)
        exit(2);
    if (text.length > 0)
        memcpy(exact, text.text, text.length);
    const char *start = starts[below(sizeof starts / sizeof *starts)];
    if (!board_set(&board, start, strlen(start), below(2)))
        exit(3);
    size_t end = 0;
    scan_bytes(exact, text.length);
    if (scan_header(exact, text.length, &header))
        end = header.end;
    good = scan_movetext(exact, text.length, end, below(2), &board, &line);
    size_t ends[4], found;
    split_games(exact, text.length, below(2), below(2) ? 200 : LONGEST, ends, 1 + below(4), &found);
    static const uint64_t numbers[OPENING_NUMBERS], keys[3] = {0, 1, 2};
    if (good)
        opening_find(line.moves, (size_t)line.count, numbers, keys, 3);
    board_set(&board, (const char *)exact, text.length < 90 ? text.length : 90, false);
    free(exact);
    return good;
}

int main(int count, char **words) {
    static Text games[MOST_GAMES];
    size_t many = 0;
    unsigned long tried = 0, good = 0;
    if (count < 4)
        return 2;
    double seconds = atof(words[1]);
    state = strtoull(words[2], NULL, 10) * 2654435761u + 88172645463325252u;
    for (int i = 3; i < count && many < MOST_GAMES; i++)
        games[many++] = read_file(words[i]);
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < end) {
        Text game = games[below(many)], text = {malloc(game.length + 1), game.length};
        if (text.text == NULL)
            return 2;
        memcpy(text.text, game.text, game.length);
        good += (unsigned long)try(text);
        for (size_t i = below(12); i > 0; i--) {
            text = changed(text, games, many);
            good += (unsigned long)try(text);
            tried++;
        }
        free(text.text);
    }
    for (size_t i = 0; i < many; i++)
        free(games[i].text);
    printf("%lu texts, %lu read\n", tried, good);
    return 0;
}
