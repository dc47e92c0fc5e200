// libcurl as a C program uses it: what the transports are measured against.
#ifndef CURL_DIRECT_H
#define CURL_DIRECT_H

#include <stddef.h>

/// What becomes of the bodies of responses.
typedef enum {
    /// They are read into memory, into one buffer for each handle.
    CURL_DIRECT_KEEPS_BODIES,
    /// They are read into memory, each into a buffer of its own.
    CURL_DIRECT_NEW_BODIES,
} curl_direct_bodies;

/// Repeats one request over so many handles of one multi handle, for so many seconds.
/// Where `body` is not NULL it is sent by POST. Returns how many were complete with status 200; -1 where one
/// was not, or libcurl is not there.
long curl_direct_repeat(
    const char *url, int callers, double seconds, const void *body, size_t body_size, curl_direct_bodies bodies);

/// One request: brings a body and counts it, or sends so many bytes of a file. Returns the bytes; -1 where
/// it failed.
long long curl_direct_once(const char *url, const char *upload_path);

#endif
