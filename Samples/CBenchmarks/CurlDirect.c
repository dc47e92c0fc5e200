#include "CurlDirect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CCurl.h"

typedef struct {
    char *bytes;
    size_t size, capacity;
    int keeps;
    long long total;
} buffer;

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
    buffer *into = context;
    size_t length = size * count;
    into->total += (long long)length;
    if (!into->keeps) return length;
    if (into->size + length > into->capacity) {
        size_t capacity = into->capacity == 0 ? 4096 : into->capacity;
        while (capacity < into->size + length) capacity *= 2;
        char *grown = realloc(into->bytes, capacity);
        if (grown == NULL) return 0;
        into->bytes = grown;
        into->capacity = capacity;
    }
    memcpy(into->bytes + into->size, bytes, length);
    into->size += length;
    return length;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static ccurl_easy *make(const char *url, buffer *into, ccurl_list *headers) {
    ccurl_easy *easy = ccurl_easy_new();
    if (easy == NULL) return NULL;
    ccurl_set_text(easy, CCURLOPT_URL, url);
    ccurl_set_long(easy, CCURLOPT_NOSIGNAL, 1);
    ccurl_set_list(easy, CCURLOPT_HTTPHEADER, headers);
    ccurl_set_data_callback(easy, CCURLOPT_WRITEFUNCTION, keep);
    ccurl_set_pointer(easy, CCURLOPT_WRITEDATA, into);
    ccurl_set_pointer(easy, CCURLOPT_PRIVATE, into);
    return easy;
}

long curl_direct_repeat(
    const char *url, int callers, double seconds, const void *body, size_t body_size,
    curl_direct_bodies bodies) {
    if (ccurl_load(NULL) == NULL) return -1;
    ccurl_multi *multi = ccurl_multi_new();
    buffer *buffers = calloc((size_t)callers, sizeof(buffer));
    ccurl_easy **handles = calloc((size_t)callers, sizeof(ccurl_easy *));
    if (multi == NULL || buffers == NULL || handles == NULL) return -1;
    ccurl_list *headers = ccurl_list_append(NULL, "Expect:");
    for (int index = 0; index < callers; index++) {
        buffers[index].keeps = 1;
        handles[index] = make(url, &buffers[index], headers);
        if (body != NULL) {
            ccurl_set_size(handles[index], CCURLOPT_POSTFIELDSIZE_LARGE, (int64_t)body_size);
            ccurl_set_pointer(handles[index], CCURLOPT_POSTFIELDS, body);
        }
        ccurl_multi_add(multi, handles[index]);
    }
    long done = 0;
    int failed = 0, running = callers;
    double end = now() + seconds;
    while (running > 0) {
        ccurl_multi_poll_and_perform(multi, 1000, &running);
        int goes_on = now() < end, code;
        ccurl_easy *easy;
        while ((easy = ccurl_multi_done(multi, &code)) != NULL) {
            long status = 0;
            ccurl_get_long(easy, CCURLINFO_RESPONSE_CODE, &status);
            failed |= code != 0 || status != 200;
            done++;
            ccurl_multi_remove(multi, easy);
            if (!goes_on || failed) continue;
            void *context;
            ccurl_get_pointer(easy, CCURLINFO_PRIVATE, &context);
            buffer *into = context;
            into->size = 0;
            if (bodies == CURL_DIRECT_NEW_BODIES) {
                free(into->bytes);
                into->bytes = NULL;
                into->capacity = 0;
            }
            ccurl_multi_add(multi, easy);
            running++;
        }
    }
    for (int index = 0; index < callers; index++) {
        ccurl_easy_free(handles[index]);
        free(buffers[index].bytes);
    }
    ccurl_multi_free(multi);
    ccurl_list_free(headers);
    free(buffers);
    free(handles);
    return failed ? -1 : done;
}

static size_t send_file(char *bytes, size_t size, size_t count, void *context) {
    return fread(bytes, size, count, context);
}

long long curl_direct_once(const char *url, const char *upload_path) {
    if (ccurl_load(NULL) == NULL) return -1;
    buffer into = {0};
    ccurl_list *headers = ccurl_list_append(NULL, "Expect:");
    ccurl_easy *easy = make(url, &into, headers);
    ccurl_multi *multi = ccurl_multi_new();
    FILE *file = NULL;
    long long size = 0;
    if (upload_path != NULL) {
        file = fopen(upload_path, "rb");
        if (file == NULL) return -1;
        fseek(file, 0, SEEK_END);
        size = ftell(file);
        rewind(file);
        ccurl_set_long(easy, CCURLOPT_UPLOAD, 1);
        ccurl_set_text(easy, CCURLOPT_CUSTOMREQUEST, "POST");
        ccurl_set_size(easy, CCURLOPT_INFILESIZE_LARGE, size);
        ccurl_set_data_callback(easy, CCURLOPT_READFUNCTION, send_file);
        ccurl_set_pointer(easy, CCURLOPT_READDATA, file);
    }
    ccurl_multi_add(multi, easy);
    int running = 1, code = -1;
    while (running > 0) ccurl_multi_poll_and_perform(multi, 1000, &running);
    long status = 0;
    ccurl_multi_done(multi, &code);
    ccurl_get_long(easy, CCURLINFO_RESPONSE_CODE, &status);
    ccurl_multi_remove(multi, easy);
    ccurl_easy_free(easy);
    ccurl_multi_free(multi);
    ccurl_list_free(headers);
    if (file != NULL) fclose(file);
    if (code != 0 || status != 200) return -1;
    return upload_path != NULL ? size : into.total;
}
