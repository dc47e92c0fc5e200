// What DiscreteNetworking needs of libcurl, found in the running process instead of at build time.
//
// The values below are part of libcurl's ABI and never change (https://curl.se/libcurl/abi.html); they are
// compared with the real header by Tests/CCurlHeader/check.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ccurl_easy ccurl_easy;    // CURL
typedef struct ccurl_multi ccurl_multi;  // CURLM
typedef struct ccurl_list ccurl_list;    // struct curl_slist

// MARK: Loading

/// Which libcurl there is.
typedef struct {
    /// Such as 0x075801 for 7.88.1.
    unsigned int version_number;
    /// The CCURL_VERSION_* bits.
    int features;
    /// The file with the system's certificate authorities; NULL where there is none, or libcurl is older than 7.70.
    const char *authorities;
} ccurl_library;

/// Loads libcurl.so.4 and initializes it, once. Safe to call from any thread, any number of times.
/// Returns NULL where it is not there, lacks a function, or is older than 7.68.0; then `why`, where it is
/// not NULL, points at one sentence that says so.
const ccurl_library *ccurl_load(const char **why);

enum {
    CCURL_VERSION_SSL = 1 << 2,
    CCURL_VERSION_ASYNCHDNS = 1 << 7,
    CCURL_VERSION_HTTP2 = 1 << 16,
    CCURL_VERSION_UNIX_SOCKETS = 1 << 19,
};

// All that follows may only be called where ccurl_load returned a library.

// MARK: One transfer

typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, int64_t offset, int origin);
typedef int (*ccurl_progress_callback)(
    void *context, int64_t to_receive, int64_t received, int64_t to_send, int64_t sent);
typedef int (*ccurl_prerequest_callback)(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port);
/// What libcurl says that it does, and what it receives and sends, without a zero at its end.
typedef int (*ccurl_report_callback)(ccurl_easy *easy, int kind, char *bytes, size_t count, void *context);
/// Called when there is a socket, before it is connected; 0 goes on.
typedef int (*ccurl_socket_option_callback)(void *context, int socket, int purpose);
/// Called instead of close; returns 0 if the socket was closed.
typedef int (*ccurl_close_socket_callback)(void *context, int socket);

ccurl_easy *ccurl_easy_new(void);
void ccurl_easy_reset(ccurl_easy *easy);
void ccurl_easy_free(ccurl_easy *easy);
/// The name of a CURLcode in words; never NULL.
const char *ccurl_easy_text(int code);

// Every setter returns a CURLcode.
int ccurl_set_long(ccurl_easy *easy, int option, long value);
int ccurl_set_size(ccurl_easy *easy, int option, int64_t value);
/// Strings are copied, but for CCURLOPT_POSTFIELDS.
int ccurl_set_text(ccurl_easy *easy, int option, const char *value);
int ccurl_set_pointer(ccurl_easy *easy, int option, const void *value);
int ccurl_set_list(ccurl_easy *easy, int option, ccurl_list *value);
/// Certificate authorities in PEM, which are copied (CURLOPT_CAINFO_BLOB).
int ccurl_set_authorities(ccurl_easy *easy, const void *bytes, size_t count);
int ccurl_set_data_callback(ccurl_easy *easy, int option, ccurl_data_callback callback);
int ccurl_set_seek_callback(ccurl_easy *easy, ccurl_seek_callback callback);
int ccurl_set_progress_callback(ccurl_easy *easy, ccurl_progress_callback callback);
int ccurl_set_prerequest_callback(ccurl_easy *easy, ccurl_prerequest_callback callback);
int ccurl_set_report_callback(ccurl_easy *easy, ccurl_report_callback callback);
int ccurl_set_socket_option_callback(ccurl_easy *easy, ccurl_socket_option_callback callback);
int ccurl_set_close_socket_callback(ccurl_easy *easy, ccurl_close_socket_callback callback);

int ccurl_get_long(ccurl_easy *easy, int info, long *value);
int ccurl_get_pointer(ccurl_easy *easy, int info, void **value);
int ccurl_get_size(ccurl_easy *easy, int info, int64_t *value);

/// Goes on in both directions, or holds as the CCURLPAUSE_* bits say.
int ccurl_pause(ccurl_easy *easy, int directions);

/// The list with one more string, which is copied; NULL where there is no memory.
ccurl_list *ccurl_list_append(ccurl_list *list, const char *text);
void ccurl_list_free(ccurl_list *list);

