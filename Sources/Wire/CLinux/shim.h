// What Swift's Glibc module lacks of Linux, and instructions that Swift has no name for. Header only; it must neither define _GNU_SOURCE nor
// include sys/socket.h, whose types the Glibc module owns.
#ifndef FRESHET_CLINUX_SHIM_H
#define FRESHET_CLINUX_SHIM_H

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

// accept4(2) is declared by sys/socket.h under _GNU_SOURCE only. The pointers are struct sockaddr
// and socklen_t; spelled as void and unsigned so that no socket header is needed.
extern int accept4(int descriptor, void *address, unsigned int *length, int flags)
    __attribute__((__nothrow__));

// sched_getaffinity(2), declared by sched.h under _GNU_SOURCE only; the mask is a cpu_set_t.
extern int sched_getaffinity(int process, unsigned long size, void *mask)
    __attribute__((__nothrow__));

// prctl(2) takes a variable number of arguments, which Swift cannot call.
static inline int freshet_forbid_core_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// Bytes that the allocator has given out, of all threads (mallinfo2(3)). Waits for each arena's lock.
static inline unsigned long freshet_allocated(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// Asks for the cache line at an address, which need not be valid.
static inline void freshet_prefetch(const void *line) { __builtin_prefetch(line, 1); }

// CRC-32C by the processor's own instruction. On processors without one the second function is not
// to be called: the first says so.
#if defined(__x86_64__)
#include <cpuid.h>

static inline int freshet_has_crc32c(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}

__attribute__((target("sse4.2"))) static inline unsigned freshet_crc32c(
    unsigned state, const void *bytes, unsigned long count) {
    const unsigned char *next = (const unsigned char *)bytes;
    unsigned long long wide = state;
    for (; count >= 8; count -= 8, next += 8) {
        unsigned long long word;
        __builtin_memcpy(&word, next, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    state = (unsigned)wide;
    for (; count > 0; count--, next++) state = __builtin_ia32_crc32qi(state, *next);
    return state;
}
#else
static inline int freshet_has_crc32c(void) { return 0; }

static inline unsigned freshet_crc32c(unsigned state, const void *bytes, unsigned long count) {
    (void)bytes;
    (void)count;
    return state;
}
#endif

#endif
