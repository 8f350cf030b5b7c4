// Holds many event streams open, writes to the server, and times each event from its write.
//
// One thread, one epoll set. Every stream asks for one line of PATHS (dealt round-robin). When each
// has had its first event, PUTs to WRITEPATH follow, each a JSON object whose member "t" is the
// monotonic time in nanoseconds at which it was sent, whose member "n" counts and whose member "g"
// is n modulo 100; whatever comes on a stream with that "t" in it is one event, its age the latency. With RATE 0 the next write goes
// out when every stream has had the event of the last.
//
// Usage: streams PORT PATHS STREAMS WRITES RATE WRITEPATH [BODY]
//        BODY is the rest of the object, after the members above
// Prints READY when all streams stand, waits for a line on its input, then writes; at the end one
// line of JSON: events, seconds, p50, p99, longest (microseconds), answer (median time of a PUT).
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { INPUT = 64 * 1024, EVENTS = 512, MARK = 5, DIGITS = 20 };

struct stream {
    int fd;
    int begun;                  // its first data event has come
    int matched;                // bytes of `"t":` seen at the end of the last read
    int digits;                 // digits of a time that is being read
    int line_start;
    unsigned long long time;
};

static struct stream *streams;
static int poller, count, begun, port;
static char input[INPUT];
static long long started;
static unsigned *ages;          // microseconds, one an event
static size_t events, room;

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int dial(void) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) fail("connect");
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static void note(struct stream *s, long long at) {
    if (!started || s->time < (unsigned long long)started) return;
    if (events == room) ages = realloc(ages, (room = room ? room * 2 : 1 << 16) * sizeof *ages);
    ages[events++] = (unsigned)((at - (long long)s->time) / 1000);
}

// Finds `"t":digits` and, before the start, whether an event with data has ended.
static void scan(struct stream *s, const char *bytes, ssize_t size, long long at) {
    static const char mark[] = "\"t\":";
    if (!s->begun) {
        for (ssize_t i = 0; i < size; i++) {
            if (bytes[i] != '\n') { s->line_start = 0; continue; }
            // The end of an event: an empty line behind one that is not empty.
            if (++s->line_start == 2 && memmem(bytes, size, "data:", 5)) { s->begun = 1; begun++; break; }
        }
    }
    if (!started) return;
    const char *end = bytes + size;
    while (bytes < end) {
        if (s->digits) {
            if (*bytes >= '0' && *bytes <= '9' && s->digits < DIGITS) {
                s->time = s->time * 10 + (*bytes++ - '0');
                s->digits++;
                continue;
            }
            note(s, at);
            s->digits = 0;
        }
        if (!s->matched) {
            const char *found = memchr(bytes, '"', end - bytes);
            if (!found) return;
            bytes = found + 1;
            s->matched = 1;
        } else if (*bytes == mark[s->matched]) {
            bytes++;
            if (++s->matched == MARK - 1) { s->matched = 0; s->digits = 1; s->time = 0; }
        } else {
            s->matched = 0;
        }
    }
}

static void drain(int wait) {
    struct epoll_event ready[EVENTS];
    int found = epoll_wait(poller, ready, EVENTS, wait);
    long long at = now();
    for (int i = 0; i < found; i++) {
        struct stream *s = ready[i].data.ptr;
        ssize_t size = recv(s->fd, input, INPUT, MSG_DONTWAIT);
        if (size == 0) { fprintf(stderr, "a stream was closed\n"); exit(1); }
        if (size < 0 && errno != EAGAIN) fail("recv");
        if (size > 0) scan(s, input, size, at);
    }
}

// One PUT; answers when its status line is there, the streams being read meanwhile.
static long long put(int fd, const char *path, const char *rest, int n) {
    char body[2048], request[4096], answer[4096];
    long long sent = now();
    int size = snprintf(body, sizeof body, "{\"n\":%d,\"g\":%d,\"t\":%lld%s%s}", n, n % 100, sent, *rest ? "," : "", rest);
    int length = snprintf(request, sizeof request,
        "PUT %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nPrefer: return=minimal\r\nContent-Length: %d\r\n\r\n%s",
        path, port, size, body);
    if (send(fd, request, length, 0) != length) fail("send");
    for (;;) {
        ssize_t got = recv(fd, answer, sizeof answer, MSG_DONTWAIT);
        if (got > 0) {
            if (memcmp(answer, "HTTP/1.1 20", 11)) { fprintf(stderr, "%.*s\n", (int)got, answer); exit(1); }
            return now() - sent;
        }
        if (got == 0) fail("the server closed");
        drain(0);
    }
}

static int by_size(const void *a, const void *b) {
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    if (argc < 7) return 2;
    port = atoi(argv[1]);
    count = atoi(argv[3]);
    int writes = atoi(argv[4]);
    double rate = atof(argv[5]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);

    char **paths = NULL, *line = NULL;
    size_t known = 0, capacity = 0;
    FILE *file = fopen(argv[2], "r");
    if (!file) fail(argv[2]);
    for (ssize_t size; (size = getline(&line, &capacity, file)) > 0;) {
        line[strcspn(line, "\n")] = 0;
        paths = realloc(paths, (known + 1) * sizeof *paths);
        paths[known++] = strdup(line);
    }
    poller = epoll_create1(0);
    streams = calloc(count, sizeof *streams);
    char *request = malloc(1 << 17);
    for (int i = 0; i < count; i++) {
        struct stream *s = streams + i;
        s->fd = dial();
        int length = sprintf(request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: text/event-stream\r\n\r\n", paths[i % known], port);
        if (send(s->fd, request, length, 0) != length) fail("send");
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = s};
        epoll_ctl(poller, EPOLL_CTL_ADD, s->fd, &event);
        if (i % 64 == 63) drain(0);
    }
    while (begun < count) drain(1000);
    printf("READY\n");
    fflush(stdout);
    while (getchar() != '\n') {}

    int writer = dial();
    unsigned *answers = malloc((writes + 1) * sizeof *answers);
    long long start = started = now();
    for (int n = 1; n <= writes; n++) {
        answers[n - 1] = (unsigned)(put(writer, argv[6], argc > 7 ? argv[7] : "", n) / 1000);
        if (rate > 0) {
            long long next = start + (long long)(n * 1e9 / rate);
            while (now() < next) drain(1);
        } else {
            while (events < (size_t)n * count) drain(1000);
        }
    }
    long long end = now();
    for (long long last = end; now() < last + 300000000LL;) drain(10);
    qsort(ages, events, sizeof *ages, by_size);
    qsort(answers, writes, sizeof *answers, by_size);
    printf("{\"events\":%zu,\"seconds\":%.3f,\"p50\":%u,\"p99\":%u,\"longest\":%u,\"answer\":%u}\n", events, (end - start) / 1e9,
        events ? ages[events / 2] : 0, events ? ages[events * 99 / 100] : 0, events ? ages[events - 1] : 0, writes ? answers[writes / 2] : 0);
    fflush(stdout);
    getchar();
    return 0;
}