enum {
    CCURLOPT_WRITEDATA = 10001,
    CCURLOPT_URL = 10002,
    CCURLOPT_PROXY = 10004,
    CCURLOPT_READDATA = 10009,
    CCURLOPT_ERRORBUFFER = 10010,
    CCURLOPT_WRITEFUNCTION = 20011,
    CCURLOPT_READFUNCTION = 20012,
    CCURLOPT_POSTFIELDS = 10015,
    CCURLOPT_HTTPHEADER = 10023,
    CCURLOPT_SSLCERT = 10025,
    CCURLOPT_KEYPASSWD = 10026,
    CCURLOPT_HEADERDATA = 10029,
    CCURLOPT_SSLVERSION = 32,
    CCURLOPT_CUSTOMREQUEST = 10036,
    CCURLOPT_VERBOSE = 41,
    CCURLOPT_NOPROGRESS = 43,
    CCURLOPT_NOBODY = 44,
    CCURLOPT_UPLOAD = 46,
    CCURLOPT_XFERINFODATA = 10057,
    CCURLOPT_CAINFO = 10065,
    CCURLOPT_HEADERFUNCTION = 20079,
    CCURLOPT_CAPATH = 10097,
    CCURLOPT_FRESH_CONNECT = 74,
    CCURLOPT_FORBID_REUSE = 75,
    CCURLOPT_HTTPGET = 80,
    CCURLOPT_DEBUGFUNCTION = 20094,
    CCURLOPT_DEBUGDATA = 10095,
    CCURLOPT_HTTP_VERSION = 84,
    CCURLOPT_SSLCERTTYPE = 10086,
    CCURLOPT_SSLKEY = 10087,
    CCURLOPT_BUFFERSIZE = 98,
    CCURLOPT_NOSIGNAL = 99,
    CCURLOPT_PRIVATE = 10103,
    CCURLOPT_HTTPAUTH = 107,
    CCURLOPT_INFILESIZE_LARGE = 30115,
    CCURLOPT_POSTFIELDSIZE_LARGE = 30120,
    CCURLOPT_CONNECTTIMEOUT_MS = 156,
    CCURLOPT_HTTP_TRANSFER_DECODING = 157,
    CCURLOPT_SEEKFUNCTION = 20167,
    CCURLOPT_SEEKDATA = 10168,
    CCURLOPT_COPYPOSTFIELDS = 10165,
    CCURLOPT_SOCKOPTFUNCTION = 20148,
    CCURLOPT_SOCKOPTDATA = 10149,
    CCURLOPT_CLOSESOCKETFUNCTION = 20208,
    CCURLOPT_CLOSESOCKETDATA = 10209,
    CCURLOPT_USERNAME = 10173,
    CCURLOPT_PASSWORD = 10174,
    CCURLOPT_NOPROXY = 10177,
    CCURLOPT_PROTOCOLS = 181,
    CCURLOPT_XFERINFOFUNCTION = 20219,
    CCURLOPT_TCP_KEEPALIVE = 213,
    CCURLOPT_TCP_KEEPIDLE = 214,
    CCURLOPT_TCP_KEEPINTVL = 215,
    CCURLOPT_RESOLVE = 10203,
    CCURLOPT_PINNEDPUBLICKEY = 10230,
    CCURLOPT_UNIX_SOCKET_PATH = 10231,
    CCURLOPT_PATH_AS_IS = 234,
    CCURLOPT_PIPEWAIT = 237,
    CCURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    CCURLOPT_UPLOAD_BUFFERSIZE = 280,
    CCURLOPT_HTTP09_ALLOWED = 285,
    CCURLOPT_PREREQFUNCTION = 20312,
    CCURLOPT_PREREQDATA = 10313,
    CCURLOPT_CAINFO_BLOB = 40309,
    CCURL_BLOB_COPY = 1,
};

enum {
    CCURLINFO_RESPONSE_CODE = 0x200002,
    CCURLINFO_PRIVATE = 0x100015,
    CCURLINFO_PRIMARY_IP = 0x100020,
    CCURLINFO_NUM_CONNECTS = 0x20001A,
    CCURLINFO_HTTP_VERSION = 0x20002E,
    CCURLINFO_SIZE_UPLOAD_T = 0x600007,
    CCURLINFO_SIZE_DOWNLOAD_T = 0x600008,
    CCURLINFO_TOTAL_TIME_T = 0x600032,
    CCURLINFO_NAMELOOKUP_TIME_T = 0x600033,
    CCURLINFO_CONNECT_TIME_T = 0x600034,
    CCURLINFO_PRETRANSFER_TIME_T = 0x600035,
    CCURLINFO_STARTTRANSFER_TIME_T = 0x600036,
    CCURLINFO_APPCONNECT_TIME_T = 0x600038,
};

