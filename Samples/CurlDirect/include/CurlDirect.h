// libcurl as a C program uses it: what the transports are measured against.
#ifndef CURL_DIRECT_H
#define CURL_DIRECT_H

#include <stddef.h>

/// Repeats one request over so many handles of one multi handle, for so many seconds.
/// Where `body` is not NULL it is sent by POST. Responses are read into memory, one buffer a handle, or
/// only counted where `keeps_bodies` is 0. Returns how many were complete with status 200; -1 where one
/// was not, or libcurl is not there.
long curl_direct_repeat(
    const char *url, int callers, double seconds, const void *body, size_t body_size, int keeps_bodies);

/// One request: brings a body and counts it, or sends so many bytes of a file. Returns the bytes; -1 where
/// it failed.
long long curl_direct_once(const char *url, const char *upload_path);

#endif
