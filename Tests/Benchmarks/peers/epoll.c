// A minimal HTTP responder on epoll, the floor that a server on this machine is measured against.
//
// One thread, one level-triggered epoll set. A request is what ends in CRLFCRLF (GET has no body);
// every whole one in the buffer is answered with the same bytes, in one write, so pipelining and
// keep-alive work. It checks no method, path or field: whatever a real server does beyond this is
// what it costs.
//
// Usage: epoll BODYFILE    prints "PORT n" when it listens on a free port of loopback.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

// No request line is under 16 bytes, so a full input never holds more than BATCH requests.
enum { INPUT = 16 * 1024, BATCH = INPUT / 16, EVENTS = 256 };

struct connection {
    int fd;
    size_t filled;              // bytes in input
    size_t scanned;             // bytes already searched for the end of a head
    char *unsent;               // what the socket did not take, or NULL
    size_t unsent_at, unsent_size;
    char input[INPUT];
};

static char *response;
static size_t response_size;
static char *batch;             // the response BATCH times

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void load(const char *path) {
    static char body[1 << 16];
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    size_t size = fread(body, 1, sizeof body, file);
    fclose(file);
    response = malloc(size + 256);
    int head = sprintf(response,
        "HTTP/1.1 200 OK\r\nServer: epoll\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n"
        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n", size);
    memcpy(response + head, body, size);
    response_size = head + size;
    batch = malloc(response_size * BATCH);
    for (int i = 0; i < BATCH; i++) memcpy(batch + i * response_size, response, response_size);
}

// Sends what the socket takes and keeps the rest. Answers 0 where the connection is dead.
static int send_all(int loop, struct connection *c, const char *data, size_t size) {
    ssize_t sent = send(c->fd, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) return 0;
    if (sent < 0) sent = 0;
    if ((size_t)sent < size) {
        c->unsent = malloc(size - sent);
        memcpy(c->unsent, data + sent, size - sent);
        c->unsent_at = 0;
        c->unsent_size = size - sent;
        struct epoll_event event = {.events = EPOLLOUT, .data.ptr = c};
        epoll_ctl(loop, EPOLL_CTL_MOD, c->fd, &event);
    }
    return 1;
}

static int flush(int loop, struct connection *c) {
    ssize_t sent = send(c->fd, c->unsent + c->unsent_at, c->unsent_size - c->unsent_at, MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN;
    c->unsent_at += sent;
    if (c->unsent_at == c->unsent_size) {
        free(c->unsent);
        c->unsent = NULL;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        epoll_ctl(loop, EPOLL_CTL_MOD, c->fd, &event);
    }
    return 1;
}

// Reads once and answers every whole request. Answers 0 where the connection is to be closed.
static int serve(int loop, struct connection *c) {
    ssize_t got = recv(c->fd, c->input + c->filled, INPUT - c->filled, 0);
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return 0;
    c->filled += got;
    size_t start = 0, at = c->scanned;
    int requests = 0;
    while (requests < BATCH) {
        char *end = memmem(c->input + at, c->filled - at, "\r\n\r\n", 4);
        if (!end) break;
        start = at = end + 4 - c->input;
        requests++;
    }
    c->filled -= start;
    memmove(c->input, c->input + start, c->filled);
    c->scanned = c->filled > 3 ? c->filled - 3 : 0;
    if (requests == 0) return c->filled < INPUT;
    return send_all(loop, c, batch, requests * response_size);
}

static void end(struct connection *c) {
    close(c->fd);
    free(c->unsent);
    free(c);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    load(arguments[1]);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024)) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("PORT %d\n", ntohs(address.sin_port));
    fflush(stdout);
    int loop = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, ready[EVENTS];
    epoll_ctl(loop, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int events = epoll_wait(loop, ready, EVENTS, -1);
        for (int i = 0; i < events; i++) {
            struct connection *c = ready[i].data.ptr;
            if (!c) {
                int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
                if (fd < 0) continue;
                setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                c = calloc(1, sizeof *c);
                c->fd = fd;
                event = (struct epoll_event){.events = EPOLLIN, .data.ptr = c};
                epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event);
            } else if (!(c->unsent ? flush(loop, c) : serve(loop, c))) {
                end(c);
            }
        }
    }
}
