#include "CCurl.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>

// The functions of libcurl by their C names; the setters are variadic, which Swift cannot call.
#define FUNCTIONS(X)                                                                                 \
    X(int, global_init, (long))                                                                      \
    X(const curl_version_data *, version_info, (int))                                                \
    X(ccurl_easy *, easy_init, (void))                                                               \
    X(void, easy_reset, (ccurl_easy *))                                                              \
    X(void, easy_cleanup, (ccurl_easy *))                                                            \
    X(const char *, easy_strerror, (int))                                                            \
    X(int, easy_setopt, (ccurl_easy *, int, ...))                                                    \
    X(int, easy_getinfo, (ccurl_easy *, int, ...))                                                   \
    X(int, easy_pause, (ccurl_easy *, int))                                                          \
    X(ccurl_list *, slist_append, (ccurl_list *, const char *))                                      \
    X(void, slist_free_all, (ccurl_list *))                                                          \
    X(ccurl_multi *, multi_init, (void))                                                             \
    X(int, multi_cleanup, (ccurl_multi *))                                                           \
    X(int, multi_setopt, (ccurl_multi *, int, ...))                                                  \
    X(int, multi_add_handle, (ccurl_multi *, ccurl_easy *))                                          \
    X(int, multi_remove_handle, (ccurl_multi *, ccurl_easy *))                                       \
    X(int, multi_socket_action, (ccurl_multi *, int, int, int *))                                    \
    X(int, multi_socket_all, (ccurl_multi *, int *))                                                 \
    X(int, multi_perform, (ccurl_multi *, int *))                                                    \
    X(int, multi_poll, (ccurl_multi *, void *, unsigned int, int, int *))                            \
    X(const multi_message *, multi_info_read, (ccurl_multi *, int *))

// The beginning of curl_version_info_data; later fields are not looked at. Those after libz_version came with later ages.
typedef struct {
    int age;
    const char *version;
    unsigned int version_number;
    const char *host;
    int features;
    const char *ssl_version;
    long ssl_version_number;
    const char *libz_version;
    const char *const *protocols;
    const char *ares;
    int ares_number;
    const char *libidn;
    int iconv_version_number;
    const char *libssh_version;
    unsigned int brotli_version_number;
    const char *brotli_version;
    unsigned int nghttp2_version_number;
    const char *nghttp2_version;
    const char *quic_version;
    const char *cainfo;  // CURLVERSION_SEVENTH
} curl_version_data;

// CURLMsg
typedef struct {
    int kind;
    ccurl_easy *easy;
    union {
        void *any;
        int code;
    } data;
} multi_message;

// struct curl_blob
typedef struct {
    void *data;
    size_t count;
    unsigned int flags;
} blob;

enum { MESSAGE_DONE = 1, GLOBAL_ALL = 3, OLDEST = 0x074400, AGE_WITH_CAINFO = 6 };
enum { SOCKETFUNCTION = 20001, SOCKETDATA = 10002, TIMERFUNCTION = 20004, TIMERDATA = 10005 };

static struct {
#define MEMBER(result, name, arguments) result(*name) arguments;
    FUNCTIONS(MEMBER)
#undef MEMBER
} curl;

static ccurl_library library;
static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    // Stays loaded for the life of the process: threads of its own may run in it.
    void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        failure = "libcurl.so.4 was not found.";
        return;
    }
#define FIND(result, name, arguments)                                                                \
    curl.name = (result(*) arguments)dlsym(handle, "curl_" #name);                                   \
    if (curl.name == NULL) {                                                                         \
        failure = "libcurl.so.4 has no function curl_" #name "; it is too old.";                     \
        return;                                                                                      \
    }
    FUNCTIONS(FIND)
#undef FIND
    const curl_version_data *data = curl.version_info(0);
    if (data == NULL || data->version_number < OLDEST) {
        failure = "libcurl.so.4 is older than 7.68.0.";
        return;
    }
    if (curl.global_init(GLOBAL_ALL) != 0) {
        failure = "libcurl.so.4 could not be initialized.";
        return;
    }
    library.version_number = data->version_number;
    library.features = data->features;
    library.authorities = data->age >= AGE_WITH_CAINFO ? data->cainfo : NULL;
}

const ccurl_library *ccurl_load(const char **why) {
    pthread_once(&once, load);
    if (why != NULL) *why = failure;
    return failure == NULL ? &library : NULL;
}

ccurl_easy *ccurl_easy_new(void) { return curl.easy_init(); }
void ccurl_easy_reset(ccurl_easy *easy) { curl.easy_reset(easy); }
void ccurl_easy_free(ccurl_easy *easy) { curl.easy_cleanup(easy); }
const char *ccurl_easy_text(int code) { return curl.easy_strerror(code); }

