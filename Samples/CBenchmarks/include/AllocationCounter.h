// Counts what a program takes from malloc.
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

typedef struct {
    long long calls;
    long long bytes;
} allocation_count;

/// Whether this program can count: with glibc, and where no sanitizer has its own malloc.
int allocation_counter_works(void);
/// Starts at zero.
void allocation_counter_start(void);
/// Stops, and says how often memory was asked for since the start, by all threads, and how many bytes.
allocation_count allocation_counter_stop(void);

#endif
