// epoll, eventfd and rtnetlink of Linux, which Swift's own modules leave out.
#ifndef CPOLL_H
#define CPOLL_H

#ifdef __cplusplus
extern "C" {
#endif

enum { CPOLL_IN = 1, CPOLL_OUT = 2, CPOLL_ERROR = 4 };

typedef struct {
    int descriptor;
    /// CPOLL_* bits.
    int ready;
} cpoll_event;

/// A set of watched descriptors; -1 where the process has no descriptors left.
int cpoll_new(void);
/// Watches a descriptor for CPOLL_IN and CPOLL_OUT.
void cpoll_watch(int poll, int descriptor, int events);
/// Watches a watched descriptor for something else.
void cpoll_change(int poll, int descriptor, int events);
void cpoll_forget(int poll, int descriptor);
/// Waits at most so many milliseconds, -1 for ever, and returns how many events there are.
int cpoll_wait(int poll, cpoll_event *events, int capacity, int milliseconds);

/// A descriptor that becomes CPOLL_IN when it is signalled; -1 where there are none left.
int cpoll_new_signal(void);
void cpoll_signal(int signal);
void cpoll_clear(int signal);

/// A descriptor that becomes CPOLL_IN when network links, addresses or routes change; -1 where that is not permitted.
int cpoll_new_network_watch(void);
/// Throws away what there is to read, without waiting for more.
void cpoll_drain(int descriptor);

void cpoll_close(int descriptor);

/// Keeps a peer that leaves from ending the process, for the calling thread.
void cpoll_ignore_broken_pipes(void);

#ifdef __cplusplus
}
#endif

#endif
