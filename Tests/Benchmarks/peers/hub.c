// A minimal hub of server-sent events on epoll, the floor that a fan-out on this machine is measured
// against.
//
// One thread, one level-triggered epoll set. A GET is a stream: it is answered with a head and a first
// event, both in one `send`. A PUT makes one event, in the bytes of the program's own (chunk, event, id,
// data), which is sent to every stream, one `send` each, before the PUT is answered. A stream that does
// not take an event whole is closed. It parses no JSON, checks no path or field, compares no filter and
// keeps nothing: what a real server does beyond this is what it costs.
//
// Usage: hub    prints "PORT n" when it listens on a free port of loopback.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { INPUT = 16 * 1024, READY = 256, EVENT = INPUT + 256, CHUNK = 10 };

struct connection {
    int fd;
    int at;                     // its place among the streams, -1 where it is none
    size_t filled;              // bytes in input
    char *input;                // INPUT bytes, given back where it is a stream
};

static struct connection **streams;
static int stream_count, stream_room, poller;
static unsigned long version;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void end(struct connection *c) {
    if (c->at >= 0) {
        streams[c->at] = streams[--stream_count];
        streams[c->at]->at = c->at;
    }
    close(c->fd);
    free(c->input);
    free(c);
}

// Whether the socket took everything.
static int put(struct connection *c, const char *data, size_t size) {
    return send(c->fd, data, size, MSG_NOSIGNAL) == (ssize_t)size;
}

// Writes `data` behind a chunk's size and closes the chunk; answers the bytes of both.
static size_t chunked(char *chunk, size_t size) {
    char head[CHUNK + 1];
    snprintf(head, sizeof head, "%08zx\r\n", size);
    memcpy(chunk, head, CHUNK);
    memcpy(chunk + CHUNK + size, "\r\n", 2);
    return CHUNK + size + 2;
}

static int begin(struct connection *c) {
    static const char head[] =
        "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: text/event-stream\r\n"
        "Cache-Control: no-store\r\nTransfer-Encoding: chunked\r\n\r\n";
    char first[sizeof head + 256];
    memcpy(first, head, sizeof head - 1);
    char *chunk = first + sizeof head - 1;
    int size = sprintf(chunk + CHUNK, "event: snapshot\nid: 5ex4zhwnmjgd.0.0\ndata: {\"v\":0,\"items\":[]}\n\n");
    if (stream_count == stream_room) {
        stream_room = stream_room ? stream_room * 2 : 1024;
        streams = realloc(streams, stream_room * sizeof *streams);
    }
    c->at = stream_count;
    streams[stream_count++] = c;
    free(c->input);
    c->input = NULL;
    return put(c, first, sizeof head - 1 + chunked(chunk, size));
}

// Sends `body`, an object, to all streams and answers the PUT.
static int tell(struct connection *c, const char *body, int length) {
    static char event[EVENT];
    version++;
    int size = sprintf(event + CHUNK,
        "event: delta\nid: 5ex4zhwnmjgd.%lu.%016lx\ndata: {\"from\":%lu,\"to\":%lu,\"remove\":{},\"place\":[],"
        "\"put\":[{\"id\":\"one\",%.*s],\"commits\":1}\n\n",
        version, version * 0x9e3779b97f4a7c15UL, version - 1, version, length - 1, body + 1);
    size_t whole = chunked(event, size);
    // From the back, because a stream that ends gives its place to the last.
    for (int i = stream_count - 1; i >= 0; i--)
        if (!put(streams[i], event, whole)) end(streams[i]);
    static const char answer[] = "HTTP/1.1 204 No Content\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n\r\n";
    return put(c, answer, sizeof answer - 1);
}

// Reads once and takes the request if it is whole; one at a time. Answers 0 where the connection is to
// be closed.
static int serve(struct connection *c) {
    if (!c->input) {
        char rest[64];
        ssize_t got = recv(c->fd, rest, sizeof rest, 0);
        return got > 0 || (got < 0 && errno == EAGAIN);
    }
    ssize_t got = recv(c->fd, c->input + c->filled, INPUT - 1 - c->filled, 0);
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return 0;
    c->filled += got;
    c->input[c->filled] = 0;
    char *body = strstr(c->input, "\r\n\r\n");
    if (!body) return c->filled < INPUT - 1;
    body += 4;
    if (!memcmp(c->input, "GET ", 4)) return begin(c);
    char *field = strcasestr(c->input, "\r\nContent-Length:");
    int length = field ? atoi(field + 17) : 0;
    if (length < 2 || c->input + c->filled - body < length) return length >= 2 && c->filled < INPUT - 1;
    c->filled = 0;
    return tell(c, body, length);
}

int main(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024)) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("PORT %d\n", ntohs(address.sin_port));
    fflush(stdout);
    poller = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, ready[READY];
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int found = epoll_wait(poller, ready, READY, -1);
        for (int i = 0; i < found; i++) {
            struct connection *c = ready[i].data.ptr;
            if (c) {
                // A PUT may end streams whose events are in `ready`, so the rest is asked for again.
                int streaming = stream_count;
                if (!serve(c)) end(c);
                if (stream_count < streaming) break;
                continue;
            }
            int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
            if (fd < 0) continue;
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            c = calloc(1, sizeof *c);
            c->fd = fd;
            c->at = -1;
            c->input = malloc(INPUT);
            event = (struct epoll_event){.events = EPOLLIN, .data.ptr = c};
            epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
        }
    }
}
