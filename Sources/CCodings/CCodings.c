#include "CCodings.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// MARK: zlib (zlib.h; the layout of z_stream has not changed since 1.2.0)

typedef struct {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *zalloc, *zfree, *opaque;
    int data_type;
    unsigned long adler, reserved;
} zlib_stream;

enum { ZLIB_OK = 0, ZLIB_END = 1, ZLIB_NEEDS_BUFFER = -5 };
enum { ZLIB_GZIP_WINDOW = 15 + 16, ZLIB_WINDOW = 15, ZLIB_RAW_WINDOW = -15 };

static int (*zlib_init)(zlib_stream *, int window, const char *version, int size);
static int (*zlib_inflate)(zlib_stream *, int flush);
static int (*zlib_reset)(zlib_stream *);
static int (*zlib_end)(zlib_stream *);

enum { ZLIB_DEFAULT_LEVEL = -1, ZLIB_DEFLATED = 8, ZLIB_DEFAULT_MEMORY = 8, ZLIB_FINISH = 4 };

static int (*zlib_deflate_init)(
    zlib_stream *, int level, int method, int window, int memory, int strategy, const char *version, int size);
static int (*zlib_deflate)(zlib_stream *, int flush);
static int (*zlib_deflate_end)(zlib_stream *);

// MARK: brotli (brotli/decode.h)

enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1, BROTLI_WANTS_INPUT = 2, BROTLI_WANTS_ROOM = 3 };

static void *(*brotli_new)(void *, void *, void *);
static int (*brotli_decode)(
    void *, size_t *input_size, const uint8_t **input, size_t *output_size, uint8_t **output, size_t *total);
static void (*brotli_free)(void *);

// MARK: zstd (zstd.h)

typedef struct {
    void *bytes;
    size_t size, position;
} zstd_buffer;

// RFC 9659: a window of more than 8 MB is not for HTTP.
enum { ZSTD_WINDOW_LOG_MAX = 100, ZSTD_HTTP_WINDOW_LOG = 23 };

static void *(*zstd_new)(void);
static size_t (*zstd_set)(void *, int parameter, int value);
static size_t (*zstd_decode)(void *, zstd_buffer *output, zstd_buffer *input);
static unsigned int (*zstd_is_error)(size_t);
static size_t (*zstd_free)(void *);

// MARK: Loading

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int has_zlib, has_deflate, has_brotli, has_zstd;

#define FIND(handle, function, name) (((function) = dlsym((handle), (name))) != NULL)

static void load(void) {
    void *zlib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    has_zlib = zlib != NULL && FIND(zlib, zlib_init, "inflateInit2_") && FIND(zlib, zlib_inflate, "inflate")
               && FIND(zlib, zlib_reset, "inflateReset") && FIND(zlib, zlib_end, "inflateEnd");
    has_deflate = zlib != NULL && FIND(zlib, zlib_deflate_init, "deflateInit2_")
                  && FIND(zlib, zlib_deflate, "deflate") && FIND(zlib, zlib_deflate_end, "deflateEnd");
    void *brotli = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    has_brotli = brotli != NULL && FIND(brotli, brotli_new, "BrotliDecoderCreateInstance")
                 && FIND(brotli, brotli_decode, "BrotliDecoderDecompressStream")
                 && FIND(brotli, brotli_free, "BrotliDecoderDestroyInstance");
    void *zstd = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    has_zstd = zstd != NULL && FIND(zstd, zstd_new, "ZSTD_createDCtx")
               && FIND(zstd, zstd_set, "ZSTD_DCtx_setParameter")
               && FIND(zstd, zstd_decode, "ZSTD_decompressStream")
               && FIND(zstd, zstd_is_error, "ZSTD_isError") && FIND(zstd, zstd_free, "ZSTD_freeDCtx");
}