int ccurl_set_long(ccurl_easy *easy, int option, long value) { return curl.easy_setopt(easy, option, value); }
int ccurl_set_size(ccurl_easy *easy, int option, int64_t value) {
    return curl.easy_setopt(easy, option, value);
}
int ccurl_set_text(ccurl_easy *easy, int option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}
int ccurl_set_pointer(ccurl_easy *easy, int option, const void *value) {
    return curl.easy_setopt(easy, option, value);
}
int ccurl_set_list(ccurl_easy *easy, int option, ccurl_list *value) {
    return curl.easy_setopt(easy, option, value);
}
int ccurl_set_authorities(ccurl_easy *easy, const void *bytes, size_t count) {
    blob authorities = {(void *)bytes, count, CCURL_BLOB_COPY};
    return curl.easy_setopt(easy, CCURLOPT_CAINFO_BLOB, &authorities);
}
int ccurl_set_data_callback(ccurl_easy *easy, int option, ccurl_data_callback callback) {
    return curl.easy_setopt(easy, option, callback);
}
int ccurl_set_seek_callback(ccurl_easy *easy, ccurl_seek_callback callback) {
    return curl.easy_setopt(easy, CCURLOPT_SEEKFUNCTION, callback);
}
int ccurl_set_progress_callback(ccurl_easy *easy, ccurl_progress_callback callback) {
    return curl.easy_setopt(easy, CCURLOPT_XFERINFOFUNCTION, callback);
}
int ccurl_set_prerequest_callback(ccurl_easy *easy, ccurl_prerequest_callback callback) {
    return curl.easy_setopt(easy, CCURLOPT_PREREQFUNCTION, callback);
}
int ccurl_set_report_callback(ccurl_easy *easy, ccurl_report_callback callback) {
    return curl.easy_setopt(easy, CCURLOPT_DEBUGFUNCTION, callback);
}
int ccurl_set_socket_option_callback(ccurl_easy *easy, ccurl_socket_option_callback callback) {
    return curl.easy_setopt(easy, CCURLOPT_SOCKOPTFUNCTION, callback);
}
int ccurl_set_close_socket_callback(ccurl_easy *easy, ccurl_close_socket_callback callback) {
    return curl.easy_setopt(easy, CCURLOPT_CLOSESOCKETFUNCTION, callback);
}

int ccurl_get_long(ccurl_easy *easy, int info, long *value) { return curl.easy_getinfo(easy, info, value); }
int ccurl_get_pointer(ccurl_easy *easy, int info, void **value) {
    return curl.easy_getinfo(easy, info, value);
}
int ccurl_get_size(ccurl_easy *easy, int info, int64_t *value) {
    return curl.easy_getinfo(easy, info, value);
}

int ccurl_pause(ccurl_easy *easy, int directions) { return curl.easy_pause(easy, directions); }

ccurl_list *ccurl_list_append(ccurl_list *list, const char *text) { return curl.slist_append(list, text); }
void ccurl_list_free(ccurl_list *list) { curl.slist_free_all(list); }

ccurl_multi *ccurl_multi_new(void) { return curl.multi_init(); }
int ccurl_multi_free(ccurl_multi *multi) { return curl.multi_cleanup(multi); }
int ccurl_multi_set_long(ccurl_multi *multi, int option, long value) {
    return curl.multi_setopt(multi, option, value);
}
int ccurl_multi_set_callbacks(
    ccurl_multi *multi, ccurl_socket_callback on_socket, ccurl_timer_callback on_timer, void *context) {
    int code = curl.multi_setopt(multi, SOCKETFUNCTION, on_socket);
    if (code == 0) code = curl.multi_setopt(multi, SOCKETDATA, context);
    if (code == 0) code = curl.multi_setopt(multi, TIMERFUNCTION, on_timer);
    if (code == 0) code = curl.multi_setopt(multi, TIMERDATA, context);
    return code;
}
int ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy) { return curl.multi_add_handle(multi, easy); }
int ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy) { return curl.multi_remove_handle(multi, easy); }
int ccurl_multi_act(ccurl_multi *multi, int socket, int events) {
    int running;
    return curl.multi_socket_action(multi, socket, events, &running);
}
int ccurl_multi_act_all(ccurl_multi *multi) {
    int running;
    return curl.multi_socket_all(multi, &running);
}
int ccurl_multi_poll_and_perform(ccurl_multi *multi, int milliseconds, int *running) {
    int code = curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
    return code == 0 ? curl.multi_perform(multi, running) : code;
}
ccurl_easy *ccurl_multi_done(ccurl_multi *multi, int *code) {
    int left;
    const multi_message *message;
    while ((message = curl.multi_info_read(multi, &left)) != NULL) {
        if (message->kind != MESSAGE_DONE) continue;
        *code = message->data.code;
        return message->easy;
    }
    return NULL;
}

#else

const ccurl_library *ccurl_load(const char **why) {
    if (why != NULL) *why = "libcurl is driven directly on Linux only.";
    return NULL;
}

#endif
