// Counts what a program's own code, all that is linked into it, asks of the Swift runtime.
#ifndef RUNTIME_COUNTER_H
#define RUNTIME_COUNTER_H

typedef struct {
    long long retains;
    long long releases;
    /// How often a task asked for its executor: for nothing, where it was there.
    long long switches;
    /// Jobs for the threads that all tasks share. Those for the main actor pass no hook.
    long long jobs;
    /// What was copied by memcpy: wide values, for the most part.
    long long copied_bytes;
} runtime_count;

/// Whether this program can count: with glibc.
int runtime_counter_works(void);
/// Starts at zero.
void runtime_counter_start(void);
/// Stops, and says what was asked for since the start, by all threads.
runtime_count runtime_counter_stop(void);

#endif
