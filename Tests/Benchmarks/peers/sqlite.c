// Durable writes of SQLite: WAL, synchronous FULL, some threads with a connection each, one
// transaction per write, as a small service on SQLite would make them.
//
// Usage: sqlite FILE THREADS SECONDS VALUEBYTES KEYS    prints "RATE n P99MS n".
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 4000000 };
static const char *file;
static int seconds, size, keys;
static atomic_int finished;
static float *took;             // milliseconds of each write

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void must(int result, sqlite3 *base) {
    if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
    fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(base));
    exit(1);
}

static sqlite3 *open_base(void) {
    sqlite3 *base;
    must(sqlite3_open(file, &base), base);
    sqlite3_busy_timeout(base, 60000);
    must(sqlite3_exec(base, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;", 0, 0, 0), base);
    return base;
}

static void *write_rows(void *seed) {
    sqlite3 *base = open_base();
    sqlite3_stmt *put;
    must(sqlite3_prepare_v2(base, "INSERT OR REPLACE INTO e VALUES (?, ?)", -1, &put, 0), base);
    char *value = malloc(size + 1);
    unsigned random = (unsigned)(size_t)seed;
    double until = now() + seconds;
    for (unsigned n = 0;; n++) {
        double start = now();
        if (start >= until) break;
        memset(value, 'x', size);
        snprintf(value, size, "%u", n);
        char key[32];
        int length = snprintf(key, sizeof key, "package-%d", rand_r(&random) % keys);
        sqlite3_bind_text(put, 1, key, length, SQLITE_STATIC);
        sqlite3_bind_text(put, 2, value, size, SQLITE_STATIC);
        must(sqlite3_step(put), base);
        sqlite3_reset(put);
        int place = atomic_fetch_add(&finished, 1);
        if (place < MOST) took[place] = (now() - start) * 1000;
    }
    sqlite3_finalize(put);
    sqlite3_close(base);
    return NULL;
}

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

int main(int count, char **arguments) {
    if (count != 6) return 2;
    file = arguments[1];
    int threads = atoi(arguments[2]);
    seconds = atoi(arguments[3]), size = atoi(arguments[4]), keys = atoi(arguments[5]);
    took = malloc(MOST * sizeof *took);
    sqlite3 *base = open_base();
    must(sqlite3_exec(base, "CREATE TABLE IF NOT EXISTS e (id TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID",
                      0, 0, 0), base);
    pthread_t workers[64];
    double start = now();
    for (int i = 0; i < threads; i++)
        pthread_create(&workers[i], 0, write_rows, (void *)(size_t)(i + 1));
    for (int i = 0; i < threads; i++) pthread_join(workers[i], 0);
    double spent = now() - start;
    sqlite3_close(base);
    int measured = finished < MOST ? finished : MOST;
    qsort(took, measured, sizeof *took, ascending);
    printf("RATE %.0f P99MS %.3f\n", finished / spent, took[(int)(measured * 0.99)]);
}
