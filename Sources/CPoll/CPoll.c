#include "CPoll.h"

#if defined(__linux__)

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 128 };

int cpoll_new(void) { return epoll_create1(EPOLL_CLOEXEC); }

static void control(int poll, int operation, int descriptor, int events) {
    struct epoll_event event = {0};
    if (events & CPOLL_IN) event.events |= EPOLLIN;
    if (events & CPOLL_OUT) event.events |= EPOLLOUT;
    event.data.fd = descriptor;
    epoll_ctl(poll, operation, descriptor, &event);
}

void cpoll_watch(int poll, int descriptor, int events) { control(poll, EPOLL_CTL_ADD, descriptor, events); }
void cpoll_change(int poll, int descriptor, int events) { control(poll, EPOLL_CTL_MOD, descriptor, events); }
void cpoll_forget(int poll, int descriptor) { epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, NULL); }

int cpoll_wait(int poll, cpoll_event *events, int capacity, int milliseconds) {
    struct epoll_event found[MOST];
    int count = epoll_wait(poll, found, capacity < MOST ? capacity : MOST, milliseconds);
    if (count < 0) return 0;
    for (int index = 0; index < count; index++) {
        int ready = 0;
        if (found[index].events & EPOLLIN) ready |= CPOLL_IN;
        if (found[index].events & EPOLLOUT) ready |= CPOLL_OUT;
        if (found[index].events & (EPOLLERR | EPOLLHUP)) ready |= CPOLL_ERROR;
        events[index] = (cpoll_event){found[index].data.fd, ready};
    }
    return count;
}

int cpoll_new_signal(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
void cpoll_signal(int signal) { eventfd_write(signal, 1); }
void cpoll_clear(int signal) {
    eventfd_t value;
    eventfd_read(signal, &value);
}

int cpoll_new_network_watch(void) {
    int watch = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (watch < 0) return -1;
    struct sockaddr_nl address = {0};
    address.nl_family = AF_NETLINK;
    address.nl_groups =
        RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(watch, (struct sockaddr *)&address, sizeof address) == 0) return watch;
    close(watch);
    return -1;
}

void cpoll_drain(int descriptor) {
    char bytes[8192];
    // ENOBUFS: more came than there was room for. The rest is to be read all the same.
    while (recv(descriptor, bytes, sizeof bytes, 0) > 0 || errno == EINTR || errno == ENOBUFS) errno = 0;
}

void cpoll_close(int descriptor) { close(descriptor); }

void cpoll_ignore_broken_pipes(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

#endif