enum {
    CCURLE_OK = 0,
    CCURLE_UNSUPPORTED_PROTOCOL = 1,
    CCURLE_URL_MALFORMAT = 3,
    CCURLE_NOT_BUILT_IN = 4,
    CCURLE_COULDNT_RESOLVE_PROXY = 5,
    CCURLE_COULDNT_RESOLVE_HOST = 6,
    CCURLE_COULDNT_CONNECT = 7,
    CCURLE_WEIRD_SERVER_REPLY = 8,
    CCURLE_HTTP2 = 16,
    CCURLE_PARTIAL_FILE = 18,
    CCURLE_WRITE_ERROR = 23,
    CCURLE_READ_ERROR = 26,
    CCURLE_OUT_OF_MEMORY = 27,
    CCURLE_OPERATION_TIMEDOUT = 28,
    CCURLE_SSL_CONNECT_ERROR = 35,
    CCURLE_ABORTED_BY_CALLBACK = 42,
    CCURLE_UNKNOWN_OPTION = 48,
    CCURLE_GOT_NOTHING = 52,
    CCURLE_SSL_ENGINE_NOTFOUND = 53,
    CCURLE_SEND_ERROR = 55,
    CCURLE_RECV_ERROR = 56,
    CCURLE_SSL_CERTPROBLEM = 58,
    CCURLE_SSL_CIPHER = 59,
    CCURLE_PEER_FAILED_VERIFICATION = 60,
    CCURLE_BAD_CONTENT_ENCODING = 61,
    CCURLE_SEND_FAIL_REWIND = 65,
    CCURLE_SSL_CACERT_BADFILE = 77,
    CCURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
    CCURLE_SSL_INVALIDCERTSTATUS = 91,
    CCURLE_HTTP2_STREAM = 92,
    CCURLE_PROXY = 97,
    CCURLE_TOO_LARGE = 100,
    CCURLE_SSL_CLIENTCERT = 98,
};

enum {
    CCURLPROTO_HTTP = 1,
    CCURLPROTO_HTTPS = 2,
    CCURL_HTTP_VERSION_1_1 = 2,
    CCURL_HTTP_VERSION_2_0 = 3,
    CCURL_HTTP_VERSION_2TLS = 4,
    CCURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE = 5,
    CCURL_HTTP_VERSION_3 = 30,
    CCURL_SSLVERSION_TLSv1_2 = 6,
    CCURL_SSLVERSION_TLSv1_3 = 7,
    CCURLAUTH_DIGEST = 2,
    CCURLPAUSE_RECV = 1,
    CCURLPAUSE_SEND = 4,
    CCURLPAUSE_CONT = 0,
    CCURLINFO_TEXT = 0,
    CCURLINFO_HEADER_IN = 1,
    CCURL_WRITEFUNC_PAUSE = 0x10000001,
    CCURL_READFUNC_ABORT = 0x10000000,
    CCURL_READFUNC_PAUSE = 0x10000001,
    CCURL_SEEKFUNC_OK = 0,
    CCURL_SEEKFUNC_FAIL = 1,
};

// MARK: Many transfers

typedef int (*ccurl_socket_callback)(
    ccurl_easy *easy, int socket, int what, void *context, void *socket_context);
typedef int (*ccurl_timer_callback)(ccurl_multi *multi, long milliseconds, void *context);

ccurl_multi *ccurl_multi_new(void);
int ccurl_multi_free(ccurl_multi *multi);
int ccurl_multi_set_long(ccurl_multi *multi, int option, long value);
int ccurl_multi_set_callbacks(
    ccurl_multi *multi, ccurl_socket_callback on_socket, ccurl_timer_callback on_timer, void *context);
int ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy);
int ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy);
/// Tells that a socket is ready (CCURL_SOCKET_TIMEOUT: that time has passed), and lets transfers go on.
int ccurl_multi_act(ccurl_multi *multi, int socket, int events);
/// Lets all transfers go on, whether or not their sockets are ready.
int ccurl_multi_act_all(ccurl_multi *multi);
/// Waits for any socket at most so many milliseconds, then lets all transfers go on. The simple way,
/// for a loop without epoll. `running` says how many transfers are not over yet.
int ccurl_multi_poll_and_perform(ccurl_multi *multi, int milliseconds, int *running);
/// The next transfer that is over, and its CURLcode; NULL where there is none.
ccurl_easy *ccurl_multi_done(ccurl_multi *multi, int *code);

enum {
    CCURLMOPT_MAXCONNECTS = 6,
    CCURLMOPT_MAX_HOST_CONNECTIONS = 7,
    CCURL_SOCKET_TIMEOUT = -1,
    CCURL_POLL_IN = 1,
    CCURL_POLL_OUT = 2,
    CCURL_POLL_INOUT = 3,
    CCURL_POLL_REMOVE = 4,
    CCURL_CSELECT_IN = 1,
    CCURL_CSELECT_OUT = 2,
    CCURL_CSELECT_ERR = 4,
};

#ifdef __cplusplus
}
#endif

#endif