int ccoding_is_available(int kind) {
    pthread_once(&once, load);
    switch (kind) {
    case CCODING_GZIP:
    case CCODING_DEFLATE: return has_zlib;
    case CCODING_BROTLI: return has_brotli;
    case CCODING_ZSTD: return has_zstd;
    default: return 0;
    }
}

// MARK: Decoding

struct ccoding {
    int kind;
    /// Whether a gzip member, or the window of a deflate body, has begun.
    int has_begun;
    /// Whether a gzip member or zstd frame is complete, so that the body may end here.
    int is_at_boundary;
    zlib_stream zlib;
    void *decoder;
};

ccoding *ccoding_new(int kind) {
    if (!ccoding_is_available(kind)) return NULL;
    ccoding *coding = calloc(1, sizeof(ccoding));
    if (coding == NULL) return NULL;
    coding->kind = kind;
    int is_ready = 1;
    switch (kind) {
    case CCODING_GZIP:
        is_ready = zlib_init(&coding->zlib, ZLIB_GZIP_WINDOW, "1", sizeof(zlib_stream)) == ZLIB_OK;
        coding->has_begun = is_ready;
        break;
    case CCODING_BROTLI: is_ready = (coding->decoder = brotli_new(NULL, NULL, NULL)) != NULL; break;
    case CCODING_ZSTD:
        is_ready = (coding->decoder = zstd_new()) != NULL
                   && !zstd_is_error(zstd_set(coding->decoder, ZSTD_WINDOW_LOG_MAX, ZSTD_HTTP_WINDOW_LOG));
        break;
    default: break;
    }
    if (is_ready) return coding;
    ccoding_free(coding);
    return NULL;
}

void ccoding_free(ccoding *coding) {
    if (coding->kind == CCODING_BROTLI && coding->decoder != NULL) brotli_free(coding->decoder);
    if (coding->kind == CCODING_ZSTD && coding->decoder != NULL) zstd_free(coding->decoder);
    if (coding->kind <= CCODING_DEFLATE && coding->has_begun) zlib_end(&coding->zlib);
    free(coding);
}

/// "deflate" is the zlib format (RFC 1950); many servers send bare RFC 1951, so the first byte tells.
static int begin_deflate(ccoding *coding, uint8_t first) {
    int is_zlib = (first & 0x0F) == 8 && first >> 4 <= 7;
    coding->has_begun =
        zlib_init(&coding->zlib, is_zlib ? ZLIB_WINDOW : ZLIB_RAW_WINDOW, "1", sizeof(zlib_stream)) == ZLIB_OK;
    return coding->has_begun;
}

static int decode_zlib(
    ccoding *coding, const uint8_t **input, size_t *input_size, uint8_t **output, size_t *output_size) {
    if (coding->is_at_boundary) {
        if (*input_size == 0 || **input != 0x1F) return CCODING_END;
        // RFC 1952 section 2.2: members may follow one another.
        zlib_reset(&coding->zlib);
        coding->is_at_boundary = 0;
    }
    if (!coding->has_begun && *input_size > 0 && !begin_deflate(coding, **input)) return CCODING_MALFORMED;
    if (!coding->has_begun) return CCODING_WANTS_INPUT;
    const unsigned int most = 1 << 30;
    zlib_stream *zlib = &coding->zlib;
    zlib->next_in = *input;
    zlib->avail_in = *input_size < most ? (unsigned int)*input_size : most;
    zlib->next_out = *output;
    zlib->avail_out = *output_size < most ? (unsigned int)*output_size : most;
    int code = zlib_inflate(zlib, 0);
    *input_size -= (size_t)(zlib->next_in - *input);
    *input = zlib->next_in;
    *output_size -= (size_t)(zlib->next_out - *output);
    *output = zlib->next_out;
    if (code == ZLIB_END) {
        if (coding->kind == CCODING_DEFLATE) return CCODING_END;
        coding->is_at_boundary = 1;
        return *input_size > 0 && **input == 0x1F ? CCODING_WANTS_ROOM : CCODING_END;
    }
    if (code != ZLIB_OK && code != ZLIB_NEEDS_BUFFER) return CCODING_MALFORMED;
    return *output_size == 0 ? CCODING_WANTS_ROOM : CCODING_WANTS_INPUT;
}

