// How many times this process has asked for memory. Linked into freshet-bench only.
#ifndef FRESHET_MALLOC_COUNT_H
#define FRESHET_MALLOC_COUNT_H

long freshet_malloc_count(void);

#endif