static int decode_brotli(
    ccoding *coding, const uint8_t **input, size_t *input_size, uint8_t **output, size_t *output_size) {
    if (coding->is_at_boundary) return CCODING_END;
    switch (brotli_decode(coding->decoder, input_size, input, output_size, output, NULL)) {
    case BROTLI_SUCCESS: coding->is_at_boundary = 1; return CCODING_END;
    case BROTLI_WANTS_INPUT: return CCODING_WANTS_INPUT;
    case BROTLI_WANTS_ROOM: return CCODING_WANTS_ROOM;
    default: return CCODING_MALFORMED;
    }
}

static int decode_zstd(
    ccoding *coding, const uint8_t **input, size_t *input_size, uint8_t **output, size_t *output_size) {
    if (coding->is_at_boundary && *input_size == 0) return CCODING_END;
    zstd_buffer from = {(void *)*input, *input_size, 0};
    zstd_buffer to = {*output, *output_size, 0};
    size_t left = zstd_decode(coding->decoder, &to, &from);
    *input += from.position;
    *input_size -= from.position;
    *output += to.position;
    *output_size -= to.position;
    if (zstd_is_error(left)) return CCODING_MALFORMED;
    // RFC 8878 section 3: frames may follow one another.
    coding->is_at_boundary = left == 0;
    if (left == 0 && *input_size == 0) return CCODING_END;
    return *output_size == 0 || *input_size > 0 ? CCODING_WANTS_ROOM : CCODING_WANTS_INPUT;
}

int ccoding_decode(
    ccoding *coding, const uint8_t **input, size_t *input_size, uint8_t **output, size_t *output_size) {
    switch (coding->kind) {
    case CCODING_BROTLI: return decode_brotli(coding, input, input_size, output, output_size);
    case CCODING_ZSTD: return decode_zstd(coding, input, input_size, output, output_size);
    default: return decode_zlib(coding, input, input_size, output, output_size);
    }
}

// MARK: Encoding

size_t ccoding_deflate(const uint8_t *input, size_t input_size, uint8_t *output, size_t output_size) {
    pthread_once(&once, load);
    const size_t most = 1 << 30;
    if (!has_deflate || input_size > most || output_size > most) return 0;
    zlib_stream zlib = {0};
    int code = zlib_deflate_init(
        &zlib, ZLIB_DEFAULT_LEVEL, ZLIB_DEFLATED, ZLIB_RAW_WINDOW, ZLIB_DEFAULT_MEMORY, 0, "1", sizeof(zlib_stream));
    if (code != ZLIB_OK) return 0;
    zlib.next_in = input;
    zlib.avail_in = (unsigned int)input_size;
    zlib.next_out = output;
    zlib.avail_out = (unsigned int)output_size;
    code = zlib_deflate(&zlib, ZLIB_FINISH);
    zlib_deflate_end(&zlib);
    return code == ZLIB_END ? output_size - zlib.avail_out : 0;
}

#else

int ccoding_is_available(int kind) {
    (void)kind;
    return 0;
}
ccoding *ccoding_new(int kind) {
    (void)kind;
    return NULL;
}
void ccoding_free(ccoding *coding) { (void)coding; }
int ccoding_decode(
    ccoding *coding, const uint8_t **input, size_t *input_size, uint8_t **output, size_t *output_size) {
    (void)coding, (void)input, (void)input_size, (void)output, (void)output_size;
    return CCODING_MALFORMED;
}
size_t ccoding_deflate(const uint8_t *input, size_t input_size, uint8_t *output, size_t output_size) {
    (void)input, (void)input_size, (void)output, (void)output_size;
    return 0;
}

#endif
